#pragma once

#include <QFont>
#include <QFontMetricsF>
#include <QHash>
#include <QStaticText>

class QPainter;

namespace tilewright::views {

/// Short texts in one font that are drawn repeatedly. Each is shaped once, because shaping takes several times as long as drawing.
class LabelTexts {
public:
    explicit LabelTexts(QFont const &font = {});
    /// Clears the cache if the font changes.
    void setFont(QFont const &font);
    QFont const &font() const { return m_font; }
    QFontMetricsF const &metrics() const { return m_metrics; }

    struct Label {
        QStaticText text;
        double width = 0;
        bool isEmpty() const { return width <= 0; }
    };
    Label whole(QString const &text);
    /// The text fitted into `width`, with its middle cut if necessary; empty if nothing fits.
    Label fitted(QString const &text, double width);
    /// Draws at the left of `area`, vertically centred, with the painter's pen. Sets the painter's font.
    void draw(QPainter &painter, QRectF const &area, Label const &label) const;

private:
    double advance(QChar c);
    QFont m_font;
    QFontMetricsF m_metrics;
    QHash<QString, Label> m_labels;
    QHash<QChar, double> m_advances;
};

} // namespace tilewright::views

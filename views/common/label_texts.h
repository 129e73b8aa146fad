#pragma once

#include <QFont>
#include <QFontMetricsF>
#include <QHash>
#include <QStaticText>

class QPainter;

namespace tilewright::views {

/// Short texts in one font that are drawn over and over: shaped once, as shaping takes several times what drawing does.
class LabelTexts {
public:
    explicit LabelTexts(QFont const &font = {});
    /// Forgets everything when it is another font.
    void setFont(QFont const &font);
    QFont const &font() const { return m_font; }
    QFontMetricsF const &metrics() const { return m_metrics; }

    struct Label {
        QStaticText text;
        double width = 0;
        bool isEmpty() const { return width <= 0; }
    };
    Label whole(QString const &text);
    /// What fits into `width`, without its middle when it must; empty when nothing of it would be left.
    Label fitted(QString const &text, double width);
    /// At the left of `area`, between its top and bottom, in the painter's pen. Sets the painter's font.
    void draw(QPainter &painter, QRectF const &area, Label const &label) const;

private:
    double advance(QChar c);
    QFont m_font;
    QFontMetricsF m_metrics;
    QHash<QString, Label> m_labels;
    QHash<QChar, double> m_advances;
};

} // namespace tilewright::views

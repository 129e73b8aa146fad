#pragma once

#include <QWidget>

class QLabel;

namespace tilewright::views {

/// A label whose text changes many times per second. A plain label would lay out the whole window each time. Requests a new size only if
/// its number of lines changes, or if its text differs much from its width.
class SteadyLabel : public QWidget {
public:
    explicit SteadyLabel(QWidget *parent = nullptr);
    QLabel &label() const { return *m_label; } ///< for its appearance; set texts with setText()
    void setText(QString const &text);
    QString text() const;
    /// Shows one line that is elided if it does not fit; the caller sets the tooltip. Without this call only single words wider than the
    /// label lose their middle, and the tooltip has the whole text.
    void setElided(Qt::TextElideMode mode);

    QSize sizeHint() const override { return m_hint; }
    QSize minimumSizeHint() const override { return {0, m_hint.height()}; }
    bool hasHeightForWidth() const override;
    int heightForWidth(int width) const override;

protected:
    bool event(QEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

private:
    void measure();
    QString shown() const;
    void fit();
    QLabel *m_label = nullptr;
    QString m_text;
    Qt::TextElideMode m_elide = Qt::ElideNone;
    QSize m_hint;
};

} // namespace tilewright::views

#pragma once

#include <QWidget>

class QLabel;

namespace tilewright::views {

/// A label whose text changes many times a second: a plain one makes the whole window arrange itself anew each time.
/// Asks for another size only when its text takes another number of lines, or does not fit its width by far.
class SteadyLabel : public QWidget {
public:
    explicit SteadyLabel(QWidget *parent = nullptr);
    QLabel &label() const { return *m_label; } ///< for its looks; texts go through setText()
    void setText(QString const &text);
    QString text() const;
    /// One line that ends in dots where it does not fit; the tip is for whoever uses it to set. Without this only single words that
    /// are wider than the label lose their middle, and the tip has the whole text.
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

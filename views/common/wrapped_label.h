#pragma once

#include <QLabel>
#include <QResizeEvent>

namespace tilewright::views {

/// A text of several lines that none of them loses in a low window: splitters and pages that scroll ask for the least height
/// of what is in them, and a plain label says that of one line, however many its width makes of it.
class WrappedLabel : public QLabel {
public:
    explicit WrappedLabel(QWidget *parent = nullptr) : QLabel(parent) { setWordWrap(true); }
    QSize minimumSizeHint() const override { return QLabel::minimumSizeHint().expandedTo({0, heightForWidth(width())}); }

protected:
    void resizeEvent(QResizeEvent *event) override
    {
        QLabel::resizeEvent(event);
        // What the layout knows of it is from another width, also where it got the right height for this one.
        if (event->oldSize().width() != width() || minimumSizeHint().height() != height()) updateGeometry();
    }
};

} // namespace tilewright::views

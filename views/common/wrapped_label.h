#pragma once

#include "views/common/unbroken.h"

#include <QLabel>
#include <QResizeEvent>

namespace tilewright::views {

/// A text of several lines that keeps its full height in a low window. Splitters and scrolling pages use minimum heights, and a plain label
/// reports the height of one line, independent of its width.
class WrappedLabel : public QLabel {
public:
    explicit WrappedLabel(QWidget *parent = nullptr) : QLabel(parent) { setWordWrap(true); }
    void setText(QString const &text) { QLabel::setText(unbroken(text)); }
    QSize minimumSizeHint() const override { return QLabel::minimumSizeHint().expandedTo({0, heightForWidth(width())}); }

protected:
    void resizeEvent(QResizeEvent *event) override
    {
        QLabel::resizeEvent(event);
        // The layout cached a hint for another width, even if the height is right for this one.
        if (event->oldSize().width() != width() || minimumSizeHint().height() != height()) updateGeometry();
    }
};

} // namespace tilewright::views

#pragma once

#include "views/common/theme.h"

#include <QRectF>
#include <QWidget>

namespace tilewright::views {

/// A strip that shows the whole of an axis, with a frame around the part on show: drag the frame or one of its two handles, click
/// elsewhere to go there, double click to see all. By keyboard: Space goes from the frame to its left and its right handle, the
/// arrows move what is chosen, + and - zoom, Home shows all. What the strip shows below the frame, and of what axis, others say.
class RangeStrip : public QWidget {
    Q_OBJECT
public:
    /// Of the axis, in its units, from its begin.
    struct Part {
        double from = 0, to = 1;
        double length() const { return to - from; }
    };
    explicit RangeStrip(QWidget *parent);
    QRectF frame() const; ///< in pixels

protected:
    virtual QRect plot() const = 0;   ///< where the axis is drawn
    virtual double whole() const = 0; ///< length of the axis; 0: there is nothing to move in
    virtual Part shown() const = 0;
    virtual double least() const = 0; ///< length of the shortest part that can be shown
    /// `steadily`: one of many moves in quick succession. Of the length of what is shown when that is only moved.
    virtual void showPart(Part part, bool steadily) = 0;
    virtual void showAll() = 0;
    virtual QString shareWords() const = 0; ///< how much is on show, for those who do not see it: "all time"
    /// The veil over what is not on show, in the colour of the ground.
    void paintVeil(QPainter &painter, Token ground) const;
    /// The frame and its handles.
    void paintFrame(QPainter &painter) const;
    void describe(); ///< once another part is on show

    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void mouseDoubleClickEvent(QMouseEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;

private:
    enum class Grip { None, Frame, Left, Right };
    Grip gripAt(QPoint at) const;
    double positionAt(int x) const;
    void move(Grip grip, Part part, double by);
    void zoom(double factor);
    Grip m_grip = Grip::None, m_byKey = Grip::Frame;
    Part m_held;         ///< what was shown when the mouse was pressed
    double m_heldAt = 0; ///< where that was
};

} // namespace tilewright::views

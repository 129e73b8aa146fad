#pragma once

#include "views/common/theme.h"

#include <QRectF>
#include <QWidget>

namespace tilewright::views {

/// A strip that shows a whole axis with a frame around the visible part. Drag the frame or one of its two handles, click elsewhere to go
/// there, double click to see all. Keys: Space switches between the frame, its left and its right handle; the arrows move the chosen one; +
/// and - zoom; Home shows all. Subclasses define the axis and draw the strip.
class RangeStrip : public QWidget {
    Q_OBJECT
public:
    /// A part of the axis, in its units, from its start.
    struct Part {
        double from = 0, to = 1;
        double length() const { return to - from; }
    };
    explicit RangeStrip(QWidget *parent);
    QRectF frame() const; ///< in pixels

protected:
    virtual QRect plot() const = 0;   ///< rectangle of the axis
    virtual double whole() const = 0; ///< length of the axis; 0: no axis
    virtual Part shown() const = 0;
    virtual double least() const = 0; ///< length of the shortest visible part
    /// `steadily`: one of many quick moves. A move keeps the length of the visible part.
    virtual void showPart(Part part, bool steadily) = 0;
    virtual void showAll() = 0;
    virtual QString shareWords() const = 0; ///< the visible share in words, for accessibility: "all time"
    /// Draws a veil over the invisible parts, in the colour of the ground.
    void paintVeil(QPainter &painter, Token ground) const;
    /// The frame and its handles.
    void paintFrame(QPainter &painter) const;
    void describe(); ///< call after the visible part changed

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
    Part m_held;         ///< visible part when the mouse was pressed
    double m_heldAt = 0; ///< position of the press
};

} // namespace tilewright::views

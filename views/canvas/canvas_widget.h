#pragma once

#include "views/canvas/canvas_painter.h"
#include "views/canvas/canvas_scene.h"
#include "views/canvas/scene_cache.h"

#include <QPoint>
#include <QPointF>
#include <QStringList>
#include <QWidget>

#include <map>
#include <memory>
#include <set>
#include <string>

namespace tilewright::views {

class CanvasMinimap;

/// Commands on the canvas besides pointing and moving.
enum class CanvasCommand { Add, Delete, Duplicate, Copy, Cut, Paste, Group, Rename, Open, Leave };

/// Paints a scene and turns mouse and keys into requests. Changes only zoom, position and selection itself.
class CanvasWidget : public QWidget {
    Q_OBJECT
public:
    explicit CanvasWidget(QWidget *parent = nullptr);
    ~CanvasWidget() override;

    CanvasScene const &scene() const { return m_scene; }
    void setScene(CanvasScene scene);
    void setOverlay(Overlay overlay);
    Overlay const &overlay() const { return m_overlay; }

    /// Selects nodes, the current one last. Emits selectionChanged only with byPerson.
    void select(std::vector<std::string> const &ids, bool byPerson = false);
    std::set<std::string> const &selected() const { return m_paint.selected; }
    std::string const &current() const { return m_paint.current; }
    /// Layers of the selected nodes, in model order.
    std::vector<std::string> selectedLayers() const;
    int selectedEdge() const { return m_paint.selectedEdge; }
    void setLit(std::set<std::string> layers);

    double zoom() const { return m_paint.zoom; }
    /// Sets the zoom. The scene point under `anchor` (widget coordinates) stays in place.
    void setZoom(double zoom, QPointF const &anchor);
    void zoomToFit(QRectF const &sceneRect);
    void fitAll();
    void firstLook(); ///< shows everything, or the beginning of a model that would be too small to read
    void fitSelection();
    void actualSize();
    /// Shows layers selected elsewhere: scrolls to them, and zooms in if their names would be unreadable.
    void bringUp(std::vector<std::string> const &ids);
    void reveal(std::string const &id); ///< moves only when it is not in sight
    /// Shows all of them if they fit, otherwise the last one.
    void revealAll(std::vector<std::string> const &ids);
    QPointF toScene(QPointF const &at) const { return at / m_paint.zoom + m_origin; }
    QPointF toWidget(QPointF const &at) const { return (at - m_origin) * m_paint.zoom; }
    QRectF visibleScene() const;
    void centreOn(QPointF const &scenePoint);

public slots:
    // Slots with the names of menu entries; the keys do the same.
    void cut() { emit commandRequested(CanvasCommand::Cut); }
    void copy() { emit commandRequested(CanvasCommand::Copy); }
    void paste() { emit commandRequested(CanvasCommand::Paste); }
    void remove() { emit commandRequested(CanvasCommand::Delete); }
    void selectAll();

signals:
    void selectionChanged();
    void activated(QString const &id); ///< double click, Enter
    void commandRequested(tilewright::views::CanvasCommand command);
    void menuRequested(QPoint const &global, int node, int edge);
    void fixRequested(QPoint const &global, int node);
    void foldRequested(QString const &group); ///< double click on the title of an unfolded group
    void connectRequested(QString const &from, QString const &to);
    void connectedIntoVoid(QString const &from, QPoint const &global);
    void layerDropped(QString const &className, int edge, int node);
    void nodesMoved(std::map<std::string, QPointF> const &centres);
    void viewportChanged();

protected:
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    bool event(QEvent *event) override;
    void changeEvent(QEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void mouseDoubleClickEvent(QMouseEvent *event) override;
    void wheelEvent(QWheelEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void keyReleaseEvent(QKeyEvent *event) override;
    void focusInEvent(QFocusEvent *event) override;
    void focusOutEvent(QFocusEvent *event) override;
    void contextMenuEvent(QContextMenuEvent *event) override;
    void dragEnterEvent(QDragEnterEvent *event) override;
    void dragMoveEvent(QDragMoveEvent *event) override;
    void dragLeaveEvent(QDragLeaveEvent *event) override;
    void dropEvent(QDropEvent *event) override;

private:
    enum class Gesture { None, Press, Move, Pull, Band, Pan };
    void pressLeft(QPointF const &at, Qt::KeyboardModifiers modifiers);
    void moveNodes(QPointF const &at);
    void pullTo(QPointF const &at);
    void finishBand(bool add);
    void stopGesture();
    void revealRect(QRectF const &rect);
    void scrollBy(QPointF const &pixels);
    bool keyForView(int key);
    bool keyForEdit(QKeyEvent const &event);
    void walk(Qt::Key arrow, bool extend);
    void describe();
    QString tipAt(QPointF const &widgetPoint) const;
    double reach(double pixels) const { return pixels / m_paint.zoom; }
    void refreshMinimap();
    QPointF snapped(QPointF const &origin) const { return SceneCache::snapped(origin, m_paint.zoom, devicePixelRatioF()); }

    CanvasScene m_scene;
    Overlay m_overlay;
    CanvasPaint m_paint;
    SceneCache m_drawing; ///< of scene, overlay and paint
    QPointF m_origin;     ///< scene point at the widget's top left
    Gesture m_gesture = Gesture::None;
    QPointF m_pressedAt, m_lastAt; ///< widget coordinates
    int m_pressedNode = -1;
    std::map<std::string, QPointF> m_moveStart; ///< centres when the move began
    bool m_space = false;
    bool m_fitted = false;   ///< the initial part was chosen
    bool m_untouched = true; ///< by the program, which chooses again after a resize
    CanvasMinimap *m_minimap = nullptr;
};

} // namespace tilewright::views

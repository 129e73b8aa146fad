#include "views/canvas/canvas_metrics.h"
#include "views/canvas/canvas_widget.h"
#include "views/modeledit/document_edits.h"

#include <QApplication>
#include <QContextMenuEvent>
#include <QDragEnterEvent>
#include <QKeyEvent>
#include <QMimeData>
#include <QMouseEvent>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

// Mouse, wheel, keys and drops of the canvas.
namespace tilewright::views {

namespace {

constexpr double kEdgeReach = 7, kPortReach = 9; ///< pixels on the screen
constexpr double kZoomStep = 1.2;                ///< per notch of a wheel
constexpr double kDropReach = 16;

std::size_t u(int i) { return static_cast<std::size_t>(i); }

} // namespace

void CanvasWidget::mousePressEvent(QMouseEvent *event)
{
    setFocus(Qt::MouseFocusReason);
    m_pressedAt = m_lastAt = event->position();
    if (event->button() == Qt::MiddleButton || (event->button() == Qt::LeftButton && m_space)) {
        m_gesture = Gesture::Pan;
        setCursor(Qt::ClosedHandCursor);
    } else if (event->button() == Qt::LeftButton) {
        pressLeft(event->position(), event->modifiers());
    } else if (event->button() == Qt::RightButton) {
        int const node = nodeAt(m_scene, toScene(event->position()));
        if (node >= 0 && !m_paint.selected.contains(m_scene.nodes[u(node)].id)) select({m_scene.nodes[u(node)].id}, true);
    }
    event->accept();
}

void CanvasWidget::pressLeft(QPointF const &at, Qt::KeyboardModifiers modifiers)
{
    QPointF const point = toScene(at);
    if (int const badge = badgeAt(m_scene, point); badge >= 0 && m_paint.zoom >= canvas::kTextZoom) {
        select({m_scene.nodes[u(badge)].id}, true);
        emit fixRequested(mapToGlobal(at.toPoint()), badge);
        return;
    }
    int const port = outputPortAt(m_scene, point, reach(kPortReach));
    if (port >= 0 && !m_scene.nodes[u(port)].group && m_paint.zoom >= canvas::kTextZoom / 2) {
        m_gesture = Gesture::Pull;
        m_pressedNode = port;
        return;
    }
    m_pressedNode = nodeAt(m_scene, point);
    bool const extend = modifiers & (Qt::ShiftModifier | Qt::ControlModifier);
    if (m_pressedNode < 0) {
        int const edge = edgeAt(m_scene, point, reach(kEdgeReach));
        if (edge >= 0) {
            select({}, true);
            m_paint.selectedEdge = edge;
            return;
        }
        m_gesture = Gesture::Band;
        m_moveStart.clear();
        if (!extend) select({}, true);
        return;
    }
    m_gesture = Gesture::Press;
    std::string const id = m_scene.nodes[u(m_pressedNode)].id;
    if (extend) {
        std::vector<std::string> ids(m_paint.selected.begin(), m_paint.selected.end());
        bool const had = std::erase(ids, id) > 0;
        if (!had) ids.push_back(id);
        select(ids, true);
    } else if (!m_paint.selected.contains(id)) {
        select({id}, true);
    } else {
        m_paint.current = id;
    }
}

void CanvasWidget::mouseMoveEvent(QMouseEvent *event)
{
    QPointF const at = event->position();
    switch (m_gesture) {
    case Gesture::Pan: scrollBy(at - m_lastAt); break;
    case Gesture::Press:
        if ((at - m_pressedAt).manhattanLength() < QApplication::startDragDistance()) break;
        m_gesture = Gesture::Move;
        m_moveStart.clear();
        for (auto const &id : m_paint.selected)
            if (int const node = m_scene.node(id); node >= 0) m_moveStart[id] = m_scene.nodes[u(node)].rect.center();
        moveNodes(at);
        break;
    case Gesture::Move: moveNodes(at); break;
    case Gesture::Pull: pullTo(at); break;
    case Gesture::Band:
        m_paint.band = QRectF(toScene(m_pressedAt), toScene(at)).normalized();
        update();
        break;
    case Gesture::None: {
        QPointF const point = toScene(at);
        int const port = outputPortAt(m_scene, point, reach(kPortReach));
        int const over = port >= 0 ? port : nodeAt(m_scene, point);
        setCursor(m_space                            ? Qt::OpenHandCursor
                      : port >= 0                    ? Qt::CrossCursor
                      : badgeAt(m_scene, point) >= 0 ? Qt::PointingHandCursor
                                                     : Qt::ArrowCursor);
        if (over != m_paint.hovered) {
            m_paint.hovered = over;
            update();
        }
        break;
    }
    }
    m_lastAt = at;
}

void CanvasWidget::moveNodes(QPointF const &at)
{
    QPointF const by = toScene(at) - toScene(m_pressedAt);
    for (auto const &[id, centre] : m_moveStart) {
        int const node = m_scene.node(id);
        if (node < 0) continue;
        QPointF const to = centre + by;
        m_scene.nodes[u(node)].rect.moveCenter({std::round(to.x() / kGrid) * kGrid, std::round(to.y() / kGrid) * kGrid});
    }
    m_drawing.invalidate();
    for (auto &edge : m_scene.edges) { // drawn straight to the moved nodes until the drop
        bool const touched = m_moveStart.contains(m_scene.nodes[u(edge.from)].id) || m_moveStart.contains(m_scene.nodes[u(edge.to)].id);
        if (!touched || edge.from == edge.to) continue;
        QRectF const to = m_scene.nodes[u(edge.to)].rect;
        edge.route = QPolygonF{outputPort(m_scene, m_scene.nodes[u(edge.from)]),
                               m_scene.leftToRight ? QPointF(to.left(), to.center().y()) : QPointF(to.center().x(), to.top())};
    }
    update();
}

void CanvasWidget::pullTo(QPointF const &at)
{
    QPointF const point = toScene(at);
    m_paint.pulling = QLineF(outputPort(m_scene, m_scene.nodes[u(m_pressedNode)]), point);
    int const over = nodeAt(m_scene, point);
    m_paint.target = over == m_pressedNode ? -1 : over;
    m_paint.targetRefused = m_paint.target >= 0 && m_scene.nodes[u(m_paint.target)].input;
    update();
}

void CanvasWidget::mouseReleaseEvent(QMouseEvent *event)
{
    Gesture const gesture = m_gesture;
    QPointF const at = event->position();
    bool const moved = (at - m_pressedAt).manhattanLength() >= QApplication::startDragDistance();
    int const pressed = m_pressedNode, target = m_paint.target;
    if (gesture == Gesture::Band && moved) finishBand(event->modifiers() & Qt::ShiftModifier);
    std::map<std::string, QPointF> centres;
    if (gesture == Gesture::Move)
        for (auto const &[id, start] : m_moveStart)
            if (int const node = m_scene.node(id); node >= 0) centres[id] = m_scene.nodes[u(node)].rect.center();
    stopGesture();
    bool const plain = !(event->modifiers() & (Qt::ShiftModifier | Qt::ControlModifier));
    // A click on one of several selected layers selects only that one; a drag moves all.
    if (gesture == Gesture::Press && plain && pressed >= 0 && m_paint.selected.size() > 1) select({m_scene.nodes[u(pressed)].id}, true);
    if (gesture == Gesture::Move) emit nodesMoved(centres);
    if (gesture != Gesture::Pull || pressed < 0) return;
    QString const from = QString::fromStdString(m_scene.nodes[u(pressed)].id);
    if (!moved) {
        select({m_scene.nodes[u(pressed)].id}, true);
    } else if (target >= 0) {
        emit connectRequested(from, QString::fromStdString(m_scene.nodes[u(target)].id));
    } else if (nodeAt(m_scene, toScene(at)) < 0) {
        emit connectedIntoVoid(from, mapToGlobal(at.toPoint()));
    }
}

void CanvasWidget::finishBand(bool add)
{
    std::vector<std::string> ids;
    if (add) ids.assign(m_paint.selected.begin(), m_paint.selected.end());
    for (int const node : nodesIn(m_scene, m_paint.band)) ids.push_back(m_scene.nodes[u(node)].id);
    select(ids, true);
}

void CanvasWidget::stopGesture()
{
    m_gesture = Gesture::None;
    m_paint.pulling = {};
    m_paint.band = {};
    m_paint.target = m_paint.dropEdge = -1;
    m_moveStart.clear();
    m_pressedNode = -1;
    setCursor(m_space ? Qt::OpenHandCursor : Qt::ArrowCursor);
    update();
}

void CanvasWidget::mouseDoubleClickEvent(QMouseEvent *event)
{
    QPointF const point = toScene(event->position());
    stopGesture();
    if (int const node = nodeAt(m_scene, point); node >= 0) emit activated(QString::fromStdString(m_scene.nodes[u(node)].id));
    else if (int const frame = frameTitleAt(m_scene, point); frame >= 0)
        emit foldRequested(QString::fromStdString(m_scene.frames[u(frame)].group));
}

void CanvasWidget::wheelEvent(QWheelEvent *event)
{
    QPointF const pixels = event->pixelDelta().isNull() ? QPointF(event->angleDelta()) / 2.0 : QPointF(event->pixelDelta());
    if (event->modifiers() & Qt::ControlModifier)
        setZoom(m_paint.zoom * std::pow(kZoomStep, event->angleDelta().y() / 120.0), event->position());
    else if (event->modifiers() & Qt::ShiftModifier) scrollBy({pixels.x() + pixels.y(), 0});
    else scrollBy(pixels);
    event->accept();
}

bool CanvasWidget::keyForView(int key)
{
    QPointF const centre(width() / 2.0, height() / 2.0);
    switch (key) {
    case Qt::Key_1: actualSize(); return true;
    case Qt::Key_0: fitAll(); return true;
    case Qt::Key_F: fitSelection(); return true;
    case Qt::Key_Plus:
    case Qt::Key_Equal: setZoom(m_paint.zoom * kZoomStep, centre); return true;
    case Qt::Key_Minus: setZoom(m_paint.zoom / kZoomStep, centre); return true;
    case Qt::Key_Escape:
        if (m_gesture != Gesture::None) stopGesture();
        else select({}, true);
        return true;
    default: return false;
    }
}

bool CanvasWidget::keyForEdit(QKeyEvent const &event)
{
    auto const ask = [this](CanvasCommand command) {
        emit commandRequested(command);
        return true;
    };
    if (event.matches(QKeySequence::Copy)) return ask(CanvasCommand::Copy);
    if (event.matches(QKeySequence::Cut)) return ask(CanvasCommand::Cut);
    if (event.matches(QKeySequence::Paste)) return ask(CanvasCommand::Paste);
    if (event.matches(QKeySequence::SelectAll)) {
        selectAll();
        return true;
    }
    bool const control = event.modifiers() & Qt::ControlModifier;
    switch (event.key()) {
    case Qt::Key_Delete: return ask(CanvasCommand::Delete);
    case Qt::Key_Backspace: return ask(CanvasCommand::Leave);
    case Qt::Key_F2: return ask(CanvasCommand::Rename);
    case Qt::Key_D: return control && ask(CanvasCommand::Duplicate);
    case Qt::Key_G: return control && ask(CanvasCommand::Group);
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (m_paint.current.empty()) return ask(CanvasCommand::Add);
        emit activated(QString::fromStdString(m_paint.current));
        return true;
    default: return false;
    }
}

void CanvasWidget::keyPressEvent(QKeyEvent *event)
{
    bool const arrow =
        event->key() == Qt::Key_Left || event->key() == Qt::Key_Right || event->key() == Qt::Key_Up || event->key() == Qt::Key_Down;
    if (arrow && !(event->modifiers() & (Qt::ControlModifier | Qt::AltModifier))) {
        walk(static_cast<Qt::Key>(event->key()), event->modifiers() & Qt::ShiftModifier);
        return;
    }
    if (event->key() == Qt::Key_Space) {
        if (!event->isAutoRepeat()) {
            m_space = true;
            if (m_gesture == Gesture::None) setCursor(Qt::OpenHandCursor);
        }
        return;
    }
    bool const plain = !(event->modifiers() & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier));
    if (plain && keyForView(event->key())) return;
    if (keyForEdit(*event)) return;
    QWidget::keyPressEvent(event);
}

void CanvasWidget::keyReleaseEvent(QKeyEvent *event)
{
    if (event->key() != Qt::Key_Space) return QWidget::keyReleaseEvent(event);
    if (event->isAutoRepeat()) return;
    m_space = false;
    if (m_gesture == Gesture::None) setCursor(Qt::ArrowCursor);
}

void CanvasWidget::walk(Qt::Key arrow, bool extend)
{
    int const next = neighbour(m_scene, m_scene.node(m_paint.current), arrow);
    if (next < 0) return;
    std::vector<std::string> ids;
    std::string const id = m_scene.nodes[u(next)].id;
    if (extend) {
        ids.assign(m_paint.selected.begin(), m_paint.selected.end());
        std::erase(ids, id);
    }
    ids.push_back(id);
    select(ids, true);
    reveal(id);
}

void CanvasWidget::focusInEvent(QFocusEvent *event)
{
    m_paint.focused = true;
    QWidget::focusInEvent(event);
    update();
}

void CanvasWidget::focusOutEvent(QFocusEvent *event)
{
    m_paint.focused = false;
    m_space = false;
    QWidget::focusOutEvent(event);
    update();
}

void CanvasWidget::contextMenuEvent(QContextMenuEvent *event)
{
    int node = m_scene.node(m_paint.current), edge = m_paint.selectedEdge;
    QPoint where = event->globalPos();
    if (event->reason() == QContextMenuEvent::Mouse) {
        QPointF const point = toScene(event->pos());
        node = nodeAt(m_scene, point);
        edge = node >= 0 ? -1 : edgeAt(m_scene, point, reach(kEdgeReach));
    } else if (node >= 0) {
        where = mapToGlobal(toWidget(m_scene.nodes[u(node)].rect.center()).toPoint());
    }
    emit menuRequested(where, node, edge);
}

void CanvasWidget::dragEnterEvent(QDragEnterEvent *event)
{
    if (event->mimeData()->hasFormat(QString::fromLatin1(kLayerMime))) event->acceptProposedAction();
}

void CanvasWidget::dragMoveEvent(QDragMoveEvent *event)
{
    if (!event->mimeData()->hasFormat(QString::fromLatin1(kLayerMime))) return;
    QPointF const point = toScene(event->position());
    m_paint.target = nodeAt(m_scene, point);
    m_paint.targetRefused = false;
    m_paint.dropEdge = m_paint.target >= 0 ? -1 : edgeAt(m_scene, point, reach(kDropReach));
    update();
    event->acceptProposedAction();
}

void CanvasWidget::dragLeaveEvent(QDragLeaveEvent *) { stopGesture(); }

void CanvasWidget::dropEvent(QDropEvent *event)
{
    QString const format = QString::fromLatin1(kLayerMime);
    if (!event->mimeData()->hasFormat(format)) return;
    QString const className = QString::fromUtf8(event->mimeData()->data(format));
    QPointF const point = toScene(event->position());
    int const node = nodeAt(m_scene, point), edge = node >= 0 ? -1 : edgeAt(m_scene, point, reach(kDropReach));
    stopGesture();
    event->acceptProposedAction();
    emit layerDropped(className, edge, node);
}

} // namespace tilewright::views

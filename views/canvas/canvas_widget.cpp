#include "views/canvas/canvas_widget.h"
#include "views/canvas/canvas_metrics.h"
#include "views/canvas/minimap.h"

#include "views/common/figure_parts.h"
#include "views/common/theme.h"
#include "views/common/key_help.h"

#include <QAccessible>
#include <QAccessibleEvent>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QPaintEngine>
#include <QPainter>
#include <QToolTip>

#include <algorithm>

namespace tilewright::views {

namespace {

constexpr double kMargin = 5 * kGrid; ///< around the drawing when all of it is shown
constexpr double kEdgeReach = 7;      ///< pixels

} // namespace

CanvasWidget::CanvasWidget(QWidget *parent) : QWidget(parent), m_minimap(new CanvasMinimap(this))
{
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setAcceptDrops(true);
    setMinimumSize(30 * kGrid, 16 * kGrid);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    setAccessibleName(tr("Model canvas"));
    describe();
    setKeyHelp(*this,
               {tr("arrows\twalk along connections (Shift: extend)"), tr("1, 0, F\toriginal size, everything, selection"),
                tr("Tab\tadd a layer by typing"), tr("F2\trename"), tr("Del, Backspace\tremove"), tr("Ctrl+D, Ctrl+G\tduplicate, group"),
                tr("Space+drag, middle button\tmove the sheet"), tr("Ctrl+wheel, +, -\tzoom")});
}

CanvasWidget::~CanvasWidget() = default;

void CanvasWidget::setScene(CanvasScene scene)
{
    // What a gesture has hold of is a node of the scene before.
    if (m_gesture == Gesture::Press || m_gesture == Gesture::Move || m_gesture == Gesture::Pull) stopGesture();
    m_scene = std::move(scene);
    m_drawing.invalidate();
    std::erase_if(m_paint.selected, [this](std::string const &id) { return m_scene.node(id) < 0; });
    if (m_scene.node(m_paint.current) < 0) m_paint.current.clear();
    m_paint.hovered = m_paint.target = m_paint.dropEdge = m_paint.selectedEdge = -1;
    if (!m_fitted && !m_scene.nodes.empty() && width() > 0 && isVisible()) firstLook();
    if (m_scene.nodes.empty()) m_fitted = false;
    else if (m_fitted && isVisible()
             && std::ranges::none_of(m_scene.nodes, [seen = visibleScene()](auto const &node) { return seen.intersects(node.rect); }))
        firstLook(); // what it looked at is gone
    asksInFigures(*this, m_scene.bounds.adjusted(-kMargin, -kMargin, kMargin, kMargin).size().toSize());
    refreshMinimap();
    describe();
    update();
}

void CanvasWidget::setOverlay(Overlay overlay)
{
    m_overlay = std::move(overlay);
    m_drawing.invalidate();
    update();
}

void CanvasWidget::select(std::vector<std::string> const &ids, bool byPerson)
{
    m_paint.selected = {ids.begin(), ids.end()};
    m_paint.current = ids.empty() ? std::string() : ids.back();
    m_paint.selectedEdge = -1;
    describe();
    update();
    if (byPerson) emit selectionChanged();
}

std::vector<std::string> CanvasWidget::selectedLayers() const
{
    std::vector<std::string> layers;
    for (auto const &layer : m_scene.graph.layers) {
        int const node = m_scene.nodeOf(layer.name);
        if (node >= 0 && m_paint.selected.contains(m_scene.nodes[static_cast<std::size_t>(node)].id)) layers.push_back(layer.name);
    }
    return layers;
}

void CanvasWidget::setLit(std::set<std::string> layers)
{
    m_paint.lit = std::move(layers);
    update();
}

void CanvasWidget::setZoom(double zoom, QPointF const &anchor)
{
    m_untouched = false;
    QPointF const fixed = toScene(anchor);
    m_paint.zoom = std::clamp(zoom, canvas::kLeastZoom, canvas::kMostZoom);
    m_origin = snapped(fixed - anchor / m_paint.zoom);
    refreshMinimap();
    update();
    emit viewportChanged();
}

void CanvasWidget::zoomToFit(QRectF const &area)
{
    if (area.isEmpty() || width() <= 0 || height() <= 0) return;
    QRectF const padded = area.adjusted(-kMargin, -kMargin, kMargin, kMargin);
    // Small models are not blown up: 100 % is large enough.
    double const fit = std::min({width() / padded.width(), height() / padded.height(), 1.0});
    m_paint.zoom = std::clamp(fit, canvas::kLeastZoom, canvas::kMostZoom);
    m_fitted = true;
    centreOn(area.center());
}

void CanvasWidget::fitAll() { zoomToFit(m_scene.bounds); }

void CanvasWidget::firstLook()
{
    fitAll();
    m_untouched = true;
    if (isInFigure(*this)) return;                                              // a figure cannot be scrolled
    if (m_paint.zoom >= canvas::kReadableZoom || m_scene.nodes.empty()) return; // the minimap is the overview
    m_paint.zoom = canvas::kReadableZoom;
    QPointF centre = m_scene.bounds.center();
    QSizeF const seen = QSizeF(size()) / m_paint.zoom;
    if (m_scene.leftToRight) centre.setX(std::min(centre.x(), m_scene.bounds.left() - kMargin + seen.width() / 2));
    else centre.setY(std::min(centre.y(), m_scene.bounds.top() - kMargin + seen.height() / 2));
    centreOn(centre);
    m_untouched = true;
}

void CanvasWidget::fitSelection()
{
    QRectF area;
    for (auto const &id : m_paint.selected)
        if (int const node = m_scene.node(id); node >= 0) area = area.united(m_scene.nodes[static_cast<std::size_t>(node)].rect);
    zoomToFit(area.isEmpty() ? m_scene.bounds : area);
}

void CanvasWidget::actualSize() { setZoom(1, QPointF(width() / 2.0, height() / 2.0)); }

void CanvasWidget::reveal(std::string const &id)
{
    int const node = m_scene.node(id);
    if (node < 0) return;
    revealRect(m_scene.nodes[static_cast<std::size_t>(node)].rect);
}

void CanvasWidget::bringUp(std::vector<std::string> const &ids)
{
    QRectF all;
    for (auto const &id : ids)
        if (int const node = m_scene.node(id); node >= 0) all = all.united(m_scene.nodes[static_cast<std::size_t>(node)].rect);
    if (all.isEmpty()) return;
    if (m_paint.zoom >= canvas::kReadableZoom) return revealAll(ids);
    m_paint.zoom = canvas::kReadableZoom;
    centreOn(all.center());
}

void CanvasWidget::revealAll(std::vector<std::string> const &ids)
{
    QRectF all;
    for (auto const &id : ids)
        if (int const node = m_scene.node(id); node >= 0) all = all.united(m_scene.nodes[static_cast<std::size_t>(node)].rect);
    QRectF const seen = visibleScene();
    if (!ids.empty() && all.width() <= seen.width() && all.height() <= seen.height()) revealRect(all);
    else if (!ids.empty()) reveal(ids.back());
}

void CanvasWidget::selectAll()
{
    std::vector<std::string> ids;
    for (auto const &node : m_scene.nodes) ids.push_back(node.id);
    select(ids, true);
}

void CanvasWidget::revealRect(QRectF const &rect)
{
    QRectF const seen = visibleScene();
    if (seen.contains(rect)) return;
    QPointF shift;
    double const margin = kMargin / m_paint.zoom;
    if (rect.left() < seen.left()) shift.setX(rect.left() - margin - seen.left());
    else if (rect.right() > seen.right()) shift.setX(std::min(rect.right() + margin - seen.right(), rect.left() - margin - seen.left()));
    if (rect.top() < seen.top()) shift.setY(rect.top() - margin - seen.top());
    else if (rect.bottom() > seen.bottom()) shift.setY(std::min(rect.bottom() + margin - seen.bottom(), rect.top() - margin - seen.top()));
    scrollBy(-shift * m_paint.zoom);
}

QRectF CanvasWidget::visibleScene() const { return {m_origin, QSizeF(size()) / m_paint.zoom}; }

void CanvasWidget::centreOn(QPointF const &point)
{
    m_untouched = false;
    m_origin = snapped(point - QPointF(width(), height()) / (2 * m_paint.zoom));
    refreshMinimap();
    update();
    emit viewportChanged();
}

void CanvasWidget::scrollBy(QPointF const &pixels)
{
    m_untouched = false;
    QPointF origin = m_origin - pixels / m_paint.zoom;
    // Some of the drawing stays in sight.
    QSizeF const seen = QSizeF(size()) / m_paint.zoom;
    QRectF const &all = m_scene.bounds;
    origin.setX(std::clamp(origin.x(), std::min(all.left() - seen.width() * 0.8, m_origin.x()),
                           std::max(all.right() - seen.width() * 0.2, m_origin.x())));
    origin.setY(std::clamp(origin.y(), std::min(all.top() - seen.height() * 0.8, m_origin.y()),
                           std::max(all.bottom() - seen.height() * 0.2, m_origin.y())));
    m_origin = snapped(origin);
    m_minimap->isVisible() ? m_minimap->update() : refreshMinimap();
    update();
    emit viewportChanged();
}

void CanvasWidget::refreshMinimap() { m_minimap->refresh(); }

void CanvasWidget::paintEvent(QPaintEvent *)
{
    if (!m_fitted && !m_scene.nodes.empty()) firstLook(); // the scene came while the canvas had no size
    QPainter painter(this);
    double const ratio = devicePixelRatioF();
    if (painter.paintEngine()->type() == QPaintEngine::Raster && painter.deviceTransform().m11() == ratio) {
        painter.drawPixmap(QPoint(), m_drawing.picture(size(), ratio, m_origin, m_scene, m_overlay, m_paint));
    } else { // exported, as vectors or at another scale
        painter.fillRect(rect(), theme()[Token::Window]);
        m_paint.visible = visibleScene();
        painter.save();
        painter.scale(m_paint.zoom, m_paint.zoom);
        painter.translate(-m_origin);
        paintScene(painter, m_scene, m_overlay, m_paint);
        painter.restore();
    }
    painter.setRenderHint(QPainter::Antialiasing);
    if (m_scene.nodes.empty()) {
        painter.setPen(theme()[Token::SecondaryText]);
        painter.drawText(rect().adjusted(kGap, kGap, -kGap, -kGap), Qt::AlignCenter | Qt::TextWordWrap,
                         tr("No layers yet. Type “input 28 28” below, or drag one here from the list of layers."));
    }
    if (height() > 40 * kGrid) paintLegend(painter, QRectF(rect()).adjusted(kGap, kGap, -kGap, -kGap), m_overlay);
    if (hasFocus() && m_paint.selected.empty()) { // else the halo of what is selected says it
        painter.setRenderHint(QPainter::Antialiasing, false);
        painter.setPen(theme()[Token::Accent]);
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(rect().adjusted(0, 0, -1, -1));
    }
}

void CanvasWidget::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    if ((!m_fitted || m_untouched || isInFigure(*this)) && !m_scene.nodes.empty()) firstLook();
    refreshMinimap();
}

void CanvasWidget::changeEvent(QEvent *event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::StyleChange || event->type() == QEvent::FontChange) {
        m_drawing.invalidate();
        refreshMinimap();
    }
}

QString CanvasWidget::tipAt(QPointF const &at) const
{
    QPointF const point = toScene(at);
    if (int const badge = badgeAt(m_scene, point); badge >= 0)
        return m_scene.nodes[static_cast<std::size_t>(badge)].problemText + u'\n' + tr("Click for what can be done.");
    if (int const node = nodeAt(m_scene, point); node >= 0) {
        auto const &each = m_scene.nodes[static_cast<std::size_t>(node)];
        QString text = each.exact;
        if (each.rows.size() == 1 && m_overlay.kind != OverlayKind::None) {
            auto const value = m_overlay.values.find(m_scene.graph.layers[static_cast<std::size_t>(each.rows.front())].name);
            text += u'\n' + m_overlay.title + QStringLiteral(": ")
                + (value == m_overlay.values.end() ? tr("not known") : m_overlay.textOf(value->second));
        }
        if (!each.problemText.isEmpty()) text += QStringLiteral("\n\n") + each.problemText;
        return text;
    }
    if (int const edge = edgeAt(m_scene, point, reach(kEdgeReach)); edge >= 0) {
        auto const &each = m_scene.edges[static_cast<std::size_t>(edge)];
        auto const &from = m_scene.graph.layers[static_cast<std::size_t>(m_scene.graph.row(each.edges.front().from))];
        QString text = tr("%1 → %2").arg(QString::fromStdString(each.edges.front().from), QString::fromStdString(each.edges.front().to));
        if (each.edges.size() > 1) text = tr("%n connection(s)", nullptr, static_cast<int>(each.edges.size()));
        text += u'\n' + exactShape(from);
        if (each.backward) text += u'\n' + tr("This connection closes a cycle.");
        return text;
    }
    return {};
}

bool CanvasWidget::event(QEvent *event)
{
    if (event->type() == QEvent::ToolTip) {
        auto const *help = static_cast<QHelpEvent *>(event);
        QString const text = tipAt(help->pos());
        if (text.isEmpty()) QToolTip::hideText();
        else QToolTip::showText(help->globalPos(), text, this);
        return true;
    }
    if (event->type() == QEvent::KeyPress) { // Tab would leave the canvas before keyPressEvent sees it
        auto *key = static_cast<QKeyEvent *>(event);
        if (key->key() == Qt::Key_Tab && !(key->modifiers() & (Qt::ControlModifier | Qt::AltModifier))) {
            emit commandRequested(CanvasCommand::Add);
            return true;
        }
    }
    if (event->type() == QEvent::ShortcutOverride) { // the canvas's own keys come before the window's
        auto *key = static_cast<QKeyEvent *>(event);
        bool const clipboard = key->matches(QKeySequence::Copy) || key->matches(QKeySequence::Cut) || key->matches(QKeySequence::Paste)
            || key->matches(QKeySequence::SelectAll);
        bool const letters = key->modifiers() == Qt::ControlModifier && (key->key() == Qt::Key_D || key->key() == Qt::Key_G);
        bool const plain = key->modifiers() == Qt::NoModifier
            && (key->key() == Qt::Key_Delete || key->key() == Qt::Key_F2 || key->key() == Qt::Key_F || key->key() == Qt::Key_0
                || key->key() == Qt::Key_1 || key->key() == Qt::Key_Space);
        if (clipboard || letters || plain) {
            event->accept();
            return true;
        }
    }
    return QWidget::event(event);
}

void CanvasWidget::describe()
{
    QString text;
    if (int const node = m_scene.node(m_paint.current); node >= 0) {
        auto const &each = m_scene.nodes[static_cast<std::size_t>(node)];
        text = each.exact;
        if (!each.problemText.isEmpty()) text += u'\n' + each.problemText;
        if (m_paint.selected.size() > 1) text += u'\n' + tr("%n node(s) selected", nullptr, static_cast<int>(m_paint.selected.size()));
    } else {
        text =
            tr("%n layer(s). Arrow keys walk along connections, Tab adds a layer.", nullptr, static_cast<int>(m_scene.graph.layers.size()));
    }
    if (text == accessibleDescription()) return;
    setAccessibleDescription(text);
    QAccessibleEvent change(this, QAccessible::DescriptionChanged);
    QAccessible::updateAccessibility(&change);
}

} // namespace tilewright::views

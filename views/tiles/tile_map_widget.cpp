#include "views/tiles/tile_map_widget.h"

#include "views/tiles/tile_image.h"
#include "views/common/key_help.h"

#include <QApplication>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>
#include <iterator>

namespace tilewright::views {

namespace {
constexpr double kZoomStep = 1.25, kMostZoom = 16;
}

TileMapWidget::TileMapWidget(QWidget *parent) : QWidget(parent)
{
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    setAccessibleName(tr("Floor plan of the tiles"));
    setAttribute(Qt::WA_OpaquePaintEvent);
    setKeyHelp(*this,
               {tr("arrows\tnext tile (Shift: add it)"), tr("+, -\tzoom"), tr("Enter\topen the tile's addresses"),
                tr("Esc\tclear the selection")});
}

int TileMapWidget::titleHeight() { return QFontMetrics(uiFont(TextSize::Caption)).height() + kGrid / 2; }

void TileMapWidget::setFloor(TileFloor floor)
{
    m_floor = std::move(floor);
    m_hits = FloorHits(m_floor);
    m_values.clear();
    m_marked.clear();
    m_flags.clear();
    m_hover = m_current = -1;
    updateGeometry();
    place();
}

void TileMapWidget::setValues(std::vector<std::int64_t> values, TileScale const &scale)
{
    m_values = std::move(values);
    m_scale = scale;
    m_stale = true;
    update();
}

void TileMapWidget::setMarked(std::vector<int> const &tiles)
{
    if (tiles == m_marked) return;
    m_marked = tiles;
    m_flags.assign(tiles.empty() ? 0 : static_cast<std::size_t>(m_floor.tiles()), 0);
    for (int const tile : tiles)
        if (tile >= 0 && tile < m_floor.tiles()) m_flags[static_cast<std::size_t>(tile)] = 1;
    if (tiles.size() == 1) setCurrentTile(tiles.front());
    m_stale = true;
    update();
}

void TileMapWidget::setCurrentTile(int tile, bool chosen)
{
    m_chosenTile = chosen;
    m_current = tile >= 0 && tile < m_floor.tiles() ? tile : -1;
    if (m_current >= 0 && m_tip) setAccessibleDescription(m_tip(m_current));
    update();
}

int TileMapWidget::tileAt(QPoint position) const
{
    auto const ratio = devicePixelRatioF();
    return m_hits.tileAt(m_floor, m_geometry, QPoint(static_cast<int>(position.x() * ratio), static_cast<int>(position.y() * ratio)));
}

QRect TileMapWidget::rectOf(int tile) const
{
    auto const ratio = devicePixelRatioF();
    QRect const cell = m_geometry.cellOf(m_floor, tile);
    return QRectF(cell.x() / ratio, cell.y() / ratio, cell.width() / ratio, cell.height() / ratio).toAlignedRect();
}

bool TileMapWidget::hasNumbersInTiles() const
{
    if (m_floor.tiles() == 0) return false;
    QFontMetrics const metrics(uiFont(TextSize::Caption));
    QSize const cell = rectOf(0).size();
    return cell.width() >= metrics.horizontalAdvance(QString::number(m_floor.tiles() - 1)) + kGrid && cell.height() > metrics.height();
}

std::vector<TileMapWidget::EdgeNumber> TileMapWidget::edgeNumbers() const
{
    std::vector<EdgeNumber> numbers;
    if (m_floor.ipus != 1 || hasNumbersInTiles()) return numbers;
    struct Ends {
        int top = -1, bottom = -1;
    };
    std::vector<Ends> columns(static_cast<std::size_t>(m_floor.columns));
    auto const rowOf = [&](int tile) { return m_floor.cells[static_cast<std::size_t>(tile)].y(); };
    for (int tile = 0; tile < m_floor.tilesPerIpu; ++tile) {
        auto &ends = columns[static_cast<std::size_t>(m_floor.cells[static_cast<std::size_t>(tile)].x())];
        if (ends.top < 0 || rowOf(tile) < rowOf(ends.top)) ends.top = tile;
        if (ends.bottom < 0 || rowOf(tile) > rowOf(ends.bottom)) ends.bottom = tile;
    }
    QFontMetrics const metrics(uiFont(TextSize::Caption));
    int free = 0;
    for (auto const &ends : columns) {
        if (ends.top < 0) continue;
        QRect const upper = rectOf(ends.top), lower = rectOf(ends.bottom);
        int const wide =
            std::max(metrics.horizontalAdvance(QString::number(ends.top)), metrics.horizontalAdvance(QString::number(ends.bottom))) + 1;
        int const left = std::clamp(upper.center().x() - wide / 2, 0, std::max(0, width() - wide));
        if (left < free) continue;
        numbers.push_back({QRect(left, upper.top() - titleHeight(), wide, titleHeight()), ends.top});
        if (ends.bottom != ends.top) numbers.push_back({QRect(left, lower.bottom() + 1, wide, titleHeight()), ends.bottom});
        free = left + wide + 2 * kGap;
    }
    return numbers;
}

int TileMapWidget::leastWidth(int height) const
{
    auto const ratio = devicePixelRatioF();
    return static_cast<int>(
        std::ceil(leastFloorWidth(m_floor, static_cast<int>(height * ratio), static_cast<int>(titleHeight() * ratio)) / ratio));
}

QSize TileMapWidget::sizeHint() const { return minimumSizeHint() * 2; }
QSize TileMapWidget::minimumSizeHint() const
{
    auto const ratio = devicePixelRatioF();
    auto const least = leastFloorSize(m_floor, titleHeight());
    int const numbers = m_floor.ipus == 1 ? 2 * titleHeight() : 0;
    return {static_cast<int>(std::ceil(least.width() / ratio)), static_cast<int>(std::ceil(least.height() / ratio)) + numbers};
}

FloorGeometry TileMapWidget::geometryIn(TileFloor const &floor, QSize pixels, double ratio)
{
    int const title = static_cast<int>(titleHeight() * ratio);
    int const numbers = floor.ipus == 1 ? title : 0; // above and below a die that is alone
    auto geometry = placeFloor(floor, pixels - QSize(0, 2 * numbers), title, ratio);
    geometry.origin += QPoint(0, numbers);
    return geometry;
}

QSize TileMapWidget::cellIn(TileFloor const &floor, QSize map, double ratio) { return geometryIn(floor, map * ratio, ratio).cell; }

void TileMapWidget::place()
{
    auto const ratio = devicePixelRatioF();
    QSize const pixels(static_cast<int>(width() * ratio), static_cast<int>(height() * ratio));
    m_geometry = geometryIn(m_floor, pixels, ratio);
    if (m_image.size() != pixels) {
        m_image = QImage(pixels, QImage::Format_RGB32);
        m_image.setDevicePixelRatio(ratio);
    }
    m_stale = true;
    update();
}

void TileMapWidget::render()
{
    m_stale = false;
    m_image.fill(theme()[Token::Window]);
    paintTiles(m_image, m_floor, m_geometry, m_values, m_scale, theme(), m_flags);
    auto const ratio = devicePixelRatioF();
    QPainter painter(&m_image);
    painter.setFont(uiFont(TextSize::Caption));
    painter.setPen(theme()[Token::SecondaryText]);
    for (auto const &number : edgeNumbers()) painter.drawText(number.place, Qt::AlignCenter, QString::number(number.tile));
    if (hasNumbersInTiles()) {
        ScaleColors const colors(m_scale, theme());
        for (int tile = 0; tile < m_floor.tiles(); ++tile) {
            auto const at = static_cast<std::size_t>(tile);
            painter.setPen(at < m_values.size() ? textOn(QColor(colors(m_values[at]))) : theme()[Token::SecondaryText]);
            painter.drawText(rectOf(tile), Qt::AlignCenter, QString::number(tile));
        }
        painter.setPen(theme()[Token::SecondaryText]);
    }
    if (m_geometry.titleHeight == 0) return;
    for (int ipu = 0; ipu < m_floor.ipus; ++ipu) {
        auto const panel = m_geometry.panelOf(m_floor, ipu);
        QRectF const line(panel.x() / ratio, (panel.y() - m_geometry.titleHeight) / ratio, panel.width() / ratio,
                          m_geometry.titleHeight / ratio);
        painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter,
                         painter.fontMetrics().elidedText(tr("IPU %1").arg(ipu), Qt::ElideRight, static_cast<int>(line.width())));
    }
}

void TileMapWidget::paintEvent(QPaintEvent *)
{
    if (m_image.isNull() || std::abs(m_image.devicePixelRatio() - devicePixelRatioF()) > 1e-6) place();
    if (m_stale) render();
    QPainter painter(this);
    painter.drawImage(0, 0, m_image);
    auto const &colors = theme();
    if (m_hover >= 0) {
        // The same tile of the other IPUs, faintly: replicas and stages often repeat by index.
        painter.setBrush(Qt::NoBrush);
        for (int ipu = 0; ipu < m_floor.ipus && m_floor.ipus > 1; ++ipu) {
            painter.setPen(QPen(colors[Token::SecondaryText], 1));
            painter.drawRect(rectOf(ipu * m_floor.tilesPerIpu + m_floor.indexOf(m_hover)).adjusted(-1, -1, 0, 0));
        }
        painter.setPen(QPen(colors[Token::Text], 2));
        painter.drawRect(rectOf(m_hover).adjusted(-1, -1, 0, 0));
    }
    if (m_current >= 0) {
        // A ring of the ground under one of the accent: it is seen on the darkest blue and the lightest yellow.
        QRect const around = rectOf(m_current).adjusted(-2, -2, 1, 1);
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(colors[Token::Panel], 4, Qt::SolidLine, Qt::SquareCap, Qt::MiterJoin));
        painter.drawRect(around);
        painter.setPen(QPen(colors[m_chosenTile ? Token::Accent : Token::Text], 2, Qt::SolidLine, Qt::SquareCap, Qt::MiterJoin));
        painter.drawRect(around);
        if (hasFocus()) {
            painter.setPen(QPen(colors[Token::Text], 1, Qt::DotLine));
            painter.drawRect(around.adjusted(-3, -3, 3, 3));
        }
    }
    if (!m_brush.isEmpty()) {
        QColor fill = colors[Token::Accent];
        fill.setAlpha(48);
        painter.setPen(colors[Token::Accent]);
        painter.setBrush(fill);
        painter.drawRect(m_brush);
    }
}

void TileMapWidget::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    place();
}

void TileMapWidget::hover(int tile)
{
    if (tile == m_hover) return;
    m_hover = tile;
    update();
    emit hovered(tile);
}

void TileMapWidget::mouseMoveEvent(QMouseEvent *event)
{
    QPoint const at = event->position().toPoint();
    hover(tileAt(at));
    if (!m_pressed || !(event->buttons() & Qt::LeftButton)) return;
    if (m_brush.isEmpty() && (at - *m_pressed).manhattanLength() < QApplication::startDragDistance()) return;
    m_brush = QRect(*m_pressed, at).normalized();
    update();
}

void TileMapWidget::mousePressEvent(QMouseEvent *event)
{
    if (event->button() != Qt::LeftButton) return QWidget::mousePressEvent(event);
    m_pressed = event->position().toPoint();
    m_brush = {};
}

void TileMapWidget::mouseReleaseEvent(QMouseEvent *event)
{
    if (event->button() != Qt::LeftButton || !m_pressed) return QWidget::mouseReleaseEvent(event);
    QPoint const from = *m_pressed;
    m_pressed.reset();
    if (!m_brush.isEmpty()) {
        auto const ratio = devicePixelRatioF();
        QRect const pixels(QPoint(static_cast<int>(m_brush.left() * ratio), static_cast<int>(m_brush.top() * ratio)),
                           QPoint(static_cast<int>(m_brush.right() * ratio), static_cast<int>(m_brush.bottom() * ratio)));
        m_brush = {};
        update();
        if (auto const tiles = m_hits.tilesIn(m_floor, m_geometry, pixels); !tiles.empty()) emit picked(tiles, event->modifiers());
        return;
    }
    int const tile = tileAt(from);
    if (tile < 0) {
        if (event->modifiers() == Qt::NoModifier && !m_marked.empty()) emit picked({}, Qt::NoModifier); // beside all tiles: none
        return;
    }
    emit picked({tile}, event->modifiers());
    setCurrentTile(tile); // after the pick: Shift ranges start from the one before
}

void TileMapWidget::mouseDoubleClickEvent(QMouseEvent *event)
{
    if (int const tile = tileAt(event->position().toPoint()); tile >= 0) emit activated(tile);
}

void TileMapWidget::leaveEvent(QEvent *event)
{
    QWidget::leaveEvent(event);
    hover(-1);
}

void TileMapWidget::zoom(double factor)
{
    m_zoom = std::clamp(m_zoom * factor, 1.0, kMostZoom);
    QSize const given = parentWidget() ? parentWidget()->size() : size();
    setMinimumSize(m_zoom > 1 ? given * m_zoom : QSize(0, 0)); // the scroll area does the rest
}

void TileMapWidget::wheelEvent(QWheelEvent *event)
{
    if (!(event->modifiers() & Qt::ControlModifier)) return event->ignore();
    zoom(std::pow(kZoomStep, event->angleDelta().y() / 120.0));
    event->accept();
}

void TileMapWidget::step(int columns, int rows, Qt::KeyboardModifiers modifiers)
{
    if (m_floor.tiles() == 0) return;
    int next = 0;
    if (m_current >= 0) {
        // Over the die; past its edge nothing happens. Holes are stepped over.
        auto const cell = m_floor.cells[static_cast<std::size_t>(m_floor.indexOf(m_current))];
        next = -1;
        for (int far = 1; next < 0; ++far) {
            int const column = cell.x() + far * columns, row = cell.y() + far * rows;
            if (column < 0 || row < 0 || column >= m_floor.columns || row >= m_floor.rows) return;
            if (int const index = m_hits.indexAt(m_floor, column, row); index >= 0)
                next = m_floor.ipuOf(m_current) * m_floor.tilesPerIpu + index;
        }
    }
    emit picked({next}, modifiers & ~Qt::KeypadModifier);
    setCurrentTile(next);
}

void TileMapWidget::keyPressEvent(QKeyEvent *event)
{
    switch (event->key()) {
    case Qt::Key_Left: return step(-1, 0, event->modifiers());
    case Qt::Key_Right: return step(1, 0, event->modifiers());
    case Qt::Key_Up: return step(0, -1, event->modifiers());
    case Qt::Key_Down: return step(0, 1, event->modifiers());
    case Qt::Key_Plus: return zoom(kZoomStep);
    case Qt::Key_Minus: return zoom(1 / kZoomStep);
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (m_current >= 0) return emit activated(m_current);
        break;
    case Qt::Key_Escape:
        if (!m_marked.empty()) return emit picked({}, Qt::NoModifier);
        break;
    default: break;
    }
    QWidget::keyPressEvent(event);
}

void TileMapWidget::changeEvent(QEvent *event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange) place();
}

bool TileMapWidget::event(QEvent *event)
{
    if (event->type() == QEvent::ToolTip && m_tip) {
        auto const *help = static_cast<QHelpEvent *>(event);
        int const tile = tileAt(help->pos());
        if (tile >= 0) QToolTip::showText(help->globalPos(), m_tip(tile), this, rectOf(tile));
        else QToolTip::hideText();
        return true;
    }
    return QWidget::event(event);
}

std::vector<int> combineTiles(std::vector<int> const &before, std::vector<int> const &picked, Qt::KeyboardModifiers modifiers, int anchor)
{
    std::vector<int> sorted = picked, result;
    if ((modifiers & Qt::ShiftModifier) && picked.size() == 1 && anchor >= 0) {
        sorted.clear();
        for (int t = std::min(anchor, picked.front()); t <= std::max(anchor, picked.front()); ++t) sorted.push_back(t);
    }
    std::sort(sorted.begin(), sorted.end());
    if (modifiers & Qt::ControlModifier)
        std::set_symmetric_difference(before.begin(), before.end(), sorted.begin(), sorted.end(), std::back_inserter(result));
    else if (modifiers & Qt::ShiftModifier)
        std::set_union(before.begin(), before.end(), sorted.begin(), sorted.end(), std::back_inserter(result));
    else result = sorted;
    return result;
}

} // namespace tilewright::views

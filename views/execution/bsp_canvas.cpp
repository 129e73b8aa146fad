#include "views/execution/bsp_canvas.h"

#include "views/time/lanes_painter.h"

#include "views/common/format.h"
#include "views/common/theme.h"

#include <QKeyEvent>
#include <QPainter>

#include <cmath>

namespace tilewright::views {

namespace {

constexpr int kGutter = 76;
constexpr double kMostPixelsPerRow = 240;

} // namespace

BspCanvas::BspCanvas(TimeWindow &window, QWidget *parent) : TimeCanvas(window, parent)
{
    setGutter(kGutter);
    setAccessibleName(tr("Tiles over time"));
    connect(this, &TimeCanvas::scrolled, this, [this] {
        m_rows.top = scroll() * m_rows.perPixel;
        update();
    });
}

void BspCanvas::setTiles(BspTimeline bsp, std::vector<int> tileOfRow, QString const &ipuName)
{
    bool const sameCount = bsp.rows() == m_bsp.rows();
    m_bsp = std::move(bsp);
    m_tileOfRow = std::move(tileOfRow);
    m_ipu = ipuName;
    m_current = -1;
    m_highlight.clear();
    m_image = {};
    if (!sameCount) m_allRows = true;
    fitRows();
    setAccessibleDescription(tr("%1: %Ln tiles in rows, phases of time in columns", nullptr, m_bsp.rows()).arg(m_ipu));
    update();
}

void BspCanvas::setTimeline(BspTimeline bsp)
{
    m_bsp = std::move(bsp);
    m_image = {};
    update();
}

void BspCanvas::setHighlightTiles(std::vector<int> tiles)
{
    m_highlight.assign(m_tileOfRow.size(), 0);
    for (std::size_t row = 0; row < m_tileOfRow.size(); ++row) m_highlight[row] = std::ranges::find(tiles, m_tileOfRow[row]) != tiles.end();
    update();
}

void BspCanvas::setSteps(std::shared_ptr<LaneTimeline const> starts, std::function<QString(std::int64_t time)> name)
{
    m_steps = std::move(starts);
    m_stepName = std::move(name);
    update();
}

void BspCanvas::setHighlightTypes(std::vector<char> types)
{
    m_types = std::move(types);
    update();
}

/// Phases of the selection, marked at both edges of the tiles so that their colours stay unchanged.
void BspCanvas::drawMarkedPhases(QPainter &painter, QRect const &plot) const
{
    if (m_types.empty() || !m_bsp.events) return;
    QColor const accent = theme()[Token::Accent];
    QColor ground = accent;
    ground.setAlphaF(0.12F);
    for (auto const &box : m_bsp.events->boxes(ColumnGrid(axis()))) {
        if (box.type < 0 || box.type >= static_cast<int>(m_types.size()) || !m_types[static_cast<std::size_t>(box.type)]) continue;
        QRect const phase(plot.left() + box.x0, plot.top(), std::max(1, box.x1 - box.x0), plot.height());
        painter.fillRect(phase, ground);
        painter.fillRect(QRect(phase.left(), phase.top(), phase.width(), 3), accent);
        painter.fillRect(QRect(phase.left(), phase.bottom() - 2, phase.width(), 3), accent);
    }
}

int BspCanvas::contentHeight() const { return m_allRows ? height() : static_cast<int>(std::ceil(m_bsp.rows() / m_rows.perPixel)); }

void BspCanvas::fitRows()
{
    if (!m_allRows || height() <= 0) return;
    m_rows = {0, std::max(1, m_bsp.rows()) / static_cast<double>(std::max(1, height()))};
    setScroll(0);
    emit scrolled();
}

void BspCanvas::resizeEvent(QResizeEvent *event)
{
    fitRows();
    TimeCanvas::resizeEvent(event);
}

void BspCanvas::changeEvent(QEvent *event)
{
    TimeCanvas::changeEvent(event);
    if (event->type() == QEvent::PaletteChange) m_image = {};
}

void BspCanvas::zoomRows(double anchorY, double factor)
{
    double const whole = std::max(1, m_bsp.rows()) / static_cast<double>(std::max(1, height()));
    double const row = m_rows.top + anchorY * m_rows.perPixel;
    m_rows.perPixel = std::clamp(m_rows.perPixel * factor, std::min(whole, 1 / kMostPixelsPerRow), whole);
    m_allRows = m_rows.perPixel >= whole * 0.999;
    if (m_allRows) return fitRows();
    int const scrollTo = static_cast<int>(std::lround((row - anchorY * m_rows.perPixel) / m_rows.perPixel));
    setScroll(scrollTo);
    m_rows.top = scroll() * m_rows.perPixel;
    emit scrolled();
    update();
}

void BspCanvas::verticalZoom(QPoint const &where, double factor) { zoomRows(where.y(), factor); }

QStringList BspCanvas::keyHelp() const
{
    return QStringList{tr("Up, Down\tscroll tiles"), tr("Shift+Up, Shift+Down\tzoom tiles in, out"),
                       tr("Ctrl+Shift+wheel\tzoom tiles at the pointer"), tr(", .\tprevious, next phase")}
    + TimeCanvas::keyHelp();
}

int BspCanvas::rowAt(int y) const
{
    int const row = static_cast<int>(m_rows.top + y * m_rows.perPixel);
    return row >= 0 && row < m_bsp.rows() ? row : -1;
}

void BspCanvas::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.fillRect(rect(), theme()[Token::Panel]);
    QRect const plot = plotRect();
    if (plot.width() > 1 && plot.height() > 1 && m_bsp.rows() > 0) {
        if (m_image.isNull() || m_imageAxis != axis() || m_imageRows != m_rows || m_image.height() != plot.height()) {
            paintBsp(m_bsp, ColumnGrid(axis()), m_rows, plot.height(), m_pool, m_image);
            m_imageAxis = axis();
            m_imageRows = m_rows;
        }
        painter.drawImage(plot.topLeft(), m_image);
        drawMarkedPhases(painter, plot);
        m_texts.setFont(uiFont(TextSize::Caption));
        if (m_steps) {
            auto const starts = shownStarts(*m_steps, ColumnGrid(axis()));
            paintStarts(painter, starts, plot);
            if (m_stepName)
                paintStartNames(painter, *m_steps, starts, m_stepName, plot.adjusted(0, plot.height() - startNamesHeight(m_texts), 0, 0),
                                m_texts);
        }
    }
    painter.fillRect(QRect(0, 0, gutter(), height()), theme()[Token::Window]);
    painter.setFont(uiFont(TextSize::Caption));
    QFontMetrics const metrics(painter.font());
    // Tile numbers at round distances.
    int const step = std::max(1, static_cast<int>(std::ceil((metrics.height() + kGap) * m_rows.perPixel)));
    for (int row = static_cast<int>(m_rows.top) / step * step; row < m_bsp.rows(); row += step) {
        double const y = (row - m_rows.top) / m_rows.perPixel;
        if (y < 0) continue;
        if (y + metrics.height() > height()) break;
        painter.setPen(theme()[Token::Border]);
        painter.drawLine(QLineF(gutter() - 5, y, gutter(), y));
        painter.setPen(theme()[Token::Text]);
        painter.drawText(QRectF(kGrid, y, gutter() - kGap - kGrid, metrics.height()), Qt::AlignRight | Qt::AlignTop,
                         tr("tile %1").arg(m_tileOfRow[static_cast<std::size_t>(row)]));
    }
    QColor const accent = theme()[Token::Accent];
    for (std::size_t row = 0; row < m_highlight.size(); ++row) {
        if (!m_highlight[row]) continue;
        double const y = (static_cast<double>(row) - m_rows.top) / m_rows.perPixel, h = std::max(2.0, 1 / m_rows.perPixel);
        if (y + h < 0 || y > height()) continue;
        painter.fillRect(QRectF(gutter() - 4, y, 4, h), accent);
        if (h < 4) continue;
        painter.setPen(accent);
        painter.drawLine(QLineF(gutter(), y, width(), y));
        painter.drawLine(QLineF(gutter(), y + h, width(), y + h));
    }
    if (m_current >= 0 && m_current < m_bsp.events->size()) {
        TimeSpan const span = m_bsp.events->span(m_current);
        double const x0 = gutter() + std::max(-5.0, axis().toPixel(span.begin)),
                     x1 = gutter() + std::min(axis().width + 5.0, axis().toPixel(span.end));
        painter.setClipRect(plot);
        painter.setPen(QPen(accent, 1.5));
        painter.drawRect(QRectF(x0, 0.5, std::max(1.0, x1 - x0), height() - 1.0));
        painter.setClipping(false);
    }
    painter.setPen(theme()[Token::Border]);
    painter.drawLine(gutter() - 1, 0, gutter() - 1, height());
    drawOverlay(painter);
}

QString BspCanvas::tipAt(QPoint const &where) const
{
    int const row = rowAt(where.y());
    if (row < 0 || !m_bsp.events || m_bsp.events->size() == 0) return {};
    int const tile = m_tileOfRow[static_cast<std::size_t>(row)];
    if (where.x() < gutter()) return tr("tile %1").arg(tile);
    std::int64_t const event = m_bsp.events->eventAt(timeAt(where));
    return event < 0 || !m_describe ? tr("tile %1: idle").arg(tile) : m_describe(event, tile);
}

std::optional<TimeSpan> BspCanvas::spanAt(QPoint const &where) const
{
    std::int64_t const event = m_bsp.events ? m_bsp.events->eventAt(timeAt(where)) : -1;
    if (event < 0) return std::nullopt;
    return m_bsp.events->span(event);
}

std::optional<TimeSpan> BspCanvas::focusSpan() const
{
    if (m_current < 0) return std::nullopt;
    return m_bsp.events->span(m_current);
}

void BspCanvas::clicked(QPoint const &where, Qt::KeyboardModifiers)
{
    int const row = rowAt(where.y());
    if (row < 0 || !m_bsp.events) return;
    m_current = m_bsp.events->eventAt(timeAt(where));
    update();
    emit eventPicked(m_current);
    emit tilePicked(m_tileOfRow[static_cast<std::size_t>(row)]);
}

void BspCanvas::clearSelection()
{
    m_current = -1;
    m_highlight.clear();
    update();
    emit eventPicked(-1);
}

bool BspCanvas::handleKey(QKeyEvent *event)
{
    if (event->modifiers() & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier) || !m_bsp.events || m_bsp.events->size() == 0)
        return false;
    bool const shift = event->modifiers().testFlag(Qt::ShiftModifier);
    switch (event->key()) {
    case Qt::Key_Up: shift ? zoomRows(height() / 2.0, 1 / 1.5) : setScroll(scroll() - 40); return true;
    case Qt::Key_Down: shift ? zoomRows(height() / 2.0, 1.5) : setScroll(scroll() + 40); return true;
    case Qt::Key_Comma:
    case Qt::Key_Period: {
        std::int64_t const last = m_bsp.events->size() - 1;
        m_current = m_current < 0 ? std::min(last, m_bsp.events->firstNotEnded(window().visible().begin))
                                  : std::clamp<std::int64_t>(m_current + (event->key() == Qt::Key_Comma ? -1 : 1), 0, last);
        TimeSpan const span = m_bsp.events->span(m_current), visible = window().visible();
        if (span.end <= visible.begin || span.begin >= visible.end)
            window().show({span.begin - visible.length() / 2, span.begin - visible.length() / 2 + visible.length()}, true);
        update();
        emit eventPicked(m_current);
        return true;
    }
    default: return false;
    }
}

} // namespace tilewright::views

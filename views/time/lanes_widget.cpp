#include "views/time/lanes_widget.h"

#include "views/common/figure_parts.h"
#include "views/common/frame_pool.h"

#include <QAccessible>
#include <QContextMenuEvent>
#include <QKeyEvent>
#include <QLocale>
#include <QMenu>
#include <QPainter>

#include <cmath>

namespace tilewright::views {

namespace {

constexpr int kBorderNearness = 3;
constexpr int kIndent = 10;
constexpr int kLeastGutter = 56, kLargestGutter = 220;

std::size_t at(int index) { return static_cast<std::size_t>(index); }

} // namespace

LanesWidget::LanesWidget(TimeWindow &window, QWidget *parent) : TimeCanvas(window, parent)
{
    setAccessibleName(tr("Lanes of events over time"));
    setAccessibleDescription(tr("No event selected. Comma and period step through events, question mark lists all keys."));
}

void LanesWidget::setLanes(LaneSet set)
{
    m_set = std::move(set);
    m_layout.setLanes(m_set);
    m_current = {};
    m_lane = m_layout.rows().empty() ? 0 : m_layout.rows().front().lane;
    invalidate();
    fitGutter();
    relayout();
}

void LanesWidget::invalidate()
{
    ++m_generation;
    m_bands.clear();
    m_colors = bandColors(m_set, m_highlight);
    update();
}

void LanesWidget::setHighlight(std::vector<char> types)
{
    if (types == m_highlight) return;
    m_highlight = std::move(types);
    invalidate();
}

void LanesWidget::changeEvent(QEvent *event)
{
    TimeCanvas::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange) {
        fitGutter();
        invalidate();
    }
}

void LanesWidget::resizeEvent(QResizeEvent *event)
{
    fitGutter();
    if (m_sized < 0) m_layout.stretch(height() - namesHeight());
    TimeCanvas::resizeEvent(event);
    sayWhatIsBelow();
}

void LanesWidget::fitGutter()
{
    QFontMetrics const metrics(uiFont(TextSize::Caption));
    int widest = 0;
    for (int lane = 0; lane < static_cast<int>(m_set.lanes.size()); ++lane)
        widest = std::max(widest, metrics.horizontalAdvance(m_set.lanes[at(lane)].name) + m_set.depth(lane) * kIndent);
    setGutter(std::clamp(widest + kIconSize + 2 * kGrid, kLeastGutter, std::max(kLeastGutter, std::min(kLargestGutter, width() / 4))));
}

void LanesWidget::relayout()
{
    // What is folded or hidden leaves its room to the others; while a border is dragged nothing else moves.
    if (m_sized < 0) m_layout.stretch(height() - namesHeight());
    setScroll(scroll());
    update();
    emit scrolled();
    sayWhatIsBelow();
}

int LanesWidget::namesHeight() const
{
    if (!m_set.gridLines || !m_set.gridLabel) return 0;
    m_texts.setFont(uiFont(TextSize::Caption));
    return startNamesHeight(m_texts);
}

/// A figure has no scroll bar: it is as high as its lanes, or says how many have no room.
void LanesWidget::sayWhatIsBelow()
{
    int below = 0;
    for (auto const &row : m_layout.rows())
        if (!row.pinned && LanesLayout::top(row, scroll(), m_layout.pinnedHeight()) + row.height > height() - namesHeight() + 1) ++below;
    asksInFigures(*this, QSize(width(), std::max(height(), contentHeight())));
    saysInFigures(*this, below > 0 ? tr("%Ln more lane(s)", nullptr, below) : QString());
}

QStringList LanesWidget::keyHelp() const
{
    return QStringList{tr(", .\tprevious, next event in the lane"),
                       tr("[ ]\tprevious, next of the same name"),
                       tr("Up, Down\tother lane"),
                       tr("Space\tfold or unfold"),
                       tr("P, H\tpin, hide lane (Shift+H: show all)"),
                       tr("drag a lane's border\tits height")}
    + TimeCanvas::keyHelp();
}

LaneBox LanesWidget::boxAt(QPoint const &where, int *lane) const
{
    auto const *row = where.y() < height() - namesHeight() ? m_layout.rowAt(where.y(), scroll()) : nullptr;
    if (lane) *lane = row ? row->lane : -1;
    if (!row || where.x() < gutter()) return {0, 0, 0, 0, 0, 0};
    auto const it = m_bands.find(row->lane);
    if (it == m_bands.end() || it->second.axis != axis() || it->second.generation != m_generation) return {0, 0, 0, 0, 0, 0};
    int const x = where.x() - gutter();
    auto const &boxes = it->second.boxes;
    auto const after = std::ranges::upper_bound(boxes, x, {}, &LaneBox::x0);
    if (after == boxes.begin()) return {0, 0, 0, 0, 0, 0};
    auto const &box = *std::prev(after);
    return x < box.x1 ? box : LaneBox{0, 0, 0, 0, 0, 0};
}

QString LanesWidget::tipAt(QPoint const &where) const
{
    int lane = -1;
    LaneBox const box = boxAt(where, &lane);
    if (lane < 0) return {};
    if (where.x() < gutter())
        return m_set.path(lane) + (m_set.lanes[at(lane)].tip.isEmpty() ? QString() : QStringLiteral("\n") + m_set.lanes[at(lane)].tip);
    if (box.count == 0) return {};
    auto const &source = m_set.lanes[at(lane)];
    QString tip;
    if (source.chart) {
        auto const text = [&](QString const &name, SeriesStat const &stat) {
            return stat.count == 0
                ? QString()
                : tr("%1: mean %2, at most %3 %4")
                        .arg(name, QLocale().toString(stat.mean(), 'g', 4), QLocale().toString(stat.max, 'g', 4), source.chart->unit)
                    + QLatin1Char('\n');
        };
        tip = text(source.chart->upName, source.chart->up.stat(box.first, box.first + box.count))
            + text(source.chart->downName, source.chart->down.stat(box.first, box.first + box.count));
    }
    if (box.count > 1)
        tip += tr("%Ln events here; the longest:", nullptr, static_cast<int>(std::min<std::int64_t>(box.count, 2000000000)))
            + QLatin1Char('\n');
    if (m_set.tip) return tip + m_set.tip(lane, box.event);
    return tip + m_set.labelOf(lane, box.event) + QLatin1Char('\n')
        + durationText(source.events->span(box.event).length(), window().scale());
}

std::optional<TimeSpan> LanesWidget::spanAt(QPoint const &where) const
{
    int lane = -1;
    LaneBox const box = boxAt(where, &lane);
    if (box.count == 0) return std::nullopt;
    auto const &events = *m_set.lanes[at(lane)].events;
    // Merged events split by zooming: their whole stretch, which is wider on the next frame.
    return TimeSpan{events.span(box.first).begin, events.span(box.first + box.count - 1).end};
}

std::optional<TimeSpan> LanesWidget::focusSpan() const
{
    if (m_current.lane < 0) return std::nullopt;
    return m_set.lanes[at(m_current.lane)].events->span(m_current.event);
}

std::optional<std::int64_t> LanesWidget::snap(QPoint const &where, int pixels) const
{
    auto const *row = m_layout.rowAt(where.y(), scroll());
    if (!row || !m_set.lanes[at(row->lane)].events) return std::nullopt;
    auto const &events = *m_set.lanes[at(row->lane)].events;
    TimeAxis const axis = this->axis();
    double const x = where.x() - gutter();
    std::optional<std::int64_t> best;
    double distance = pixels;
    std::int64_t const near = events.firstNotEnded(axis.toTime(x));
    for (std::int64_t event = std::max<std::int64_t>(0, near - 1); event <= near + 1 && event < events.size(); ++event) {
        TimeSpan const span = events.span(event);
        for (std::int64_t const border : {span.begin, span.end})
            if (double const d = std::abs(axis.toPixel(border) - x); d <= distance) {
                distance = d;
                best = border;
            }
    }
    return best;
}

void LanesWidget::clicked(QPoint const &where, Qt::KeyboardModifiers)
{
    int lane = -1;
    LaneBox const box = boxAt(where, &lane);
    if (lane >= 0) m_lane = lane;
    pick(box.count > 0 ? Picked{lane, box.event} : Picked{});
}

void LanesWidget::pick(Picked picked)
{
    if (picked == m_current) return;
    m_current = picked;
    if (picked.lane >= 0) m_lane = picked.lane;
    QString const text = picked.lane < 0
        ? tr("No event selected")
        : tr("%1: %2, %3")
              .arg(m_set.path(picked.lane), m_set.labelOf(picked.lane, picked.event),
                   durationText(m_set.lanes[at(picked.lane)].events->span(picked.event).length(), window().scale()));
    setAccessibleDescription(text);
    QAccessibleEvent changed(this, QAccessible::DescriptionChanged);
    QAccessible::updateAccessibility(&changed);
    update();
    emit eventPicked(picked.lane, picked.event);
}

void LanesWidget::setCurrent(Picked current, bool show)
{
    m_current = current;
    if (current.lane >= 0) m_lane = current.lane;
    if (show && current.lane >= 0) reveal(current);
    update();
}

void LanesWidget::reveal(Picked const &picked)
{
    TimeSpan const span = m_set.lanes[at(picked.lane)].events->span(picked.event), visible = window().visible();
    if (span.end <= visible.begin || span.begin >= visible.end
        || (span.begin < visible.begin && span.end < visible.begin + visible.length() / 10)) {
        std::int64_t const begin = span.begin - visible.length() / 2;
        window().show({begin, begin + visible.length()}, true);
    }
    if (auto const *row = m_layout.rowOf(picked.lane); row && !row->pinned) {
        int const room = height() - namesHeight() - m_layout.pinnedHeight();
        if (row->y < scroll()) setScroll(row->y);
        else if (row->y + row->height > scroll() + room) setScroll(row->y + row->height - room);
    }
}

void LanesWidget::stepLane(int direction)
{
    auto const &rows = m_layout.rows();
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (rows[i].lane != m_lane) continue;
        std::size_t const next =
            std::clamp<std::ptrdiff_t>(static_cast<std::ptrdiff_t>(i) + direction, 0, static_cast<std::ptrdiff_t>(rows.size()) - 1);
        m_lane = rows[next].lane;
        auto const &events = m_set.lanes[at(m_lane)].events;
        if (m_current.lane >= 0 && events && events->size() > 0) {
            std::int64_t const time = m_set.lanes[at(m_current.lane)].events->span(m_current.event).begin;
            pick({m_lane, std::min(events->firstNotEnded(time), events->size() - 1)});
            reveal(m_current);
        }
        update();
        return;
    }
}

bool LanesWidget::handleKey(QKeyEvent *event)
{
    if (event->modifiers() & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier)) return false;
    if (m_set.lanes.empty()) return false;
    auto const step = [&](std::int64_t to) {
        if (to < 0) return;
        pick({m_lane, to});
        reveal(m_current);
    };
    auto const &events = m_set.lanes[at(m_lane)].events;
    bool const here = m_current.lane == m_lane;
    std::int64_t const first = events && !here ? std::min(events->firstNotEnded(window().visible().begin), events->size() - 1) : -1;
    switch (event->key()) {
    case Qt::Key_Comma:
        if (events) step(here ? m_current.event - 1 : first);
        return true;
    case Qt::Key_Period:
        if (events) step(!here ? first : m_current.event + 1 < events->size() ? m_current.event + 1 : -1);
        return true;
    case Qt::Key_BracketLeft:
        if (events) step(here ? events->sameType(m_current.event, -1) : first);
        return true;
    case Qt::Key_BracketRight:
        if (events) step(here ? events->sameType(m_current.event, 1) : first);
        return true;
    case Qt::Key_Up: stepLane(-1); return true;
    case Qt::Key_Down: stepLane(1); return true;
    case Qt::Key_P:
        m_layout.togglePinned(m_lane);
        relayout();
        return true;
    case Qt::Key_H:
        if (event->modifiers().testFlag(Qt::ShiftModifier)) {
            m_layout.showAll();
        } else {
            int const lane = m_lane;
            stepLane(1);
            if (m_lane == lane) stepLane(-1);
            m_layout.hide(lane);
        }
        relayout();
        return true;
    case Qt::Key_Space:
        if (m_set.hasChildren(m_lane)) m_layout.toggleCollapsed(m_lane);
        relayout();
        return true;
    default: return false;
    }
}

bool LanesWidget::gutterPress(QPoint const &where)
{
    if (auto const *row = m_layout.borderAt(where.y(), scroll(), kBorderNearness)) {
        m_sized = row->lane;
        return true;
    }
    m_sized = -1;
    if (auto const *row = m_layout.rowAt(where.y(), scroll())) {
        m_lane = row->lane;
        if (m_set.hasChildren(m_lane) && where.x() < kGrid + m_set.depth(m_lane) * kIndent + kIconSize) {
            m_layout.toggleCollapsed(m_lane);
            relayout();
        }
        update();
    }
    return false;
}

void LanesWidget::gutterMove(QPoint const &where)
{
    auto const *row = m_sized >= 0 ? m_layout.rowOf(m_sized) : nullptr;
    if (!row) return;
    m_layout.setHeight(m_sized, where.y() - LanesLayout::top(*row, scroll(), m_layout.pinnedHeight()));
    relayout();
}

Qt::CursorShape LanesWidget::gutterCursor(QPoint const &where) const
{
    return m_layout.borderAt(where.y(), scroll(), kBorderNearness) ? Qt::SplitVCursor : Qt::ArrowCursor;
}

void LanesWidget::verticalZoom(QPoint const &, double factor)
{
    for (int lane = 0; lane < static_cast<int>(m_set.lanes.size()); ++lane)
        if (auto const *row = m_layout.rowOf(lane)) m_layout.setHeight(lane, static_cast<int>(std::lround(row->height / factor)));
    relayout();
}

void LanesWidget::contextMenuEvent(QContextMenuEvent *event)
{
    int lane = m_lane;
    if (auto const *row = m_layout.rowAt(event->pos().y(), scroll())) lane = row->lane;
    if (m_set.lanes.empty()) return;
    auto *menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    auto const focus = spanAt(event->pos());
    auto *fit = menu->addAction(tr("Fit what is here"), this, [this, focus] {
        if (focus) window().show(*focus);
    });
    fit->setEnabled(focus.has_value());
    auto *range = menu->addAction(tr("Statistics for this range"), this, [this, focus] {
        if (focus) window().setSelection(focus);
    });
    range->setEnabled(focus.has_value());
    menu->addSeparator();
    menu->addAction(m_layout.isPinned(lane) ? tr("Unpin lane") : tr("Pin lane"), this, [this, lane] {
        m_layout.togglePinned(lane);
        relayout();
    });
    menu->addAction(tr("Hide lane"), this, [this, lane] {
        m_layout.hide(lane);
        relayout();
    });
    auto *all = menu->addAction(tr("Show all lanes"), this, [this] {
        m_layout.showAll();
        relayout();
    });
    all->setEnabled(m_layout.hiddenLanes() > 0);
    menu->addSeparator();
    menu->addAction(tr("Zoom back"), this, [this] { window().back(); })->setEnabled(window().canGoBack());
    menu->addAction(tr("Show all time"), this, [this] { window().fit(); });
    menu->popup(event->globalPos());
}

} // namespace tilewright::views

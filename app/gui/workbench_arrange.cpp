#include "app/gui/workbench.h"

#include "app/gui/console_strip.h"
#include "app/gui/mode_bar.h"
#include "views/common/calm_style.h"
#include "views/common/theme.h"

#include <QApplication>
#include <QDockWidget>
#include <QMainWindow>
#include <QResizeEvent>
#include <QTabBar>
#include <QTimer>

#include <algorithm>

// Arrangement of the views in each mode.
namespace tilewright::app {

using namespace views;

namespace {

/// Increase when saved arrangements no longer fit.
constexpr int kVersion = 4;
/// Below this width the panels of both sides become one column of tabs.
constexpr int kNarrow = 1100;
constexpr int kSideWidth = 250, kRightWidth = 300, kNarrowSide = 210;
/// Insights are sentences: they get a quarter of the window, up to the length of a comfortable line.
constexpr int kInsightsShare = 4, kMostInsightsWidth = 520;
constexpr double kLargeType = 1.35;

QString text(QByteArray const &bytes) { return QString::fromLatin1(bytes.toBase64()); }
QByteArray bytes(QJsonValue const &value) { return QByteArray::fromBase64(value.toString().toLatin1()); }

Qt::DockWidgetArea areaOf(Place place)
{
    switch (place) {
    case Place::Right: return Qt::RightDockWidgetArea;
    case Place::Bottom: return Qt::BottomDockWidgetArea;
    case Place::Left:
    case Place::Centre: break;
    }
    return Qt::LeftDockWidgetArea;
}

} // namespace

QMainWindow &Workbench::windowOf(Place place) const { return place == Place::Centre ? *m_centre : *m_sides; }

bool Workbench::wantsCompact() const { return width() < kNarrow; }
QString Workbench::slot() const { return m_mode + (m_compact ? QStringLiteral("/narrow") : QStringLiteral("/wide")); }

QDockWidget *Workbench::neighbour(Pane const &pane) const
{
    QDockWidget *found = nullptr;
    for (auto const &other : m_panes) {
        if (&other == &pane || !other.inMode || other.place != pane.place || other.dock->isFloating()) continue;
        if (!found || !other.dock->visibleRegion().isEmpty()) found = other.dock; // prefer the one in front
    }
    return found;
}

/// Into the window and area of a place, as a tab beside the docks there.
void Workbench::put(Pane &pane, Place place)
{
    pane.place = place;
    auto &window = windowOf(place);
    auto *beside = neighbour(pane);
    pane.dock->setParent(&window);
    if (beside) {
        window.addDockWidget(window.dockWidgetArea(beside), pane.dock);
        window.tabifyDockWidget(beside, pane.dock);
    } else {
        window.addDockWidget(areaOf(place), pane.dock);
    }
    updateTitleBar(pane);
}

/// Dock windows restore, tab and show all their child docks, so a dock that is in no mode must have no parent.
void Workbench::takeOut(Pane &pane)
{
    if (pane.dock->isFloating()) pane.dock->setFloating(false);
    for (auto *window : {m_sides, m_centre})
        if (pane.dock->parentWidget() == window) window->removeDockWidget(pane.dock);
    pane.dock->setParent(m_store);
    pane.dock->hide();
    pane.inMode = false;
}

void Workbench::takeOut()
{
    for (auto &pane : m_panes) takeOut(pane);
}

void Workbench::arrange()
{
    m_arranging = true;
    setUpdatesEnabled(false);
    m_compact = wantsCompact();
    auto const *mode = findMode(m_mode);
    m_strip->setVisible(!mode->largeType);
    takeOut();
    auto const kept = m_kept.find(slot());
    if (kept == m_kept.end() || !restoreArrangement(kept->second)) {
        takeOut();
        arrangeAfresh();
    }
    m_arranged = true;
    styleTabs();
    setUpdatesEnabled(true);
    m_arranging = false;
    m_strip->setOpen(isPanelOpen());
    m_bar->setMode(m_mode);
    // Visible views are known only after layout.
    QTimer::singleShot(0, this, [this] {
        makeVisibleViews();
        styleTabs();
    });
    m_snapshot->start();
    emit viewsChanged();
}

void Workbench::arrangeAfresh()
{
    auto const &mode = *findMode(m_mode);
    auto const place = [&](QStringList const &ids, Place where) {
        for (auto const &id : ids)
            if (auto *pane = find(id); pane && !pane->inMode) {
                put(*pane, where);
                pane->inMode = true;
                pane->dock->show();
            }
    };
    place(mode.centre, Place::Centre);
    if (m_compact) {
        place(mode.left + mode.right, Place::Left); // one column of tabs
    } else {
        place(mode.left, Place::Left);
        // The panels of the left are stacked, so that all are visible at once.
        if (mode.left.size() > 1) {
            m_sides->removeDockWidget(find(mode.left[1])->dock);
            m_sides->addDockWidget(Qt::LeftDockWidgetArea, find(mode.left[1])->dock);
            find(mode.left[1])->dock->show();
        }
        place(mode.right, Place::Right);
    }
    for (auto const &id : bottomViews())
        if (auto *pane = find(id); pane && !pane->inMode && !mode.largeType) {
            put(*pane, Place::Bottom);
            pane->inMode = true;
            pane->dock->hide(); // until it is opened
        }
    m_panelHeight = 0;
    m_leftShare = kLeftShare;
    for (auto const *ids : {&mode.centre, &mode.left, &mode.right})
        if (!ids->isEmpty()) find(ids->front())->dock->raise();
    if (m_compact && !mode.left.isEmpty()) find(mode.left.front())->dock->raise();
    sizePanels();
    QTimer::singleShot(0, this, &Workbench::sizePanels); // after the window has its size
}

QList<QDockWidget *> Workbench::shown(Place place) const
{
    QList<QDockWidget *> docks;
    for (auto const &pane : m_panes)
        if (pane.inMode && pane.place == place && !pane.dock->isHidden() && !pane.dock->isFloating()) docks << pane.dock;
    return docks;
}

QList<QDockWidget *> Workbench::stackedLeft() const
{
    auto left = shown(Place::Left);
    if (left.size() != 2 || m_compact) return {};
    if (left[0]->y() > left[1]->y()) left.swapItemsAt(0, 1);
    bool const tabsOrBeside = left[0]->x() != left[1]->x() || left[0]->y() == left[1]->y();
    return tabsOrBeside ? QList<QDockWidget *>() : left;
}

/// Without this, a dock window that shrinks takes all of it from one dock.
void Workbench::shareLeft()
{
    auto const left = stackedLeft();
    if (left.isEmpty()) return;
    int const all = left[0]->height() + left[1]->height(), upper = static_cast<int>(m_leftShare * all);
    m_sides->resizeDocks(left, {upper, all - upper}, Qt::Vertical);
}

void Workbench::sizePanels()
{
    auto const left = shown(Place::Left), right = shown(Place::Right);
    int const narrow = std::clamp(width() / 4, kNarrowSide, kSideWidth);
    if (!left.isEmpty()) m_sides->resizeDocks({left.front()}, {m_compact ? narrow : kSideWidth}, Qt::Horizontal);
    bool const sentences = findMode(m_mode)->right.contains(QStringLiteral("insights"));
    int const wide = sentences ? std::clamp(width() / kInsightsShare, kRightWidth, kMostInsightsWidth) : kRightWidth;
    if (!right.isEmpty()) m_sides->resizeDocks({right.front()}, {wide}, Qt::Horizontal);
    shareLeft();
}

QJsonObject Workbench::arrangement() const
{
    QJsonObject places;
    for (auto const &pane : m_panes)
        if (pane.inMode) places.insert(QLatin1String(pane.descriptor.id), placeName(pane.place));
    return {{QStringLiteral("version"), kVersion},
            {QStringLiteral("places"), places},
            {QStringLiteral("panel"), m_panelHeight},
            {QStringLiteral("left"), m_leftShare},
            {QStringLiteral("sides"), text(m_sides->saveState(kVersion))},
            {QStringLiteral("centre"), text(m_centre->saveState(kVersion))}};
}

bool Workbench::restoreArrangement(QJsonObject const &saved)
{
    if (saved.value(QStringLiteral("version")).toInt() != kVersion) return false;
    auto const places = saved.value(QStringLiteral("places")).toObject();
    bool middle = false;
    for (auto &pane : m_panes) {
        auto const place = places.value(QLatin1String(pane.descriptor.id));
        if (place.isUndefined()) continue;
        put(pane, placeFrom(place.toString(), pane.place));
        pane.inMode = true;
        pane.dock->show();
        middle = middle || pane.place == Place::Centre;
    }
    m_panelHeight = saved.value(QStringLiteral("panel")).toInt();
    m_leftShare = std::clamp(saved.value(QStringLiteral("left")).toDouble(kLeftShare), 0.1, 0.9);
    QTimer::singleShot(0, this, &Workbench::shareLeft); // the window may have another height now
    return middle && m_sides->restoreState(bytes(saved.value(QStringLiteral("sides"))), kVersion)
        && m_centre->restoreState(bytes(saved.value(QStringLiteral("centre"))), kVersion);
}

void Workbench::remember()
{
    if (m_arranged && !m_arranging && isVisible() && m_compact == wantsCompact()) m_kept[slot()] = arrangement();
}

void Workbench::applyTextSize()
{
    double const scale = findMode(m_mode)->largeType ? kLargeType : 1;
    if (scale == textScale()) return;
    setTextScale(scale);
    applyTheme(*qApp, theme().kind);
}

void Workbench::setMode(QString const &id)
{
    if (!findMode(id)) return;
    m_bar->setMode(id);
    if (id == m_mode && m_arranged) return;
    remember();
    m_snapshot->stop();
    m_mode = id;
    applyTextSize();
    if (isVisible() || m_arranged) arrange();
    emit modeChanged(id);
}

void Workbench::resetMode()
{
    m_kept.erase(slot());
    arrange();
}

void Workbench::apply(QString const &mode, QJsonObject const &arrangement)
{
    setMode(mode);
    m_kept[slot()] = arrangement;
    arrange();
}

bool Workbench::isPanelOpen() const
{
    return std::any_of(m_panes.begin(), m_panes.end(), [](Pane const &pane) {
        return pane.inMode && pane.place == Place::Bottom && !pane.dock->isHidden() && !pane.dock->isFloating();
    });
}

void Workbench::setPanelOpen(bool open, QString const &front)
{
    if (!m_arranged) arrange();
    bool const was = isPanelOpen();
    QDockWidget *first = nullptr;
    for (auto &pane : m_panes) {
        if (!pane.inMode || pane.place != Place::Bottom || pane.dock->isFloating()) continue;
        if (!open && !pane.dock->visibleRegion().isEmpty()) m_panelHeight = pane.dock->height();
        if (!first) first = pane.dock;
        pane.dock->setVisible(open);
    }
    if (open) {
        if (auto *pane = front.isEmpty() ? nullptr : find(front); pane && pane->inMode && pane->place == Place::Bottom) first = pane->dock;
        if (first) first->raise();
        if (first && !was) {
            int const tall = m_panelHeight > 0 ? m_panelHeight : std::clamp(height() * 3 / 10, 130, 320);
            auto const size = [this, first, tall] {
                // The mode can have changed in the meantime.
                if (m_sides->dockWidgetArea(first) != Qt::NoDockWidgetArea) m_sides->resizeDocks({first}, {tall}, Qt::Vertical);
            };
            size();
            QTimer::singleShot(0, first, size);
        }
        styleTabs();
    }
    m_strip->setOpen(isPanelOpen());
    m_snapshot->start();
}

void Workbench::styleTabs()
{
    for (auto *window : {m_sides, m_centre})
        for (auto *bar : window->findChildren<QTabBar *>(QString(), Qt::FindDirectChildrenOnly)) {
            bar->setUsesScrollButtons(true);
            bar->setElideMode(Qt::ElideNone);
            bar->setDocumentMode(true);
            bar->setExpanding(false);
            bar->setDrawBase(false);
            bar->setFocusPolicy(Qt::TabFocus);
            bar->removeEventFilter(this);
            bar->installEventFilter(this);
        }
}

void Workbench::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    if (!m_arranged || m_arranging || !isVisible()) return;
    if (wantsCompact() == m_compact) {
        QTimer::singleShot(0, this, &Workbench::shareLeft); // when the docks have their new heights
        return;
    }
    // Keep the dock in front. The old arrangement was saved before the window changed its size.
    m_snapshot->stop();
    QTimer::singleShot(0, this, [this] {
        if (wantsCompact() == m_compact) return;
        QStringList front;
        for (auto const &pane : m_panes)
            if (pane.inMode && pane.place == Place::Centre && !pane.dock->visibleRegion().isEmpty())
                front << QLatin1String(pane.descriptor.id);
        arrange();
        for (auto const &id : front)
            if (auto *pane = find(id); pane->inMode) pane->dock->raise();
    });
}

void Workbench::showEvent(QShowEvent *event)
{
    QWidget::showEvent(event);
    if (!m_arranged || wantsCompact() != m_compact) arrange();
    else QTimer::singleShot(0, this, &Workbench::makeVisibleViews);
}

QJsonObject Workbench::save() const
{
    const_cast<Workbench *>(this)->remember();
    QJsonObject kept, states;
    for (auto const &[name, value] : m_kept) kept.insert(name, value);
    for (auto const &pane : m_panes) {
        QJsonObject const state = pane.view ? pane.view->saveState() : pane.state;
        if (!state.isEmpty()) states.insert(QLatin1String(pane.descriptor.id), state);
    }
    return {{QStringLiteral("mode"), m_mode}, {QStringLiteral("kept"), kept}, {QStringLiteral("views"), states}};
}

void Workbench::restore(QJsonObject const &saved)
{
    auto const kept = saved.value(QStringLiteral("kept")).toObject();
    m_kept.clear();
    for (auto it = kept.begin(); it != kept.end(); ++it) m_kept[it.key()] = it.value().toObject();
    auto const states = saved.value(QStringLiteral("views")).toObject();
    for (auto &pane : m_panes) {
        pane.state = states.value(QLatin1String(pane.descriptor.id)).toObject();
        if (pane.view && !pane.state.isEmpty()) pane.view->restoreState(pane.state);
    }
    setMode(saved.value(QStringLiteral("mode")).toString());
}

} // namespace tilewright::app

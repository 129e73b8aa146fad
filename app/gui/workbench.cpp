#include "app/gui/workbench.h"

#include "app/gui/console_strip.h"
#include "app/gui/dock_title.h"
#include "app/gui/mode_bar.h"
#include "app/view_list.h"
#include "views/common/icons.h"
#include "views/common/theme.h"

#include <QApplication>
#include <QBoxLayout>
#include <QChildEvent>
#include <QDockWidget>
#include <QMainWindow>
#include <QMenu>
#include <QMouseEvent>
#include <QTabBar>
#include <QTimer>

namespace tilewright::app {

using namespace views;

namespace {

Place homeOf(ViewDescriptor const &descriptor)
{
    switch (descriptor.area) {
    case ViewDescriptor::Left: return Place::Left;
    case ViewDescriptor::Right: return Place::Right;
    case ViewDescriptor::Bottom: return Place::Bottom;
    case ViewDescriptor::Centre: break;
    }
    return Place::Centre;
}

/// A dock window as a part of another widget.
QMainWindow *dockWindow(char const *name, QWidget *parent)
{
    auto *window = new QMainWindow(parent);
    window->setWindowFlags(Qt::Widget); // the constructor makes a window of it in any case
    window->setObjectName(QLatin1String(name));
    window->setContextMenuPolicy(Qt::NoContextMenu);
    window->setDockNestingEnabled(true);
    window->setDockOptions(QMainWindow::AnimatedDocks | QMainWindow::AllowNestedDocks | QMainWindow::AllowTabbedDocks);
    window->setTabPosition(Qt::AllDockWidgetAreas, QTabWidget::North);
    return window;
}

/// What of a view takes the keyboard: what it says, else the largest of what can.
QWidget *keyboardOf(View &view)
{
    if (view.focusProxy()) return view.focusProxy();
    QWidget *best = nullptr;
    for (auto *child : view.findChildren<QWidget *>()) {
        if (!(child->focusPolicy() & Qt::TabFocus) || !child->isEnabled() || child->visibleRegion().isEmpty()) continue;
        if (!best || child->width() * child->height() > best->width() * best->height()) best = child;
    }
    return best;
}

constexpr int kTries = 20;

/// Gives a view the keyboard once the layout has shown it. A view that says what takes it gets it there, wherever in it it was.
void takeKeyboard(View &view, int tries)
{
    if (!view.isVisible() && tries > 0) {
        QTimer::singleShot(10, &view, [&view, tries] { takeKeyboard(view, tries - 1); });
        return;
    }
    if (!view.focusProxy() && view.isAncestorOf(QApplication::focusWidget())) return;
    if (auto *target = keyboardOf(view)) target->setFocus(Qt::ShortcutFocusReason);
}

} // namespace

Workbench::Workbench(Session &session, QWidget *parent) : QWidget(parent), m_session(session), m_snapshot(new QTimer(this))
{
    m_bar = new ModeBar(this);
    m_strip = new ConsoleStrip(session, this);
    m_sides = dockWindow("sides", this);
    m_centre = dockWindow("centre", m_sides);
    m_sides->setCentralWidget(m_centre);
    m_store = new QWidget(this);
    m_store->hide();
    // Panels below stand between those at the sides: these keep their height, which is what lists need.
    for (auto const corner : {Qt::BottomLeftCorner, Qt::TopLeftCorner}) m_sides->setCorner(corner, Qt::LeftDockWidgetArea);
    for (auto const corner : {Qt::BottomRightCorner, Qt::TopRightCorner}) m_sides->setCorner(corner, Qt::RightDockWidgetArea);
    for (auto *window : {m_sides, m_centre}) window->installEventFilter(this);
    auto *row = new QHBoxLayout;
    row->setSpacing(0);
    row->addWidget(m_bar);
    row->addWidget(m_sides, 1);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(row, 1);
    column->addWidget(m_strip);
    for (auto &descriptor : viewList()) m_panes.push_back({descriptor, nullptr, nullptr, {}, homeOf(descriptor), false});
    for (auto &pane : m_panes) makeDock(pane);
    m_snapshot->setSingleShot(true);
    m_snapshot->setInterval(150);
    connect(m_snapshot, &QTimer::timeout, this, &Workbench::remember);
    connect(m_bar, &ModeBar::modeChosen, this, &Workbench::setMode);
    connect(m_strip, &ConsoleStrip::toggled, this, [this](QString const &front) {
        bool const shown = isPanelOpen();
        auto const *pane = front.isEmpty() ? nullptr : find(front);
        bool const inFront = pane && !pane->dock->visibleRegion().isEmpty();
        // A name brings its view to the front; the arrow, or the name of what is in front, closes.
        setPanelOpen(!shown || (pane && !inFront), front);
    });
    m_bar->setMode(m_mode);
    nameViews();
}

Workbench::~Workbench()
{
    m_snapshot->stop();
    for (auto *window : {m_sides, m_centre}) window->removeEventFilter(this);
    // Views refer to the session: they go first.
    for (auto &pane : m_panes) {
        pane.dock->disconnect(this);
        delete pane.view;
        pane.view = nullptr;
    }
}

QStringList Workbench::viewIds() const
{
    QStringList ids;
    for (auto const &pane : m_panes) ids << QLatin1String(pane.descriptor.id);
    return ids;
}

ViewDescriptor const &Workbench::descriptor(QString const &id) const { return find(id)->descriptor; }

Workbench::Pane *Workbench::find(QString const &id)
{
    for (auto &pane : m_panes)
        if (id == QLatin1String(pane.descriptor.id)) return &pane;
    return nullptr;
}

Workbench::Pane const *Workbench::find(QString const &id) const { return const_cast<Workbench *>(this)->find(id); }

void Workbench::makeDock(Pane &pane)
{
    auto *dock = new QDockWidget(m_store);
    dock->setObjectName(QStringLiteral("dock_") + QLatin1String(pane.descriptor.id));
    dock->setWindowIcon(icon(QLatin1String(pane.descriptor.icon)));
    dock->setAllowedAreas(Qt::AllDockWidgetAreas);
    dock->setAcceptDrops(true); // of files, by the window; one that floats lies in no widget that takes them
    // Views are made when they are first seen: the window is there at once.
    auto *hole = new QWidget(dock);
    hole->setMinimumSize(120, 80);
    dock->setWidget(hole);
    dock->hide();
    pane.dock = dock;
    updateTitleBar(pane);
    QString const id = QLatin1String(pane.descriptor.id);
    connect(dock, &QDockWidget::visibilityChanged, this, [this, id](bool visible) {
        // Not inside the layout's own call: making a view may change sizes.
        if (visible)
            QTimer::singleShot(0, this, [this, id] {
                auto *found = find(id);
                if (!found->view && found->dock->isVisible() && !found->dock->visibleRegion().isEmpty()) makeView(*found);
            });
        if (!m_arranging) m_snapshot->start();
        m_strip->setOpen(isPanelOpen());
    });
    connect(dock, &QDockWidget::topLevelChanged, this, [this, id] {
        updateTitleBar(*find(id));
        if (!m_arranging) m_snapshot->start();
    });
    connect(dock, &QDockWidget::dockLocationChanged, this, [this, id](Qt::DockWidgetArea area) {
        if (m_arranging) return;
        auto &moved = *find(id);
        if (moved.place != Place::Centre) // dragged from one side to another
            moved.place = area == Qt::BottomDockWidgetArea ? Place::Bottom : area == Qt::RightDockWidgetArea ? Place::Right : Place::Left;
        updateTitleBar(moved);
        m_snapshot->start();
    });
}

void Workbench::updateTitleBar(Pane &pane)
{
    // A floating panel has the desktop's title bar to be dragged and closed by.
    if (pane.dock->isFloating()) return pane.dock->setTitleBarWidget(nullptr);
    bool const titled = pane.place == Place::Left && !m_compact;
    if (titled == (qobject_cast<DockTitle *>(pane.dock->titleBarWidget()) != nullptr) && pane.dock->titleBarWidget()) return;
    delete pane.dock->titleBarWidget();
    pane.dock->setTitleBarWidget(titled ? static_cast<QWidget *>(new DockTitle(*pane.dock, QLatin1String(pane.descriptor.icon)))
                                        : new QWidget(pane.dock));
}

View *Workbench::makeView(Pane &pane)
{
    if (pane.view) return pane.view;
    auto *hole = pane.dock->widget();
    pane.view = pane.descriptor.create(m_session, pane.dock);
    pane.view->setWindowTitle(pane.dock->windowTitle());
    pane.dock->setWidget(pane.view);
    delete hole;
    if (!pane.state.isEmpty()) pane.view->restoreState(pane.state);
    return pane.view;
}

void Workbench::makeVisibleViews()
{
    for (auto &pane : m_panes)
        if (!pane.view && pane.dock->isVisible() && !pane.dock->visibleRegion().isEmpty()) makeView(pane);
}

View *Workbench::showView(QString const &id)
{
    auto *pane = find(id);
    if (!pane) return nullptr;
    if (!m_arranged) arrange();
    auto *view = makeView(*pane);
    bool const fresh = !pane->inMode;
    if (fresh) {
        put(*pane, homeOf(pane->descriptor));
        pane->inMode = true;
    }
    if (pane->place == Place::Bottom && !pane->dock->isFloating()) setPanelOpen(true, id);
    pane->dock->show();
    pane->dock->raise();
    styleTabs();
    if (fresh) {
        m_snapshot->start();
        emit viewsChanged();
    }
    return view;
}

void Workbench::activateView(QString const &id)
{
    auto *view = showView(id);
    if (!view) return;
    QTimer::singleShot(0, view, [view] { takeKeyboard(*view, kTries); });
}

void Workbench::hideView(QString const &id)
{
    auto *pane = find(id);
    if (!pane || !pane->inMode) return;
    auto const others = std::count_if(m_panes.begin(), m_panes.end(),
                                      [&](Pane const &each) { return each.inMode && each.place == Place::Centre && &each != pane; });
    if (pane->place == Place::Centre && others == 0) return;
    takeOut(*pane);
    m_snapshot->start();
    emit viewsChanged();
}

void Workbench::moveView(QString const &id, Place place)
{
    auto *pane = find(id);
    if (!pane) return;
    makeView(*pane);
    if (pane->inMode && pane->place == place && !pane->dock->isFloating()) return pane->dock->raise();
    if (pane->inMode) {
        auto const others = std::count_if(m_panes.begin(), m_panes.end(),
                                          [&](Pane const &each) { return each.inMode && each.place == Place::Centre && &each != pane; });
        if (pane->place == Place::Centre && others == 0) return; // the middle is never empty
        takeOut(*pane);
    }
    put(*pane, place);
    pane->inMode = true;
    if (place == Place::Bottom) setPanelOpen(true, id);
    pane->dock->show();
    pane->dock->raise();
    styleTabs();
    m_snapshot->start();
    emit viewsChanged();
}

void Workbench::toggleFloating(QString const &id)
{
    auto *pane = find(id);
    if (!pane || !pane->inMode) return;
    pane->dock->setFloating(!pane->dock->isFloating());
    pane->dock->show();
    styleTabs();
}

bool Workbench::isInMode(QString const &id) const
{
    auto const *pane = find(id);
    return pane && pane->inMode;
}

Place Workbench::placeOf(QString const &id) const { return find(id)->place; }

View *Workbench::currentView() const
{
    for (QWidget *w = QApplication::focusWidget(); w; w = w->parentWidget())
        if (auto *view = qobject_cast<View *>(w); view && !view->visibleRegion().isEmpty()) return view;
    for (auto const &pane : m_panes)
        if (pane.view && pane.inMode && pane.place == Place::Centre && !pane.view->visibleRegion().isEmpty()) return pane.view;
    return nullptr;
}

std::vector<View *> Workbench::madeViews() const
{
    std::vector<View *> made;
    for (auto const &pane : m_panes)
        if (pane.view) made.push_back(pane.view);
    return made;
}

void Workbench::nameViews()
{
    for (auto &pane : m_panes) {
        QString const title = QCoreApplication::translate("views", pane.descriptor.title);
        pane.dock->setWindowTitle(title);
        if (pane.view) pane.view->setWindowTitle(title);
    }
}

bool Workbench::eventFilter(QObject *watched, QEvent *event)
{
    if (event->type() == QEvent::MouseButtonRelease && (watched == m_sides || watched == m_centre)) {
        // A separator was dragged.
        if (isPanelOpen())
            for (auto const &pane : m_panes)
                if (pane.place == Place::Bottom && pane.inMode && !pane.dock->visibleRegion().isEmpty())
                    m_panelHeight = pane.dock->height();
        if (auto const left = stackedLeft(); !left.isEmpty())
            m_leftShare = left[0]->height() / std::max(1.0, static_cast<double>(left[0]->height() + left[1]->height()));
        m_snapshot->start();
    } else if (event->type() == QEvent::ChildPolished && (watched == m_sides || watched == m_centre)) {
        if (qobject_cast<QTabBar *>(static_cast<QChildEvent *>(event)->child())) QTimer::singleShot(0, this, &Workbench::styleTabs);
    } else if (auto *bar = qobject_cast<QTabBar *>(watched)) {
        if (event->type() == QEvent::ContextMenu) {
            showTabMenu(*bar, static_cast<QContextMenuEvent *>(event)->pos());
            return true;
        }
        if (event->type() == QEvent::MouseButtonRelease && static_cast<QMouseEvent *>(event)->button() == Qt::MiddleButton) {
            int const tab = bar->tabAt(static_cast<QMouseEvent *>(event)->pos());
            for (auto const &pane : m_panes)
                if (tab >= 0 && pane.dock->windowTitle() == bar->tabText(tab)) hideView(QLatin1String(pane.descriptor.id));
            return tab >= 0;
        }
    }
    return QWidget::eventFilter(watched, event);
}

void Workbench::showTabMenu(QTabBar &bar, QPoint const &at)
{
    int tab = bar.tabAt(at);
    if (tab < 0) tab = bar.currentIndex();
    QString id;
    for (auto const &pane : m_panes)
        if (tab >= 0 && pane.dock->windowTitle() == bar.tabText(tab)) id = QLatin1String(pane.descriptor.id);
    auto *menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    if (!id.isEmpty()) {
        menu->addAction(tr("Take %1 out of this mode").arg(bar.tabText(tab)), this, [this, id] { hideView(id); });
        menu->addAction(tr("Float"), this, [this, id] { toggleFloating(id); });
        auto *move = menu->addMenu(tr("Move to"));
        std::pair<Place, QString> const places[] = {{Place::Centre, tr("The middle")},
                                                    {Place::Left, tr("The left")},
                                                    {Place::Right, tr("The right")},
                                                    {Place::Bottom, tr("Below")}};
        for (auto const &[place, text] : places)
            move->addAction(text, this, [this, id, place = place] { moveView(id, place); })->setEnabled(placeOf(id) != place);
        menu->addSeparator();
    }
    auto *more = menu->addMenu(tr("Bring into this mode"));
    for (auto const &pane : m_panes)
        if (!pane.inMode)
            more->addAction(icon(QLatin1String(pane.descriptor.icon)), pane.dock->windowTitle(), this,
                            [this, other = QString::fromLatin1(pane.descriptor.id)] { activateView(other); });
    more->setEnabled(!more->isEmpty());
    menu->popup(bar.mapToGlobal(at));
}

} // namespace tilewright::app

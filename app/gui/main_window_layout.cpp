#include "app/gui/main_window.h"

#include "app/gui/settings.h"
#include "app/gui/start_page.h"
#include "views/common/icons.h"

#include <QApplication>
#include <QBoxLayout>
#include <QComboBox>
#include <QDockWidget>
#include <QInputDialog>
#include <QJsonDocument>
#include <QLabel>
#include <QScreen>
#include <QTabBar>
#include <QTimer>
#include <QToolButton>

namespace tilewright::app {

using namespace views;

namespace {

/// Goes up when the set of docks changes so that older saved states no longer fit.
constexpr int kLayoutVersion = 1;

/// A thin title row for docks at the sides; docks in tabs have none, the tab names them.
class DockTitle : public QWidget {
public:
    DockTitle(QDockWidget &dock, QString const &iconName) : QWidget(&dock), m_dock(dock), m_icon(iconName)
    {
        m_picture = new QLabel(this);
        m_text = new QLabel(dock.windowTitle(), this);
        m_text->setFont(uiFont(TextSize::Caption));
        m_text->setProperty("role", "secondary");
        auto *close = new QToolButton(this);
        close->setAutoRaise(true);
        close->setIcon(icon(QStringLiteral("close"), Token::SecondaryText));
        close->setIconSize({12, 12});
        close->setToolTip(QCoreApplication::translate("app", "Hide"));
        close->setAccessibleName(QCoreApplication::translate("app", "Hide %1").arg(dock.windowTitle()));
        auto *row = new QHBoxLayout(this);
        row->setContentsMargins(kGap, 2, 2, 2);
        row->setSpacing(kGrid);
        row->addWidget(m_picture);
        row->addWidget(m_text, 1);
        row->addWidget(close);
        QObject::connect(close, &QToolButton::clicked, &dock, &QDockWidget::close);
        QObject::connect(&dock, &QDockWidget::windowTitleChanged, m_text, &QLabel::setText);
        m_picture->setPixmap(icon(iconName, Token::SecondaryText).pixmap(14));
    }

protected:
    void changeEvent(QEvent *event) override
    {
        if (event->type() == QEvent::PaletteChange) m_picture->setPixmap(icon(m_icon, Token::SecondaryText).pixmap(14));
        QWidget::changeEvent(event);
    }

private:
    QDockWidget &m_dock;
    QString m_icon;
    QLabel *m_picture = nullptr, *m_text = nullptr;
};

struct LayoutPlan {
    std::vector<char const *> left, centre, below, right, bottom; ///< `below`: a second row under the centre
    char const *front = nullptr, *belowFront = nullptr;
};

LayoutPlan planOf(QString const &name)
{
    if (name == QLatin1String("train"))
        return {{}, {"training", "canvas", "execution", "summary", "history"}, {}, {}, {"monitor", "console", "problems", "compile"}, "training", nullptr};
    if (name == QLatin1String("analyse"))
        return {{}, {"execution", "summary", "insights", "operations", "program", "history"}, {"memory", "liveness"}, {"inspector"}, {}, "execution", "memory"};
    if (name == QLatin1String("present"))
        return {{}, {"summary", "training", "canvas", "memory", "liveness", "execution", "insights"}, {}, {}, {}, "summary", nullptr};
    return {{"outline", "palette"},
            {"canvas", "plan", "data", "config", "training", "summary", "insights", "memory", "liveness", "program", "operations", "execution", "history"},
            {},
            {"inspector", "help"},
            {"console", "problems", "monitor", "compile"},
            "canvas",
            nullptr};
}

} // namespace

void MainWindow::makeDocks()
{
    for (auto &entry : m_panes) {
        auto *dock = new QDockWidget(QCoreApplication::translate("views", entry.descriptor.title), this);
        dock->setObjectName(QStringLiteral("dock_") + QLatin1String(entry.descriptor.id));
        dock->setWindowIcon(icon(QLatin1String(entry.descriptor.icon)));
        dock->setAllowedAreas(Qt::AllDockWidgetAreas);
        bool const side = entry.descriptor.area == ViewDescriptor::Left;
        dock->setTitleBarWidget(side ? static_cast<QWidget *>(new DockTitle(*dock, QLatin1String(entry.descriptor.icon))) : new QWidget(dock));
        // Views are made when they are first seen: the window is there at once.
        auto *hole = new QWidget(dock);
        hole->setMinimumSize(120, 80);
        dock->setWidget(hole);
        entry.dock = dock;
        QString const id = QLatin1String(entry.descriptor.id);
        connect(dock, &QDockWidget::visibilityChanged, this, [this, id](bool visible) {
            if (!visible) return;
            // Not inside the layout's own call: making a view may change sizes.
            QTimer::singleShot(0, this, [this, id] {
                auto *found = pane(id);
                if (found && !found->view && found->dock->isVisible() && !found->dock->visibleRegion().isEmpty()) makeView(*found);
            });
        });
        connect(dock, &QDockWidget::topLevelChanged, this, [this, dock, side, name = QString::fromLatin1(entry.descriptor.icon)](bool floating) {
            // A floating dock has the desktop's title bar to be dragged and closed by.
            if (floating) dock->setTitleBarWidget(nullptr);
            else dock->setTitleBarWidget(side ? static_cast<QWidget *>(new DockTitle(*dock, name)) : new QWidget(dock));
        });
        addDockWidget(Qt::LeftDockWidgetArea, dock);
        dock->hide();
    }
}

bool MainWindow::isSmall() const { return width() < 1040 || height() < 720; }

void MainWindow::resizeEvent(QResizeEvent *event)
{
    QMainWindow::resizeEvent(event);
    if (!m_shown) return;
    if (isSmall() == m_compact) {
        QTimer::singleShot(0, this, &MainWindow::restoreSides);
        return;
    }
    m_compact = isSmall();
    QTimer::singleShot(0, this, [this] {
        // What was to be seen stays in front.
        std::vector<QDockWidget *> seen;
        for (auto const &entry : m_panes)
            if (!entry.dock->visibleRegion().isEmpty()) seen.push_back(entry.dock);
        arrange(m_layout);
        for (auto *dock : seen)
            if (!dock->isHidden()) dock->raise();
    });
}

bool MainWindow::event(QEvent *event)
{
    bool const done = QMainWindow::event(event);
    if (event->type() == QEvent::MouseButtonRelease && m_shown) rememberSides(); // a separator may have been dragged
    return done;
}

void MainWindow::rememberSides()
{
    m_sides.clear();
    auto const plan = planOf(m_layout);
    for (auto const *ids : {&plan.left, &plan.right, &plan.bottom})
        for (auto const *id : *ids)
            if (auto *dock = pane(QLatin1String(id))->dock; dock->isVisible() && !dock->isFloating() && !dock->visibleRegion().isEmpty()) m_sides.emplace_back(dock, dock->size());
}

/// Of a window that grows or shrinks the middle takes the difference: nobody makes a window large for an empty console.
void MainWindow::restoreSides()
{
    for (auto const &[dock, size] : m_sides) {
        if (dock->isHidden() || dock->isFloating()) continue;
        bool const below = dockWidgetArea(dock) == Qt::BottomDockWidgetArea;
        resizeDocks({dock}, {below ? std::min(size.height(), height() / 3) : std::min(size.width(), width() / 3)}, below ? Qt::Vertical : Qt::Horizontal);
    }
}

void MainWindow::arrange(QString const &name)
{
    m_compact = isSmall();
    setUpdatesEnabled(false);
    QByteArray const saved = m_safe ? QByteArray() : settings::bytes(QStringLiteral("layouts/") + name);
    m_start->hide();
    if (saved.isEmpty() || !restoreState(saved, kLayoutVersion)) {
        auto plan = planOf(name);
        if (m_compact) { // side panels fold to tabs of one
            plan.left.insert(plan.left.end(), plan.right.begin(), plan.right.end());
            plan.right.clear();
        }
        for (auto &entry : m_panes) {
            entry.dock->setFloating(false);
            removeDockWidget(entry.dock);
        }
        auto const dockOf = [this](char const *id) { return pane(QLatin1String(id))->dock; };
        // Qt splits only what stands alone: first one dock per region, then its tabs.
        auto const firstOf = [&](std::vector<char const *> const &ids) { return ids.empty() ? nullptr : dockOf(ids.front()); };
        auto *left = firstOf(plan.left), *centre = firstOf(plan.centre), *right = firstOf(plan.right), *below = firstOf(plan.below), *bottom = firstOf(plan.bottom);
        auto *leftLow = plan.left.size() > 1 && !m_compact ? dockOf(plan.left[1]) : nullptr;
        addDockWidget(Qt::LeftDockWidgetArea, left ? left : centre);
        if (left) splitDockWidget(left, centre, Qt::Horizontal);
        if (right) splitDockWidget(centre, right, Qt::Horizontal);
        if (below) splitDockWidget(centre, below, Qt::Vertical);
        if (leftLow) splitDockWidget(left, leftLow, Qt::Vertical);
        if (bottom) addDockWidget(Qt::BottomDockWidgetArea, bottom);
        for (auto const *ids : {&plan.centre, &plan.right, &plan.below, &plan.bottom})
            for (std::size_t i = 1; i < ids->size(); ++i) tabifyDockWidget(dockOf((*ids)[i - 1]), dockOf((*ids)[i]));
        if (m_compact)
            for (std::size_t i = 1; i < plan.left.size(); ++i) tabifyDockWidget(dockOf(plan.left[i - 1]), dockOf(plan.left[i]));
        for (auto const *ids : {&plan.left, &plan.centre, &plan.right, &plan.below, &plan.bottom})
            for (auto const *id : *ids) dockOf(id)->show();
        if (plan.front) dockOf(plan.front)->raise();
        if (plan.belowFront) dockOf(plan.belowFront)->raise();
        for (auto const &ids : {plan.left, plan.right, plan.bottom})
            if (!ids.empty()) dockOf(ids.front())->raise();
        // Once the window has its size: side panels keep a width, the plot gets all that is left.
        auto const sizes = [this, left, leftLow, centre, right, below, bottom] {
            int const w = width(), h = height();
            int const side = m_compact ? std::clamp(w / 4, 190, 240) : std::clamp(w / 5, 170, 290);
            if (left && right) resizeDocks({left, centre, right}, {side, std::max(200, w - 2 * side - 20), side + 20}, Qt::Horizontal);
            else if (right) resizeDocks({centre, right}, {w - side - 20, side + 20}, Qt::Horizontal);
            else if (left) resizeDocks({left, centre}, {side, w - side}, Qt::Horizontal);
            if (leftLow) resizeDocks({left, leftLow}, {h / 2, h / 2}, Qt::Vertical);
            if (bottom) resizeDocks({centre, bottom}, {h, m_compact ? 90 : std::clamp(h / 5, 110, 220)}, Qt::Vertical);
            if (below) resizeDocks({centre, below}, {h / 2, h / 2}, Qt::Vertical);
        };
        sizes();
        QTimer::singleShot(0, this, sizes);
        QTimer::singleShot(60, this, sizes); // views made meanwhile have other minimum sizes
    }
    m_layout = name;
    for (auto *bar : findChildren<QTabBar *>(QString(), Qt::FindDirectChildrenOnly)) {
        bar->setUsesScrollButtons(true);
        bar->setElideMode(Qt::ElideNone);
        bar->setDocumentMode(true);
        bar->setExpanding(false);
        bar->setDrawBase(false);
        bar->setFocusPolicy(Qt::TabFocus);
    }
    if (m_layouts) m_layouts->setCurrentIndex(m_layouts->findData(name));
    setUpdatesEnabled(true);
    QTimer::singleShot(100, this, &MainWindow::rememberSides);
    // Which docks are to be seen is known once the layout has been done.
    QTimer::singleShot(0, this, [this] {
        for (auto &pane : m_panes)
            if (!pane.view && pane.dock->isVisible() && !pane.dock->visibleRegion().isEmpty()) makeView(pane);
    });
}

void MainWindow::applyLayout(QString const &name)
{
    m_layout = name;
    if (m_shown) arrange(name);
}

QStringList MainWindow::layoutNames() const
{
    QStringList names{QStringLiteral("build"), QStringLiteral("train"), QStringLiteral("analyse"), QStringLiteral("present")};
    for (auto const &name : settings::keysBelow(QStringLiteral("layouts")))
        if (!names.contains(name)) names << name;
    return names;
}

void MainWindow::saveLayoutAs()
{
    bool ok = false;
    QString const name = QInputDialog::getText(this, tr("Save layout"), tr("Name of the layout:"), QLineEdit::Normal, {}, &ok).trimmed();
    if (!ok || name.isEmpty() || name.contains(QLatin1Char('/'))) return;
    settings::setBytes(QStringLiteral("layouts/") + name, saveState(kLayoutVersion));
    m_layout = name;
    retranslate();
}

QJsonObject MainWindow::viewStates() const
{
    QJsonObject states;
    for (auto const &pane : m_panes) {
        QJsonObject const state = pane.view ? pane.view->saveState() : pane.state;
        if (!state.isEmpty()) states.insert(QLatin1String(pane.descriptor.id), state);
    }
    return states;
}

void MainWindow::restoreViewStates(QJsonObject const &states)
{
    for (auto &pane : m_panes) pane.state = states.value(QLatin1String(pane.descriptor.id)).toObject();
}

void MainWindow::saveWindow()
{
    if (m_safe) return;
    settings::setBytes(QStringLiteral("window/geometry"), saveGeometry());
    settings::setBytes(QStringLiteral("window/layout"), m_layout.toUtf8());
    settings::setBytes(QStringLiteral("window/views"), QJsonDocument(viewStates()).toJson(QJsonDocument::Compact));
}

void MainWindow::restoreWindow()
{
    QSize const room = screen() ? screen()->availableSize() : QSize(1280, 800);
    resize(std::min(1440, room.width() - 40), std::min(900, room.height() - 60));
    if (m_safe) return;
    restoreGeometry(settings::bytes(QStringLiteral("window/geometry")));
    QString const name = QString::fromUtf8(settings::bytes(QStringLiteral("window/layout")));
    if (layoutNames().contains(name)) m_layout = name;
    restoreViewStates(QJsonDocument::fromJson(settings::bytes(QStringLiteral("window/views"))).object());
}

} // namespace tilewright::app

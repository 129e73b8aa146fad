#include "app/gui/main_window.h"

#include "app/gui/fit_meter.h"
#include "app/gui/message_bar.h"
#include "app/gui/settings.h"
#include "app/gui/start_page.h"
#include "app/gui/status_strip.h"
#include "app/view_list.h"
#include "views/common/icons.h"
#include "views/common/theme.h"
#include "views/session/document.h"
#include "views/session/job_runner.h"
#include "views/session/report_snapshot.h"
#include "views/session/run_controller.h"
#include "views/session/selection.h"

#include "engine/target/machine.h"

#include <QAction>
#include <QApplication>
#include <QCloseEvent>
#include <QComboBox>
#include <QDockWidget>
#include <QFileInfo>
#include <QMessageBox>
#include <QMimeData>
#include <QToolBar>
#include <QUndoStack>

namespace tilewright::app {

using views::RunState;

MainWindow::MainWindow(bool safe, QWidget *parent) : QMainWindow(parent), m_session(std::make_unique<views::Session>()), m_safe(safe)
{
    setObjectName(QStringLiteral("workbench"));
    setAcceptDrops(true);
    setDockNestingEnabled(true);
    setDockOptions(AnimatedDocks | AllowNestedDocks | AllowTabbedDocks);
    setTabPosition(Qt::AllDockWidgetAreas, QTabWidget::North);
    setMinimumSize(640, 480);
    m_start = new StartPage(this);
    setCentralWidget(m_start);
    m_messages = new MessageBar(this);
    m_status = new StatusStrip(*m_session, this);
    setStatusBar(m_status);
    for (auto &descriptor : viewList()) m_panes.push_back({descriptor, nullptr, nullptr, {}});
    makeDocks();
    makeActions();
    makeMenus();
    makeToolBar();
    connectSession();
    retranslate();
    restoreWindow();
    showWorkbench(false);
    updateTitle();
    updateActions();
}

MainWindow::~MainWindow()
{
    // Nothing that ends below may call back into a window that is half gone.
    for (QObject *speaker : std::initializer_list<QObject *>{m_session.get(), &m_session->document(), &m_session->document().undoStack(), &m_session->runs(),
                                                             &m_session->selection(), &m_session->jobs()})
        speaker->disconnect(this);
    // Views refer to the session: they go first.
    for (auto &pane : m_panes) delete pane.view;
    delete m_status;
}

void MainWindow::connectSession()
{
    auto &s = *m_session;
    connect(&s, &views::Session::errorRaised, this, [this](QString const &text, QString const &remedy, QString const &subject) {
        m_messages->show(MessageBar::Error, (subject.isEmpty() ? QString() : subject + QStringLiteral(": ")) + text, remedy, {}, {});
    });
    connect(&s, &views::Session::viewRequested, this, [this](QString const &id) { showView(id); });
    connect(&s, &views::Session::helpRequested, this, [this](QString const &) { showView(QStringLiteral("help")); });
    connect(&s, &views::Session::reportChanged, this, [this] {
        if (m_session->report()) {
            if (!m_session->document().isOpen() && !m_shown) {
                showWorkbench(true);
                showView(QStringLiteral("summary"));
            }
            if (QString const path = m_session->report()->path(); !m_session->document().isOpen() && !path.isEmpty()) settings::addRecent(path);
        }
        updateTitle();
        updateActions();
    });
    connect(&s.document(), &views::Document::opened, this, [this] {
        bool const open = m_session->document().isOpen();
        showWorkbench(open || m_session->report());
        if (open && !m_session->document().path().isEmpty()) settings::addRecent(m_session->document().path());
        fillRecentMenu();
        updateActions();
    });
    connect(&s.document(), &views::Document::stateChanged, this, [this] {
        updateTitle();
        updateActions();
    });
    connect(&s.document(), &views::Document::changed, this, [this] {
        updateActions();
        QString const target = QString::fromStdString(m_session->document().project().target);
        QSignalBlocker const quiet(m_target);
        int at = m_target->findData(target);
        if (at < 0 && !target.isEmpty()) {
            m_target->addItem(target, target);
            at = m_target->count() - 1;
        }
        m_target->setCurrentIndex(at);
    });
    connect(&s.document().undoStack(), &QUndoStack::indexChanged, this, [this] { updateActions(); });
    connect(&s.runs(), &views::RunController::stateChanged, this, &MainWindow::updateActions);
    connect(&s.runs(), &views::RunController::finished, this, [this] {
        updateActions();
        if (m_session->runs().live().error) return;
        if (!isActiveWindow() && m_session->runs().live().kind == QLatin1String("train")) QApplication::alert(this);
    });
    connect(&s.selection(), &views::Selection::changed, this, &MainWindow::updateActions);
    connect(m_start, &StartPage::templateChosen, this, &MainWindow::newProject);
    connect(m_start, &StartPage::fileChosen, this, [this](QString const &path) { openFiles({path}); });
    connect(m_start, &StartPage::openRequested, this, &MainWindow::open);
    connect(m_start, &StartPage::lessonChosen, this, [this](QString const &page) {
        showWorkbench(true);
        showView(QStringLiteral("help"));
        emit m_session->helpRequested(page);
    });
    connect(m_start, &StartPage::recoveryChosen, this, [this](QString const &path) {
        if (auto const status = m_session->document().recoverOrphan(path); !status.ok()) m_session->raiseError(status.error());
    });
}

void MainWindow::showWorkbench(bool on)
{
    m_shown = on;
    m_start->setVisible(!on);
    if (!on) m_start->refresh();
    for (auto &pane : m_panes)
        if (!on) pane.dock->hide();
    if (on) arrange(m_layout);
    m_toolBar->setVisible(on);
}

MainWindow::Pane *MainWindow::pane(QString const &id)
{
    for (auto &pane : m_panes)
        if (id == QLatin1String(pane.descriptor.id)) return &pane;
    return nullptr;
}

views::View *MainWindow::makeView(Pane &pane)
{
    if (!pane.view) {
        pane.view = pane.descriptor.create(*m_session, pane.dock);
        pane.dock->setWidget(pane.view);
        if (!pane.state.isEmpty()) pane.view->restoreState(pane.state);
    }
    return pane.view;
}

views::View *MainWindow::showView(QString const &id)
{
    auto *found = pane(id);
    if (!found) return nullptr;
    if (!m_shown) showWorkbench(true);
    auto *view = makeView(*found);
    // A view that the layout leaves out goes where its neighbours of that area are.
    if (found->dock->isHidden() && !found->dock->isFloating()) {
        for (auto &other : m_panes)
            if (other.dock != found->dock && other.descriptor.area == found->descriptor.area && !other.dock->isHidden() && !other.dock->isFloating()) {
                tabifyDockWidget(other.dock, found->dock);
                break;
            }
    }
    found->dock->show();
    found->dock->raise();
    return view;
}

views::View *MainWindow::currentView() const
{
    for (QWidget *w = QApplication::focusWidget(); w; w = w->parentWidget())
        if (auto *view = qobject_cast<views::View *>(w)) return view;
    for (auto const &pane : m_panes)
        if (pane.view && pane.descriptor.area == views::ViewDescriptor::Centre && !pane.view->visibleRegion().isEmpty()) return pane.view;
    return nullptr;
}

void MainWindow::updateTitle()
{
    auto const &document = m_session->document();
    if (document.isOpen()) setWindowTitle(document.title() + QStringLiteral("[*]"));
    else if (m_session->report()) setWindowTitle(QFileInfo(m_session->report()->path()).fileName());
    else setWindowTitle({});
    setWindowModified(document.isModified());
    setWindowFilePath(document.path());
}

void MainWindow::updateActions()
{
    auto const &runs = m_session->runs();
    auto &document = m_session->document();
    bool const open = document.isOpen(), active = runs.isActive();
    bool const tile = runs.live().mode == views::RunMode::Tile;
    auto const enable = [this](char const *id, bool on) {
        if (auto *a = action(QLatin1String(id))) a->setEnabled(on);
    };
    enable("file.save", open);
    enable("file.save_as", open);
    enable("file.close", open || m_session->report());
    enable("view.export", m_shown);
    enable("edit.undo", document.undoStack().canUndo());
    enable("edit.redo", document.undoStack().canRedo());
    if (auto *a = action(QStringLiteral("edit.undo"))) a->setToolTip(document.undoStack().canUndo() ? tr("Undo: %1").arg(document.undoStack().undoText()) : tr("Undo"));
    if (auto *a = action(QStringLiteral("edit.redo"))) a->setToolTip(document.undoStack().canRedo() ? tr("Redo: %1").arg(document.undoStack().redoText()) : tr("Redo"));
    enable("run.compile", open && !active);
    enable("run.train", open && (!active || runs.isPaused()));
    enable("run.tile", open && !active);
    enable("run.pause", runs.state() == RunState::Running);
    enable("run.stop", active);
    enable("run.step", runs.isPaused());
    enable("run.superstep", active && tile && (runs.isPaused() || runs.state() == RunState::Running));
    enable("run.detach", active && runs.live().kind == QLatin1String("train"));
    enable("go.back", m_session->selection().canGoBack());
    enable("go.forward", m_session->selection().canGoForward());
    if (auto *a = action(QStringLiteral("run.train"))) {
        a->setText(runs.isPaused() ? tr("Resume") : tr("Run"));
        a->setIcon(views::icon(runs.isPaused() ? QStringLiteral("resume") : QStringLiteral("run"), views::Token::Good));
    }
    m_target->setEnabled(open && !active);
}

void MainWindow::openFiles(QStringList const &files)
{
    for (auto const &file : files) {
        bool const project = file.endsWith(QLatin1String(".tilewright")) || file.endsWith(QLatin1String(".json"));
        if (project && !mayClose()) return;
        m_session->openPath(file);
        if (project && m_session->document().path() == QFileInfo(file).absoluteFilePath()) offerRecovery(file);
    }
    raise();
    activateWindow();
}

void MainWindow::quitNow()
{
    m_session->document().writeAutosaveNow();
    m_session->runs().stopAfterStep();
    m_quitting = true;
    close();
    QApplication::quit();
}

void MainWindow::closeEvent(QCloseEvent *event)
{
    if (!m_quitting && !mayClose()) {
        event->ignore();
        return;
    }
    saveWindow();
    event->accept();
}

void MainWindow::dragEnterEvent(QDragEnterEvent *event)
{
    if (event->mimeData()->hasUrls()) event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent *event)
{
    QStringList files;
    for (auto const &url : event->mimeData()->urls())
        if (url.isLocalFile()) files << url.toLocalFile();
    event->acceptProposedAction();
    openFiles(files);
}

void MainWindow::changeEvent(QEvent *event)
{
    QMainWindow::changeEvent(event);
    if (event->type() == QEvent::LanguageChange && !m_actions.empty()) retranslate();
}

QAction *MainWindow::action(QString const &id) const
{
    for (auto const &[name, action] : m_actions)
        if (name == id) return action;
    return nullptr;
}

} // namespace tilewright::app

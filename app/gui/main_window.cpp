#include "app/gui/main_window.h"

#include "app/gui/fit_meter.h"
#include "app/gui/message_bar.h"
#include "app/gui/model_picture.h"
#include "app/gui/settings.h"
#include "app/gui/start_page.h"
#include "app/gui/status_strip.h"
#include "app/gui/workbench.h"
#include "views/advice/problem_log.h"
#include "views/common/icons.h"
#include "views/common/theme.h"
#include "views/diagnostics/diagnostic_text.h"
#include "views/document/document.h"
#include "views/jobs/job_runner.h"
#include "views/properties/property_editor.h"
#include "views/reports/report_snapshot.h"
#include "views/session/file_kind.h"
#include "views/session/run_commands.h"
#include "views/session/selection.h"
#include "views/widgets/floating_note.h"

#include "engine/target/machine.h"

#include <QAction>
#include <QApplication>
#include <QBoxLayout>
#include <QCloseEvent>
#include <QComboBox>
#include <QDockWidget>
#include <QFileInfo>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QMessageBox>
#include <QMimeData>
#include <QPlainTextEdit>
#include <QShortcut>
#include <QStackedWidget>
#include <QTimer>
#include <QToolBar>
#include <QUndoStack>

#include <algorithm>

namespace tilewright::app {

MainWindow::MainWindow(bool safe, QWidget *parent) : QMainWindow(parent), m_session(std::make_unique<views::Session>()), m_safe(safe)
{
    setObjectName(QStringLiteral("workbench"));
    setAcceptDrops(true);
    qApp->installEventFilter(this);
    setMinimumSize(800, 600);
    build();
    connectSession();
    restoreWindow();
    showWorkbench(false);
    updateTitle();
    updateActions();
}

void MainWindow::build()
{
    m_pages = new QStackedWidget(this);
    m_start = new StartPage(m_pages);
    m_workbench = new Workbench(*m_session, m_pages);
    m_pages->addWidget(m_start);
    m_pages->addWidget(m_workbench);
    setCentralWidget(m_pages);
    m_messages = new MessageBar(m_pages);
    views::floatOverBottom(m_messages, m_pages);
    m_status = new StatusStrip(*m_session, this);
    setStatusBar(m_status);
    makeActions();
    makeMenus();
    makeToolBar();
    connectStart();
}

// Texts are set where widgets are made, in hundreds of places. So another language makes them anew: the session, which all of them
// only show, goes on as it is.
void MainWindow::rebuild()
{
    auto const arrangement = m_workbench->save();
    bool const shown = m_shown, message = m_messages->isVisible(), panel = m_workbench->isPanelOpen();
    auto *front = currentView();
    QString const view = front ? front->id() : QString();
    m_editing = nullptr;
    removeToolBar(m_toolBar);
    delete m_toolBar;
    delete menuBar(); // and its menus, which clear() would leave
    m_recent = m_viewMenu = m_layoutMenu = m_templates = nullptr;
    delete m_status;
    delete takeCentralWidget();
    for (auto const &[id, each] : m_actions) delete each;
    m_actions.clear();
    build();
    m_workbench->restore(arrangement);
    fillRecentMenu();
    showWorkbench(shown);
    if (shown) m_workbench->setPanelOpen(panel);
    if (shown && !view.isEmpty()) activateView(view);
    showTarget();
    updateTitle();
    updateActions();
    if (message && !views::ProblemLog::of(*m_session).raised().empty()) showError(views::ProblemLog::of(*m_session).raised().front());
}

MainWindow::~MainWindow()
{
    qApp->removeEventFilter(this);
    // Nothing that ends below may call back into a window that is half gone.
    for (QObject *speaker :
         std::initializer_list<QObject *>{m_session.get(), &m_session->document(), &m_session->document().undoStack(), &m_session->runs(),
                                          &m_session->selection(), &m_session->jobs(), &views::ProblemLog::of(*m_session), qApp})
        speaker->disconnect(this);
    // Views refer to the session: they go first.
    delete m_workbench;
    delete m_status;
}

void MainWindow::connectSession()
{
    auto &s = *m_session;
    connect(&s, &views::Session::errorRaised, this, &MainWindow::showError);
    connect(&views::ProblemLog::of(s), &views::ProblemLog::changed, this, [this] {
        // Its cause is gone: the project is another one, or another run has begun.
        auto const &raised = views::ProblemLog::of(*m_session).raised();
        bool const noticed = m_messages->text() == m_notice;
        if ((m_messages->kind() == MessageBar::Error || noticed) && raised.empty()) m_messages->dismiss();
        else if (noticed && std::ranges::none_of(raised, [this](auto const &problem) { return problem.code == m_noticeCode; }))
            m_messages->dismiss();
    });
    s.setReplaceGate([this] { return mayReplace(); });
    connect(&s, &views::Session::dataFound, this, &MainWindow::offerData);
    connect(&s, &views::Session::viewRequested, this, &MainWindow::goToView);
    connect(&s, &views::Session::helpRequested, this, [this](QString const &) { showView(QStringLiteral("help")); });
    connect(&s, &views::Session::reportReplaced, this, [this] {
        if (m_session->report()) {
            if (!m_session->document().isOpen() && !m_shown) {
                m_workbench->setMode(QStringLiteral("analyse"));
                showWorkbench(true);
                showView(QStringLiteral("summary"));
            }
            if (QString const path = m_session->report()->path(); !m_session->document().isOpen() && !path.isEmpty()) {
                settings::addRecent(path);
                if (m_session->report()->isWhole()) keepPicture(*m_session->report());
            }
        }
        updateTitle();
        updateActions();
    });
    connect(&s.document(), &views::Document::opened, this, [this] {
        bool const open = m_session->document().isOpen();
        m_messages->clear(); // it was about the project before; an error stays
        showWorkbench(open || m_session->report());
        if (QString const path = m_session->document().path(); open && !path.isEmpty()) {
            settings::addRecent(path);
            keepPicture(m_session->document().project(), path);
        }
        fillRecentMenu();
        updateActions();
    });
    connect(&s.document(), &views::Document::stateChanged, this, [this] {
        updateTitle();
        updateActions();
    });
    connect(&s.document(), &views::Document::changed, this, [this] {
        updateActions();
        showTarget();
    });
    connect(&s.document().undoStack(), &QUndoStack::indexChanged, this, [this] { updateActions(); });
    connect(&s.runs(), &views::RunController::stateChanged, this, &MainWindow::updateActions);
    connect(&s.runs(), &views::RunController::tileValuesChanged, this, &MainWindow::updateActions);
    connect(&s.runs(), &views::RunController::weightsChanged, this, &MainWindow::updateActions);
    connect(&s.runs(), &views::RunController::noticed, this, &MainWindow::showNotice);
    connect(&s.runs(), &views::RunController::finished, this, [this] {
        updateActions();
        if (m_session->runs().live().error) return;
        if (!isActiveWindow() && m_session->runs().live().kind == QLatin1String("train")) QApplication::alert(this);
    });
    connect(&s.selection(), &views::Selection::changed, this, &MainWindow::updateActions);
    connect(qApp, &QApplication::focusChanged, this, [this](QWidget *, QWidget *now) {
        if (!now || qobject_cast<QMenuBar *>(now) || qobject_cast<QMenu *>(now) || now->window() != this) return;
        m_editing = now;
        updateEditActions();
    });
}

void MainWindow::connectStart()
{
    connect(m_start, &StartPage::templateChosen, this, &MainWindow::newProject);
    connect(m_start, &StartPage::fileChosen, this, [this](QString const &path) { openFiles({path}); });
    connect(m_start, &StartPage::openRequested, this, &MainWindow::open);
    connect(m_start, &StartPage::lessonChosen, this, [this](QString const &page) {
        showWorkbench(true);
        showView(QStringLiteral("help"));
        emit m_session->helpRequested(page);
    });
    connect(m_start, &StartPage::recoveryChosen, this, [this](QString const &path) {
        wait([&](std::function<void()> const &end) { m_session->document().recoverOrphan(path, raiseErrors(end)); });
    });
    connect(m_start, &StartPage::changesChosen, this, [this](QString const &path) {
        wait([&](std::function<void()> const &end) { m_session->document().recover(path, raiseErrors(end)); });
    });
}

void MainWindow::showTarget()
{
    // Of a project: a report has its own machine, which its views name.
    QString const target = m_session->document().isOpen() ? QString::fromStdString(m_session->document().project().target) : QString();
    QSignalBlocker const quiet(m_target);
    int at = target.isEmpty() ? -1 : m_target->findData(target);
    if (at < 0 && !target.isEmpty()) {
        m_target->addItem(target, target);
        at = m_target->count() - 1;
    }
    m_target->setCurrentIndex(at);
}

void MainWindow::showError(Diagnostic const &error)
{
    auto const text = views::diagnosticText(error);
    QString const subject = views::subjectText(error);
    m_messages->show(MessageBar::Error, (subject.isEmpty() ? QString() : subject + QStringLiteral(": ")) + text.message, text.remedy,
                     tr("Details"), [this] { activateView(QStringLiteral("problems")); });
}

/// A warning that must not wait until somebody looks at the problems.
void MainWindow::showNotice(Diagnostic const &warning)
{
    auto const text = views::diagnosticText(warning);
    auto &runs = m_session->runs();
    bool const canGoBack = warning.code == "train.replaces" && runs.knowsReplaced();
    bool const pending = warning.code == "config.not-applied";
    m_messages->show(MessageBar::Warning, views::sentence(text.message), text.remedy,
                     canGoBack ? views::buttonText(views::RunCommand::Continue) : tr("Details"), [this, canGoBack, pending] {
                         if (canGoBack) m_session->runs().continueReplaced();
                         else activateView(pending ? QStringLiteral("config") : QStringLiteral("problems"));
                     });
    m_notice = m_messages->text();
    m_noticeCode = warning.code;
}

void MainWindow::showWorkbench(bool on)
{
    m_shown = on;
    // The start page is for reading, not for an audience: it leaves Present and its large type.
    if (!on && findMode(m_workbench->mode())->largeType) m_workbench->setMode(QStringLiteral("build"));
    if (!on) m_start->refresh();
    m_toolBar->setVisible(on);
    m_pages->setCurrentWidget(on ? static_cast<QWidget *>(m_workbench) : m_start);
}

views::View *MainWindow::showView(QString const &id)
{
    if (!m_workbench->has(id)) return nullptr;
    if (!m_shown) showWorkbench(true);
    return m_workbench->showView(id);
}

void MainWindow::activateView(QString const &id)
{
    if (!m_workbench->has(id)) return;
    if (!m_shown) showWorkbench(true);
    m_workbench->activateView(id);
}

void MainWindow::goToView(QString const &id)
{
    // Runs are watched in their own mode: nobody asked for another tab in this one.
    if (id == QLatin1String("training") && !m_workbench->isInMode(id)) applyLayout(QStringLiteral("train"));
    // Neither did who compiled what does not fit: why is a matter for analysis.
    bool const misfit = m_session->runs().live().compile.outOfMemory.has_value();
    if (id == QLatin1String("memory") && misfit && !m_workbench->isInMode(id)) applyLayout(QStringLiteral("analyse"));
    activateView(id);
}

views::View *MainWindow::currentView() const { return m_shown ? m_workbench->currentView() : nullptr; }

std::function<void()> MainWindow::editor(EditKind const &kind) const
{
    for (QWidget *w = m_editing; w && w != this; w = w->parentWidget()) {
        if (!w->isEnabled()) continue;
        // A text takes what is meant for texts; what stands around it is not asked.
        bool const removes = kind.keys == QKeySequence::Delete;
        if (auto *line = qobject_cast<QLineEdit *>(w); line && removes) return [line] { line->del(); };
        if (auto *plain = qobject_cast<QPlainTextEdit *>(w); plain && removes) return [plain] { plain->textCursor().deleteChar(); };
        if (int const at = w->metaObject()->indexOfMethod(QByteArray(kind.slot) + "()"); at >= 0)
            return [w, slot = kind.slot] { QMetaObject::invokeMethod(w, slot, Qt::DirectConnection); };
        for (auto *each : w->actions())
            if (each->shortcut() == QKeySequence(kind.keys)) return [each] { each->trigger(); };
        for (auto *each : w->findChildren<QShortcut *>(QString(), Qt::FindDirectChildrenOnly))
            if (each->key() == QKeySequence(kind.keys)) return [each] { emit each->activated(); };
    }
    return {};
}

void MainWindow::updateEditActions()
{
    for (auto const &kind : kEdits)
        if (auto *a = action(QLatin1String(kind.id))) a->setEnabled(editor(kind) != nullptr);
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
    auto const enable = [this](char const *id, bool on) {
        if (auto *a = action(QLatin1String(id))) a->setEnabled(on);
    };
    enable("file.save", open);
    enable("file.save_as", open);
    enable("file.export_model", open);
    enable("file.close", open || m_session->report());
    enable("view.export", m_shown);
    enable("edit.undo", document.undoStack().canUndo());
    enable("edit.redo", document.undoStack().canRedo());
    if (auto *a = action(QStringLiteral("edit.undo")))
        a->setToolTip(document.undoStack().canUndo() ? tr("Undo: %1").arg(document.undoStack().undoText()) : tr("Undo"));
    if (auto *a = action(QStringLiteral("edit.redo")))
        a->setToolTip(document.undoStack().canRedo() ? tr("Redo: %1").arg(document.undoStack().redoText()) : tr("Redo"));
    auto const run = runs.isPaused() ? views::RunCommand::Resume : views::RunCommand::Run;
    for (auto const &info : views::runCommands())
        enable(("run." + QByteArray(info.id)).constData(), views::canDo(info.command, *m_session));
    enable("run.train", views::canDo(run, *m_session));
    enable("go.back", m_session->selection().canGoBack());
    enable("go.forward", m_session->selection().canGoForward());
    if (auto *a = action(QStringLiteral("run.train"))) {
        a->setText(views::menuText(run));
        a->setIcon(views::icon(QLatin1String(views::infoOf(run).icon), views::Token::Good));
    }
    m_target->setEnabled(open && !active);
}

void MainWindow::openFiles(QStringList const &files)
{
    m_toOpen << files;
    openQueued();
    raise();
    activateWindow();
}

/// One after the other: a report shows what it is of in the project before it. What another start of the program hands over while
/// files are being opened, a question stands or a project is saved waits for its turn.
void MainWindow::openQueued()
{
    if (m_opens || m_waits) return;
    // A question or a file dialog is about the project on show: no other comes under it.
    if (QApplication::activeModalWidget()) {
        QTimer::singleShot(200, this, &MainWindow::openQueued);
        return;
    }
    m_opens = true;
    while (!m_toOpen.isEmpty()) {
        for (auto const &file : m_toOpen.takeFirst()) {
            views::ProblemLog::of(*m_session).clearRaised(); // another attempt
            auto const &document = m_session->document();
            auto const before = document.opening();
            m_keptProject = false;
            bool const ended = wait([&](std::function<void()> const &end) { m_session->openPath(file, end); });
            if (!ended || m_keptProject) break; // the program ends, or the open project is to stay
            if (document.opening() == before) continue;
            if (!document.path().isEmpty()) {
                offerRecovery();
                continue;
            }
            // A model of another program has no run yet, so that the views of Train and Analyse are empty: show the model.
            m_workbench->setMode(QStringLiteral("build"));
            activateView(QStringLiteral("canvas"));
        }
    }
    m_opens = false;
}

void MainWindow::quitNow()
{
    finishEditing();
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

bool MainWindow::eventFilter(QObject *watched, QEvent *event)
{
    // A file may be dropped anywhere. A field for paths under the mouse takes it, unless it is a project or a report.
    bool const drop = event->type() == QEvent::Drop;
    if (!drop && event->type() != QEvent::DragEnter && event->type() != QEvent::DragMove) return QMainWindow::eventFilter(watched, event);
    auto *widget = qobject_cast<QWidget *>(watched);
    // Panels that float are windows of their own, and of this one; dialogs take what is meant for them.
    QWidget const *top = widget ? widget->window() : nullptr;
    bool const floats = top && top->parentWidget() && top->parentWidget()->window() == this
        && (qobject_cast<QDockWidget const *>(top) || top->inherits("QDockWidgetGroupWindow"));
    if (top != this && !floats) return QMainWindow::eventFilter(watched, event);
    auto *dropped = static_cast<QDropEvent *>(event);
    QStringList files;
    for (auto const &url : dropped->mimeData()->urls())
        if (url.isLocalFile()) files << url.toLocalFile();
    auto const takesPaths = [&] { return qobject_cast<views::PropertyEditor *>(widget) != nullptr; };
    if (files.isEmpty() || (takesPaths() && std::ranges::none_of(files, views::looksLikeProjectOrReport)))
        return QMainWindow::eventFilter(watched, event);
    dropped->setDropAction(Qt::CopyAction);
    dropped->accept();
    // Once the other program has its answer: opening may ask.
    if (drop)
        QMetaObject::invokeMethod(
            this, [this, files] { openFiles(files); }, Qt::QueuedConnection);
    return true;
}

// Not a shortcut: a text field or a drawing that takes the key keeps it.
void MainWindow::keyPressEvent(QKeyEvent *event)
{
    if (event->key() == Qt::Key_Question) action(QStringLiteral("help.keys"))->trigger();
    else QMainWindow::keyPressEvent(event);
}

void MainWindow::changeEvent(QEvent *event)
{
    QMainWindow::changeEvent(event);
    // A change of language is several changes of translators; and nothing may go away while an event is on its way to it.
    if (event->type() != QEvent::LanguageChange || m_actions.empty() || m_speaksAnew) return;
    m_speaksAnew = true;
    QTimer::singleShot(0, this, [this] {
        m_speaksAnew = false;
        rebuild();
    });
}

QAction *MainWindow::action(QString const &id) const
{
    for (auto const &[name, action] : m_actions)
        if (name == id) return action;
    return nullptr;
}

} // namespace tilewright::app

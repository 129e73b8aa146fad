#include "app/gui/main_window.h"

#include "app/gui/command_palette.h"
#include "app/gui/fit_meter.h"
#include "app/gui/keys_dialog.h"
#include "app/gui/message_bar.h"
#include "app/gui/modes.h"
#include "app/gui/settings.h"
#include "app/gui/settings_dialog.h"
#include "app/gui/workbench.h"
#include "views/common/icons.h"
#include "views/diagnostics/registry_text.h"
#include "views/document/document.h"
#include "views/session/run_commands.h"
#include "views/session/selection.h"

#include "engine/compiler/compile.h"
#include "engine/core/build.h"
#include "engine/model/templates.h"
#include "engine/target/machine.h"

#include <QAction>
#include <QActionGroup>
#include <QApplication>
#include <QComboBox>
#include <QFileInfo>
#include <QMenu>
#include <QMenuBar>
#include <QMessageBox>
#include <QToolBar>
#include <QToolButton>
#include <QUndoStack>

namespace tilewright::app {

using namespace views;

namespace {

/// The reference page of a field of the project; empty: none of its own.
QString helpPageOf(project::Project const &project, QString const &path)
{
    auto const page = [](char const *kind, std::string const &name) {
        return QLatin1String(kind) + QLatin1Char(':') + QString::fromStdString(name);
    };
    QString const part = path.section(QLatin1Char('.'), 0, 1);
    if (part == QLatin1String("model.layers")) {
        auto const *layer = project.model.find(path.section(QLatin1Char('.'), 2, -2).toStdString());
        return layer ? page("layer", layer->className) : QString();
    }
    if (part == QLatin1String("training.optimizer")) return page("optimizer", project.training.optimizer.className);
    if (part == QLatin1String("training.loss") && !project.training.losses.empty())
        return page("loss", project.training.lossOf(0).className);
    if (path.startsWith(QLatin1String("ipu_config."))) return page("option", path.toStdString());
    QLatin1String const engine("engine_options.");
    return path.startsWith(engine) ? page("option", path.mid(engine.size()).toStdString()) : QString();
}

} // namespace

QAction *MainWindow::add(QString const &id, QString const &text, QString const &iconName, QKeySequence const &keys,
                         std::function<void()> run)
{
    auto *action = new QAction(this);
    action->setObjectName(id);
    action->setText(text);
    if (!iconName.isEmpty()) action->setIcon(icon(iconName));
    action->setShortcut(keys);
    if (keys.isEmpty()) action->setToolTip(text);
    else action->setToolTip(QStringLiteral("%1 (%2)").arg(QString(text).remove(QLatin1Char('&')), keys.toString(QKeySequence::NativeText)));
    connect(action, &QAction::triggered, this, [run = std::move(run)] { run(); });
    addAction(action);
    m_actions.emplace_back(id, action);
    return action;
}

void MainWindow::makeActions()
{
    add(QStringLiteral("file.new"), tr("&New from template …"), QStringLiteral("new"), QKeySequence::New, [this] {
        if (mayClose()) {
            m_session->document().close();
            m_session->closeReport();
            showWorkbench(false);
        }
    });
    add(QStringLiteral("file.open"), tr("&Open …"), QStringLiteral("open"), QKeySequence::Open, [this] { open(); });
    add(QStringLiteral("file.save"), tr("&Save"), QStringLiteral("save"), QKeySequence::Save, [this] { save(); });
    add(QStringLiteral("file.save_as"), tr("Save &as …"), QStringLiteral("save-as"), QKeySequence(QStringLiteral("Ctrl+Shift+S")),
        [this] { saveAs(); });
    add(QStringLiteral("file.export_model"), tr("Export &model …"), QStringLiteral("weights"), {}, [this] { exportModel(); });
    add(QStringLiteral("file.close"), tr("&Close"), QStringLiteral("close"), QKeySequence::Close, [this] {
        if (!mayClose()) return;
        m_session->document().close();
        m_session->closeReport();
        showWorkbench(false);
    });
    add(QStringLiteral("file.quit"), tr("&Quit"), {}, QKeySequence::Quit, [this] { close(); });
    add(QStringLiteral("edit.undo"), tr("&Undo"), QStringLiteral("undo"), QKeySequence::Undo, [this] { stepBack(true); });
    add(QStringLiteral("edit.redo"), tr("&Redo"), QStringLiteral("redo"), QKeySequence::Redo, [this] { stepBack(false); });
    // The keys belong to whatever has the keyboard; the menu shows them and does the same.
    for (auto const &kind : kEdits) {
        QString const text = QCoreApplication::translate("edits", kind.text);
        auto *edit = add(QLatin1String(kind.id), text + QLatin1Char('\t') + QKeySequence(kind.keys).toString(QKeySequence::NativeText),
                         QLatin1String(kind.icon), {}, [this, &kind] {
                             if (auto const run = editor(kind)) run();
                         });
        edit->setToolTip(QString(text).remove(QLatin1Char('&')));
    }
    add(QStringLiteral("edit.find"), tr("&Find in view"), QStringLiteral("find"), QKeySequence::Find, [this] {
        if (auto *view = currentView()) view->startSearch();
    });
    add(QStringLiteral("edit.settings"), tr("&Settings …"), QStringLiteral("settings"), QKeySequence(QStringLiteral("Ctrl+,")), [this] {
        SettingsDialog dialog(this);
        dialog.exec();
    });
    struct Key {
        RunCommand command;
        char const *keys;
    };
    constexpr Key runKeys[] = {{RunCommand::Compile, "Ctrl+B"},
                               {RunCommand::Run, "F5"},
                               {RunCommand::RunOnTiles, "Shift+F5"},
                               {RunCommand::Continue, "Ctrl+F5"},
                               {RunCommand::Pause, "F6"},
                               {RunCommand::Stop, "Ctrl+."},
                               {RunCommand::Step, "F10"},
                               {RunCommand::Superstep, "F11"},
                               {RunCommand::StepBack, "Shift+F10"},
                               {RunCommand::SuperstepBack, "Shift+F11"},
                               {RunCommand::Detach, ""},
                               {RunCommand::Evaluate, ""},
                               {RunCommand::Predict, ""},
                               {RunCommand::Verify, ""},
                               {RunCommand::Tune, ""}};
    for (auto const &[command, keys] : runKeys) {
        auto const &info = infoOf(command);
        // One key runs and goes on.
        add(QStringLiteral("run.") + QLatin1String(info.id), menuText(command), QLatin1String(info.icon), QKeySequence(QLatin1String(keys)),
            [this, command = command] {
                perform(command == RunCommand::Run && m_session->runs().isPaused() ? RunCommand::Resume : command, *m_session);
            });
    }
    add(QStringLiteral("go.back"), tr("&Back"), QStringLiteral("back"), QKeySequence(QStringLiteral("Alt+Left")),
        [this] { m_session->selection().back(); });
    add(QStringLiteral("go.forward"), tr("&Forward"), QStringLiteral("forward"), QKeySequence(QStringLiteral("Alt+Right")),
        [this] { m_session->selection().forward(); });
    add(QStringLiteral("go.palette"), tr("&Command palette …"), QStringLiteral("search"), QKeySequence(QStringLiteral("Ctrl+Shift+P")),
        [this] { CommandPalette::commands(*this); });
    add(QStringLiteral("go.thing"), tr("&Go to anything …"), QStringLiteral("search"), QKeySequence(QStringLiteral("Ctrl+P")),
        [this] { CommandPalette::things(*this); });
    add(QStringLiteral("view.export"), tr("&Export this view …"), QStringLiteral("export"), QKeySequence(QStringLiteral("Ctrl+E")),
        [this] { exportView(); });
    add(QStringLiteral("view.reset"), tr("&Reset this mode"), QStringLiteral("reset"), {}, [this] { m_workbench->resetMode(); });
    add(QStringLiteral("view.save_layout"), tr("&Save arrangement as …"), {}, {}, [this] { saveLayoutAs(); });
    add(QStringLiteral("view.float"), tr("&Float or dock this view"), QStringLiteral("float"), {}, [this] {
        if (auto *view = currentView()) m_workbench->toggleFloating(view->id());
    });
    add(QStringLiteral("view.take_out"), tr("&Take this view out of the mode"), QStringLiteral("close"), {}, [this] {
        if (auto *view = currentView()) m_workbench->hideView(view->id());
    });
    add(QStringLiteral("view.console"), tr("&Open or close the console"), QStringLiteral("console"), QKeySequence(QStringLiteral("Ctrl+J")),
        [this] {
            if (m_shown) m_workbench->setPanelOpen(!m_workbench->isPanelOpen());
        });
    int place = 0;
    for (auto const &mode : modes())
        add(QStringLiteral("mode.") + QLatin1String(mode.id), QCoreApplication::translate("modes", mode.title), QLatin1String(mode.icon),
            QKeySequence(QStringLiteral("Ctrl+Alt+%1").arg(++place)), [this, id = QString::fromLatin1(mode.id)] { applyLayout(id); })
            ->setCheckable(true);
    add(QStringLiteral("help.contents"), tr("&Help"), QStringLiteral("help"), QKeySequence(QStringLiteral("F1")), [this] {
        auto *view = currentView();
        QString subject; // of the field that has the keyboard
        for (auto const *widget = QApplication::focusWidget(); widget && subject.isEmpty(); widget = widget->parentWidget())
            subject = widget->property("helpSubject").toString();
        QString const page = subject.isEmpty() ? QString() : helpPageOf(m_session->document().project(), subject);
        showView(QStringLiteral("help"));
        if (!page.isEmpty()) emit m_session->helpRequested(page);
        else if (view && view->id() != QLatin1String("help")) emit m_session->helpRequested(QStringLiteral("view-") + view->id());
    });
    add(QStringLiteral("help.lessons"), tr("&Lessons"), QStringLiteral("lessons"), {}, [this] {
        showView(QStringLiteral("help"));
        emit m_session->helpRequested(QStringLiteral("lessons"));
    });
    add(QStringLiteral("help.keys"), tr("&Keyboard shortcuts") + QStringLiteral("\t?"), QString(), {}, [this] {
        KeysDialog dialog(*this);
        dialog.exec();
    });
    add(QStringLiteral("help.about"), tr("&About Tilewright"), {}, {}, [this] {
        QMessageBox::about(
            this, tr("About Tilewright"),
            tr("<h3>Tilewright %1</h3><p>A workbench for machines made of many tiles: builds, compiles, trains and explains models on an "
               "emulated system of 1 to 64 IPUs.</p><p>Cycles and bytes are modelled; numbers are computed for "
               "real.</p><p>GPL-3.0-or-later.</p>")
                .arg(QString::fromStdString(std::string(version()))));
    });
    for (auto const &id : m_workbench->viewIds()) {
        auto const &view = m_workbench->descriptor(id);
        auto *action = add(QStringLiteral("show.") + id, QCoreApplication::translate("views", view.title), QLatin1String(view.icon),
                           id == QLatin1String("help") ? QKeySequence() : view.shortcut, [this, id] { activateView(id); });
        action->setProperty("view", id);
    }
}

void MainWindow::makeMenus()
{
    auto const fill = [this](QMenu *menu, std::initializer_list<char const *> ids) {
        for (auto const *id : ids) {
            if (*id == '-') menu->addSeparator();
            else menu->addAction(action(QLatin1String(id)));
        }
    };
    auto *file = menuBar()->addMenu(tr("&File"));
    fill(file, {"file.new"});
    m_templates = file->addMenu(tr("New from &template"));
    m_templates->addAction(tr("Empty project"), this, [this] { newProject({}); });
    for (auto const &entry : model::modelTemplates()) {
        if (entry.name == model::kEmptyTemplate) continue; // the action above
        m_templates->addAction(registryText(entry.title), this, [this, name = QString::fromStdString(entry.name)] { newProject(name); });
    }
    fill(file, {"file.open"});
    m_recent = file->addMenu(tr("Open &recent"));
    fillRecentMenu();
    fill(file, {"-", "file.save", "file.save_as", "-", "file.export_model", "view.export", "-", "file.close", "file.quit"});
    fill(menuBar()->addMenu(tr("&Edit")),
         {"edit.undo", "edit.redo", "-", "edit.cut", "edit.copy", "edit.paste", "edit.delete", "edit.select_all", "-", "edit.find",
          "go.thing", "-", "edit.settings"});
    m_viewMenu = menuBar()->addMenu(tr("&View"));
    for (auto const &mode : modes()) m_viewMenu->addAction(action(QStringLiteral("mode.") + QLatin1String(mode.id)));
    m_viewMenu->addSeparator();
    for (auto const &id : m_workbench->viewIds()) m_viewMenu->addAction(action(QStringLiteral("show.") + id));
    m_viewMenu->addSeparator();
    m_layoutMenu = m_viewMenu->addMenu(tr("&Arrangement"));
    connect(m_layoutMenu, &QMenu::aboutToShow, this, [this] {
        m_layoutMenu->clear();
        for (auto const &name : layoutNames())
            if (!findMode(name)) m_layoutMenu->addAction(name, this, [this, name] { applyLayout(name); });
        m_layoutMenu->addSeparator();
        m_layoutMenu->addAction(action(QStringLiteral("view.save_layout")));
        m_layoutMenu->addAction(action(QStringLiteral("view.reset")));
    });
    fill(m_viewMenu, {"view.console", "view.float", "view.take_out", "-", "go.back", "go.forward"});
    fill(menuBar()->addMenu(tr("&Run")),
         {"run.compile", "run.train", "run.tile", "run.continue", "-", "run.pause", "run.stop", "run.step", "run.superstep",
          "run.step_back", "run.superstep_back", "-", "run.detach", "-", "run.evaluate", "run.predict", "run.verify", "run.tune"});
    fill(menuBar()->addMenu(tr("&Help")), {"help.contents", "help.lessons", "help.keys", "go.palette", "-", "help.about"});
}

void MainWindow::makeToolBar()
{
    m_toolBar = addToolBar(tr("Main tool bar"));
    m_toolBar->setObjectName(QStringLiteral("main_tool_bar"));
    m_toolBar->setMovable(false);
    m_toolBar->setIconSize({kIconSize + 2, kIconSize + 2});
    m_toolBar->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_target = new QComboBox(m_toolBar);
    for (auto const &machine : target::builtinMachines())
        m_target->addItem(QString::fromStdString(machine.name), QString::fromStdString(machine.name));
    for (int i = 0; i < m_target->count(); ++i)
        m_target->setItemData(i, registryText(target::builtinMachines()[static_cast<std::size_t>(i)].title), Qt::ToolTipRole);
    m_target->setPlaceholderText(QStringLiteral("–")); // without a project
    m_target->setAccessibleName(tr("Target system"));
    m_target->setToolTip(tr("Target system"));
    m_target->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    connect(m_target, &QComboBox::activated, this, [this](int index) {
        if (auto const status = m_session->document().setField(QStringLiteral("system.target"), m_target->itemData(index).toString());
            !status.ok())
            m_session->raiseError(status.error());
    });
    m_toolBar->addWidget(m_target);
    showTarget();
    m_toolBar->addSeparator();
    for (auto const *id : {"run.compile", "run.train", "run.pause", "run.stop", "run.step"})
        m_toolBar->addAction(action(QLatin1String(id)));
    // Only the two that matter most say their names: the row fits a window of 800 pixels.
    for (auto const *id : {"run.pause", "run.stop", "run.step"})
        if (auto *button = qobject_cast<QToolButton *>(m_toolBar->widgetForAction(action(QLatin1String(id)))))
            button->setToolButtonStyle(Qt::ToolButtonIconOnly);
    if (auto *run = qobject_cast<QToolButton *>(m_toolBar->widgetForAction(action(QStringLiteral("run.train"))))) {
        auto *more = new QMenu(run);
        more->addAction(action(QStringLiteral("run.continue")));
        more->addAction(action(QStringLiteral("run.tile")));
        for (auto const *id : {"run.superstep", "run.step_back", "run.superstep_back"}) more->addAction(action(QLatin1String(id)));
        more->addAction(action(QStringLiteral("run.detach")));
        run->setMenu(more);
        run->setPopupMode(QToolButton::MenuButtonPopup);
    }
    m_toolBar->addSeparator();
    m_fit = new FitMeter(*m_session, m_toolBar);
    m_fit->setAction(m_toolBar->addWidget(m_fit));
    auto *gap = new QWidget(m_toolBar);
    gap->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    m_toolBar->addWidget(gap);
    m_toolBar->addAction(action(QStringLiteral("go.thing")));
    if (auto *button = qobject_cast<QToolButton *>(m_toolBar->widgetForAction(action(QStringLiteral("go.thing")))))
        button->setToolButtonStyle(Qt::ToolButtonIconOnly);
}

void MainWindow::fillRecentMenu()
{
    if (!m_recent) return;
    m_recent->clear();
    int shown = 0;
    for (auto const &path : settings::recentFiles()) {
        if (++shown > 15) break;
        auto *entry = m_recent->addAction(QFileInfo(path).fileName(), this, [this, path] { openFiles({path}); });
        entry->setToolTip(path);
        entry->setEnabled(QFileInfo::exists(path));
    }
    if (shown > 0) {
        m_recent->addSeparator();
        m_recent->addAction(tr("Clear list"), this, [this] {
            settings::clearRecent();
            fillRecentMenu();
        });
    }
    m_recent->setEnabled(shown > 0);
}

} // namespace tilewright::app

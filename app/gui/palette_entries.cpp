#include "app/gui/main_window.h"
#include "app/gui/modes.h"
#include "app/gui/palette_entry.h"
#include "app/gui/settings.h"
#include "app/gui/workbench.h"
#include "translations/translations.h"
#include "views/advice/layer_cost_watch.h"
#include "views/common/theme.h"
#include "views/config/config_specs.h"
#include "views/data/data_specs.h"
#include "views/diagnostics/registry_text.h"
#include "views/document/document.h"
#include "views/execution/execution_modes.h"
#include "views/modeledit/document_edits.h"
#include "views/plan/plan_specs.h"
#include "views/reports/report_snapshot.h"
#include "views/session/run_list.h"
#include "views/session/selection.h"
#include "views/tiles/tile_grammar.h"

#include "engine/model/layer_spec.h"
#include "engine/target/machine.h"

#include <QAction>
#include <QApplication>
#include <QCoreApplication>
#include <QLocale>
#include <QPointer>

#include <set>

namespace tilewright::app {

using namespace views;

namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(Palette)
};

/// Words that people type for an action whose text does not contain them.
struct ActionWords {
    char const *id, *words;
};
constexpr ActionWords kActionWords[] = {
    {"run.evaluate", QT_TRANSLATE_NOOP("Palette", "evaluate test accuracy metrics")},
    {"run.train", QT_TRANSLATE_NOOP("Palette", "train fit start learn")},
    {"run.tile", QT_TRANSLATE_NOOP("Palette", "emulate exact tile mode")},
    {"run.continue", QT_TRANSLATE_NOOP("Palette", "resume train on fit")},
    {"run.compile", QT_TRANSLATE_NOOP("Palette", "build executable fit memory")},
    {"edit.settings", QT_TRANSLATE_NOOP("Palette", "preferences options theme language units")},
    {"show.memory", QT_TRANSLATE_NOOP("Palette", "tiles bytes floor plan address map")},
    {"show.execution", QT_TRANSLATE_NOOP("Palette", "timeline pipeline stage stages flame bsp exchange cycles profile")},
    {"show.liveness", QT_TRANSLATE_NOOP("Palette", "peak always live not always live variables")},
    {"show.operations", QT_TRANSLATE_NOOP("Palette", "cycles roofline layers cost")},
    {"show.runs", QT_TRANSLATE_NOOP("Palette", "history compare baseline")},
    {"show.config", QT_TRANSLATE_NOOP("Palette", "ipu config pipeline stage stages replicas target options")},
    {"show.plan", QT_TRANSLATE_NOOP("Palette", "optimizer loss batch epochs metrics")},
    {"show.data", QT_TRANSLATE_NOOP("Palette", "dataset samples")},
    {"show.insights", QT_TRANSLATE_NOOP("Palette", "findings advice recommendations")},
    {"show.palette", QT_TRANSLATE_NOOP("Palette", "add layer classes")},
    {"help.lessons", QT_TRANSLATE_NOOP("Palette", "tutorial learn")},
};

QString furtherWords(QString const &id)
{
    for (auto const &entry : kActionWords)
        if (id == QLatin1String(entry.id)) return QCoreApplication::translate("Palette", entry.words);
    return {};
}

void addActions(std::vector<PaletteEntry> &entries, MainWindow &window)
{
    for (auto const &[id, action] : window.actions()) {
        QString text = action->text().section(QLatin1Char('\t'), 0, 0).remove(QLatin1Char('&'));
        QString kind = Words::tr("command");
        if (action->property("view").isValid()) {
            text = Words::tr("Show %1").arg(text);
            kind = Words::tr("view");
        }
        if (id.startsWith(QLatin1String("mode."))) {
            text = Words::tr("Mode %1").arg(text);
            kind = Words::tr("mode");
        }
        entries.push_back({text, kind, action->shortcut().toString(QKeySequence::NativeText), furtherWords(id), action->isEnabled(),
                           [a = QPointer<QAction>(action)] {
                               if (a) a->trigger();
                           },
                           true});
    }
    for (auto const &name : window.layoutNames())
        if (!findMode(name))
            entries.push_back(
                {Words::tr("Arrangement %1").arg(name), Words::tr("mode"), {}, {}, true, [&window, name] { window.applyLayout(name); }});
}

/// Cuts of the model into pipeline stages, as the menu of the canvas proposes them.
void addStages(std::vector<PaletteEntry> &entries, MainWindow &window)
{
    auto &session = window.session();
    bool const open = session.document().isOpen();
    if (open) LayerCostWatch::of(session).want();
    for (int const stages : kProposedStages)
        entries.push_back({Words::tr("Propose %n pipeline stage(s)", nullptr, stages),
                           Words::tr("command"),
                           {},
                           Words::tr("stage stages pipeline split cut model parallel advise"),
                           open,
                           [&session, &window, stages] {
                               window.activateView(QStringLiteral("canvas"));
                               auto const outcome = proposeStages(session, stages, nullptr);
                               if (!outcome.done()) session.raiseError(makeWarning("edit.refused", "model", outcome.refusal.toStdString()));
                           },
                           true});
}

/// The view Execution in each of its modes that the report on show has.
void addExecutionModes(std::vector<PaletteEntry> &entries, MainWindow &window)
{
    auto const report = window.session().report();
    for (int mode = 0; mode < Modes; ++mode) {
        auto const which = static_cast<ExecutionMode>(mode);
        bool const has = report && (which != Pipeline || !report->data().stageTasks.empty());
        entries.push_back(
            {Words::tr("Show Execution: %1").arg(modeTitle(which)),
             Words::tr("view"),
             {},
             modeTip(which) + QLatin1Char(' ') + (which == Pipeline ? Words::tr("stage stages timeline") : Words::tr("timeline")),
             has,
             [&window, which] {
                 window.activateView(QStringLiteral("execution"));
                 auto *view = window.workbench().showView(QStringLiteral("execution"));
                 if (!view) return;
                 auto state = view->saveState();
                 state[QStringLiteral("mode")] = QLatin1String(kModeIds[which]);
                 view->restoreState(state);
             },
             true});
    }
}

void addSettings(std::vector<PaletteEntry> &entries)
{
    QString const setting = Words::tr("setting");
    auto const theme = [&](QString const &name, std::optional<ThemeKind> kind) {
        entries.push_back({Words::tr("Theme: %1").arg(name), setting, {}, Words::tr("appearance colours mode"), true, [kind] {
                               settings::setThemeChoice(kind);
                               applyTheme(*qApp, settings::effectiveTheme());
                           }});
    };
    theme(Words::tr("as the desktop"), std::nullopt);
    theme(Words::tr("light"), ThemeKind::Light);
    theme(Words::tr("dark"), ThemeKind::Dark);
    theme(Words::tr("high contrast"), ThemeKind::HighContrast);
    for (auto const &code : translatedLanguages()) {
        QString const name = code == QLatin1String("en") ? QStringLiteral("English") : QLocale(code).nativeLanguageName();
        entries.push_back({Words::tr("Language: %1").arg(name), setting, {}, Words::tr("translation"), true, [code] {
                               settings::setLanguage(code);
                               installTranslation(*qApp, code);
                           }});
    }
    auto const units = [&](QString const &name, ByteUnits kind) {
        entries.push_back({Words::tr("Bytes: %1").arg(name), setting, {}, Words::tr("units of bytes"), true, [kind] {
                               settings::setByteUnits(kind);
                               applyTheme(*qApp, views::theme().kind);
                           }});
    };
    units(Words::tr("binary (KiB, MiB)"), ByteUnits::Binary);
    units(Words::tr("decimal (kB, MB)"), ByteUnits::Decimal);
    units(Words::tr("plain bytes"), ByteUnits::Plain);
}

void addTargets(std::vector<PaletteEntry> &entries, Session &session)
{
    for (auto const &machine : target::builtinMachines()) {
        QString const name = QString::fromStdString(machine.name);
        entries.push_back({Words::tr("Target: %1").arg(name), Words::tr("target"), {}, registryText(machine.title), true, [&session, name] {
                               auto const status = session.document().setField(QStringLiteral("system.target"), name);
                               if (!status.ok()) session.raiseError(status.error());
                           }});
    }
}

void addLayers(std::vector<PaletteEntry> &entries, MainWindow &window)
{
    auto &session = window.session();
    for (auto const &layer : session.document().project().model.layers) {
        QString const name = QString::fromStdString(layer.name);
        entries.push_back({name, Words::tr("layer"), {}, QString::fromStdString(layer.className), true, [&session, &window, name] {
                               session.selection().selectLayer(name);
                               window.activateView(QStringLiteral("canvas"));
                           }});
    }
    for (auto const &spec : model::builtinLayers()) {
        QString const name = QString::fromStdString(spec.className);
        entries.push_back(
            {Words::tr("Add %1").arg(name), Words::tr("new layer"), {}, Words::tr("insert layer"), true, [&session, &window, name] {
                 window.activateView(QStringLiteral("canvas"));
                 auto const outcome = addStarterLayer(session, name, nullptr);
                 if (!outcome.done()) session.raiseError(makeWarning("edit.refused", name.toStdString(), outcome.refusal.toStdString()));
             }});
    }
}

void addFields(std::vector<PaletteEntry> &entries, MainWindow &window)
{
    auto &session = window.session();
    std::set<QString> seen; // a field that two pages show is listed where its own page is
    auto const add = [&](std::vector<PropertySpec> const &specs, QString const &kind, char const *view, QString const &more = {}) {
        for (auto const &spec : specs) {
            if (spec.path.isEmpty() || !seen.insert(spec.path).second) continue;
            QString const words = spec.label + QLatin1Char(' ') + QString(spec.path).replace(QLatin1Char('_'), QLatin1Char(' '))
                + QLatin1Char(' ') + spec.group + QLatin1Char(' ') + more;
            entries.push_back({spec.path, kind, {}, words, true, [&session, &window, path = spec.path, view] {
                                   Selected selected;
                                   selected.kind = SelectionKind::Option;
                                   selected.name = path;
                                   session.selection().select(selected);
                                   window.activateView(QLatin1String(view));
                               }});
        }
    };
    auto const &project = session.document().project();
    add(parallelSpecs(project), Words::tr("field"), "config", Words::tr("pipeline stage replica parallel"));
    add(targetSpecs(project), Words::tr("field"), "config");
    add(ipuConfigSpecs(), Words::tr("option"), "config");
    add(engineOptionSpecs(), Words::tr("option"), "config");
    add(planSpecs(project), Words::tr("field"), "plan");
    add(dataSpecs(false), Words::tr("field"), "data");
}

void addRuns(std::vector<PaletteEntry> &entries, MainWindow &window)
{
    auto &session = window.session();
    for (auto const *run : session.runList().newestFirst()) {
        // Without a report there is only its row, with the reason.
        QString const text = Words::tr("Run %1: %2").arg(run->id).arg(run->title.isEmpty() ? run->kind : run->title);
        entries.push_back(
            {text,
             run->isRunning() ? Words::tr("running") : Words::tr("run"),
             {},
             run->started + QLatin1Char(' ') + run->kind + QLatin1Char(' ') + run->state,
             true,
             [&session, &window, path = run->report, live = run->life == Run::Life::Live] {
                 if (!path.isEmpty()) session.openReport(path);
                 window.goToView(path.isEmpty() ? QStringLiteral("runs") : live ? QStringLiteral("training") : QStringLiteral("summary"));
             }});
    }
}

void addReport(std::vector<PaletteEntry> &entries, MainWindow &window)
{
    auto &session = window.session();
    auto const report = session.report();
    auto const &d = report->data();
    auto const select = [&session, &window](SelectionKind kind, int id, char const *view) {
        return [&session, &window, kind, id, view] {
            session.selection().selectIds(kind, {id});
            window.activateView(QLatin1String(view));
        };
    };
    for (auto const &verdict : d.verdicts)
        if (verdict.scope == "all") {
            QString const name = tileName(verdict.worstTile, d.target.ipusPerReplica, report->tilesPerIpu());
            entries.push_back({Words::tr("Worst tile: %1").arg(name),
                               Words::tr("tile"),
                               {},
                               Words::tr("fullest largest memory"),
                               true,
                               select(SelectionKind::Tile, verdict.worstTile, "memory")});
        }
    auto const add = [&](auto const &rows, SelectionKind kind, QString const &what, char const *view) {
        for (std::size_t i = 0; i < rows.size(); ++i)
            if (!rows[i].name.empty())
                entries.push_back({QString::fromStdString(rows[i].name), what, {}, {}, true, select(kind, static_cast<int>(i), view)});
    };
    add(d.ops, SelectionKind::Op, Words::tr("operation"), "operations");
    add(d.variables, SelectionKind::Variable, Words::tr("variable"), "memory");
    add(d.computeSets, SelectionKind::ComputeSet, Words::tr("compute set"), "program");
}

} // namespace

std::vector<PaletteEntry> commandEntries(MainWindow &window)
{
    std::vector<PaletteEntry> entries;
    addActions(entries, window);
    addStages(entries, window);
    addExecutionModes(entries, window);
    addSettings(entries);
    return entries;
}

std::vector<PaletteEntry> thingEntries(MainWindow &window)
{
    auto &session = window.session();
    auto entries = commandEntries(window);
    if (session.document().isOpen()) {
        addTargets(entries, session);
        addLayers(entries, window);
        addFields(entries, window);
        addRuns(entries, window);
    }
    if (session.report()) addReport(entries, window);
    return entries;
}

} // namespace tilewright::app

#include "views/session/run_commands.h"

#include "views/document/document.h"
#include "views/session/project_tasks.h"
#include "views/session/session.h"

#include <QCoreApplication>

#include <algorithm>
#include <array>

namespace tilewright::views {

namespace {

constexpr std::array kCommands{
    RunCommandInfo{RunCommand::Compile, "compile", "compile", QT_TRANSLATE_NOOP("views", "&Compile"),
                   QT_TRANSLATE_NOOP("views", "Compile the project to see its cost and whether it fits")},
    RunCommandInfo{RunCommand::Run, "train", "run", QT_TRANSLATE_NOOP("views", "&Run"),
                   QT_TRANSLATE_NOOP("views", "Compile if needed and train")},
    RunCommandInfo{RunCommand::RunOnTiles, "tile", "tile", QT_TRANSLATE_NOOP("views", "Run on &tiles"),
                   QT_TRANSLATE_NOOP("views", "Train in tile mode: every tile's memory is emulated, which is slower")},
    RunCommandInfo{RunCommand::Continue, "continue", "forward", QT_TRANSLATE_NOOP("views", "C&ontinue training"),
                   QT_TRANSLATE_NOOP("views", "Train on from the weights that the project holds; epochs count from the beginning")},
    RunCommandInfo{RunCommand::Pause, "pause", "pause", QT_TRANSLATE_NOOP("views", "&Pause"),
                   QT_TRANSLATE_NOOP("views", "Pause after the step that has begun")},
    RunCommandInfo{RunCommand::Resume, "resume", "resume", QT_TRANSLATE_NOOP("views", "&Resume"),
                   QT_TRANSLATE_NOOP("views", "Continue the run")},
    RunCommandInfo{RunCommand::Step, "step", "step", QT_TRANSLATE_NOOP("views", "One &step"),
                   QT_TRANSLATE_NOOP("views", "Do one step and pause again")},
    RunCommandInfo{RunCommand::Superstep, "superstep", "superstep", QT_TRANSLATE_NOOP("views", "One s&uperstep"),
                   QT_TRANSLATE_NOOP("views", "Do one superstep of the tiles and pause again")},
    RunCommandInfo{RunCommand::StepBack, "step_back", "step-back", QT_TRANSLATE_NOOP("views", "Step &back"),
                   QT_TRANSLATE_NOOP("views", "Tile mode: return to the end of the step before; two steps are kept")},
    RunCommandInfo{RunCommand::SuperstepBack, "superstep_back", "superstep-back", QT_TRANSLATE_NOOP("views", "Superstep bac&k"),
                   QT_TRANSLATE_NOOP("views", "Tile mode: return to the superstep before, byte for byte")},
    RunCommandInfo{RunCommand::Stop, "stop", "stop", QT_TRANSLATE_NOOP("views", "&Stop after step"),
                   QT_TRANSLATE_NOOP("views", "Stop after this step; checkpoint and report are written")},
    RunCommandInfo{RunCommand::Detach, "detach", "detach", QT_TRANSLATE_NOOP("views", "Continue &detached"),
                   QT_TRANSLATE_NOOP("views", "Continue in a separate process, so that you can close this window")},
    RunCommandInfo{RunCommand::Evaluate, "evaluate", "evaluate", QT_TRANSLATE_NOOP("views", "&Evaluate"),
                   QT_TRANSLATE_NOOP("views", "Loss and metrics of the trained weights on the test samples")},
    RunCommandInfo{RunCommand::Predict, "predict", "weights", QT_TRANSLATE_NOOP("views", "Predict"),
                   QT_TRANSLATE_NOOP("views", "Predictions of the trained weights for the test samples")},
    RunCommandInfo{RunCommand::Verify, "verify", "verify", QT_TRANSLATE_NOOP("views", "&Verify"),
                   QT_TRANSLATE_NOOP("views", "Run fused and tile mode side by side and compare every tensor")},
    RunCommandInfo{RunCommand::Tune, "tune", "settings", QT_TRANSLATE_NOOP("views", "Tu&ne"),
                   QT_TRANSLATE_NOOP("views", "Compile the project with other settings and rank them by speed, for a minute")},
};

} // namespace

std::span<RunCommandInfo const> runCommands() { return kCommands; }
RunCommandInfo const &infoOf(RunCommand command) { return *std::ranges::find(kCommands, command, &RunCommandInfo::command); }
QString menuText(RunCommand command) { return QCoreApplication::translate("views", infoOf(command).text); }
QString buttonText(RunCommand command) { return menuText(command).remove(QLatin1Char('&')); }
QString tipOf(RunCommand command) { return QCoreApplication::translate("views", infoOf(command).tip); }

bool canDo(RunCommand command, LiveRun const &live, bool projectIsOpen, bool hasWeights)
{
    bool const goesOn = live.state == RunState::Running || live.state == RunState::Paused;
    switch (command) {
    case RunCommand::Compile:
    case RunCommand::Run:
    case RunCommand::Evaluate:
    case RunCommand::Predict:
    case RunCommand::Verify:
    case RunCommand::Tune:
    case RunCommand::RunOnTiles: return projectIsOpen && live.state == RunState::Idle;
    case RunCommand::Continue: return projectIsOpen && hasWeights && live.state == RunState::Idle;
    case RunCommand::Pause: return live.state == RunState::Running;
    case RunCommand::Resume:
    case RunCommand::Step: return live.state == RunState::Paused;
    case RunCommand::Superstep: return goesOn && live.mode == RunMode::Tile; // a running run pauses at the next superstep
    case RunCommand::StepBack:
    case RunCommand::SuperstepBack: return live.state == RunState::Paused && live.mode == RunMode::Tile;
    case RunCommand::Stop: return goesOn || live.state == RunState::Compiling;
    case RunCommand::Detach: return goesOn && live.kind == QLatin1String("train");
    }
    return false;
}

bool isOffered(RunCommand command, Session &session)
{
    return canDo(command, session.runs().live(), session.document().isOpen(), session.runs().canContinue());
}

bool canDo(RunCommand command, Session &session)
{
    if (!isOffered(command, session)) return false;
    auto const &at = session.runs().tileValues();
    bool const back = command == RunCommand::StepBack || command == RunCommand::SuperstepBack;
    return !back || at.superstep > at.earliest;
}

void perform(RunCommand command, Session &session)
{
    if (!canDo(command, session)) return;
    auto &runs = session.runs();
    auto const train = [&](RunMode mode, TrainFrom from = TrainFrom::Start) {
        runs.train(mode, from);
        if (runs.isActive()) emit session.viewRequested(QStringLiteral("training"));
    };
    auto const task = [&](ProjectTask which) {
        ProjectTasks::of(session).start(which);
        emit session.viewRequested(QStringLiteral("results"));
    };
    switch (command) {
    case RunCommand::Compile: runs.compile(); break;
    case RunCommand::Run: train(RunMode::Fused); break;
    case RunCommand::RunOnTiles: train(RunMode::Tile); break;
    case RunCommand::Continue: train(runs.lastRun().mode, TrainFrom::Last); break; // in its previous mode
    case RunCommand::Pause: runs.pause(); break;
    case RunCommand::Resume: runs.resume(); break;
    case RunCommand::Step: runs.step(); break;
    case RunCommand::Superstep: runs.superstep(); break;
    case RunCommand::StepBack: runs.backStep(); break;
    case RunCommand::SuperstepBack: runs.backSuperstep(); break;
    case RunCommand::Stop: runs.stopAfterStep(); break;
    case RunCommand::Detach:
        if (QString const why = runs.detach(); !why.isEmpty())
            session.raiseError(makeError(ErrorKind::Device, "action", "", why.toStdString()));
        break;
    case RunCommand::Evaluate: task(ProjectTask::Evaluate); break;
    case RunCommand::Predict: task(ProjectTask::Predict); break;
    case RunCommand::Verify: task(ProjectTask::Verify); break;
    case RunCommand::Tune: task(ProjectTask::Tune); break;
    }
}

} // namespace tilewright::views

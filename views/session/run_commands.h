#pragma once

#include "views/runcontrol/run_controller.h"

#include <span>

namespace tilewright::views {

class Session;

/// Commands for compiles and runs, shared by tool bar, menu, palette and views: words, conditions and actions.
enum class RunCommand {
    Compile,
    Run,
    RunOnTiles,
    Continue,
    Pause,
    Resume,
    Step,
    Superstep,
    StepBack,
    SuperstepBack,
    Stop,
    Detach,
    Evaluate,
    Predict,
    Verify,
    Tune
};
struct RunCommandInfo {
    RunCommand command;
    char const *id; ///< of actions ("run." before it) and buttons
    char const *icon;
    char const *text; ///< QT_TRANSLATE_NOOP("views", …), with the letter of its menu
    char const *tip;  ///< likewise
};
/// In the order of menus.
std::span<RunCommandInfo const> runCommands();
RunCommandInfo const &infoOf(RunCommand command);
QString menuText(RunCommand command);
QString buttonText(RunCommand command); ///< the same without the letter
QString tipOf(RunCommand command);

bool canDo(RunCommand command, LiveRun const &live, bool projectIsOpen,
           bool hasWeights = false); ///< hasWeights: RunController::canContinue()
/// Whether the state of the run and the project allow it.
bool isOffered(RunCommand command, Session &session);
/// Whether it has an effect now: a run that stands at its earliest position cannot go back, but is offered to.
bool canDo(RunCommand command, Session &session);
/// Executes the command, or nothing if it is not available. Shows a training that begins. If a run cannot continue without the window,
/// raises the reason as an error.
void perform(RunCommand command, Session &session);

} // namespace tilewright::views

#include "engine/cli/command.h"

namespace tilewright::cli {

std::vector<Command> reportCommands() { return {}; }

} // namespace tilewright::cli

#pragma once

namespace tilewright::cli {

/// The whole program: parses the arguments, runs the command and returns the exit code (engine/core/result.h).
int runCommandLine(int argc, char **argv);

} // namespace tilewright::cli

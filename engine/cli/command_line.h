#pragma once

namespace tilewright::cli {

/// The whole program: reads the arguments, runs the command and returns the exit code (engine/core/result.h).
int runCommandLine(int argc, char **argv);

} // namespace tilewright::cli

#pragma once

#include "engine/cli/command.h"
#include "engine/cli/output.h"

#include <span>
#include <string>
#include <vector>

namespace tilewright::cli {

/// What was typed, taken apart: options that every command takes, the command's name, the rest.
struct CommandLine {
    OutputOptions output;
    int threads = 0;
    std::vector<std::string> limits; ///< NAME=VALUE each
    bool help = false, version = false;
    std::string command;           ///< "" when none was given
    std::vector<std::string> rest; ///< everything but the global options and the command's name
};

/// Global options may stand before and after the command's name. What is wrong with them is in `problem`; the
/// rest is read all the same, so that the error is shown in the form that was asked for.
struct ParsedLine {
    CommandLine line;
    Status problem;
};
ParsedLine splitCommandLine(std::vector<std::string> const &arguments);

/// Reads the words and options of one command. Errors are Usage: "cli.unknown-option" (with the nearest name),
/// "cli.missing", "cli.argument", "cli.too-many".
Result<Arguments> parseArguments(Command const &command, std::vector<std::string> const &arguments);

/// The options every command takes, for the help.
std::vector<Parameter> const &globalParameters();

/// The texts of `--help`.
std::string helpText(std::span<Command const> commands);
std::string helpText(Command const &command);

} // namespace tilewright::cli

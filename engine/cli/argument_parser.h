#pragma once

#include "engine/cli/command.h"
#include "engine/cli/output.h"

#include <functional>
#include <span>
#include <string>
#include <vector>

namespace tilewright::cli {

/// The parsed command line: global options, the command's name, the rest.
struct CommandLine {
    OutputOptions output;
    int threads = 0;
    std::vector<std::string> limits; ///< NAME=VALUE each
    bool help = false, version = false;
    std::string command;           ///< "" if none was given
    std::vector<std::string> rest; ///< everything except global options and the command's name
};

/// Global options may precede and follow the command's name. `problem` holds their first error; the rest is still read, so that the error
/// is shown in the requested form. `passesWords`: whether the command of this name has Command::passesWords.
struct ParsedLine {
    CommandLine line;
    Status problem;
};
ParsedLine splitCommandLine(std::vector<std::string> const &arguments, std::function<bool(std::string const &)> const &passesWords);

/// Parses the words and options of one command. Errors are Usage: "cli.unknown-option" (with the nearest name), "cli.missing",
/// "cli.argument", "cli.too-many".
Result<Arguments> parseArguments(Command const &command, std::vector<std::string> const &arguments);

/// The options of every command, for the help.
std::vector<Parameter> const &globalParameters();

/// The texts of `--help`.
std::string helpText(std::span<Command const> commands);
std::string helpText(Command const &command);

} // namespace tilewright::cli

#pragma once

#include "engine/cli/command.h"

#include <string>
#include <vector>

// What man pages and shell completions are made of: the command table itself, and the options of the workbench.
namespace tilewright::docs {

/// What the shell may offer for one word or option value.
struct Values {
    enum Kind { None, Choices, Files, Folders };
    Kind kind = None;
    std::vector<std::string> choices;
    std::vector<std::string> suffixes; ///< of Files, without dot; empty: any file
    bool operator==(Values const &) const = default;
};

/// Decided by the parameter's choices, its placeholder ("FILE", "a|b|c", "DIR") and what it is known to name
/// (targets, templates, log components).
Values valuesOf(cli::Command const &command, cli::Parameter const &parameter);

/// `tilewright-gui`: everything it takes. Its own --help says the same; a test compares them.
cli::Command const &workbenchCommand();

/// "Exit codes: …" of the program's help, one "CODE meaning" each.
std::vector<std::pair<std::string, std::string>> exitCodes();

std::string manPage(std::string const &version, std::string const &date);
std::string workbenchManPage(std::string const &version, std::string const &date);
std::string bashCompletion();
std::string zshCompletion();
std::string fishCompletion();

} // namespace tilewright::docs

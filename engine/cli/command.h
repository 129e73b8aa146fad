#pragma once

#include "engine/core/destination.h"
#include "engine/core/job_context.h"
#include "engine/core/result.h"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tilewright::cli {

class Output;

/// One parameter of a command: a word at a fixed position ("PROJECT"), or an option ("--report").
struct Parameter {
    std::string name;  ///< an option starts with dashes
    std::string value; ///< placeholder of an option's value ("FILE"); empty: a flag, or a word
    std::string help;
    bool required = false;
    bool many = false;                        ///< words: takes all remaining ones; options: may be repeated
    int values = 1;                           ///< number of values of one occurrence of an option
    std::vector<std::string> choices = {};    ///< not empty: the only values
    std::vector<std::string> notYet = {};     ///< further known values, which the command refuses with the reason
    std::optional<std::int64_t> minimum = {}; ///< set: a whole number, at least this
    bool isDestination = false;               ///< a file to write: claimed before the command runs

    bool isOption() const { return name.starts_with('-'); }
    bool isFlag() const { return isOption() && value.empty(); }
};

Parameter word(std::string name, std::string help);
Parameter optionalWord(std::string name, std::string help, std::vector<std::string> choices = {});
/// All remaining words.
Parameter words(std::string name, std::string help, bool required);
Parameter flag(std::string name, std::string help);
Parameter option(std::string name, std::string value, std::string help);
Parameter choiceOption(std::string name, std::vector<std::string> choices, std::string help);
Parameter integerOption(std::string name, std::string value, std::int64_t minimum, std::string help);
Parameter repeatedOption(std::string name, std::string value, std::string help);
/// The same for a file that the command writes.
Parameter destination(Parameter parameter);
/// `--device N`, for commands that run a project.
Parameter deviceOption();
/// `--target NAME`, for every compiling command.
Parameter targetOption();

/// The given arguments, checked against the command's parameters.
class Arguments {
public:
    void add(std::string const &name, std::string value) { m_values[name].push_back(std::move(value)); }
    void setFlag(std::string const &name) { m_values[name]; }

    bool has(std::string_view name) const { return m_values.contains(name); }
    /// The last value given, or "".
    std::string text(std::string_view name) const;
    std::vector<std::string> list(std::string_view name) const;
    /// Requires: the parameter has a minimum (so the text was checked to be a number).
    std::optional<std::int64_t> integer(std::string_view name) const;
    std::int64_t integer(std::string_view name, std::int64_t fallback) const { return integer(name).value_or(fallback); }

private:
    std::map<std::string, std::vector<std::string>, std::less<>> m_values;
};

/// Context of a running command.
struct Context {
    Arguments const &arguments;
    Output &output;
    JobContext job;
    int threads = 0;              ///< --threads; 0: not given
    std::string program;          ///< path of the running program, "" if unknown
    std::vector<std::string> raw; ///< the typed arguments, without the program's name
    /// Call when there is something to save: from then on a Ctrl-C no longer ends the command within a second.
    std::function<void()> keepResults = [] {};
};

/// A row of the command table. `run` returns the exit code. The caller shows an error; its kind is the exit code.
struct Command {
    std::string name;
    std::string group;   ///< heading in the help
    std::string summary; ///< one line
    std::string details; ///< more for `COMMAND --help`; may be empty
    std::string example;
    std::vector<Parameter> parameters;
    std::function<Result<int>(Context &)> run;
    bool lines = false; ///< --json gives one object per line
    /// From the first word on, everything belongs to another program: its words are taken as they are, with their dashes.
    bool passesWords = false;
};

/// The commands by subject, each in its own file.
std::vector<Command> projectCommands();
std::vector<Command> modelCommands();
std::vector<Command> exchangeCommands(); ///< import, export, run
std::vector<Command> compileCommands();
std::vector<Command> tuneCommands();
std::vector<Command> trainCommands();
std::vector<Command> opCommands();
std::vector<Command> reportCommands();
std::vector<Command> checkCommands(); ///< check-report, render, gui
std::vector<Command> systemCommands();
std::vector<Command> benchCommands();
std::vector<Command> conformanceCommands();
std::vector<Command> pythonCommands();

/// All commands, in the order of the help. The explicit list.
std::vector<Command> const &commandTable();

/// Usage error: exit code 2.
Diagnostic usageError(std::string code, std::string subject, Message message, Message remedy = {});
/// Error for a missing part of the program: exit code 2.
Diagnostic notInstalled(std::string subject, Message message, Message remedy);
/// "did you mean 'x'?", or "choose one of a, b, c.".
Message suggest(std::string_view name, std::span<std::string const> candidates);

/// Claims a file that the command is to write. A folder is not claimed: the command says what it does with one; nor is a file that this
/// process claims already.
Result<std::optional<DestinationClaim>> claimDestination(std::filesystem::path const &path);

/// "PATH=VALUE" cut at the first '='. Error: Usage "cli.assignment".
Result<std::pair<std::string, std::string>> parseAssignment(std::string const &text);

} // namespace tilewright::cli

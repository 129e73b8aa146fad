#include "engine/cli/command_line.h"

#include "engine/cli/argument_parser.h"
#include "engine/cli/interrupt.h"
#include "engine/cli/workbench.h"
#include "engine/compiler/compile.h"
#include "engine/config/flags.h"
#include "engine/config/option_value.h"
#include "engine/core/build.h"
#include "engine/core/internal_error.h"
#include "engine/core/limits.h"
#include "engine/core/text.h"
#include "engine/distributed/mpi_loader.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <optional>
#include <new>
#include <utility>

namespace tilewright::cli {

namespace {

std::vector<Command> makeTable()
{
    std::vector<Command> all;
    for (auto const family :
         {projectCommands, modelCommands, exchangeCommands, compileCommands, trainCommands, tuneCommands, conformanceCommands, opCommands,
          reportCommands, checkCommands, systemCommands, benchCommands, pythonCommands})
        for (auto &command : family()) all.push_back(std::move(command));
    return all;
}

Result<Command const *> findCommand(std::string const &name)
{
    auto const &table = commandTable();
    auto const it = std::ranges::find(table, name, &Command::name);
    if (it != table.end()) return &*it;
    std::vector<std::string> names;
    for (auto const &command : table) names.push_back(command.name);
    auto const near = nearestName(name, names);
    return usageError("cli.unknown-command", name, Message::of("there is no command '%1'.", name),
                      near.empty() ? Message::of("`tilewright --help` lists the commands.") : Message::of("Did you mean '%1'?", near));
}

/// Levels of the environment, of --verbose and of --log, later ones winning.
config::LogLevels logLevels(OutputOptions const &options)
{
    config::LogLevels levels;
    // What is wrong with the variables is told by the commands that compile.
    auto read = config::readLogLevels([](char const *name) -> char const * { return std::getenv(name); }, nullptr);
    if (read.ok()) levels = std::move(read).value();
    if (options.verbose) (void)levels.setFromText("all=INFO").ok();
    levels.overlay(options.logs);
    return levels;
}

/// What is said when a command is ended from outside its work.
Farewell farewell(Command const &command, Output const &output)
{
    auto const error = cancelledError(command.name);
    if (!output.json()) return {{}, (output.showsProgress() ? "\ntilewright: error: " : "tilewright: error: ") + toText(error) + ".\n"};
    nlohmann::ordered_json document;
    if (command.lines) document["event"] = "error";
    document["error"] = toJson(error);
    return {document.dump() + "\n", {}};
}

/// TF_POPLAR_FLAGS=--help asks what the flags are, instead of work.
bool flagsAskForHelp()
{
    auto const *text = std::getenv("TF_POPLAR_FLAGS");
    if (!text || !*text) return false;
    auto const flags = config::PoplarFlags::parse(text);
    return flags.ok() && flags->boolean("help");
}

/// One rule for the destinations of all commands: a regular file or a new one, which no other process is writing.
Result<std::vector<std::optional<DestinationClaim>>> claimDestinations(Command const &command, Arguments const &given)
{
    std::vector<std::optional<DestinationClaim>> claims;
    if (distributed::mpiPlace().worker > 0) return claims; // worker 0 writes
    for (auto const &parameter : command.parameters) {
        if (!parameter.isDestination) continue;
        for (auto const &path : given.list(parameter.name)) {
            TW_ASSIGN(auto claim, claimDestination(path));
            claims.push_back(std::move(claim));
        }
    }
    return claims;
}

int respond(ParsedLine const &parsed, Result<Command const *> const &command, std::vector<std::string> const &arguments, Output &output)
{
    auto const &line = parsed.line;
    if (!parsed.problem.ok()) return output.fail(parsed.problem.error());
    for (auto const &limit : line.limits)
        if (auto const status = setLimit(limit); !status.ok()) return output.fail(status.error());
    if (!command.ok()) return output.fail(command.error());
    if (line.version) {
        if (output.json()) output.document({{"version", std::string(version())}, {"build", buildId()}});
        else output.text("tilewright " + std::string(version()) + "\n");
        return 0;
    }
    if (!*command) {
        if (line.help) {
            output.text(helpText(commandTable()));
            return 0;
        }
        if (!line.rest.empty())
            return output.fail(usageError("cli.unknown-option", line.rest.front(),
                                          Message::of("there is no option '%1'.", line.rest.front()),
                                          Message::of("`tilewright --help` lists commands and options.")));
        if (output.json())
            return output.fail(
                usageError("cli.missing", "COMMAND", Message::of("no command was given."), Message::of("See `tilewright --help`.")));
        if (arguments.empty() && hasDesktop()) {
            auto const started = startWorkbench({});
            if (!started.ok()) std::fputs(helpText(commandTable()).c_str(), stderr);
            return started.ok() ? 0 : output.fail(started.error());
        }
        std::fputs(helpText(commandTable()).c_str(), stderr);
        return static_cast<int>(ErrorKind::Usage);
    }
    if (line.help) {
        output.text(helpText(**command));
        return 0;
    }
    auto const given = parseArguments(**command, line.rest);
    if (!given.ok()) return output.fail(given.error());

    if (flagsAskForHelp()) {
        auto flags = nlohmann::ordered_json::array();
        for (auto const &flag : config::poplarFlags()) flags.push_back(nlohmann::ordered_json(config::optionToJson(flag)));
        if (output.json()) output.document({{"flags", std::move(flags)}});
        else output.text(config::flagsHelp());
        return 0;
    }

    // Workers of mpirun share a training; every other command is one process's work.
    if (distributed::mpiPlace().worker > 0 && line.command != "train") return 0;
    InterruptWatch watch(farewell(**command, output));
    Context context{*given, output, {}, line.threads, programPath(), arguments, [&watch] { watch.keepResults(); }};
    context.job.stop = watch.token();
    context.job.warnings = &output.warnings();
    context.job.progress = [&output](std::string_view phase, double fraction) { output.progress(phase, fraction); };
    WorkStage const stage("command", line.command);
    auto const code = guarded(line.command, "`tilewright " + line.command + "`", [&]() -> Result<int> {
        TW_ASSIGN(auto const claims, claimDestinations(**command, *given));
        return (*command)->run(context);
    });
    if (!code.ok()) return output.fail(code.error());
    output.showWarnings();
    return *code;
}

int run(std::vector<std::string> const &arguments)
{
    auto parsed = splitCommandLine(arguments, [](std::string const &name) {
        auto const known = findCommand(name);
        return known.ok() && (*known)->passesWords;
    });
    auto &line = parsed.line;
    auto const command = line.command.empty() ? Result<Command const *>(nullptr) : findCommand(line.command);
    if (command.ok() && *command) line.output.lines = (*command)->lines;
    auto options = line.output;
    options.logs = logLevels(options);
    if (distributed::mpiPlace().worker > 0) options.quiet = true; // worker 0 prints
    Output output(options);
    return output.finish(respond(parsed, command, arguments, output));
}

} // namespace

std::vector<Command> const &commandTable()
{
    static std::vector<Command> const table = makeTable();
    return table;
}

namespace {

/// Memory that is given back when there is no other: what ends then (destructors, the error's words, weights that are saved)
/// wants some as well.
void *reserve = nullptr;
constexpr std::size_t kReserveBytes = std::size_t{4} << 20;

void useReserve()
{
    std::free(std::exchange(reserve, nullptr));
    std::set_new_handler(nullptr);
    throw std::bad_alloc();
}

} // namespace

int runCommandLine(int argc, char **argv)
{
    reserve = std::malloc(kReserveBytes);
    if (reserve) std::set_new_handler(useReserve);
    std::vector<std::string> arguments;
    // The last line of defence. Everything a user can cause is a Diagnostic.
    auto const fail = [&](Diagnostic const &error) {
        OutputOptions options;
        options.json = std::ranges::find(arguments, "--json") != arguments.end();
        Output output(options);
        return output.fail(error);
    };
    try {
        arguments.assign(argv + std::min(argc, 1), argv + argc);
        return run(arguments);
    } catch (std::exception const &) {
        return fail(currentException("tilewright", "the command"));
    }
}

} // namespace tilewright::cli

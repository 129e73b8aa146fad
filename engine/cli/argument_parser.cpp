#include "engine/cli/argument_parser.h"

#include "engine/cli/output.h"
#include "engine/core/limits.h"
#include "engine/core/numbers.h"
#include "engine/core/safe_text.h"
#include "engine/core/text.h"

#include <CLI/CLI.hpp>

#include <algorithm>

namespace tilewright::cli {

namespace {

/// A row of help: the name after two spaces, then the help from `column` on, wrapped.
std::string helpRow(std::string const &name, std::string const &help, std::size_t column)
{
    std::string line = "  " + name;
    auto const width = characterCount(line); // names may contain '…'
    line += width < column ? std::string(column - width, ' ') : "\n" + std::string(column, ' ');
    line += wrappedText(help, column);
    return line + "\n";
}

std::string shown(Parameter const &p)
{
    if (p.isOption()) return p.isFlag() ? p.name : p.name + " " + p.value;
    return p.many ? p.name + "…" : p.name;
}

std::string usage(Command const &command)
{
    std::string text = "tilewright " + command.name;
    for (auto const &p : command.parameters)
        if (!p.isOption()) text += p.required ? " " + shown(p) : " [" + shown(p) + "]";
    if (std::ranges::any_of(command.parameters, &Parameter::isOption)) text += " [OPTIONS]";
    return text;
}

/// "limit on the content of a file: json_depth=500 (levels of nesting in a JSON document), …".
std::string limitHelp()
{
    std::vector<std::string> all;
    for (auto const &info : limitTable())
        all.push_back(std::string(info.name) + "=" + std::to_string(info.standard) + " (" + info.help + ")");
    return "limit on the content of a file: " + joinText(all, ", ");
}

/// Names, titles and paths end up in projects, reports and JSON, which are UTF-8.
Status checkEncoding(std::vector<std::string> const &arguments)
{
    for (std::size_t i = 0; i < arguments.size(); ++i)
        if (!isUtf8(arguments[i]))
            return usageError("cli.encoding", "argument " + std::to_string(i + 1),
                              Message::of("the text is not valid UTF-8: '%1'.", shortened(safeText(arguments[i]), 80)),
                              Message::of("Write it in UTF-8. Rename a file whose name has another encoding."));
    return {};
}

/// The error for an option with a missing or empty value.
Diagnostic valueMissing(Parameter const &p)
{
    return usageError("cli.missing", p.name,
                      p.values > 1 ? Message::of("%1 needs %2 values.", p.name, p.values) : Message::of("%1 needs a value.", p.name),
                      Message::of("Write %1.", shown(p)));
}

Diagnostic valueNotTaken(Parameter const &p)
{
    return usageError("cli.argument", p.name, Message::of("%1 takes no value.", p.name), Message::of("Write it alone."));
}

Status checkText(Parameter const &p, std::string const &text)
{
    // An empty variable of a script: taken as "not given", the command would do something else than was asked.
    if (text.empty())
        return p.isOption() ? valueMissing(p)
                            : usageError("cli.missing", p.name, Message::of("%1 is empty.", p.name),
                                         p.required ? Message::of("Give it.") : Message::of("Give it, or omit it."));
    if (!p.choices.empty() && std::ranges::find(p.choices, text) == p.choices.end() && std::ranges::find(p.notYet, text) == p.notYet.end())
        return usageError("cli.argument", p.name, Message::of("'%1' is not a value of %2.", text, p.name), suggest(text, p.choices));
    if (p.minimum) {
        auto const value = parseInteger(text);
        if (!value || *value < *p.minimum)
            return usageError("cli.argument", p.name, Message::of("'%1' is not a value of %2.", text, p.name),
                              Message::of("Give a whole number, at least %1.", std::to_string(*p.minimum)));
    }
    return {};
}

/// An invalid option is a usage error, independently of the function that found it.
Status asUsage(Status status)
{
    if (status.ok()) return status;
    auto error = status.error();
    error.kind = ErrorKind::Usage;
    return error;
}

Status takeWords(Command const &command, std::vector<std::string> const &given, Arguments &arguments)
{
    std::size_t next = 0;
    for (auto const &p : command.parameters) {
        if (p.isOption()) continue;
        if (command.passesWords && next < given.size()) {
            for (auto const &word : given) arguments.add(p.name, word);
            return {};
        }
        if (next == given.size()) {
            if (p.required)
                return usageError("cli.missing", p.name, Message::of("this argument is missing."),
                                  Message::of("Usage: %1", usage(command)));
            continue;
        }
        do {
            TW_TRY(checkText(p, given[next]));
            arguments.add(p.name, given[next++]);
        } while (p.many && next < given.size());
    }
    if (next < given.size())
        return usageError("cli.too-many", given[next], Message::of("'%1' is an unexpected argument.", given[next]),
                          Message::of("Usage: %1", usage(command)));
    return {};
}

} // namespace

std::vector<Parameter> const &globalParameters()
{
    static std::vector<Parameter> const all{
        flag("--json", "print one JSON document (some commands: one object per line)"),
        flag("--quiet", "print no warnings and no progress"),
        flag("--verbose", "log every component (all=INFO)"),
        option("--log", "COMPONENT=LEVEL", "log a component: compiler, planner, allocator, runtime, device, cache, data, store, all"),
        choiceOption("--color", {"auto", "always", "never"}, "colours on stderr"),
        integerOption("--threads", "N", 1, "host threads; the results never depend on their number"),
        option("--limit", "NAME=VALUE", limitHelp()),
        flag("--help", "show this text"),
    };
    return all;
}

ParsedLine splitCommandLine(std::vector<std::string> const &arguments, std::function<bool(std::string const &)> const &passesWords)
{
    ParsedLine parsed;
    auto &line = parsed.line;
    auto const note = [&](Status status) {
        if (parsed.problem.ok()) parsed.problem = std::move(status);
    };
    bool onlyWords = false;
    note(checkEncoding(arguments));
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        auto const &word = arguments[i];
        if (onlyWords || !word.starts_with('-')) {
            if (line.command.empty() && !onlyWords) {
                line.command = word;
            } else {
                onlyWords |= passesWords(line.command);
                line.rest.push_back(word);
            }
            continue;
        }
        auto const equals = word.find('=');
        std::string const name = word.substr(0, equals);
        auto const &globals = globalParameters();
        auto const p = std::ranges::find(globals, name == "-h" ? "--help" : name, &Parameter::name);
        if (word == "--") onlyWords = true;
        if (p == globals.end()) {
            if (word == "--version" && line.command.empty()) line.version = true;
            else line.rest.push_back(word);
            continue;
        }
        std::string value;
        if (!p->isFlag()) {
            if (equals != std::string::npos) {
                value = word.substr(equals + 1);
            } else if (i + 1 < arguments.size() && !arguments[i + 1].starts_with("--")) {
                value = arguments[++i];
            } else {
                note(valueMissing(*p));
                continue;
            }
            if (auto checked = checkText(*p, value); !checked.ok()) {
                note(std::move(checked));
                continue;
            }
        } else if (equals != std::string::npos) {
            note(valueNotTaken(*p));
            continue;
        }
        if (p->name == "--json") line.output.json = true;
        else if (p->name == "--quiet") line.output.quiet = true;
        else if (p->name == "--verbose") line.output.verbose = true;
        else if (p->name == "--help") line.help = true;
        else if (p->name == "--color") line.output.color = value;
        else if (p->name == "--threads")
            line.threads = static_cast<int>(std::clamp<std::int64_t>(parseInteger(value).value_or(1), 1, 1024));
        else if (p->name == "--limit") line.limits.push_back(value);
        else note(asUsage(line.output.logs.setFromText(value)));
    }
    return parsed;
}

Result<Arguments> parseArguments(Command const &command, std::vector<std::string> const &all)
{
    auto given = all;
    std::vector<std::string> foreign;
    if (command.passesWords) {
        auto first = given.begin(); // behind the command's own options with their values
        while (first != given.end() && first->starts_with('-')) {
            auto const option = std::ranges::find(command.parameters, *first, &Parameter::name);
            bool const takesNext = option != command.parameters.end() && option->isOption() && !option->isFlag();
            std::advance(first, takesNext ? std::min<std::ptrdiff_t>(2, given.end() - first) : 1);
        }
        foreign.assign(first, given.end());
        given.erase(first, given.end());
    }
    CLI::App app("", command.name);
    app.set_help_flag();
    app.allow_extras();
    std::vector<std::string> wordsGiven;
    app.add_option("words", wordsGiven)->expected(0, -1);
    struct Slot {
        Parameter const *parameter = nullptr;
        std::vector<std::string> values;
        CLI::Option *option = nullptr;
    };
    std::vector<Slot> slots(command.parameters.size());
    for (std::size_t i = 0; i < slots.size(); ++i) {
        auto const &p = command.parameters[i];
        slots[i].parameter = &p;
        if (!p.isOption()) continue;
        if (p.isFlag()) slots[i].option = app.add_flag(p.name);
        else
            slots[i].option = app.add_option(p.name, slots[i].values)
                                  ->type_size(p.values)
                                  ->expected(1)
                                  ->allow_extra_args(false)
                                  ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
    }
    for (auto const &word : given)
        for (auto const &p : command.parameters)
            if (p.isOption() && !p.isFlag() && word == p.name + "=") return valueMissing(p);
    try {
        auto reversed = given; // CLI11 takes them from the back
        std::ranges::reverse(reversed);
        app.parse(reversed);
    } catch (CLI::ArgumentMismatch const &error) {
        std::string const said = error.what(); // begins with the option's name
        for (auto const &p : command.parameters)
            if (p.isOption() && said.starts_with(p.name + ":")) return p.isFlag() ? valueNotTaken(p) : valueMissing(p);
        return usageError("cli.argument", command.name, Message::of("%1.", said), Message::of("Usage: %1", usage(command)));
    } catch (CLI::Error const &error) {
        return usageError("cli.argument", command.name, Message::of("%1.", error.what()), Message::of("Usage: %1", usage(command)));
    }
    for (auto const &extra : app.remaining()) {
        if (!extra.starts_with('-') || extra == "--") continue;
        std::vector<std::string> names;
        for (auto const *list : {&command.parameters, &globalParameters()})
            for (auto const &p : *list)
                if (p.isOption()) names.push_back(p.name);
        auto const name = extra.substr(0, extra.find('='));
        auto const near = nearestName(name, names);
        return usageError("cli.unknown-option", name, Message::of("`%1` has no option '%2'.", command.name, name),
                          near.empty() ? Message::of("See `tilewright %1 --help`.", command.name)
                                       : Message::of("Did you mean '%1'?", near));
    }
    Arguments arguments;
    for (auto const &slot : slots) {
        if (!slot.option || slot.option->count() == 0) continue;
        if (slot.parameter->isFlag()) arguments.setFlag(slot.parameter->name);
        for (auto const &value : slot.values) {
            TW_TRY(checkText(*slot.parameter, value));
            arguments.add(slot.parameter->name, value);
        }
    }
    TW_TRY(takeWords(command, command.passesWords ? foreign : wordsGiven, arguments));
    return arguments;
}

constexpr char kCommonOptions[] = "\nOptions of every command\n";

std::string helpText(std::span<Command const> commands)
{
    std::string text = "tilewright: a workbench for an emulated IPU. Builds, compiles and trains models, and reports where every\n"
                       "byte and every cycle goes.\n\nUsage: tilewright COMMAND … [OPTIONS]\n";
    std::string group;
    for (auto const &command : commands) {
        if (command.group != group) text += "\n" + command.group + "\n";
        group = command.group;
        text += helpRow(command.name, command.summary, 16);
    }
    text += kCommonOptions;
    for (auto const &p : globalParameters()) text += helpRow(shown(p), p.help, 30);
    text += helpRow("--version", "print the program's version", 30);
    text += "\nExit codes: 0 done, 1 internal error, 2 usage, 3 invalid or missing model, project or configuration, or a damaged\n"
            "report, 4 does not fit, 5 data missing or invalid, a report that is missing or cannot be opened, or output not\n"
            "written, 6 cancelled or timed out, 7 device, 8 budget not met, 9 check failed, 10 numbers failed.\n"
            "`tilewright COMMAND --help` explains a command and gives an example.\n";
    return text;
}

std::string helpText(Command const &command)
{
    std::string text = "Usage: " + usage(command) + "\n\n" + capitalised(command.summary) + ".\n";
    if (!command.details.empty()) text += command.details + "\n";
    constexpr std::size_t kColumn = 30;
    bool headed = false;
    for (auto const &p : command.parameters) {
        if (p.isOption()) continue;
        if (!headed) text += "\nArguments\n";
        headed = true;
        text += helpRow(shown(p), p.choices.empty() ? p.help : p.help + ": " + joinText(p.choices, ", "), kColumn);
    }
    headed = false;
    for (auto const &p : command.parameters) {
        if (!p.isOption()) continue;
        if (!headed) text += "\nOptions\n";
        headed = true;
        text += helpRow(shown(p), p.help, kColumn);
    }
    text += kCommonOptions;
    for (auto const &p : globalParameters()) text += helpRow(shown(p), p.help, kColumn);
    if (!command.example.empty()) text += "\nExample\n  " + command.example + "\n";
    return text;
}

} // namespace tilewright::cli

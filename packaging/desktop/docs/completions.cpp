#include "engine/cli/argument_parser.h"
#include "engine/core/text.h"
#include "packaging/desktop/docs/command_docs.h"

#include <algorithm>

namespace tilewright::docs {

namespace {

std::string replaced(std::string text, std::string const &what, std::string const &with)
{
    for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += with.size()) text.replace(at, what.size(), with);
    return text;
}

/// Options of a command and those that every command takes.
std::vector<cli::Parameter> allOptions(cli::Command const &command)
{
    std::vector<cli::Parameter> options;
    for (auto const *list : {&command.parameters, &cli::globalParameters()})
        for (auto const &p : *list)
            if (p.isOption()) options.push_back(p);
    return options;
}

std::vector<cli::Parameter> wordsOf(cli::Command const &command)
{
    std::vector<cli::Parameter> words;
    std::ranges::copy_if(command.parameters, std::back_inserter(words), [](auto const &p) { return !p.isOption(); });
    return words;
}

std::string names(std::vector<cli::Parameter> const &options)
{
    std::string text;
    for (auto const &p : options) text += (text.empty() ? "" : " ") + p.name;
    return text;
}

// --- bash

std::string bashOffer(Values const &values)
{
    switch (values.kind) {
    case Values::None: return ":";
    case Values::Choices: return "_tilewright_words \"" + joinText(values.choices, " ") + "\"";
    case Values::Folders: return "_tilewright_files -d";
    case Values::Files: return "_tilewright_files" + (values.suffixes.empty() ? "" : " " + joinText(values.suffixes, " "));
    }
    return ":";
}

std::string bashCases(cli::Command const &command, std::string const &label)
{
    std::string text = "    " + label + ")\n";
    auto const options = allOptions(command);
    text += "        options=\"" + names(options) + "\"\n        case $prev in\n";
    for (auto const &p : options)
        if (!p.isFlag()) text += "        " + p.name + ") " + bashOffer(valuesOf(command, p)) + "; return;;\n";
    text += "        esac\n";
    std::vector<cli::Parameter> valued;
    std::ranges::copy_if(options, std::back_inserter(valued), [](auto const &p) { return !p.isFlag(); });
    text += "        _tilewright_position \"" + names(valued) + "\"\n        case $position in\n";
    int position = 1;
    for (auto const &p : wordsOf(command)) {
        text += "        " + (p.many ? std::string("*") : std::to_string(position)) + ") " + bashOffer(valuesOf(command, p)) + ";;\n";
        ++position;
    }
    return text + "        esac;;\n";
}

constexpr char kBashTools[] = R"(# bash completion for tilewright. Generated from the program's own tables.

_tilewright_words() { mapfile -t COMPREPLY < <(compgen -W "$1" -- "$cur"); }

# Files with these suffixes, and folders on the way to them; without suffixes all files; -d: folders only.
_tilewright_files()
{
    local suffix
    compopt -o filenames 2>/dev/null
    mapfile -t COMPREPLY < <(compgen -d -- "$cur")
    if [[ $1 == -d ]]; then return; fi
    if (($# == 0)); then mapfile -t COMPREPLY < <(compgen -f -- "$cur"); return; fi
    for suffix; do mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen -f -X "!*.$suffix" -- "$cur"); done
}

# Number of the word that is being typed, options and their values not counted ($1: options with a value).
_tilewright_position()
{
    local i word before=
    position=0
    for ((i = first; i <= COMP_CWORD; ++i)); do
        word=${COMP_WORDS[i]}
        if [[ $i -eq COMP_CWORD || ($word != -* && " $1 " != *" $before "*) ]]; then position=$((position + 1)); fi
        before=$word
    done
}

)";

// --- zsh and fish

std::string zshText(std::string const &text)
{
    auto out = replaced(text, "\\", "\\\\");
    for (auto const *mark : {"[", "]", ":"}) out = replaced(out, mark, "\\" + std::string(mark));
    return replaced(out, "'", "'\\''");
}

std::string zshAction(Values const &values)
{
    switch (values.kind) {
    case Values::None: return " ";
    case Values::Choices: return "(" + replaced(joinText(values.choices, " "), ":", "\\:") + ")";
    case Values::Folders: return "_files -/";
    case Values::Files: return values.suffixes.empty() ? "_files" : "_files -g \"*.(" + joinText(values.suffixes, "|") + ")(-.)\"";
    }
    return " ";
}

std::string zshArguments(cli::Command const &command, std::string const &indent)
{
    std::string text = indent + "_arguments";
    auto const line = [&](std::string const &spec) { text += " \\\n" + indent + "    '" + spec + "'"; };
    for (auto const &p : allOptions(command)) {
        auto const head = (p.many ? "*" : "") + p.name + "[" + zshText(p.help) + "]";
        line(p.isFlag() ? head : head + ":" + zshText(p.value) + ":" + zshAction(valuesOf(command, p)));
    }
    for (auto const &p : wordsOf(command))
        line((p.many ? "*:" : p.required ? ":" : "::") + zshText(p.name) + ":" + zshAction(valuesOf(command, p)));
    return text + "\n";
}

std::string fishText(std::string const &text) { return "'" + replaced(replaced(text, "\\", "\\\\"), "'", "\\'") + "'"; }

std::string fishValues(Values const &values)
{
    switch (values.kind) {
    case Values::None: return " -x";
    case Values::Choices: return " -x -a " + fishText(joinText(values.choices, " "));
    case Values::Folders: return " -x -a '(__fish_complete_directories)'";
    case Values::Files: {
        if (values.suffixes.empty()) return " -r -F";
        std::string text = " -x -a '(";
        for (auto const &suffix : values.suffixes)
            text += (suffix == values.suffixes.front() ? "" : "; ") + ("__fish_complete_suffix ." + suffix);
        return text + ")'";
    }
    }
    return {};
}

std::string fishOption(std::string const &program, std::string const &condition, cli::Command const &command, cli::Parameter const &p)
{
    return "complete -c " + program + condition + " -l " + p.name.substr(2) + (p.isFlag() ? "" : fishValues(valuesOf(command, p))) + " -d "
        + fishText(p.help) + "\n";
}

} // namespace

std::string bashCompletion()
{
    std::string text = kBashTools;
    text += "_tilewright()\n{\n    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]} options= position=0 first=2 "
            "command=${COMP_WORDS[1]}\n"
            "    if ((COMP_CWORD == 1)); then command=; fi\n    case $command in\n    '')\n        _tilewright_words \"";
    for (auto const &command : cli::commandTable()) text += command.name + " ";
    text += names(cli::globalParameters()) + " --version\"; return;;\n";
    for (auto const &command : cli::commandTable()) text += bashCases(command, command.name);
    text += "    esac\n    if [[ $cur == -* ]]; then _tilewright_words \"$options\"; fi\n}\ncomplete -F _tilewright tilewright\n\n";
    text += "_tilewright_gui()\n{\n    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]}\n    case $prev in\n";
    auto const &gui = workbenchCommand();
    std::vector<cli::Parameter> options;
    std::ranges::copy_if(gui.parameters, std::back_inserter(options), &cli::Parameter::isOption);
    for (auto const &p : options)
        if (!p.isFlag()) text += "    " + p.name + ") " + bashOffer(valuesOf(gui, p)) + "; return;;\n";
    text += "    esac\n    if [[ $cur == -* ]]; then _tilewright_words \"" + names(options)
        + "\"; else _tilewright_files tilewright twreport json; fi\n}\n";
    return text + "complete -F _tilewright_gui tilewright-gui\n";
}

std::string zshCompletion()
{
    std::string text = "#compdef tilewright tilewright-gui\n# zsh completion for tilewright. Generated from the program's own tables.\n\n"
                       "_tilewright_command() {\n    case $1 in\n";
    for (auto const &command : cli::commandTable())
        text += "    " + command.name + ")\n" + zshArguments(command, "        ") + "        ;;\n";
    text += "    esac\n}\n\n_tilewright() {\n    local -a commands\n    commands=(\n";
    for (auto const &command : cli::commandTable()) text += "        '" + command.name + ":" + zshText(command.summary) + "'\n";
    text += "    )\n    if ((CURRENT == 2)); then\n        if [[ $words[2] == -* ]]; then\n            _arguments '--help[show this text]' "
            "'--version[print the version]'\n        else\n            _describe -t commands command commands\n        fi\n        "
            "return\n    fi\n"
            "    local name=$words[2]\n    shift words\n    ((CURRENT--))\n    _tilewright_command $name\n}\n\n_tilewright_gui() {\n";
    auto const &gui = workbenchCommand();
    text += "    _arguments";
    for (auto const &p : gui.parameters) {
        if (!p.isOption()) continue;
        text += " \\\n        '" + p.name + "[" + zshText(p.help) + "]"
            + (p.isFlag() ? "" : ":" + zshText(p.value) + ":" + zshAction(valuesOf(gui, p))) + "'";
    }
    text += " \\\n        '*:FILE:_files -g \"*.(tilewright|twreport|json)(-.)\"'\n}\n\n";
    return text + "case $service in\ntilewright) _tilewright \"$@\";;\ntilewright-gui) _tilewright_gui \"$@\";;\nesac\n";
}

std::string fishCompletion()
{
    std::string text = "# fish completion for tilewright. Generated from the program's own tables.\n\ncomplete -c tilewright -f\n";
    for (auto const &p : cli::globalParameters()) text += fishOption("tilewright", "", {}, p);
    text += "complete -c tilewright -n __fish_use_subcommand -l version -d 'print the version'\n";
    for (auto const &command : cli::commandTable()) {
        text += "\ncomplete -c tilewright -n __fish_use_subcommand -a " + command.name + " -d " + fishText(command.summary) + "\n";
        auto const condition = " -n '__fish_seen_subcommand_from " + command.name + "'";
        for (auto const &p : command.parameters) {
            if (p.isOption()) {
                text += fishOption("tilewright", condition, command, p);
                continue;
            }
            auto const values = valuesOf(command, p);
            if (values.kind != Values::None) text += "complete -c tilewright" + condition + fishValues(values) + "\n";
        }
    }
    auto const &gui = workbenchCommand();
    text += "\n";
    for (auto const &p : gui.parameters)
        if (p.isOption()) text += fishOption("tilewright-gui", "", gui, p);
    return text
        + "complete -c tilewright-gui -x -a '(__fish_complete_suffix .tilewright; __fish_complete_suffix .twreport; __fish_complete_suffix "
          ".json)'\n";
}

} // namespace tilewright::docs

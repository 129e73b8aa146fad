#include "packaging/desktop/docs/command_docs.h"

#include "engine/cli/argument_parser.h"
#include "engine/config/log_levels.h"
#include "engine/core/text.h"
#include "engine/model/templates.h"
#include "engine/target/machine.h"

#include <algorithm>

namespace tilewright::docs {

namespace {

bool isChoiceList(std::string const &placeholder)
{
    return placeholder.find('|') != std::string::npos && std::ranges::all_of(placeholder, [](char c) {
               return c == '|' || c == '-' || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
           });
}

Values files(std::vector<std::string> suffixes = {}) { return {Values::Files, {}, std::move(suffixes)}; }

} // namespace

Values valuesOf(cli::Command const &command, cli::Parameter const &parameter)
{
    auto const &what = parameter.isOption() ? parameter.value : parameter.name;
    if (!parameter.choices.empty()) return {Values::Choices, parameter.choices, {}};
    if (isChoiceList(what)) return {Values::Choices, splitText(what, '|'), {}};
    if (parameter.name == "--target") {
        Values values{Values::Choices, {}, {}};
        for (auto const &machine : target::builtinMachines()) values.choices.push_back(machine.name);
        return values;
    }
    if (parameter.name == "--log") {
        Values values{Values::Choices, {"all=INFO"}, {}};
        for (std::size_t i = 0; i < config::kLogComponents; ++i)
            values.choices.push_back(std::string(config::toText(static_cast<config::LogComponent>(i))) + "=DEBUG");
        return values;
    }
    if (what == "TEMPLATE") {
        Values values{Values::Choices, {}, {}};
        for (auto const &entry : model::modelTemplates()) values.choices.push_back(entry.name);
        return values;
    }
    if (what == "PROJECT") return files({"tilewright", "json"});
    if (parameter.name == "--report") return files({"twreport"});
    if (parameter.name == "--checkpoint" || parameter.name == "--resume" || parameter.name == "--input") return files({"npz"});
    if (what == "FILE" && (command.name == "report" || command.name == "check-report")) return files({"twreport"});
    if (what == "FILE" && (command.name == "render" || command.name == "gui")) return files({"twreport", "tilewright", "json"});
    if (what == "FILE" || what == "OUT" || what == "EXECUTABLE" || what == "PATH" || what == "PATH…") {
        if (command.name == "get" || command.name == "options") return {}; // a field's path
        return files();
    }
    if (what == "DIR") return {Values::Folders, {}, {}};
    return {};
}

cli::Command const &workbenchCommand()
{
    static cli::Command const command{
        .name = "tilewright-gui",
        .group = {},
        .summary = "opens the workbench",
        .details = {},
        .example = "tilewright-gui digits.tilewright",
        .parameters = {cli::words("FILE", "a project (.tilewright or its JSON twin), a report (.twreport) or a Keras model (JSON)", false),
                       cli::choiceOption("--theme", {"light", "dark", "contrast"}, "theme, instead of the one in the settings"),
                       cli::choiceOption("--language", {"en", "de"}, "language, instead of the desktop's"),
                       cli::flag("--safe", "ignores saved layouts"),
                       cli::flag("--new-instance", "opens another window even if the workbench is running"),
                       cli::option("--limit", "NAME=VALUE", "sets a limit on untrusted files, as for the other commands"),
                       cli::flag("--new-project", "shows the list of templates"), cli::flag("--open-last", "opens the last project"),
                       cli::flag("--help", "shows these options")},
        .run = {},
    };
    return command;
}

std::vector<std::pair<std::string, std::string>> exitCodes()
{
    auto text = cli::helpText(cli::commandTable());
    constexpr std::string_view kBegin = "Exit codes:";
    auto const begin = text.find(kBegin);
    if (begin == std::string::npos) return {};
    text = text.substr(begin + kBegin.size());
    text = text.substr(0, text.find("\n`"));
    std::ranges::replace(text, '\n', ' ');
    // "0 done, 1 internal error, 3 invalid or missing model, project or configuration, …": a code begins each entry
    std::vector<std::pair<std::string, std::string>> codes;
    for (auto const &word : splitText(text, ' ')) {
        if (word.empty()) continue;
        if (word.find_first_not_of("0123456789") == std::string::npos) {
            codes.emplace_back(word, "");
        } else if (!codes.empty()) {
            auto &meaning = codes.back().second;
            meaning += (meaning.empty() ? "" : " ") + word;
        }
    }
    for (auto &[code, meaning] : codes)
        while (!meaning.empty() && (meaning.back() == ',' || meaning.back() == '.')) meaning.pop_back();
    return codes;
}

} // namespace tilewright::docs

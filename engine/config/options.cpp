#include "engine/config/options.h"

#include "engine/config/option_tables.h"
#include "engine/config/option_value.h"
#include "engine/core/known_names.h"
#include "engine/core/range_text.h"
#include "engine/core/text.h"

#include <algorithm>
#include <iterator>

namespace tilewright::config {

namespace detail {

namespace {
OptionInfo entry(std::string path, OptionType type, OptionValue defaultValue, std::string help)
{
    OptionInfo option;
    option.path = std::move(path);
    option.type = type;
    option.defaultValue = std::move(defaultValue);
    option.help = std::move(help);
    return option;
}
} // namespace

OptionInfo boolOption(std::string path, bool defaultValue, std::string help)
{
    return entry(std::move(path), OptionType::Bool, defaultValue, std::move(help));
}

OptionInfo intOption(std::string path, std::int64_t defaultValue, std::optional<double> min, std::optional<double> max, std::string unit,
                     std::string help)
{
    auto option = entry(std::move(path), OptionType::Int, defaultValue, std::move(help));
    option.min = min;
    option.max = max;
    option.unit = std::move(unit);
    return option;
}

OptionInfo floatOption(std::string path, double defaultValue, double min, double max, std::string help)
{
    auto option = entry(std::move(path), OptionType::Float, defaultValue, std::move(help));
    option.min = min;
    option.max = max;
    return option;
}

OptionInfo textOption(std::string path, std::string defaultValue, std::string help)
{
    return entry(std::move(path), OptionType::Text, std::move(defaultValue), std::move(help));
}

OptionInfo pathOption(std::string path, std::string defaultValue, std::string help)
{
    return entry(std::move(path), OptionType::Path, std::move(defaultValue), std::move(help));
}

OptionInfo enumOption(std::string path, std::string defaultValue, std::vector<std::string> allowed, std::string help)
{
    auto option = entry(std::move(path), OptionType::Enum, std::move(defaultValue), std::move(help));
    option.allowed = std::move(allowed);
    return option;
}

OptionInfo dictOption(std::string path, std::string help)
{
    return entry(std::move(path), OptionType::Dict, OptionDict{}, std::move(help));
}

OptionInfo intListOption(std::string path, double min, std::string unit, std::string help)
{
    auto option = entry(std::move(path), OptionType::IntList, std::vector<std::int64_t>{}, std::move(help));
    option.min = min;
    option.unit = std::move(unit);
    return option;
}

OptionInfo deprecated(OptionInfo option, std::string message)
{
    option.deprecated = true;
    option.deprecatedMessage = std::move(message);
    return option;
}

std::vector<OptionInfo> finishTable(std::vector<OptionInfo> table, OptionCategory category)
{
    for (auto &option : table) {
        option.category = category;
        option.since = "0.1";
        option.reason = reasonAgainst(category, option.path);
        option.effect = isActive(category, option.path) ? Effect::Active : option.reason.empty() ? Effect::NotYet : Effect::Cannot;
        option.activePart = activePart(category, option.path);
    }
    return table;
}

} // namespace detail

namespace {

std::string_view lastName(std::string_view path)
{
    auto const dot = path.rfind('.');
    return dot == std::string_view::npos ? path : path.substr(dot + 1);
}

bool endsInPath(std::string_view whole, std::string_view tail)
{
    return whole == tail || (whole.size() > tail.size() && whole.ends_with(tail) && whole[whole.size() - tail.size() - 1] == '.');
}

Message decimalText(OptionInfo const &option)
{
    if (option.min && option.max)
        return Message::of("a number with a decimal point from %1 to %2", numberText(*option.min), numberText(*option.max));
    if (option.min) return Message::of("a number with a decimal point of at least %1", numberText(*option.min));
    if (option.max) return Message::of("a number with a decimal point of at most %1", numberText(*option.max));
    return Message::of("a number with a decimal point");
}

Message withUnit(Message number, OptionInfo const &option)
{
    return option.unit.empty() ? number : Message::of("%1 (%2)", number, Message(option.unit));
}

} // namespace

std::span<OptionInfo const> ipuConfigOptions()
{
    static auto const kTable = [] {
        auto table = detail::coreOptions();
        auto const middle = detail::optimizationOptions();
        // The reference lists the optimizations after the norms.
        auto const at = std::find_if(table.begin(), table.end(), [](auto const &option) { return option.path.starts_with("scheduling."); });
        table.insert(at, middle.begin(), middle.end());
        return detail::finishTable(std::move(table), OptionCategory::IpuConfig);
    }();
    return kTable;
}

std::span<OptionInfo const> optionsOf(OptionCategory category)
{
    switch (category) {
    case OptionCategory::IpuConfig: return ipuConfigOptions();
    case OptionCategory::Flag: return poplarFlags();
    case OptionCategory::Engine: return engineOptions();
    case OptionCategory::Target: return targetOptions();
    case OptionCategory::Runtime: return runtimeOptions();
    }
    return {};
}

OptionInfo const *findOption(std::span<OptionInfo const> table, std::string_view path)
{
    auto const found = std::find_if(table.begin(), table.end(), [path](auto const &option) { return option.path == path; });
    return found == table.end() ? nullptr : &*found;
}

std::string nearestOption(std::span<OptionInfo const> table, std::string_view path)
{
    // Edit distance is quadratic; no option name is near this long.
    constexpr std::size_t kLongest = 200;
    if (path.empty() || path.size() > kLongest) return {};
    std::vector<std::string> names, lastNames;
    for (auto const &option : table) {
        if (endsInPath(option.path, path)) return option.path;
        names.push_back(option.path);
        lastNames.emplace_back(lastName(option.path));
    }
    if (auto near = nearestName(path, names); !near.empty()) return near;
    auto const near = nearestName(lastName(path), lastNames);
    if (near.empty()) return {};
    auto const at = std::find(lastNames.begin(), lastNames.end(), near);
    return names[static_cast<std::size_t>(std::distance(lastNames.begin(), at))];
}

bool isOptionGroup(std::span<OptionInfo const> table, std::string_view path)
{
    return !path.empty() && std::any_of(table.begin(), table.end(), [path](auto const &option) {
        return option.path.size() > path.size() && option.path.starts_with(path) && option.path[path.size()] == '.';
    });
}

std::string_view toText(OptionCategory category)
{
    switch (category) {
    case OptionCategory::IpuConfig: return "ipu_config";
    case OptionCategory::Flag: return "flag";
    case OptionCategory::Engine: return "engine";
    case OptionCategory::Target: return "target";
    case OptionCategory::Runtime: return "runtime";
    }
    return "";
}

std::string_view toText(OptionType type)
{
    switch (type) {
    case OptionType::Bool: return "bool";
    case OptionType::Int: return "int";
    case OptionType::Float: return "float";
    case OptionType::Text: return "text";
    case OptionType::Path: return "path";
    case OptionType::Enum: return "enum";
    case OptionType::Dict: return "dict";
    case OptionType::IntList: return "int or list of int";
    }
    return "";
}

std::string_view toText(Effect effect)
{
    switch (effect) {
    case Effect::Active: return "active";
    case Effect::NotYet: return "not yet";
    case Effect::Cannot: return "cannot";
    }
    return "";
}

std::string placeOf(OptionCategory category, std::string_view path)
{
    std::string const name(path);
    switch (category) {
    case OptionCategory::IpuConfig: return "ipu_config." + name;
    case OptionCategory::Flag: return "TF_POPLAR_FLAGS --" + name;
    case OptionCategory::Engine: return "POPLAR_ENGINE_OPTIONS " + name;
    case OptionCategory::Target: return "POPLAR_TARGET_OPTIONS " + name;
    case OptionCategory::Runtime: return "POPLAR_RUNTIME_OPTIONS " + name;
    }
    return name;
}

Message expectedText(OptionInfo const &option)
{
    if (!option.allowed.empty()) {
        auto names = option.allowed;
        for (auto &name : names)
            if (name.empty()) name = "\"\" (empty)";
        return Message::of("one of %1", joinText(names, ", "));
    }
    switch (option.type) {
    case OptionType::Bool: return Message::of("true or false");
    case OptionType::Int: return withUnit(integerText(option.min, option.max), option);
    case OptionType::Float: return withUnit(decimalText(option), option);
    case OptionType::Text:
    case OptionType::Enum: return Message::of("text");
    case OptionType::Path: return Message::of("a path");
    case OptionType::Dict: return Message::of("a dictionary of text, as in {\"key\": \"value\"}");
    case OptionType::IntList: return Message::of("%1 or a list of them", withUnit(integerText(option.min, option.max), option));
    }
    return {};
}

std::vector<HelpNote> helpNotes(OptionInfo const &option)
{
    std::vector<HelpNote> notes;
    if (option.effect == Effect::NotYet) notes.push_back({"No effect yet in this version.", {}});
    if (option.effect == Effect::Cannot) notes.push_back({"Cannot have an effect on an emulated device: %1", option.reason});
    if (option.type == OptionType::Dict && option.effect == Effect::Active)
        notes.push_back({"Keys with effect: %1.", joinText(detail::activeDictKeys(option.path), ", ")});
    if (option.deprecated) notes.push_back({"Deprecated. %1", option.deprecatedMessage});
    return notes;
}

std::string fullHelp(OptionInfo const &option)
{
    std::string text = option.help;
    for (auto const &note : helpNotes(option)) {
        text += ' ';
        text += note.text;
        if (auto const at = text.rfind("%1"); !note.value.empty() && at != std::string::npos) text.replace(at, 2, note.value);
    }
    return text;
}

std::string describeOption(OptionInfo const &option)
{
    std::string text = placeOf(option) + "\n";
    text += "  type     " + std::string(toText(option.type)) + ", " + expectedText(option) + "\n";
    text += "  default  " + quotedText(option.defaultValue) + "\n";
    text += "  effect   " + std::string(toText(option.effect)) + "\n  " + fullHelp(option) + "\n";
    return text;
}

Diagnostic unknownOption(OptionCategory category, std::string_view path)
{
    if (auto known = aboutKnownName(placeOf(category, path.substr(0, 200)))) return *known;
    auto const table = optionsOf(category);
    // Something hostile may be long; a message need not be.
    std::string const shown(path.substr(0, 200));
    auto const near = nearestOption(table, path);
    return makeError(ErrorKind::Invalid, "config.unknown-option", placeOf(category, shown), Message::of("there is no option of this name"),
                     near.empty() ? Message::of("`tilewright options` lists all options.")
                                  : Message::of("Did you mean %1?", placeOf(category, near)));
}

std::vector<Diagnostic> settingWarnings(OptionInfo const &option, OptionValue const &value)
{
    std::vector<Diagnostic> warnings;
    if (option.deprecated)
        warnings.push_back(
            makeWarning("config.deprecated", placeOf(option), Message::of("this option is deprecated"), option.deprecatedMessage));
    if (option.effect == Effect::NotYet) {
        warnings.push_back(
            makeWarning("config.no-effect-yet", placeOf(option), Message::of("this option is kept but has no effect yet in this version")));
    } else if (option.effect == Effect::Cannot) {
        warnings.push_back(makeWarning("config.cannot-act", placeOf(option),
                                       Message::of("this option is kept but has no effect on an emulated device: %1", option.reason)));
    } else if (auto const *on = std::get_if<bool>(&value); on && *on && !option.activePart.empty()) {
        warnings.push_back(
            makeWarning("config.no-effect-yet", placeOf(option),
                        Message::of("this option turns on features of which these have an effect in this version: %1", option.activePart)));
    }
    return warnings;
}

} // namespace tilewright::config

#include "engine/config/ipu_config.h"

#include "engine/config/option_value.h"
#include "engine/core/json_text.h"
#include "engine/core/text.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstddef>

namespace tilewright::config {

namespace {

using Json = nlohmann::json;

/// What a path names: an option, and for a dict option perhaps one key of it.
struct Target {
    std::size_t index = 0;
    std::string key; ///< empty: the whole option
    OptionInfo const &info() const { return ipuConfigOptions()[index]; }
};

std::string_view withoutPrefix(std::string_view path)
{
    constexpr std::string_view kPrefix = "ipu_config.";
    return path.starts_with(kPrefix) ? path.substr(kPrefix.size()) : path;
}

Result<Target> resolve(std::string_view fullPath)
{
    auto const path = withoutPrefix(fullPath);
    auto const table = ipuConfigOptions();
    for (std::size_t i = 0; i < table.size(); ++i) {
        auto const &option = table[i];
        if (option.path == path) return Target{i, {}};
        if (option.type == OptionType::Dict && path.size() > option.path.size() + 1 && path.starts_with(option.path)
            && path[option.path.size()] == '.')
            return Target{i, std::string(path.substr(option.path.size() + 1))};
    }
    if (isOptionGroup(table, path) || path == "ipu_config") {
        std::string example;
        for (auto const &option : table)
            if (example.empty() && option.path.starts_with(path)) example = placeOf(option);
        return makeError(ErrorKind::Invalid, "config.is-category", placeOf(OptionCategory::IpuConfig, path),
                         Message::of("this is a category of options, not an option"),
                         example.empty() ? Message::of("Name one option in it.")
                                         : Message::of("Name one option in it, for example %1.", example));
    }
    return unknownOption(OptionCategory::IpuConfig, path);
}

/// A bare integer of a list option becomes a list of one, which is what applying it means.
OptionValue normalised(OptionInfo const &option, OptionValue const &value)
{
    if (option.type == OptionType::IntList)
        if (auto const *single = std::get_if<std::int64_t>(&value)) return std::vector<std::int64_t>{*single};
    return value;
}

void warnAboutKeys(OptionInfo const &option, OptionValue const &value, DiagnosticSink &sink)
{
    auto const *dict = std::get_if<OptionDict>(&value);
    if (!dict) return;
    for (auto const &[key, text] : *dict)
        if (auto warning = dictKeyWarning(option, key)) sink.add(std::move(*warning));
}

void addAll(std::vector<Diagnostic> diagnostics, DiagnosticSink &sink)
{
    for (auto &diagnostic : diagnostics) sink.add(std::move(diagnostic));
}

/// Puts `value` into nested objects by the dots of `path`.
void putNested(Json &root, std::string_view path, Json value)
{
    Json *place = &root;
    for (auto const &name : splitText(path, '.')) place = &(*place)[name];
    *place = std::move(value);
}

/// One option found in a document.
struct Found {
    std::size_t index;
    Json const *value;
};

/// Recurses only into names that are categories, so the depth is that of the option names.
Status collect(Json const &object, std::string const &prefix, std::vector<Found> &found, DiagnosticSink *sink)
{
    auto const table = ipuConfigOptions();
    for (auto const &item : object.items()) {
        std::string const path = prefix + std::string(withoutPrefix(item.key()));
        if (auto const *option = findOption(table, path)) {
            found.push_back({static_cast<std::size_t>(option - table.data()), &item.value()});
        } else if (isOptionGroup(table, path)) {
            if (!item.value().is_object())
                return makeError(ErrorKind::Invalid, "config.is-category", placeOf(OptionCategory::IpuConfig, path),
                                 Message::of("this is a category of options, not an option"),
                                 Message::of("Give an object with its options."));
            TW_TRY(collect(item.value(), path + ".", found, sink));
        } else if (sink) {
            auto warning = unknownOption(OptionCategory::IpuConfig, path);
            warning.severity = Severity::Warning;
            warning.message = Message::of("%1 and it is ignored", warning.message);
            sink->add(std::move(warning));
        }
    }
    return {};
}

} // namespace

IpuConfig::IpuConfig()
{
    m_values.reserve(ipuConfigOptions().size());
    for (auto const &option : ipuConfigOptions()) m_values.push_back(option.defaultValue);
}

OptionInfo const *IpuConfig::metadata(std::string_view path) { return findOption(ipuConfigOptions(), withoutPrefix(path)); }

Result<OptionValue> IpuConfig::get(std::string_view path) const
{
    TW_ASSIGN(Target const target, resolve(path));
    auto const &value = m_values[target.index];
    if (target.key.empty()) return value;
    auto const &entries = std::get<OptionDict>(value);
    auto const entry = entries.find(target.key);
    if (entry == entries.end())
        return makeError(ErrorKind::Invalid, "config.no-such-key", placeOf(OptionCategory::IpuConfig, withoutPrefix(path)),
                         Message::of("this entry is not set"), Message::of("Set it first, or read the whole option."));
    return OptionValue(entry->second);
}

namespace {
/// Engine options the engine does not have. Those read from a file of other origin stay in it, with a warning, until
/// a compile refuses them; nobody may add one.
Status checkEngineKey(OptionInfo const &option, std::string const &key)
{
    if (option.path != "compilation_poplar_options" || findOption(engineOptions(), key)) return {};
    auto error = unknownOption(OptionCategory::Engine, key);
    error.subject = placeOf(option) + "." + key.substr(0, 200);
    return error;
}
} // namespace

Status IpuConfig::set(std::string_view path, OptionValue const &value, DiagnosticSink *sink)
{
    TW_ASSIGN(Target const target, resolve(path));
    auto const &option = target.info();
    if (!target.key.empty()) {
        auto const *text = std::get_if<std::string>(&value);
        if (!text)
            return makeError(ErrorKind::Invalid, "config.wrong-type", placeOf(option) + "." + target.key,
                             Message::of("%1 is not text", quotedText(value)),
                             Message::of("An entry of a dictionary option must be text."));
        TW_TRY(checkEngineKey(option, target.key));
        TW_TRY(checkDictEntry(option, target.key, *text));
        std::get<OptionDict>(m_values[target.index])[target.key] = *text;
        if (sink) {
            addAll(settingWarnings(option, value), *sink);
            if (auto warning = dictKeyWarning(option, target.key)) sink->add(std::move(*warning));
        }
        return {};
    }
    if (auto const *dict = std::get_if<OptionDict>(&value))
        for (auto const &[key, text] : *dict) TW_TRY(checkEngineKey(option, key));
    TW_TRY(checkValue(option, value));
    m_values[target.index] = normalised(option, value);
    if (sink) {
        addAll(settingWarnings(option, m_values[target.index]), *sink);
        warnAboutKeys(option, m_values[target.index], *sink);
    }
    return {};
}

Status IpuConfig::setFromText(std::string_view path, std::string_view text, DiagnosticSink *sink)
{
    TW_ASSIGN(Target const target, resolve(path));
    if (!target.key.empty()) return set(path, std::string(text), sink);
    auto const value = parseValue(target.info(), text);
    if (!value.ok()) return value.error();
    return set(path, *value, sink);
}

Status IpuConfig::setFromJson(std::string_view path, Json const &value, DiagnosticSink *sink)
{
    TW_ASSIGN(Target const target, resolve(path));
    if (target.key.empty()) {
        auto const read = valueFromJson(target.info(), value);
        if (!read.ok()) return read.error();
        return set(path, *read, sink);
    }
    // One entry: read it as a dictionary of one, which knows how entries may be written.
    auto const read = valueFromJson(target.info(), Json::object({{target.key, value}}));
    if (!read.ok()) return read.error();
    return set(path, std::get<OptionDict>(*read).begin()->second, sink);
}

Status IpuConfig::reset(std::string_view path)
{
    TW_ASSIGN(Target const target, resolve(path));
    if (target.key.empty()) m_values[target.index] = target.info().defaultValue;
    else std::get<OptionDict>(m_values[target.index]).erase(target.key);
    return {};
}

OptionValue const &IpuConfig::at(std::string_view path) const
{
    auto const table = ipuConfigOptions();
    auto const *option = findOption(table, withoutPrefix(path));
    TW_CHECK(option, "no option " + std::string(path));
    return m_values[static_cast<std::size_t>(option - table.data())];
}

namespace {
template <typename T> T const &held(OptionValue const &value, std::string_view path)
{
    auto const *result = std::get_if<T>(&value);
    TW_CHECK(result, "option " + std::string(path) + " is read as another type");
    return *result;
}
} // namespace

bool IpuConfig::boolean(std::string_view path) const { return held<bool>(at(path), path); }
std::int64_t IpuConfig::integer(std::string_view path) const { return held<std::int64_t>(at(path), path); }
double IpuConfig::number(std::string_view path) const { return held<double>(at(path), path); }
std::string const &IpuConfig::text(std::string_view path) const { return held<std::string>(at(path), path); }
OptionDict const &IpuConfig::dict(std::string_view path) const { return held<OptionDict>(at(path), path); }
std::vector<std::int64_t> const &IpuConfig::list(std::string_view path) const { return held<std::vector<std::int64_t>>(at(path), path); }

bool IpuConfig::isDefault(std::string_view path) const
{
    auto const *option = metadata(path);
    return option && at(path) == option->defaultValue;
}

std::vector<std::string> IpuConfig::changedPaths() const
{
    std::vector<std::string> paths;
    auto const table = ipuConfigOptions();
    for (std::size_t i = 0; i < table.size(); ++i)
        if (m_values[i] != table[i].defaultValue) paths.push_back(table[i].path);
    return paths;
}

std::vector<Diagnostic> IpuConfig::ignoredSettings() const
{
    std::vector<Diagnostic> result;
    auto const table = ipuConfigOptions();
    for (std::size_t i = 0; i < table.size(); ++i) {
        if (m_values[i] == table[i].defaultValue) continue;
        for (auto &warning : settingWarnings(table[i], m_values[i]))
            if (warning.code != "config.deprecated") result.push_back(std::move(warning));
        DiagnosticSink keys;
        warnAboutKeys(table[i], m_values[i], keys);
        result.insert(result.end(), keys.all().begin(), keys.all().end());
    }
    return result;
}

std::string IpuConfig::str() const
{
    std::string text;
    auto const table = ipuConfigOptions();
    for (std::size_t i = 0; i < table.size(); ++i) text += table[i].path + " = " + toText(m_values[i]) + "\n";
    return text;
}

std::string IpuConfig::changedText() const
{
    std::string text;
    for (auto const &path : changedPaths()) text += path + " = " + toText(at(path)) + "\n";
    return text;
}

Json IpuConfig::toFlatJson(bool changedOnly) const
{
    auto json = Json::object();
    auto const table = ipuConfigOptions();
    for (std::size_t i = 0; i < table.size(); ++i)
        if (!changedOnly || m_values[i] != table[i].defaultValue) json[table[i].path] = valueToJson(m_values[i]);
    return json;
}

Json IpuConfig::toNestedJson(bool changedOnly) const
{
    auto json = Json::object();
    auto const table = ipuConfigOptions();
    for (std::size_t i = 0; i < table.size(); ++i)
        if (!changedOnly || m_values[i] != table[i].defaultValue) putNested(json, table[i].path, valueToJson(m_values[i]));
    return json;
}

Status IpuConfig::fromJson(Json const &document, DiagnosticSink *sink, MissingOptions missing)
{
    if (!document.is_object())
        return makeError(ErrorKind::Invalid, "config.bad-json", "ipu_config", Message::of("the configuration is not a JSON object"),
                         Message::of("Give an object of option names and values."));
    auto const table = ipuConfigOptions();
    // Warnings are held back too: a refused document changes and says nothing but its error.
    DiagnosticSink warnings;
    std::vector<Found> found;
    TW_TRY(collect(document, {}, found, &warnings));

    auto values = m_values;
    std::vector<bool> mentioned(table.size(), false);
    for (auto const &[index, json] : found) {
        TW_ASSIGN(values[index], valueFromJson(table[index], *json, true));
        mentioned[index] = true;
        // A full document names every option; only what it changes is worth a word.
        if (values[index] == table[index].defaultValue) continue;
        addAll(settingWarnings(table[index], values[index]), warnings);
        warnAboutKeys(table[index], values[index], warnings);
    }
    if (missing == MissingOptions::Warn) {
        std::vector<std::string> names;
        for (std::size_t i = 0; i < table.size(); ++i)
            if (!mentioned[i]) names.push_back(table[i].path);
        if (!names.empty())
            warnings.add(makeWarning(
                "config.missing-options", "ipu_config",
                names.size() == 1 ? Message::of("one option is missing and keeps its value: %1", names.front())
                                  : Message::of("%1 options are missing and keep their values: %2", names.size(), joinText(names, ", "))));
    }
    m_values = std::move(values);
    if (sink) addAll(warnings.all(), *sink);
    return {};
}

Status IpuConfig::fromJsonText(std::string_view document, DiagnosticSink *sink, MissingOptions missing)
{
    auto const json = jsonOrDiscarded(document);
    if (json.is_discarded())
        return makeError(ErrorKind::Invalid, "config.bad-json", "ipu_config", Message::of("the configuration is not JSON text"),
                         Message::of("Give an object of option names and values."));
    return fromJson(json, sink, missing);
}

} // namespace tilewright::config

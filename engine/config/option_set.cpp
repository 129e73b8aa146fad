#include "engine/config/option_set.h"

#include "engine/config/option_value.h"

#include <nlohmann/json.hpp>

namespace tilewright::config {

bool OptionSet::isSet(std::string_view path) const { return m_values.find(path) != m_values.end(); }

OptionValue const &OptionSet::at(std::string_view path) const
{
    if (auto const found = m_values.find(path); found != m_values.end()) return found->second;
    auto const *option = findOption(optionsOf(m_category), path);
    TW_CHECK(option, "no option " + placeOf(m_category, path));
    return option->defaultValue;
}

bool OptionSet::boolean(std::string_view path) const
{
    auto const *value = std::get_if<bool>(&at(path));
    TW_CHECK(value, placeOf(m_category, path) + " is not a bool");
    return *value;
}

std::int64_t OptionSet::integer(std::string_view path) const
{
    auto const *value = std::get_if<std::int64_t>(&at(path));
    TW_CHECK(value, placeOf(m_category, path) + " is not an integer");
    return *value;
}

std::string const &OptionSet::text(std::string_view path) const
{
    auto const *value = std::get_if<std::string>(&at(path));
    TW_CHECK(value, placeOf(m_category, path) + " is not text");
    return *value;
}

Status OptionSet::set(std::string_view path, OptionValue const &value, DiagnosticSink *sink)
{
    auto const *option = findOption(optionsOf(m_category), path);
    if (!option) return unknownOption(m_category, path);
    TW_TRY(checkValue(*option, value));
    if (sink)
        for (auto &warning : settingWarnings(*option, value)) sink->add(std::move(warning));
    m_values.insert_or_assign(option->path, value);
    return {};
}

Status OptionSet::setFromText(std::string_view path, std::string_view text, DiagnosticSink *sink)
{
    auto const *option = findOption(optionsOf(m_category), path);
    if (!option) return unknownOption(m_category, path);
    auto const value = parseValue(*option, text);
    if (!value.ok()) return value.error();
    return set(path, *value, sink);
}

void OptionSet::overlay(OptionSet const &winner)
{
    TW_CHECK(m_category == winner.m_category, "option sets of two tables laid over each other");
    for (auto const &[path, value] : winner.m_values) m_values.insert_or_assign(path, value);
}

nlohmann::json OptionSet::toJson() const
{
    auto json = nlohmann::json::object();
    for (auto const &[path, value] : m_values) json[path] = valueToJson(value);
    return json;
}

std::string OptionSet::hashText() const
{
    std::string text;
    std::string const name(toText(m_category));
    for (auto const &option : optionsOf(m_category))
        if (option.inExecutableHash) text += name + " " + option.path + "=" + quotedText(at(option.path)) + "\n";
    return text;
}

} // namespace tilewright::config

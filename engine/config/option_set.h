#pragma once

#include "engine/config/options.h"

#include <nlohmann/json_fwd.hpp>

namespace tilewright::config {

/// The options of one table (not ipu_config) that were set; all others have their defaults. A project's set and the environment's can
/// therefore be combined option by option. A value.
class OptionSet {
public:
    explicit OptionSet(OptionCategory category) : m_category(category) {}

    OptionCategory category() const { return m_category; }
    bool empty() const { return m_values.empty(); }
    bool isSet(std::string_view path) const;
    std::map<std::string, OptionValue, std::less<>> const &values() const { return m_values; }

    /// The option's value, or its default. Requires: the option exists and has this type.
    bool boolean(std::string_view path) const;
    std::int64_t integer(std::string_view path) const;
    std::string const &text(std::string_view path) const;

    /// Requires the exact type. Refuses an unknown name with the nearest. Warnings go to the sink (may be null).
    Status set(std::string_view path, OptionValue const &value, DiagnosticSink *sink = nullptr);
    Status setFromText(std::string_view path, std::string_view text, DiagnosticSink *sink = nullptr);

    /// Every setting of `winner` replaces the one here. Requires: same category.
    void overlay(OptionSet const &winner);

    /// The set options, by name.
    nlohmann::json toJson() const;
    /// One line "CATEGORY path=value" per option of the executable hash, set or not.
    std::string hashText() const;

    bool operator==(OptionSet const &) const = default;

private:
    OptionValue const &at(std::string_view path) const;

    OptionCategory m_category;
    std::map<std::string, OptionValue, std::less<>> m_values;
};

} // namespace tilewright::config

#pragma once

#include "engine/config/options.h"

#include <nlohmann/json_fwd.hpp>

namespace tilewright::config {

/// The options of one table (not ipu_config) that somebody has set; all others have their defaults. So a
/// project's set and the environment's can be laid over each other option by option. A value.
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

    /// Exact type; unknown names are refused with the nearest. Warnings go to the sink (may be null).
    Status set(std::string_view path, OptionValue const &value, DiagnosticSink *sink = nullptr);
    Status setFromText(std::string_view path, std::string_view text, DiagnosticSink *sink = nullptr);

    /// Every setting of `winner` replaces ours. Requires: same category.
    void overlay(OptionSet const &winner);

    /// What is set, by name.
    nlohmann::json toJson() const;
    /// "CATEGORY path=value" lines of every option of the executable hash, set or not.
    std::string hashText() const;

    bool operator==(OptionSet const &) const = default;

private:
    OptionValue const &at(std::string_view path) const;

    OptionCategory m_category;
    std::map<std::string, OptionValue, std::less<>> m_values;
};

} // namespace tilewright::config

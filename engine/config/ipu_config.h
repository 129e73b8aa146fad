#pragma once

#include "engine/config/options.h"

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace tilewright::config {

/// Treatment of options that a loaded document does not mention.
enum class MissingOptions {
    Warn, ///< keeps their values and warns once
    Keep  ///< keeps their values silently (documents that hold only changed options)
};

/// The current value of every option in section 2 of the reference. A value: it takes effect when it is applied, after validate(). Paths
/// may have the prefix "ipu_config.".
///
/// Errors are Invalid and name the option. Warnings (deprecated, no effect yet, unknown key) go to the sink, which may be null. A refused
/// change leaves the configuration unchanged.
class IpuConfig {
public:
    IpuConfig(); ///< all defaults

    /// The value of an option. For a dict option, `PATH.KEY` is the text of that entry; a missing entry is an error.
    Result<OptionValue> get(std::string_view path) const;
    /// Requires the exact type. A bare integer for a list option becomes a list of one. `PATH.KEY` with a text sets one entry of a dict
    /// option. Refuses assignment to a category (config.is-category).
    Status set(std::string_view path, OptionValue const &value, DiagnosticSink *sink = nullptr);
    /// Sets an option from the command line's text: see parseValue in option_value.h.
    Status setFromText(std::string_view path, std::string_view text, DiagnosticSink *sink = nullptr);
    Status setFromJson(std::string_view path, nlohmann::json const &value, DiagnosticSink *sink = nullptr);
    /// Resets to the default. For `PATH.KEY`, removes the entry.
    Status reset(std::string_view path);

    // Typed access. Requires: the option exists and has this type.
    bool boolean(std::string_view path) const;
    std::int64_t integer(std::string_view path) const;
    double number(std::string_view path) const;
    std::string const &text(std::string_view path) const;
    OptionDict const &dict(std::string_view path) const;
    std::vector<std::int64_t> const &list(std::string_view path) const;

    bool isDefault(std::string_view path) const;
    /// Paths of all options that differ from their default, in table order.
    std::vector<std::string> changedPaths() const;
    /// Warnings for changed options without effect in this version.
    std::vector<Diagnostic> ignoredSettings() const;

    /// One "full.name = value" line per option, in table order.
    std::string str() const;
    /// The same, for changed options only.
    std::string changedText() const;

    /// JSON object with full paths as keys and enums by name. All options, or the changed ones.
    nlohmann::json toFlatJson(bool changedOnly = false) const;
    /// The same as nested objects: {"io_tiles": {"num_io_tiles": 32}}.
    nlohmann::json toNestedJson(bool changedOnly = false) const;
    /// Reads flat, nested or mixed form, with enums by name or by number (as the original library saves them). A missing option keeps its
    /// value. An unknown one is ignored with a warning that names the nearest. A refused value leaves the whole configuration unchanged.
    Status fromJson(nlohmann::json const &document, DiagnosticSink *sink = nullptr, MissingOptions missing = MissingOptions::Warn);
    /// The same from text. Refuses text that is not a JSON object (config.bad-json).
    Status fromJsonText(std::string_view document, DiagnosticSink *sink = nullptr, MissingOptions missing = MissingOptions::Warn);

    /// Type, default, help and so on; null if the option does not exist.
    static OptionInfo const *metadata(std::string_view path);

    bool operator==(IpuConfig const &) const = default;

private:
    OptionValue const &at(std::string_view path) const;

    std::vector<OptionValue> m_values; ///< one per entry of ipuConfigOptions(), in its order
};

} // namespace tilewright::config

#pragma once

#include "engine/config/options.h"

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace tilewright::config {

/// What loading a document does about options it does not mention.
enum class MissingOptions {
    Warn, ///< keeps their values and says so once
    Keep  ///< keeps their values in silence (documents that only hold what was changed)
};

/// Every option of the reference's section 2 with its present value. A value: it takes effect only where
/// somebody applies it, after validate(). Paths may be given with or without the leading "ipu_config.".
///
/// Errors are of kind Invalid and name the option. Warnings (deprecated, no effect yet, unknown key) go to
/// the sink, which may be null. A refused change leaves the configuration as it was.
class IpuConfig {
public:
    IpuConfig(); ///< all defaults

    /// The value of an option. `PATH.KEY` of a dict option is that entry's text; a missing entry is an error.
    Result<OptionValue> get(std::string_view path) const;
    /// Exact types, no coercion. A bare integer for a list option becomes a list of one. `PATH.KEY` with a
    /// text sets one entry of a dict option. Assigning to a category is refused (config.is-category).
    Status set(std::string_view path, OptionValue const &value, DiagnosticSink *sink = nullptr);
    /// As the command line has it: see parseValue in option_value.h.
    Status setFromText(std::string_view path, std::string_view text, DiagnosticSink *sink = nullptr);
    Status setFromJson(std::string_view path, nlohmann::json const &value, DiagnosticSink *sink = nullptr);
    /// Back to the default; for `PATH.KEY` removes the entry.
    Status reset(std::string_view path);

    // Typed reading for code that knows the option. Requires: the option exists and has this type.
    bool boolean(std::string_view path) const;
    std::int64_t integer(std::string_view path) const;
    double number(std::string_view path) const;
    std::string const &text(std::string_view path) const;
    OptionDict const &dict(std::string_view path) const;
    std::vector<std::int64_t> const &list(std::string_view path) const;

    bool isDefault(std::string_view path) const;
    /// Paths of all options that differ from their default, in table order.
    std::vector<std::string> changedPaths() const;
    /// Those of them that nothing reads yet: what a compile should mention.
    std::vector<Diagnostic> ignoredSettings() const;

    /// One "full.name = value" line per option, in table order.
    std::string str() const;
    /// The same for changed options only.
    std::string changedText() const;

    /// Keys are full paths; enums by name. All options, or the changed ones.
    nlohmann::json toFlatJson(bool changedOnly = false) const;
    /// The same as nested objects: {"io_tiles": {"num_io_tiles": 32}}.
    nlohmann::json toNestedJson(bool changedOnly = false) const;
    /// Reads flat, nested or mixed form; enums by name or by number, as the original library saves them. A
    /// missing option keeps its present value, an unknown one is ignored with a warning that names the
    /// nearest. Any refused value leaves the whole configuration as it was.
    Status fromJson(nlohmann::json const &document, DiagnosticSink *sink = nullptr, MissingOptions missing = MissingOptions::Warn);
    /// The same from text; text that is not a JSON object is refused (config.bad-json).
    Status fromJsonText(std::string_view document, DiagnosticSink *sink = nullptr, MissingOptions missing = MissingOptions::Warn);

    /// Type, default, help and so on; null when there is no such option.
    static OptionInfo const *metadata(std::string_view path);

    bool operator==(IpuConfig const &) const = default;

private:
    OptionValue const &at(std::string_view path) const;

    std::vector<OptionValue> m_values; ///< one per entry of ipuConfigOptions(), in its order
};

} // namespace tilewright::config

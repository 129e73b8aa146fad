#pragma once

#include "engine/config/flags.h"
#include "engine/config/ipu_config.h"
#include "engine/config/log_levels.h"
#include "engine/config/option_set.h"

namespace tilewright::config {

/// The engine, target or runtime options that were given. A value.
class EngineOptions : public OptionSet {
public:
    explicit EngineOptions(OptionCategory category = OptionCategory::Engine) : OptionSet(category) {}

    /// Parses a JSON object of options. Known options are typed; their values may also be text ("true"). An unknown key is refused with the
    /// nearest name. `category`: Engine, Target or Runtime.
    static Result<EngineOptions> parse(OptionCategory category, std::string_view json, DiagnosticSink *sink = nullptr);
    static Result<EngineOptions> fromJson(OptionCategory category, nlohmann::json const &json, DiagnosticSink *sink = nullptr);

    bool operator==(EngineOptions const &) const = default;
};

/// The items of XLA_FLAGS that dump graphs.
struct XlaFlags {
    std::string dumpTo;  ///< --xla_dump_to: the folder; empty: nothing is written
    bool asDot = false;  ///< --xla_dump_hlo_as_dot
    bool asText = false; ///< --xla_dump_hlo_as_text; set if no form is given
    std::string passes;  ///< --xla_dump_hlo_pass_re: after each pass whose name matches; empty: after the last one
    bool operator==(XlaFlags const &) const = default;

    /// Items separated by spaces. Warns about an item that is not read. Refuses a pattern that is no regular expression.
    static Result<XlaFlags> parse(std::string_view text, DiagnosticSink *sink = nullptr);
};

/// Settings in addition to the IPUConfig, from a project or the environment.
struct EnvironmentOptions {
    PoplarFlags flags;                              ///< TF_POPLAR_FLAGS
    EngineOptions engine{OptionCategory::Engine};   ///< POPLAR_ENGINE_OPTIONS
    EngineOptions target{OptionCategory::Target};   ///< POPLAR_TARGET_OPTIONS
    EngineOptions runtime{OptionCategory::Runtime}; ///< POPLAR_RUNTIME_OPTIONS
    LogLevels logs;
    XlaFlags xla = {}; ///< XLA_FLAGS
    bool operator==(EnvironmentOptions const &) const = default;
};

/// Reads the variables. Unset and empty ones change nothing. Warns about set variables of the original software that Tilewright does not
/// read (XLA_FLAGS and others).
Result<EnvironmentOptions> readEnvironment(EnvironmentLookup const &lookup, DiagnosticSink *sink);

/// Combines project and environment; the environment wins option by option. Fails if the result is contradictory (an initializer without
/// synthetic data).
Result<EnvironmentOptions> environmentOverProject(EnvironmentOptions project, EnvironmentOptions const &environment);

/// compilation_poplar_options, overridden by the given engine options. Fails on an unknown key, which only a file of other origin can
/// contain: setting one is refused.
Result<EngineOptions> effectiveEngineOptions(IpuConfig const &config, EnvironmentOptions const &options, DiagnosticSink *sink = nullptr);

/// Canonical text of every setting that affects the executable: equal settings give equal text. Contains nothing about model, target or
/// version; the cache key adds those. `options`: the result of environmentOverProject.
std::string hashText(IpuConfig const &config, EnvironmentOptions const &options);

} // namespace tilewright::config

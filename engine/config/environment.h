#pragma once

#include "engine/config/flags.h"
#include "engine/config/ipu_config.h"
#include "engine/config/log_levels.h"
#include "engine/config/option_set.h"

namespace tilewright::config {

/// Engine, target or runtime options that were given. A value.
class EngineOptions : public OptionSet {
public:
    explicit EngineOptions(OptionCategory category = OptionCategory::Engine) : OptionSet(category) {}

    /// A JSON object of keys. Known keys are typed (their values may be written as text too, "true"); an
    /// unknown key is refused with the nearest name. `category`: Engine, Target or Runtime.
    static Result<EngineOptions> parse(OptionCategory category, std::string_view json, DiagnosticSink *sink = nullptr);
    static Result<EngineOptions> fromJson(OptionCategory category, nlohmann::json const &json, DiagnosticSink *sink = nullptr);

    bool operator==(EngineOptions const &) const = default;
};

/// What is configured beside the IPUConfig, by a project or by the environment.
struct EnvironmentOptions {
    PoplarFlags flags;                              ///< TF_POPLAR_FLAGS
    EngineOptions engine{OptionCategory::Engine};   ///< POPLAR_ENGINE_OPTIONS
    EngineOptions target{OptionCategory::Target};   ///< POPLAR_TARGET_OPTIONS
    EngineOptions runtime{OptionCategory::Runtime}; ///< POPLAR_RUNTIME_OPTIONS
    LogLevels logs;
    bool operator==(EnvironmentOptions const &) const = default;
};

/// Reads the variables; unset and empty ones change nothing. Variables of the original stack that nothing
/// here reads (XLA_FLAGS and the like) give a warning when they are set.
Result<EnvironmentOptions> readEnvironment(EnvironmentLookup const &lookup, DiagnosticSink *sink);

/// Project and environment together: the environment wins option by option. Fails when the two together
/// contradict each other (an initializer without synthetic data).
Result<EnvironmentOptions> environmentOverProject(EnvironmentOptions project, EnvironmentOptions const &environment);

/// compilation_poplar_options with the given engine options over them. Fails on a key that is none (one may
/// have been read from a file of other origin; setting it is refused).
Result<EngineOptions> effectiveEngineOptions(IpuConfig const &config, EnvironmentOptions const &options, DiagnosticSink *sink = nullptr);

/// Canonical text of every setting that makes another executable: equal settings give equal text whatever
/// way they were given. Holds nothing of the model, the target or the version; the cache key adds those.
/// `options`: after environmentOverProject.
std::string hashText(IpuConfig const &config, EnvironmentOptions const &options);

} // namespace tilewright::config

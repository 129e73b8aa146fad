#pragma once

#include "engine/core/result.h"

#include <array>
#include <functional>
#include <optional>
#include <string_view>

namespace tilewright::config {

enum class LogLevel { Off, Err, Warn, Info, Debug, Trace };

/// The parts of the engine that log, named after their folders or subjects.
enum class LogComponent { Compiler, Planner, Allocator, Runtime, Device, Cache, Data, Store };
inline constexpr std::size_t kLogComponents = 8;

std::string_view toText(LogLevel level);         ///< "OFF", "ERR", "WARN", "INFO", "DEBUG", "TRACE"
std::string_view toText(LogComponent component); ///< "compiler", …
/// Ignores case. Refuses an unknown level with the nearest name.
Result<LogLevel> parseLogLevel(std::string_view text);
Result<LogComponent> parseLogComponent(std::string_view text);

/// Looks up a variable like getenv; null if it is not set.
using EnvironmentLookup = std::function<char const *(char const *)>;

/// The level of each component; WARN by default. A value.
class LogLevels {
public:
    LogLevel level(LogComponent component) const;
    bool logs(LogComponent component, LogLevel level) const; ///< Requires: level is not Off
    bool isSet(LogComponent component) const;
    void set(LogComponent component, LogLevel level);
    /// Reads "COMPONENT=LEVEL", "all=LEVEL", or several of them separated by commas. Refused as a whole.
    Status setFromText(std::string_view text);
    /// Levels set in `winner` replace those here.
    void overlay(LogLevels const &winner);
    /// The levels that were set: "compiler=DEBUG,cache=INFO". setFromText reads it back.
    std::string text() const;

    bool operator==(LogLevels const &) const = default;

private:
    std::array<std::optional<LogLevel>, kLogComponents> m_levels;
};

/// Reads the variables of the original software. Later entries of this list win: TF_CPP_MIN_VLOG_LEVEL=N for all components;
/// POPLAR_LOG_LEVEL for allocator, runtime, device; POPLIBS_LOG_LEVEL for planner; TF_POPLAR_VLOG_LEVEL=N for compiler, cache, data, store;
/// TF_CPP_VMODULE=file=N,… for single components (poplar_compiler, poplar_executable, … or our own names; other file names are ignored with
/// a warning). N: 0 WARN, 1 INFO, 2 DEBUG, 3 and more TRACE.
Result<LogLevels> readLogLevels(EnvironmentLookup const &lookup, DiagnosticSink *sink);

} // namespace tilewright::config

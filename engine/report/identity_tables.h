#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

// Content of the file, the options it was made with, and headline figures.
namespace tilewright::report {

enum class PartState { Absent, Writing, Complete, Truncated, Failed };
/// The stable name in the file and on the command line: "complete".
std::string_view toText(PartState state);
std::optional<PartState> parsePartState(std::string_view text);

/// One part of the file. Names: target, graph, program, memory, liveness, run, host, series, log, insight.
struct PartRow {
    std::string name;
    PartState state = PartState::Absent;
    std::int64_t rows = 0, bytes = 0;
    std::int64_t watermark = 0; ///< cycle, step or ns up to which the part is complete
    std::string note;
    bool operator==(PartRow const &) const = default;
};

struct OptionRow {
    std::string scope; ///< ipu_config, engine, pipeline, training, environment
    std::string name, value;
    std::optional<std::string> defaultValue;
    std::string source = "default"; ///< default, project, run, derived
    bool operator==(OptionRow const &) const = default;
};

/// A headline figure of the compile that no other table holds: cycles_per_step, samples_per_second, flops_per_step, compute_sets, vertices,
/// exchanges, samples_per_step, ... Names as in the JSON of `compile`.
struct FigureRow {
    std::string name;
    double value = 0;
    std::string unit;                ///< cycles, bytes, hertz, count, seconds, "1/s", ...
    std::string origin = "modelled"; ///< modelled, estimated, measured
    bool operator==(FigureRow const &) const = default;
};

} // namespace tilewright::report

#pragma once

#include "engine/core/result.h"

#include <map>
#include <string>
#include <vector>

namespace tilewright::store {

class ReportReader;

/// The headline values of a report by name, for budgets, summaries and comparisons. Units are in the names: bytes, cycles, seconds. Shares
/// are 0 to 1; fits is 0 or 1. Tiles: max_tile_bytes, max_tile_bytes_with_gaps, total_bytes, total_bytes_with_gaps, limit_bytes, headroom
/// (of the worst tile), always_live_bytes, peak_live_bytes, CATEGORY_bytes (vertex_code_bytes, ...). Program: compute_sets, vertices,
/// exchanges, programs, variables, operations. Last run: cycles, steps, samples, cycles_per_step, samples_per_second, emulated_seconds,
/// host_seconds, utilisation, tile_utilisation, bubble_share. Also every figure of the compile under its own name (these take precedence),
/// the last value of every series of the whole report under the series' name, and errors, warnings: counts of insights. A value that the
/// report does not contain is missing in the map.
Result<std::map<std::string, double>> reportValues(ReportReader const &reader);

struct AssertResult {
    std::string expression;
    bool met = false;
    double value = 0; ///< of the left side of the (first) comparison
    bool operator==(AssertResult const &) const = default;
};

/// A budget: 'max_tile_bytes < 600000', 'headroom >= 5 KiB and utilisation > 40%'. Grammar: sums, products and parentheses of names and
/// numbers (suffixes k, M, G, KiB, MiB, GiB, %), one of < <= > >= == !=, joined by 'and' (or &&). Errors (Usage): assert.syntax names the
/// position; assert.unknown-value names the nearest value.
Result<AssertResult> evaluateAssert(std::string const &expression, std::map<std::string, double> const &values);

} // namespace tilewright::store

#pragma once

#include "engine/report/table_basics.h"

#include <cstdint>
#include <string>
#include <vector>

// Numbers over time: series and heat maps.
namespace tilewright::report {

struct SeriesRow {
    int run = kNone;
    std::string name, unit;
    std::string axis = "step"; ///< step, epoch, cycle, ns
    std::string subjectKind;   ///< empty = none
    int subjectId = kNone;
    bool operator==(SeriesRow const &) const = default;
};

/// x ascending; y may be NaN.
struct SeriesPoints {
    std::vector<std::int64_t> x;
    std::vector<double> y;
    bool operator==(SeriesPoints const &) const = default;
};

struct HeatmapRow {
    int run = kNone;
    std::string name, unit, axis = "step";
    int op = kNone;
    std::vector<double> edges; ///< ascending, bins + 1 of them
    bool operator==(HeatmapRow const &) const = default;
};

struct HeatmapColumnRow {
    int heatmap = 0;
    std::int64_t x = 0;
    std::int64_t below = 0, above = 0, nans = 0, zeros = 0;
    std::vector<std::int64_t> counts; ///< by bin
    bool operator==(HeatmapColumnRow const &) const = default;
};

} // namespace tilewright::report

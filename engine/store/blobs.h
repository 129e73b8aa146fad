#pragma once

#include "engine/report/program_tables.h"
#include "engine/report/run_tables.h"
#include "engine/report/series_tables.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

// Report blobs whose columns belong together. Decoders check codes and column lengths. Errors are Data, code "report.packed" or
// "report.blob".
namespace tilewright::store {

/// Columns: from, to, bytes; largest first. Keeps the kExchangePairs largest pairs and sums the rest in (-1, -1).
std::string encodePairs(std::span<report::ExchangePair const> pairs);
Result<std::vector<report::ExchangePair>> decodePairs(std::string_view blob);

/// Columns: start, duration, type, argument, vec. Items [begin, end) of `events`.
std::string encodeEvents(report::EventColumns const &events, std::size_t begin, std::size_t end);
Result<report::EventColumns> decodeEvents(std::string_view blob);

/// Columns: x, y (floats). Items [begin, end).
std::string encodePoints(report::SeriesPoints const &points, std::size_t begin, std::size_t end);
Result<report::SeriesPoints> decodePoints(std::string_view blob);

/// A column of numbers: one by one, or as runs (length, value) if that is smaller.
std::string encodeIntegers(std::span<std::int64_t const> values);
Result<std::vector<std::int64_t>> decodeIntegers(std::string_view blob);
Result<std::vector<double>> decodeReals(std::string_view blob);

/// Summary of a chunk's events, stored in its row.
struct EventHead {
    std::int64_t first = 0, last = 0; ///< start of the first, end of the last
    std::int64_t events = 0, busy = 0, longest = 0, longestIndex = 0;
    std::int64_t compute = 0, exchange = 0, stream = 0, sync = 0;
    bool operator==(EventHead const &) const = default;
};

} // namespace tilewright::store

#pragma once

#include "engine/report/table_basics.h"

#include <cstdint>
#include <string>

// The host's activity and messages: passes of the compile, the log.
namespace tilewright::report {

struct CompilePassRow {
    int parent = kNone;
    std::string name;
    std::int64_t startNs = 0, endNs = -1;                               ///< -1: did not end
    std::int64_t itemsBefore = -1, itemsAfter = -1, peakHostBytes = -1; ///< -1: not known
    std::string cache;                                                  ///< hit, miss, off; empty = does not apply
    std::string cacheReason;                                            ///< first differing field
    std::string snapshot;                                               ///< bytes; empty = none
    bool operator==(CompilePassRow const &) const = default;
};

struct LogRow {
    std::int64_t hostNs = 0;
    int level = 0; ///< 0 debug, 1 info, 2 warning, 3 error
    std::string component, code, text;
    std::int64_t repeats = 1;
    int run = kNone, ipu = kNone, tile = kNone;
    std::int64_t step = -1;
    int op = kNone;
    bool operator==(LogRow const &) const = default;
};

} // namespace tilewright::report

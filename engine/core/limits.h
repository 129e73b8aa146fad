#pragma once

#include "engine/core/result.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace tilewright {

/// Bounds on the content of untrusted files. They are far above the needs of real files and stop a small file from taking the machine's
/// memory or time.
enum class Limit { JsonDepth, JsonBytes, InflatedBytes, Elements, NameBytes };

struct LimitInfo {
    Limit limit;
    char const *name; ///< as in `--limit NAME=VALUE`
    std::int64_t standard, most;
    char const *help;
};

/// All limits, in the order of the enumeration.
std::span<LimitInfo const> limitTable();

/// The bound in this process. Limits belong to the process, like those of a shell: readers are far from the command line, and a reader
/// without a limit parameter would be unbounded.
std::int64_t limitOf(Limit limit);
/// Sets "NAME=VALUE". Call it before work begins. Error: Usage "cli.limit" (unknown name, not a number, out of range).
Status setLimit(std::string_view assignment);

/// "The limit is json_depth=500; read a file that you trust with `--limit json_depth=NUMBER`."
Message limitRemedy(Limit limit);

} // namespace tilewright

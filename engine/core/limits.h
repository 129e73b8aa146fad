#pragma once

#include "engine/core/result.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace tilewright {

/// What a file from a stranger may ask for. The bounds are far above what real files need, and stop a small file
/// from taking the memory or the time of the machine.
enum class Limit { JsonDepth, JsonBytes, InflatedBytes, Elements };

struct LimitInfo {
    Limit limit;
    char const *name; ///< as in `--limit NAME=VALUE`
    std::int64_t standard, most;
    char const *help;
};

/// All limits, in the order of the enumeration.
std::span<LimitInfo const> limitTable();

/// The bound that holds in this process. They are the process's own, as those of a shell are: readers are far from
/// the command line, and a limit that one of them was not handed would be none.
std::int64_t limitOf(Limit limit);
/// "NAME=VALUE". Call before work begins. Error: Usage "cli.limit" (unknown name, no number, out of range).
Status setLimit(std::string_view assignment);

/// "The limit is json_depth=500; read a file that you trust with `--limit json_depth=NUMBER`."
Message limitRemedy(Limit limit);

} // namespace tilewright

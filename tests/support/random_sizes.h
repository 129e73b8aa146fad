#pragma once

#include "engine/core/random.h"

#include <cstdint>

namespace tilewright::tests {

/// 1 to `limit`.
inline std::int64_t upTo(RandomStream &random, std::int64_t limit)
{
    return 1 + static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(limit)));
}

} // namespace tilewright::tests

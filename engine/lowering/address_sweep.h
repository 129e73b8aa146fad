#pragma once

#include "engine/core/types.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <vector>

namespace tilewright::lowering {

/// Calls `visit(from, to, kinds, items)` for each run of used addresses of a tile with the same number of `items`, of the kinds in the bit
/// set `kinds`. Sums over the runs count each address once. Requires: items sorted by offset; `kindOf(item)` below kKinds, which is at most
/// 64.
template <std::size_t kKinds, typename Items, typename KindOf, typename Visit>
void sweepAddresses(Items const &items, KindOf const &kindOf, Visit const &visit)
{
    constexpr int kKindBits = 6;
    static_assert(kKinds <= std::size_t{1} << kKindBits);
    // Ends of items with their kind, in order. Items begin in list order.
    std::vector<std::uint64_t> ends;
    ends.reserve(items.size());
    for (auto const &item : items)
        if (item.bytes > 0) ends.push_back(static_cast<std::uint64_t>(item.offset + item.bytes) << kKindBits | kindOf(item));
    std::ranges::sort(ends);
    std::array<int, kKinds> here{}; // number of items of each kind at the current address
    std::uint64_t kinds = 0;        // bit set of the kinds at the current address
    int count = 0;
    Bytes from = 0;
    auto const advance = [&](Bytes address) {
        if (count > 0 && address > from) visit(from, address, kinds, count);
        from = address;
    };
    auto item = items.begin();
    for (auto const end : ends) {
        auto const address = static_cast<Bytes>(end >> kKindBits);
        for (; item != items.end() && item->offset <= address; ++item) {
            if (item->bytes <= 0) continue;
            advance(item->offset);
            auto const kind = static_cast<std::size_t>(kindOf(*item));
            ++count;
            if (here[kind]++ == 0) kinds |= std::uint64_t{1} << kind;
        }
        advance(address);
        auto const kind = static_cast<std::size_t>(end & ((1u << kKindBits) - 1));
        --count;
        if (--here[kind] == 0) kinds &= ~(std::uint64_t{1} << kind);
    }
}

} // namespace tilewright::lowering

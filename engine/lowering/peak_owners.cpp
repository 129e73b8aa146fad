#include "engine/lowering/peak_owners.h"

#include <algorithm>
#include <map>

namespace tilewright::lowering {

using namespace program;

std::vector<Placement const *> liveAtPeak(Liveness const &liveness, Memory const &memory, int tile)
{
    auto const t = static_cast<std::size_t>(tile);
    int const step = memory.peakStep[t];
    std::vector<Placement const *> live;
    for (auto const &item : memory.layouts[static_cast<std::size_t>(memory.layoutOf[t])].items) {
        if (item.variable < 0) continue;
        auto const &intervals = liveness.classes[static_cast<std::size_t>(item.livenessClass)];
        if (item.livenessClass == 0 || intersects(intervals, {{step, step + 1}})) live.push_back(&item);
    }
    std::ranges::stable_sort(live, [](auto const *a, auto const *b) { return a->bytes > b->bytes; });
    return live;
}

std::string layerOf(Program const &program, int op)
{
    for (; op >= 0; op = program.ops[static_cast<std::size_t>(op)].parent) {
        auto const &one = program.ops[static_cast<std::size_t>(op)];
        if (one.level == "keras" && one.kind != kFunctionOp) return one.name;
    }
    return {};
}

std::vector<PeakOwner> peakOwners(Program const &program, Liveness const &liveness, Memory const &memory, int tile)
{
    std::map<std::string, Bytes> bytes;
    for (auto const *item : liveAtPeak(liveness, memory, tile))
        bytes[layerOf(program, program.variables[static_cast<std::size_t>(item->variable)].op)] += item->bytes;
    bytes.erase(std::string());
    std::vector<PeakOwner> owners;
    for (auto const &[layer, sum] : bytes) owners.push_back({layer, sum});
    std::ranges::stable_sort(owners, [](auto const &a, auto const &b) { return a.bytes > b.bytes; });
    return owners;
}

} // namespace tilewright::lowering

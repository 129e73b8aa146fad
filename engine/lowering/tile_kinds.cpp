#include "engine/lowering/tile_kinds.h"

#include <algorithm>
#include <map>
#include <utility>

namespace tilewright::lowering {

using namespace program;

namespace {

constexpr std::size_t kNear = 64; ///< steps

MemoryCategory kindOf(Category category)
{
    switch (category) {
    case Category::Variable: return MemoryCategory::Variable;
    case Category::Constant: return MemoryCategory::Constant;
    case Category::Output: return MemoryCategory::Output;
    case Category::ExchangeBuffer: return MemoryCategory::ExchangeBuffer;
    case Category::Rearrangement: return MemoryCategory::Rearrangement;
    }
    return MemoryCategory::Variable;
}

/// What the compiler puts on a tile itself.
std::vector<Placement> ownItems(CodeBytes const &code, std::size_t tile)
{
    std::vector<Placement> items;
    auto const add = [&](MemoryCategory kind, Bytes bytes, bool executable) {
        if (bytes <= 0) return;
        Placement p;
        p.kind = kind;
        p.bytes = roundUp(bytes, 4);
        p.executable = executable;
        items.push_back(p);
    };
    add(MemoryCategory::Stack, code.stack[tile], false);
    add(MemoryCategory::VertexCode, code.vertexCode[tile], true);
    add(MemoryCategory::ControlCode, code.control[tile], true);
    add(MemoryCategory::InternalExchangeCode, code.internalExchange[tile], true);
    add(MemoryCategory::GlobalExchangeCode, code.globalExchange[tile], true);
    add(MemoryCategory::HostExchangeCode, code.hostExchange[tile], true);
    add(MemoryCategory::HostPacketHeader, code.hostHeader[tile], false);
    add(MemoryCategory::GlobalPacketHeader, code.globalHeader[tile], false);
    add(MemoryCategory::VertexState, code.vertexState[tile], false);
    return items;
}

/// Elements + 1 of a layout's block on each tile, 0 = none.
ByTile<std::int64_t> elementsByTile(Layout const &layout, std::size_t tiles)
{
    ByTile<std::int64_t>::Stretch stretch;
    layout.forEachBlock([&](Coords const &block) {
        auto const tile = static_cast<std::size_t>(layout.tileOf(block));
        stretch = stretch.with({tile, tile + 1});
    });
    ByTile<std::int64_t> elements(tiles, stretch);
    layout.forEachBlock(
        [&](Coords const &block) { elements.at(static_cast<std::size_t>(layout.tileOf(block))) = layout.boxOf(block).elements() + 1; });
    return elements;
}

} // namespace

TileKinds::TileKinds(Program const &program, Liveness const &liveness, CodeBytes const &code)
{
    auto const tiles = static_cast<std::size_t>(program.tiles());
    m_tilesPerIpu = static_cast<std::size_t>(program.tilesPerIpu);
    std::vector<std::uint32_t> order;
    for (std::uint32_t v = 0; v < program.variables.size(); ++v)
        if (!liveness.intervals[v].empty()) order.push_back(v);
    auto const blockBytes = [&](std::uint32_t v) {
        auto const &variable = program.variables[v];
        return variable.layout.blockElements() * sizeOf(variable.dtype);
    };
    std::ranges::stable_sort(order, [&](std::uint32_t a, std::uint32_t b) {
        bool const liveA = liveness.classOf[a] == 0, liveB = liveness.classOf[b] == 0;
        if (liveA != liveB) return liveA;
        return blockBytes(a) > blockBytes(b);
    });
    m_ofElement.reserve(order.size());
    for (auto const v : order) {
        auto const &variable = program.variables[v];
        Placement p;
        p.variable = static_cast<std::int32_t>(v);
        p.kind = lowering::kindOf(variable.category);
        p.bytes = sizeOf(variable.dtype);
        p.alignment = variable.interleaved ? 16 : 8;
        p.livenessClass = liveness.classOf[v];
        if (variable.interleaved) p.region = MemoryRegion::Interleaved;
        m_ofElement.push_back(p);
    }
    // Many variables lie alike: tiles are equal where the blocks of each layout are.
    m_layoutOf = distinct<ByTile<std::int64_t>>(
        order.size(),
        [&](std::size_t i) {
            std::string key;
            appendKey(key, program.variables[order[i]].layout);
            return key;
        },
        [&](std::size_t i) { return elementsByTile(program.variables[order[i]].layout, tiles); });
    listByIpu(static_cast<std::size_t>(program.ipus));
    std::map<std::vector<std::int64_t>, std::size_t> sameVariables;
    std::map<std::vector<std::int64_t>, std::int32_t> known;
    for (std::size_t t = 0; t < tiles; ++t) {
        std::vector<std::int64_t> elements;
        for (auto const row : m_layoutsOn[t / m_tilesPerIpu])
            if (auto const count = m_layoutOf.rows[row][t]; count > 0) elements.insert(elements.end(), {std::int64_t{row}, count});
        auto const variables = sameVariables.emplace(std::move(elements), sameVariables.size()).first->second;
        std::vector<std::int64_t> key{static_cast<std::int64_t>(variables)};
        auto own = ownItems(code, t);
        for (auto const &item : own) {
            key.push_back(static_cast<int>(item.kind));
            key.push_back(item.bytes);
        }
        auto const [it, fresh] = known.emplace(std::move(key), static_cast<std::int32_t>(kinds.size()));
        kindOf.push_back(it->second);
        if (variables == firstWith.size()) firstWith.push_back(kinds.size());
        if (fresh) kinds.push_back({variables, std::move(own), t, 0});
        ++kinds[static_cast<std::size_t>(it->second)].tiles;
    }
}

void TileKinds::listByIpu(std::size_t ipus)
{
    m_layoutsOn.resize(ipus);
    m_variablesOn.resize(ipus);
    std::vector<std::vector<std::uint32_t>> ipusOf(m_layoutOf.rows.size());
    for (std::uint32_t row = 0; row < m_layoutOf.rows.size(); ++row) {
        auto const &elements = m_layoutOf.rows[row];
        auto const [begin, end] = elements.stretch();
        for (auto tile = begin; tile < end; ++tile) {
            if (elements[tile] == 0) continue;
            auto const ipu = tile / m_tilesPerIpu;
            m_layoutsOn[ipu].push_back(row);
            ipusOf[row].push_back(static_cast<std::uint32_t>(ipu));
            tile = (ipu + 1) * m_tilesPerIpu - 1; // on to the next IPU
        }
    }
    for (std::uint32_t i = 0; i < m_ofElement.size(); ++i)
        for (auto const ipu : ipusOf[m_layoutOf.of[i]]) m_variablesOn[ipu].push_back(i);
}

std::vector<Placement> TileKinds::items(Kind const &kind) const
{
    auto const &variables = m_variablesOn[kind.firstTile / m_tilesPerIpu];
    auto const elementsPlusOne = [&](std::uint32_t i) { return m_layoutOf[i][kind.firstTile]; };
    auto items = kind.own;
    // Reserves exactly what follows: in a large compile, these lists take most of the host memory.
    auto const blocks = std::ranges::count_if(variables, [&](std::uint32_t i) { return elementsPlusOne(i) > 0; });
    items.reserve(items.size() + static_cast<std::size_t>(blocks));
    for (auto const i : variables) {
        auto const count = elementsPlusOne(i);
        if (count == 0) continue;
        items.push_back(m_ofElement[i]);
        items.back().bytes *= count - 1;
    }
    return items;
}

std::int64_t TileKinds::storedValues() const
{
    return std::accumulate(m_layoutOf.rows.begin(), m_layoutOf.rows.end(), std::int64_t{0},
                           [](std::int64_t sum, auto const &row) { return sum + static_cast<std::int64_t>(row.values().size()); });
}

PeakFinder::PeakFinder(Liveness const &liveness)
    : m_liveness(liveness), m_change(liveness.steps.size() + 1), m_near(liveness.steps.size() / kNear + 1)
{
}

PeakFinder::Peak PeakFinder::peakOf(std::vector<Placement> const &items)
{
    auto const add = [&](int step, Bytes bytes) {
        m_change[static_cast<std::size_t>(step)] += bytes;
        m_near[static_cast<std::size_t>(step) / kNear] = 1;
    };
    for (auto const &item : items) {
        if (item.livenessClass == 0) continue;
        for (auto const &interval : m_liveness.classes[static_cast<std::size_t>(item.livenessClass)]) {
            add(interval.first, item.bytes);
            add(interval.end, -item.bytes);
        }
    }
    Peak peak;
    Bytes live = 0;
    for (std::size_t group = 0; group < m_near.size(); ++group) {
        if (!m_near[group]) continue;
        m_near[group] = 0;
        for (std::size_t s = group * kNear; s < std::min((group + 1) * kNear, m_change.size()); ++s) {
            live += std::exchange(m_change[s], 0);
            if (live > peak.bytes) peak = {live, static_cast<int>(s)};
        }
    }
    return peak;
}

} // namespace tilewright::lowering

#include "engine/program/layout.h"

#include <algorithm>

namespace tilewright::program {

Box Layout::boxOf(std::int64_t i, std::int64_t j, std::int64_t k) const
{
    return {i * block[0], std::min(extent[0], (i + 1) * block[0]), j * block[1], std::min(extent[1], (j + 1) * block[1]),
            k * block[2], std::min(extent[2], (k + 1) * block[2])};
}

std::vector<Placed> placements(Layout const &layout)
{
    std::vector<Placed> all;
    all.reserve(static_cast<std::size_t>(layout.blocks()));
    for (std::int64_t i = 0; i < layout.count(0); ++i)
        for (std::int64_t j = 0; j < layout.count(1); ++j)
            for (std::int64_t k = 0; k < layout.count(2); ++k)
                all.push_back({layout.tileOf(i, j, k), layout.boxOf(i, j, k)});
    return all;
}

std::vector<std::int32_t> blockByTile(Layout const &layout, int tilesTotal)
{
    std::vector<std::int32_t> byTile(static_cast<std::size_t>(tilesTotal), -1);
    std::int32_t number = 0;
    for (std::int64_t i = 0; i < layout.count(0); ++i)
        for (std::int64_t j = 0; j < layout.count(1); ++j)
            for (std::int64_t k = 0; k < layout.count(2); ++k)
                byTile[static_cast<std::size_t>(layout.tileOf(i, j, k))] = number++;
    return byTile;
}

bool isInjective(Layout const &layout)
{
    if (layout.blocks() > layout.tiles) return false;
    std::vector<char> used(static_cast<std::size_t>(layout.tiles), 0);
    for (auto const &placed : placements(layout))
        if (used[static_cast<std::size_t>(placed.tile - layout.ipu * layout.tiles)]++) return false;
    return true;
}

Layout linearLayout(std::int64_t rows, std::int64_t cols, DType type, int tiles, int ipu, int first, Bytes grainBytes)
{
    Layout layout;
    layout.extent = {1, rows, cols};
    layout.tiles = tiles;
    layout.ipu = ipu;
    layout.first = first % tiles;
    std::int64_t const vector = std::max<std::int64_t>(1, 8 / sizeOf(type));
    std::int64_t const total = rows * cols;
    std::int64_t perTile = std::max(ceilDiv(total, tiles), std::max<std::int64_t>(1, grainBytes / sizeOf(type)));
    if (perTile >= cols) {
        std::int64_t rowsPerTile = std::max<std::int64_t>(1, perTile / cols);
        while (ceilDiv(rows, rowsPerTile) > tiles) ++rowsPerTile;
        layout.block = {1, rowsPerTile, cols};
        layout.stride = {0, 1, 0};
    } else {
        perTile = roundUp(perTile, vector);
        while (rows * ceilDiv(cols, perTile) > tiles) perTile += vector;
        layout.block = {1, 1, std::min(perTile, cols)};
        layout.stride = {0, static_cast<std::int32_t>(layout.count(2)), 1};
    }
    return layout;
}

Layout rowLayout(std::int64_t rows, std::int64_t cols, int tiles, int ipu, int first)
{
    Layout layout;
    layout.extent = {1, rows, cols};
    layout.block = {1, ceilDiv(rows, tiles), cols};
    layout.stride = {0, 1, 0};
    layout.tiles = tiles;
    layout.ipu = ipu;
    layout.first = first % tiles;
    return layout;
}

Layout singleTile(std::int64_t rows, std::int64_t cols, int tiles, int ipu, int tile)
{
    Layout layout;
    layout.extent = {1, rows, cols};
    layout.block = layout.extent;
    layout.tiles = tiles;
    layout.ipu = ipu;
    layout.first = tile % tiles;
    return layout;
}

std::string toText(Layout const &layout)
{
    static constexpr char const *kKinds[] = {"none", "copies", "partials", "columns", "ring"};
    std::string text = std::string(kKinds[static_cast<int>(layout.kind)]);
    auto const triple = [](auto const &a) {
        return "[" + std::to_string(a[0]) + "," + std::to_string(a[1]) + "," + std::to_string(a[2]) + "]";
    };
    text += " " + triple(layout.extent) + " by " + triple(layout.block) + " stride " + triple(layout.stride) + " first "
        + std::to_string(layout.first) + " ipu " + std::to_string(layout.ipu);
    return text;
}

} // namespace tilewright::program

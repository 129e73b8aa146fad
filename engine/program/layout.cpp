#include "engine/program/layout.h"

#include <algorithm>
#include <span>

namespace tilewright::program {

namespace {

constexpr std::array<char const *, 4> kKinds{"", "copies ", "addends ", "slots "};

/// The dimensions in use.
std::span<Dim const> used(Layout const &layout) { return {layout.dims.data(), static_cast<std::size_t>(layout.rank)}; }

} // namespace

Dim cut(std::int64_t extent, std::int64_t block, std::int64_t stride, DimKind kind)
{
    Dim dim;
    dim.kind = kind;
    dim.extent = extent;
    dim.block = dim.step = block;
    dim.count = ceilDiv(extent, block);
    dim.stride = static_cast<std::int32_t>(stride);
    return dim;
}

Dim window(std::int64_t extent, std::int64_t block, std::int64_t step, std::int64_t before, std::int64_t count, std::int64_t stride)
{
    Dim dim;
    dim.extent = extent;
    dim.block = block;
    dim.step = step;
    dim.before = before;
    dim.count = count;
    dim.stride = static_cast<std::int32_t>(stride);
    return dim;
}

void Layout::add(Dim const &dim)
{
    TW_CHECK(rank < kMaxDims, "a layout has six dimensions at most");
    dims[static_cast<std::size_t>(rank++)] = dim;
}

void Layout::addOuter(Dim const &dim)
{
    TW_CHECK(rank < kMaxDims, "a layout has six dimensions at most");
    std::copy_backward(dims.begin(), dims.begin() + rank, dims.begin() + rank + 1);
    dims[0] = dim;
    std::copy_backward(order.begin(), order.begin() + rank, order.begin() + rank + 1);
    for (int i = 1; i <= rank; ++i) ++order[static_cast<std::size_t>(i)];
    order[0] = 0;
    ++rank;
}

std::int64_t Layout::blocks() const
{
    std::int64_t n = 1;
    for (auto const &d : used(*this)) n *= d.count;
    return n;
}

std::int64_t Layout::elements() const
{
    std::int64_t n = 1;
    for (auto const &d : used(*this)) n *= d.extent;
    return n;
}

std::int64_t Layout::indexElements() const
{
    std::int64_t n = 1;
    for (auto const &d : used(*this)) n *= d.kind == DimKind::Index ? d.extent : 1;
    return n;
}

std::int64_t Layout::blockElements() const
{
    std::int64_t n = 1;
    for (auto const &d : used(*this)) n *= d.block;
    return n;
}

std::int64_t Layout::copies() const
{
    std::int64_t n = 1;
    for (auto const &d : used(*this)) n *= d.kind == DimKind::Copy ? d.extent : 1;
    return n;
}

int Layout::partDim() const
{
    for (int d = 0; d < rank; ++d)
        if (dim(d).kind == DimKind::Addend || dim(d).kind == DimKind::Slot) return d;
    return -1;
}

bool Layout::has(DimKind kind) const
{
    return std::ranges::any_of(used(*this), [&](Dim const &d) { return d.kind == kind; });
}

int Layout::colDim() const
{
    int d = rank - 1;
    while (d > 0 && dim(d).kind != DimKind::Index) --d;
    return d;
}

bool Layout::isMatrix() const
{
    return rank == 2 && isRowMajor()
        && std::ranges::all_of(used(*this), [](Dim const &d) { return d.kind == DimKind::Index && !d.overlaps(); });
}

bool Layout::isRowsOf(std::int64_t cols) const
{
    return rank >= 2 && isRowMajor() && dims[static_cast<std::size_t>(rank) - 1].extent == cols
        && std::ranges::all_of(used(*this), [](Dim const &d) { return d.kind == DimKind::Index && !d.overlaps(); });
}

std::optional<std::int64_t> Layout::strideOver(int begin, int end) const
{
    std::int64_t stride = 0, span = 0; // of the innermost dimension that is cut; of all so far
    for (int d = end; d-- > begin;) {
        if (dim(d).count == 1) continue;
        if (span == 0) stride = dim(d).stride;
        else if (dim(d).stride != span) return {};
        span = dim(d).stride * dim(d).count;
    }
    return stride;
}

bool Layout::isGrouped() const
{
    return std::ranges::any_of(used(*this), [](Dim const &d) { return d.group != 1; });
}

bool Layout::isRowMajor() const
{
    for (int i = 0; i < rank; ++i)
        if (order[static_cast<std::size_t>(i)] != i) return false;
    return !isGrouped();
}

std::int64_t Layout::place(Coords const &block) const
{
    std::int64_t at = first;
    for (std::size_t d = 0; d < static_cast<std::size_t>(rank); ++d) at += block[d] * dims[d].stride;
    return at;
}

Box Layout::boxOf(Coords const &block) const
{
    Box box;
    for (std::size_t d = 0; d < static_cast<std::size_t>(rank); ++d) box.range[d] = {dims[d].begin(block[d]), dims[d].end(block[d])};
    return box;
}

std::int64_t Layout::offsetOf(Coords const &sizes, Coords const &at) const
{
    // Counts what lies before the element, one place of the order after the other: `left` holds the sizes of the part
    // of the block in which it still may be.
    Coords left = sizes, low{};
    std::int64_t offset = 0;
    auto const count = [&](std::size_t d, std::int64_t before) {
        for (std::size_t e = 0; e < static_cast<std::size_t>(rank); ++e)
            if (e != d) before *= left[e];
        offset += before;
    };
    for (std::size_t i = 0; i < static_cast<std::size_t>(rank); ++i) {
        std::size_t const d = order[i];
        std::int64_t const group = dims[d].group;
        std::int64_t const begin = at[d] / group * group;
        count(d, begin);
        low[d] = begin;
        left[d] = std::min(group, sizes[d] - begin);
    }
    for (std::size_t i = 0; i < static_cast<std::size_t>(rank); ++i) {
        std::size_t const d = order[i];
        if (dims[d].group == 1) continue;
        count(d, at[d] - low[d]);
        left[d] = 1;
    }
    return offset;
}

std::vector<std::int64_t> Layout::copyShifts() const
{
    std::vector<std::int64_t> shifts{0};
    for (auto const &d : used(*this)) {
        if (d.kind != DimKind::Copy) continue;
        std::vector<std::int64_t> more;
        more.reserve(shifts.size() * static_cast<std::size_t>(d.extent));
        for (auto shift : shifts)
            for (std::int64_t i = 0; i < d.extent; ++i) more.push_back(shift + i * d.stride);
        shifts = std::move(more);
    }
    return shifts;
}

MatrixBlock matrixOf(Layout const &layout, Box const &box)
{
    MatrixBlock m;
    int const last = layout.colDim();
    for (int d = 0; d < layout.rank; ++d) {
        auto const &range = box.range[static_cast<std::size_t>(d)];
        auto const &dim = layout.dim(d);
        if (dim.kind != DimKind::Index) {
            m.groups *= range.size();
        } else if (d == last) {
            m.cols = range.size();
            m.col0 = range.begin;
        } else {
            m.rows *= range.size();
            m.row0 = m.row0 * dim.extent + range.begin;
        }
    }
    return m;
}

std::vector<Placed> placements(Layout const &layout)
{
    std::vector<Placed> all;
    all.reserve(static_cast<std::size_t>(layout.blocks()));
    layout.forEachBlock([&](Coords const &block) { all.push_back({layout.tileOf(block), layout.boxOf(block)}); });
    return all;
}

std::vector<std::int32_t> blockByTile(Layout const &layout, int tilesTotal)
{
    std::vector<std::int32_t> byTile(static_cast<std::size_t>(tilesTotal), -1);
    std::int32_t number = 0;
    layout.forEachBlock([&](Coords const &block) { byTile[static_cast<std::size_t>(layout.tileOf(block))] = number++; });
    return byTile;
}

TileClasses tileClasses(Layout const &layout, int tilesTotal)
{
    TileClasses classes;
    classes.ofTile.assign(static_cast<std::size_t>(tilesTotal), -1);
    // A dimension has few different sizes: whole blocks, the last, with a halo the first as well.
    std::array<std::vector<std::int16_t>, kMaxDims> sizeClass;
    std::array<int, kMaxDims> weight{};
    int all = 1;
    for (int d = layout.rank; d-- > 0;) {
        auto const i = static_cast<std::size_t>(d);
        std::vector<std::int64_t> sizes;
        for (std::int64_t b = 0; b < layout.dims[i].count; ++b) {
            auto const size = layout.dims[i].size(b);
            auto const it = std::ranges::find(sizes, size);
            sizeClass[i].push_back(static_cast<std::int16_t>(it - sizes.begin()));
            if (it == sizes.end()) sizes.push_back(size);
        }
        weight[i] = all;
        all *= static_cast<int>(sizes.size());
    }
    std::vector<std::int16_t> number(static_cast<std::size_t>(all), -1);
    layout.forEachBlock([&](Coords const &block) {
        int key = 0;
        for (std::size_t d = 0; d < static_cast<std::size_t>(layout.rank); ++d)
            key += weight[d] * sizeClass[d][static_cast<std::size_t>(block[d])];
        auto &known = number[static_cast<std::size_t>(key)];
        if (known < 0) {
            known = static_cast<std::int16_t>(classes.box.size());
            classes.box.push_back(layout.boxOf(block));
        }
        classes.ofTile[static_cast<std::size_t>(layout.tileOf(block))] = known;
    });
    return classes;
}

bool isInjective(Layout const &layout)
{
    if (layout.blocks() > layout.on.count) return false;
    std::vector<char> taken(static_cast<std::size_t>(layout.on.count), 0);
    bool once = true;
    layout.forEachBlock([&](Coords const &block) {
        auto &tile = taken[static_cast<std::size_t>(layout.tileOf(block) - layout.on.begin)];
        once = once && !tile;
        tile = 1;
    });
    return once;
}

Message layoutProblem(Layout const &layout)
{
    auto const n = static_cast<std::size_t>(layout.rank);
    std::array<bool, kMaxDims> seen{};
    int parts = 0, index = 0;
    for (std::size_t d = 0; d < n; ++d) {
        auto const at = layout.order[d];
        if (at >= n || seen[at]) return Message::of("its order is not a permutation of its dimensions");
        seen[at] = true;
        auto const &dim = layout.dims[d];
        parts += dim.kind == DimKind::Addend || dim.kind == DimKind::Slot;
        index += dim.kind == DimKind::Index;
        if (dim.kind == DimKind::Copy && dim.block != 1) return Message::of("two of its copies are on one tile");
        if (dim.kind != DimKind::Index && (dim.overlaps() || dim.group != 1))
            return Message::of("a dimension that is not an index has a halo or a group");
        if (!dim.overlaps()) {
            if (dim.count != ceilDiv(dim.extent, dim.block)) return Message::of("blocks are missing or empty");
            continue;
        }
        // The first and the last block hold something; so do those between.
        if (dim.before >= dim.block) return Message::of("a halo is larger than its block");
        for (std::int64_t i : {std::int64_t{0}, dim.count - 1})
            if (dim.size(i) < 1) return Message::of("a block holds only padding");
    }
    if (parts > 1) return Message::of("it has both addends and slots");
    if (index == 0) return Message::of("it has no dimension of the tensor");
    return {};
}

TileSet tilesOf(int tilesPerIpu, int ipu) { return {ipu * tilesPerIpu, tilesPerIpu, ipu}; }

Layout onTiles(TileSet on, std::int64_t first)
{
    Layout layout;
    layout.on = on;
    layout.first = static_cast<std::int32_t>(first % on.count);
    return layout;
}

Layout onIpu(int tilesPerIpu, int ipu, std::int64_t first) { return onTiles(tilesOf(tilesPerIpu, ipu), first); }

Layout linearLayout(std::int64_t rows, std::int64_t cols, DType type, TileSet on, int first, Bytes grainBytes)
{
    std::int64_t const tiles = on.count;
    Layout layout = onTiles(on, first);
    std::int64_t const vector = std::max<std::int64_t>(1, 8 / sizeOf(type));
    std::int64_t const total = rows * cols;
    std::int64_t perTile = std::max(ceilDiv(total, tiles), std::max<std::int64_t>(1, grainBytes / sizeOf(type)));
    if (perTile >= cols) {
        std::int64_t rowsPerTile = std::max<std::int64_t>(1, perTile / cols);
        while (ceilDiv(rows, rowsPerTile) > tiles) ++rowsPerTile;
        layout.add(cut(rows, rowsPerTile, 1));
        layout.add(cut(cols, cols, 0));
    } else {
        perTile = roundUp(perTile, vector);
        while (rows * ceilDiv(cols, perTile) > tiles) perTile += vector;
        perTile = std::min(perTile, cols);
        layout.add(cut(rows, 1, ceilDiv(cols, perTile)));
        layout.add(cut(cols, perTile, 1));
    }
    return layout;
}

Layout rowLayout(std::int64_t rows, std::int64_t cols, TileSet on, int first)
{
    Layout layout = onTiles(on, first);
    layout.add(cut(rows, ceilDiv(rows, on.count), 1));
    layout.add(cut(cols, cols, 0));
    return layout;
}

Layout singleTile(std::int64_t rows, std::int64_t cols, TileSet on, int tile)
{
    Layout layout = onTiles(on, tile);
    layout.add(cut(rows, rows, 0));
    layout.add(cut(cols, cols, 0));
    return layout;
}

Layout inSplits(Layout const &range, std::int64_t splits)
{
    TW_CHECK(range.rank > 0 && range.rank < kMaxDims, "no dimension left for splits");
    Layout out;
    out.on = range.on;
    out.first = range.first;
    int const last = range.rank - 1;
    for (int d = 0; d < last; ++d) out.add(range.dim(d));
    out.add(cut(splits, splits, 0));
    out.add(range.dim(last));
    auto const order = out.order;
    out.order[0] = static_cast<std::uint8_t>(last);
    for (int i = 0; i < range.rank; ++i) {
        int const d = range.order[static_cast<std::size_t>(i)];
        out.order[static_cast<std::size_t>(i) + 1] = static_cast<std::uint8_t>(d < last ? d : d + 1);
    }
    for (std::size_t i = static_cast<std::size_t>(out.rank); i < order.size(); ++i) out.order[i] = order[i];
    return out;
}

Layout besideBlocks(Layout const &layout, std::int64_t n)
{
    Layout out;
    out.on = layout.on;
    out.first = layout.first;
    for (auto const &d : used(layout)) out.add(cut(d.count, 1, d.stride));
    auto &last = out.dim(out.rank - 1);
    last = cut(last.extent * n, n, last.stride);
    return out;
}

std::string toText(Layout const &layout)
{
    // Of each dimension extent/block*stride in tiles; +step-before where blocks overlap; x count where it does not follow from
    // the extent; "by" its group.
    std::string text;
    auto const number = [](auto value) { return std::to_string(value); };
    for (auto const &d : used(layout)) {
        text += kKinds[static_cast<std::size_t>(d.kind)] + number(d.extent) + "/" + number(d.block);
        if (d.overlaps()) text += "+" + number(d.step) + "-" + number(d.before);
        if (d.overlaps() || d.block < 1 || d.count != ceilDiv(d.extent, d.block)) text += "x" + number(d.count);
        text += "*" + number(d.stride);
        if (d.group != 1) text += " by " + number(d.group);
        text += ", ";
    }
    bool sorted = true;
    for (int i = 0; i < layout.rank; ++i) sorted = sorted && layout.order[static_cast<std::size_t>(i)] == i;
    if (!sorted) {
        text += "order";
        for (int i = 0; i < layout.rank; ++i) text += " " + number(static_cast<int>(layout.order[static_cast<std::size_t>(i)]));
        text += ", ";
    }
    return text + "from " + number(layout.first) + " on " + number(layout.on.begin) + ".."
        + number(std::int64_t{layout.on.begin} + layout.on.count - 1);
}

} // namespace tilewright::program

#include "engine/program/pieces.h"

#include <algorithm>
#include <bit>
#include <numeric>

namespace tilewright::program {

namespace {

/// Sizes of the index dimensions, and the distance in elements between consecutive indices.
std::array<std::int64_t, kMaxDims> unitsOf(Layout const &layout)
{
    std::array<std::int64_t, kMaxDims> unit{};
    std::int64_t next = 1;
    for (int d = layout.rank; d-- > 0;) {
        if (layout.dim(d).kind != DimKind::Index) continue;
        unit[static_cast<std::size_t>(d)] = next;
        next *= layout.dim(d).extent;
    }
    return unit;
}

bool isAxis(Layout const &layout, int d) { return layout.dim(d).kind == DimKind::Index && layout.dim(d).extent > 1; }

std::int64_t coordinate(Layout const &layout, std::array<std::int64_t, kMaxDims> const &unit, int d, std::int64_t flat)
{
    return flat / unit[static_cast<std::size_t>(d)] % layout.dim(d).extent;
}

/// The dimension in which a loop moves, its step, and the dimensions it can reach.
struct Motion {
    int moved = -1;
    std::int64_t step = 0;
    unsigned reached = 0; ///< bits of dimensions
};

std::vector<Motion> motions(Layout const &layout, std::array<std::int64_t, kMaxDims> const &unit, std::int64_t start,
                            std::vector<Loop> const &loops, std::int64_t Loop::*stride)
{
    std::vector<Motion> all(loops.size());
    Coords reach{};
    for (int d = 0; d < layout.rank; ++d)
        if (isAxis(layout, d)) reach[static_cast<std::size_t>(d)] = coordinate(layout, unit, d, start);
    for (std::size_t l = 0; l < loops.size(); ++l) {
        auto const s = loops[l].*stride;
        if (s == 0) continue;
        for (int d = 0; d < layout.rank && all[l].moved < 0; ++d) {
            if (!isAxis(layout, d) || s % unit[static_cast<std::size_t>(d)] != 0) continue;
            all[l].moved = d;
            all[l].step = s / unit[static_cast<std::size_t>(d)];
            reach[static_cast<std::size_t>(d)] += (loops[l].count - 1) * all[l].step;
        }
    }
    for (auto &motion : all) {
        if (motion.moved < 0) continue;
        motion.reached = 1u << motion.moved;
        if (reach[static_cast<std::size_t>(motion.moved)] < layout.dim(motion.moved).extent) continue;
        // After the end of a dimension, continue in the outer ones.
        for (int d = 0; d < motion.moved; ++d)
            if (isAxis(layout, d)) motion.reached |= 1u << d;
    }
    return all;
}

/// Where a loop crosses the end of the innermost dimension that is cut into blocks: after so many elements, each time. 0: nowhere, or
/// not evenly.
std::int64_t crossing(Layout const &layout, std::int64_t start, std::int64_t stride, std::int64_t count)
{
    auto const unit = unitsOf(layout);
    for (int d = layout.rank; d-- > 0;) {
        auto const &dim = layout.dim(d);
        if (dim.kind != DimKind::Index || dim.count == 1) continue;
        std::int64_t const end = unit[static_cast<std::size_t>(d)] * dim.extent;
        if (stride <= 0 || end % stride != 0 || start % end != 0) return 0;
        std::int64_t const steps = end / stride;
        return steps > 1 && steps < count && count % steps == 0 ? steps : 0;
    }
    return 0;
}

/// A loop over rows of which a tile holds a part only, as a loop over rows and one along them: each is cut by itself, and pieces are few
/// where the loop as a whole would be cut element by element. `room`: so many loops more there may be.
void appendSplit(std::vector<Loop> &loops, Loop loop, Layout const &src, Layout const &dst, Transfer const &transfer, std::size_t &room)
{
    auto const add = [&](Loop const &more) {
        loops.push_back(more);
        --room;
    };
    std::int64_t const from = crossing(src, transfer.src0, loop.src, loop.count);
    std::int64_t const to = crossing(dst, transfer.dst0, loop.dst, loop.count);
    std::int64_t const inner = from == 0 ? to : to == 0 ? from : std::min(from, to), outer = std::max(from, to);
    if (outer > inner && outer % inner == 0 && room > 0) {
        add({loop.count / outer, loop.src * outer, loop.dst * outer});
        loop.count = outer;
    }
    if (inner > 1 && room > 0) {
        add({loop.count / inner, loop.src * inner, loop.dst * inner});
        loop.count = inner;
    }
    loops.push_back(loop);
}

/// Number of steps from x until `end` is reached or passed.
std::int64_t stepsTo(std::int64_t end, std::int64_t x, std::int64_t step) { return ceilDiv(end - x, step); }

} // namespace

std::vector<Loop> loopsOf(Layout const &src, Layout const &dst, Transfer const &transfer)
{
    std::vector<Loop> loops;
    if (!transfer.loops.empty()) {
        auto room = kMaxLoops - 1 - std::min<std::size_t>(kMaxLoops - 1, transfer.loops.size()); // beside the axis that stands still
        for (auto const &loop : transfer.loops)
            if (loop.count != 1) appendSplit(loops, loop, src, dst, transfer, room);
        return loops;
    }
    // Boundaries of both sides' dimensions, each dividing the next.
    std::vector<std::int64_t> bounds;
    for (auto const *layout : {&src, &dst}) {
        auto const unit = unitsOf(*layout);
        for (int d = 0; d < layout->rank; ++d)
            if (isAxis(*layout, d)) bounds.push_back(unit[static_cast<std::size_t>(d)] * layout->dim(d).extent);
    }
    std::ranges::sort(bounds);
    std::int64_t last = 1;
    for (auto bound : bounds) {
        if (bound == last) continue;
        if (bound % last != 0) return {{src.indexElements(), 1, 1}};
        loops.insert(loops.begin(), {bound / last, last, last});
        last = bound;
    }
    return loops;
}

Expansion::Expansion(Layout const &src, Layout const &dst, Transfer const &transfer)
    : m_src{src, false, unitsOf(src)}, m_dst{dst, transfer.rowMajor, unitsOf(dst)}
{
    bool const all = dst.has(DimKind::Addend) && transfer.dstPart < 0;
    for (std::int64_t p = 0; p < (all ? dst.parts() : 1); ++p)
        m_parts.emplace_back(transfer.srcPart >= 0           ? transfer.srcPart
                                 : all && src.partDim() >= 0 ? p
                                                             : 0,
                             all ? p : std::max<std::int64_t>(0, transfer.dstPart));
    sortIntoAxes(loopsOf(src, dst, transfer), transfer.src0, transfer.dst0);
}

void Expansion::sortIntoAxes(std::vector<Loop> const &loops, std::int64_t src0, std::int64_t dst0)
{
    auto const from = motions(m_src.layout, m_src.unit, src0, loops, &Loop::src);
    auto const to = motions(m_dst.layout, m_dst.unit, dst0, loops, &Loop::dst);
    // Loops that can meet in a dimension form one group.
    std::vector<std::size_t> axisOf(loops.size());
    std::iota(axisOf.begin(), axisOf.end(), std::size_t{0});
    for (std::size_t a = 0; a < loops.size(); ++a)
        for (std::size_t b = a + 1; b < loops.size(); ++b) {
            if (!(from[a].reached & from[b].reached) && !(to[a].reached & to[b].reached)) continue;
            auto const was = axisOf[b], now = axisOf[a];
            for (auto &axis : axisOf)
                if (axis == was) axis = now;
        }
    unsigned srcUsed = 0, dstUsed = 0;
    auto const fill = [](AxisSide &side, unsigned bits) {
        for (int d = 0; d < kMaxDims; ++d)
            if (bits >> d & 1) side.dims.push_back(static_cast<std::uint8_t>(d));
    };
    for (std::size_t root = 0; root < loops.size(); ++root) {
        Axis axis;
        std::vector<Loop> own;
        unsigned srcBits = 0, dstBits = 0;
        for (std::size_t l = 0; l < loops.size(); ++l) {
            if (axisOf[l] != root) continue;
            own.push_back(loops[l]);
            srcBits |= from[l].reached;
            dstBits |= to[l].reached;
            axis.src.moved = from[l].moved;
            axis.src.step = from[l].step;
            axis.dst.moved = to[l].moved;
            axis.dst.step = to[l].step;
        }
        if (own.empty()) continue;
        fill(axis.src, srcBits);
        fill(axis.dst, dstBits);
        srcUsed |= srcBits;
        dstUsed |= dstBits;
        cutAxis(axis, own, src0, dst0);
        m_axes.push_back(std::move(axis));
        m_wrapped = m_wrapped || own.size() > 1 || std::popcount(srcBits) > 1 || std::popcount(dstBits) > 1;
    }
    m_wrapped = m_wrapped && m_axes.size() == 1;
    // Dimensions without movement: their block is that of the first element.
    Axis still;
    auto const rest = [](Layout const &layout, unsigned used) {
        unsigned bits = 0;
        for (int d = 0; d < layout.rank; ++d)
            if (layout.dim(d).kind == DimKind::Index && !(used >> d & 1)) bits |= 1u << d;
        return bits;
    };
    fill(still.src, rest(m_src.layout, srcUsed));
    fill(still.dst, rest(m_dst.layout, dstUsed));
    cutAxis(still, {{1, 0, 0}}, src0, dst0);
    m_axes.insert(m_axes.begin(), std::move(still));
}

void Expansion::cutAxis(Axis &axis, std::vector<Loop> const &loops, std::int64_t src0, std::int64_t dst0) const
{
    Layout const &src = m_src.layout, &dst = m_dst.layout;
    Loop const &inner = loops.back();
    bool const srcGrouped = m_src.grouped(), dstGrouped = m_dst.grouped();
    // Overlapping blocks of the destination are filled one by one.
    std::vector<int> halo;
    for (auto d : axis.dst.dims)
        if (dst.dim(d).overlaps()) halo.push_back(d);
    Coords pinned{};
    auto const groupEnd = [](Dim const &dim, std::int64_t begin, std::int64_t x) {
        return begin + ((x - begin) / dim.group + 1) * dim.group;
    };

    auto const alongInner = [&](std::int64_t srcFlat, std::int64_t dstFlat) {
        for (std::int64_t i = 0; i < inner.count;) {
            Cut cut;
            cut.n = inner.count - i;
            cut.srcPlace = cut.dstPlace = 0;
            cut.spots = axis.spots.size();
            std::int64_t const from = srcFlat + i * inner.src, to = dstFlat + i * inner.dst;
            for (auto d : axis.src.dims) {
                auto const &dim = src.dim(d);
                auto const x = coordinate(src, m_src.unit, d, from);
                auto const block = dim.owner(x);
                auto const begin = dim.begin(block);
                cut.srcPlace += block * dim.stride;
                axis.spots.push_back({x - begin, dim.size(block)});
                if (d != axis.src.moved) continue;
                cut.n = std::min(cut.n, stepsTo(dim.ownedEnd(block), x, axis.src.step));
                if (srcGrouped && dim.group > 1) cut.n = std::min(cut.n, stepsTo(groupEnd(dim, begin, x), x, axis.src.step));
            }
            bool inside = true;
            for (auto d : axis.dst.dims) {
                auto const &dim = dst.dim(d);
                auto const x = coordinate(dst, m_dst.unit, d, to);
                auto const block = dim.overlaps() ? pinned[d] : dim.owner(x);
                auto const begin = dim.begin(block), end = dim.end(block);
                cut.dstPlace += block * dim.stride;
                axis.spots.push_back({x - begin, dim.size(block)});
                if (x < begin || x >= end) {
                    inside = false;
                    // Advance to the block, or to the next restart of the coordinate if the block is behind.
                    if (d == axis.dst.moved) cut.n = std::min(cut.n, stepsTo(x < begin ? begin : dim.extent, x, axis.dst.step));
                    continue;
                }
                if (d != axis.dst.moved) continue;
                cut.n = std::min(cut.n, stepsTo(end, x, axis.dst.step));
                if (dstGrouped && dim.group > 1) cut.n = std::min(cut.n, stepsTo(groupEnd(dim, begin, x), x, axis.dst.step));
            }
            i += cut.n;
            if (inside) axis.cuts.push_back(cut);
            else axis.spots.resize(cut.spots);
        }
    };
    auto const overLoops = [&](auto &&self, std::size_t level, std::int64_t srcFlat, std::int64_t dstFlat) -> void {
        if (level + 1 == loops.size()) return alongInner(srcFlat, dstFlat);
        for (std::int64_t i = 0; i < loops[level].count; ++i)
            self(self, level + 1, srcFlat + i * loops[level].src, dstFlat + i * loops[level].dst);
    };
    auto const overBlocks = [&](auto &&self, std::size_t h) -> void {
        if (h == halo.size()) return overLoops(overLoops, 0, src0, dst0);
        auto const d = static_cast<std::size_t>(halo[h]);
        for (pinned[d] = 0; pinned[d] < dst.dims[d].count; ++pinned[d]) self(self, h + 1);
    };
    overBlocks(overBlocks, 0);
}

Expansion::Frame Expansion::frameOf(std::int64_t srcPart, std::int64_t dstPart) const
{
    Frame frame;
    auto const set = [](Layout const &layout, FrameSide &side, std::int64_t part) {
        side.place = layout.first;
        for (int d = 0; d < layout.rank; ++d) {
            auto const &dim = layout.dim(d);
            if (dim.kind == DimKind::Index) continue;
            std::int64_t const block = dim.kind == DimKind::Copy ? 0 : part / dim.block;
            side.place += block * dim.stride;
            side.at[static_cast<std::size_t>(d)] = dim.kind == DimKind::Copy ? 0 : part % dim.block;
            side.size[static_cast<std::size_t>(d)] = dim.size(block);
        }
    };
    set(m_src.layout, frame.src, srcPart);
    set(m_dst.layout, frame.dst, dstPart);
    return frame;
}

Piece Expansion::pieceOf(Frame const &frame) const
{
    // Strides of the dimensions inside the blocks, and the begin of the piece.
    auto const strides = [](Side const &side, FrameSide const &in, Coords &stride) {
        Layout const &layout = side.layout;
        auto const rank = static_cast<std::size_t>(layout.rank);
        if (side.grouped()) {
            std::int64_t const offset = layout.offsetOf(in.size, in.at);
            // A cut ends with its group: one step on is a step inside it, and that of an ungrouped dimension is alike
            // everywhere among the same groups.
            for (std::size_t d = 0; d < rank; ++d) {
                Coords next = in.at;
                ++next[d];
                bool const inside = next[d] < in.size[d] && (layout.dims[d].group == 1 || next[d] % layout.dims[d].group != 0);
                stride[d] = inside ? layout.offsetOf(in.size, next) - offset : 0;
            }
            return offset;
        }
        std::int64_t next = 1, offset = 0;
        for (std::size_t i = rank; i-- > 0;) {
            std::size_t const d = side.rowMajor ? i : layout.order[i];
            stride[d] = next;
            offset += in.at[d] * next;
            next *= in.size[d];
        }
        return offset;
    };
    Coords srcStride{}, dstStride{};
    Piece piece;
    piece.srcTile = m_src.layout.tileAt(frame.src.place);
    piece.dstPlace = frame.dst.place;
    piece.srcOffset = strides(m_src, frame.src, srcStride);
    piece.dstOffset = strides(m_dst, frame.dst, dstStride);
    for (std::size_t a = 0; a < m_axes.size(); ++a) {
        if (frame.n[a] == 1) continue;
        auto const &from = m_axes[a].src, &to = m_axes[a].dst;
        piece.loops[static_cast<std::size_t>(piece.depth++)] = {
            frame.n[a], from.moved < 0 ? 0 : from.step * srcStride[static_cast<std::size_t>(from.moved)],
            to.moved < 0 ? 0 : to.step * dstStride[static_cast<std::size_t>(to.moved)]};
    }
    // Loops that continue at the end of the run become part of the run.
    for (int i = piece.depth; i-- > 0;) {
        auto const &loop = piece.loops[static_cast<std::size_t>(i)];
        if (loop.src != piece.run || loop.dst != piece.run) continue;
        piece.run *= loop.count;
        std::copy(piece.loops.begin() + i + 1, piece.loops.begin() + piece.depth, piece.loops.begin() + i);
        --piece.depth;
        i = piece.depth;
    }
    return piece;
}

Piece Expansion::pieceOf(WrappedRun const &run)
{
    Piece piece;
    piece.srcTile = run.srcTile;
    piece.dstPlace = run.dstPlace;
    piece.srcOffset = run.srcOffset;
    piece.dstOffset = run.dstOffset;
    piece.run = run.run;
    if (run.n > 1) piece.loops[static_cast<std::size_t>(piece.depth++)] = {run.n, run.srcStride, run.dstStride};
    return piece;
}

std::vector<Expansion::WrappedRun> Expansion::wrapped(Frame const &start) const
{
    std::vector<WrappedRun> all;
    Frame frame = start;
    walk(0, frame, [&](Piece const &piece) {
        auto const loop = piece.depth > 0 ? piece.loops[0] : Loop{1, 0, 0};
        all.push_back({piece.dstPlace, piece.srcOffset, piece.dstOffset, piece.srcTile, piece.run, loop.count, loop.src, loop.dst});
    });
    // Order by block of the destination, so that runs of one block are adjacent.
    std::ranges::stable_sort(all, {}, &WrappedRun::dstPlace);
    std::size_t kept = 0;
    for (std::size_t i = 1; i < all.size(); ++i) {
        auto &last = all[kept];
        auto const &next = all[i];
        if (last.n == 1 && next.n == 1 && last.srcTile == next.srcTile && last.dstPlace == next.dstPlace
            && last.srcOffset + last.run == next.srcOffset && last.dstOffset + last.run == next.dstOffset)
            last.run += next.run;
        else all[++kept] = next;
    }
    if (!all.empty()) all.resize(kept + 1);
    return all;
}

bool writesTwice(std::vector<Loop> loops)
{
    std::erase_if(loops, [](Loop const &loop) { return loop.count == 1; });
    std::ranges::sort(loops, {}, &Loop::dst);
    std::int64_t reach = 0;
    for (auto const &loop : loops) {
        if (loop.dst <= reach) return true;
        reach += (loop.count - 1) * loop.dst;
    }
    return false;
}

} // namespace tilewright::program

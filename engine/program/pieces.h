#pragma once

#include "engine/program/program.h"

#include <algorithm>
#include <vector>

namespace tilewright::program {

/// A part of a transfer between two blocks: contiguous runs on both sides, inside a nest of loops. Offsets and strides count elements
/// inside the blocks.
struct Piece {
    int srcTile = 0;
    std::int64_t dstPlace = 0; ///< of the first copy; Layout::tileAt, with copyShifts() for the others
    std::int64_t srcOffset = 0, dstOffset = 0;
    std::int64_t run = 1;
    int depth = 0;
    std::array<Loop, kMaxLoops> loops; ///< around the run, outermost first

    std::int64_t runs() const
    {
        std::int64_t n = 1;
        for (int i = 0; i < depth; ++i) n *= loops[static_cast<std::size_t>(i)].count;
        return n;
    }
    /// Calls visit(source offset, destination offset) for each run.
    template <typename Visit> void forEachRun(Visit const &visit) const { nest(0, srcOffset, dstOffset, visit); }

private:
    template <typename Visit> void nest(int level, std::int64_t src, std::int64_t dst, Visit const &visit) const
    {
        if (level == depth) return visit(src, dst);
        auto const &loop = loops[static_cast<std::size_t>(level)];
        for (std::int64_t i = 0; i < loop.count; ++i) nest(level + 1, src + i * loop.src, dst + i * loop.dst, visit);
    }
};

/// The replica's slice of a block in one step of a ring: chunk (replica + ring.chunk) mod R, with `chunk` elements each; less, or nothing,
/// in a ragged block.
struct RingPart {
    std::int64_t first = 0, elements = 0;
};
inline RingPart ringPart(RingTransfer const &ring, int replica, int replicas, std::int64_t chunk, std::int64_t blockElements)
{
    std::int64_t const number = ((replica + ring.chunk) % replicas + replicas) % replicas;
    std::int64_t const first = std::min(blockElements, number * chunk);
    return {first, std::min(blockElements, first + chunk) - first};
}

/// A transfer, expanded into pieces. Its loops are sorted into axes that share no dimension on either side. Each axis is cut separately
/// along the blocks of both sides, and a piece is a cut of every axis. The same index space in two layouts gives an axis per dimension. If
/// rows of one side wrap inside rows of the other, dimensions share an axis, in the worst case all of them, and its cuts are runs of
/// elements.
class Expansion {
public:
    /// Requires: a transfer accepted by verify().
    Expansion(Layout const &src, Layout const &dst, Transfer const &transfer);

    template <typename Visit> void forEach(Visit const &visit) const
    {
        for (auto const &[srcPart, dstPart] : m_parts) {
            Frame frame = frameOf(srcPart, dstPart);
            if (m_wrapped) {
                for (auto const &run : wrapped(frame)) visit(pieceOf(run));
            } else {
                walk(0, frame, visit);
            }
        }
    }

private:
    /// Position of a cut in one dimension of a side: inside its block, with the block's size.
    struct Spot {
        std::int64_t at, size;
    };
    struct Cut {
        std::int64_t n;                  ///< elements along the inner loop of the axis
        std::int64_t srcPlace, dstPlace; ///< contribution of the blocks to the tile position
        std::size_t spots;               ///< first of its spots: those of the source's dimensions, then the destination's
    };
    struct AxisSide {
        std::vector<std::uint8_t> dims;
        int moved = -1;        ///< dimension of the inner loop
        std::int64_t step = 0; ///< its stride
    };
    struct Axis {
        AxisSide src, dst;
        std::vector<Cut> cuts;
        std::vector<Spot> spots;
    };
    struct Side {
        Layout const &layout;
        bool rowMajor;                             ///< the bytes follow the order of the dimensions
        std::array<std::int64_t, kMaxDims> unit{}; ///< stride of a dimension in elements of the tensor
        bool grouped() const { return !rowMajor && layout.isGrouped(); }
    };
    struct FrameSide {
        std::int64_t place = 0;
        Coords at{}, size{};
    };
    struct Frame {
        FrameSide src, dst;
        std::array<std::int64_t, kMaxLoops> n{};
    };

    /// Elements in equal steps, along the only axis.
    struct WrappedRun {
        std::int64_t dstPlace, srcOffset, dstOffset;
        int srcTile;
        std::int64_t run, n, srcStride, dstStride; ///< n: number of runs
    };

    void sortIntoAxes(std::vector<Loop> const &loops, std::int64_t src0, std::int64_t dst0);
    void cutAxis(Axis &axis, std::vector<Loop> const &loops, std::int64_t src0, std::int64_t dst0) const;
    Frame frameOf(std::int64_t srcPart, std::int64_t dstPart) const;
    std::vector<WrappedRun> wrapped(Frame const &frame) const;
    Piece pieceOf(Frame const &frame) const;
    static Piece pieceOf(WrappedRun const &run);

    void enter(Axis const &axis, Cut const &cut, Frame &frame) const
    {
        Spot const *spot = axis.spots.data() + cut.spots;
        for (auto d : axis.src.dims) {
            frame.src.at[d] = spot->at;
            frame.src.size[d] = spot->size;
            ++spot;
        }
        for (auto d : axis.dst.dims) {
            frame.dst.at[d] = spot->at;
            frame.dst.size[d] = spot->size;
            ++spot;
        }
    }

    template <typename Visit> void walk(std::size_t level, Frame &frame, Visit const &visit) const
    {
        if (level == m_axes.size()) {
            visit(pieceOf(frame));
            return;
        }
        auto const &axis = m_axes[level];
        auto const src = frame.src.place, dst = frame.dst.place;
        for (auto const &cut : axis.cuts) {
            enter(axis, cut, frame);
            frame.src.place = src + cut.srcPlace;
            frame.dst.place = dst + cut.dstPlace;
            frame.n[level] = cut.n;
            walk(level + 1, frame, visit);
        }
        frame.src.place = src;
        frame.dst.place = dst;
    }

    Side m_src, m_dst;
    std::vector<Axis> m_axes;
    std::vector<std::pair<std::int64_t, std::int64_t>> m_parts; ///< pairs of addends or slots: source, destination
    bool m_wrapped = false; ///< one axis with several loops or dimensions: adjacent cuts may form one run
};

/// The loops of a transfer: its own, or the loops that copy every element of a tensor.
std::vector<Loop> loopsOf(Layout const &src, Layout const &dst, Transfer const &transfer);
/// Whether a nest may write an element twice. Each stride must exceed the extent of the inner loops.
bool writesTwice(std::vector<Loop> loops);

} // namespace tilewright::program

#include "engine/program/program.h"

#include <algorithm>

namespace tilewright::program {

namespace {

/// Locates elements of a tensor on tiles.
struct Locator {
    Layout const &layout;
    std::int64_t const rows, cols;

    explicit Locator(Layout const &l) : layout(l), rows(l.tensorRows()), cols(l.tensorCols()) {}

    struct Spot {
        int tile;
        std::int64_t offset; ///< elements inside the block
        std::int64_t run;    ///< elements that follow in the same row of the block, this one included
    };
    /// Element `flat` (row-major in the tensor) of group `group` (None and Columns: 0).
    Spot at(std::int64_t flat, std::int64_t group) const
    {
        std::int64_t const row = flat / cols;
        std::int64_t col = flat % cols;
        if (layout.kind == Groups::Columns) {
            group = col / layout.extent[2];
            col %= layout.extent[2];
        }
        auto const i = group / layout.block[0];
        auto const j = row / layout.block[1];
        auto const k = col / layout.block[2];
        Box const box = layout.boxOf(i, j, k);
        return {layout.tileOf(i, j, k), ((group - box.g0) * box.rows() + row - box.r0) * box.cols() + col - box.c0,
                box.c1 - col};
    }
};

} // namespace

void forEachFragment(Program const &program, Transfer const &transfer, std::function<void(Fragment const &)> const &visit)
{
    Locator const src(program.var(transfer.src).layout);
    Locator const dst(program.var(transfer.dst).layout);
    Layout const &dstLayout = dst.layout;
    bool const copies = dstLayout.kind == Groups::Copies;
    bool const matched = dstLayout.kind == Groups::Partials && transfer.dstGroup < 0;
    std::int64_t const groups = copies || matched ? dstLayout.extent[0] : 1;
    // The rectangle is cut along the destination's blocks so that fragments of one block come together
    // and merge; the destination's rows bound each run.
    for (std::int64_t group = 0; group < groups; ++group) {
        std::int64_t const dstGroup = copies || matched ? group : std::max(transfer.dstGroup, 0);
        std::int64_t const srcGroup = transfer.srcGroup >= 0 ? transfer.srcGroup : matched ? group : 0;
        Fragment pending;
        auto const flush = [&] {
            if (pending.elements) visit(pending);
            pending.elements = 0;
        };
        // Column strips of the destination: inside one strip all runs of a row belong to one block column.
        std::int64_t const strip = dstLayout.block[2];
        bool const aligned = transfer.dstStride == dst.cols && transfer.cols <= dst.cols
            && transfer.dst0 % dst.cols + transfer.cols <= dst.cols && dstLayout.kind != Groups::Columns;
        std::int64_t const firstCol = aligned ? transfer.dst0 % dst.cols : 0;
        std::int64_t const stripBegin = aligned ? firstCol / strip : 0;
        std::int64_t const stripEnd = aligned ? (firstCol + transfer.cols - 1) / strip + 1 : 1;
        for (std::int64_t s = stripBegin; s < stripEnd; ++s) {
            std::int64_t const from = aligned ? std::max(firstCol, s * strip) - firstCol : 0;
            std::int64_t const to = aligned ? std::min(firstCol + transfer.cols, (s + 1) * strip) - firstCol : transfer.cols;
            for (std::int64_t row = 0; row < transfer.rows; ++row) {
                std::int64_t at = from;
                while (at < to) {
                    auto const a = src.at(transfer.src0 + row * transfer.srcStride + at, srcGroup);
                    auto const b = dst.at(transfer.dst0 + row * transfer.dstStride + at, dstGroup);
                    std::int64_t const n = std::min({a.run, b.run, to - at});
                    if (pending.elements && pending.srcTile == a.tile && pending.dstTile == b.tile
                        && pending.srcOffset + pending.elements == a.offset
                        && pending.dstOffset + pending.elements == b.offset) {
                        pending.elements += n;
                    } else {
                        flush();
                        pending = {a.tile, b.tile, a.offset, b.offset, n, group == 0 || !copies};
                    }
                    at += n;
                }
            }
            flush();
        }
    }
}

} // namespace tilewright::program

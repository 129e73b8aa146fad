#pragma once

#include "engine/program/program.h"

#include <algorithm>
#include <vector>

namespace tilewright::program {

/// `rows` runs of `cols` elements that move from one block to another: run i lies at offset + i stride of the
/// block, in elements. Runs that follow each other on both sides are one run (rows = 1).
struct Rect {
    int srcTile = 0, dstTile = 0;
    std::int64_t srcOffset = 0, dstOffset = 0;
    std::int64_t rows = 1, cols = 0;
    std::int64_t srcStride = 0, dstStride = 0;
    bool firstCopy = true;         ///< false for further receivers of the same data (multicast)
    std::int64_t row = 0, col = 0; ///< block of the destination: numbers along rows and columns
};

namespace detail {

/// Part of a block's columns inside a window of tensor columns.
struct Columns {
    std::int64_t group, block; ///< group: of the layout
    std::int64_t begin, end;   ///< tensor columns
    std::int64_t origin;       ///< tensor column of the block's first
    std::int64_t width;        ///< columns of the block
};

/// Cuts [begin, end) of the tensor's columns along the blocks. `group` is that of the transfer; layouts of
/// kind Columns have their own.
std::vector<Columns> cutColumns(Layout const &layout, std::int64_t group, std::int64_t begin, std::int64_t end);

/// A transfer seen as equal windows of two row-major tensors.
struct Window {
    bool aligned = false; ///< false: rows of one side wrap inside a row of the other
    std::int64_t srcRow = 0, srcCol = 0, dstRow = 0, dstCol = 0;
};
Window windowOf(Program const &program, Transfer const &transfer);

/// Requires: not aligned. Runs element by element, merged where they follow each other.
void forEachWrappedRun(Program const &program, Transfer const &transfer, std::int64_t srcGroup, std::int64_t dstGroup,
                       std::vector<Rect> &runs);

} // namespace detail

/// Expands a transfer into rectangles, in order of destination block. With `firstOnly`, copies beyond the
/// first are left out (they equal the first but for their tile).
template <typename Visit> void forEachRect(Program const &program, Transfer const &transfer, bool firstOnly, Visit const &visit)
{
    Layout const &src = program.var(transfer.src).layout;
    Layout const &dst = program.var(transfer.dst).layout;
    bool const copies = dst.kind == Groups::Copies;
    bool const matched = dst.kind == Groups::Partials && transfer.dstGroup < 0;
    std::int64_t const groups = copies && firstOnly ? 1 : copies || matched ? dst.extent[0] : 1;
    auto const window = detail::windowOf(program, transfer);
    std::vector<Rect> runs;
    for (std::int64_t group = 0; group < groups; ++group) {
        std::int64_t const dstGroup = copies || matched ? group : std::max(transfer.dstGroup, 0);
        std::int64_t const srcGroup = transfer.srcGroup >= 0 ? transfer.srcGroup : matched ? group : 0;
        bool const first = group == 0 || !copies;
        if (!window.aligned) {
            runs.clear();
            detail::forEachWrappedRun(program, transfer, srcGroup, dstGroup, runs);
            for (auto &run : runs) {
                run.firstCopy = first;
                visit(static_cast<Rect const &>(run));
            }
            continue;
        }
        auto const dstColumns = detail::cutColumns(dst, dstGroup, window.dstCol, window.dstCol + transfer.cols);
        auto const srcColumns = detail::cutColumns(src, srcGroup, window.srcCol, window.srcCol + transfer.cols);
        std::int64_t const dstEnd = window.dstRow + transfer.rows;
        std::int64_t const shiftRow = window.srcRow - window.dstRow, shiftCol = window.srcCol - window.dstCol;
        for (auto const &d : dstColumns) {
            auto const di = d.group / dst.block[0], dg = d.group % dst.block[0];
            for (std::int64_t row = window.dstRow; row < dstEnd;) {
                auto const dj = row / dst.block[1];
                Box const box = dst.boxOf(di, dj, d.block);
                std::int64_t const blockEnd = std::min(dstEnd, box.r1);
                int const dstTile = dst.tileOf(di, dj, d.block);
                for (std::int64_t at = row; at < blockEnd;) {
                    auto const sj = (at + shiftRow) / src.block[1];
                    std::int64_t const to = std::min(blockEnd, std::min(src.extent[1], (sj + 1) * src.block[1]) - shiftRow);
                    for (auto const &s : srcColumns) {
                        std::int64_t const c0 = std::max(d.begin, s.begin - shiftCol), c1 = std::min(d.end, s.end - shiftCol);
                        if (c0 >= c1) continue;
                        auto const si = s.group / src.block[0], sg = s.group % src.block[0];
                        Box const from = src.boxOf(si, sj, s.block);
                        Rect r;
                        r.srcTile = src.tileOf(si, sj, s.block);
                        r.dstTile = dstTile;
                        r.rows = to - at;
                        r.cols = c1 - c0;
                        r.srcStride = s.width;
                        r.dstStride = d.width;
                        r.srcOffset = (sg * from.rows() + at + shiftRow - from.r0) * s.width + c0 + shiftCol - s.origin;
                        r.dstOffset = (dg * box.rows() + at - box.r0) * d.width + c0 - d.origin;
                        r.firstCopy = first;
                        r.row = dj;
                        r.col = d.block;
                        if (r.rows > 1 && r.cols == r.srcStride && r.cols == r.dstStride) {
                            r.cols *= r.rows;
                            r.rows = 1;
                        }
                        visit(static_cast<Rect const &>(r));
                    }
                    at = to;
                }
                row = blockEnd;
            }
        }
    }
}

} // namespace tilewright::program

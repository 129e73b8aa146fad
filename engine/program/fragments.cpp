#include "engine/program/fragments.h"

namespace tilewright::program {

namespace {

/// Locates elements of a tensor on tiles.
struct Locator {
    Layout const &layout;
    std::int64_t const rows, cols;

    explicit Locator(Layout const &l) : layout(l), rows(l.tensorRows()), cols(l.tensorCols()) {}

    struct Spot {
        int tile;
        std::int64_t offset;   ///< elements inside the block
        std::int64_t run;      ///< elements that follow in the same row of the block, this one included
        std::int64_t row, col; ///< numbers of the block
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
                box.c1 - col, j, k};
    }
};

} // namespace

namespace detail {

std::vector<Columns> cutColumns(Layout const &layout, std::int64_t group, std::int64_t begin, std::int64_t end)
{
    std::vector<Columns> all;
    bool const grouped = layout.kind == Groups::Columns;
    std::int64_t const width = layout.extent[2];
    for (std::int64_t at = begin; at < end;) {
        std::int64_t const g = grouped ? at / width : group;
        std::int64_t const base = grouped ? g * width : 0;
        std::int64_t const k = (at - base) / layout.block[2];
        std::int64_t const origin = base + k * layout.block[2];
        std::int64_t const blockEnd = base + std::min(width, (k + 1) * layout.block[2]);
        std::int64_t const to = std::min(end, blockEnd);
        all.push_back({g, k, at, to, origin, blockEnd - origin});
        at = to;
    }
    return all;
}

Window windowOf(Program const &program, Transfer const &t)
{
    std::int64_t const srcCols = program.var(t.src).layout.tensorCols(), dstCols = program.var(t.dst).layout.tensorCols();
    Window w;
    w.srcRow = t.src0 / srcCols;
    w.srcCol = t.src0 % srcCols;
    w.dstRow = t.dst0 / dstCols;
    w.dstCol = t.dst0 % dstCols;
    bool const oneRow = t.rows == 1;
    w.aligned = (oneRow || t.srcStride == srcCols) && (oneRow || t.dstStride == dstCols) && w.srcCol + t.cols <= srcCols
        && w.dstCol + t.cols <= dstCols;
    return w;
}

void forEachWrappedRun(Program const &program, Transfer const &transfer, std::int64_t srcGroup, std::int64_t dstGroup,
                       std::vector<Rect> &runs)
{
    Locator const src(program.var(transfer.src).layout);
    Locator const dst(program.var(transfer.dst).layout);
    Layout const &layout = dst.layout;
    // Column strips of the destination: inside one strip all runs of a row belong to one block column, so
    // that runs of one block come together and merge.
    std::int64_t const strip = layout.block[2];
    bool const strips = transfer.dstStride == dst.cols && transfer.cols <= dst.cols
        && transfer.dst0 % dst.cols + transfer.cols <= dst.cols && layout.kind != Groups::Columns;
    std::int64_t const firstCol = strips ? transfer.dst0 % dst.cols : 0;
    std::int64_t const stripBegin = strips ? firstCol / strip : 0;
    std::int64_t const stripEnd = strips ? (firstCol + transfer.cols - 1) / strip + 1 : 1;
    for (std::int64_t s = stripBegin; s < stripEnd; ++s) {
        std::int64_t const from = strips ? std::max(firstCol, s * strip) - firstCol : 0;
        std::int64_t const to = strips ? std::min(firstCol + transfer.cols, (s + 1) * strip) - firstCol : transfer.cols;
        bool fresh = true;
        for (std::int64_t row = 0; row < transfer.rows; ++row) {
            for (std::int64_t at = from; at < to;) {
                auto const a = src.at(transfer.src0 + row * transfer.srcStride + at, srcGroup);
                auto const b = dst.at(transfer.dst0 + row * transfer.dstStride + at, dstGroup);
                std::int64_t const n = std::min({a.run, b.run, to - at});
                auto *last = fresh ? nullptr : &runs.back();
                if (last && last->srcTile == a.tile && last->dstTile == b.tile && last->srcOffset + last->cols == a.offset
                    && last->dstOffset + last->cols == b.offset) {
                    last->cols += n;
                } else {
                    Rect r;
                    r.srcTile = a.tile;
                    r.dstTile = b.tile;
                    r.srcOffset = a.offset;
                    r.dstOffset = b.offset;
                    r.cols = n;
                    r.row = b.row;
                    r.col = b.col;
                    runs.push_back(r);
                    fresh = false;
                }
                at += n;
            }
        }
    }
}

} // namespace detail

void forEachFragment(Program const &program, Transfer const &transfer, std::function<void(Fragment const &)> const &visit)
{
    forEachRect(program, transfer, false, [&](Rect const &r) {
        for (std::int64_t i = 0; i < r.rows; ++i)
            visit({r.srcTile, r.dstTile, r.srcOffset + i * r.srcStride, r.dstOffset + i * r.dstStride, r.cols, r.firstCopy});
    });
}

} // namespace tilewright::program

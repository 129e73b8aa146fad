// Stochastic rounding of stored results. An element draws by its number in the tensor, so the result is independent of the tile, the order
// of bytes in the block and the shares of workers.
#include "engine/kernels/rounding.h"
#include "engine/program/codelets/support.h"

namespace tilewright::program {

constinit thread_local VertexState const *roundedVertex = nullptr;

namespace {

constinit thread_local std::int64_t partialNumber = -1; ///< index of the current partial sum; -1: results

/// Row-major number in the block of the element at `offset`, in a field whose rows or columns can be grouped. Inverse of elementAt().
std::int64_t rowMajorNumber(VertexState::Ref const &ref, std::int64_t offset)
{
    std::int64_t const matrix = std::int64_t{ref.rows} * ref.cols;
    std::int64_t const base = offset / matrix * matrix, at = offset - base;
    if (ref.colGroup > 1) {
        std::int64_t const first = at / (std::int64_t{ref.colGroup} * ref.rows) * ref.colGroup;
        std::int64_t const width = std::min<std::int64_t>(ref.colGroup, ref.cols - first), inside = at - first * ref.rows;
        return base + inside / width * ref.cols + first + inside % width;
    }
    std::int64_t const first = at / (std::int64_t{ref.rowGroup} * ref.cols) * ref.rowGroup;
    std::int64_t const height = std::min<std::int64_t>(ref.rowGroup, ref.rows - first), inside = at - first * ref.cols;
    return base + (first + inside % height) * ref.cols + inside / height;
}

/// An element of a block by its row-major number, and the number of following elements that are also neighbours in the tensor.
struct Run {
    std::int64_t element, length;
};
Run runAt(FieldBlock const &block, std::int64_t number)
{
    if (block.rank == 0) return {0, 1};
    int const last = block.rank - 1;
    std::int64_t const length = block.size(last) - number % block.size(last);
    std::int64_t element = 0, unit = 1;
    for (int d = last; d >= 0; --d) { // beyond the last dimension: another addend or copy of the same elements
        element += (block.begin(d) + number % block.size(d)) * unit;
        number /= block.size(d);
        unit *= block.extent[static_cast<std::size_t>(d)];
    }
    return {element, length};
}

} // namespace

void storeRounded(std::byte *tile, VertexState::Ref const &ref, std::int64_t offset, std::int64_t n, float const *values)
{
    auto *const to = at<std::uint16_t>(tile, ref) + offset;
    auto const &vertex = *roundedVertex;
    std::int64_t const address = std::int64_t{ref.address} + 2 * offset;
    for (std::size_t f = 0; f < vertex.fields.size(); ++f) {
        auto const &field = vertex.fields[f];
        std::int64_t const inside = address - std::int64_t{field.address};
        if (vertex.rounding[f] == 0 || field.dtype != DType::F16 || inside < 0 || inside >= 2 * field.elements()) continue;
        for (std::int64_t i = 0; i < n;) {
            std::int64_t const number = field.isGrouped() ? rowMajorNumber(field, inside / 2 + i) : inside / 2 + i;
            auto const run = runAt(vertex.blocks[f], number);
            std::int64_t const count = field.isGrouped() ? 1 : std::min(run.length, n - i);
            auto const seed = partialNumber < 0 ? vertex.rounding[f] : partialSeed(vertex.rounding[f], partialNumber);
            kernels::narrow(values + i, count, to + i, seed, run.element);
            i += count;
        }
        return;
    }
    kernels::narrow(values, n, to);
}

void storePartials(std::byte *tile, VertexState::Ref const &ref, std::int64_t offset, std::int64_t n, float *values, std::int64_t number)
{
    partialNumber = number;
    storeFloats(tile, ref, offset, n, values);
    partialNumber = -1;
    loadFloats(tile, ref, offset, n, values);
}

void runVertex(Codelet const &codelet, std::byte *tile, VertexState const &state)
{
    roundedVertex = state.rounding.empty() ? nullptr : &state;
    codelet.run(tile, state, Workers{});
    roundedVertex = nullptr;
}

} // namespace tilewright::program

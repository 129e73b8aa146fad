#include "engine/program/cost/slice_cost.h"

#include <bit>
#include <numeric>

namespace tilewright::cost {

namespace {

constexpr Bytes kAtomBytes = 4; ///< smallest write without read-modify-write

std::int64_t ceilLog2(std::int64_t n) { return n <= 1 ? 0 : std::bit_width(static_cast<std::uint64_t>(n - 1)); }

/// Binary search for lower and upper bound, then a walk over equal entries.
Cycles searchCycles(std::int64_t offsets, std::int64_t perEntry) { return 2 * 10 * ceilLog2(offsets) + 15 * perEntry + 9; }

} // namespace

Cycles multiSliceCycles(MultiSliceParams const &p)
{
    // 64-bit elements are copied as pairs of words.
    std::int64_t const elements = p.type.bytes() == 8 ? 2 * p.rowElements : p.rowElements;
    std::int64_t const width = p.type.bytes() == 1 ? 4 : 2;
    Cycles const perVector = p.type.bytes() == 1 ? 3 : 2;
    std::int64_t vectors = ceilDiv(elements, width);
    if (p.splitSingleRow) vectors = ceilDiv(vectors, kWorkers);
    std::int64_t const inRange = p.inRange < 0 ? p.offsets : p.inRange;
    std::int64_t const others = p.sorted ? 0 : p.offsets - inRange;
    Cycles const search = p.sorted ? searchCycles(p.offsets, p.perEntry) + 20 : 0;
    return kWorkers * ((p.update ? 29 : 30) + inRange * (19 + vectors * perVector) + others * 8 + search);
}

Cycles multiUpdateCycles(MultiUpdateParams const &p)
{
    Bytes const bytes = p.type.bytes();
    bool const words = bytes == 4;
    bool const shortRow =
        p.scaled && p.add && ((words && (p.rowElements == 2 || p.rowElements == 4)) || (bytes == 2 && p.rowElements == 4));
    Cycles cycles = 3 + (words ? 29 : 30) - (shortRow ? 1 : 0) + (p.scaled ? 4 + (words ? 2 : 0) : 0);
    if (p.sorted) cycles += searchCycles(p.offsets, p.perEntry) + 15;
    if (p.offsets == 0) return cycles;

    std::int64_t const atom = std::lcm(kAtomBytes, bytes) / bytes; // elements
    Cycles perOffset = (words ? 11 : 12) + (!words && p.scaled ? 1 : 0);
    if (p.rowElements % atom != 0) perOffset += 20 * p.rowElements; // sub-word writes: compiled code
    else if (shortRow) perOffset = words ? (p.rowElements == 2 ? 8 : 16) : (p.wideScale ? 12 : 9);
    else perOffset += (p.rowElements / atom - 1) * (3 + (p.wideScale ? 1 : 0));

    std::int64_t const inRange = p.inRange < 0 ? p.offsets : p.inRange;
    std::int64_t const others = p.sorted ? 0 : p.offsets - inRange;
    return kWorkers * (cycles + perOffset * inRange + 5 * others);
}

Cycles dynamicSlice1DCycles(ValueType type, std::int64_t rowElements, std::int64_t rows)
{
    bool const byte = type.bytes() == 1;
    bool const wide = type.bytes() == 8;
    std::int64_t const share = ceilDiv((wide ? 2 : 1) * rowElements, kWorkers);
    std::int64_t const width = byte ? 4 : type == ValueType::F16 ? 4 : 2;
    Cycles const perRow = (byte ? 72 : 24) + 2 * (share / width);
    return 25 + kWorkers * ((byte ? 76 : 39) + perRow * rows);
}

Cycles dynamicSlice2DWorkerCycles(ValueType type, std::int64_t rowElements, std::int64_t rows, std::int64_t regions, bool update)
{
    bool const byte = type.bytes() == 1;
    bool const wide = type.bytes() == 8;
    std::int64_t const width = byte ? 4 : type == ValueType::F16 ? 4 : 2;
    std::int64_t const vectors = ceilDiv((wide && update ? 2 : 1) * rowElements, width);
    Cycles perRow = 0;
    if (byte) perRow = 50 + (update ? 23 : 2) * vectors;
    else if (type == ValueType::F16) perRow = 31 + 2 * vectors;
    else perRow = 29 + (wide && update ? 1 : 0) + vectors;
    return 27 + regions * (perRow * rows + 13);
}

} // namespace tilewright::cost

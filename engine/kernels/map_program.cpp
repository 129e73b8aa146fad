#include "engine/kernels/map_program.h"

#include "engine/kernels/half.h"
#include "engine/kernels/rounding.h"

#include <algorithm>
#include <memory>
#include <type_traits>

namespace tilewright::kernels {

namespace {

/// Block buffers kept on the stack; longer programs take them from the heap.
constexpr int kStackSlots = 16;
/// Shorter rows that do not follow one another are copied into a buffer instead of a loop over each.
constexpr std::int64_t kLeastRow = 64;

template <typename T> constexpr DType kNative = std::is_same_v<T, float> ? DType::F32 : DType::I32;

template <typename T> void loadRun(T *out, MapPlace const &place, std::int64_t at, std::int64_t n)
{
    if constexpr (std::is_same_v<T, float>) {
        if (place.dtype == DType::F16) {
            widenHalves(reinterpret_cast<std::uint16_t const *>(place.data) + at, n, out);
            return;
        }
    }
    std::copy_n(reinterpret_cast<T const *>(place.data) + at, n, out);
}

template <typename T>
void storeRun(T const *from, MapPlace const &place, std::int64_t at, std::int64_t n, [[maybe_unused]] std::uint64_t rounding)
{
    if constexpr (std::is_same_v<T, float>) {
        if (place.dtype == DType::F16) return narrow(from, n, reinterpret_cast<std::uint16_t *>(place.data) + at, rounding, at);
    }
    std::copy_n(from, n, reinterpret_cast<T *>(place.data) + at);
}

} // namespace

template <typename T> MapProgram<T>::MapProgram(std::int64_t rows, std::int64_t cols) : m_rows(rows), m_cols(cols)
{
    if (cols <= kMapBlock) {
        m_blockRows = std::max<std::int64_t>(1, kMapBlock / std::max<std::int64_t>(1, cols));
        m_blockCols = cols;
    } else {
        m_blockCols = kMapBlock;
        m_blocksPerRow = ceilDiv(cols, kMapBlock);
    }
}

template <typename T> bool MapProgram<T>::isDirect(DType dtype, std::int64_t stride) const
{
    return dtype == kNative<T> && (stride == m_cols || m_blockRows == 1 || m_rows == 1 || m_cols >= kLeastRow);
}

template <typename T> typename MapProgram<T>::Reg MapProgram<T>::add(Step step, bool pinned)
{
    step.out = static_cast<Reg>(m_regs.size());
    m_regs.emplace_back();
    m_pinned.push_back(pinned);
    m_steps.push_back(std::move(step));
    return m_steps.back().out;
}

template <typename T> typename MapProgram<T>::Reg MapProgram<T>::load(MapPlace const &place)
{
    if (isDirect(place.dtype, place.stride)) {
        m_regs.push_back({-1, place});
        m_pinned.push_back(false);
        return static_cast<Reg>(m_regs.size()) - 1;
    }
    Step step;
    step.kind = Kind::Load;
    step.place = place;
    // One row for all is the same in every block, unless blocks are pieces of rows.
    step.once = place.stride == 0 && m_blocksPerRow == 1;
    return add(step, step.once);
}

template <typename T> typename MapProgram<T>::Reg MapProgram<T>::loadScalar(MapPlace const &place)
{
    Step step;
    step.kind = Kind::LoadColumn;
    step.place = place;
    step.place.stride = 0;
    step.once = true;
    return add(step, true);
}

template <typename T> typename MapProgram<T>::Reg MapProgram<T>::loadColumn(MapPlace const &place)
{
    Step step;
    step.kind = Kind::LoadColumn;
    step.place = place;
    step.place.stride = 1;
    return add(step, false);
}

template <typename T>
typename MapProgram<T>::Reg MapProgram<T>::loadRows(MapPlace const &place, std::vector<graph::BroadcastLoop> loops, bool one)
{
    Step step;
    step.kind = Kind::LoadRows;
    step.place = place;
    step.loops = std::move(loops);
    step.one = one;
    return add(std::move(step), false);
}

template <typename T>
typename MapProgram<T>::Reg MapProgram<T>::apply(BlockFn<T> fn, std::span<Reg const> args, double p, double q, MapPlace const *direct)
{
    Step step;
    step.fn = fn;
    step.arity = static_cast<int>(args.size());
    std::ranges::copy(args, step.args);
    step.p = p;
    step.q = q;
    auto const out = add(step, false);
    if (direct) m_regs.back().place = *direct;
    return out;
}

template <typename T> void MapProgram<T>::store(Reg from, MapPlace const &place)
{
    Step step;
    step.kind = Kind::Store;
    step.arity = 1;
    step.args[0] = from;
    step.place = place;
    m_steps.push_back(step);
}

/// Every register that lies nowhere gets a block buffer, which those have again whose values are no longer needed.
template <typename T> void MapProgram<T>::giveSlots()
{
    std::vector<int> lastUse(m_regs.size(), -1);
    for (std::size_t i = 0; i < m_steps.size(); ++i)
        for (int a = 0; a < m_steps[i].arity; ++a) lastUse[static_cast<std::size_t>(m_steps[i].args[a])] = static_cast<int>(i);
    std::vector<int> freeSlots;
    for (std::size_t i = 0; i < m_steps.size(); ++i) {
        auto &step = m_steps[i];
        for (int a = 0; a < step.arity; ++a) {
            auto const reg = static_cast<std::size_t>(step.args[a]);
            step.from[a] = m_regs[reg];
            if (m_regs[reg].slot < 0 || m_pinned[reg] || lastUse[reg] != static_cast<int>(i)) continue;
            freeSlots.push_back(m_regs[reg].slot);
            lastUse[reg] = -1; // free once, though it may be read twice here
        }
        if (step.out < 0) continue;
        auto const reg = static_cast<std::size_t>(step.out);
        if (!m_regs[reg].place.data) {
            // What lasts through a task was there before anything else of the block.
            if (freeSlots.empty() || m_pinned[reg]) m_regs[reg].slot = m_slots++;
            else {
                m_regs[reg].slot = freeSlots.back();
                freeSlots.pop_back();
            }
            if (lastUse[reg] < 0 && !m_pinned[reg]) freeSlots.push_back(m_regs[reg].slot);
        }
        step.to = m_regs[reg];
    }
}

template <typename T> Prepared MapProgram<T>::finish(std::int64_t work)
{
    giveSlots();
    std::int64_t const blocks = m_rows * m_cols == 0 ? 0 : ceilDiv(m_rows, m_blockRows) * m_blocksPerRow;
    // An addition of two tensors in cache takes a few microseconds per 16,384 elements.
    m_blocks = {blocks, std::max<std::int64_t>(1, 2 * kElementsPerTask / (kMapBlock * std::max<std::int64_t>(1, work)))};
    return [program = std::make_shared<MapProgram>(std::move(*this))](RunContext &ctx) { program->run(ctx); };
}

template <typename T> void MapProgram<T>::runBlocks(std::int64_t first, std::int64_t last, T *buffers, std::uint64_t rounding) const
{
    for (std::int64_t block = first; block < last; ++block) {
        std::int64_t const row = block / m_blocksPerRow * m_blockRows;
        std::int64_t const col = block % m_blocksPerRow * m_blockCols;
        std::int64_t const rowCount = std::min(m_blockRows, m_rows - row);
        std::int64_t const colCount = std::min(m_blockCols, m_cols - col);
        auto const at = [&](Where const &where) -> T * {
            if (where.slot >= 0) return buffers + where.slot * kMapBlock;
            return reinterpret_cast<T *>(where.place.data) + where.place.first + row * where.place.stride + col;
        };
        auto const strideOf = [&](Where const &where) { return where.slot >= 0 ? colCount : where.place.stride; };
        for (auto const &step : m_steps) {
            if (step.once && block != first) continue;
            auto const &place = step.place;
            std::int64_t const begin = place.first + row * place.stride;
            // Rows that follow one another are one run.
            bool const oneRun = place.stride == m_cols && (step.kind == Kind::Load || strideOf(step.from[0]) == m_cols);
            std::int64_t const runs = oneRun ? 1 : rowCount, length = oneRun ? rowCount * colCount : colCount;
            switch (step.kind) {
            case Kind::Apply: {
                Block<T> one;
                one.to = at(step.to);
                one.toStride = strideOf(step.to);
                bool together = one.toStride == colCount;
                for (int a = 0; a < step.arity; ++a) {
                    one.from[a] = at(step.from[a]);
                    one.fromStride[a] = strideOf(step.from[a]);
                    together = together && one.fromStride[a] == colCount;
                }
                one.rows = together ? 1 : rowCount;
                one.cols = together ? rowCount * colCount : colCount;
                one.p = step.p;
                one.q = step.q;
                step.fn(one);
                break;
            }
            case Kind::Load:
                // What is loaded once is there for blocks of more rows too.
                if (step.once)
                    for (std::int64_t r = 0; r < m_blockRows; ++r) loadRun(at(step.to) + r * colCount, place, place.first, colCount);
                else
                    for (std::int64_t r = 0; r < runs; ++r)
                        loadRun(at(step.to) + r * colCount, place, begin + r * place.stride + col, length);
                break;
            case Kind::LoadColumn: {
                T value{};
                if (step.once) {
                    loadRun(&value, place, place.first, 1);
                    std::fill_n(at(step.to), kMapBlock, value);
                    break;
                }
                for (std::int64_t r = 0; r < rowCount; ++r) {
                    loadRun(&value, place, begin + r, 1);
                    std::fill_n(at(step.to) + r * colCount, colCount, value);
                }
                break;
            }
            case Kind::LoadRows:
                for (std::int64_t r = 0; r < rowCount; ++r) {
                    auto *to = at(step.to) + r * colCount;
                    auto const from = place.first + graph::elementOf(step.loops, row + r);
                    if (!step.one) {
                        loadRun(to, place, from + col, colCount);
                        continue;
                    }
                    T value{};
                    loadRun(&value, place, from, 1);
                    std::fill_n(to, colCount, value);
                }
                break;
            case Kind::Store: {
                auto const *from = at(step.from[0]);
                for (std::int64_t r = 0; r < runs; ++r)
                    storeRun(from + r * strideOf(step.from[0]), place, begin + r * place.stride + col, length, rounding);
                break;
            }
            }
        }
    }
}

template <typename T> void MapProgram<T>::run(RunContext &ctx) const
{
    parallelFor(ctx, m_blocks.tasks(), [this, rounding = ctx.roundingOf(0)](std::size_t task) {
        if (m_slots <= kStackSlots) {
            alignas(64) T buffers[kStackSlots * kMapBlock];
            runBlocks(m_blocks.begin(task), m_blocks.end(task), buffers, rounding);
        } else {
            auto const buffers = std::make_unique<T[]>(static_cast<std::size_t>(m_slots) * kMapBlock);
            runBlocks(m_blocks.begin(task), m_blocks.end(task), buffers.get(), rounding);
        }
    });
}

template class MapProgram<float>;
template class MapProgram<std::int32_t>;

} // namespace tilewright::kernels

#include "engine/graph/expr.h"
#include "engine/kernels/half.h"
#include "engine/kernels/ops.h"
#include "engine/kernels/prim_math.h"
#include "engine/kernels/rounding.h"
#include "engine/kernels/support.h"

#include <array>
#include <memory>
#include <type_traits>
#include <utility>

// A fused expression is evaluated block by block: each instruction is one vectorised loop over a few hundred
// elements whose intermediate results stay in the first-level cache.

namespace tilewright::kernels {

namespace {

using graph::Broadcast;
using graph::Prim;

constexpr std::int64_t kBlock = 512;
/// Block buffers kept on the stack; longer expressions take them from the heap.
constexpr int kStackSlots = 16;
constexpr std::size_t kPrimCount = static_cast<std::size_t>(Prim::Axpby) + 1;

template <typename T>
using BlockFn = void (*)(T *out, T const *x, T const *y, T const *z, std::int64_t n, double p, double q);

constexpr int arityOf(Prim prim)
{
    switch (prim) {
    case Prim::Add: case Prim::Sub: case Prim::Mul: case Prim::Div: case Prim::Max: case Prim::Min:
    case Prim::ReluGrad: case Prim::TanhGrad: case Prim::SigmoidGrad: case Prim::LeakyReluGrad: case Prim::EluGrad:
    case Prim::SeluGrad: case Prim::SoftplusGrad: case Prim::SoftsignGrad: case Prim::HardSigmoidGrad:
    case Prim::GeluGrad: case Prim::GeluTanhGrad: case Prim::SwishGrad: case Prim::ClipGrad: case Prim::Equal:
    case Prim::Greater: case Prim::GreaterEqual: case Prim::Axpby:
        return 2;
    case Prim::MaxGrad: case Prim::Select: return 3;
    default: return 1;
    }
}

// `out` may be x, y or z itself (never shifted): iterations are independent.
template <Prim P> void floatBlock(float *out, float const *x, float const *y, float const *z, std::int64_t n, double p, double q)
{
    float const pf = static_cast<float>(p), qf = static_cast<float>(q);
#pragma GCC ivdep
    for (std::int64_t i = 0; i < n; ++i) {
        if constexpr (arityOf(P) == 1) out[i] = primValue<P>(x[i], 0, 0, pf, qf);
        else if constexpr (arityOf(P) == 2) out[i] = primValue<P>(x[i], y[i], 0, pf, qf);
        else out[i] = primValue<P>(x[i], y[i], z[i], pf, qf);
    }
}

/// Integers wrap around. Primitives without a meaning for integers have no entry in the table.
constexpr bool isIntegerPrim(Prim prim)
{
    switch (prim) {
    case Prim::Add: case Prim::Sub: case Prim::Mul: case Prim::Max: case Prim::Min: case Prim::Neg: case Prim::Abs:
    case Prim::Square: case Prim::Sign: case Prim::Relu: case Prim::ReluGrad: case Prim::MaxGrad: case Prim::AddScalar:
    case Prim::MulScalar: case Prim::MaxScalar: case Prim::Clip: case Prim::Step: case Prim::Equal: case Prim::Greater:
    case Prim::GreaterEqual: case Prim::Select:
        return true;
    default: return false;
    }
}

template <Prim P> std::int32_t intValue(std::int32_t x, std::int32_t y, std::int32_t z, std::int32_t p, std::int32_t q)
{
    auto const wrap = [](std::uint32_t v) { return static_cast<std::int32_t>(v); };
    auto const u = [](std::int32_t v) { return static_cast<std::uint32_t>(v); };
    if constexpr (P == Prim::Add) return wrap(u(x) + u(y));
    else if constexpr (P == Prim::Sub) return wrap(u(x) - u(y));
    else if constexpr (P == Prim::Mul) return wrap(u(x) * u(y));
    else if constexpr (P == Prim::Max) return std::max(x, y);
    else if constexpr (P == Prim::Min) return std::min(x, y);
    else if constexpr (P == Prim::Neg) return wrap(0u - u(x));
    else if constexpr (P == Prim::Abs) return x < 0 ? wrap(0u - u(x)) : x;
    else if constexpr (P == Prim::Square) return wrap(u(x) * u(x));
    else if constexpr (P == Prim::Sign) return (x > 0) - (x < 0);
    else if constexpr (P == Prim::Relu) return std::max(x, 0);
    else if constexpr (P == Prim::ReluGrad) return x > 0 ? y : 0;
    else if constexpr (P == Prim::MaxGrad) return x >= y ? z : 0;
    else if constexpr (P == Prim::Select) return x != 0 ? y : z;
    else if constexpr (P == Prim::AddScalar) return wrap(u(x) + u(p));
    else if constexpr (P == Prim::MulScalar) return wrap(u(x) * u(p));
    else if constexpr (P == Prim::MaxScalar) return std::max(x, p);
    else if constexpr (P == Prim::Clip) return std::min(std::max(x, p), q);
    else if constexpr (P == Prim::Step) return x > p;
    else if constexpr (P == Prim::Equal) return x == y;
    else if constexpr (P == Prim::Greater) return x > y;
    else return x >= y;
}

template <Prim P>
void intBlock(std::int32_t *out, std::int32_t const *x, std::int32_t const *y, std::int32_t const *z, std::int64_t n,
              double p, double q)
{
    auto const pi = static_cast<std::int32_t>(p), qi = static_cast<std::int32_t>(q);
#pragma GCC ivdep
    for (std::int64_t i = 0; i < n; ++i)
        out[i] = intValue<P>(x[i], arityOf(P) > 1 ? y[i] : 0, arityOf(P) > 2 ? z[i] : 0, pi, qi);
}

template <typename T, Prim P> constexpr BlockFn<T> blockFn()
{
    if constexpr (std::is_same_v<T, float>) return &floatBlock<P>;
    else if constexpr (isIntegerPrim(P)) return &intBlock<P>;
    else return nullptr;
}

template <typename T, std::size_t... I> constexpr auto makeBlockTable(std::index_sequence<I...>)
{
    return std::array<BlockFn<T>, sizeof...(I)>{blockFn<T, static_cast<Prim>(I)>()...};
}
template <typename T> constexpr auto kBlockTable = makeBlockTable<T>(std::make_index_sequence<kPrimCount>{});

/// Where an instruction finds an argument, or puts its result, while one block is evaluated.
struct Place {
    enum Kind { Operand, Slot, Output } kind = Slot;
    int index = 0;
};

struct Operand {
    HostTensor tensor;
    Broadcast broadcast = Broadcast::Full;
    int slot = -1; ///< block buffer the operand is expanded or converted into; -1: read where it lies
};

template <typename T> struct Step {
    BlockFn<T> fn = nullptr;
    int arity = 1;
    Place args[3];
    Place out;
    double p = 0, q = 0;
};

template <typename T> struct Program {
    std::vector<Operand> operands;
    std::vector<Step<T>> steps;
    HostTensor output;
    int slots = 0;
    std::int64_t rows = 1, cols = 0;
    /// Blocks are `blockRows` whole rows, or (long rows) pieces of one row.
    std::int64_t blockRows = 1, blockCols = 0, blocksPerRow = 1;
    Pieces blocks;

    void run(RunContext &ctx) const;
    void runBlocks(std::int64_t first, std::int64_t last, T *buffers, std::uint64_t rounding) const;
    void expand(Operand const &operand, T *out, std::int64_t row, std::int64_t col, std::int64_t rowCount,
                std::int64_t colCount, bool firstBlock) const;
};

template <typename T> void load(T *out, HostTensor const &tensor, std::int64_t offset, std::int64_t n)
{
    if constexpr (std::is_same_v<T, float>) {
        if (tensor.dtype == DType::F16) {
            auto const *from = tensor.f16() + offset;
            for (std::int64_t i = 0; i < n; ++i) out[i] = halfToFloat(from[i]);
            return;
        }
    }
    std::copy_n(reinterpret_cast<T const *>(tensor.data) + offset, n, out);
}

template <typename T>
void Program<T>::expand(Operand const &operand, T *out, std::int64_t row, std::int64_t col, std::int64_t rowCount,
                        std::int64_t colCount, bool firstBlock) const
{
    std::int64_t const n = rowCount * colCount;
    switch (operand.broadcast) {
    case Broadcast::Full: load(out, operand.tensor, row * cols + col, n); return;
    case Broadcast::Scalar: {
        if (!firstBlock) return; // the same in every block of the task
        T value;
        load(&value, operand.tensor, 0, 1);
        std::fill_n(out, std::max(kBlock, n), value);
        return;
    }
    case Broadcast::Row:
        if (blocksPerRow == 1) {
            if (!firstBlock) return;
            load(out, operand.tensor, 0, cols);
            for (std::int64_t r = 1; r < blockRows; ++r) std::copy_n(out, cols, out + r * cols);
        } else {
            load(out, operand.tensor, col, colCount);
        }
        return;
    case Broadcast::Column:
        for (std::int64_t r = 0; r < rowCount; ++r) {
            T value;
            load(&value, operand.tensor, row + r, 1);
            std::fill_n(out + r * colCount, colCount, value);
        }
        return;
    }
}

template <typename T> void Program<T>::runBlocks(std::int64_t first, std::int64_t last, T *buffers, [[maybe_unused]] std::uint64_t rounding) const
{
    bool const convertOutput = output.dtype == DType::F16;
    for (std::int64_t block = first; block < last; ++block) {
        std::int64_t const row = block / blocksPerRow * blockRows;
        std::int64_t const col = block % blocksPerRow * blockCols;
        std::int64_t const rowCount = std::min(blockRows, rows - row);
        std::int64_t const colCount = std::min(blockCols, cols - col);
        std::int64_t const offset = row * cols + col;
        std::int64_t const n = rowCount * colCount;
        for (auto const &operand : operands)
            if (operand.slot >= 0)
                expand(operand, buffers + operand.slot * kBlock, row, col, rowCount, colCount, block == first);
        auto const at = [&](Place place) -> T * {
            if (place.kind == Place::Slot) return buffers + place.index * kBlock;
            if (place.kind == Place::Output) return reinterpret_cast<T *>(output.data) + offset;
            auto const &operand = operands[static_cast<std::size_t>(place.index)];
            // Read in place: full operands at the block, row operands of long rows at its columns.
            return reinterpret_cast<T *>(operand.tensor.data) + (operand.broadcast == Broadcast::Full ? offset : col);
        };
        for (auto const &step : steps) {
            step.fn(at(step.out), at(step.args[0]), step.arity > 1 ? at(step.args[1]) : nullptr,
                    step.arity > 2 ? at(step.args[2]) : nullptr, n, step.p, step.q);
        }
        if constexpr (std::is_same_v<T, float>) {
            if (convertOutput) {
                auto const *from = at(steps.back().out);
                auto *to = output.f16() + offset;
                narrow(from, n, to, rounding, offset);
            }
        }
    }
}

template <typename T> void Program<T>::run(RunContext &ctx) const
{
    parallelFor(ctx, blocks.tasks(), [this, rounding = ctx.roundingOf(0)](std::size_t task) {
        if (slots <= kStackSlots) {
            alignas(64) T buffers[kStackSlots * kBlock];
            runBlocks(blocks.begin(task), blocks.end(task), buffers, rounding);
        } else {
            auto const buffers = std::make_unique<T[]>(static_cast<std::size_t>(slots * kBlock));
            runBlocks(blocks.begin(task), blocks.end(task), buffers.get(), rounding);
        }
    });
}

/// Cost of a primitive next to an addition, for the size of tasks.
int weightOf(Prim prim)
{
    switch (prim) {
    case Prim::Exp: case Prim::Log: case Prim::Log1p: case Prim::Tanh: case Prim::Sigmoid: case Prim::Elu:
    case Prim::Selu: case Prim::Softplus: case Prim::Gelu: case Prim::GeluTanh: case Prim::Swish: case Prim::EluGrad:
    case Prim::SeluGrad: case Prim::SoftplusGrad: case Prim::GeluGrad: case Prim::GeluTanhGrad: case Prim::SwishGrad:
        return 8;
    default: return 1;
    }
}

bool broadcasts(Shape const &operand, Shape const &output)
{
    auto const n = elementCount(operand);
    auto const rc = graph::rowsCols(output);
    return n == elementCount(output) || n == 1 || (n == rc.cols && graph::rowsCols(operand).cols == rc.cols) || n == rc.rows;
}

/// Gives every intermediate result a block buffer, reusing those whose value is no longer needed.
template <typename T> Status placeResults(Program<T> &program, graph::Expr const &expr, PrepareArgs const &args)
{
    int const operands = expr.operands;
    int const count = static_cast<int>(expr.instrs.size());
    std::vector<int> lastUse(expr.instrs.size(), -1);
    for (int i = 0; i < count; ++i)
        for (int a = 0; a < graph::info(expr.instrs[static_cast<std::size_t>(i)].prim).arity; ++a)
            if (int const arg = expr.instrs[static_cast<std::size_t>(i)].args[a]; arg >= operands)
                lastUse[static_cast<std::size_t>(arg - operands)] = i;
    std::vector<int> slotOf(expr.instrs.size(), -1);
    std::vector<int> freeSlots;
    bool const direct = program.output.dtype != DType::F16;
    for (int i = 0; i < count; ++i) {
        auto const &instr = expr.instrs[static_cast<std::size_t>(i)];
        Step<T> step;
        step.fn = kBlockTable<T>[static_cast<std::size_t>(instr.prim)];
        if (!step.fn) return unsupported(args.node, std::string(graph::info(instr.prim).name) + " is not defined for integers.");
        step.arity = arityOf(instr.prim);
        step.p = instr.p0;
        step.q = instr.p1;
        for (int a = 0; a < step.arity; ++a) {
            int const arg = instr.args[a];
            if (arg < 0 || arg >= operands + i) return unsupported(args.node, "the expression reads a value before it is computed.");
            if (arg >= operands) {
                step.args[a] = {Place::Slot, slotOf[static_cast<std::size_t>(arg - operands)]};
                continue;
            }
            auto const &operand = program.operands[static_cast<std::size_t>(arg)];
            step.args[a] = operand.slot >= 0 ? Place{Place::Slot, operand.slot} : Place{Place::Operand, arg};
        }
        for (int a = 0; a < step.arity; ++a) {
            int const arg = instr.args[a] - operands;
            if (arg < 0 || lastUse[static_cast<std::size_t>(arg)] != i) continue;
            freeSlots.push_back(slotOf[static_cast<std::size_t>(arg)]);
            lastUse[static_cast<std::size_t>(arg)] = -1; // free once, though it may be read twice here
        }
        if (i == count - 1 && direct) {
            step.out = {Place::Output, 0};
        } else {
            int slot = program.slots;
            if (freeSlots.empty()) ++program.slots;
            else { slot = freeSlots.back(); freeSlots.pop_back(); }
            slotOf[static_cast<std::size_t>(i)] = slot;
            step.out = {Place::Slot, slot};
        }
        program.steps.push_back(step);
    }
    return {};
}

template <typename T> Result<Prepared> bind(PrepareArgs const &args, graph::Expr const &expr)
{
    auto program = std::make_shared<Program<T>>();
    program->output = args.outputs[0];
    auto const rc = graph::rowsCols(args.outputs[0].shape);
    bool flat = true;
    for (auto const &input : args.inputs) {
        if (!broadcasts(input.shape, args.outputs[0].shape))
            return unsupported(args.node, "operand " + toText(input.shape) + " does not broadcast to " + toText(args.outputs[0].shape) + ".");
        Operand operand{input, graph::broadcastOf(input.shape, args.outputs[0].shape), -1};
        flat = flat && (operand.broadcast == Broadcast::Full || operand.broadcast == Broadcast::Scalar);
        program->operands.push_back(operand);
    }
    program->rows = flat ? 1 : rc.rows;
    program->cols = flat ? rc.rows * rc.cols : rc.cols;
    if (program->cols <= kBlock) {
        program->blockRows = std::max<std::int64_t>(1, kBlock / std::max<std::int64_t>(1, program->cols));
        program->blockCols = program->cols;
    } else {
        program->blockCols = kBlock;
        program->blocksPerRow = ceilDiv(program->cols, kBlock);
    }
    for (auto &operand : program->operands) {
        bool const inPlace = operand.tensor.dtype != DType::F16
            && (operand.broadcast == Broadcast::Full || (operand.broadcast == Broadcast::Row && program->blocksPerRow > 1));
        if (!inPlace) operand.slot = program->slots++;
    }
    TW_TRY(placeResults(*program, expr, args));
    std::int64_t weight = 0;
    for (auto const &instr : expr.instrs) weight += weightOf(instr.prim);
    std::int64_t const blockCount = rc.rows * rc.cols == 0 ? 0 : ceilDiv(program->rows, program->blockRows) * program->blocksPerRow;
    // An addition of two tensors in cache takes a few microseconds per 16,384 elements.
    std::int64_t const grain = std::max<std::int64_t>(1, 2 * kElementsPerTask / (kBlock * std::max<std::int64_t>(1, weight)));
    program->blocks = {blockCount, grain};
    return Prepared([program](RunContext &ctx) { program->run(ctx); });
}

} // namespace

Result<Prepared> prepareElementwise(PrepareArgs const &args)
{
    auto const expr = graph::exprOf(args.node);
    if (expr.instrs.empty()) return unsupported(args.node, "the expression has no instruction.");
    TW_TRY(requireCounts(args, static_cast<std::size_t>(expr.operands), 1));
    bool const integers = args.outputs[0].dtype == DType::I32;
    auto const fits = [&](HostTensor const &t) {
        return integers ? t.dtype == DType::I32 : t.dtype == DType::F32 || t.dtype == DType::F16;
    };
    if (!fits(args.outputs[0]) || !std::ranges::all_of(args.inputs, fits))
        return unsupported(args.node, "operands and result must all be floating or all i32.", "Insert a cast.");
    return integers ? bind<std::int32_t>(args, expr) : bind<float>(args, expr);
}

} // namespace tilewright::kernels

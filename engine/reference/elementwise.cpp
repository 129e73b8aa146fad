#include "engine/graph/expr.h"
#include "engine/reference/reference_ops.h"

#include <algorithm>

namespace tilewright::reference {

namespace {

/// numpy's rule, stated by itself: from the last axis on, extents are equal, or one of them is 1 or missing.
Status expectBroadcast(Call const &call, Shape const &wanted)
{
    std::size_t rank = 0;
    for (auto const &operand : call.in) rank = std::max(rank, operand.shape.size());
    Shape result(rank, 1);
    for (auto const &operand : call.in)
        for (std::size_t fromEnd = 1; fromEnd <= operand.shape.size(); ++fromEnd) {
            std::int64_t const extent = operand.shape[operand.shape.size() - fromEnd];
            std::int64_t &common = result[rank - fromEnd];
            if (extent == 1 || extent == common) continue;
            if (common != 1)
                return badOperands(call.node, Message::of("operand %1 does not broadcast to %2.", toText(operand.shape), toText(wanted)));
            common = extent;
        }
    if (result != wanted) return badOperands(call.node, Message::of("the operands give %1, not %2.", toText(result), toText(wanted)));
    return {};
}

/// The element of an operand at an index of the result: missing axes are in front, and an axis of extent 1 has index 0 alone.
std::size_t elementAt(std::vector<std::int64_t> const &index, Shape const &operand)
{
    std::int64_t element = 0;
    for (std::size_t k = 0; k < operand.size(); ++k) {
        auto const own = operand[k] == 1 ? 0 : index[index.size() - operand.size() + k];
        element = element * operand[k] + own;
    }
    return static_cast<std::size_t>(element);
}

/// The next index in row-major order.
void advance(std::vector<std::int64_t> &index, Shape const &shape)
{
    for (std::size_t k = shape.size(); k-- > 0;) {
        if (++index[k] < shape[k]) return;
        index[k] = 0;
    }
}

} // namespace

Status evaluateElementwise(Call const &call)
{
    auto const expr = graph::exprOf(call.node);
    TW_TRY(expectCounts(call, static_cast<std::size_t>(expr.operands), 1));
    if (expr.instrs.empty()) return badOperands(call.node, Message::of("the expression is empty."));
    auto &out = call.out[0];
    TW_TRY(expectBroadcast(call, out.shape));
    std::vector<std::int64_t> index(out.shape.size(), 0);
    std::vector<double> values(static_cast<std::size_t>(expr.operands) + expr.instrs.size());
    for (auto &result : out.v) {
        for (std::size_t k = 0; k < call.in.size(); ++k) values[k] = call.in[k].v[elementAt(index, call.in[k].shape)];
        advance(index, out.shape);
        for (std::size_t k = 0; k < expr.instrs.size(); ++k) {
            auto const &instr = expr.instrs[k];
            auto const &prim = graph::info(instr.prim);
            double args[3] = {0, 0, 0};
            for (int a = 0; a < prim.arity; ++a) args[a] = values[static_cast<std::size_t>(instr.args[a])];
            bool const last = k + 1 == expr.instrs.size();
            // Inside a fused expression of halves, intermediate results are floats.
            DType const type = last || out.dtype != DType::F16 ? out.dtype : DType::F32;
            values[call.in.size() + k] = roundTo(prim.formula(args[0], args[1], args[2], instr.p0, instr.p1), type, call.context.precision);
        }
        result = values.back();
    }
    return {};
}

} // namespace tilewright::reference

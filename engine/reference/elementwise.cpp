#include "engine/graph/expr.h"
#include "engine/reference/reference_ops.h"

namespace tilewright::reference {

Status evaluateElementwise(Call const &call)
{
    auto const expr = graph::exprOf(call.node);
    TW_TRY(expectCounts(call, static_cast<std::size_t>(expr.operands), 1));
    if (expr.instrs.empty()) return badOperands(call.node, Message::of("the expression is empty."));
    auto &out = call.out[0];
    auto const rc = graph::rowsCols(out.shape);
    std::int64_t const n = rc.rows * rc.cols;
    std::vector<graph::Broadcast> reach;
    for (auto const &operand : call.in) {
        auto const how = graph::findBroadcast(operand.shape, out.shape);
        if (!how)
            return badOperands(call.node, Message::of("operand %1 does not broadcast to %2.", toText(operand.shape), toText(out.shape)));
        reach.push_back(*how);
    }
    std::vector<double> values(static_cast<std::size_t>(expr.operands) + expr.instrs.size());
    for (std::int64_t i = 0; i < n; ++i) {
        for (std::size_t k = 0; k < call.in.size(); ++k) {
            auto const at = graph::elementMet(reach[k], i, rc.cols);
            values[k] = call.in[k].v[static_cast<std::size_t>(at)];
        }
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
        out.v[static_cast<std::size_t>(i)] = values.back();
    }
    return {};
}

} // namespace tilewright::reference

#include "engine/core/formula.h"
#include "engine/graph/update_expr.h"
#include "engine/kernels/map_program.h"
#include "engine/kernels/ops.h"
#include "engine/kernels/support.h"
#include "engine/kernels/update_math.h"

#include <algorithm>
#include <array>

// Updates of optimizers that have no loop of their own: an expression, evaluated block by block like those of elementwise nodes.

namespace tilewright::kernels {

Result<Prepared> prepareUpdate(PrepareArgs const &args)
{
    TW_ASSIGN(auto const update, graph::parseUpdateExpr(args.node.attrs.text("expr")));
    auto const states = static_cast<std::size_t>(update.states()), operands = static_cast<std::size_t>(update.expr.operands);
    TW_TRY(requireCounts(args, operands, states));
    TW_TRY(requireF32(args));
    std::int64_t const n = args.inputs[0].elements();
    for (auto const &output : args.outputs) TW_TRY(requireElements(args, output, n));
    MapProgram<float> program(1, n);
    std::vector<MapProgram<float>::Reg> regs;
    for (std::size_t i = 0; i < operands; ++i) {
        bool const whole = i <= states;
        TW_TRY(requireElements(args, args.inputs[i], whole ? n : 1));
        MapPlace const place{args.inputs[i].data, DType::F32, 0, n};
        regs.push_back(whole ? program.load(place) : program.loadScalar(place));
    }
    std::int64_t work = 0;
    for (auto const &instr : update.expr.instrs) {
        std::array<MapProgram<float>::Reg, 3> from{};
        auto const arity = static_cast<std::size_t>(graph::info(instr.prim).arity);
        for (std::size_t a = 0; a < arity; ++a) from[a] = regs[static_cast<std::size_t>(instr.args[a])];
        regs.push_back(program.apply(blockFn<float>(instr.prim), std::span(from).first(arity), instr.p0, instr.p1));
        work += weightOf(instr.prim);
    }
    // Last, because the results may lie where the states are read.
    for (std::size_t i = 0; i < states; ++i) {
        auto const result = static_cast<std::size_t>(update.results[i]);
        if (result == i && args.inputs[i].data == args.outputs[i].data) continue;
        program.store(regs[result], {args.outputs[i].data, DType::F32, 0, n});
    }
    return program.finish(work);
}

Result<Prepared> prepareCoefficient(PrepareArgs const &args)
{
    TW_TRY(requireCounts(args, 1, 1));
    TW_TRY(requireType(args, args.inputs[0], DType::I32));
    TW_TRY(requireType(args, args.outputs[0], DType::F32));
    TW_TRY(requireElements(args, args.inputs[0], 1));
    TW_TRY(requireElements(args, args.outputs[0], 1));
    TW_ASSIGN(auto formula, parseFormula(args.node.attrs.text("formula")));
    if (!coefficientAt(formula, 0)) return unsupported(args.node, Message::of("the formula is not one of t."));
    auto const *iterations = args.inputs[0].i32();
    auto *out = args.outputs[0].f32();
    return Prepared([=, formula = std::move(formula)](RunContext &) { *out = coefficientAt(formula, *iterations).value_or(0); });
}

} // namespace tilewright::kernels

// Updates of optimizers that have no codelet of their own: one generated codelet per expression, like those of maps.
#include "engine/core/formula.h"
#include "engine/core/text.h"
#include "engine/graph/update_expr.h"
#include "engine/kernels/update_math.h"
#include "engine/program/codelets/codelet_list.h"
#include "engine/program/codelets/description_parts.h"
#include "engine/program/codelets/map_eval.h"
#include "engine/program/codelets/support.h"
#include "engine/program/cost/map_cost.h"

#include <algorithm>
#include <array>

namespace tilewright::program {

namespace {

using graph::UpdateExpr;

constexpr std::int64_t kUpdateBlock = 256;    ///< elements per turn: every register of an expression stays in L1
constexpr Cycles kFormulaStepCycles = 6 * 30; ///< compiled C++ for a few scalar operations in one worker

std::shared_ptr<void const> prepareUpdate(std::string_view text)
{
    auto update = graph::parseUpdateExpr(text);
    TW_CHECK(update.ok(), "update vertex without an expression");
    return std::make_shared<UpdateExpr const>(std::move(update).value());
}

/// Fields: the states (weights first), the gradient, the scalars.
void runUpdate(std::byte *tile, VertexState const &s, Workers workers)
{
    auto const &update = *static_cast<UpdateExpr const *>(s.prepared);
    auto const &instrs = update.expr.instrs;
    auto const operands = static_cast<std::size_t>(update.expr.operands), states = static_cast<std::size_t>(update.states());
    thread_local std::vector<std::array<float, kUpdateBlock>> registers;
    if (registers.size() < operands + instrs.size()) registers.resize(operands + instrs.size());
    std::array<float const *, 128> values{}; // parseExpr: at most 64 operands and 64 instructions
    for (std::size_t i = states + 1; i < operands; ++i) {
        registers[i].fill(loadScalar(tile, s.fields[i]));
        values[i] = registers[i].data();
    }
    auto const share = shareOf(s.fields[0].elements(), workers);
    for (std::int64_t at = share.begin; at < share.end; at += kUpdateBlock) {
        std::int64_t const n = std::min(kUpdateBlock, share.end - at);
        for (std::size_t i = 0; i <= states; ++i) values[i] = loadFloats(tile, s.fields[i], at, n, registers[i].data());
        for (std::size_t k = 0; k < instrs.size(); ++k) {
            auto const &instr = instrs[k];
            auto const arg = [&](int a) { return instr.args[a] < 0 ? nullptr : values[static_cast<std::size_t>(instr.args[a])]; };
            float *result = registers[operands + k].data();
            mapEvalOf(instr.prim)(n, arg(0), arg(1), arg(2), static_cast<float>(instr.p0), static_cast<float>(instr.p1), result);
            values[operands + k] = result;
        }
        for (std::size_t i = 0; i < states; ++i)
            if (auto const result = static_cast<std::size_t>(update.results[i]); result != i)
                storeFloats(tile, s.fields[i], at, n, values[result]);
    }
}

/// The map of its arithmetic, with the states and the gradient streamed at the rate of the widest type.
Cycles updateCycles(VertexShape const &shape, target::Chip const &)
{
    auto const update = graph::parseUpdateExpr(shape.expr);
    TW_CHECK(update.ok(), "update vertex without an expression");
    std::vector<std::string_view> ops;
    for (auto const &instr : update->expr.instrs) graph::appendLibraryOps(instr, ops);
    auto const streamed = shape.fields.first(static_cast<std::size_t>(update->states()) + 1);
    bool const wide = std::ranges::any_of(streamed, [](FieldShape const &field) { return field.dtype == DType::F32; });
    return cost::mapCycles(ops, wide ? DType::F32 : DType::F16, shape.fields[0].elements(), update->states() + 1, true);
}

/// As of a map, with a load and a store for each further state.
Bytes updateCode(std::string_view text)
{
    auto const update = graph::parseUpdateExpr(text);
    return update.ok() ? 150 + 36 * static_cast<Bytes>(update->expr.instrs.size()) + 24 * static_cast<Bytes>(update->states()) : 240;
}

std::shared_ptr<void const> prepareCoefficient(std::string_view text)
{
    auto formula = parseFormula(text);
    TW_CHECK(formula.ok(), "coefficient vertex without a formula");
    return std::make_shared<Formula const>(std::move(formula).value());
}

void runCoefficient(std::byte *tile, VertexState const &s, Workers workers)
{
    if (workers.begin != 0) return;
    auto const value = kernels::coefficientAt(*static_cast<Formula const *>(s.prepared), *at<std::int32_t>(tile, s.fields[1]));
    TW_CHECK(value, "a coefficient of more than t");
    storeFloats(tile, s.fields[0], 0, 1, &*value);
}

std::int64_t callsOf(Formula const &formula)
{
    std::int64_t calls = formula.kind == Formula::Kind::Call;
    for (auto const &argument : formula.arguments) calls += callsOf(argument);
    return calls;
}

constexpr char const *kExample = "t2 t1 | 4: mul a2 a3; add a1 t0; sub a0 t1";

} // namespace

void addUpdateCodelets(std::vector<Codelet> &all)
{
    Codelet update;
    update.name = "Update";
    update.codeBytes = updateCode(kExample);
    update.cycles = updateCycles;
    update.stateBytes = usualState;
    update.run = runUpdate;
    update.prepare = prepareUpdate;
    update.generatedCodeBytes = updateCode;
    update.description =
        describe({.family = "optimizer",
                  .title = "update of an optimizer without a codelet of its own, generated from its formula",
                  .source = kMapSource,
                  .params = {floatTypeParam(), elementsParam()},
                  .vertex = [](cost::Args const &a) -> SizedVertex {
                      auto const state = matrixField(storageType(a.type("type")), 1, a.integer("n"));
                      return {{state, state, matrixField(DType::F32, 1, a.integer("n")), matrixField(DType::F32, 1, 1)}, {}, kExample};
                  }});
    all.push_back(std::move(update));
    Codelet coefficient;
    coefficient.name = "Coefficient";
    coefficient.codeBytes = 320;
    coefficient.cycles = [](VertexShape const &shape, target::Chip const &) {
        auto const formula = parseFormula(shape.expr);
        return kFormulaStepCycles * (1 + (formula.ok() ? callsOf(*formula) : 0));
    };
    coefficient.stateBytes = usualState;
    coefficient.run = runCoefficient;
    coefficient.prepare = prepareCoefficient;
    coefficient.description = describe({.family = "state",
                                        .title = "coefficient of an optimizer's update, by its number",
                                        .source = "own count of a worker's instructions",
                                        .params = {},
                                        .vertex = [](cost::Args const &) -> SizedVertex {
                                            return {{matrixField(DType::F32, 1, 1), matrixField(DType::I32, 1, 1)}, {}, "1 - 0.9 ^ t"};
                                        }});
    all.push_back(std::move(coefficient));
}

} // namespace tilewright::program

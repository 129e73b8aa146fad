// The elementwise vertex: one generated codelet per expression, as popops generates map codelets.
#include "engine/core/text.h"
#include "engine/graph/expr.h"
#include "engine/graph/graph.h"
#include "engine/kernels/prim_math.h"
#include "engine/program/codelets/codelet_list.h"
#include "engine/program/codelets/description_parts.h"
#include "engine/program/codelets/map_eval.h"
#include "engine/program/codelets/support.h"
#include "engine/program/cost/map_cost.h"
#include "engine/program/cost/nn_cost.h"

#include <algorithm>
#include <array>

namespace tilewright::program {

namespace {

using graph::Broadcast;
using graph::Expr;
using graph::Prim;

constexpr std::int64_t kBlock = 256; ///< elements per turn: every register of an expression stays in L1

template <Prim P> void evalPrim(std::int64_t n, float const *x, float const *y, float const *z, float p, float q, float *out)
{
    constexpr int arity = graph::arityOf(P);
    for (std::int64_t i = 0; i < n; ++i) {
        if constexpr (arity == 1) out[i] = kernels::primValue<P>(x[i], 0.0f, 0.0f, p, q);
        else if constexpr (arity == 2) out[i] = kernels::primValue<P>(x[i], y[i], 0.0f, p, q);
        else out[i] = kernels::primValue<P>(x[i], y[i], z[i], p, q);
    }
}

template <std::size_t... I> constexpr std::array<MapEval, sizeof...(I)> makeTable(std::index_sequence<I...>)
{
    return {&evalPrim<static_cast<Prim>(I)>...};
}
constexpr auto kEval = makeTable(std::make_index_sequence<graph::kPrimCount>{});

std::shared_ptr<void const> prepare(std::string_view text)
{
    auto expr = graph::parseExpr(text);
    TW_CHECK(expr.ok(), "map vertex without an expression");
    return std::make_shared<Expr const>(std::move(expr).value());
}

/// Rows and columns of a block, which an operand's meets as its tensor does the output's.
template <typename Field> graph::RowsCols extentOf(Field const &field) { return {std::int64_t{field.groups} * field.rows, field.cols}; }

void run(std::byte *tile, VertexState const &s, Workers workers)
{
    auto const &expr = *static_cast<Expr const *>(s.prepared);
    auto const &out = s.fields[0];
    std::size_t const operands = static_cast<std::size_t>(expr.operands);
    std::array<Broadcast, 64> how{};
    std::array<float, 64> scalar{};
    bool anyBroadcast = false;
    for (std::size_t i = 0; i < operands; ++i) {
        auto const met = graph::findBroadcast(extentOf(s.fields[i + 1]), extentOf(out));
        TW_CHECK(met, "operand " + std::to_string(i) + " of a map vertex does not meet its result");
        how[i] = *met;
        if (how[i] == Broadcast::Scalar) scalar[i] = loadScalar(tile, s.fields[i + 1]);
        anyBroadcast = anyBroadcast || how[i] == Broadcast::Row || how[i] == Broadcast::Column;
    }
    thread_local std::vector<std::array<float, kBlock>> registers;
    std::size_t const needed = operands + expr.instrs.size();
    if (registers.size() < needed) registers.resize(needed);
    std::array<float const *, 128> values{}; // parseExpr: at most 64 operands and 64 instructions
    auto const evaluate = [&](std::int64_t offset, std::int64_t n, std::int64_t row, std::int64_t col) {
        for (std::size_t i = 0; i < operands; ++i) {
            auto const &ref = s.fields[i + 1];
            float *buffer = registers[i].data();
            switch (how[i]) {
            case Broadcast::Full: values[i] = loadFloats(tile, ref, offset, n, buffer); break;
            case Broadcast::Scalar:
                std::fill_n(buffer, n, scalar[i]);
                values[i] = buffer;
                break;
            case Broadcast::Row: values[i] = loadFloats(tile, ref, col, n, buffer); break;
            case Broadcast::Column:
                std::fill_n(buffer, n, loadScalar(tile, ref, row));
                values[i] = buffer;
                break;
            }
        }
        for (std::size_t k = 0; k < expr.instrs.size(); ++k) {
            auto const &instr = expr.instrs[k];
            auto const arg = [&](int a) { return instr.args[a] < 0 ? nullptr : values[static_cast<std::size_t>(instr.args[a])]; };
            float *result = registers[operands + k].data();
            kEval[static_cast<std::size_t>(instr.prim)](n, arg(0), arg(1), arg(2), static_cast<float>(instr.p0),
                                                        static_cast<float>(instr.p1), result);
            values[operands + k] = result;
        }
        storeFloats(tile, out, offset, n, values[needed - 1]);
    };
    if (!anyBroadcast) {
        auto const [begin, end] = shareOf(out.elements(), workers);
        for (std::int64_t i = begin; i < end; i += kBlock) evaluate(i, std::min(kBlock, end - i), 0, 0);
        return;
    }
    auto const [begin, end] = shareOf(out.rows, workers);
    for (std::int64_t row = begin; row < end; ++row)
        for (std::int64_t col = 0; col < out.cols; col += kBlock)
            evaluate(row * out.cols + col, std::min(kBlock, out.cols - col), row, col);
}

Cycles cycles(VertexShape const &shape, target::Chip const &)
{
    auto const expr = graph::parseExpr(shape.expr);
    TW_CHECK(expr.ok(), "map vertex without an expression");
    auto const &out = shape.fields[0];
    std::int64_t const n = out.elements();
    // The library runs the gradient of an activation as one vertex of its own.
    if (expr->instrs.size() == 1 && isFloating(out.dtype))
        if (auto const activation = cost::parseActivation(graph::info(expr->instrs[0].prim).price.activation))
            return cost::nonLinearityGrad1DCycles(*activation, out.dtype, n);
    std::vector<std::string_view> ops;
    for (auto const &instr : expr->instrs) graph::appendLibraryOps(instr, ops);
    std::int64_t overhead = 0;
    int streams = 0;
    for (std::size_t i = 1; i < shape.fields.size(); ++i) {
        auto const &field = shape.fields[i];
        auto const how = graph::findBroadcast(extentOf(field), extentOf(out));
        if (how == Broadcast::Full) ++streams;
        // Rows and columns are set up once per row: five issue cycles, as the vector-inner vertex has.
        else if (how != Broadcast::Scalar) overhead += 6 * 5 * ceilDiv(out.rows, 6);
    }
    return overhead + cost::mapCycles(ops, out.dtype, n, std::max(1, streams), false);
}

/// A library codelet has 170 to 290 bytes; a generated one grows by its instructions.
Bytes codeOf(std::size_t instructions) { return 150 + 36 * static_cast<Bytes>(instructions); }

Result<Cycles> chainCycles(cost::Args const &a)
{
    auto const names = splitText(a.text("ops"), ',');
    for (auto const &name : names)
        if (!cost::isPricedOp(name, a.type("type")))
            return makeError(ErrorKind::Invalid, "cost.no-codelet", name + " of " + std::string(toText(a.type("type"))),
                             Message::of("a map cannot hold this operation"), Message::of("See UnaryOp1D and BinaryOp1D for the names."));
    std::vector<std::string_view> const ops(names.begin(), names.end());
    return cost::mapCost(ops, a.type("type"), a.integer("n"), a.smallInteger("operands"), a.flag("inPlace")).tile;
}

} // namespace

MapEval mapEvalOf(Prim prim) { return kEval[static_cast<std::size_t>(prim)]; }

void addMapCodelet(std::vector<Codelet> &all)
{
    Codelet map;
    map.name = "Map";
    map.codeBytes = 180;
    map.cycles = cycles;
    map.stateBytes = [](VertexShape const &shape) {
        // One-dimensional supervisor vertices carry 8 bytes and a pointer per further operand.
        return 8 + 4 * static_cast<Bytes>(shape.fields.size() - 1);
    };
    map.run = run;
    map.prepare = prepare;
    map.generatedCodeBytes = [](std::string_view expr) {
        auto const parsed = graph::parseExpr(expr);
        return parsed.ok() ? codeOf(parsed->instrs.size()) : 180;
    };
    map.description = describe({.library = "popops::Map",
                                .family = "elementwise",
                                .title = "fused chain of operations",
                                .source = kMapSource,
                                .params = {{.name = "ops",
                                            .kind = cost::ParamKind::Choice,
                                            .defaultText = {},
                                            .help = "operations from first to last, like multiply,add,relu"},
                                           valueTypeParam(),
                                           elementsParam(),
                                           cost::integerParam("operands", "1", "tensors read (scalars stay in registers)", 1, 16),
                                           cost::flagParam("inPlace", "overwrite the first operand")},
                                .vertex = [](cost::Args const &a) -> SizedVertex {
                                    auto const field = matrixField(storageType(a.type("type")), 1, a.integer("n"));
                                    return {std::vector<FieldShape>(static_cast<std::size_t>(1 + a.integer("operands")), field)};
                                },
                                .cycles = chainCycles,
                                .codeBytes = [](cost::Args const &a) { return codeOf(splitText(a.text("ops"), ',').size()); }});
    all.push_back(std::move(map));
}

} // namespace tilewright::program

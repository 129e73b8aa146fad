#include "engine/runtime/traps.h"

#include "engine/config/options.h"
#include "engine/graph/axes.h"
#include "engine/graph/expr.h"
#include "engine/kernels/half.h"
#include "engine/runtime/fused_values.h"
#include "engine/runtime/stop_at.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace tilewright::runtime {

using graph::Prim;
using kernels::HostTensor;

namespace {

float elementOf(HostTensor const &tensor, std::int64_t i)
{
    switch (tensor.dtype) {
    case DType::F32: return tensor.f32()[i];
    case DType::F16: return kernels::halfToFloat(tensor.f16()[i]);
    case DType::I32: return static_cast<float>(tensor.i32()[i]);
    case DType::U8:
    case DType::Bool: break;
    }
    return static_cast<float>(std::to_integer<int>(tensor.data[i]));
}

bool isFloat(DType type) { return type == DType::F32 || type == DType::F16; }

/// The first element that is not finite and for which `visit` returns true ends the search.
template <typename Visit> void forEachNotFinite(HostTensor const &tensor, Visit const &visit)
{
    if (!isFloat(tensor.dtype)) return;
    for (std::int64_t i = 0, n = tensor.elements(); i < n; ++i)
        if (float const value = elementOf(tensor, i); !std::isfinite(value) && visit(i, value)) return;
}

/// Functions that are infinite at finite operands.
bool hasPole(Prim prim)
{
    return prim == Prim::Div || prim == Prim::Reciprocal || prim == Prim::Rsqrt || prim == Prim::Log || prim == Prim::Log1p;
}

struct Contents {
    bool nan = false, infinite = false;
};

Contents contentsOf(std::vector<HostTensor> const &tensors)
{
    Contents found;
    for (auto const &tensor : tensors)
        forEachNotFinite(tensor, [&](std::int64_t, float value) {
            (std::isnan(value) ? found.nan : found.infinite) = true;
            return found.nan && found.infinite;
        });
    return found;
}

/// The exception that makes an element of an elementwise result what it is; nullopt if an operand was not finite already.
std::optional<FloatException> exceptionAt(graph::Expr const &expr, std::vector<float> values)
{
    for (auto const &instr : expr.instrs) {
        auto const &prim = graph::info(instr.prim);
        double args[3] = {0, 0, 0};
        bool nan = false, infinite = false;
        for (int a = 0; a < prim.arity; ++a) {
            args[a] = static_cast<double>(values[static_cast<std::size_t>(instr.args[a])]);
            nan = nan || std::isnan(args[a]);
            infinite = infinite || std::isinf(args[a]);
        }
        double const exact = prim.formula(args[0], args[1], args[2], instr.p0, instr.p1);
        auto const result = static_cast<float>(exact);
        if (std::isnan(result) && !nan) return FloatException::Invalid;
        if (std::isinf(result) && !nan && !infinite)
            return hasPole(instr.prim) && std::isinf(exact) ? FloatException::DivisionByZero : FloatException::Overflow;
        values.push_back(result);
    }
    // All steps are finite in float32: the result did not fit into float16.
    return std::isfinite(values.back()) ? std::optional(FloatException::Overflow) : std::nullopt;
}

/// The exception that ends the run if `what` happened to a result of this type; nullopt: no trap asks for it.
std::optional<FloatException> trapped(Traps const &traps, FloatException what, DType stored)
{
    auto const onlyIf = [&](bool asked) { return asked ? std::optional(what) : std::nullopt; };
    switch (what) {
    case FloatException::Invalid: return onlyIf(traps.invalid);
    case FloatException::DivisionByZero: return onlyIf(traps.divisionByZero);
    case FloatException::Overflow:
        if (traps.overflow || stored != DType::F16) return onlyIf(traps.overflow);
        return trapped(traps, FloatException::HalfOverflow, stored);
    case FloatException::HalfOverflow: return onlyIf(traps.halfOverflow);
    }
    return std::nullopt;
}

std::optional<FloatException> elementwiseException(graph::Expr const &expr, std::vector<HostTensor> const &inputs, HostTensor const &output,
                                                   Traps const &traps)
{
    std::vector<std::vector<graph::BroadcastLoop>> loops;
    for (auto const &input : inputs) loops.push_back(graph::broadcastLoops(input.shape, output.shape));
    std::optional<FloatException> found;
    forEachNotFinite(output, [&](std::int64_t i, float) {
        std::vector<float> values;
        for (std::size_t k = 0; k < inputs.size(); ++k) values.push_back(elementOf(inputs[k], graph::elementOf(loops[k], i)));
        found = exceptionAt(expr, std::move(values));
        if (found) found = trapped(traps, *found, output.dtype);
        return found.has_value();
    });
    return found;
}

/// Of an operation whose result is not computed element by element.
std::optional<FloatException> otherException(Contents const &before, std::vector<HostTensor> const &outputs, Traps const &traps)
{
    std::optional<FloatException> found;
    for (auto const &output : outputs)
        forEachNotFinite(output, [&](std::int64_t, float value) {
            auto const what = std::isnan(value) ? FloatException::Invalid : FloatException::Overflow;
            bool const made = std::isnan(value) ? !before.nan : !before.infinite && !before.nan;
            if (made) found = trapped(traps, what, output.dtype);
            return found.has_value();
        });
    return found;
}

} // namespace

Traps trapsOf(config::FloatingPointBehaviour const &behaviour) { return {behaviour.inv, behaviour.div0, behaviour.oflo, behaviour.nanoo}; }

Diagnostic trapError(FloatException what, std::string const &op, std::string const &layer)
{
    auto const whatHappened = [&] {
        switch (what) {
        case FloatException::Invalid: return Message::of("an invalid operation: a result is not a number");
        case FloatException::DivisionByZero: return Message::of("a division by zero");
        case FloatException::Overflow: return Message::of("an overflow: a result is infinite");
        case FloatException::HalfOverflow: return Message::of("a float16 overflow: a result exceeds 65504");
        }
        return Message();
    }();
    auto const option = [&]() -> char const * {
        switch (what) {
        case FloatException::Invalid: return "inv";
        case FloatException::DivisionByZero: return "div0";
        case FloatException::Overflow: return "oflo";
        case FloatException::HalfOverflow: return "nanoo";
        }
        return "";
    }();
    auto const path = config::placeOf(config::OptionCategory::IpuConfig, std::string("floating_point_behaviour.") + option);
    return makeError(ErrorKind::Numeric, "numeric.trap", op,
                     layer.empty() ? Message::of("operation '%1' trapped on %2.", op, whatHappened)
                                   : Message::of("operation '%1' of layer '%2' trapped on %3.", op, layer, whatHappened),
                     Message::of("Set %1 to false to continue with such values.", path));
}

kernels::Prepared withTraps(kernels::Prepared kernel, graph::Node const &node, std::vector<HostTensor> inputs,
                            std::vector<HostTensor> outputs, Traps traps, CaughtException &caught)
{
    std::optional<graph::Expr> expr;
    if (graph::isElementwise(node.op)) expr = graph::exprOf(node);
    return [kernel = std::move(kernel), name = node.name, layer = node.layer, expr = std::move(expr), inputs = std::move(inputs),
            outputs = std::move(outputs), traps, &caught](kernels::RunContext &ctx) {
        if (caught.error) return;
        auto operands = inputs;
        std::vector<std::vector<std::byte>> kept; // of operands that the result replaces
        Contents before;
        if (!expr) before = contentsOf(inputs);
        else
            for (auto &operand : operands) {
                if (std::ranges::none_of(outputs, [&](HostTensor const &output) { return output.data == operand.data; })) continue;
                kept.emplace_back(operand.data, operand.data + bytesOf(operand));
                operand.data = kept.back().data();
            }
        kernel(ctx);
        auto const what = expr ? elementwiseException(*expr, operands, outputs[0], traps) : otherException(before, outputs, traps);
        if (what) caught.error = trapError(*what, name, layer);
    };
}

TileTraps::TileTraps(emulator::TileMachine &machine, executable::Executable const &executable, Traps traps)
    : m_machine(machine), m_program(executable.program), m_traps(traps)
{
    for (auto const &constant : executable.constants)
        for (double const value : constant.values) {
            if (std::isnan(value)) m_nan.insert(constant.var);
            if (std::isinf(value)) m_infinite.insert(constant.var);
        }
}

bool TileTraps::divides(program::StepId id, program::VarId var) const
{
    auto const &step = m_program.step(id);
    for (auto const &family : m_program.computeSets[step.computeSet.index].families) {
        bool const writes = std::ranges::any_of(
            family.fields, [&](program::Field const &field) { return field.var == var && field.access != program::Access::Read; });
        if (!writes) continue;
        auto const expr = graph::parseExpr(family.expr); // other families have none
        if (expr.ok() && std::ranges::any_of(expr->instrs, [](graph::Instr const &instr) { return hasPole(instr.prim); })) return true;
    }
    return false;
}

/// What a step reads of known values, it may write.
void TileTraps::follow(program::StepId id, std::set<program::VarId> &known) const
{
    if (known.empty()) return;
    auto const touched = program::accesses(m_program, m_program.step(id));
    bool const reads = std::ranges::any_of(touched, [&](auto const &access) { return known.contains(access.var); });
    if (!reads) return;
    for (auto const &access : touched)
        if (access.access != program::Access::Read) known.insert(access.var);
}

void TileTraps::after(program::StepId id)
{
    bool const fromHost = m_program.step(id).kind == program::StepKind::StreamCopy;
    follow(id, m_nan);
    follow(id, m_infinite);
    m_machine.visitWritten(id, [&](emulator::Written const &written) {
        HostTensor const tensor{m_program.var(written.var).dtype, {written.elements}, const_cast<std::byte *>(written.data)};
        std::optional<FloatException> found;
        forEachNotFinite(tensor, [&](std::int64_t, float value) {
            auto &known = std::isnan(value) ? m_nan : m_infinite;
            if (fromHost) known.insert(written.var);
            if (known.contains(written.var) || (!std::isnan(value) && m_nan.contains(written.var))) return false;
            auto const what = std::isnan(value) ? FloatException::Invalid
                : divides(id, written.var)      ? FloatException::DivisionByZero
                                                : FloatException::Overflow;
            found = trapped(m_traps, what, tensor.dtype);
            return found.has_value();
        });
        if (!found) return true;
        int const op = m_program.step(id).op;
        m_machine.interrupt(trapError(*found, op >= 0 ? m_program.ops[static_cast<std::size_t>(op)].name : m_program.step(id).name,
                                      layerOf(m_program, id)));
        return false;
    });
}

} // namespace tilewright::runtime

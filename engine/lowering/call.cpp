#include "engine/lowering/call.h"

#include "engine/graph/control.h"
#include "engine/graph/node_kind.h"
#include "engine/lowering/bodies.h"

#include <algorithm>
#include <optional>

namespace tilewright::lowering {

using namespace program;
using graph::NodeId;
using graph::NodeKind;
using graph::RegionId;
using graph::ValueId;

namespace {

class BodyLowering {
public:
    BodyLowering(LowerContext &ctx, graph::Node const &first)
        : m_ctx(ctx), b(ctx.b), m_first(first), m_body(first.regions[0]), m_parameters(graph::parametersOf(ctx.graph, m_body)),
          m_results(graph::resultsOf(ctx.graph, m_body)), m_wanted(m_parameters.size())
    {
    }

    /// A chain of calls gives each what the one before left: parameters then lie as results do. How that is shows when the
    /// body is lowered; if not as it was assumed, it is lowered again from the beginning.
    Result<CalledBody> run()
    {
        auto const before = b;
        auto const called = m_ctx.called;
        TW_ASSIGN(auto body, lower());
        bool again = false;
        for (std::size_t i = 0; i < m_parameters.size(); ++i) {
            auto const left = leftByOtherCalls(i, body);
            if (!left || *left == b.var(body.parameters[i]).layout) continue;
            m_wanted[i] = left;
            again = true;
        }
        if (!again) return body;
        b = before;
        m_ctx.called = called;
        return lower();
    }

private:
    Result<CalledBody> lower()
    {
        int const op = b.op(), outer = m_ctx.bodyOp;
        m_ctx.bodyOp = addFunctionOp();
        b.setOp(m_ctx.bodyOp);
        CalledBody body;
        for (std::size_t i = 0; i < m_parameters.size(); ++i) {
            auto const &value = m_ctx.graph.value(m_parameters[i]);
            auto const given = b.var(m_ctx.var(m_first.inputs[i]));
            int const ipu = m_ctx.ipu(m_first.stage);
            auto const rc = graph::rowsCols(value.shape);
            auto const workplace = workplaceOf(m_parameters[i]);
            Layout const layout = m_wanted[i]  ? *m_wanted[i]
                : workplace                    ? *workplace
                : isStorage(given.layout, ipu) ? given.layout
                                               : b.linear(rc.rows, rc.cols, value.dtype, ipu);
            body.parameters.push_back(b.addVar(value.name, std::string(graph::toText(value.role)), value.dtype, value.shape, layout));
            b.var(body.parameters.back()).interleaved = given.interleaved;
            m_ctx.bind(m_parameters[i], body.parameters.back());
        }
        body.block = b.beginDetached(StepKind::Sequence, m_ctx.graph.region(m_body).label);
        TW_TRY(m_ctx.lowerRegion(m_body));
        b.endBlock();
        m_ctx.bodyOp = outer;
        b.setOp(op);
        for (auto result : m_results) body.results.push_back(m_ctx.var(result));
        return body;
    }

    /// Where a body's products want weights that lie elsewhere.
    std::optional<Layout> workplaceOf(ValueId parameter) const
    {
        for (auto const variable : m_ctx.callers.variablesOf(parameter))
            if (auto const it = m_ctx.workplaces.find(variable); it != m_ctx.workplaces.end()) return it->second;
        return {};
    }

    /// Where most calls' operand lies, when they are results of this same body.
    std::optional<Layout> leftByOtherCalls(std::size_t parameter, CalledBody const &body) const
    {
        auto const &calls = m_ctx.callers.of(m_body);
        std::vector<std::size_t> votes(m_results.size(), 0);
        for (auto call : calls) {
            auto const operand = m_ctx.graph.node(call).inputs[parameter];
            auto const &producer = m_ctx.graph.node(m_ctx.graph.value(operand).producer);
            if (!graph::is(producer, NodeKind::Call) || producer.regions[0] != m_body) continue;
            ++votes[static_cast<std::size_t>(std::ranges::find(producer.outputs, operand) - producer.outputs.begin())];
        }
        auto const most = std::ranges::max_element(votes);
        if (most == votes.end() || *most * 2 < calls.size()) return {};
        auto const &layout = b.var(body.results[static_cast<std::size_t>(most - votes.begin())]).layout;
        return isStorage(layout, m_ctx.ipu(m_first.stage)) ? std::optional(layout) : std::nullopt;
    }

    int addFunctionOp()
    {
        Op op;
        op.name = "function " + m_ctx.graph.region(m_body).label;
        op.kind = std::string(kFunctionOp);
        op.level = "keras";
        op.pass = std::string(graph::toText(m_first.pass));
        op.stage = m_first.stage;
        return b.addOp(std::move(op));
    }

    LowerContext &m_ctx;
    ProgramBuilder &b;
    graph::Node const &m_first;
    RegionId m_body;
    std::vector<ValueId> m_parameters, m_results;
    std::vector<std::optional<Layout>> m_wanted; ///< by parameter, where it is known
};

/// Whether a result has storage that whoever reads it may write to: nobody else's, and no constant.
bool isItsOwn(ProgramBuilder const &b, CalledBody const &body, std::size_t result)
{
    VarId const var = body.results[result];
    return b.var(var).category != Category::Constant && std::ranges::count(body.results, var) == 1
        && std::ranges::find(body.parameters, var) == body.parameters.end();
}

} // namespace

Status lowerCall(LowerContext &ctx, NodeId id)
{
    auto const &node = ctx.graph.node(id);
    auto const region = node.regions[0];
    if (!staysOnOneIpu(ctx, node))
        return makeError(ErrorKind::Invalid, "lowering.call", node.name, Message::of("a body is called on two IPUs."),
                         Message::of("Give each pipeline stage a body of its own."));
    auto known = ctx.called.find(region.index);
    if (known == ctx.called.end()) {
        TW_ASSIGN(auto body, BodyLowering(ctx, node).run());
        known = ctx.called.emplace(region.index, std::make_shared<CalledBody>(std::move(body))).first;
    }
    auto const body = known->second;
    std::vector<VarId> operands, outputs;
    for (auto input : node.inputs) operands.push_back(ctx.var(input));
    copyAll(ctx.b, operands, body->parameters, node.name + "/Arguments");
    ctx.b.call(body->block, node.name);
    bool const last = id == ctx.callers.of(region).back();
    std::vector<VarId> left;
    for (std::size_t i = 0; i < node.outputs.size(); ++i) {
        VarId const result = body->results[i];
        if (last && isItsOwn(ctx.b, *body, i)) {
            ctx.bind(node.outputs[i], result);
            continue;
        }
        auto const &value = ctx.graph.value(node.outputs[i]);
        left.push_back(result);
        outputs.push_back(
            ctx.b.addVar(value.name, std::string(graph::toText(value.role)), value.dtype, value.shape, ctx.b.var(result).layout));
        ctx.bind(node.outputs[i], outputs.back());
    }
    copyAll(ctx.b, left, outputs, node.name + "/Results");
    return {};
}

} // namespace tilewright::lowering

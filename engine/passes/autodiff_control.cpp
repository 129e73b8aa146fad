// Gradients of loops. The gradient of `repeat` is a second loop that runs the steps in reverse. It carries the gradients of the carried
// values
// and receives the needed values of each step as stacks.
#include "engine/graph/checkpoint.h"
#include "engine/graph/node_kind.h"
#include "engine/passes/autodiff_walk.h"

#include "engine/passes/graph_edit.h"

#include <algorithm>
#include <set>

namespace tilewright::passes {

using namespace graph;

/// A sum over the steps, computed as one operation on stacks after the loop.
struct ReverseWalk::Outside {
    ValueId value;
    Node operation;
    std::vector<ValueId> stacks;   ///< by operand; invalid: computed by the gradient's loop
    std::vector<std::size_t> made; ///< its index among the results of the gradient's loop
};

/// The two loops during construction of the second. A stack's `reversed` relates slices to forward steps t; the gradient starts with the
/// last
/// step, so for its loop the flag is inverted.
struct ReverseWalk::Loop {
    NodeId node; ///< the differentiated loop
    RepeatForm form;
    RegionId body;
    std::vector<ValueId> parameters, results; ///< of its body, before the change
    RegionId outer, back;                     ///< region of both loops; body of the gradient
    NodeId backParameters;
    std::set<NodeId> forward; ///< nodes of the body

    struct Carried {
        ValueId first, parameter, result;
    };
    struct Given {
        ValueId stack, parameter;
        bool reversed;
    };
    struct Made {
        ValueId value;
        bool reversed;
    };
    std::vector<Carried> carried;
    std::vector<Given> given;
    std::vector<Made> made;
    std::map<ValueId, ValueId> standIns; ///< forward value -> value read by the gradient's body
    std::vector<NodeId> front;           ///< nodes directly after the gradient's parameters

    std::vector<Outside> outside;
    bool segment = false, recompute = false; ///< graph/checkpoint.h

    ValueId parameter(std::size_t operand) const { return parameters[(form.index ? 1 : 0) + operand]; }
};

namespace {

Shape stackShape(Shape slice, std::int64_t count)
{
    slice.insert(slice.begin(), count);
    return slice;
}

/// The rows of all steps, stacked.
Shape asRows(Shape const &stack) { return {elementCount(stack) / stack.back(), stack.back()}; }

} // namespace

/// A parameter of the gradient's body that holds the slice of `stack` at each step.
ValueId ReverseWalk::given(Loop &loop, ValueId stack, bool reversed, Value type)
{
    for (auto const &known : loop.given)
        if (known.stack == stack && known.reversed == reversed) return known.parameter;
    auto const parameter = addOutput(g, loop.backParameters, std::move(type));
    loop.given.push_back({stack, parameter, reversed});
    return parameter;
}

/// The same value, computed again in the gradient's body from what that body is given.
ValueId ReverseWalk::again(Loop &loop, ValueId value)
{
    auto const id = g.value(value).producer;
    for (auto const operand : graph::reads(g, id))
        if (loop.forward.contains(g.value(operand).producer)) kept(loop, operand);
    loop.front.push_back(copyToRecompute(g, id, loop.standIns, "/Recompute"));
    return loop.standIns.at(value);
}

/// The value that the gradient's body reads in place of a value of the loop's body.
ValueId ReverseWalk::kept(Loop &loop, ValueId value)
{
    if (auto const it = loop.standIns.find(value); it != loop.standIns.end()) return it->second;
    Node producer = g.node(g.value(value).producer);
    Value type = g.value(value);
    if (is(producer, NodeKind::Constant, NodeKind::Reshape)) {
        // Creating it again costs no more than keeping it.
        if (is(producer, NodeKind::Reshape) && loop.forward.contains(g.value(producer.inputs[0]).producer))
            producer.inputs[0] = kept(loop, producer.inputs[0]);
        producer.outputs.clear();
        producer.pass = Pass::Backward;
        NodeId const id(g.nodes.size());
        g.nodes.push_back(std::move(producer));
        loop.front.push_back(id);
        return loop.standIns[value] = addOutput(g, id, std::move(type));
    }
    auto const node = g.node(loop.node);
    auto const results = resultsOf(g, loop.body);
    auto const form = repeatForm(node);
    ValueId stack;
    bool reversed = false;
    for (std::size_t i = 0; i < form.stackedIn && !stack.valid(); ++i)
        if (loop.parameter(form.carried + i) == value) {
            stack = node.inputs[form.carried + i];
            reversed = form.reversed[i];
        }
    for (std::size_t i = 0; i < form.stackedOut && !stack.valid(); ++i)
        if (results[form.carried + i] == value) {
            stack = node.outputs[form.carried + i];
            reversed = form.reversed[form.stackedIn + i];
        }
    if (!stack.valid() && loop.recompute && !isRegionEnd(producer) && isRepeatable(g, m_ops, g.value(value).producer, {}))
        return again(loop, value);
    if (!stack.valid()) {
        Value whole = type;
        whole.shape = stackShape(type.shape, form.count);
        whole.name = type.name + "/steps";
        whole.role = Role::Activation;
        stack = addOutput(g, loop.node, std::move(whole));
        g.node(resultsNode(g, loop.body)).inputs.push_back(value);
        if (node.attrs.has("reversed")) {
            auto flags = node.attrs.integers("reversed");
            flags.push_back(0);
            g.node(loop.node).attrs.set("reversed", std::move(flags));
        }
    }
    return loop.standIns[value] = given(loop, stack, !reversed, std::move(type));
}

/// Replaces the reads of values of the loop's body in the gradient's body.
void ReverseWalk::keep(Loop &loop)
{
    auto const nodes = g.region(loop.back).nodes;
    for (auto id : nodes)
        forEachNodeWithin(g, id, [&](NodeId inner) {
            for (std::size_t i = 0; i < g.node(inner).inputs.size(); ++i) {
                auto const input = g.node(inner).inputs[i];
                if (!loop.forward.contains(g.value(input).producer)) continue;
                auto const standIn = kept(loop, input);
                g.node(inner).inputs[i] = standIn;
            }
        });
    auto const replace = [&](ValueId &value) {
        if (value.valid() && loop.forward.contains(g.value(value).producer)) value = kept(loop, value);
    };
    for (auto &carried : loop.carried) replace(carried.result);
    for (auto &made : loop.made) replace(made.value);
    auto &list = g.region(loop.back).nodes;
    list.insert(list.begin() + 1, loop.front.begin(), loop.front.end());
}

/// The gradient of a value that each step reads is a sum over the steps. A product of rows, or a sum of rows, equals the same operation on
/// the
/// rows of all steps: one large operation after the loop instead of a small one and an addition in each step.
bool ReverseWalk::sumOutside(Loop &loop, ValueId value, ValueId gradient)
{
    if (loop.segment) return false; // its operands, stacked, would be as large as what checkpoints avoid
    auto const id = g.value(gradient).producer;
    auto &nodes = g.region(loop.back).nodes;
    if (std::ranges::find(nodes, id) == nodes.end()) return false;
    auto const &node = g.node(id);
    auto const *spec = m_ops(node.op);
    if (!spec || !spec->addsRows || !spec->addsRows(g, node)) return false;
    int uses = 0;
    for (auto other : nodes) uses += static_cast<int>(std::ranges::count(g.node(other).inputs, gradient));
    if (uses > 0) return false;
    loop.outside.push_back({value, node, {}, {}});
    std::erase(nodes, id);
    return true;
}

/// Stacks of the operands in one common order of steps. Values computed by the loop are kept anyway, each in its own order.
void ReverseWalk::operandsOutside(Loop &loop, Outside &outside)
{
    auto const &inputs = outside.operation.inputs;
    outside.stacks.resize(inputs.size());
    outside.made.resize(inputs.size());
    bool fixed = false, reversed = true;
    for (std::size_t k = 0; k < inputs.size(); ++k) {
        if (!loop.forward.contains(g.value(inputs[k]).producer)) continue;
        auto const standIn = kept(loop, inputs[k]);
        auto const one = std::ranges::find(loop.given, standIn, &Loop::Given::parameter);
        if (one == loop.given.end() || (fixed && one->reversed != reversed)) continue;
        outside.stacks[k] = one->stack;
        reversed = one->reversed;
        fixed = true;
    }
    for (std::size_t k = 0; k < inputs.size(); ++k) {
        if (outside.stacks[k].valid()) continue;
        outside.made[k] = loop.made.size();
        loop.made.push_back({inputs[k], reversed});
    }
}

Status ReverseWalk::repeat(NodeId id, Wanted const &wantedAround, Arrived &arrived)
{
    Loop loop;
    loop.node = id;
    Node const node = g.node(id);
    loop.form = repeatForm(node);
    auto const &form = loop.form;
    if (form.isLoopOverVariables()) return {};
    loop.segment = node.attrs.flag(kSegment);
    loop.recompute = node.attrs.flag(kRecompute);
    std::vector<ValueId> outputGradients;
    for (auto output : node.outputs) outputGradients.push_back(arrived.take(output));
    if (std::ranges::none_of(outputGradients, [](ValueId v) { return v.valid(); })) return {};
    loop.body = node.regions[0];
    loop.parameters = parametersOf(g, loop.body);
    loop.results = resultsOf(g, loop.body);
    auto const nodes = g.region(loop.body).nodes;
    loop.forward.insert(nodes.begin(), nodes.end());
    std::set<ValueId> const operands(node.inputs.begin(), node.inputs.end());

    // Dependencies, including those through carried values.
    Wanted wanted = wantedAround;
    wanted.resize(g.values.size(), 0);
    for (std::size_t i = 0; i < node.inputs.size(); ++i)
        if (wanted[node.inputs[i].index] && isFloat(node.inputs[i])) wanted[loop.parameter(i).index] = 1;
    for (bool changed = true; changed;) {
        changed = false;
        spread(nodes, wanted);
        for (std::size_t i = 0; i < form.carried; ++i) {
            auto &mark = wanted[loop.parameter(i).index];
            if (mark || !wanted[loop.results[i].index] || !isFloat(loop.results[i])) continue;
            mark = 1;
            changed = true;
        }
    }
    std::vector<ValueId> captured;
    for (auto value : graph::reads(g, id)) {
        bool const usedInside = !operands.contains(value) || std::ranges::any_of(nodes, [&](NodeId inner) {
            auto const all = graph::reads(g, inner);
            return std::ranges::find(all, value) != all.end();
        });
        if (usedInside && wanted[value.index] && isFloat(value)) captured.push_back(value);
    }

    loop.outer = b.region();
    auto const label = g.region(loop.body).label + "/gradient";
    loop.back = addRegion(g, label);
    auto const zeros = [&](ValueId like) {
        auto const type = g.value(like);
        return b.constant(0.0, type.shape, type.dtype);
    };
    auto const stamped = [&](Value type) {
        type.role = Role::Gradient;
        return type;
    };
    std::vector<std::size_t> carriedOf; // by loop.carried: index of the carried value of the loop
    std::vector<ValueId> firsts;
    for (std::size_t i = 0; i < form.carried; ++i)
        if (wanted[loop.parameter(i).index]) {
            carriedOf.push_back(i);
            firsts.push_back(outputGradients[i].valid() ? outputGradients[i] : zeros(node.outputs[i]));
        }
    b.setRegion(loop.back);
    b.add("parameters", {}, {}, {}, label + "/parameters");
    loop.backParameters = NodeId(g.nodes.size() - 1);
    Arrived inside(b, m_ops);
    for (std::size_t k = 0; k < carriedOf.size(); ++k) {
        auto const result = loop.results[carriedOf[k]];
        auto const parameter = addOutput(g, loop.backParameters, stamped(g.value(result)));
        loop.carried.push_back({firsts[k], parameter, {}});
        inside.give(result, parameter);
    }
    for (std::size_t i = 0; i < form.stackedOut; ++i) {
        auto const gradient = outputGradients[form.carried + i];
        auto const result = loop.results[form.carried + i];
        if (!gradient.valid() || !wanted[result.index]) continue;
        inside.give(result, given(loop, gradient, !form.reversed[form.stackedIn + i], stamped(g.value(result))));
    }
    ++m_depth;
    TW_TRY(walk(nodes, wanted, inside));
    --m_depth;
    b.layer = node.layer;
    b.stage = node.stage;

    for (std::size_t k = 0; k < carriedOf.size(); ++k) {
        auto const parameter = loop.parameter(carriedOf[k]);
        auto const gradient = inside.take(parameter);
        loop.carried[k].result = gradient.valid() ? gradient : zeros(parameter);
    }
    std::vector<std::size_t> sliceOf; // by loop.made: index of the stacked operand of the loop
    for (std::size_t i = 0; i < form.stackedIn; ++i) {
        auto const slice = loop.parameter(form.carried + i);
        if (!wanted[node.inputs[form.carried + i].index] || !isFloat(slice)) continue;
        auto const gradient = inside.take(slice);
        if (!gradient.valid()) continue;
        sliceOf.push_back(i);
        loop.made.push_back({gradient, !form.reversed[i]});
    }
    std::vector<ValueId> summed; // captured values with an accumulator
    for (auto value : captured) {
        auto const gradient = inside.take(value);
        if (!gradient.valid() || sumOutside(loop, value, gradient)) continue;
        b.setRegion(loop.outer);
        auto const first = zeros(value);
        b.setRegion(loop.back);
        auto const parameter = addOutput(g, loop.backParameters, stamped(g.value(value)));
        loop.carried.push_back({first, parameter, addInferred(b, m_ops, "add", {parameter, gradient}, {}, "AddSteps")[0]});
        summed.push_back(value);
    }
    for (auto &outside : loop.outside) operandsOutside(loop, outside);
    keep(loop);

    // Order of parameters: carried values, then slices.
    auto &ordered = g.node(loop.backParameters).outputs;
    ordered.clear();
    std::vector<ValueId> inputs, results;
    std::vector<std::int64_t> reversed;
    for (auto const &carried : loop.carried) {
        ordered.push_back(carried.parameter);
        inputs.push_back(carried.first);
        results.push_back(carried.result);
    }
    for (auto const &one : loop.given) {
        ordered.push_back(one.parameter);
        inputs.push_back(one.stack);
        reversed.push_back(one.reversed);
    }
    std::vector<Builder::Out> outs;
    for (auto const &carried : loop.carried) outs.push_back({g.value(carried.result).shape, g.value(carried.result).dtype});
    for (auto const &made : loop.made) {
        results.push_back(made.value);
        reversed.push_back(made.reversed);
        outs.push_back({stackShape(g.value(made.value).shape, form.count), g.value(made.value).dtype});
    }
    b.add("results", std::move(results), {}, {}, label + "/results");
    b.setRegion(loop.outer);
    Attrs attrs{{"count", form.count}, {"carried", static_cast<std::int64_t>(loop.carried.size())}};
    if (std::ranges::any_of(reversed, [](auto f) { return f != 0; })) attrs.set("reversed", std::move(reversed));
    auto const gradients = b.add("repeat", std::move(inputs), std::move(outs), std::move(attrs), label);
    g.nodes.back().regions = {loop.back};

    for (std::size_t k = 0; k < carriedOf.size(); ++k)
        if (wantedAround[node.inputs[carriedOf[k]].index]) arrived.give(node.inputs[carriedOf[k]], gradients[k]);
    for (std::size_t k = 0; k < summed.size(); ++k) arrived.give(summed[k], gradients[carriedOf.size() + k]);
    for (std::size_t k = 0; k < sliceOf.size(); ++k)
        arrived.give(node.inputs[form.carried + sliceOf[k]], gradients[loop.carried.size() + k]);
    for (auto const &outside : loop.outside) {
        std::vector<ValueId> stacks;
        for (std::size_t k = 0; k < outside.stacks.size(); ++k) {
            auto const stack = outside.stacks[k].valid() ? outside.stacks[k] : gradients[loop.carried.size() + outside.made[k]];
            auto const type = g.value(stack);
            stacks.push_back(b.one("reshape", {stack}, asRows(type.shape), type.dtype));
        }
        auto const type = g.value(outside.value);
        arrived.give(outside.value, b.one(outside.operation.op, std::move(stacks), type.shape, type.dtype, outside.operation.attrs));
    }
    return {};
}

} // namespace tilewright::passes

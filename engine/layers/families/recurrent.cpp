// Recurrent layers: what the cell computes of the inputs, for all steps at once, then a loop over the steps.
#include "engine/graph/checkpoint.h"
#include "engine/graph/control.h"
#include "engine/layers/penalties.h"
#include "engine/layers/recurrent_cell.h"
#include "engine/model/layers/wrapper_rules.h"

#include <algorithm>
#include <numeric>
#include <span>
#include <utility>

namespace tilewright::layers {

using namespace graph;

namespace {

/// What a step reads.
struct Step {
    ValueId projected;          ///< what the cell computed of this step's input
    std::vector<ValueId> state; ///< the cell's; behind it all, with a first state and a mask, the output once more
    ValueId mask;               ///< [batch, 1, …]: whether the step counts; invalid: it does
};

/// The loop around a cell.
class RecurrentBuilder {
public:
    /// `inBidirectional`: outputs stand where their inputs do, also those of a layer that reads backwards, and the sequence is 0 in
    /// steps that do not count (Keras's zero_output_for_mask, which Bidirectional sets).
    RecurrentBuilder(BuildContext &context, model::ResolvedCall const &call, bool inBidirectional)
        : c(context), m_call(call), m_layer(context.layerOf(call)), m_inOrder(inBidirectional),
          m_zeroMasked(inBidirectional && m_layer.flag("return_sequences")),
          m_channelsFirst(m_layer.text("data_format") == "channels_first")
    {
    }

    Result<std::vector<ValueId>> build(std::span<ValueId const> given)
    {
        std::vector<ValueId> inputs(given.begin(), given.end());
        if (m_channelsFirst)
            for (std::size_t i = 0; i < inputs.size(); ++i) inputs[i] = channelsLast(inputs[i], i == 0 ? 2 : 1);
        TW_ASSIGN(auto all, buildLast(inputs));
        if (m_channelsFirst)
            for (std::size_t i = 0; i < all.size(); ++i) all[i] = channelsFirst(all[i], i == 0 && m_layer.flag("return_sequences") ? 2 : 1);
        return all;
    }

private:
    /// The channels from `axis` to the end, and back.
    ValueId channelsLast(ValueId value, std::size_t axis)
    {
        std::vector<std::int64_t> perm(c.value(value).shape.size());
        std::iota(perm.begin(), perm.end(), std::int64_t{0});
        std::rotate(perm.begin() + static_cast<std::ptrdiff_t>(axis), perm.begin() + static_cast<std::ptrdiff_t>(axis) + 1, perm.end());
        return c.op("transpose", {value}, {{"perm", std::move(perm)}}, "ChannelsLast");
    }
    ValueId channelsFirst(ValueId value, std::size_t axis)
    {
        std::vector<std::int64_t> perm(c.value(value).shape.size());
        std::iota(perm.begin(), perm.end(), std::int64_t{0});
        std::rotate(perm.begin() + static_cast<std::ptrdiff_t>(axis), perm.end() - 1, perm.end());
        return c.op("transpose", {value}, {{"perm", std::move(perm)}}, "ChannelsFirst");
    }

    /// With the channels last.
    Result<std::vector<ValueId>> buildLast(std::span<ValueId const> inputs)
    {
        auto const *builder = findRecurrentCell(m_layer.className);
        TW_CHECK(builder, "a recurrent layer without a cell: " + m_layer.className);
        m_cell = builder->make({c, m_call, m_layer, 0});
        Shape sample = c.value(inputs[0]).shape; // [batch, steps, features]
        m_steps = sample[1];
        sample.erase(sample.begin() + 1);
        m_cell->prepare(sample);
        auto const parts = m_layer.flag("unroll") ? 1 : c.recurrentCheckpoints + 1;
        if (m_steps % parts != 0)
            return buildError(c, m_call, Message::of("%1 time steps cannot be cut into %2 equal parts", m_steps, parts),
                              Message::of("change training.recurrent_checkpoints"));
        auto const raw = steps(inputs[0]);
        if (parts > 1) m_cell->drawMasks(); // here, because inside the loop each part would have its own
        auto const x = parts > 1 ? raw : m_cell->project(raw);

        std::vector<ValueId> first(inputs.begin() + 1, inputs.end());
        bool const keeps = m_layer.flag("stateful");
        std::vector<VariableId> kept;
        auto const states = m_cell->states();
        m_outputShape = states[m_cell->output()].shape;
        for (std::size_t i = 0; i < states.size(); ++i) {
            if (keeps) kept.push_back(c.keptState(m_call, states[i].label, states[i].shape, c.value(x).dtype));
            // A state that is given comes before one that is kept, as in Keras.
            if (i >= first.size()) first.push_back(keeps ? c.b.read(kept[i]) : c.b.constant(0.0, states[i].shape, c.value(x).dtype));
        }
        if (auto const mask = c.inputMasks[0]; mask.valid()) {
            auto const turned = c.op("transpose", {mask}, {{"perm", std::vector<std::int64_t>{1, 0}}}, "MaskSteps");
            Shape column(m_outputShape.size() + 1, 1);
            column[0] = m_steps;
            column[1] = sample[0];
            m_mask = c.cast(c.reshape(turned, std::move(column)), c.value(x).dtype);
            // Until a step counts, the state is the first one, but the output is 0.
            m_ownOutput = !m_zeroMasked && (keeps || inputs.size() > 1);
            if (m_ownOutput) first.push_back(c.b.constant(0.0, m_outputShape, c.value(x).dtype));
        }
        bool const sequences = m_layer.flag("return_sequences");
        TW_ASSIGN(auto all,
                  m_layer.flag("unroll") ? unrolled(x, first, sequences)
                      : parts > 1        ? inParts(parts, x, first, sequences)
                                         : looped(x, first, sequences));
        keep(kept, std::span(all).subspan(1));
        if (sequences) all[0] = steps(all[0]);
        if (!m_layer.flag("return_state")) all.resize(1);
        return all;
    }

    /// The next batch begins with this state. It belongs to the forward pass: no gradient flows through it.
    void keep(std::vector<VariableId> const &kept, std::span<ValueId const> state)
    {
        auto const role = c.b.role;
        c.b.role = Role::Temporary;
        for (std::size_t i = 0; i < kept.size(); ++i) c.b.assign(kept[i], state[i]);
        c.b.role = role;
    }

    /// [batch, steps, …] to [steps, batch, …] and back.
    ValueId steps(ValueId value)
    {
        std::vector<std::int64_t> order(c.value(value).shape.size());
        std::iota(order.begin(), order.end(), std::int64_t{0});
        std::swap(order[0], order[1]);
        return c.op("transpose", {value}, {{"perm", std::move(order)}}, "Steps");
    }

    /// The output, and behind it the state after the last step.
    Result<std::vector<ValueId>> looped(ValueId x, std::vector<ValueId> const &first, bool sequences)
    {
        std::vector<ValueId> stacks{x};
        if (m_mask.valid()) stacks.push_back(m_mask);
        std::vector<char> const reversed(stacks.size(), m_layer.flag("go_backwards") ? char(1) : char(0));
        RepeatBuilder loop(c.b, "steps" + c.suffix, m_steps, first, stacks, reversed);
        Step now{loop.slice(0), {}, m_mask.valid() ? loop.slice(1) : ValueId()};
        for (std::size_t i = 0; i < first.size(); ++i) now.state.push_back(loop.carried(i));
        TW_ASSIGN(auto const next, step(now));
        auto const out = loop.finish(next, sequences ? std::vector<ValueId>{shownOf(now, next)} : std::vector<ValueId>{},
                                     m_inOrder && sequences ? std::vector<char>{reversed[0]} : std::vector<char>{});
        std::vector<ValueId> const last(out.begin(), out.begin() + static_cast<std::ptrdiff_t>(first.size()));
        if (m_ownOutput) m_lastOutput = last.back();
        return withState(sequences ? out.back() : outputOf(last), last);
    }

    /// looped(), cut into parts between recomputation checkpoints: a loop over the parts carries the states, which are the checkpoints. A
    /// part computes of its own inputs, `raw`, what the cell computes of inputs alone.
    Result<std::vector<ValueId>> inParts(std::int64_t parts, ValueId raw, std::vector<ValueId> const &first, bool sequences)
    {
        auto const steps = m_steps / parts;
        auto const cut = [&](ValueId stack) {
            Shape shape = c.value(stack).shape;
            shape[0] = steps;
            shape.insert(shape.begin(), parts);
            return c.reshape(stack, std::move(shape), "Parts");
        };
        std::vector<ValueId> stacks{cut(raw)};
        if (m_mask.valid()) stacks.push_back(cut(m_mask));
        std::vector<char> const reversed(stacks.size(), m_layer.flag("go_backwards") ? char(1) : char(0));
        RepeatBuilder loop(c.b, "parts" + c.suffix, parts, first, stacks, reversed);
        NodeId const node = loop.node();
        c.graph().node(node).attrs.set(kSegment, true);
        if (c.recomputes) c.graph().node(node).attrs.set(kRecompute, true);
        auto const all = std::exchange(m_steps, steps);
        auto const mask = m_mask;
        if (m_mask.valid()) m_mask = loop.slice(1);
        std::vector<ValueId> state;
        for (std::size_t i = 0; i < first.size(); ++i) state.push_back(loop.carried(i));
        TW_ASSIGN(auto const part, looped(m_cell->project(loop.slice(0)), state, sequences));
        m_steps = all;
        m_mask = mask;
        // looped() leaves out the output that is carried beside the state.
        std::vector<ValueId> next(part.begin() + 1, part.end());
        if (m_ownOutput) next.push_back(m_lastOutput);
        auto const out = loop.finish(next, sequences ? std::vector<ValueId>{part[0]} : std::vector<ValueId>{},
                                     m_inOrder && sequences ? std::vector<char>{reversed[0]} : std::vector<char>{});
        std::vector<ValueId> const last(out.begin(), out.begin() + static_cast<std::ptrdiff_t>(first.size()));
        if (!sequences) return withState(outputOf(last), last);
        Shape shape = c.value(out.back()).shape;
        shape.erase(shape.begin());
        shape[0] = m_steps;
        return withState(c.reshape(out.back(), std::move(shape), "Sequence"), last);
    }

    Result<std::vector<ValueId>> unrolled(ValueId x, std::vector<ValueId> state, bool sequences)
    {
        std::vector<ValueId> outputs;
        for (std::int64_t t = 0; t < m_steps; ++t) {
            std::int64_t const at = m_layer.flag("go_backwards") ? m_steps - 1 - t : t;
            auto const stepOf = [&](ValueId stack) {
                auto const slice = c.op("slice", {stack}, {{"axis", std::int64_t{0}}, {"start", at}, {"size", std::int64_t{1}}}, "Step");
                auto const &shape = c.value(stack).shape;
                return c.reshape(slice, Shape(shape.begin() + 1, shape.end()));
            };
            Step const now{stepOf(x), state, m_mask.valid() ? stepOf(m_mask) : ValueId()};
            TW_ASSIGN(state, step(now));
            Shape one = m_outputShape;
            one.insert(one.begin(), 1);
            outputs.push_back(c.reshape(shownOf(now, state), std::move(one)));
        }
        if (!sequences) return withState(outputOf(state), state);
        if (m_inOrder && m_layer.flag("go_backwards")) std::ranges::reverse(outputs);
        return withState(outputs.size() == 1 ? outputs[0] : c.op("concat", outputs, {{"axis", std::int64_t{0}}}, "Outputs"), state);
    }

    std::vector<ValueId> withState(ValueId output, std::vector<ValueId> const &state) const
    {
        std::vector<ValueId> all{output};
        all.insert(all.end(), state.begin(), state.end() - (m_ownOutput ? 1 : 0));
        return all;
    }

    ValueId outputOf(std::vector<ValueId> const &state) const { return m_ownOutput ? state.back() : state[m_cell->output()]; }

    /// The output in the sequence.
    ValueId shownOf(Step const &now, std::vector<ValueId> const &state)
    {
        auto const output = outputOf(state);
        if (!m_zeroMasked || !now.mask.valid()) return output;
        return c.op("select", {now.mask, output, c.b.constant(0.0, m_outputShape, c.value(output).dtype)}, {}, "MaskedOutput");
    }

    /// A step that does not count leaves state and output as they are.
    Result<std::vector<ValueId>> step(Step const &now)
    {
        TW_ASSIGN(auto next, m_cell->step(now.projected, now.state));
        if (!now.mask.valid()) return next;
        if (m_ownOutput) next.push_back(next[m_cell->output()]);
        for (std::size_t i = 0; i < next.size(); ++i) next[i] = c.op("select", {now.mask, next[i], now.state[i]}, {}, "Mask");
        return next;
    }

    BuildContext &c;
    model::ResolvedCall const &m_call;
    model::Layer const &m_layer;
    std::unique_ptr<RecurrentCell> m_cell;
    std::int64_t m_steps = 1;
    Shape m_outputShape; ///< of one step
    bool m_inOrder, m_zeroMasked, m_channelsFirst;
    ValueId m_mask;           ///< [steps, batch, 1, …]; invalid: all steps count
    bool m_ownOutput = false; ///< the output is carried beside the state
    ValueId m_lastOutput;     ///< with m_ownOutput: after the last step
};

} // namespace

Result<std::vector<ValueId>> buildRecurrent(BuildContext &context, model::ResolvedCall const &call, std::span<ValueId const> inputs)
{
    return RecurrentBuilder(context, call, false).build(inputs);
}

/// Two copies of a recurrent layer, the second of which reads backwards; what they give for one step is merged.
Result<std::vector<ValueId>> buildBidirectional(BuildContext &context, model::ResolvedCall const &call, std::span<ValueId const> inputs)
{
    auto const &wrapper = context.layerOf(call);
    auto const both = model::bidirectionalLayers(wrapper);
    auto const weights = context.resolved.layers[call.layer].weights.size() / 2;
    ValueId forward, backward;
    std::vector<ValueId> states;
    for (std::size_t i = 0; i < 2; ++i) {
        BuildContext::Inside const inside(context, both[i], i * weights);
        auto const suffix = context.suffix;
        context.suffix = (i ? "_backward" : "_forward") + suffix;
        auto built = RecurrentBuilder(context, call, true).build(inputs);
        if (built.ok()) penalizeOutputs(context, both[i], *built);
        context.suffix = suffix;
        if (!built.ok()) return built.error();
        (i ? backward : forward) = built->front();
        states.insert(states.end(), built->begin() + 1, built->end());
    }
    context.outputMask = context.inputMasks[0];
    std::vector<ValueId> outputs;
    auto const mode = wrapper.text("merge_mode");
    auto const last = static_cast<std::int64_t>(context.value(forward).shape.size()) - 1;
    if (wrapper.isNull("merge_mode")) {
        outputs = {forward, backward};
    } else if (mode == "concat") {
        outputs = {context.op("concat", {forward, backward}, {{"axis", last}}, "Concat")};
    } else if (mode == "mul") {
        outputs = {context.op("mul", {forward, backward}, {}, "Mul")};
    } else {
        auto const sum = context.op("add", {forward, backward}, {}, "Sum");
        outputs = {mode == "ave" ? context.scaled(sum, 0.5, "Mean") : sum};
    }
    outputs.insert(outputs.end(), states.begin(), states.end());
    return outputs;
}

} // namespace tilewright::layers

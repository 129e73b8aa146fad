// Recurrent layers: the inputs of all steps times the kernel as one product, then a loop over the steps.
#include "engine/graph/control.h"
#include "engine/layers/layer_builder.h"
#include "engine/model/layers/wrapper_rules.h"

#include <algorithm>
#include <span>

namespace tilewright::layers {

using namespace graph;

namespace {

/// What a cell reads in each step and leaves behind.
struct Cell {
    ValueId projected;          ///< this step's input times the kernel, with the input's bias
    std::vector<ValueId> state; ///< the output comes first; behind it all, with a first state and a mask, the output once more
    ValueId mask;               ///< [batch, 1]: whether the step counts; invalid: it does
};
struct Weights {
    ValueId kernel, recurrent, inputBias, recurrentBias; ///< biases may be invalid
    ValueId stateMask;                                   ///< of recurrent_dropout; may be invalid
    std::vector<ValueId> blocks;                         ///< of the recurrent kernel, where a cell uses them apart
};

class RecurrentBuilder {
public:
    /// `inBidirectional`: outputs stand where their inputs do, also those of a layer that reads backwards, and the sequence is 0 in
    /// steps that do not count (Keras's zero_output_for_mask, which Bidirectional sets).
    RecurrentBuilder(BuildContext &context, model::ResolvedCall const &call, bool inBidirectional)
        : c(context), m_call(call), m_layer(context.layerOf(call)), m_units(m_layer.integer("units")), m_inOrder(inBidirectional),
          m_zeroMasked(inBidirectional && m_layer.flag("return_sequences"))
    {
    }

    Result<std::vector<ValueId>> build(std::span<ValueId const> inputs)
    {
        ValueId const input = inputs[0];
        auto const &className = m_layer.className;
        m_gates = className == "LSTM" ? 4 : className == "GRU" ? 3 : 1;
        Shape const shape = c.value(input).shape; // [batch, steps, features]
        m_batch = shape[0];
        m_steps = shape[1];
        readWeights();
        ValueId x = steps(input);
        if (auto const mask = dropoutMask("dropout", {m_batch * shape[2]}); mask.valid()) {
            // One mask for all steps: a row beside the steps as rows.
            x = c.op("mul", {c.reshape(x, {m_steps, m_batch * shape[2]}), mask}, {}, "InputDropout");
        }
        x = c.op("matmul", {c.reshape(x, {m_steps * m_batch, shape[2]}), m_weights.kernel}, {}, "Input/MatMul");
        if (m_weights.inputBias.valid()) x = c.op("add", {x, m_weights.inputBias}, {}, "Input/BiasAdd");
        x = c.reshape(x, {m_steps, m_batch, m_gates * m_units}, "Input/Steps");

        std::vector<ValueId> first(inputs.begin() + 1, inputs.end());
        bool const keeps = m_layer.flag("stateful");
        std::vector<VariableId> kept;
        for (std::size_t i = 0; i < (className == "LSTM" ? 2u : 1u); ++i) {
            Shape const one{m_batch, m_units};
            if (keeps) kept.push_back(c.keptState(m_call, i ? "state_c" : "state_h", one, c.value(x).dtype));
            // A state that is given comes before one that is kept, as in Keras.
            if (i >= first.size()) first.push_back(keeps ? c.b.read(kept[i]) : c.b.constant(0.0, one, c.value(x).dtype));
        }
        if (auto const mask = c.inputMasks[0]; mask.valid()) {
            auto const turned = c.op("transpose", {mask}, {{"perm", std::vector<std::int64_t>{1, 0}}}, "MaskSteps");
            m_mask = c.cast(c.reshape(turned, {m_steps, m_batch, 1}), c.value(x).dtype);
            // Until a step counts, the state is the first one, but the output is 0.
            m_ownOutput = !m_zeroMasked && (keeps || inputs.size() > 1);
            if (m_ownOutput) first.push_back(c.b.constant(0.0, {m_batch, m_units}, c.value(x).dtype));
        }
        bool const sequences = m_layer.flag("return_sequences");
        TW_ASSIGN(auto all, m_layer.flag("unroll") ? unrolled(x, first, sequences) : looped(x, first, sequences));
        keep(kept, std::span(all).subspan(1));
        if (sequences) all[0] = steps(all[0]);
        if (!m_layer.flag("return_state")) all.resize(1);
        return all;
    }

private:
    /// The next batch begins with this state. It belongs to the forward pass: no gradient flows through it.
    void keep(std::vector<VariableId> const &kept, std::span<ValueId const> state)
    {
        auto const role = c.b.role;
        c.b.role = Role::Temporary;
        for (std::size_t i = 0; i < kept.size(); ++i) c.b.assign(kept[i], state[i]);
        c.b.role = role;
    }

    /// [batch, steps, n] to [steps, batch, n] and back.
    ValueId steps(ValueId value) { return c.op("transpose", {value}, {{"perm", std::vector<std::int64_t>{1, 0, 2}}}, "Steps"); }

    /// One tensor for each gate.
    std::vector<ValueId> gatesOf(ValueId value, std::int64_t gates)
    {
        return addInferred(c.b, c.ops, "split", {value}, {{"axis", std::int64_t{1}}, {"parts", gates}}, "Gates" + c.suffix);
    }

    ValueId columns(ValueId value, std::int64_t block, std::int64_t count)
    {
        return c.op("slice", {value}, {{"axis", std::int64_t{1}}, {"start", block * m_units}, {"size", count * m_units}}, "Gate");
    }

    /// Zeros and 1/(1-rate), in training only.
    ValueId dropoutMask(char const *argument, Shape shape)
    {
        double const rate = m_layer.number(argument);
        if (!c.training || rate == 0.0) return {};
        std::int64_t const seed = c.nextNodeSeed++;
        auto const ones = c.b.constant(1.0, std::move(shape), m_call.dtype);
        auto const counter = c.randomCounter();
        return c.op("dropout", {ones, counter}, {{"rate", rate}, {"node_seed", seed}}, std::string(argument) + "/Mask");
    }

    void readWeights()
    {
        m_weights.kernel = c.weight(m_call, 0);
        m_weights.recurrent = c.weight(m_call, 1);
        bool const apart = m_layer.className == "GRU" && m_layer.flag("reset_after");
        if (m_layer.flag("use_bias")) {
            auto const bias = c.weight(m_call, 2);
            auto const row = [&](std::int64_t index) {
                return c.reshape(c.op("slice", {bias}, {{"axis", std::int64_t{0}}, {"start", index}, {"size", std::int64_t{1}}}, "Bias"),
                                 {m_gates * m_units}, "Bias/Row");
            };
            m_weights.inputBias = apart ? row(0) : bias;
            if (apart) m_weights.recurrentBias = row(1);
        }
        if (m_layer.className == "GRU" && !apart)
            m_weights.blocks = {columns(m_weights.recurrent, 0, 2), columns(m_weights.recurrent, 2, 1)};
        m_weights.stateMask = dropoutMask("recurrent_dropout", {m_batch, m_units});
    }

    /// The output, and behind it the state after the last step.
    Result<std::vector<ValueId>> looped(ValueId x, std::vector<ValueId> const &first, bool sequences)
    {
        std::vector<ValueId> stacks{x};
        if (m_mask.valid()) stacks.push_back(m_mask);
        std::vector<char> const reversed(stacks.size(), m_layer.flag("go_backwards") ? char(1) : char(0));
        RepeatBuilder loop(c.b, "steps" + c.suffix, m_steps, first, stacks, reversed);
        Cell cell{loop.slice(0), {}, m_mask.valid() ? loop.slice(1) : ValueId()};
        for (std::size_t i = 0; i < first.size(); ++i) cell.state.push_back(loop.carried(i));
        TW_ASSIGN(auto const next, step(cell));
        auto const out = loop.finish(next, sequences ? std::vector<ValueId>{shownOf(cell, next)} : std::vector<ValueId>{},
                                     m_inOrder && sequences ? std::vector<char>{reversed[0]} : std::vector<char>{});
        std::vector<ValueId> const last(out.begin(), out.begin() + static_cast<std::ptrdiff_t>(first.size()));
        return withState(sequences ? out.back() : outputOf(last), last);
    }

    Result<std::vector<ValueId>> unrolled(ValueId x, std::vector<ValueId> state, bool sequences)
    {
        std::vector<ValueId> outputs;
        for (std::int64_t t = 0; t < m_steps; ++t) {
            std::int64_t const at = m_layer.flag("go_backwards") ? m_steps - 1 - t : t;
            auto const stepOf = [&](ValueId stack, std::int64_t columns) {
                auto const slice = c.op("slice", {stack}, {{"axis", std::int64_t{0}}, {"start", at}, {"size", std::int64_t{1}}}, "Step");
                return c.reshape(slice, {m_batch, columns});
            };
            Cell const cell{stepOf(x, m_gates * m_units), state, m_mask.valid() ? stepOf(m_mask, 1) : ValueId()};
            TW_ASSIGN(state, step(cell));
            outputs.push_back(c.reshape(shownOf(cell, state), {1, m_batch, m_units}));
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

    Result<ValueId> activated(char const *argument, ValueId value)
    {
        return applyActivation(c, m_call, model::activationArgument(m_layer, argument), value);
    }

    ValueId outputOf(std::vector<ValueId> const &state) const { return m_ownOutput ? state.back() : state.front(); }

    /// The output in the sequence.
    ValueId shownOf(Cell const &cell, std::vector<ValueId> const &state)
    {
        auto const output = outputOf(state);
        if (!m_zeroMasked || !cell.mask.valid()) return output;
        return c.op("select", {cell.mask, output, c.b.constant(0.0, {m_batch, m_units}, c.value(output).dtype)}, {}, "MaskedOutput");
    }

    /// A step that does not count leaves state and output as they are.
    Result<std::vector<ValueId>> step(Cell const &cell)
    {
        TW_ASSIGN(auto next, counted(cell));
        if (!cell.mask.valid()) return next;
        if (m_ownOutput) next.push_back(next[0]);
        for (std::size_t i = 0; i < next.size(); ++i) next[i] = c.op("select", {cell.mask, next[i], cell.state[i]}, {}, "Mask");
        return next;
    }

    Result<std::vector<ValueId>> counted(Cell const &cell)
    {
        ValueId h = cell.state[0];
        ValueId const read = m_weights.stateMask.valid() ? c.op("mul", {h, m_weights.stateMask}, {}, "StateDropout") : h;
        if (m_layer.className == "GRU") return gru(cell, read);
        auto const z = c.op("add", {cell.projected, c.op("matmul", {read, m_weights.recurrent}, {}, "MatMul")}, {}, "Add");
        if (m_layer.className == "LSTM") return lstm(cell, z);
        TW_ASSIGN(h, activated("activation", z));
        return std::vector<ValueId>{h};
    }

    /// Gates in Keras's order: input, forget, cell, output.
    Result<std::vector<ValueId>> lstm(Cell const &cell, ValueId z)
    {
        auto const gates = gatesOf(z, 4);
        TW_ASSIGN(auto const in, activated("recurrent_activation", gates[0]));
        TW_ASSIGN(auto const forget, activated("recurrent_activation", gates[1]));
        TW_ASSIGN(auto const candidate, activated("activation", gates[2]));
        TW_ASSIGN(auto const out, activated("recurrent_activation", gates[3]));
        auto const kept = c.op("mul", {forget, cell.state[1]}, {}, "Forget");
        auto const next = c.op("add", {kept, c.op("mul", {in, candidate}, {}, "Write")}, {}, "Cell");
        TW_ASSIGN(auto const shown, activated("activation", next));
        return std::vector<ValueId>{c.op("mul", {out, shown}, {}, "Output"), next};
    }

    /// Gates in Keras's order: update, reset, new state.
    Result<std::vector<ValueId>> gru(Cell const &cell, ValueId read)
    {
        ValueId const h = cell.state[0];
        ValueId update, reset, candidate;
        auto const x = gatesOf(cell.projected, 3);
        if (m_weights.blocks.empty()) {
            auto r = c.op("matmul", {read, m_weights.recurrent}, {}, "MatMul");
            if (m_weights.recurrentBias.valid()) r = c.op("add", {r, m_weights.recurrentBias}, {}, "BiasAdd");
            auto const gates = gatesOf(r, 3);
            TW_ASSIGN(update, activated("recurrent_activation", c.op("add", {x[0], gates[0]}, {}, "Update")));
            TW_ASSIGN(reset, activated("recurrent_activation", c.op("add", {x[1], gates[1]}, {}, "Reset")));
            candidate = c.op("add", {x[2], c.op("mul", {reset, gates[2]}, {}, "ResetState")}, {}, "New");
        } else {
            auto const gates = gatesOf(c.op("matmul", {read, m_weights.blocks[0]}, {}, "MatMul"), 2);
            TW_ASSIGN(update, activated("recurrent_activation", c.op("add", {x[0], gates[0]}, {}, "Update")));
            TW_ASSIGN(reset, activated("recurrent_activation", c.op("add", {x[1], gates[1]}, {}, "Reset")));
            auto const product = c.op("matmul", {c.op("mul", {reset, read}, {}, "ResetState"), m_weights.blocks[1]}, {}, "New/MatMul");
            candidate = c.op("add", {x[2], product}, {}, "New");
        }
        TW_ASSIGN(auto const made, activated("activation", candidate));
        auto const kept = c.op("mul", {update, h}, {}, "Keep");
        auto const taken = c.op("sub", {made, c.op("mul", {update, made})}, {}, "Take");
        return std::vector<ValueId>{c.op("add", {kept, taken}, {}, "Output")};
    }

    BuildContext &c;
    model::ResolvedCall const &m_call;
    model::Layer const &m_layer;
    std::int64_t m_units, m_gates = 1, m_batch = 1, m_steps = 1;
    bool m_inOrder, m_zeroMasked;
    Weights m_weights;
    ValueId m_mask;           ///< [steps, batch, 1]; invalid: all steps count
    bool m_ownOutput = false; ///< the output is carried beside the state
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

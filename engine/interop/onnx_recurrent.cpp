// Rules for LSTM, GRU and RNN. ONNX has the steps first, [steps, batch, features]; the layers of Keras the batch.
#include "engine/interop/onnx_rules.h"

#include <algorithm>
#include <map>
#include <utility>

namespace tilewright::interop {

using model::Json;

namespace {

/// Gates of one layer in the order of Keras, as places in that of ONNX: i, o, f, c becomes i, f, c, o; z, r, h stays.
std::vector<std::int64_t> gatesOf(std::string const &op)
{
    if (op == "LSTM") return {0, 2, 3, 1};
    if (op == "GRU") return {0, 1, 2};
    return {0};
}

/// Direction `d` of [directions, gates × units, columns] as [columns, gates × units], gates in the order of Keras.
std::vector<float> kernelOf(OnnxTensor const &tensor, std::int64_t d, std::vector<std::int64_t> const &gates, std::int64_t units)
{
    auto const columns = tensor.shape[2], rows = tensor.shape[1];
    std::vector<float> kernel;
    for (std::int64_t c = 0; c < columns; ++c)
        for (auto const gate : gates)
            for (std::int64_t u = 0; u < units; ++u)
                kernel.push_back(tensor.floats[static_cast<std::size_t>((d * rows + gate * units + u) * columns + c)]);
    return kernel;
}

/// The two biases of ONNX: added, or one after the other as a GRU with reset_after has them.
std::vector<float> biasOf(OnnxTensor const &tensor, std::int64_t d, std::vector<std::int64_t> const &gates, std::int64_t units, bool apart)
{
    auto const half = std::ssize(gates) * units;
    std::vector<float> input, recurrent;
    for (auto const gate : gates)
        for (std::int64_t u = 0; u < units; ++u) {
            auto const at = static_cast<std::size_t>(d * 2 * half + gate * units + u);
            input.push_back(tensor.floats[at]);
            recurrent.push_back(tensor.floats[at + static_cast<std::size_t>(half)]);
        }
    if (apart) input.insert(input.end(), recurrent.begin(), recurrent.end());
    else
        for (std::size_t i = 0; i < input.size(); ++i) input[i] += recurrent[i];
    return input;
}

Result<std::string> activationOf(OnnxNode const &node, std::size_t place, std::string const &otherwise)
{
    auto const *list = node.find("activations");
    if (!list || place >= list->texts.size()) return otherwise;
    static std::map<std::string, std::string> const names{{"Sigmoid", "sigmoid"},   {"Tanh", "tanh"},
                                                          {"Relu", "relu"},         {"Softsign", "softsign"},
                                                          {"Softplus", "softplus"}, {"HardSigmoid", "hard_sigmoid"}};
    auto const found = names.find(list->texts[place]);
    if (found == names.end()) return onnxRefusal(Message::of("the activation %1 is none of Keras", list->texts[place]));
    return found->second;
}

/// One recurrent node on its way to a layer.
class Recurrence {
public:
    Recurrence(OnnxConversion &conversion, OnnxNode const &node) : m_conversion(conversion), m_node(node) {}

    Status convert()
    {
        TW_TRY(read());
        TW_TRY(configure());
        return m_directions == 1 ? single() : both();
    }

private:
    bool isRead(std::size_t output) const
    {
        return output < m_node.outputs.size() && !m_node.outputs[output].empty() && m_conversion.readers(m_node.outputs[output]) > 0;
    }

    Status read()
    {
        m_batchFirst = m_node.integer("layout", 0) != 0;
        auto const &x = m_conversion.operand(m_node, 0);
        if (x.constant || x.rank() != 3 || x.batchAxis() != (m_batchFirst ? 0U : 1U)) return mixedSamples();
        m_steps = m_batchFirst ? 1 : 0;
        TW_ASSIGN(m_x, m_conversion.arranged(x, {m_steps, 2}));
        TW_ASSIGN(m_w, m_conversion.constant(m_node, 1, "W"));
        TW_ASSIGN(m_r, m_conversion.constant(m_node, 2, "R"));
        m_hasBias = m_conversion.has(m_node, 3);
        if (m_hasBias) { TW_ASSIGN(m_b, m_conversion.constant(m_node, 3, "B")); }
        auto const gates = std::ssize(gatesOf(m_node.op));
        if (m_w.shape.size() != 3 || m_r.shape.size() != 3 || m_w.shape[1] % gates != 0)
            return onnxRefusal(Message::of("its weights have no three axes"));
        m_units = m_w.shape[1] / gates;
        m_directions = m_w.shape[0];
        bool const fits = m_r.shape == Shape{m_directions, gates * m_units, m_units} && m_w.shape[2] == m_x.shape[2] && m_directions <= 2
            && (!m_hasBias || m_b.shape == Shape{m_directions, 2 * gates * m_units}) && m_w.isFloat() && m_r.isFloat();
        if (!fits) return onnxRefusal(Message::of("its weights do not fit each other"));
        if (m_conversion.has(m_node, 4)) TW_TRY(requireFullLength());
        if (m_conversion.has(m_node, 7)) TW_TRY(requireNoPeepholes());
        if (m_node.has("clip")) return onnxRefusal(Message::of("it clips its cells"));
        if (m_node.integer("input_forget", 0) != 0) return onnxRefusal(Message::of("its input and forget gates are coupled"));
        return {};
    }

    Status requireFullLength()
    {
        auto const &lengths = m_conversion.operand(m_node, 4);
        auto const steps = m_x.shape[1];
        bool const full = lengths.constant && std::ranges::all_of(lengths.constant->integers, [&](auto length) { return length == steps; });
        if (!full) return onnxRefusal(Message::of("its sequences have different lengths"));
        return {};
    }

    Status requireNoPeepholes()
    {
        TW_ASSIGN(auto const peepholes, m_conversion.constant(m_node, 7, "P"));
        if (std::ranges::any_of(peepholes.floats, [](float weight) { return weight != 0; }))
            return onnxRefusal(Message::of("it has peepholes"));
        return {};
    }

    Status configure()
    {
        bool const isRnn = m_node.op == "RNN";
        m_apart = m_node.op == "GRU" && m_node.integer("linear_before_reset", 0) != 0;
        TW_ASSIGN(auto const gate, activationOf(m_node, 0, isRnn ? "tanh" : "sigmoid"));
        m_config = {{"units", m_units}, {"use_bias", m_hasBias}};
        if (isRnn) {
            m_config["activation"] = gate;
        } else {
            TW_ASSIGN(auto const state, activationOf(m_node, 1, "tanh"));
            m_config["recurrent_activation"] = gate;
            m_config["activation"] = state;
            if (m_node.op == "LSTM") {
                TW_ASSIGN(auto const last, activationOf(m_node, 2, "tanh"));
                if (last != state) return onnxRefusal(Message::of("its state and its output have different activations"));
            }
        }
        if (m_node.op == "GRU") m_config["reset_after"] = m_apart;
        m_config["return_sequences"] = isRead(0);
        return {};
    }

    std::string className() const { return m_node.op == "RNN" ? "SimpleRNN" : m_node.op; }

    std::vector<FileArray> arrays(std::int64_t d, std::string const &prefix) const
    {
        auto const gates = gatesOf(m_node.op);
        auto const columns = std::ssize(gates) * m_units;
        std::vector<FileArray> all{fileArray(prefix + "kernel", {m_w.shape[2], columns}, kernelOf(m_w, d, gates, m_units)),
                                   fileArray(prefix + "recurrent_kernel", {m_units, columns}, kernelOf(m_r, d, gates, m_units))};
        if (m_hasBias)
            all.push_back(
                fileArray(prefix + "bias", m_apart ? Shape{2, columns} : Shape{columns}, biasOf(m_b, d, gates, m_units, m_apart)));
        return all;
    }

    /// The initial states as inputs of the layer; none if they are zeros.
    Result<std::vector<OnnxOperand>> states()
    {
        std::vector<OnnxOperand> all;
        for (std::size_t input = 5; input < (m_node.op == "LSTM" ? 7U : 6U); ++input) {
            if (!m_conversion.has(m_node, input)) continue;
            auto const &state = m_conversion.operand(m_node, input);
            if (state.constant) {
                if (std::ranges::any_of(state.constant->floats, [](float value) { return value != 0; }))
                    return onnxRefusal(Message::of("its initial state is a constant other than 0"));
                continue;
            }
            if (state.rank() != 3 || !state.batchAxis()) return onnxRefusal(Message::of("its initial state has no batch"));
            TW_ASSIGN(auto const turned, m_conversion.arranged(state, {2}));
            all.push_back(turned);
        }
        if (m_node.op == "LSTM" && all.size() == 1) return onnxRefusal(Message::of("only a part of its initial state is given"));
        return all;
    }

    /// Axes of an output: [steps, directions, batch, units], or with the batch first.
    std::vector<int> sequenceAxes(int direction) const
    {
        if (m_batchFirst) return {0, 1, direction, direction > 0 ? 3 : 2};
        return {1, direction, 0, direction > 0 ? 3 : 2};
    }
    std::vector<int> stateAxes() const { return m_batchFirst ? std::vector<int>{0, -1, 1} : std::vector<int>{-1, 0, 1}; }

    Status single()
    {
        bool const backwards = m_node.text("direction", "forward") == "reverse";
        if (backwards && isRead(0)) return onnxRefusal(Message::of("it runs backwards, and all of its steps are used"));
        TW_ASSIGN(auto inputs, states());
        inputs.insert(inputs.begin(), m_x);
        bool const states = isRead(2) || (isRead(1) && isRead(0));
        m_config["go_backwards"] = backwards;
        m_config["return_state"] = states;
        TW_ASSIGN(auto const result, m_conversion.layer(className(), m_config, inputs, arrays(0, "")));
        if (isRead(0)) {
            auto sequence = result;
            sequence.axes = sequenceAxes(-1);
            m_conversion.set(m_node.outputs[0], std::move(sequence));
        }
        for (std::size_t output : {1U, 2U}) {
            if (!isRead(output)) continue;
            auto state = states ? m_conversion.furtherOutput(result, static_cast<int>(output), {-1, m_units}) : result;
            state.axes = stateAxes();
            m_conversion.set(m_node.outputs[output], std::move(state));
        }
        return {};
    }

    /// Both directions, whose results lie side by side.
    Status both()
    {
        TW_ASSIGN(auto const states, this->states());
        if (!states.empty()) return onnxRefusal(Message::of("both directions have initial states"));
        if (isRead(2) || (isRead(0) && isRead(1))) return onnxRefusal(Message::of("states of both directions are used"));
        auto all = arrays(0, "forward_");
        auto const backward = arrays(1, "backward_");
        all.insert(all.end(), backward.begin(), backward.end());
        auto inner = model::makeLayer(className(), "forward", m_config);
        model::normalizeLayer(inner);
        TW_ASSIGN(
            auto const joined,
            m_conversion.layer("Bidirectional", {{"layer", model::insideJson(inner)}, {"merge_mode", "concat"}}, {m_x}, std::move(all)));
        bool const sequence = isRead(0);
        Json const target = sequence ? Json{m_x.shape[1], 2, m_units} : Json{2, m_units};
        TW_ASSIGN(auto result, m_conversion.layer("Reshape", {{"target_shape", target}}, {joined}));
        if (sequence) result.axes = sequenceAxes(2);
        else result.axes = m_batchFirst ? std::vector<int>{0, 1, 2} : std::vector<int>{1, 0, 2};
        m_conversion.set(m_node.outputs[sequence ? 0 : 1], std::move(result));
        return {};
    }

    OnnxConversion &m_conversion;
    OnnxNode const &m_node;
    bool m_batchFirst = false, m_hasBias = false, m_apart = false;
    std::size_t m_steps = 0;
    OnnxOperand m_x;
    OnnxTensor m_w, m_r, m_b;
    std::int64_t m_units = 0, m_directions = 1;
    Json m_config;
};

Status recurrent(OnnxConversion &conversion, OnnxNode const &node) { return Recurrence(conversion, node).convert(); }

} // namespace

std::span<OnnxRule const> recurrentRules()
{
    static std::vector<OnnxRule> const all{{"LSTM", recurrent}, {"GRU", recurrent}, {"RNN", recurrent}};
    return all;
}

} // namespace tilewright::interop

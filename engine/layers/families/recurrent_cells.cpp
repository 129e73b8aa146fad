// The cells of recurrent layers.
#include "engine/graph/conv.h"
#include "engine/layers/recurrent_cell.h"
#include "engine/model/layers/recurrent_rules.h"
#include "engine/model/layers/window_rules.h"

#include <algorithm>
#include <array>

namespace tilewright::layers {

using namespace graph;

namespace {

/// Parts of all cells of one layer.
class GatedCell : public RecurrentCell {
public:
    explicit GatedCell(CellPlace place)
        : c(place.context), m_call(place.call), m_layer(std::move(place.layer)), m_firstWeight(place.firstWeight)
    {
    }

protected:
    ValueId weight(std::size_t index) { return c.weight(m_call, m_firstWeight + index); }

    /// One tensor for each gate.
    std::vector<ValueId> gatesOf(ValueId value, std::int64_t gates)
    {
        auto const axis = static_cast<std::int64_t>(c.value(value).shape.size()) - 1;
        return addInferred(c.b, c.ops, "split", {value}, {{"axis", axis}, {"parts", gates}}, "Gates" + c.suffix);
    }

    Result<ValueId> activated(char const *argument, ValueId value)
    {
        return applyActivation(c, m_call, model::activationArgument(m_layer, argument), value);
    }

    /// Of the sums of an LSTM's gates, in Keras's order: input, forget, cell, output.
    Result<std::vector<ValueId>> lstm(ValueId sums, ValueId cellState)
    {
        auto const gates = gatesOf(sums, 4);
        TW_ASSIGN(auto const in, activated("recurrent_activation", gates[0]));
        TW_ASSIGN(auto const forget, activated("recurrent_activation", gates[1]));
        TW_ASSIGN(auto const candidate, activated("activation", gates[2]));
        TW_ASSIGN(auto const out, activated("recurrent_activation", gates[3]));
        auto const kept = c.op("mul", {forget, cellState}, {}, "Forget");
        auto const next = c.op("add", {kept, c.op("mul", {in, candidate}, {}, "Write")}, {}, "Cell");
        TW_ASSIGN(auto const shown, activated("activation", next));
        return std::vector<ValueId>{c.op("mul", {out, shown}, {}, "Output"), next};
    }

    BuildContext &c;
    model::ResolvedCall const &m_call;
    model::Layer const m_layer;
    std::size_t m_firstWeight;
};

/// Parts of cells whose input and state are multiplied by kernels: [features, gates units] and [units, gates units].
class DenseCell : public GatedCell {
public:
    DenseCell(CellPlace place, std::int64_t gates) : GatedCell(std::move(place)), m_gates(gates), m_units(m_layer.integer("units")) {}

    void prepare(Shape const &input) override
    {
        m_batch = input[0];
        m_features = input[1];
        m_kernel = weight(0);
        m_recurrent = weight(1);
        if (m_layer.flag("use_bias")) readBias(weight(2));
        readBlocks();
        m_stateMask = dropoutMask("recurrent_dropout", {m_batch, m_units});
    }

    ValueId project(ValueId x) override
    {
        auto const steps = c.value(x).shape[0];
        if (!m_masksDrawn) drawMasks();
        // One mask for all steps: a row beside the steps as rows.
        if (m_inputMask.valid()) x = c.op("mul", {c.reshape(x, {steps, m_batch * m_features}), m_inputMask}, {}, "InputDropout");
        x = c.op("matmul", {c.reshape(x, {steps * m_batch, m_features}), m_kernel}, {}, "Input/MatMul");
        if (m_inputBias.valid()) x = c.op("add", {x, m_inputBias}, {}, "Input/BiasAdd");
        return c.reshape(x, {steps, m_batch, m_gates * m_units}, "Input/Steps");
    }

    void drawMasks() override
    {
        m_inputMask = dropoutMask("dropout", {m_batch * m_features});
        m_masksDrawn = true;
    }

    std::vector<CellState> states() const override { return {{"state_h", {m_batch, m_units}}}; }

    Result<std::vector<ValueId>> step(ValueId projected, std::span<ValueId const> state) override
    {
        ValueId const h = state[0];
        return counted(projected, state, m_stateMask.valid() ? c.op("mul", {h, m_stateMask}, {}, "StateDropout") : h);
    }

protected:
    /// `read`: the output of the step before, with its dropout.
    virtual Result<std::vector<ValueId>> counted(ValueId projected, std::span<ValueId const> state, ValueId read) = 0;
    virtual void readBias(ValueId bias) { m_inputBias = bias; }
    /// The recurrent kernel, where a cell uses its parts apart.
    virtual void readBlocks() {}

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

    /// The projected input and the product of the state.
    ValueId gateSums(ValueId projected, ValueId read)
    {
        return c.op("add", {projected, c.op("matmul", {read, m_recurrent}, {}, "MatMul")}, {}, "Add");
    }

    std::int64_t m_gates, m_units, m_batch = 1, m_features = 1;
    ValueId m_kernel, m_recurrent, m_inputBias; ///< the bias may be invalid
    ValueId m_stateMask, m_inputMask;           ///< of dropout; invalid: none
    bool m_masksDrawn = false;
};

class SimpleCell final : public DenseCell {
public:
    explicit SimpleCell(CellPlace place) : DenseCell(std::move(place), 1) {}

private:
    Result<std::vector<ValueId>> counted(ValueId projected, std::span<ValueId const>, ValueId read) override
    {
        TW_ASSIGN(auto const h, activated("activation", gateSums(projected, read)));
        return std::vector<ValueId>{h};
    }
};

class LstmCell final : public DenseCell {
public:
    explicit LstmCell(CellPlace place) : DenseCell(std::move(place), 4) {}

    std::vector<CellState> states() const override { return {{"state_h", {m_batch, m_units}}, {"state_c", {m_batch, m_units}}}; }

private:
    Result<std::vector<ValueId>> counted(ValueId projected, std::span<ValueId const> state, ValueId read) override
    {
        return lstm(gateSums(projected, read), state[1]);
    }
};

class GruCell final : public DenseCell {
public:
    explicit GruCell(CellPlace place) : DenseCell(std::move(place), 3), m_resetAfter(m_layer.flag("reset_after")) {}

private:
    /// Two rows with reset_after: of the input and of the state.
    void readBias(ValueId bias) override
    {
        auto const row = [&](std::int64_t index) {
            return c.reshape(c.op("slice", {bias}, {{"axis", std::int64_t{0}}, {"start", index}, {"size", std::int64_t{1}}}, "Bias"),
                             {m_gates * m_units}, "Bias/Row");
        };
        m_inputBias = m_resetAfter ? row(0) : bias;
        if (m_resetAfter) m_recurrentBias = row(1);
    }
    void readBlocks() override
    {
        if (!m_resetAfter) m_blocks = {columns(m_recurrent, 0, 2), columns(m_recurrent, 2, 1)};
    }
    ValueId columns(ValueId value, std::int64_t block, std::int64_t count)
    {
        return c.op("slice", {value}, {{"axis", std::int64_t{1}}, {"start", block * m_units}, {"size", count * m_units}}, "Gate");
    }

    /// Gates in Keras's order: update, reset, new state.
    Result<std::vector<ValueId>> counted(ValueId projected, std::span<ValueId const> state, ValueId read) override
    {
        ValueId const h = state[0];
        ValueId update, reset, candidate;
        auto const x = gatesOf(projected, 3);
        if (m_resetAfter) {
            auto r = c.op("matmul", {read, m_recurrent}, {}, "MatMul");
            if (m_recurrentBias.valid()) r = c.op("add", {r, m_recurrentBias}, {}, "BiasAdd");
            auto const gates = gatesOf(r, 3);
            TW_ASSIGN(update, activated("recurrent_activation", c.op("add", {x[0], gates[0]}, {}, "Update")));
            TW_ASSIGN(reset, activated("recurrent_activation", c.op("add", {x[1], gates[1]}, {}, "Reset")));
            candidate = c.op("add", {x[2], c.op("mul", {reset, gates[2]}, {}, "ResetState")}, {}, "New");
        } else {
            auto const gates = gatesOf(c.op("matmul", {read, m_blocks[0]}, {}, "MatMul"), 2);
            TW_ASSIGN(update, activated("recurrent_activation", c.op("add", {x[0], gates[0]}, {}, "Update")));
            TW_ASSIGN(reset, activated("recurrent_activation", c.op("add", {x[1], gates[1]}, {}, "Reset")));
            auto const product = c.op("matmul", {c.op("mul", {reset, read}, {}, "ResetState"), m_blocks[1]}, {}, "New/MatMul");
            candidate = c.op("add", {x[2], product}, {}, "New");
        }
        TW_ASSIGN(auto const made, activated("activation", candidate));
        auto const kept = c.op("mul", {update, h}, {}, "Keep");
        auto const taken = c.op("sub", {made, c.op("mul", {update, made})}, {}, "Take");
        return std::vector<ValueId>{c.op("add", {kept, taken}, {}, "Output")};
    }

    bool m_resetAfter;
    ValueId m_recurrentBias;       ///< may be invalid
    std::vector<ValueId> m_blocks; ///< of the recurrent kernel: update and reset, and the new state
};

/// An LSTM whose products are convolutions: of the input by the layer's windows, of the state with stride 1 and as much padding as keeps
/// its extents.
class ConvLstmCell final : public GatedCell {
public:
    explicit ConvLstmCell(CellPlace place) : GatedCell(std::move(place)) {}

    void prepare(Shape const &input) override
    {
        auto const window = model::windowLayer(m_layer, "kernel_size");
        m_shape = input;
        for (std::size_t i = 0; i < window.windows.size(); ++i) {
            auto const &w = window.windows[i];
            auto const extent = model::windowExtent(input[i + 1], w, window.padding);
            append(m_inputConv, w, extent);
            m_shape[i + 1] = extent.outputs;
            model::Window const kept{w.kernel, 1, 1};
            append(m_stateConv, kept, model::windowExtent(extent.outputs, kept, "same"));
        }
        m_shape.back() = m_layer.integer("filters");
        m_kernel = weight(0);
        m_recurrent = weight(1);
        if (m_layer.flag("use_bias")) m_bias = weight(2);
    }

    ValueId project(ValueId x) override
    {
        Shape shape = c.value(x).shape; // [steps, batch, axes…, channels]
        auto const steps = shape[0];
        shape[1] *= steps;
        shape.erase(shape.begin());
        x = c.op("conv", {c.reshape(x, std::move(shape)), m_kernel}, toAttrs(m_inputConv), "Input/Conv");
        if (m_bias.valid()) x = c.op("add", {x, m_bias}, {}, "Input/BiasAdd");
        Shape result = m_shape;
        result.back() *= 4;
        result.insert(result.begin(), steps);
        return c.reshape(x, std::move(result), "Input/Steps");
    }

    std::vector<CellState> states() const override { return {{"state_h", m_shape}, {"state_c", m_shape}}; }

    Result<std::vector<ValueId>> step(ValueId projected, std::span<ValueId const> state) override
    {
        auto const product = c.op("conv", {state[0], m_recurrent}, toAttrs(m_stateConv), "Conv");
        return lstm(c.op("add", {projected, product}, {}, "Add"), state[1]);
    }

private:
    static void append(ConvAttrs &attrs, model::Window const &window, model::WindowExtent const &extent)
    {
        attrs.strides.push_back(window.stride);
        attrs.dilations.push_back(window.dilation);
        attrs.before.push_back(extent.before);
        attrs.after.push_back(extent.after);
    }

    ConvAttrs m_inputConv, m_stateConv;
    Shape m_shape; ///< of a state, with the batch
    ValueId m_kernel, m_recurrent, m_bias;
};

/// Cells one after the other in each step: the output of each is the input of the next.
class StackedCells final : public RecurrentCell {
public:
    StackedCells(CellPlace place) : c(place.context)
    {
        for (auto const &layer : model::cellsOf(place.layer)) {
            auto const *builder = findRecurrentCell(layer.className);
            TW_CHECK(builder, "no cell " + layer.className);
            auto const weights = model::weightsOf(layer);
            m_cells.push_back(builder->make({c, place.call, layer, place.firstWeight}));
            place.firstWeight += weights;
        }
    }

    void prepare(Shape const &input) override
    {
        Shape shape = input;
        for (std::size_t i = 0; i < m_cells.size(); ++i) {
            Numbered const numbered(*this, i);
            m_cells[i]->prepare(shape);
            if (i > 0) m_cells[i]->drawMasks(); // here, because inside the loop each step would have its own
            shape = m_cells[i]->states()[m_cells[i]->output()].shape;
        }
    }

    ValueId project(ValueId steps) override
    {
        Numbered const numbered(*this, 0);
        return m_cells[0]->project(steps);
    }

    void drawMasks() override
    {
        Numbered const numbered(*this, 0);
        m_cells[0]->drawMasks(); // those of the others are drawn already
    }

    std::vector<CellState> states() const override
    {
        std::vector<CellState> all;
        for (std::size_t i = 0; i < m_cells.size(); ++i)
            for (auto state : m_cells[i]->states()) {
                if (m_cells.size() > 1) state.label = "cell" + std::to_string(i) + "/" + state.label;
                all.push_back(std::move(state));
            }
        return all;
    }

    Result<std::vector<ValueId>> step(ValueId projected, std::span<ValueId const> state) override
    {
        std::vector<ValueId> all;
        for (std::size_t i = 0; i < m_cells.size(); ++i) {
            Numbered const numbered(*this, i);
            auto &cell = *m_cells[i];
            if (i > 0) {
                auto const &before = *m_cells[i - 1];
                auto const input = all[all.size() - before.states().size() + before.output()];
                Shape shape = c.value(input).shape;
                shape.insert(shape.begin(), 1);
                auto const own = cell.project(c.reshape(input, std::move(shape), "Input"));
                Shape one = c.value(own).shape;
                one.erase(one.begin());
                projected = c.reshape(own, std::move(one), "Input/Step");
            }
            auto const count = cell.states().size();
            TW_ASSIGN(auto const next, cell.step(projected, state.subspan(all.size(), count)));
            all.insert(all.end(), next.begin(), next.end());
        }
        return all;
    }

    std::size_t output() const override
    {
        std::size_t first = 0;
        for (std::size_t i = 0; i + 1 < m_cells.size(); ++i) first += m_cells[i]->states().size();
        return first + m_cells.back()->output();
    }

private:
    /// Names of the nodes of cell `i` while it lives.
    class Numbered {
    public:
        Numbered(StackedCells &cells, std::size_t i) : c(cells.c), m_suffix(c.suffix)
        {
            if (cells.m_cells.size() > 1) c.suffix = "_cell" + std::to_string(i) + c.suffix;
        }
        ~Numbered() { c.suffix = m_suffix; }
        Numbered(Numbered const &) = delete;
        Numbered &operator=(Numbered const &) = delete;

    private:
        BuildContext &c;
        std::string m_suffix;
    };

    BuildContext &c;
    std::vector<std::unique_ptr<RecurrentCell>> m_cells;
};

template <typename Cell> std::unique_ptr<RecurrentCell> makeCell(CellPlace place) { return std::make_unique<Cell>(std::move(place)); }

constexpr std::array kCells{
    RecurrentCellBuilder{"SimpleRNN", "SimpleRNNCell", makeCell<SimpleCell>},
    RecurrentCellBuilder{"LSTM", "LSTMCell", makeCell<LstmCell>},
    RecurrentCellBuilder{"GRU", "GRUCell", makeCell<GruCell>},
    RecurrentCellBuilder{"ConvLSTM1D", "", makeCell<ConvLstmCell>},
    RecurrentCellBuilder{"ConvLSTM2D", "", makeCell<ConvLstmCell>},
    RecurrentCellBuilder{"ConvLSTM3D", "", makeCell<ConvLstmCell>},
    RecurrentCellBuilder{"RNN", "StackedRNNCells", makeCell<StackedCells>},
};

} // namespace

std::span<RecurrentCellBuilder const> recurrentCellBuilders() { return kCells; }

RecurrentCellBuilder const *findRecurrentCell(std::string_view className)
{
    auto const it = std::ranges::find_if(
        kCells, [&](RecurrentCellBuilder const &cell) { return cell.layerClass == className || cell.cellClass == className; });
    return it == kCells.end() ? nullptr : &*it;
}

} // namespace tilewright::layers

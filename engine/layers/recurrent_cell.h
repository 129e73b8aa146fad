#pragma once

#include "engine/layers/layer_builder.h"

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tilewright::layers {

/// A state that a cell carries from step to step.
struct CellState {
    std::string label; ///< "state_h"
    Shape shape;       ///< with the batch
};

/// A recurrent cell while its layer is built. families/recurrent.cpp is the loop around it.
class RecurrentCell {
public:
    virtual ~RecurrentCell() = default;
    /// Reads the weights and makes what all steps share. Called once, before the loop. `input`: shape of one step with the batch.
    virtual void prepare(Shape const &input) = 0;
    /// What the cell computes of its input alone, for several steps at once: [steps, batch, …] in both.
    virtual graph::ValueId project(graph::ValueId steps) = 0;
    /// Draws the masks of the input's dropout, which project() does otherwise: in a loop, each step would have its own.
    virtual void drawMasks() {}
    virtual std::vector<CellState> states() const = 0;
    /// The state after a step. `projected`: of this step, [batch, …].
    virtual Result<std::vector<graph::ValueId>> step(graph::ValueId projected, std::span<graph::ValueId const> state) = 0;
    /// The state that is the output.
    virtual std::size_t output() const { return 0; }
};

/// Arguments of a cell's constructor.
struct CellPlace {
    BuildContext &context;
    model::ResolvedCall const &call;
    model::Layer layer;          ///< with the cell's arguments
    std::size_t firstWeight = 0; ///< of the call's weights
};

/// All cells; one line per class in families/recurrent_cells.cpp.
struct RecurrentCellBuilder {
    std::string_view layerClass; ///< the layer that is the cell in a loop: "LSTM"
    std::string_view cellClass;  ///< "LSTMCell"; empty: only as a layer
    std::unique_ptr<RecurrentCell> (*make)(CellPlace place);
};
std::span<RecurrentCellBuilder const> recurrentCellBuilders();
/// Null: no cell of this class.
RecurrentCellBuilder const *findRecurrentCell(std::string_view className);

} // namespace tilewright::layers

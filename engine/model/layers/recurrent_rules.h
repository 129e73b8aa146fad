#pragma once

#include "engine/model/layer_spec.h"

namespace tilewright::model {

/// A recurrent cell with a kernel [features, gates units] and a recurrent kernel [units, gates units]. It describes the cell's own class
/// (for RNN) and the layer that is the cell in a loop. Cells differ in the number of gates and a few arguments.
struct CellKind {
    std::string cellClass;  ///< "LSTMCell"
    std::string layerClass; ///< "LSTM"
    std::string help;
    std::int64_t gates = 1;                ///< column blocks of the kernels
    int states = 1;                        ///< states carried from step to step; the initial states are the first further inputs
    std::vector<ParamInfo> ownParams = {}; ///< after the common ones
    /// The bias. Default: [gates units] from bias_initializer.
    std::function<Result<WeightSpec>(Layer const &)> bias = {};
};
LayerSpec recurrentLayer(CellKind kind);
LayerSpec cellClass(CellKind kind);

CellKind lstmKind();
CellKind gruKind();
CellKind simpleRnnKind();

/// ConvLSTM over `spatial` axes: 1 to 3.
LayerSpec convLstm(int spatial);

/// Classes that stand inside an RNN, not in a model. findLayerSpec finds them; builtinLayers does not list them.
std::vector<LayerSpec> const &recurrentCells();
bool isRecurrentCell(std::string_view className);
LayerSpec stackedCells();

/// Arguments of the loop around a cell: return_sequences, return_state, go_backwards, stateful, unroll, time_major.
std::vector<ParamInfo> loopParams();
Status checkLoop(Layer const &layer);

/// The cells of an RNN from the input to the output: those of its StackedRNNCells, or its one cell. Of a layer that was not checked, those
/// that have the form of a layer.
std::vector<Layer> cellsOf(Layer const &rnn);
/// Number of states of a cell's class.
int statesOf(Layer const &cell);
/// Number of weights of a cell. Requires: checked.
std::size_t weightsOf(Layer const &cell);

ParamInfo recurrentActivationParam();
ParamInfo implementationParam();

} // namespace tilewright::model

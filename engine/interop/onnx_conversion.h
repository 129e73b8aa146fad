#pragma once

#include "engine/core/result.h"
#include "engine/interop/keras_weights.h"
#include "engine/interop/onnx_graph.h"
#include "engine/model/model.h"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace tilewright::interop {

/// The extent that stands for the batch while a graph is converted: a prime that no model has, so that products with it can be taken apart.
inline constexpr std::int64_t kBatchExtent = 999'983;

/// A tensor of the graph: a constant, or an output of a layer. The layer's output has the batch as axis 0; its other axes may be in another
/// order than those of ONNX. So a Transpose costs nothing, and Keras's channels_last survives the way through ONNX.
struct OnnxOperand {
    std::optional<OnnxTensor> constant;
    bool isUniform = false; ///< a constant of one number in every element, which is stored once
    bool isTrained = false; ///< a constant from the initializers: a parameter
    model::TensorRef ref;
    Shape shape;           ///< of the layer's output; -1: the batch
    std::vector<int> axes; ///< by axis of ONNX: the axis of `shape`; -1: an axis of one element that the output lacks
    OnnxType type = OnnxType::Float;

    std::size_t rank() const { return constant ? constant->shape.size() : axes.size(); }
    /// The axis of ONNX that is the batch; none: the constant's or, where a sample is the whole tensor, that of no axis.
    std::optional<std::size_t> batchAxis() const;
    /// The shape as ONNX has it, with kBatchExtent for the batch.
    Shape extents() const;
    /// The axes of ONNX that the output has, in its order, without the batch.
    std::vector<std::size_t> order() const;
};

/// The reason why a node cannot become layers.
Diagnostic onnxRefusal(Message reason);
/// The same, code kMixedSamples: the node computes with several samples of a batch, or differs between them.
Diagnostic mixedSamples();
inline constexpr char kMixedSamples[] = "import.onnx-batch";

/// A model under construction from a graph. Rules (onnx_rules.h) take operands and append layers.
class OnnxConversion {
public:
    /// `batchAxis`: of each input of the graph; none: an input is one sample.
    OnnxConversion(OnnxGraph const &graph, std::optional<std::size_t> batchAxis);

    OnnxGraph const &graph() const { return m_graph; }
    std::int64_t opset() const { return m_graph.opset; }

    // Operands

    bool has(OnnxNode const &node, std::size_t input) const { return input < node.inputs.size() && !node.inputs[input].empty(); }
    /// Requires: the node has the input, and all its inputs are known.
    OnnxOperand const &operand(OnnxNode const &node, std::size_t input) const { return m_operands.at(node.inputs[input]); }
    OnnxOperand const *find(std::string const &name) const;
    void set(std::string const &name, OnnxOperand operand) { m_operands.insert_or_assign(name, std::move(operand)); }
    /// The whole numbers of a constant input. Error: it is computed.
    Result<std::vector<std::int64_t>> integers(OnnxNode const &node, std::size_t input) const;
    /// The constant. Error: it is computed; `what` names it.
    Result<OnnxTensor> constant(OnnxNode const &node, std::size_t input, char const *what) const;
    /// The numbers of an attribute up to some opset, of input `input` after it; empty: neither is given.
    Result<std::vector<std::int64_t>> listed(OnnxNode const &node, char const *attribute, std::size_t input) const;
    /// How many nodes and outputs read the tensor.
    int readers(std::string const &name) const;

    // Layouts

    /// The operand with its axes, without the batch, in this order of ONNX's axes.
    Result<OnnxOperand> arranged(OnnxOperand const &operand, std::vector<std::size_t> const &order);
    /// In ONNX's order, with the batch moved to the front.
    Result<OnnxOperand> plain(OnnxOperand const &operand);
    /// The elements in ONNX's order under another shape, which has kBatchExtent for the batch.
    Result<OnnxOperand> reshaped(OnnxOperand const &operand, Shape const &extents);
    /// A constant as it lies beside an operand with this order of axes and rank: transposed, without axes in front that are 1. Error: it
    /// differs from sample to sample.
    Result<OnnxTensor> besideOperand(OnnxTensor const &constant, OnnxOperand const &operand, std::vector<std::size_t> const &order,
                                     std::size_t rank) const;
    /// Where an axis lies in the layer's output. Error: it is the batch.
    Result<std::int64_t> layerAxis(OnnxOperand const &operand, std::int64_t axis) const;

    // Layers

    /// Appends a layer. `arrays`: its weights by name. The result has the layer's output shape, no axes and the type of the first input.
    Result<OnnxOperand> layer(std::string className, model::Json config, std::vector<OnnxOperand> const &inputs,
                              std::vector<FileArray> arrays = {});
    /// A constant as the output of a layer. `batch`: its axis that is the batch of other operands. Error: it differs from sample to sample.
    Result<OnnxOperand> asComputed(OnnxOperand const &constant, std::optional<std::size_t> batch = {});
    /// Output `tensor` of the layer that made the operand.
    OnnxOperand furtherOutput(OnnxOperand const &first, int tensor, Shape shape) const;
    /// The same layer output under the axes of another operand of equal shape.
    static OnnxOperand like(OnnxOperand result, OnnxOperand const &operand);
    model::Layer *layerNamed(std::string const &name) { return m_model.find(name); }
    /// Adds or replaces an array of a layer.
    void setArray(std::string const &layer, FileArray array);

    /// An input of the graph. Error "import.open-shape".
    Status addInput(OnnxValue const &value, std::vector<std::int64_t> const &sizes, std::string const &file);
    Status finish(std::string const &file, std::vector<Diagnostic> &warnings);

    model::Model takeModel() { return std::move(m_model); }
    std::vector<LayerArrays> takeArrays();

    /// The node whose layers are appended: its name makes theirs.
    void begin(OnnxNode const &node) { m_node = &node; }
    /// The part of the current node's name that it shares with the nodes of one layer of its exporter; "": none.
    static std::string scopeOf(OnnxNode const &node);

private:
    std::string nameFor(std::string const &className);
    Result<OnnxOperand> permuted(OnnxOperand const &operand, std::vector<std::size_t> const &order);

    OnnxGraph const &m_graph;
    std::optional<std::size_t> m_batchAxis;
    model::Model m_model;
    std::map<std::string, LayerArrays> m_arrays;
    std::map<std::string, OnnxOperand> m_operands;
    std::map<std::string, int> m_readers;
    std::optional<OnnxOperand> m_anchor; ///< the first input: it gives the layers of constants their batch
    OnnxNode const *m_node = nullptr;
};

/// An array of a layer from a tensor.
FileArray fileArray(std::string name, Shape shape, std::vector<float> const &values);
/// The tensor with its axes in this order.
OnnxTensor transposedTensor(OnnxTensor const &tensor, std::vector<std::size_t> const &order);
/// The numbers as float32.
std::vector<float> floatsOf(OnnxTensor const &tensor);

} // namespace tilewright::interop

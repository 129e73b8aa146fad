#pragma once

#include "engine/core/result.h"
#include "engine/interop/onnx_graph.h"
#include "engine/model/activations.h"
#include "engine/model/resolve.h"

#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tilewright::interop {

/// A weight of a layer as float32.
struct WeightValues {
    model::ResolvedWeight const *weight = nullptr;
    std::vector<float> values;
};

/// A graph under construction from the calls of a model. Writers (writersOf) append the nodes of one layer.
class OnnxWriter {
public:
    explicit OnnxWriter(OnnxGraph &graph) : m_graph(graph) {}

    // The call at hand.
    model::Layer const *layer = nullptr;
    model::ResolvedCall const *call = nullptr;
    std::vector<Shape> shapes;       ///< of the inputs, batch first
    std::vector<std::string> inputs; ///< their tensors
    std::vector<WeightValues> const *weights = nullptr;

    /// Begins the nodes of a call: names get this scope.
    void begin(std::string scope) { m_scope = std::move(scope); }

    /// Appends a node with one output, and returns the output's name.
    std::string node(std::string const &op, std::vector<std::string> from) { return node({op, "", "", std::move(from), {}, {}}); }
    std::string node(OnnxNode node, std::size_t outputs = 1);
    /// Output `output` of the last node with several.
    std::string const &output(std::size_t output) const { return m_graph.nodes.back().outputs[output]; }

    /// A parameter, named LAYER/NAME, once for all calls of a layer.
    std::string weight(std::string const &name, Shape shape, std::vector<float> values);
    /// Weight `index` of the layer as it is.
    std::string weight(std::size_t index);
    WeightValues const &values(std::size_t index) const { return (*weights)[index]; }
    /// Constants that are no parameters: nodes of operator Constant.
    std::string constant(std::vector<float> values, Shape shape);
    std::string number(double value) { return constant({static_cast<float>(value)}, {}); }
    std::string integers(std::vector<std::int64_t> values);

    std::string transposed(std::string const &x, std::vector<std::int64_t> const &perm);
    /// [batch, …, channels] with the channels as axis 1, and back.
    std::string channelsFirst(std::string const &x, std::size_t rank);
    std::string channelsLast(std::string const &x, std::size_t rank);
    /// The shape with 0 for the batch, which Reshape keeps.
    std::string reshaped(std::string const &x, Shape const &shape);
    /// Error: the activation has no operators.
    Result<std::string> activated(std::string const &x, model::Activation const &activation, std::size_t rank);

private:
    std::string fresh(std::string const &leaf);

    OnnxGraph &m_graph;
    std::string m_scope;
    std::set<std::string> m_names;
};

/// Writes the nodes of one class's calls; the names of its outputs.
struct LayerWriter {
    std::string_view className;
    Result<std::vector<std::string>> (*write)(OnnxWriter &writer);
};
std::span<LayerWriter const> elementWriters();
std::span<LayerWriter const> shapeWriters();
std::span<LayerWriter const> windowWriters();
std::span<LayerWriter const> stateWriters();

/// Why a layer cannot be written.
Diagnostic unwritable(Message reason);

} // namespace tilewright::interop

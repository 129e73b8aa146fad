#include "engine/interop/onnx_export.h"

#include "engine/core/text.h"
#include "engine/interop/export_values.h"
#include "engine/interop/onnx_file.h"
#include "engine/interop/onnx_writer.h"
#include "engine/model/resolve.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace tilewright::interop {

namespace {

constexpr std::int64_t kWrittenOpset = 17;

LayerWriter const *findWriter(std::string_view className)
{
    for (auto const writers : {elementWriters(), shapeWriters(), windowWriters(), stateWriters()})
        if (auto const found = std::ranges::find(writers, className, &LayerWriter::className); found != writers.end()) return &*found;
    return nullptr;
}

OnnxValue valueOf(std::string name, Shape const &shape, DType dtype)
{
    OnnxValue value{std::move(name), isFloating(dtype) ? OnnxType::Float : OnnxType::Int32, true, {}};
    for (auto const extent : shape) value.extents.push_back(extent < 0 ? OnnxExtent{-1, "batch"} : OnnxExtent{extent, ""});
    return value;
}

Result<std::vector<std::vector<WeightValues>>> valuesByLayer(model::ResolvedModel const &model, runtime::TrainingState const &state)
{
    std::vector<std::vector<WeightValues>> all;
    for (std::size_t l = 0; l < model.layers.size(); ++l) {
        auto &layer = all.emplace_back();
        for (std::size_t w = 0; w < model.layers[l].weights.size(); ++w) {
            auto const &weight = model.layers[l].weights[w];
            TW_ASSIGN(auto const bytes, weightBytes(state, model::weightPath(model, {l, w}), weight.shape));
            auto &values = layer.emplace_back(WeightValues{&weight, std::vector<float>(bytes.size() / sizeof(float))}).values;
            if (!bytes.empty()) std::memcpy(values.data(), bytes.data(), bytes.size());
        }
    }
    return all;
}

/// The tensors of all calls, and what could not be written.
class Export {
public:
    Export(model::ResolvedModel const &model, std::vector<std::vector<WeightValues>> const &weights, OnnxGraph &graph)
        : m_model(model), m_weights(weights), m_graph(graph), m_writer(graph), m_tensors(model.calls.size())
    {
    }

    Status write()
    {
        for (std::size_t i = 0; i < m_model.calls.size(); ++i) {
            if (auto const done = writeCall(i); !done.ok()) {
                auto const &layer = m_model.layerOf(i).layer;
                auto const one = Message::of("%1 (%2): %3", layer.name, layer.className, done.error().message);
                m_refused = m_count++ == 0 ? one : Message::of("%1; %2", m_refused, one);
            }
        }
        if (m_count > 0)
            return makeError(ErrorKind::Invalid, "export.onnx-layers", m_model.name,
                             Message::of("ONNX cannot express %1 of its layers: %2.", m_count, m_refused),
                             Message::of("Export the model to h5 or keras-json, or replace these layers."));
        for (std::size_t i = 0; i < m_model.outputs.size(); ++i) {
            auto const call = m_model.outputs[i];
            auto const name = model::outputName(m_model, i);
            m_graph.nodes.push_back({"Identity", "", name + "/output", {m_tensors[call]}, {name}, {}});
            m_graph.outputs.push_back(valueOf(name, m_model.calls[call].shape, DType::F32));
        }
        return {};
    }

private:
    Status writeCall(std::size_t index)
    {
        auto const &call = m_model.calls[index];
        auto const &layer = m_model.layers[call.layer];
        if (layer.layer.className == "InputLayer") {
            m_tensors[index] = layer.layer.name;
            m_graph.inputs.push_back(valueOf(layer.layer.name, call.shape, call.dtype));
            return {};
        }
        if (call.tensor > 0) return unwritable(Message::of("its further outputs are used"));
        m_writer.layer = &layer.layer;
        m_writer.call = &call;
        m_writer.weights = &m_weights[call.layer];
        m_writer.shapes.clear();
        m_writer.inputs.clear();
        bool isMissing = false;
        for (auto const input : call.inputs) {
            m_writer.shapes.push_back(m_model.calls[input].shape);
            m_writer.inputs.push_back(m_tensors[input]);
            isMissing = isMissing || m_tensors[input].empty();
        }
        if (isMissing) { // its input was refused: not again
            return findWriter(layer.layer.className) ? Status() : unwritable(Message::of("no operators are known for it"));
        }
        auto const *writer = findWriter(layer.layer.className);
        if (!writer) return unwritable(Message::of("no operators are known for it"));
        m_writer.begin(call.node == 0 ? layer.layer.name : layer.layer.name + "_" + std::to_string(call.node));
        TW_ASSIGN(auto const outputs, writer->write(m_writer));
        m_tensors[index] = outputs.front();
        return {};
    }

    model::ResolvedModel const &m_model;
    std::vector<std::vector<WeightValues>> const &m_weights;
    OnnxGraph &m_graph;
    OnnxWriter m_writer;
    std::vector<std::string> m_tensors;
    Message m_refused;
    std::size_t m_count = 0;
};

} // namespace

Result<OnnxGraph> onnxFromModel(project::Project const &project, runtime::TrainingState const &weights)
{
    TW_ASSIGN(auto const resolved, model::resolve(project.model));
    TW_ASSIGN(auto const values, valuesByLayer(resolved, weights));
    OnnxGraph graph;
    graph.name = project.model.name;
    graph.producer = kOnnxProducer;
    graph.opset = kWrittenOpset;
    TW_TRY(Export(resolved, values, graph).write());
    return graph;
}

Result<std::string> onnxOf(project::Project const &project, runtime::TrainingState const &weights, JobContext const &job)
{
    TW_ASSIGN(auto const graph, onnxFromModel(project, weights));
    return onnxImage(graph, project.title, job);
}

} // namespace tilewright::interop

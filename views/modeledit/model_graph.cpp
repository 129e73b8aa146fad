#include "views/modeledit/model_graph.h"

#include "views/modeledit/layer_family.h"
#include "views/common/format.h"
#include "views/modeledit/edit_support.h"
#include "views/modeledit/layer_phrase.h"

#include "engine/model/optimizers.h"
#include "engine/model/placeholder.h"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>

namespace tilewright::views {

using edits::q;
using model::Layer;

namespace {

/// Shapes and weights of one layer from what feeds its first call; leaves them unknown where a rule refuses.
void inferLayer(Layer const &source, std::vector<Shape> const &inputs, bool allKnown, LayerInfo &info)
{
    auto const *spec = model::findLayerSpec(source.className);
    if (!spec) return;
    Layer layer = source;
    model::normalizeLayer(layer);
    auto const types = model::layerTypes(layer);
    info.type = types.compute;
    int const count = static_cast<int>(inputs.size());
    if (!allKnown || count < spec->minInputs || count > spec->maxInputs || !model::checkLayer(layer).ok()) return;
    auto const shape = spec->outputShape(layer, inputs);
    if (!shape.ok()) return;
    info.shape = *shape;
    info.multiplyAdds = spec->multiplyAdds ? spec->multiplyAdds(layer, inputs, *shape) : model::sampleElements(*shape);
    if (!spec->weights) return;
    auto const weights = spec->weights(layer, inputs);
    if (!weights.ok()) return;
    for (auto const &weight : *weights) {
        std::int64_t const elements = elementCount(weight.shape);
        info.parameters += elements;
        info.weightBytes += elements * sizeOf(types.variable);
    }
}

/// Rows so that inputs come first; rows on cycles follow at the end.
std::vector<int> order(ModelGraph const &graph)
{
    std::vector<int> waiting(graph.layers.size(), 0), rows;
    std::vector<std::vector<int>> users(graph.layers.size());
    for (auto const &edge : graph.edges) {
        if (edge.edge.call > 0) continue; // shapes come from the first call
        ++waiting[static_cast<std::size_t>(edge.to)];
        users[static_cast<std::size_t>(edge.from)].push_back(edge.to);
    }
    for (std::size_t row = 0; row < waiting.size(); ++row)
        if (waiting[row] == 0) rows.push_back(static_cast<int>(row));
    for (std::size_t i = 0; i < rows.size(); ++i)
        for (int const user : users[static_cast<std::size_t>(rows[i])])
            if (--waiting[static_cast<std::size_t>(user)] == 0) rows.push_back(user);
    return rows;
}

} // namespace

int ModelGraph::row(std::string const &name) const
{
    auto const it = rows.find(name);
    return it == rows.end() ? -1 : it->second;
}

ModelGraph modelGraph(project::Project const &project)
{
    auto const &model = project.model;
    ModelGraph graph;
    graph.functional = model.kind == model::ModelKind::Functional;
    bool const pipelined = edits::isPipelined(model);
    for (auto const &layer : model.layers) {
        LayerInfo info;
        info.name = layer.name;
        info.className = model::shownClass(layer);
        info.family = familyOf(layer.className);
        info.placeholder = model::isPlaceholder(layer) || model::findLayerSpec(layer.className) == nullptr;
        if (!model::isPlaceholder(layer)) info.arguments = argumentSummary(layer);
        if (pipelined)
            info.stage = edits::isInput(layer) ? 0 : !layer.calls.empty() && layer.calls[0].stage >= 0 ? layer.calls[0].stage : layer.stage;
        graph.stages = std::max(graph.stages, info.stage + 1);
        info.input = edits::isInput(layer);
        graph.rows.emplace(layer.name, static_cast<int>(graph.layers.size()));
        graph.layers.push_back(std::move(info));
    }
    if (graph.functional) {
        for (auto const &ref : model.outputs)
            if (int const row = graph.row(ref.layer); row >= 0) graph.layers[static_cast<std::size_t>(row)].output = true;
    } else if (!graph.layers.empty()) {
        graph.layers.back().output = true;
    }
    std::vector<std::vector<int>> inputs(graph.layers.size());
    for (auto const &edge : edgesOf(model)) {
        int const from = graph.row(edge.from), to = graph.row(edge.to);
        graph.edges.push_back({from, to, edge});
        if (edge.call == 0) inputs[static_cast<std::size_t>(to)].push_back(from);
    }
    for (int const row : order(graph)) {
        auto const at = static_cast<std::size_t>(row);
        auto &info = graph.layers[at];
        std::vector<Shape> shapes;
        bool known = true;
        for (int const from : inputs[at]) {
            shapes.push_back(graph.layers[static_cast<std::size_t>(from)].shape);
            known = known && !shapes.back().empty();
        }
        inferLayer(model.layers[at], shapes, known, info);
        // Its kernel stands for its weights where a loop has several optimizers.
        auto const &optimizer = model::optimizerOf(project.training, info.name + "/kernel");
        auto const perWeight = static_cast<Bytes>(model::optimizerSlots(optimizer).size());
        // A value of another type is an error of the layer, which is told elsewhere: here it counts as the default.
        auto const &config = model.layers[at].config;
        auto const trainable = config.find("trainable");
        bool const isFrozen = trainable != config.end() && trainable->is_boolean() && !trainable->get<bool>();
        info.optimizerBytes = isFrozen ? 0 : perWeight * info.weightBytes;
        if (!info.shape.empty())
            info.activationBytes = static_cast<Bytes>(model::sampleElements(info.shape)) * project.training.batchSize * sizeOf(info.type);
        graph.parameters += info.parameters;
    }
    return graph;
}

LayerInfo layerBehind(Layer const &layer, Shape const &input)
{
    LayerInfo info;
    info.name = layer.name;
    info.className = layer.className;
    info.family = familyOf(layer.className);
    info.arguments = argumentSummary(layer);
    std::vector<Shape> inputs;
    if (!edits::isInput(layer)) inputs.push_back(input);
    inferLayer(layer, inputs, edits::isInput(layer) || !input.empty(), info);
    return info;
}

QString shapeText(Shape const &shape)
{
    if (shape.empty()) return QStringLiteral("?");
    if (shape.size() == 1) return QCoreApplication::translate("views", "scalar");
    QStringList parts;
    for (std::size_t i = 1; i < shape.size(); ++i) parts << (shape[i] < 0 ? QStringLiteral("?") : countText(shape[i]));
    return parts.join(QStringLiteral(" × "));
}

QString exactShape(LayerInfo const &layer)
{
    if (layer.shape.empty()) return QCoreApplication::translate("views", "not known");
    return q(toText(layer.shape)) + u' ' + q(std::string(toText(layer.type)));
}

QString layerText(LayerInfo const &layer)
{
    QStringList lines{QStringLiteral("%1 (%2)").arg(q(layer.name), q(layer.className))};
    if (layer.placeholder) lines << QCoreApplication::translate("views", "This layer cannot be computed: it is kept as it is.");
    if (!layer.arguments.isEmpty()) lines << layer.arguments;
    lines << QCoreApplication::translate("views", "output %1")
                 .arg(layer.shape.empty() ? exactShape(layer)
                                          : QStringLiteral("%1 %2").arg(shapeText(layer.shape), q(std::string(toText(layer.type)))));
    lines << QCoreApplication::translate("views", "%1 parameters").arg(countText(layer.parameters));
    if (layer.bytes() > 0)
        lines << QCoreApplication::translate("views", "estimated: weights %1, optimizer %2, activations %3")
                     .arg(bytesText(layer.weightBytes), bytesText(layer.optimizerBytes), bytesText(layer.activationBytes));
    if (layer.stage >= 0) lines << QCoreApplication::translate("views", "pipeline stage %1").arg(layer.stage);
    return lines.join(u'\n');
}

} // namespace tilewright::views

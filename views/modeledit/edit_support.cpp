#include "views/modeledit/edit_support.h"

#include "engine/model/resolve.h"
#include "views/diagnostics/diagnostic_text.h"

#include <QCoreApplication>

#include <algorithm>

namespace tilewright::views {

using model::Layer;
using model::Model;
using model::ModelKind;
using model::TensorRef;

namespace edits {

Diagnostic refusal(char const *code, std::string const &subject, QString const &message, QString const &remedy)
{
    return makeError(ErrorKind::Invalid, std::string("edit.") + code, subject, message.toStdString(), remedy.toStdString());
}

Diagnostic noLayer(Model const &model, std::string const &name)
{
    std::vector<std::string> names;
    for (auto const &layer : model.layers) names.push_back(layer.name);
    return refusal("no-layer", name, QCoreApplication::translate("views", "The model has no layer named “%1”.").arg(q(name)),
                   messageText(model::suggestion(name, names)));
}

QString q(std::string const &text) { return QString::fromStdString(text); }

std::size_t indexOf(Model const &model, std::string const &name)
{
    auto const it = std::find_if(model.layers.begin(), model.layers.end(), [&](Layer const &layer) { return layer.name == name; });
    return static_cast<std::size_t>(it - model.layers.begin());
}

int lastCall(Layer const &layer) { return std::max(0, static_cast<int>(layer.calls.size()) - 1); }

bool isInput(Layer const &layer) { return layer.className == "InputLayer"; }

bool isMerge(Layer const &layer)
{
    auto const *spec = model::findLayerSpec(layer.className);
    return spec && spec->minInputs > 1;
}

bool isPipelined(Model const &model)
{
    return std::any_of(model.layers.begin(), model.layers.end(), [](Layer const &layer) {
        return layer.stage >= 0
            || std::any_of(layer.calls.begin(), layer.calls.end(), [](model::Call const &call) { return call.stage >= 0; });
    });
}

void makeFunctional(ModelEdit &edit, QString const &why)
{
    if (edit.model.kind == ModelKind::Functional) return;
    edit.model = toFunctional(edit.model);
    edit.note = QCoreApplication::translate("views", "The model is functional now: %1").arg(why);
}

void prepare(Model const &model, Layer &layer)
{
    if (layer.name.empty() || model.find(layer.name)) layer.name = model::uniqueLayerName(model, layer.className);
    layer.calls.clear();
    model::normalizeLayer(layer);
    if (!isInput(layer)) layer.config.erase("batch_input_shape");
}

void forEachRef(Model &model, std::function<void(TensorRef &)> const &change)
{
    for (auto &layer : model.layers)
        for (auto &call : layer.calls)
            for (auto &ref : call.inputs) change(ref);
}

} // namespace edits

std::vector<ModelEdge> edgesOf(Model const &model)
{
    std::vector<ModelEdge> edges;
    if (model.kind == ModelKind::Sequential) {
        for (std::size_t i = 1; i < model.layers.size(); ++i) edges.push_back({model.layers[i - 1].name, model.layers[i].name, 0, 0});
        return edges;
    }
    for (auto const &layer : model.layers)
        for (std::size_t call = 0; call < layer.calls.size(); ++call)
            for (std::size_t input = 0; input < layer.calls[call].inputs.size(); ++input)
                if (auto const &from = layer.calls[call].inputs[input].layer; model.find(from))
                    edges.push_back({from, layer.name, static_cast<int>(call), static_cast<int>(input)});
    return edges;
}

bool reaches(Model const &model, std::string const &from, std::string const &to)
{
    auto const edges = edgesOf(model);
    std::multimap<std::string, std::string> users;
    for (auto const &edge : edges) users.emplace(edge.from, edge.to);
    std::set<std::string> seen{from};
    std::vector<std::string> open{from};
    while (!open.empty()) {
        std::string const at = open.back();
        open.pop_back();
        if (at == to) return true;
        auto const [first, last] = users.equal_range(at);
        for (auto it = first; it != last; ++it)
            if (seen.insert(it->second).second) open.push_back(it->second);
    }
    return false;
}

std::string lastLayer(Model const &model)
{
    if (model.layers.empty()) return {};
    if (model.kind == ModelKind::Sequential) return model.layers.back().name;
    for (auto const &ref : model.outputs)
        if (model.find(ref.layer)) return ref.layer;
    return model.layers.back().name;
}

int stageOf(Model const &model, std::string const &name)
{
    Layer const *layer = model.find(name);
    if (!layer) return -1;
    if (edits::isInput(*layer)) return edits::isPipelined(model) ? 0 : -1;
    if (!layer->calls.empty() && layer->calls.front().stage >= 0) return layer->calls.front().stage;
    return layer->stage;
}

bool isOutput(Model const &model, std::string const &layer)
{
    if (model.kind == ModelKind::Sequential) return !model.layers.empty() && model.layers.back().name == layer;
    return std::any_of(model.outputs.begin(), model.outputs.end(), [&](TensorRef const &ref) { return ref.layer == layer; });
}

Model toFunctional(Model const &model)
{
    if (model.kind == ModelKind::Functional) return model;
    Model result = model;
    model::normalizeModel(result);
    result.kind = ModelKind::Functional;
    for (std::size_t i = 0; i < result.layers.size(); ++i) {
        Layer &layer = result.layers[i];
        layer.calls = {model::Call{}};
        if (edits::isInput(layer)) {
            layer.calls.clear(); // Keras writes no inbound node for an input
            result.inputs.push_back({layer.name, 0, 0});
        } else if (i > 0) {
            layer.calls[0].inputs = {{result.layers[i - 1].name, 0, 0}};
        }
        if (!edits::isInput(layer)) layer.config.erase("batch_input_shape");
    }
    if (!result.layers.empty()) result.outputs = {{result.layers.back().name, 0, 0}};
    return result;
}

Result<ModelEdit> toSequential(Model const &model)
{
    if (model.kind == ModelKind::Sequential) return ModelEdit{model, {}, {}};
    auto const no = [](std::string const &layer, QString const &why) {
        return edits::refusal("no-chain", layer, why,
                              QCoreApplication::translate("views", "A Sequential model is one chain from its input to its output."));
    };
    std::map<std::string, std::string> next;
    std::string first;
    for (auto const &layer : model.layers) {
        if (layer.calls.size() > 1)
            return no(layer.name, QCoreApplication::translate("views", "“%1” is used several times.").arg(edits::q(layer.name)));
        std::size_t const inputs = layer.calls.empty() ? 0 : layer.calls[0].inputs.size();
        if (inputs > 1) return no(layer.name, QCoreApplication::translate("views", "“%1” has several inputs.").arg(edits::q(layer.name)));
        if (inputs == 0) {
            if (!first.empty())
                return no(
                    layer.name,
                    QCoreApplication::translate("views", "“%1” is not connected with “%2”.").arg(edits::q(layer.name), edits::q(first)));
            first = layer.name;
        } else if (!next.emplace(layer.calls[0].inputs[0].layer, layer.name).second) {
            return no(layer.calls[0].inputs[0].layer,
                      QCoreApplication::translate("views", "“%1” feeds several layers.").arg(edits::q(layer.calls[0].inputs[0].layer)));
        }
    }
    Model result = model;
    result.kind = ModelKind::Sequential;
    result.layers.clear();
    result.inputs.clear();
    result.outputs.clear();
    for (std::string at = first; !at.empty(); at = next.contains(at) ? next[at] : std::string()) {
        Layer const *from = model.find(at);
        if (!from) return edits::noLayer(model, at);
        Layer layer = *from;
        if (!layer.calls.empty() && layer.calls[0].stage >= 0) layer.stage = layer.calls[0].stage;
        layer.calls.clear();
        result.layers.push_back(std::move(layer));
        if (result.layers.size() > model.layers.size()) break;
    }
    if (result.layers.size() != model.layers.size())
        return no(model.name, QCoreApplication::translate("views", "The layers do not form a single chain."));
    return ModelEdit{std::move(result), {}, QCoreApplication::translate("views", "The model is Sequential now.")};
}

} // namespace tilewright::views

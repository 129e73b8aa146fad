#include "views/modeledit/model_edits.h"
#include "views/modeledit/edit_support.h"

#include <QCoreApplication>

#include <algorithm>

namespace tilewright::views {

using model::Call;
using model::Layer;
using model::Model;
using model::ModelKind;
using model::TensorRef;
using namespace edits;

namespace {

QString severalInputs(Layer const &layer)
{
    return QCoreApplication::translate("views", "%1 takes several inputs.").arg(q(layer.className));
}

QString secondInput() { return QCoreApplication::translate("views", "a Sequential model has one input."); }

Diagnostic inputTakesNone(Layer const &layer)
{
    return refusal("input-target", layer.name, QCoreApplication::translate("views", "An input layer takes no input."),
                   QCoreApplication::translate("views", "Inputs are fed from outside the model."));
}

Diagnostic edgeGone(ModelEdge const &edge)
{
    return refusal("no-edge", edge.to,
                   QCoreApplication::translate("views", "“%1” does not feed “%2” any more.").arg(q(edge.from), q(edge.to)),
                   QCoreApplication::translate("views", "Choose a connection that is there."));
}

Status appendOne(ModelEdit &edit, Layer layer, std::string const &after)
{
    if (!after.empty() && !edit.model.find(after)) return noLayer(edit.model, after);
    bool const input = isInput(layer);
    if (edit.model.kind == ModelKind::Sequential && !edit.model.layers.empty()) {
        if (isMerge(layer)) makeFunctional(edit, severalInputs(layer));
        else if (input && isInput(edit.model.layers.front())) makeFunctional(edit, secondInput());
    }
    Model &model = edit.model;
    prepare(model, layer);
    edit.layers.push_back(layer.name);
    if (model.kind == ModelKind::Sequential) {
        std::size_t const place = input ? 0 : after.empty() ? model.layers.size() : indexOf(model, after) + 1;
        if (!input && place > 0) layer.stage = stageOf(model, model.layers[place - 1].name);
        model.layers.insert(model.layers.begin() + static_cast<std::ptrdiff_t>(place), std::move(layer));
        return {};
    }
    if (input) {
        model.inputs.push_back({layer.name, 0, 0});
        model.layers.push_back(std::move(layer));
        return {};
    }
    std::string const from = after.empty() ? lastLayer(model) : after;
    Call call;
    TensorRef const self{layer.name, 0, 0};
    if (!from.empty()) {
        TensorRef const source{from, lastCall(*model.find(from)), 0};
        layer.stage = stageOf(model, from);
        call.inputs.push_back(source);
        for (auto &output : model.outputs)
            if (output.layer == from) output = self;
    }
    if (model.outputs.empty()) model.outputs.push_back(self);
    layer.calls.push_back(std::move(call));
    model.layers.push_back(std::move(layer));
    return {};
}

/// The reference that an edge represents; null if the model has no such connection.
TensorRef *refOf(Model &model, ModelEdge const &edge)
{
    Layer *to = model.find(edge.to);
    if (!to || edge.call < 0 || edge.input < 0 || static_cast<std::size_t>(edge.call) >= to->calls.size()) return nullptr;
    auto &inputs = to->calls[static_cast<std::size_t>(edge.call)].inputs;
    if (static_cast<std::size_t>(edge.input) >= inputs.size() || inputs[static_cast<std::size_t>(edge.input)].layer != edge.from)
        return nullptr;
    return &inputs[static_cast<std::size_t>(edge.input)];
}

bool isNeighbours(Model const &model, ModelEdge const &edge)
{
    std::size_t const at = indexOf(model, edge.from);
    return at + 1 < model.layers.size() && model.layers[at + 1].name == edge.to;
}

/// Input lists by call after the removal of the layer: each use of it becomes its input, if it has exactly one.
void healRefs(std::vector<TensorRef> &refs, Layer const &gone, bool *cut)
{
    std::vector<TensorRef> healed;
    for (auto const &ref : refs) {
        if (ref.layer != gone.name) {
            healed.push_back(ref);
            continue;
        }
        auto const call = static_cast<std::size_t>(std::max(ref.node, 0));
        if (call < gone.calls.size() && gone.calls[call].inputs.size() == 1) healed.push_back(gone.calls[call].inputs[0]);
        else *cut = true;
    }
    refs = std::move(healed);
}

} // namespace

Result<ModelEdit> appendLayers(Model const &model, std::vector<Layer> layers, std::string const &after)
{
    ModelEdit edit{model, {}, {}};
    std::string at = after;
    for (auto &layer : layers) {
        TW_TRY(appendOne(edit, std::move(layer), at));
        at = edit.layers.back();
    }
    return edit;
}

Result<ModelEdit> insertAfter(Model const &model, Layer layer, std::string const &after)
{
    if (model.kind == ModelKind::Sequential && !isMerge(layer)) return appendLayers(model, {std::move(layer)}, after);
    if (isInput(layer)) return inputTakesNone(layer);
    TW_ASSIGN(ModelEdit edit, appendLayers(model, {std::move(layer)}, after));
    Model &changed = edit.model;
    std::string const &added = edit.layers.front();
    for (auto &each : changed.layers) {
        if (each.name == added) continue;
        for (auto &call : each.calls)
            for (auto &ref : call.inputs)
                if (ref.layer == after) ref = {added, 0, 0};
    }
    return edit;
}

Result<ModelEdit> insertOnEdge(Model const &model, Layer layer, ModelEdge const &edge)
{
    if (isInput(layer)) return inputTakesNone(layer);
    ModelEdit edit{model, {}, {}};
    if (model.kind == ModelKind::Sequential) {
        if (!isNeighbours(model, edge)) return edgeGone(edge);
        if (!isMerge(layer)) return appendLayers(model, {std::move(layer)}, edge.from);
        makeFunctional(edit, severalInputs(layer));
    }
    Model &changed = edit.model;
    prepare(changed, layer);
    TensorRef *ref = refOf(changed, edge);
    if (!ref) return edgeGone(edge);
    layer.stage = stageOf(changed, edge.from);
    layer.calls = {Call{{*ref}}};
    *ref = {layer.name, 0, 0};
    edit.layers = {layer.name};
    // Directly before its first user, so that layers stay in the order of the data.
    changed.layers.insert(changed.layers.begin() + static_cast<std::ptrdiff_t>(indexOf(changed, edge.to)), std::move(layer));
    return edit;
}

Result<ModelEdit> addLoose(Model const &model, Layer layer)
{
    if (model.layers.empty() || isInput(layer)) return appendLayers(model, {std::move(layer)}, {});
    ModelEdit edit{model, {}, {}};
    makeFunctional(edit, QCoreApplication::translate("views", "one of its layers is not connected yet."));
    prepare(edit.model, layer);
    layer.calls = {Call{}};
    edit.layers = {layer.name};
    edit.model.layers.push_back(std::move(layer));
    return edit;
}

Result<ModelEdit> connectLayers(Model const &model, std::string const &from, std::string const &to)
{
    Layer const *source = model.find(from);
    Layer const *target = model.find(to);
    if (!source) return noLayer(model, from);
    if (!target) return noLayer(model, to);
    if (isInput(*target)) return inputTakesNone(*target);
    for (auto const &edge : edgesOf(model))
        if (edge.from == from && edge.to == to)
            return refusal("connected", to, QCoreApplication::translate("views", "“%1” feeds “%2” already.").arg(q(from), q(to)), {});
    if (reaches(model, to, from))
        return refusal(
            "cycle", to,
            from == to ? QCoreApplication::translate("views", "“%1” cannot feed itself.").arg(q(from))
                       : QCoreApplication::translate("views", "That would be a cycle: “%1” already depends on “%2”.").arg(q(from), q(to)),
            QCoreApplication::translate("views", "Data flow one way through a model."));
    auto const *spec = model::findLayerSpec(target->className);
    int const most = spec ? spec->maxInputs : std::numeric_limits<int>::max();
    bool const wasSequential = model.kind == ModelKind::Sequential;
    std::size_t const has = wasSequential ? (indexOf(model, to) > 0 ? 1u : 0u)
        : target->calls.empty()           ? 0u
                                          : target->calls.back().inputs.size();
    if (static_cast<int>(has) >= most)
        return refusal("too-many-inputs", to,
                       QCoreApplication::translate("views", "%1 takes %n input(s), and “%2” has them already.", nullptr, most)
                           .arg(q(target->className), q(to)),
                       QCoreApplication::translate("views", "Remove its connection first, or join the two with an Add or Concatenate."));
    ModelEdit edit{model, {to}, {}};
    makeFunctional(edit,
                   QCoreApplication::translate("views", "a Sequential one has no other connections than from each layer to the next."));
    Model &changed = edit.model;
    Layer &receiver = *changed.find(to);
    if (receiver.calls.empty()) receiver.calls.push_back({});
    receiver.calls.back().inputs.push_back({from, lastCall(*changed.find(from)), 0});
    // A previously unconnected layer that now follows the output becomes the output.
    bool const used = std::any_of(changed.layers.begin(), changed.layers.end(), [&](Layer const &layer) {
        return std::any_of(layer.calls.begin(), layer.calls.end(), [&](Call const &call) {
            return std::any_of(call.inputs.begin(), call.inputs.end(), [&](TensorRef const &ref) { return ref.layer == to; });
        });
    });
    if (!used && !isOutput(changed, to))
        for (auto &output : changed.outputs)
            if (output.layer == from) output = {to, lastCall(receiver), 0};
    if (receiver.stage < 0) receiver.stage = stageOf(changed, from);
    return edit;
}

Result<ModelEdit> disconnectLayers(Model const &model, ModelEdge const &edge)
{
    ModelEdit edit{model, {edge.to}, {}};
    if (model.kind == ModelKind::Sequential && !isNeighbours(model, edge)) return edgeGone(edge);
    makeFunctional(edit, QCoreApplication::translate("views", "in a Sequential one each layer feeds the next."));
    if (!refOf(edit.model, edge)) return edgeGone(edge);
    auto &inputs = edit.model.find(edge.to)->calls[static_cast<std::size_t>(edge.call)].inputs;
    inputs.erase(inputs.begin() + edge.input);
    return edit;
}

Result<ModelEdit> removeHealing(Model const &model, std::vector<std::string> const &names)
{
    ModelEdit edit{model, {}, {}};
    Model &changed = edit.model;
    bool cut = false;
    for (auto const &name : names) {
        std::size_t const at = indexOf(changed, name);
        if (at == changed.layers.size()) return noLayer(changed, name);
        Layer const gone = changed.layers[at];
        changed.layers.erase(changed.layers.begin() + static_cast<std::ptrdiff_t>(at));
        for (auto &layer : changed.layers)
            for (auto &call : layer.calls) healRefs(call.inputs, gone, &cut);
        bool outputCut = false;
        healRefs(changed.outputs, gone, &outputCut);
        std::erase_if(changed.inputs, [&](TensorRef const &ref) { return ref.layer == name; });
        if (!changed.layers.empty()) {
            std::string const next = gone.calls.empty() || gone.calls[0].inputs.empty() ? std::string() : gone.calls[0].inputs[0].layer;
            std::size_t const near = at > 0 ? at - 1 : 0;
            edit.layers = {changed.find(next) ? next : changed.layers[std::min(near, changed.layers.size() - 1)].name};
        } else {
            edit.layers.clear();
        }
    }
    // Two branches of one layer that end in the same output would list it twice.
    std::vector<TensorRef> outputs;
    for (auto const &ref : changed.outputs)
        if (std::find(outputs.begin(), outputs.end(), ref) == outputs.end()) outputs.push_back(ref);
    changed.outputs = std::move(outputs);
    if (changed.layers.empty()) { // empty models are not functional
        changed.kind = ModelKind::Sequential;
        changed.inputs.clear();
        changed.outputs.clear();
    }
    if (cut) edit.note = QCoreApplication::translate("views", "The layers after it have lost an input: no single layer can replace it.");
    return edit;
}

} // namespace tilewright::views

#include "views/modeledit/edit_support.h"
#include "views/modeledit/model_edits.h"

#include "engine/model/resolve.h"
#include "engine/model/stage_cut.h"
#include "engine/model/stages.h"

#include <QCoreApplication>

#include <algorithm>

// Edits of several layers at once, of order, names, stages and outputs.
namespace tilewright::views {

using model::Layer;
using model::Model;
using model::ModelKind;
using model::TensorRef;
using namespace edits;

namespace {

Status requireAll(Model const &model, std::vector<std::string> const &names)
{
    if (names.empty())
        return refusal("nothing", {}, QCoreApplication::translate("views", "No layer is selected."),
                       QCoreApplication::translate("views", "Select one or more layers first."));
    for (auto const &name : names)
        if (!model.find(name)) return noLayer(model, name);
    return {};
}

std::vector<Layer> inModelOrder(Model const &model, std::vector<std::string> const &names)
{
    std::set<std::string> const wanted(names.begin(), names.end());
    std::vector<Layer> layers;
    for (auto const &layer : model.layers)
        if (wanted.contains(layer.name)) layers.push_back(layer);
    return layers;
}

/// Adds renamed copies of `layers` to a functional model. References among them refer to the copies; `outside` handles the other
/// references.
void addCopies(ModelEdit &edit, std::vector<Layer> layers, std::function<void(model::Call &, Layer const &)> const &outside)
{
    std::map<std::string, std::string> newName;
    std::vector<Layer> copies;
    for (auto const &layer : layers) {
        Layer copy = layer;
        if (edit.model.find(copy.name)) copy.name = model::uniqueLayerName(edit.model, copy.className);
        newName[layer.name] = copy.name;
        if (!isInput(copy)) copy.config.erase("batch_input_shape");
        edit.model.layers.push_back(copy);
        edit.layers.push_back(copy.name);
        if (isInput(copy)) edit.model.inputs.push_back({copy.name, 0, 0});
    }
    for (auto const &name : edit.layers) {
        Layer &copy = *edit.model.find(name);
        for (auto &call : copy.calls) {
            for (auto &ref : call.inputs)
                if (auto const it = newName.find(ref.layer); it != newName.end()) ref.layer = it->second;
            outside(call, copy); // last, because it may add layers of this model, whatever their names
        }
    }
}

} // namespace

Result<ModelEdit> renamed(Model const &model, std::string const &from, std::string const &to)
{
    ModelEdit edit{model, {to}, {}};
    if (!model.find(from)) return noLayer(model, from);
    if (to.empty()) return refusal("bad-name", from, QCoreApplication::translate("views", "A layer needs a name."), {});
    if (from != to && model.find(to))
        return refusal("duplicate-name", to, QCoreApplication::translate("views", "Another layer is named “%1”.").arg(q(to)),
                       QCoreApplication::translate("views", "Names of layers must differ."));
    TW_TRY(model::renameLayer(edit.model, from, to));
    return edit;
}

Result<ModelEdit> moveLayer(Model const &model, std::string const &name, int by)
{
    ModelEdit edit{model, {name}, {}};
    std::size_t const at = indexOf(model, name);
    if (at == model.layers.size()) return noLayer(model, name);
    if (model.kind != ModelKind::Sequential)
        return refusal("no-order", name, QCoreApplication::translate("views", "In a functional model the connections give the order."),
                       QCoreApplication::translate("views", "Change its connections on the canvas."));
    auto const to = static_cast<std::ptrdiff_t>(at) + by;
    std::ptrdiff_t const first = isInput(model.layers.front()) ? 1 : 0;
    if (isInput(model.layers[at]) || to < first || to >= static_cast<std::ptrdiff_t>(model.layers.size()))
        return refusal("end", name, QCoreApplication::translate("views", "“%1” cannot move further.").arg(q(name)), {});
    auto &layers = edit.model.layers;
    Layer layer = std::move(layers[at]);
    layers.erase(layers.begin() + static_cast<std::ptrdiff_t>(at));
    layers.insert(layers.begin() + to, std::move(layer));
    return edit;
}

Result<ModelEdit> duplicateLayers(Model const &model, std::vector<std::string> const &names)
{
    TW_TRY(requireAll(model, names));
    auto layers = inModelOrder(model, names);
    if (model.kind == ModelKind::Sequential) {
        std::string const after = layers.back().name;
        std::erase_if(layers, [](Layer const &layer) { return isInput(layer); });
        if (layers.empty())
            return refusal("one-input", names.front(), QCoreApplication::translate("views", "A Sequential model has one input."), {});
        return appendLayers(model, std::move(layers), after);
    }
    ModelEdit edit{model, {}, {}};
    addCopies(edit, std::move(layers), [](model::Call &, Layer const &) {}); // copies share the inputs of the originals
    return edit;
}

Result<Model> extractLayers(Model const &model, std::vector<std::string> const &names)
{
    TW_TRY(requireAll(model, names));
    Model const whole = toFunctional(model);
    Model part;
    part.name = model.name;
    part.kind = ModelKind::Functional;
    std::set<std::string> const wanted(names.begin(), names.end());
    for (auto const &layer : whole.layers) {
        if (!wanted.contains(layer.name)) continue;
        Layer copy = layer;
        for (auto &call : copy.calls) std::erase_if(call.inputs, [&](TensorRef const &ref) { return !wanted.contains(ref.layer); });
        if (isInput(copy)) part.inputs.push_back({copy.name, 0, 0});
        part.layers.push_back(std::move(copy));
    }
    auto const edges = edgesOf(part);
    for (auto const &layer : part.layers)
        if (std::none_of(edges.begin(), edges.end(), [&](ModelEdge const &edge) { return edge.from == layer.name; }))
            part.outputs.push_back({layer.name, 0, 0});
    if (auto chain = toSequential(part); chain.ok()) return std::move(chain->model);
    return part;
}

Result<ModelEdit> pasteLayers(Model const &model, Model const &copied, std::string const &after)
{
    if (copied.layers.empty())
        return refusal("nothing", {}, QCoreApplication::translate("views", "There are no layers on the clipboard."), {});
    if (!after.empty() && !model.find(after)) return noLayer(model, after);
    bool const hasInput = !model.layers.empty();
    if (copied.kind == ModelKind::Sequential) {
        auto layers = copied.layers;
        bool const chained = layers.size() > 1;
        if (hasInput && chained) std::erase_if(layers, [](Layer const &layer) { return isInput(layer); });
        if (!layers.empty()) return appendLayers(model, std::move(layers), after);
    }
    ModelEdit edit{model, {}, {}};
    Model part = toFunctional(copied);
    if (model.layers.empty()) {
        part.name = model.name;
        edit.model = std::move(part);
        for (auto const &layer : edit.model.layers) edit.layers.push_back(layer.name);
        return edit;
    }
    makeFunctional(edit, QCoreApplication::translate("views", "the pasted layers branch."));
    std::string const from = after.empty() ? lastLayer(edit.model) : after;
    TensorRef const source{from, lastCall(*edit.model.find(from)), 0};
    addCopies(edit, std::move(part.layers), [&](model::Call &call, Layer const &owner) {
        if (call.inputs.empty() && !isInput(owner)) call.inputs.push_back(source);
    });
    return edit;
}

Result<ModelEdit> withOutput(Model const &model, std::string const &layer, bool output)
{
    if (!model.find(layer)) return noLayer(model, layer);
    ModelEdit edit{model, {layer}, {}};
    if (isOutput(model, layer) == output) return edit;
    makeFunctional(edit, QCoreApplication::translate("views", "the output of a Sequential one is its last layer."));
    auto &outputs = edit.model.outputs;
    if (output) {
        outputs.push_back({layer, lastCall(*edit.model.find(layer)), 0});
    } else {
        if (outputs.size() == 1)
            return refusal("last-output", layer,
                           QCoreApplication::translate("views", "“%1” is the only output of the model.").arg(q(layer)),
                           QCoreApplication::translate("views", "Make another layer an output first."));
        std::erase_if(outputs, [&](TensorRef const &ref) { return ref.layer == layer; });
    }
    return edit;
}

Result<ModelEdit> withStage(Model const &model, std::vector<std::string> const &names, int stage)
{
    TW_TRY(requireAll(model, names));
    ModelEdit edit{model, names, {}};
    for (auto const &name : names) {
        if (isInput(*edit.model.find(name))) continue; // inputs enter with the first stage
        TW_ASSIGN(edit.model, model::withLayerStage(edit.model, name, stage));
    }
    return edit;
}

namespace {

Result<std::vector<int>> stagesByMultiplyAdds(Model const &model, int stages)
{
    TW_ASSIGN(auto const resolved, model::resolve(model::withoutStages(model)));
    return model::adviseStages(resolved, model::multiplyAddCosts(resolved), stages);
}

} // namespace

Result<ModelEdit> withProposedStages(Model const &model, int stages, StageProposer const &propose)
{
    TW_ASSIGN(auto const proposal, propose ? propose(model, stages) : stagesByMultiplyAdds(model, stages));
    ModelEdit edit{model, {}, {}};
    TW_ASSIGN(edit.model, model::withStages(model, proposal));
    return edit;
}

} // namespace tilewright::views

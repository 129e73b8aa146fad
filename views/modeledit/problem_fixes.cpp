#include "views/modeledit/problem_fixes.h"
#include "views/modeledit/edit_support.h"

#include "engine/core/text.h"

#include <QCoreApplication>

#include <algorithm>

namespace tilewright::views {

using edits::q;
using model::Layer;
using model::Model;

namespace {

ProblemFix removal(std::string const &layer)
{
    return {QCoreApplication::translate("views", "Remove “%1”").arg(q(layer)),
            [layer](Model const &model) { return removeHealing(model, {layer}); },
            {},
            {}};
}

ProblemFix elsewhere(QString const &title, char const *view) { return {title, {}, QString::fromLatin1(view), {}}; }

/// Inserts a layer of the class before the layer's first input.
Result<ModelEdit> inFront(Model const &model, std::string const &layer, std::string const &className)
{
    for (auto const &edge : edgesOf(model))
        if (edge.to == layer) return insertOnEdge(model, model::makeLayer(className, {}), edge);
    return edits::noLayer(model, layer);
}

/// Inserts one merge layer that joins all inputs of the layer's last call.
Result<ModelEdit> joined(Model const &model, std::string const &name, std::string const &className)
{
    ModelEdit edit{model, {}, {}};
    Layer *layer = edit.model.find(name);
    if (!layer || layer->calls.empty()) return edits::noLayer(model, name);
    Layer join = model::makeLayer(className, model::uniqueLayerName(model, className));
    join.calls = {model::Call{layer->calls.back().inputs}};
    join.stage = stageOf(model, name);
    layer->calls.back().inputs = {{join.name, 0, 0}};
    edit.layers = {join.name};
    auto const place = static_cast<std::ptrdiff_t>(edits::indexOf(edit.model, name));
    edit.model.layers.insert(edit.model.layers.begin() + place, std::move(join));
    return edit;
}

Result<ModelEdit> withClass(Model const &model, std::string const &name, std::string const &className)
{
    if (!model.find(name)) return edits::noLayer(model, name);
    ModelEdit edit{model, {name}, {}};
    edit.model.find(name)->className = className;
    model::normalizeLayer(*edit.model.find(name));
    return edit;
}

Result<ModelEdit> withoutUnknownArguments(Model const &model, std::string const &name)
{
    if (!model.find(name)) return edits::noLayer(model, name);
    ModelEdit edit{model, {name}, {}};
    Layer &layer = *edit.model.find(name);
    auto const *spec = model::findLayerSpec(layer.className);
    if (!spec) return edits::noLayer(model, name);
    auto const params = model::layerParams(*spec);
    for (auto it = layer.config.begin(); it != layer.config.end();) {
        bool const known = it.key() == "batch_input_shape"
            || std::any_of(params.begin(), params.end(), [&](model::ParamInfo const &param) { return param.name == it.key(); });
        if (known) ++it;
        else it = layer.config.erase(it);
    }
    return edit;
}

/// A Lambda in its place, with an expression to edit.
Result<ModelEdit> asExpression(Model const &model, std::string const &name)
{
    if (!model.find(name)) return edits::noLayer(model, name);
    ModelEdit edit{model, {name}, {}};
    Layer &layer = *edit.model.find(name);
    auto const shape = layer.config.find("batch_input_shape");
    model::Json config{{"expression", "x"}};
    if (shape != layer.config.end()) config["batch_input_shape"] = *shape;
    layer.className = "Lambda";
    layer.config = std::move(config);
    model::normalizeLayer(layer);
    return edit;
}

Result<ModelEdit> asInput(Model const &model, std::string const &name)
{
    ModelEdit edit{model, {name}, {}};
    edit.model.inputs.push_back({name, 0, 0});
    return edit;
}

void shapeFixes(Layer const &layer, std::vector<ProblemFix> &fixes)
{
    std::string const name = layer.name;
    auto const *spec = model::findLayerSpec(layer.className);
    if (!spec) return;
    std::size_t const inputs = layer.calls.empty() ? 1 : layer.calls.back().inputs.size();
    if (spec->maxInputs == 1 && inputs > 1) {
        for (char const *join : {"Concatenate", "Add"})
            fixes.push_back({QCoreApplication::translate("views", "Join its inputs with %1").arg(q(join)),
                             [name, join](Model const &m) { return joined(m, name, join); },
                             {},
                             {}});
        return;
    }
    if (spec->minInputs > 1) {
        fixes.push_back(removal(name));
        return;
    }
    fixes.push_back({QCoreApplication::translate("views", "Put a Flatten before it"),
                     [name](Model const &m) { return inFront(m, name, "Flatten"); },
                     {},
                     {}});
}

} // namespace

std::vector<ProblemFix> fixesFor(Model const &model, Diagnostic const &problem, StageProposer const &propose)
{
    std::vector<ProblemFix> fixes;
    std::string const &code = problem.code;
    if (code == "model.empty" || code == "model.no-input")
        fixes.push_back({QCoreApplication::translate("views", "Add an input layer…"), {}, {}, QStringLiteral("input ")});
    if (code == "training.loss-shape" || code.rfind("training.", 0) == 0)
        fixes.push_back(elsewhere(QCoreApplication::translate("views", "Show the training plan"), "plan"));
    if (code.rfind("config.", 0) == 0) fixes.push_back(elsewhere(QCoreApplication::translate("views", "Show the configuration"), "config"));
    if (code == "model.stage") {
        fixes.push_back({QCoreApplication::translate("views", "Propose stages that share the work evenly"),
                         [propose](Model const &m) {
                             int stages = 2;
                             for (auto const &each : m.layers) stages = std::max(stages, stageOf(m, each.name) + 1);
                             return withProposedStages(m, stages, propose);
                         },
                         {},
                         {}});
        fixes.push_back({QCoreApplication::translate("views", "Remove all stages"),
                         [](Model const &m) {
                             std::vector<std::string> names;
                             for (auto const &each : m.layers) names.push_back(each.name);
                             return withStage(m, names, -1);
                         },
                         {},
                         {}});
    }
    Layer const *layer = model.find(problem.subject);
    if (!layer) return fixes;
    std::string const name = layer->name;
    if (code == "model.unused-layer") {
        fixes.push_back({QCoreApplication::translate("views", "Make it an output of the model"),
                         [name](Model const &m) { return withOutput(m, name, true); },
                         {},
                         {}});
        fixes.push_back(removal(name));
    } else if (code == "model.not-connected" && edits::isInput(*layer)) {
        fixes.push_back({QCoreApplication::translate("views", "Make it an input of the model"),
                         [name](Model const &m) { return asInput(m, name); },
                         {},
                         {}});
        fixes.push_back(removal(name));
    } else if (code == "model.not-connected") {
        std::string const last = lastLayer(model);
        if (last != name && !reaches(model, name, last))
            fixes.push_back({QCoreApplication::translate("views", "Connect it with “%1”").arg(q(last)),
                             [last, name](Model const &m) { return connectLayers(m, last, name); },
                             {},
                             {}});
        fixes.push_back(removal(name));
    } else if (code == "model.shape") {
        shapeFixes(*layer, fixes);
    } else if (code == "model.unknown-layer") {
        std::vector<std::string> classes;
        for (auto const &spec : model::builtinLayers()) classes.push_back(spec.className);
        if (auto const near = nearestName(layer->className, classes); !near.empty())
            fixes.push_back({QCoreApplication::translate("views", "Change it to %1").arg(q(near)),
                             [name, near](Model const &m) { return withClass(m, name, near); },
                             {},
                             {}});
        fixes.push_back(removal(name));
    } else if (code == "model.unsupported" && !model::findLayerSpec(layer->className)) {
        fixes.push_back(removal(name));
    } else if (code == "model.placeholder" || code == "model.placeholder-shape") {
        fixes.push_back({QCoreApplication::translate("views", "Replace it by an expression of its inputs"),
                         [name](Model const &m) { return asExpression(m, name); },
                         {},
                         {}});
        fixes.push_back(removal(name));
    } else if (code == "model.unknown-argument") {
        fixes.push_back({QCoreApplication::translate("views", "Leave the unknown arguments out"),
                         [name](Model const &m) { return withoutUnknownArguments(m, name); },
                         {},
                         {}});
    }
    if (code == "model.missing-argument" || code == "model.bad-argument" || code == "model.dynamic-shape" || code == "model.unsupported")
        fixes.push_back(elsewhere(QCoreApplication::translate("views", "Show its arguments"), "inspector"));
    return fixes;
}

} // namespace tilewright::views

#include "views/inspector/layer_facts.h"

#include "views/common/format.h"
#include "views/common/words.h"
#include "views/diagnostics/diagnostic_text.h"
#include "views/modeledit/model_graph.h"
#include "views/properties/property_value.h"

#include "engine/model/resolve.h"

#include <algorithm>

namespace tilewright::views {

namespace {

QString dataText(data::DataSourceSpec const &source)
{
    if (!source.path.empty()) return QString::fromStdString(source.path);
    return source.format == "sorting" ? Words::tr("embedded sequences") : Words::tr("embedded digits");
}

QString text(std::string const &value) { return QString::fromStdString(value); }
/// "784 × 256", as the canvas writes the shape of a sample.
QString extentsText(Shape const &shape)
{
    QStringList extents;
    for (auto const extent : shape) extents << countText(extent);
    return extents.isEmpty() ? Words::tr("scalar") : extents.join(QStringLiteral(" × "));
}

FactSection weightSection(model::ResolvedLayer const &layer)
{
    FactSection section{Words::tr("Weights"), {}};
    for (auto const &weight : layer.weights) {
        Bytes const bytes = elementCount(weight.shape) * sizeOf(weight.dtype);
        QString value = Words::tr("%1 · %2 · %3").arg(extentsText(weight.shape), text(std::string(toText(weight.dtype))), bytesText(bytes));
        if (!weight.trainable) value += QStringLiteral(" · ") + Words::tr("frozen");
        section.facts.push_back(
            {text(weight.name), value, Words::tr("%1, first values: %2").arg(bytesExact(bytes), text(weight.initializer.className))});
    }
    return section;
}

void addLayer(LayerFacts &out, model::ResolvedModel const &model, model::ResolvedLayer const &layer)
{
    FactSection derived{Words::tr("Derived"), {}};
    double multiplyAdds = 0;
    QStringList inputs;
    for (auto const at : layer.calls) {
        auto const &call = model.calls[at];
        multiplyAdds += call.multiplyAdds;
        QString const name = layer.calls.size() > 1 ? Words::tr("Output of call %1").arg(call.node) : Words::tr("Output");
        derived.facts.push_back(
            {name, Words::tr("%1 · %2").arg(shapeText(call.shape), text(std::string(toText(call.dtype)))), text(toText(call.shape))});
        for (auto const input : call.inputs) inputs << text(model.layerOf(input).layer.name);
    }
    for (auto const &input : inputs) derived.facts.push_back({Words::tr("Input"), input, {}, destination(SelectionKind::Layer, input)});
    derived.facts.push_back({Words::tr("Parameters"), countText(layer.parameters()),
                             Words::tr("%1 of them trainable").arg(countText(layer.trainableParameters()))});
    derived.facts.push_back({Words::tr("Multiply-adds"), Words::tr("%1 a sample, forward").arg(shortCount(multiplyAdds)),
                             countText(static_cast<std::int64_t>(multiplyAdds))});
    out.sections.push_back(derived);
    if (!layer.weights.empty()) out.sections.push_back(weightSection(layer));
}

} // namespace

QStringList layerNames(QString const &selected) { return selected.split(QLatin1Char('\n'), Qt::SkipEmptyParts); }

LayerFacts layerFacts(project::Project const &project, QStringList const &names, std::vector<Diagnostic> const &problems)
{
    LayerFacts out;
    for (auto const &problem : problems)
        if (names.contains(text(problem.subject))) out.problems << diagnosticSentences(problem);
    auto const resolved = model::resolve(project.model);
    std::int64_t parameters = 0;
    double multiplyAdds = 0;
    std::vector<model::ResolvedLayer const *> found;
    if (resolved.ok())
        for (auto const &layer : resolved->layers)
            if (names.contains(text(layer.layer.name))) {
                found.push_back(&layer);
                parameters += layer.parameters();
                for (auto const call : layer.calls) multiplyAdds += resolved->calls[call].multiplyAdds;
            }
    if (names.size() == 1) {
        auto const *layer = project.model.find(names.front().toStdString());
        if (!layer) {
            out.headline = Words::tr("%1 is not in the model any more").arg(names.front());
            return out;
        }
        out.headline = Words::tr("%1 · %2").arg(names.front(), text(layer->className));
        if (found.empty()) return out;
        if (!found.front()->calls.empty())
            out.headline += Words::tr(" · %1 parameter(s) · output %2", nullptr, pluralOf(parameters))
                                .arg(countText(parameters), shapeText(resolved->calls[found.front()->calls.front()].shape));
        addLayer(out, *resolved, *found.front());
        return out;
    }
    out.headline = Words::tr("%Ln layer(s)", nullptr, pluralOf(names.size()))
        + Words::tr(" · %1 parameter(s) together", nullptr, pluralOf(parameters)).arg(countText(parameters));
    FactSection section{Words::tr("Selected layers"), {}};
    for (auto const &name : names) {
        auto const it = std::ranges::find_if(found, [&](auto const *layer) { return text(layer->layer.name) == name; });
        QString const value = it == found.end()
            ? Words::tr("not resolved")
            : Words::tr("%1 parameter(s)", nullptr, pluralOf((*it)->parameters())).arg(countText((*it)->parameters()));
        section.facts.push_back({name, value, {}, destination(SelectionKind::Layer, name)});
    }
    out.sections.push_back(section);
    if (!found.empty())
        out.sections.push_back({Words::tr("Together"),
                                {{Words::tr("Multiply-adds"), Words::tr("%1 a sample, forward").arg(shortCount(multiplyAdds)),
                                  countText(static_cast<std::int64_t>(multiplyAdds))}}});
    return out;
}

LayerFacts projectFacts(project::Project const &project, std::vector<Diagnostic> const &problems)
{
    LayerFacts out;
    out.headline = Words::tr("Nothing selected");
    auto const resolved = model::resolve(project.model);
    FactSection model{Words::tr("Model"), {}};
    model.facts.push_back({Words::tr("Name"), text(project.model.name), {}, viewDestination(QStringLiteral("canvas"))});
    model.facts.push_back({Words::tr("Layers"), countText(static_cast<std::int64_t>(project.model.layers.size()))});
    if (resolved.ok()) {
        model.facts.push_back({Words::tr("Parameters"), countText(resolved->parameters()),
                               Words::tr("%1 of them trainable").arg(countText(resolved->trainableParameters()))});
        auto const add = [&](QString const &label, std::vector<std::size_t> const &calls) {
            for (auto const call : calls) {
                auto const &shape = resolved->calls[call].shape;
                QString const name = text(resolved->layerOf(call).layer.name); // tells several of them apart
                model.facts.push_back({label, calls.size() > 1 ? QStringLiteral("%1: %2").arg(name, shapeText(shape)) : shapeText(shape),
                                       text(toText(shape))});
            }
        };
        add(Words::tr("Input"), resolved->inputs);
        add(Words::tr("Output"), resolved->outputs);
        if (resolved->pipelined())
            model.facts.push_back({project.training.isSharded() ? Words::tr("Sharded layers") : Words::tr("Pipeline"),
                                   Words::tr("%Ln stage(s)", nullptr, resolved->stages()),
                                   {},
                                   viewDestination(QStringLiteral("config"))});
    }
    out.sections.push_back(model);
    auto const &plan = project.training;
    FactSection training{Words::tr("Training"), {}};
    training.facts.push_back({Words::tr("Loss"),
                              plan.losses.empty() ? Words::tr("none") : text(plan.losses.front().className),
                              {},
                              viewDestination(QStringLiteral("plan"))});
    training.facts.push_back({Words::tr("Optimizer"), text(plan.optimizer.className), {}, viewDestination(QStringLiteral("plan"))});
    training.facts.push_back({Words::tr("Batch size"), countText(plan.batchSize)});
    training.facts.push_back({Words::tr("Epochs"), countText(plan.epochs)});
    out.sections.push_back(training);
    FactSection system{Words::tr("System"), {}};
    system.facts.push_back({Words::tr("Target"), text(project.target), {}, viewDestination(QStringLiteral("config"))});
    auto const changed = project.config.changedPaths().size();
    system.facts.push_back({Words::tr("Configuration"),
                            Words::tr("%Ln option(s) changed", nullptr, static_cast<int>(changed)),
                            {},
                            viewDestination(QStringLiteral("config"))});
    system.facts.push_back({Words::tr("Data"), dataText(project.data), {}, viewDestination(QStringLiteral("data"))});
    out.sections.push_back(system);
    int errors = 0;
    for (auto const &problem : problems) errors += problem.severity == Severity::Error;
    if (errors > 0) out.problems << Words::tr("%Ln problem(s) keep the project from compiling.", nullptr, errors);
    return out;
}

} // namespace tilewright::views

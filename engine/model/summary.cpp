#include "engine/model/summary.h"

#include "engine/core/safe_text.h"
#include "engine/core/text.h"
#include "engine/model/placeholder.h"

#include <algorithm>
#include <span>

namespace tilewright::model {

namespace {

/// Keras prints a Python tuple, and for an input layer a list that holds one; of several outputs a list of them all.
std::string shapeText(SummaryRow const &row)
{
    if (row.severalShapes) return "multiple";
    if (row.outputShape.empty()) return "?";
    auto const tuple = [](Shape const &shape) {
        std::string text = "(";
        for (std::size_t i = 0; i < shape.size(); ++i) {
            if (i) text += ", ";
            text += shape[i] < 0 ? std::string("None") : std::to_string(shape[i]);
        }
        return text + (shape.size() == 1 ? ",)" : ")");
    };
    std::string text = tuple(row.outputShape);
    for (auto const &shape : row.furtherShapes) text += ", " + (shape.empty() ? "?" : tuple(shape));
    return row.type == "InputLayer" || !row.furtherShapes.empty() ? "[" + text + "]" : text;
}

/// Cells cut and padded so that column i ends at stops[i], with one blank before the next.
std::string tableRow(std::vector<std::string> const &cells, std::span<std::size_t const> stops)
{
    std::string line;
    for (std::size_t i = 0, used = 0; i < cells.size(); ++i) {
        // The last column of a cell stays blank, but for the last cell.
        auto const room = stops[i] - used - (i + 1 < cells.size() ? 1 : 0);
        auto const cell = safeText(cells[i]);
        auto const shown = firstCharacters(cell, room);
        line += shown;
        line.append(stops[i] - used - characterCount(shown), ' ');
        used = stops[i];
    }
    return line + "\n";
}

/// Each model that layers came in, once, in the order of the first layer.
void addModels(ResolvedModel const &model, Summary &summary)
{
    std::vector<std::size_t> lastCalls;
    for (auto const &layer : model.layers) {
        std::string path;
        for (auto const &enclosing : layer.layer.within) {
            auto it = std::ranges::find_if(summary.models,
                                           [&](SummaryRow const &row) { return row.name == enclosing.name && row.within == path; });
            auto const index = static_cast<std::size_t>(it - summary.models.begin());
            if (it == summary.models.end()) {
                SummaryRow row;
                row.name = enclosing.name;
                row.type = enclosing.className;
                row.within = path;
                summary.models.push_back(std::move(row));
                lastCalls.push_back(0);
            }
            auto &row = summary.models[index];
            row.parameters += layer.parameters();
            if (!layer.calls.empty() && layer.calls.back() >= lastCalls[index]) {
                lastCalls[index] = layer.calls.back();
                row.outputShape = model.calls[layer.calls.back()].shape;
            }
            path += (path.empty() ? "" : "/") + enclosing.name;
        }
    }
}

/// The penalties on the outputs of the layer and of the layers inside it.
void addOutputPenalties(Layer const &layer, std::string const &path, std::vector<SummaryLimit> &penalties)
{
    if (auto const penalty = activityRegularizer(layer)) penalties.push_back({path + "output", classText(regularizerSpecs(), *penalty)});
    auto const *spec = findLayerSpec(layer.className);
    if (!spec) return;
    for (auto const &param : spec->params) {
        if (param.type != ParamType::Layer || layer.isNull(param.name) || !layer.config[param.name].is_object()) continue;
        if (auto const inner = layerInside(layer.config[param.name], layer.name); inner.ok())
            addOutputPenalties(*inner, path + param.name + "/", penalties);
    }
}

void addLimits(ResolvedLayer const &layer, SummaryRow &row)
{
    for (auto const &weight : layer.weights) {
        if (weight.regularizer) row.penalties.push_back({weight.name, classText(regularizerSpecs(), *weight.regularizer)});
        if (weight.constraint) row.constraints.push_back({weight.name, classText(constraintSpecs(), *weight.constraint)});
    }
    addOutputPenalties(layer.layer, "", row.penalties);
}

/// A heading and a line for each: "dense/kernel: L2(l2=0.01)".
std::string limitsText(Summary const &summary, std::string const &heading, std::vector<SummaryLimit> SummaryRow::*limits)
{
    std::string text;
    for (auto const &row : summary.rows)
        for (auto const &limit : row.*limits)
            text += "  " + safeText((row.within.empty() ? "" : row.within + "/") + row.name + "/" + limit.of + ": " + limit.text) + "\n";
    return text.empty() ? text : heading + "\n" + text;
}

std::string placeholdersText(Summary const &summary)
{
    std::string text;
    for (auto const &row : summary.rows)
        if (row.placeholder)
            text += "  " + safeText((row.within.empty() ? "" : row.within + "/") + row.name + " (" + row.type + ")") + "\n";
    return text.empty() ? text : "Placeholders for layers that cannot be computed:\n" + text;
}

bool isChain(ResolvedModel const &model)
{
    if (model.kind == ModelKind::Sequential) return true;
    std::vector<int> users(model.calls.size(), 0);
    for (auto const &call : model.calls) {
        if (call.inputs.size() > 1) return false;
        if (call.tensor > 0) return false;
        for (auto const from : call.inputs) ++users[from];
    }
    for (auto const count : users)
        if (count > 1) return false;
    for (auto const &layer : model.layers)
        if (layer.calls.size() > 1) return false;
    return model.inputs.size() <= 1 && model.outputs.size() == 1;
}

} // namespace

Summary summarize(ResolvedModel const &model)
{
    Summary summary;
    summary.modelName = model.name;
    summary.kind = model.kind;
    summary.chain = isChain(model);
    for (auto const &layer : model.layers) {
        if (model.kind == ModelKind::Sequential && layer.layer.className == "InputLayer") continue;
        SummaryRow row;
        row.name = layer.layer.name;
        row.type = shownClass(layer.layer);
        row.placeholder = isPlaceholder(layer.layer);
        row.parameters = layer.parameters();
        for (auto const &enclosing : layer.layer.within) row.within += (row.within.empty() ? "" : "/") + enclosing.name;
        for (std::size_t i = 0; i < layer.calls.size(); ++i) {
            auto const &call = model.calls[layer.calls[i]];
            if (i == 0) {
                row.outputShape = call.shape;
                for (int tensor = 1; !call.shape.empty() && tensor < outputsOf(layer.layer); ++tensor)
                    row.furtherShapes.push_back(layer.spec->furtherShape(layer.layer, call.shape, tensor));
                row.stage = call.stage;
            } else if (call.shape != row.outputShape) {
                row.severalShapes = true;
            }
            for (auto const from : call.inputs)
                row.connectedTo.push_back(model.layerOf(from).layer.name + "[" + std::to_string(model.calls[from].node) + "]["
                                          + std::to_string(model.calls[from].tensor) + "]");
        }
        addLimits(layer, row);
        summary.rows.push_back(std::move(row));
    }
    addModels(model, summary);
    summary.totalParameters = model.parameters();
    summary.trainableParameters = model.trainableParameters();
    return summary;
}

std::string summaryText(Summary const &summary)
{
    // Column ends: 45, 85, 100 % of 65, or 33, 55, 67, 100 % of 98 columns, rounded down.
    static constexpr std::size_t kChainStops[] = {29, 55, 65};
    static constexpr std::size_t kGraphStops[] = {32, 53, 65, 98};
    bool const graph = !summary.chain;
    std::span<std::size_t const> const stops =
        graph ? std::span<std::size_t const>(kGraphStops) : std::span<std::size_t const>(kChainStops);
    std::size_t const width = stops.back();
    std::string const rule = std::string(width, '_') + "\n";
    std::string const bar = std::string(width, '=') + "\n";
    std::vector<std::string> header{"Layer (type)", "Output Shape", "Param #"};
    if (graph) header.push_back("Connected to");
    std::string text = "Model: \"" + summary.modelName + "\"\n" + rule + tableRow(header, stops) + bar;
    for (std::size_t i = 0; i < summary.rows.size(); ++i) {
        auto const &row = summary.rows[i];
        std::vector<std::string> cells{(row.within.empty() ? "" : row.within + "/") + row.name + " (" + row.type + ")", shapeText(row),
                                       std::to_string(row.parameters)};
        if (graph) cells.push_back(row.connectedTo.empty() ? "" : row.connectedTo.front());
        text += tableRow(cells, stops);
        for (std::size_t k = 1; graph && k < row.connectedTo.size(); ++k) text += tableRow({"", "", "", row.connectedTo[k]}, stops);
        text += i + 1 < summary.rows.size() ? rule : bar;
    }
    text += "Total params: " + groupedDigits(summary.totalParameters) + "\n";
    text += "Trainable params: " + groupedDigits(summary.trainableParameters) + "\n";
    text += "Non-trainable params: " + groupedDigits(summary.totalParameters - summary.trainableParameters) + "\n";
    auto const limits = placeholdersText(summary) + limitsText(summary, "Penalties in the loss:", &SummaryRow::penalties)
        + limitsText(summary, "Constraints after each update:", &SummaryRow::constraints);
    return text + rule + (limits.empty() ? "" : limits + rule);
}

} // namespace tilewright::model

#pragma once

#include "engine/core/result.h"
#include "engine/model/model.h"

#include <QString>

#include <functional>
#include <string>
#include <vector>

// Edits of a model, as functions from one model to the next. A refusal has a translated reason and the layer as subject. The input model is
// never modified.
namespace tilewright::views {

/// One connection: input `input` of call `call` of layer `to` is the output of layer `from`.
struct ModelEdge {
    std::string from, to;
    int call = 0, input = 0;
    bool operator==(ModelEdge const &) const = default;
};

/// The model after an edit, the layers to select, and a note for the user.
struct ModelEdit {
    model::Model model;
    std::vector<std::string> layers;
    QString note; ///< "" = none; else a translated sentence ("The model is functional now …")
};

/// All connections in layer order; for a Sequential model those between neighbours.
std::vector<ModelEdge> edgesOf(model::Model const &model);
/// Whether connections lead from `from` to `to` (a layer reaches itself).
bool reaches(model::Model const &model, std::string const &from, std::string const &to);
/// The layer after which new layers are inserted without a selection: the output; "" = none.
std::string lastLayer(model::Model const &model);
/// Pipeline stage of a layer (of its first call); -1: none.
int stageOf(model::Model const &model, std::string const &layer);
bool isOutput(model::Model const &model, std::string const &layer);

/// Appends layers after `after` ("" = after the output). Replaces used or empty names. A Sequential model inserts them between `after` and
/// the next layer. A functional one adds a branch, which becomes the output if `after` was the output. Layers with several inputs make the
/// model functional.
Result<ModelEdit> appendLayers(model::Model const &model, std::vector<model::Layer> layers, std::string const &after);
/// Inserts between `after` and all readers of its output.
Result<ModelEdit> insertAfter(model::Model const &model, model::Layer layer, std::string const &after);
/// Inserts into one connection. Refuses an input layer or a missing connection.
Result<ModelEdit> insertOnEdge(model::Model const &model, model::Layer layer, ModelEdge const &edge);
/// Adds an unconnected layer (functional).
Result<ModelEdit> addLoose(model::Model const &model, model::Layer layer);

/// Refuses a cycle, an input layer as target, more inputs than the class takes, and an existing connection.
Result<ModelEdit> connectLayers(model::Model const &model, std::string const &from, std::string const &to);
Result<ModelEdit> disconnectLayers(model::Model const &model, ModelEdge const &edge);
/// Removes layers. Readers of a removed layer with a single input read that input instead.
Result<ModelEdit> removeHealing(model::Model const &model, std::vector<std::string> const &names);

Result<ModelEdit> renamed(model::Model const &model, std::string const &from, std::string const &to);
/// Moves a layer of a Sequential model by `by` places.
Result<ModelEdit> moveLayer(model::Model const &model, std::string const &name, int by);
Result<ModelEdit> duplicateLayers(model::Model const &model, std::vector<std::string> const &names);

/// The layers and their mutual connections as a separate model (Sequential if they are a chain), in Keras's form, for the clipboard.
Result<model::Model> extractLayers(model::Model const &model, std::vector<std::string> const &names);
/// Inserts a copied model after `after`: its unconnected inputs read the output of `after`.
Result<ModelEdit> pasteLayers(model::Model const &model, model::Model const &copied, std::string const &after);

Result<ModelEdit> withOutput(model::Model const &model, std::string const &layer, bool output);
/// Sets the stage of all calls of these layers; -1: none.
Result<ModelEdit> withStage(model::Model const &model, std::vector<std::string> const &names, int stage);
/// Proposes cuts into so many stages, one per entry of model::stageAssignment, from costs of layers (advice/layer_cost_watch.h).
using StageProposer = std::function<Result<std::vector<int>>(model::Model const &model, int stages)>;
/// Contiguous stages; without a proposer with equal multiply-adds.
Result<ModelEdit> withProposedStages(model::Model const &model, int stages, StageProposer const &propose = {});

/// The same network with explicit connections.
model::Model toFunctional(model::Model const &model);
/// Refuses layers that are not a chain.
Result<ModelEdit> toSequential(model::Model const &model);

} // namespace tilewright::views

#pragma once

#include "engine/core/result.h"
#include "engine/model/model.h"

#include <QString>

#include <functional>
#include <string>
#include <vector>

// What a person does to a model, as functions from one model to the next. A refusal says in a translated
// sentence why, with the layer as subject; the model that came in is never altered.
namespace tilewright::views {

/// One connection: input `input` of call `call` of layer `to` takes the output of layer `from`.
struct ModelEdge {
    std::string from, to;
    int call = 0, input = 0;
    bool operator==(ModelEdge const &) const = default;
};

/// The model after an edit, which layers to select then, and what a person should know of it besides.
struct ModelEdit {
    model::Model model;
    std::vector<std::string> layers;
    QString note; ///< "" = nothing; else a translated sentence ("The model is functional now …")
};

/// All connections in layer order; a Sequential model's are those between neighbours.
std::vector<ModelEdge> edgesOf(model::Model const &model);
/// Whether `to` is reached from `from` along connections (a layer reaches itself).
bool reaches(model::Model const &model, std::string const &from, std::string const &to);
/// The layer that new layers go after when nothing is selected: the output; "" = there is none.
std::string lastLayer(model::Model const &model);
/// Pipeline stage of a layer (of its first call); -1: none.
int stageOf(model::Model const &model, std::string const &layer);
bool isOutput(model::Model const &model, std::string const &layer);

/// The layers one after another behind `after` ("" = behind the output). Names that are taken or empty are
/// replaced. A Sequential model takes them between `after` and what follows; a functional one as a branch,
/// which becomes the output when `after` was it. Layers with several inputs make the model functional.
Result<ModelEdit> appendLayers(model::Model const &model, std::vector<model::Layer> layers, std::string const &after);
/// Between `after` and everything that takes its output.
Result<ModelEdit> insertAfter(model::Model const &model, model::Layer layer, std::string const &after);
/// Into one connection. Refused: an input layer, a connection that is not there (any more).
Result<ModelEdit> insertOnEdge(model::Model const &model, model::Layer layer, ModelEdge const &edge);
/// A layer that nothing is connected with yet (functional).
Result<ModelEdit> addLoose(model::Model const &model, model::Layer layer);

/// Refused: a cycle, an input layer as target, more inputs than the class takes, a connection that exists.
Result<ModelEdit> connectLayers(model::Model const &model, std::string const &from, std::string const &to);
Result<ModelEdit> disconnectLayers(model::Model const &model, ModelEdge const &edge);
/// Removes layers; what took the output of one with a single input takes that input instead.
Result<ModelEdit> removeHealing(model::Model const &model, std::vector<std::string> const &names);

Result<ModelEdit> renamed(model::Model const &model, std::string const &from, std::string const &to);
/// Moves a layer of a Sequential model by `by` places.
Result<ModelEdit> moveLayer(model::Model const &model, std::string const &name, int by);
Result<ModelEdit> duplicateLayers(model::Model const &model, std::vector<std::string> const &names);

/// The layers and the connections among them as a model of their own (Sequential when they are a chain):
/// what the clipboard holds, in Keras's form.
Result<model::Model> extractLayers(model::Model const &model, std::vector<std::string> const &names);
/// Puts a copied model behind `after`: what has no input there takes the output of `after`.
Result<ModelEdit> pasteLayers(model::Model const &model, model::Model const &copied, std::string const &after);

Result<ModelEdit> withOutput(model::Model const &model, std::string const &layer, bool output);
/// Stage of all calls of these layers; -1: none.
Result<ModelEdit> withStage(model::Model const &model, std::vector<std::string> const &names, int stage);
/// Where to cut a model into so many stages, one for each entry of model::stageAssignment: what knows costs of layers says so
/// (advice/layer_cost_watch.h).
using StageProposer = std::function<Result<std::vector<int>>(model::Model const &model, int stages)>;
/// Contiguous stages; without a proposer those that share the multiply-adds.
Result<ModelEdit> withProposedStages(model::Model const &model, int stages, StageProposer const &propose = {});

/// The same network with its connections written out.
model::Model toFunctional(model::Model const &model);
/// Refused when the layers are no chain.
Result<ModelEdit> toSequential(model::Model const &model);

} // namespace tilewright::views

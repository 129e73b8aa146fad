#include "engine/model/stages.h"

#include "engine/core/pipeline_schedule.h"
#include "engine/core/text.h"
#include "engine/model/topology.h"
#include "engine/model/training_plan.h"

#include <algorithm>
#include <map>
#include <numeric>

namespace tilewright::model {

namespace {

constexpr int kMostIpus = 64; ///< of a system

Diagnostic stageError(std::string subject, Message message, Message remedy)
{
    return makeError(ErrorKind::Invalid, "model.stage", std::move(subject), std::move(message), std::move(remedy));
}

bool isInput(ResolvedModel const &model, ResolvedCall const &call) { return model.layers[call.layer].layer.className == "InputLayer"; }

std::string callName(ResolvedModel const &model, ResolvedCall const &call)
{
    auto const &owner = model.layers[call.layer];
    return owner.calls.size() > 1 ? owner.layer.name + " (call " + std::to_string(call.node) + ")" : owner.layer.name;
}

Diagnostic noStage(ResolvedModel const &model, ResolvedCall const &call)
{
    return stageError(callName(model, call), Message::of("the layer has no pipeline stage"),
                      Message::of("give every layer a stage, or none"));
}

} // namespace

std::vector<std::size_t> stagedCalls(ResolvedModel const &model)
{
    std::vector<std::size_t> calls;
    for (std::size_t i = 0; i < model.calls.size(); ++i)
        if (!isInput(model, model.calls[i]) && model.calls[i].tensor == 0) calls.push_back(i);
    return calls;
}

Result<std::vector<StageAssignment>> stageAssignment(Model const &model)
{
    Model normal = model;
    normalizeModel(normal);
    TW_ASSIGN(Topology const topology, topologyOf(normal));
    std::vector<StageAssignment> list;
    for (auto const &node : topology.nodes) {
        auto const &layer = normal.layers[node.layer];
        if (layer.className == "InputLayer" || node.tensor > 0) continue;
        auto const index = static_cast<std::size_t>(node.node);
        int const own = index < layer.calls.size() ? layer.calls[index].stage : -1;
        StageAssignment entry{layer.name, layer.className, node.node, {}, own >= 0 ? own : layer.stage};
        for (auto const from : node.inputs) entry.inputs.push_back(normal.layers[topology.nodes[from].layer].name);
        list.push_back(std::move(entry));
    }
    return list;
}

Result<Model> withStages(Model const &model, std::vector<StageAssignment> const &assignment)
{
    TW_ASSIGN(auto const current, stageAssignment(model));
    if (current.size() != assignment.size())
        return stageError(model.name, Message::of("there are %1 stages but %2 layer calls", assignment.size(), current.size()),
                          Message::of("give one stage per call, input layers left out"));
    std::vector<int> stages;
    for (std::size_t i = 0; i < current.size(); ++i) {
        if (current[i].layer != assignment[i].layer || current[i].node != assignment[i].node)
            return stageError(assignment[i].layer,
                              Message::of("entry %1 is for layer %2 instead of %3", i, assignment[i].layer, current[i].layer),
                              Message::of("keep the order of the list that was read"));
        stages.push_back(assignment[i].stage);
    }
    return withStages(model, stages);
}

Result<Model> withStages(Model const &model, std::vector<int> const &stages)
{
    TW_ASSIGN(auto const current, stageAssignment(model));
    if (current.size() != stages.size())
        return stageError(model.name, Message::of("there are %1 stages but %2 layer calls", stages.size(), current.size()),
                          Message::of("give one stage per call, input layers left out"));
    Model changed = withoutStages(model);
    std::map<std::string, std::vector<int>> byLayer;
    for (std::size_t i = 0; i < current.size(); ++i) byLayer[current[i].layer].push_back(stages[i]);
    for (std::size_t i = 0; i < current.size(); ++i) {
        Layer *layer = changed.find(current[i].layer);
        auto const &all = byLayer[current[i].layer];
        bool const same = std::all_of(all.begin(), all.end(), [&](int stage) { return stage == all.front(); });
        if (same) layer->stage = stages[i];
        else layer->calls[static_cast<std::size_t>(current[i].node)].stage = stages[i];
    }
    return changed;
}

Result<Model> withLayerStage(Model const &model, std::string_view layer, int stage)
{
    if (stage < -1 || stage > 4095)
        return stageError(std::string(layer), Message::of("stage %1 is out of range", stage), Message::of("use a stage of 0 or more"));
    return withModelField(model, "layers." + std::string(layer) + ".stage", std::to_string(stage));
}

Model withoutStages(Model const &model)
{
    Model changed = model;
    for (auto &layer : changed.layers) {
        layer.stage = -1;
        for (auto &call : layer.calls) call.stage = -1;
    }
    return changed;
}

Status checkStages(ResolvedModel const &model)
{
    if (!model.pipelined()) return {};
    int const stages = model.stages();
    std::vector<char> used(static_cast<std::size_t>(stages), 0);
    for (auto const index : stagedCalls(model)) {
        auto const &call = model.calls[index];
        if (call.stage < 0) return noStage(model, call);
        used[static_cast<std::size_t>(call.stage)] = 1;
        for (auto const from : call.inputs)
            if (model.calls[from].stage > call.stage)
                return stageError(callName(model, call),
                                  Message::of("stage %1 depends on layer %2 of the later stage %3", call.stage,
                                              callName(model, model.calls[from]), model.calls[from].stage),
                                  Message::of("move it to stage %1 or later", std::to_string(model.calls[from].stage)));
    }
    std::vector<std::string> empty;
    for (std::size_t i = 0; i < used.size(); ++i)
        if (!used[i]) empty.push_back(std::to_string(i));
    if (!empty.empty())
        return stageError(model.name, Message::of("pipeline stages without layers: %1", joinText(empty, ", ")),
                          Message::of("number the stages from 0 without gaps"));
    if (stages < 2)
        return stageError(model.name, Message::of("a pipeline needs at least two stages"),
                          Message::of("assign a second stage or remove the stages"));
    return {};
}

Status checkShards(ResolvedModel const &model)
{
    for (auto const index : stagedCalls(model))
        if (model.calls[index].stage < 0) return noStage(model, model.calls[index]);
    return {};
}

int pipelineStages(ResolvedModel const &model, TrainingPlan const &plan) { return plan.isSharded() ? 0 : model.stages(); }

std::vector<int> stageIpus(std::vector<int> const &mapping, int stages)
{
    if (!mapping.empty()) {
        auto known = mapping; // checked or not
        for (int &ipu : known) ipu = std::clamp(ipu, 0, kMostIpus - 1);
        return known;
    }
    std::vector<int> own(static_cast<std::size_t>(std::max(1, stages)));
    std::iota(own.begin(), own.end(), 0);
    return own;
}

int ipusOf(std::vector<int> const &stageIpus)
{
    int ipus = 1;
    for (int const ipu : stageIpus)
        while (ipus <= ipu) ipus *= 2;
    return ipus;
}

Status checkDeviceMapping(std::vector<int> const &mapping, int stages, std::string_view schedule, bool training)
{
    if (mapping.empty()) return {};
    auto const refused = [](Message message, Message remedy) {
        return makeError(ErrorKind::Invalid, "training.device-mapping", "training.device_mapping", std::move(message), std::move(remedy));
    };
    if (mapping.size() != static_cast<std::size_t>(stages))
        return refused(Message::of("it names IPUs for %1 stages, but the model has %2.", mapping.size(), stages),
                       stages > 0 ? Message::of("Give a number for each stage, or null.")
                                  : Message::of("Give the layers pipeline stages first, or set it to null."));
    for (int const ipu : mapping)
        if (ipu < 0 || ipu >= kMostIpus)
            return refused(Message::of("there is no IPU %1: they are numbered from 0 to %2.", ipu, kMostIpus - 1),
                           Message::of("Give a number for each stage, or null."));
    if (!training || pipelineScheduleOf(schedule) != PipelineSchedule::Interleaved) return {};
    for (std::size_t i = 0; i < mapping.size(); ++i)
        for (std::size_t j = 0; j < i; ++j)
            if (mapping[i] == mapping[j])
                return refused(
                    Message::of("stages %1 and %2 share IPU %3, which the interleaved schedule does not allow in training.", j, i,
                                mapping[i]),
                    Message::of("Give each stage an IPU of its own, or set training.pipeline_schedule to grouped or sequential."));
    return {};
}

std::int64_t pipelineDepthMultiple(std::string_view schedule, int stages, bool training)
{
    return PipelineSlots{pipelineScheduleOf(schedule).value_or(PipelineSchedule::Grouped), std::max(1, stages), training}.multiple();
}

Result<std::string> stageSummary(Model const &model)
{
    TW_ASSIGN(auto const list, stageAssignment(model));
    constexpr std::size_t kLine = 89;
    constexpr std::size_t kStops[] = {kLine * 2 / 5, kLine * 4 / 5, kLine};
    auto const row = [&](std::vector<std::string> const &cells) {
        std::string line;
        for (std::size_t i = 0; i < cells.size(); ++i) {
            line += cells[i];
            line.resize(kStops[i] - (i + 1 < cells.size() ? 1 : 0), ' ');
            if (i + 1 < cells.size()) line += ' ';
        }
        return line + "\n";
    };
    std::string const rule(kLine, '_');
    std::string text = "Model: \"" + model.name + "\"\n" + rule + "\n"
        + row({"Layer (type) (node index)", "Input Layers", "Pipeline Stage"}) + std::string(kLine, '=') + "\n";
    for (std::size_t i = 0; i < list.size(); ++i) {
        auto const &entry = list[i];
        std::string const stage = entry.stage < 0 ? "None" : std::to_string(entry.stage);
        std::string const title = entry.layer + " (" + entry.className + ") (" + std::to_string(entry.node) + ")";
        text += row({title, entry.inputs.empty() ? "" : entry.inputs[0], stage});
        for (std::size_t k = 1; k < entry.inputs.size(); ++k) text += row({"", entry.inputs[k], ""});
        text += (i + 1 < list.size() ? rule : std::string(kLine, '=')) + "\n";
    }
    return text;
}

} // namespace tilewright::model

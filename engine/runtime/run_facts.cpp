#include "engine/runtime/run_facts.h"

#include "engine/core/json_text.h"
#include "engine/core/message_json.h"
#include "engine/project/project.h"
#include "engine/store/project_file.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace tilewright::runtime {

using Json = nlohmann::ordered_json;

namespace {

/// `error` is the English text; `error_message` has its pattern and arguments, for readers in another language.
void addError(Json &facts, Diagnostic const &error)
{
    facts["error"] = error.message.text();
    facts["error_message"] = messageToJson(error.message);
    facts["error_code"] = error.code;
    if (!error.subject.empty()) facts["error_subject"] = error.subject;
}

void addProject(Json &facts, project::Project const &project)
{
    Json parts = Json::object();
    for (auto const &[name, text] : project::projectParts(project)) parts[name] = text;
    facts["project"] = std::move(parts);
}

} // namespace

void addDeviceTime(Json &json, DeviceTime const &time)
{
    json["emulated_seconds"] = time.seconds;
    if (time.measured) json["measured_cycles"] = *time.measured;
}

Json runFacts(TrainOutcome const &outcome, project::Project const &project)
{
    Json facts{{"steps", outcome.steps}, {"host_seconds", outcome.hostSeconds}};
    addDeviceTime(facts, outcome.device);
    facts["weights_hash"] = outcome.weightsHash;
    auto const &exe = *outcome.compiled.executable;
    if (exe.emulated) {
        facts["cycles_per_step"] = outcome.compiled.entry()->cyclesPerStep();
        facts["samples_per_second"] = outcome.compiled.samplesPerSecond();
        facts["fits"] = exe.memory.fits;
        Bytes worst = 0;
        for (auto const &ipu : exe.memory.ipus) worst = std::max(worst, ipu.worstBytes);
        facts["max_tile_bytes_with_gaps"] = worst;
    }
    if (!outcome.epochs.empty()) {
        auto const &last = outcome.epochs.back();
        facts["epoch"] = last.epoch;
        facts["loss"] = last.loss;
        for (auto const &[name, value] : last.metrics) facts["metrics"][name] = value;
        if (last.valLoss) facts["val_loss"] = *last.valLoss;
        for (auto const &[name, value] : last.valMetrics) facts["metrics"][name] = value;
    }
    addProject(facts, project);
    if (outcome.loopEnded) facts["ended_by"] = "while";
    else if (!outcome.endedBy.empty()) facts["ended_by"] = outcome.endedBy;
    if (outcome.stopped) addError(facts, *outcome.stopped);
    return facts;
}

Json startFacts(project::Project const &project)
{
    Json facts = orderedJsonOrDiscarded(store::runningFacts());
    addProject(facts, project);
    return facts;
}

Json failureFacts(Diagnostic const &error, project::Project const &project)
{
    Json facts = Json::object();
    addProject(facts, project);
    addError(facts, error);
    return facts;
}

Json endFacts(Result<TrainOutcome> const &outcome, project::Project const &project)
{
    return outcome.ok() ? runFacts(*outcome, project) : failureFacts(outcome.error(), project);
}

} // namespace tilewright::runtime

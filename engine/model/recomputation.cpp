// Rules of recomputation: checkpoints by name and along time, modes against schedules.
#include "engine/model/recomputation.h"

#include "engine/core/text.h"
#include "engine/model/layers/wrapper_rules.h"
#include "engine/model/resolve.h"
#include "engine/model/stages.h"
#include "engine/model/training_plan.h"

#include <algorithm>

namespace tilewright::model {

namespace {

Diagnostic problem(char const *code, std::string const &field, Message message, Message remedy)
{
    return makeError(ErrorKind::Invalid, code, "training." + field, std::move(message), std::move(remedy));
}

bool isUnrolled(Layer const &layer)
{
    if (layer.className != "Bidirectional") return layer.flag("unroll");
    auto const both = bidirectionalLayers(layer);
    return std::ranges::all_of(both, [](Layer const &one) { return one.flag("unroll"); });
}

Status checkRecurrent(TrainingPlan const &plan, ResolvedModel const &model)
{
    if (plan.recurrentCheckpoints == 0) return {};
    char const *const code = "training.recurrent-checkpoints", *const field = "recurrent_checkpoints";
    std::int64_t const parts = plan.recurrentCheckpoints + 1;
    bool any = false;
    for (std::size_t i = 0; i < model.calls.size(); ++i) {
        auto const steps = recurrentSteps(model, i);
        if (steps == 0) continue;
        any = true;
        if (steps % parts == 0) continue;
        auto best = std::min(parts, steps);
        while (steps % best != 0) --best;
        return problem(code, field,
                       Message::of("%1 checkpoints cut the %2 time steps of layer %3 into %4 parts, which do not have equal lengths",
                                   plan.recurrentCheckpoints, steps, model.layerOf(i).layer.name, parts),
                       Message::of("set it to %1, or to another number that is one less than a divisor of %2", best - 1, steps));
    }
    if (any) return {};
    return problem(code, field, Message::of("model %1 has no recurrent layer with a loop over time", model.name),
                   Message::of("set it to 0"));
}

} // namespace

Result<std::vector<std::string>> parseCheckpoints(Json const &value)
{
    std::vector<std::string> names;
    if (value.is_null()) return names;
    Json const list = value.is_array() ? value : Json::array({value});
    for (auto const &item : list) {
        if (!item.is_string())
            return problem("model.bad-argument", "recomputation_checkpoints", Message::of("an entry of the list is not a name"),
                           Message::of("give names of layers, such as [\"dense_1\", \"dense_3\"]"));
        names.push_back(item.get<std::string>());
    }
    return names;
}

std::int64_t recurrentSteps(ResolvedModel const &model, std::size_t call)
{
    auto const &made = model.calls[call];
    auto const &layer = model.layers[made.layer];
    bool const loops = made.tensor == 0 && layer.spec && layer.spec->category == "Recurrent" && layer.layer.className != "TimeDistributed"
        && !isUnrolled(layer.layer);
    if (!loops || made.inputs.empty()) return 0;
    auto const &input = model.calls[made.inputs[0]].shape; // [batch, steps, …]
    return input.size() > 1 ? input[1] : 0;
}

Status checkRecomputation(TrainingPlan const &plan, ResolvedModel const &model)
{
    std::vector<std::string> names;
    for (auto const &layer : model.layers) names.push_back(layer.layer.name);
    for (auto const &name : plan.recomputationCheckpoints)
        if (std::ranges::find(names, name) == names.end())
            return problem("training.recomputation-checkpoints", "recomputation_checkpoints",
                           Message::of("the model has no layer named '%1'", name), suggestion(name, names));
    TW_TRY(checkRecurrent(plan, model));
    if (pipelineStages(model, plan) == 0) return {};
    auto const refuse = [&](char const *schedule, char const *mode, char const *other) -> Status {
        if (plan.pipelineSchedule != schedule || plan.recomputationMode != mode) return {};
        return problem("training.recomputation-mode", "recomputation_mode",
                       Message::of("the %1 schedule does not support %2", std::string(schedule), std::string(mode)),
                       Message::of("set it to auto or %1, or change training.pipeline_schedule", std::string(other)));
    };
    TW_TRY(refuse("sequential", "recompute_then_backpropagate", "recompute_and_backpropagate_interleaved"));
    return refuse("interleaved", "recompute_and_backpropagate_interleaved", "recompute_then_backpropagate");
}

} // namespace tilewright::model

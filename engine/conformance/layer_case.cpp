// Kinds layer and model: outputs, gradients and new state of one call.
#include "engine/conformance/case_run.h"
#include "engine/core/numbers.h"
#include "engine/model/keras_json.h"
#include "engine/model/resolve.h"
#include "engine/model/summary.h"
#include "engine/ops/op_def.h"
#include "engine/training/step_passes.h"

#include <algorithm>

namespace tilewright::conformance {

namespace {

/// What a summary must show: rows by layer name, and the parameter count.
void checkSummary(CaseRun &run, model::ResolvedModel const &resolved)
{
    auto const summary = model::summarize(resolved);
    auto const total = integerOr(run.json(), "total_params", summary.totalParameters);
    if (total != summary.totalParameters)
        run.check.mismatch("the model has " + std::to_string(summary.totalParameters) + " parameters, expected " + std::to_string(total)
                           + ".");
    auto const *rows = find(run.json(), "summary");
    if (!rows || !rows->is_array()) return;
    for (auto const &row : *rows) {
        auto const *name = find(row, "name");
        if (!name || !name->is_string()) continue;
        model::SummaryRow const *found = nullptr;
        for (auto const *list : {&summary.models, &summary.rows})
            if (auto const it = std::ranges::find(*list, name->get<std::string>(), &model::SummaryRow::name); it != list->end())
                found = &*it;
        if (!found) {
            run.check.mismatch("the summary has no layer '" + name->get<std::string>() + "'.");
            continue;
        }
        if (auto const *type = find(row, "class_name"); type && *type != found->type)
            run.check.mismatch("layer " + found->name + " is a " + found->type + ".");
        if (auto const params = integerOr(row, "params", found->parameters); params != found->parameters)
            run.check.mismatch("layer " + found->name + " has " + std::to_string(found->parameters) + " parameters, expected "
                               + std::to_string(params) + ".");
        auto const *extents = find(row, "output_shape");
        if (!extents || !extents->is_array()) continue;
        auto const compare = [&](Json const &wanted, Shape const &actual) {
            Shape shape;
            for (auto const &extent : wanted) shape.push_back(extent.is_number_integer() ? extent.get<std::int64_t>() : -1);
            // An extent that the case leaves open may be known here.
            auto const fits = [](std::int64_t expected, std::int64_t given) { return expected == given || expected < 0; };
            if (!std::ranges::equal(shape, actual, fits))
                run.check.mismatch("layer " + found->name + " gives " + tilewright::toText(actual) + ", expected "
                                   + tilewright::toText(shape) + ".");
        };
        if (extents->empty() || !extents->front().is_array()) {
            compare(*extents, found->outputShape);
            continue;
        }
        if (extents->size() != 1 + found->furtherShapes.size())
            run.check.mismatch("layer " + found->name + " has " + std::to_string(1 + found->furtherShapes.size()) + " outputs, expected "
                               + std::to_string(extents->size()) + ".");
        else
            for (std::size_t i = 0; i < extents->size(); ++i)
                compare((*extents)[i], i == 0 ? found->outputShape : found->furtherShapes[i - 1]);
    }
}

bool computesInHalf(model::ResolvedModel const &resolved)
{
    return std::ranges::any_of(resolved.calls, [](auto const &call) { return call.dtype == DType::F16; });
}

/// Compares a list of tensors with one of the same length that may hold nulls.
Status compareList(CaseRun &run, std::string const &key, std::span<Tensor const> actual, Tolerance tolerance)
{
    auto const *expected = find(*find(run.json(), "expected"), key);
    for (std::size_t i = 0; i < actual.size(); ++i) run.check.computed(key + "_" + std::to_string(i), actual[i]);
    if (!expected) return {};
    if (!expected->is_array() || expected->size() != actual.size())
        return caseError(key, Message::of("the case expects %1 tensors, there are %2.", expected->size(), actual.size()));
    for (std::size_t i = 0; i < actual.size(); ++i) {
        if ((*expected)[i].is_null()) continue;
        std::string const name = key + "_" + std::to_string(i);
        TW_ASSIGN(auto const wanted, tensorOf(run.file, (*expected)[i], name, run.job));
        run.check.values(name, actual[i], wanted, tolerance);
    }
    return {};
}

/// New moving statistics after the call. Of two conventions either counts.
Status compareUpdates(CaseRun &run, std::span<Tensor const> weights, Tolerance tolerance)
{
    auto const &expected = *find(run.json(), "expected");
    auto const *updates = find(expected, "updated_weights");
    if (!updates) return {};
    auto const *others = find(expected, "updated_weights_alternative");
    for (auto const &[key, value] : updates->items()) {
        std::size_t index = weights.size();
        if (auto const number = parseIntegerAs<std::size_t>(key)) index = *number;
        if (index >= weights.size()) return caseError("updated_weights", Message::of("there is no weight %1.", key));
        std::string const name = "updated_weights_" + key;
        TW_ASSIGN(auto const wanted, tensorOf(run.file, value, name, run.job));
        Comparison first;
        first.values(name, weights[index], wanted, tolerance);
        auto const *other = others ? find(*others, key) : nullptr;
        if (first.failed() && other) {
            TW_ASSIGN(auto const alternative, tensorOf(run.file, *other, name, run.job));
            run.check.values(name, weights[index], alternative, tolerance);
        } else {
            run.check.values(name, weights[index], wanted, tolerance);
        }
    }
    return {};
}

/// A layer that keeps its state, called several times: what each call gives.
Status runCalls(CaseRun &run)
{
    auto const &json = run.json();
    TW_TRY(allowOnly(
        json,
        {"format", "id", "kind", "note", "provenance", "tolerance", "summary", "total_params", "model", "training", "weights", "calls"}));
    TW_ASSIGN(auto const *modelJson, require(json, "model"));
    TW_ASSIGN(auto const parsed, model::modelFromKeras(*modelJson));
    TW_ASSIGN(auto const resolved, model::resolve(parsed));
    TW_ASSIGN(auto const *weightsJson, requireArray(json, "weights"));
    TW_ASSIGN(auto const weights, tensorsOf(run.file, *weightsJson, "weights", run.job));
    TW_ASSIGN(auto const *calls, requireArray(json, "calls"));
    checkSummary(run, resolved);
    run.check.setHalf(computesInHalf(resolved));
    auto const *tolerances = find(json, "tolerance");
    auto const tolerance = toleranceOf(tolerances ? find(*tolerances, "outputs") : nullptr);
    std::unique_ptr<StepRunner> runner;
    for (std::size_t i = 0; i < calls->size(); ++i) {
        auto const &call = (*calls)[i];
        TW_TRY(allowOnly(call, {"inputs", "expected_outputs"}));
        TW_ASSIGN(auto const *inputs, requireArray(call, "inputs"));
        TW_ASSIGN(auto const element, tensorsOf(run.file, *inputs, "inputs", run.job));
        if (element.empty() || element[0].shape.empty() || element[0].shape[0] < 1)
            return caseError("inputs", Message::of("there is no sample."));
        if (!runner) {
            auto built = training::buildPrediction(resolved, element[0].shape[0], 1, ops::opLookup());
            if (!built.ok()) return built.error();
            TW_ASSIGN(runner, run.runner(std::move(built).value()));
            TW_TRY(runner->writeWeights(weights));
        }
        TW_ASSIGN(auto const results, runner->run(std::span(&element, 1), run.job));
        TW_ASSIGN(auto const *outputs, requireArray(call, "expected_outputs"));
        TW_ASSIGN(auto const wanted, tensorsOf(run.file, *outputs, "expected_outputs", run.job));
        if (results.size() != 1 || results[0].size() != wanted.size())
            return caseError("expected_outputs", Message::of("the case expects %1 tensors of a call, there are others.", wanted.size()));
        for (std::size_t o = 0; o < wanted.size(); ++o) {
            std::string const name = "call_" + std::to_string(i) + "_output_" + std::to_string(o);
            run.check.computed(name, results[0][o]);
            run.check.values(name, results[0][o], wanted[o], tolerance);
        }
    }
    return {};
}

/// expected.activations: outputs of layers inside. They become outputs of the model.
struct Activations {
    std::vector<std::string> names;     ///< of the case
    std::vector<std::size_t> positions; ///< into the model's outputs
};

Activations addActivations(model::ResolvedModel &resolved, Json const *expected)
{
    Activations activations;
    if (!expected || !expected->is_object()) return activations;
    for (auto const &[name, value] : expected->items()) {
        for (auto const &layer : resolved.layers) {
            if (layer.layer.name != name || layer.calls.empty()) continue;
            auto const at = std::ranges::find(resolved.outputs, layer.calls.front());
            activations.names.push_back(name);
            activations.positions.push_back(static_cast<std::size_t>(at - resolved.outputs.begin()));
            if (at == resolved.outputs.end()) resolved.outputs.push_back(layer.calls.front());
        }
    }
    return activations;
}

} // namespace

Status runLayerCase(CaseRun &run)
{
    auto const &json = run.json();
    if (find(json, "calls")) return runCalls(run);
    TW_TRY(allowOnly(json,
                     {"format", "id", "kind", "note", "provenance", "tolerance", "summary", "total_params", "model", "training", "weights",
                      "inputs", "cotangents", "expected"}));
    TW_ASSIGN(auto const *modelJson, require(json, "model"));
    TW_ASSIGN(auto const *expected, require(json, "expected"));
    TW_TRY(
        allowOnly(*expected, {"outputs", "grad_inputs", "grad_weights", "updated_weights", "updated_weights_alternative", "activations"}));
    TW_ASSIGN(auto const parsed, model::modelFromKeras(*modelJson));
    TW_ASSIGN(auto resolved, model::resolve(parsed));
    TW_ASSIGN(auto const *inputsJson, requireArray(json, "inputs"));
    TW_ASSIGN(auto element, tensorsOf(run.file, *inputsJson, "inputs", run.job));
    TW_ASSIGN(auto const *weightsJson, requireArray(json, "weights"));
    TW_ASSIGN(auto const weights, tensorsOf(run.file, *weightsJson, "weights", run.job));
    if (element.empty() || element[0].shape.empty() || element[0].shape[0] < 1)
        return caseError("inputs", Message::of("there is no sample."));
    checkSummary(run, resolved);
    run.check.setHalf(computesInHalf(resolved));

    auto const *training = find(json, "training");
    bool const isTraining = training && training->is_boolean() && training->get<bool>();
    auto const *cotangents = find(json, "cotangents");
    std::size_t const outputs = resolved.outputs.size();
    auto const activations = addActivations(resolved, find(*expected, "activations"));
    auto const ops = ops::opLookup();
    std::size_t floatInputs = 0;
    for (auto input : resolved.inputs) floatInputs += isFloating(resolved.calls[input].dtype);
    if (cotangents) {
        TW_ASSIGN(auto const seeds, tensorsOf(run.file, *cotangents, "cotangents", run.job));
        element.insert(element.end(), seeds.begin(), seeds.end());
    }
    std::int64_t const batch = element[0].shape[0];
    if (!cotangents && isTraining) return notYet(Message::of("training without cotangents"));
    if (cotangents && !activations.names.empty()) return notYet(Message::of("activations beside cotangents"));
    auto built =
        cotangents ? training::buildWithCotangents(resolved, batch, isTraining, ops) : training::buildPrediction(resolved, batch, 1, ops);
    if (!built.ok()) return built.error();
    TW_ASSIGN(auto const runner, run.runner(std::move(built).value()));
    TW_TRY(runner->writeWeights(weights));
    TW_ASSIGN(auto const results, runner->run(std::span(&element, 1), run.job));
    if (results.size() != 1) return caseError("outputs", Message::of("the program gave %1 results.", results.size()));
    std::span<Tensor const> const all = results[0];

    auto const *tolerances = find(json, "tolerance");
    auto const forOutputs = toleranceOf(tolerances ? find(*tolerances, "outputs") : nullptr);
    auto const forGradients = toleranceOf(tolerances ? find(*tolerances, "gradients") : nullptr);
    TW_TRY(compareList(run, "outputs", all.first(outputs), forOutputs));
    for (std::size_t i = 0; i < activations.names.size(); ++i) {
        auto const &name = activations.names[i];
        TW_ASSIGN(auto const wanted, tensorOf(run.file, (*find(*expected, "activations"))[name], "activations " + name, run.job));
        run.check.values("activation_" + name, all[activations.positions[i]], wanted, forOutputs);
    }
    if (cotangents) {
        // The program gives gradients of floating inputs only; the case has a null for each other one.
        std::vector<Tensor> ofInputs;
        std::size_t next = outputs;
        for (auto input : resolved.inputs) ofInputs.push_back(isFloating(resolved.calls[input].dtype) ? all[next++] : Tensor{});
        TW_TRY(compareList(run, "grad_inputs", ofInputs, forGradients));
        TW_TRY(compareList(run, "grad_weights", all.subspan(outputs + floatInputs), forGradients));
    }
    return compareUpdates(run, runner->readWeights(), forOutputs);
}

} // namespace tilewright::conformance

#pragma once

#include "engine/ops/op_def.h"
#include "engine/passes/pass.h"
#include "engine/training/step_passes.h"
#include "tests/engine/passes/graph_runner.h"

#include <QtTest>

/// Chains of layers with penalties or constraints, run by the reference interpreter on random weights and samples.
namespace tilewright::tests {

struct LimitedModel {
    model::Model model;
    model::TrainingPlan plan;

    LimitedModel(std::vector<model::Layer> layers, Shape const &input)
    {
        model.layers.push_back(model::makeInput("in", input));
        model.layers.insert(model.layers.end(), layers.begin(), layers.end());
        plan.losses = {*model::parseLoss("mse")};
        plan.metrics.clear();
        plan.batchSize = 3;
        plan.optimizer = *model::parseOptimizer(model::Json{{"class_name", "SGD"}, {"config", {{"learning_rate", 0.125}}}});
    }

    /// The model without the arguments NAME_regularizer and NAME_constraint, also of inner layers.
    LimitedModel unlimited() const
    {
        auto copy = *this;
        for (auto &layer : copy.model.layers) layer.config = withoutLimits(layer.config);
        return copy;
    }

private:
    static model::Json withoutLimits(model::Json const &config)
    {
        if (!config.is_object()) return config;
        auto rest = model::Json::object();
        for (auto const &[key, value] : config.items())
            if (!key.ends_with("_regularizer") && !key.ends_with("_constraint")) rest[key] = withoutLimits(value);
        return rest;
    }
};

struct LimitedRun {
    std::map<std::string, RefTensor> weights;             ///< after it, by name
    std::vector<std::map<std::string, RefTensor>> outfed; ///< by micro-batch and name
    double loss(std::size_t i = 0) const { return outfed.at(i).at("loss").v.at(0); }
    double penalty(std::size_t i = 0) const { return outfed.at(i).at("regularization_loss").v.at(0); }
};

/// Weights start as random numbers of their number in the model; micro-batch i has random samples of its own, between -size and size.
inline LimitedRun runLimited(Result<layers::StepGraph> const &step, double size = 1)
{
    if (!step.ok()) qFatal("%s", toText(step.error()).c_str());
    JobContext const job;
    auto const passed = passes::runPasses(passes::graphPasses(), step->graph, {ops::opLookup(), {}, job});
    if (!passed.ok()) qFatal("%s", toText(passed.error()).c_str());
    GraphRunner runner{passed->graph};
    runner.physical = true;
    for (std::size_t i = 0; i < step->weights.size(); ++i)
        runner.variables[step->weights[i]] = randomTensor(step->graph.variable(step->weights[i]).shape, deriveSeed(3, i), -0.8, 0.8);
    std::uint64_t batch = 0;
    runner.infeed = [&](graph::Node const &) {
        ++batch;
        std::vector<RefTensor> values;
        for (std::size_t i = 0; i < step->infeed.size(); ++i)
            values.push_back(randomTensor(step->infeed[i].shape, deriveSeed(10 + i, batch), -size, size));
        return values;
    };
    if (!runner.run()) qFatal("%s", runner.error.c_str());
    LimitedRun result;
    for (auto const &values : runner.outfed) {
        result.outfed.emplace_back();
        for (std::size_t i = 0; i < step->outfeed.size(); ++i) result.outfed.back()[step->outfeed[i].name] = values.at(i);
    }
    for (auto const id : step->weights) result.weights[step->graph.variable(id).name] = runner.variables[id];
    return result;
}

inline LimitedRun evaluated(LimitedModel const &m)
{
    return runLimited(training::buildEvaluation(model::resolve(m.model).value(), m.plan, 1, ops::opLookup()));
}
inline LimitedRun predicted(LimitedModel const &m)
{
    return runLimited(training::buildPrediction(model::resolve(m.model).value(), m.plan.batchSize, 1, ops::opLookup()));
}
inline LimitedRun trained(LimitedModel const &m, double size = 1)
{
    return runLimited(training::buildTraining(model::resolve(m.model).value(), m.plan, ops::opLookup()), size);
}

} // namespace tilewright::tests

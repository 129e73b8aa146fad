#pragma once

#include "engine/training/step_passes.h"
#include "engine/ops/op_def.h"

#include <functional>

namespace tilewright::tests {

/// Flatten(28x28) - Dense(hidden, relu) - [Dropout] - Dense(10, softmax), with plan and one change to it.
struct SmallModel {
    model::Model model;
    model::TrainingPlan plan;

    explicit SmallModel(int hidden = 128, double dropout = 0, Shape const &image = {28, 28})
    {
        using model::Json;
        model.name = "mlp";
        Json shape{nullptr};
        for (auto extent : image) shape.push_back(extent);
        model.layers.push_back(model::makeLayer("Flatten", "flatten", {{"batch_input_shape", shape}}));
        model.layers.push_back(model::makeLayer("Dense", "dense", {{"units", hidden}, {"activation", "relu"}}));
        if (dropout > 0) model.layers.push_back(model::makeLayer("Dropout", "dropout", {{"rate", dropout}}));
        model.layers.push_back(model::makeLayer("Dense", "dense_1", {{"units", 10}, {"activation", "softmax"}}));
        plan.losses = {*model::parseLoss("sparse_categorical_crossentropy")};
        plan.metrics = {*model::parseMetric("accuracy")};
    }

    void pipeline(std::vector<int> const &stages)
    {
        for (std::size_t i = 0; i < stages.size(); ++i) model.layers[i].stage = stages[i];
    }

    model::ResolvedModel resolved() const { return model::resolve(model).value(); }
    Result<layers::StepGraph> training() const { return training::buildTraining(resolved(), plan, ops::opLookup()); }
};

/// Op names of a region's nodes.
inline std::vector<std::string> opsOf(graph::Graph const &graph, graph::RegionId region)
{
    std::vector<std::string> names;
    for (auto id : graph.region(region).nodes) names.push_back(graph.node(id).op);
    return names;
}

/// The first region with this label; invalid if there is none.
inline graph::RegionId regionNamed(graph::Graph const &graph, std::string_view label)
{
    for (std::size_t i = 0; i < graph.regions.size(); ++i)
        if (graph.regions[i].label == label) return graph::RegionId(i);
    return {};
}

inline int countOps(graph::Graph const &graph, graph::RegionId region, std::string_view op)
{
    int count = 0;
    for (auto const &name : opsOf(graph, region)) count += name == op;
    return count;
}

/// The node that owns a region.
inline graph::Node const *ownerOf(graph::Graph const &graph, graph::RegionId region)
{
    for (auto const &node : graph.nodes)
        for (auto sub : node.regions)
            if (sub == region) return &node;
    return nullptr;
}

} // namespace tilewright::tests

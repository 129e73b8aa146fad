#include "engine/cli/bench_projects.h"

#include "engine/model/encoder.h"
#include "engine/model/resolve.h"

#include <algorithm>

namespace tilewright::cli {

project::Project encoderStack(int layers, int stages)
{
    constexpr int kTokens = 128, kClasses = 10;
    model::EncoderBlock block{.width = 768, .heads = 12, .inner = 3072, .activation = "gelu", .dtype = "float16"};
    project::Project p;
    p.title = "encoders";
    p.target = "gc200:ipus=" + std::to_string(stages);
    p.model.name = "encoders";
    p.model.kind = model::ModelKind::Functional;
    model::appendLayer(p.model, model::makeInput("tokens", {kTokens, block.width}, block.dtype), {});
    p.model.inputs.push_back({"tokens", 0, 0});
    std::string x = "tokens";
    for (int i = 0; i < layers; ++i) {
        if (stages > 1) block.stage = i * stages / layers;
        x = model::appendEncoderBlock(p.model, block, "layer" + std::to_string(i) + "_", x);
    }
    for (auto layer :
         {model::makeLayer("GlobalAveragePooling1D", "mean", model::Json{{"dtype", block.dtype}}),
          model::makeLayer("Dense", "classes", model::Json{{"units", kClasses}, {"activation", "softmax"}, {"dtype", block.dtype}})}) {
        layer.stage = block.stage;
        auto const name = layer.name;
        model::appendLayer(p.model, std::move(layer), {x});
        x = name;
    }
    p.model.outputs.push_back({x, 0, 0});
    model::normalizeModel(p.model);
    auto &plan = p.training;
    plan.losses = {*model::parseLoss("SparseCategoricalCrossentropy")};
    plan.optimizer = *model::parseOptimizer(model::Json{{"class_name", "SGD"}, {"config", {{"learning_rate", 0.01}, {"momentum", 0.9}}}});
    plan.metrics.clear();
    plan.batchSize = 1;
    plan.gradientAccumulationSteps = plan.stepsPerExecution =
        std::max(16, 2 * stages); // a Grouped pipeline runs whole rounds of 2 x stages
    plan.pipelineSchedule = "grouped";
    return p;
}

project::Project lstmStack(int layers)
{
    auto p = *project::fromTemplate("mnist-lstm");
    p.model = {};
    for (int i = 0; i < layers; ++i) {
        model::Json config{{"units", 128}, {"return_sequences", i + 1 < layers}};
        if (i == 0) config["batch_input_shape"] = {nullptr, 28, 28};
        p.model.layers.push_back(model::makeLayer("LSTM", "lstm_" + std::to_string(i), std::move(config)));
    }
    p.model.layers.push_back(model::makeLayer("Dense", "classes", model::Json{{"units", 10}, {"activation", "softmax"}}));
    model::normalizeModel(p.model);
    return p;
}

project::Project denseChain(int layers, bool outlined)
{
    auto p = *project::fromTemplate("mnist-mlp");
    p.model = {};
    p.model.layers.push_back(model::makeLayer("Flatten", "flatten", model::Json{{"batch_input_shape", {nullptr, 28, 28, 1}}}));
    for (int i = 0; i < layers; ++i)
        p.model.layers.push_back(
            model::makeLayer("Dense", "dense_" + std::to_string(i), model::Json{{"units", 256}, {"activation", "relu"}}));
    p.model.layers.push_back(model::makeLayer("Dense", "classes", model::Json{{"units", 10}, {"activation", "softmax"}}));
    model::normalizeModel(p.model);
    return project::withField(p, "ipu_config.optimizations.enable_graph_outlining", outlined ? "true" : "false", nullptr).value();
}

} // namespace tilewright::cli

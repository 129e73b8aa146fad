#include "engine/model/templates.h"

#include "engine/model/encoder.h"
#include "engine/model/resolve.h"

namespace tilewright::model {

namespace {

/// The network of the IPU tutorial: images flattened, two hidden layers, ten classes.
Model mnistMlp()
{
    Model model;
    model.layers.push_back(makeLayer("Flatten", "flatten", Json{{"batch_input_shape", {nullptr, 28, 28}}}));
    model.layers.push_back(makeLayer("Dense", "dense", Json{{"units", 256}, {"activation", "relu"}}));
    model.layers.push_back(makeLayer("Dense", "dense_1", Json{{"units", 128}, {"activation", "relu"}}));
    model.layers.push_back(makeLayer("Dense", "dense_2", Json{{"units", 10}, {"activation", "softmax"}}));
    normalizeModel(model);
    return model;
}

Model noLayers()
{
    Model model;
    model.name = "model";
    return model;
}

/// LeNet's heir of the Keras examples: two convolutions with pooling, two dense layers.
Model mnistCnn()
{
    Model model;
    auto const add = [&](char const *className, char const *name, Json config) {
        model.layers.push_back(makeLayer(className, name, std::move(config)));
    };
    add("Reshape", "reshape", Json{{"batch_input_shape", {nullptr, 28, 28}}, {"target_shape", {28, 28, 1}}});
    add("Conv2D", "conv2d", Json{{"filters", 32}, {"kernel_size", 3}, {"activation", "relu"}});
    add("MaxPooling2D", "max_pooling2d", Json{{"pool_size", 2}});
    add("Conv2D", "conv2d_1", Json{{"filters", 64}, {"kernel_size", 3}, {"activation", "relu"}});
    add("MaxPooling2D", "max_pooling2d_1", Json{{"pool_size", 2}});
    add("Flatten", "flatten", Json::object());
    add("Dense", "dense", Json{{"units", 128}, {"activation", "relu"}});
    add("Dense", "dense_1", Json{{"units", 10}, {"activation", "softmax"}});
    normalizeModel(model);
    return model;
}

/// Digits read row by row: the state after the last row tells which.
Model mnistLstm()
{
    Model model;
    model.layers.push_back(makeLayer("LSTM", "lstm", Json{{"units", 128}, {"batch_input_shape", {nullptr, 28, 28}}}));
    model.layers.push_back(makeLayer("Dense", "dense", Json{{"units", 10}, {"activation", "softmax"}}));
    normalizeModel(model);
    return model;
}

TrainingPlan digitsPlan(int epochs)
{
    TrainingPlan plan;
    plan.losses = {*parseLoss("SparseCategoricalCrossentropy")};
    plan.optimizer = *parseOptimizer("RMSprop");
    plan.metrics = {*parseMetric("accuracy")};
    plan.batchSize = 32;
    plan.epochs = epochs;
    return plan;
}

/// The encoder of "Attention Is All You Need", small: symbols and their positions looked up, two blocks of attention and
/// dense layers, each with its sum and norm, and the symbol that belongs to each place of the sorted sequence.
Model transformerSort()
{
    constexpr int kLength = 16, kSymbols = 16, kWidth = 128, kHeads = 4, kInner = 256, kBlocks = 2;
    Model model;
    model.name = "transformer_sort";
    model.kind = ModelKind::Functional;
    for (auto const *name : {"symbols", "positions"}) {
        auto input = makeInput(name, {kLength}, "int32");
        input.calls.emplace_back();
        model.layers.push_back(std::move(input));
        model.inputs.push_back({name, 0, 0});
    }
    appendLayer(model, makeLayer("Embedding", "symbol_embedding", Json{{"input_dim", kSymbols}, {"output_dim", kWidth}}), {"symbols"});
    appendLayer(model, makeLayer("Embedding", "position_embedding", Json{{"input_dim", kLength}, {"output_dim", kWidth}}), {"positions"});
    appendLayer(model, makeLayer("Add", "embedded"), {"symbol_embedding", "position_embedding"});
    std::string x = "embedded";
    for (int i = 0; i < kBlocks; ++i)
        x = appendEncoderBlock(model, {.width = kWidth, .heads = kHeads, .inner = kInner}, "block" + std::to_string(i + 1) + "_", x);
    appendLayer(model, makeLayer("Dense", "sorted", Json{{"units", kSymbols}, {"activation", "softmax"}}), {x});
    model.outputs.push_back({"sorted", 0, 0});
    normalizeModel(model);
    return model;
}

/// A constant rate ends on a noisy step: over 17 seeds 98.8 to 99.4 % of the test digits, in PyTorch as here (also from the same first
/// weights in the same order). Falling to a twentieth it is 99.3 % and above.
TrainingPlan mnistCnnPlan()
{
    auto plan = digitsPlan(2);
    plan.optimizer = *parseOptimizer(Json{
        {"class_name", "RMSprop"},
        {"config",
         {{"learning_rate",
           {{"class_name", "CosineDecay"}, {"config", {{"initial_learning_rate", 0.001}, {"decay_steps", 3750}, {"alpha", 0.05}}}}}}}});
    return plan;
}

TrainingPlan transformerSortPlan()
{
    TrainingPlan plan;
    plan.losses = {*parseLoss("SparseCategoricalCrossentropy")};
    plan.optimizer = *parseOptimizer("Adam");
    plan.metrics = {*parseMetric("accuracy"), *parseMetric("sequence_accuracy")};
    plan.batchSize = 32;
    plan.epochs = 1;
    return plan;
}

/// The perceptron, trained by blocks: all gradients bounded together, hidden layers by one optimizer, the last layer by another.
TrainingPlan customLoopPlan()
{
    auto plan = digitsPlan(5);
    plan.optimizer = *parseOptimizer(Json{{"class_name", "SGD"}, {"config", {{"learning_rate", 0.1}, {"momentum", 0.9}}}});
    plan.loop = *parseTrainingLoop(
        Json::array({"gradients", Json{{"clip", {{"global_norm", 1.0}}}}, "apply",
                     Json{{"apply", {{"weights", {"dense_2/*"}}, {"optimizer", "adam"}}}}, Json{{"while", {{"loss_above", 0.0002}}}}}));
    plan.stepsPerExecution = 25;
    return plan;
}

} // namespace

std::vector<Template> const &modelTemplates()
{
    static std::vector<Template> const templates{
        {"mnist-mlp", "Handwritten digits with dense layers", "784 - 256 - 128 - 10 perceptron on MNIST: the model of the IPU tutorial.",
         "mnist", 1, mnistMlp, [] { return digitsPlan(5); }},
        {"mnist-cnn", "Handwritten digits with convolutions",
         "Two convolutions with pooling and two dense layers on MNIST: 99 % in two epochs.", "mnist", 1, mnistCnn, mnistCnnPlan},
        {"mnist-lstm", "Handwritten digits row by row",
         "LSTM of 128 units that reads the 28 rows of an MNIST image, and a dense layer on its last state.", "mnist", 1, mnistLstm,
         [] { return digitsPlan(3); }},
        {"transformer-sort", "Sequences sorted by attention",
         "Encoder with 2 blocks of 4 heads, 128 features, that sorts 16 symbols. Symbols and positions are two inputs.", "sorting", 1,
         transformerSort, transformerSortPlan},
        {"custom-loop", "A training loop of your own",
         "The perceptron on MNIST with a training loop of blocks: gradients clipped by their global norm, two optimizers for two groups of "
         "weights, a while block that ends at a loss bound.",
         "mnist", 1, mnistMlp, customLoopPlan},
        {std::string(kEmptyTemplate), "Empty project",
         "No layers; training plan and data of mnist-mlp, so that a new model can be trained at once.", "mnist", 1, noLayers,
         [] { return digitsPlan(5); }},
    };
    return templates;
}

Result<Template> findTemplate(std::string_view name)
{
    std::vector<std::string> names;
    for (auto const &each : modelTemplates()) {
        if (each.name == name) return each;
        names.push_back(each.name);
    }
    return makeError(ErrorKind::Invalid, "model.unknown-template", std::string(name),
                     Message::of("no template is named '%1'", std::string(name)), suggestion(name, names));
}

} // namespace tilewright::model

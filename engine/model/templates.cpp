#include "engine/model/templates.h"

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

} // namespace

std::vector<Template> const &modelTemplates()
{
    static std::vector<Template> const templates{
        {"mnist-mlp", "Handwritten digits with dense layers",
         "784 - 256 - 128 - 10 perceptron on MNIST: the model of the IPU tutorial.", "mnist", 1, mnistMlp, [] { return digitsPlan(5); }},
        {"mnist-cnn", "Handwritten digits with convolutions",
         "Two convolutions with pooling and two dense layers on MNIST: 99 % in two epochs.", "mnist", 1, mnistCnn, [] { return digitsPlan(2); }},
        {"mnist-lstm", "Handwritten digits row by row",
         "LSTM of 128 units that reads the 28 rows of an MNIST image, and a dense layer on its last state.", "mnist", 1, mnistLstm,
         [] { return digitsPlan(3); }},
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
                     "no template is named '" + std::string(name) + "'", suggestion(name, names));
}

} // namespace tilewright::model

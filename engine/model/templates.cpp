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

TrainingPlan mnistMlpPlan()
{
    TrainingPlan plan;
    plan.losses = {*parseLoss("SparseCategoricalCrossentropy")};
    plan.optimizer = *parseOptimizer("RMSprop");
    plan.metrics = {*parseMetric("accuracy")};
    plan.batchSize = 32;
    plan.epochs = 5;
    return plan;
}

} // namespace

std::vector<Template> const &modelTemplates()
{
    static std::vector<Template> const templates{
        {"mnist-mlp", "Handwritten digits with dense layers",
         "784 - 256 - 128 - 10 perceptron on MNIST: the model of the IPU tutorial.", "mnist", 1, mnistMlp, mnistMlpPlan},
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

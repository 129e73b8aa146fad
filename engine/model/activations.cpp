#include "engine/model/activations.h"

namespace tilewright::model {

namespace {

Activation named(std::string name)
{
    Activation activation;
    activation.name = std::move(name);
    return activation;
}

Activation withAlpha(std::string name, double alpha)
{
    Activation activation = named(std::move(name));
    activation.alpha = alpha;
    return activation;
}

Activation relu6()
{
    Activation activation = named("relu6");
    activation.maxValue = 6.0;
    return activation;
}

} // namespace

std::vector<ActivationSpec> const &activationSpecs()
{
    static std::vector<ActivationSpec> const specs{
        {"elu", {}, "x > 0 ? x : alpha (exp(x) - 1), alpha = 1", withAlpha("elu", 1.0)},
        {"exponential", {}, "exp(x)", named("exponential")},
        {"gelu", {}, "x/2 (1 + erf(x / sqrt 2))", named("gelu")},
        {"hard_sigmoid", {}, "0.2 x + 0.5, limited to 0 ... 1", named("hard_sigmoid")},
        {"leaky_relu", {}, "x > 0 ? x : alpha x, alpha = 0.2", withAlpha("leaky_relu", 0.2)},
        {"linear", {}, "x", named("linear")},
        {"log_softmax", {}, "x - log(sum(exp(x))) over the last axis", named("log_softmax")},
        {"relu", {}, "max(x, 0)", named("relu")},
        {"relu6", {}, "max(x, 0), at most 6", relu6()},
        {"selu", {}, "1.0507 (x > 0 ? x : 1.67326 (exp(x) - 1))", named("selu")},
        {"sigmoid", {}, "1 / (1 + exp(-x))", named("sigmoid")},
        {"softmax", {}, "exp(x) / sum(exp(x)) over the last axis", named("softmax")},
        {"softplus", {}, "log(1 + exp(x))", named("softplus")},
        {"softsign", {}, "x / (1 + |x|)", named("softsign")},
        {"swish", {"silu"}, "x / (1 + exp(-x))", named("swish")},
        {"tanh", {}, "tanh(x)", named("tanh")},
    };
    return specs;
}

std::vector<std::string> activationNames()
{
    std::vector<std::string> names;
    for (auto const &spec : activationSpecs()) names.push_back(spec.name);
    return names;
}

Result<Activation> activationNamed(std::string_view name, std::string const &subject)
{
    for (auto const &spec : activationSpecs()) {
        if (spec.name == name) return spec.defaults;
        for (auto const &alias : spec.aliases)
            if (alias == name) return spec.defaults;
    }
    return makeError(ErrorKind::Invalid, "model.unknown-activation", subject, Message::of("no activation is named '%1'", std::string(name)),
                     suggestion(name, activationNames()));
}

} // namespace tilewright::model

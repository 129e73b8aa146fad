#include "engine/model/layers/weight_limits.h"

namespace tilewright::model {

namespace {

/// The argument of `layer` that belongs to a weight: kernel_regularizer for "kernel" and "query/kernel", recurrent_regularizer for
/// "recurrent_kernel". "": none.
std::string argumentOf(Layer const &layer, std::string const &weight, std::string const &ending)
{
    static constexpr std::string_view kKernel = "_kernel";
    std::string name = weight.substr(weight.rfind('/') + 1);
    if (!layer.isNull(name + ending)) return name + ending;
    if (!name.ends_with(kKernel)) return {};
    name.resize(name.size() - kKernel.size());
    return layer.isNull(name + ending) ? std::string() : name + ending;
}

Status addLimits(Layer const &layer, WeightSpec &weight)
{
    if (auto const argument = argumentOf(layer, weight.name, "_regularizer"); !argument.empty()) {
        TW_ASSIGN(auto regularizer, parseRegularizer(layer.config[argument], layer.name + ", " + argument));
        TW_TRY(checkRegularizer(regularizer, weight.shape, layer.name, argument));
        if (!regularizer.isZero()) weight.regularizer = std::move(regularizer);
    }
    if (auto const argument = argumentOf(layer, weight.name, "_constraint"); !argument.empty()) {
        TW_ASSIGN(auto constraint, parseConstraint(layer.config[argument], layer.name + ", " + argument));
        TW_TRY(checkConstraint(constraint, weight.shape, layer.name, argument));
        weight.constraint = std::move(constraint);
    }
    return {};
}

} // namespace

std::vector<LayerSpec> withLimits(std::vector<LayerSpec> specs)
{
    for (auto &spec : specs) {
        if (!spec.weights) continue;
        spec.weights = [own = std::move(spec.weights)](Layer const &layer,
                                                       std::span<Shape const> inputs) -> Result<std::vector<WeightSpec>> {
            TW_ASSIGN(auto weights, own(layer, inputs));
            for (auto &weight : weights) TW_TRY(addLimits(layer, weight));
            return weights;
        };
    }
    return specs;
}

} // namespace tilewright::model

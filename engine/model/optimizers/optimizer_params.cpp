#include "engine/model/optimizers/optimizer_params.h"

#include "engine/core/text.h"
#include "engine/model/slot_types.h"

#include <algorithm>
#include <array>
#include <regex>

namespace tilewright::model {

namespace {

constexpr std::array kExclusions{"exclude_from_weight_decay", "exclude_from_layer_adaptation"};
constexpr std::size_t kLongestPattern = 200;

std::vector<std::string> patternsOf(Optimizer const &optimizer, char const *argument)
{
    std::vector<std::string> patterns;
    for (auto const &pattern : splitText(optimizer.text(argument), ','))
        if (!pattern.empty()) patterns.push_back(pattern);
    return patterns;
}

/// Of a project's text: the form of the library that never takes exponential time.
std::optional<std::regex> compiled(std::string const &pattern)
{
    if (pattern.size() > kLongestPattern) return {};
    try {
        return std::regex(pattern, std::regex::ECMAScript | std::regex_constants::__polynomial);
    } catch (std::regex_error const &) {
        return {};
    }
}

bool excludes(Optimizer const &optimizer, char const *argument, std::string_view weight)
{
    return std::ranges::any_of(patternsOf(optimizer, argument), [weight](std::string const &pattern) {
        auto const expression = compiled(pattern);
        return expression && std::regex_search(weight.begin(), weight.end(), *expression);
    });
}

} // namespace

ParamInfo realParam(std::string name, std::string fallback, std::string help, double min, std::optional<double> max)
{
    return {.name = std::move(name),
            .type = ParamType::Float,
            .defaultJson = std::move(fallback),
            .min = min,
            .max = max,
            .help = std::move(help)};
}

ParamInfo flagParam(std::string name, std::string help, bool fallback)
{
    return {.name = std::move(name), .type = ParamType::Bool, .defaultJson = fallback ? "true" : "false", .help = std::move(help)};
}

ParamInfo stateTypeParam(std::string const &slot)
{
    return {.name = slotTypeArgument(slot),
            .type = ParamType::Enum,
            .allowed = {"float16", "float32"},
            .help = "type of a state of the optimizer; null: that of the weight",
            .nullable = true};
}

ParamInfo debiasingParam() { return flagParam("debiasing", "corrects the moving averages for their start at 0", true); }

ParamInfo epsilonParam(std::string fallback) { return realParam("epsilon", std::move(fallback), "added to the divisor", 0.0); }
ParamInfo momentumParam(std::string fallback)
{
    return realParam("momentum", std::move(fallback), "share of the previous step that is added", 0.0, 1.0);
}
ParamInfo nesterovParam() { return flagParam("nesterov", "Nesterov momentum"); }

std::vector<ParamInfo> exclusionParams()
{
    return {{.name = kExclusions[0],
             .type = ParamType::Text,
             .defaultJson = "\"\"",
             .help = "weights that do not decay: parts of their names or regular expressions, separated by commas"},
            {.name = kExclusions[1],
             .type = ParamType::Text,
             .defaultJson = "\"\"",
             .help = "weights whose step does not follow their norm, in the same form; empty: those that do not decay"}};
}

std::vector<ParamInfo> withCommonParams(std::string const &className, std::string const &rate, std::vector<ParamInfo> own)
{
    std::vector<ParamInfo> params{{.name = "name", .type = ParamType::Text, .defaultJson = "\"" + className + "\"", .help = "name"},
                                  {.name = "learning_rate",
                                   .type = ParamType::Rate,
                                   .defaultJson = rate,
                                   .min = 0.0,
                                   .help = "learning rate: a number, or a schedule over updates"}};
    // An optimizer may give decay a meaning of its own.
    if (std::ranges::find(own, "decay", &ParamInfo::name) == own.end())
        params.push_back(realParam("decay", "0.0", "the learning rate is divided by 1 + decay x updates", 0.0));
    params.insert(params.end(), own.begin(), own.end());
    auto const limit = [](char const *name, std::string help) {
        auto param = realParam(name, "null", std::move(help), 0.0);
        param.nullable = true;
        return param;
    };
    params.push_back(limit("clipnorm", "limit of the norm of each weight's gradient; None: no limit"));
    params.push_back(limit("clipvalue", "limit of the absolute value of each gradient element; None: no limit"));
    params.push_back(limit("global_clipnorm", "limit of the global norm of all gradients; None: no limit"));
    params.push_back(limit("loss_scale_factor",
                           "factor of the loss before gradients are computed; the gradients are divided by it. Keeps float16 gradients "
                           "from vanishing. None: 1"));
    params.push_back(flagParam("automatic_loss_scaling",
                               "the device adapts the loss scale, from loss_scale_factor on, and skips an update whose gradients are not "
                               "finite (ALSOptimizer)"));
    params.push_back({.name = "update_frequency",
                      .type = ParamType::Int,
                      .defaultJson = "8",
                      .min = 1,
                      .max = 1e6,
                      .help = "automatic loss scaling: updates after which the scale changes"});
    params.push_back(realParam("increase_factor", "2.0", "automatic loss scaling: factor of a change, a power of two", 1.0));
    params.push_back(realParam("max_loss_scaling_factor", "32768.0", "automatic loss scaling: largest scale, a power of two", 1.0));
    params.push_back(
        {.name = "accumulate_statistics_over_update_period",
         .type = ParamType::Bool,
         .defaultJson = "true",
         .help = "automatic loss scaling: counts the gradients of all updates since the last change; else of the last update"});
    params.push_back(realParam("ratio_threshold", "1e-05",
                               "automatic loss scaling: the scale falls if a larger share of the gradients is above histogram_bin_edge",
                               0.0, 1.0));
    params.push_back(realParam("lpf_alpha", "0.0", "automatic loss scaling: weight of the earlier share in the new one", 0.0, 1.0));
    params.push_back(realParam("histogram_bin_edge", "8192.0",
                               "automatic loss scaling: gradients above this magnitude, with their scale, count as large", 0.0));
    return params;
}

bool decaysWeight(Optimizer const &optimizer, std::string_view weight)
{
    return optimizer.number("weight_decay_rate") != 0.0 && !excludes(optimizer, kExclusions[0], weight);
}

bool adaptsToLayer(Optimizer const &optimizer, std::string_view weight)
{
    return !excludes(optimizer, patternsOf(optimizer, kExclusions[1]).empty() ? kExclusions[0] : kExclusions[1], weight);
}

Status checkExclusions(Optimizer const &optimizer)
{
    for (char const *argument : kExclusions)
        for (auto const &pattern : patternsOf(optimizer, argument))
            if (!compiled(pattern))
                return makeError(ErrorKind::Invalid, "model.bad-argument", "optimizer " + optimizer.className,
                                 Message::of("%1 '%2' of %3 characters is no regular expression of at most %4", argument,
                                             pattern.substr(0, kLongestPattern), pattern.size(), kLongestPattern),
                                 Message::of("write parts of weights' names, separated by commas, such as bias,layer_normalization"));
    return {};
}

} // namespace tilewright::model

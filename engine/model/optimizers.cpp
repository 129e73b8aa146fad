#include "engine/model/optimizers.h"

#include "engine/core/ascii.h"
#include "engine/core/text.h"
#include "engine/model/schedules.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace tilewright::model {

#define X(name) OptimizerSpec name##Optimizer();
#include "engine/model/optimizers/optimizers.def"
#undef X

namespace {

constexpr std::array kClipping{"clipnorm", "clipvalue", "global_clipnorm"};
constexpr char const *kLossScale = "loss_scale_factor", *kAutomatic = "automatic_loss_scaling";
/// Of an automatic loss scale; the names of ALSOptimizer.
constexpr std::array kScaling{"update_frequency", "increase_factor", "max_loss_scaling_factor", "accumulate_statistics_over_update_period",
                              "ratio_threshold",  "lpf_alpha",       "histogram_bin_edge"};
constexpr double kLargestScale = 0x1p99; // float32 holds it and its inverse

bool isListOfTexts(Json const &value)
{
    return value.is_array() && std::ranges::all_of(value, [](Json const &each) { return each.is_string(); });
}

} // namespace

std::vector<OptimizerSpec> const &optimizerSpecs()
{
    static std::vector<OptimizerSpec> const specs{
#define X(name) name##Optimizer(),
#include "engine/model/optimizers/optimizers.def"
#undef X
    };
    return specs;
}

OptimizerSpec const *findOptimizerSpec(std::string_view className)
{
    for (auto const &spec : optimizerSpecs())
        if (spec.className == className) return &spec;
    return nullptr;
}

namespace {

/// The optimizer that a wrapper scales the loss of.
Result<Optimizer> parseInner(Json const &config, char const *argument, std::string const &subject)
{
    if (!config.is_object() || !config.contains(argument))
        return makeError(ErrorKind::Invalid, "model.bad-argument", subject, Message::of("%1 is missing", argument),
                         Message::of("name the optimizer that it wraps"));
    TW_ASSIGN(auto inner, parseOptimizer(config[argument]));
    if (!inner.lossScaling().any()) return inner;
    return makeError(ErrorKind::Invalid, "model.bad-argument", subject, Message::of("its inner optimizer scales the loss as well"),
                     Message::of("give one of them a scale"));
}

/// The inner optimizer, normalised again with what the wrapper sets.
Result<Optimizer> withScaling(Optimizer inner, Json const &scaling, std::string const &subject)
{
    for (auto const &[name, value] : scaling.items()) inner.config[name] = value;
    TW_ASSIGN(inner.config, normalizeConfig(findOptimizerSpec(inner.className)->params, inner.config, subject));
    TW_TRY(checkOptimizer(inner));
    return inner;
}

/// LossScaleOptimizer(inner, dynamic=False, initial_scale): the inner one with a constant scale. With dynamic=True the scale doubles after
/// dynamic_growth_steps finite updates and halves after one that is not: an automatic scale without a limit of large gradients.
Result<Optimizer> parseLossScale(Json const &config)
{
    std::string const subject = "optimizer LossScaleOptimizer";
    TW_ASSIGN(auto inner, parseInner(config, "inner_optimizer", subject));
    bool const dynamic = config.value("dynamic", Json(true)) != Json(false);
    auto scale = config.value("initial_scale", Json());
    if (dynamic && scale.is_null()) scale = 32768;
    if (!scale.is_number())
        return makeError(ErrorKind::Invalid, "model.bad-argument", subject, Message::of("a constant scale needs initial_scale"),
                         Message::of("give a number, such as 1024"));
    if (!dynamic) return withScaling(std::move(inner), {{kLossScale, scale}}, subject);
    auto steps = config.value("dynamic_growth_steps", Json());
    if (steps.is_null()) steps = 2000;
    return withScaling(std::move(inner),
                       {{kAutomatic, true},
                        {kLossScale, scale},
                        {"update_frequency", steps},
                        {"max_loss_scaling_factor", kLargestScale},
                        {"ratio_threshold", 1}},
                       subject);
}

/// ALSOptimizer(opt, initial_loss_scaling_factor=1, …): the inner one with these arguments.
Result<Optimizer> parseAutomaticScale(Json const &config)
{
    std::string const subject = "optimizer ALSOptimizer";
    TW_ASSIGN(auto inner, parseInner(config, "opt", subject));
    if (config.value("captured_grads_only", Json(false)) != Json(false))
        return makeError(ErrorKind::Invalid, "model.unsupported", subject, Message::of("captured_grads_only is not supported yet"),
                         Message::of("leave it out: the gradients of all weights are counted"));
    Json scaling{{kAutomatic, true}, {kLossScale, config.value("initial_loss_scaling_factor", Json(1))}};
    for (auto const &[name, value] : config.items())
        if (std::ranges::find(kScaling, name) != kScaling.end()) scaling[name] = value;
        else if (name != "opt" && name != "initial_loss_scaling_factor" && name != "captured_grads_only" && name != "name")
            return makeError(ErrorKind::Invalid, "model.unknown-argument", subject, Message::of("there is no argument '%1'", name),
                             suggestion(name, std::vector<std::string>(kScaling.begin(), kScaling.end())));
    return withScaling(std::move(inner), scaling, subject);
}

Status checkScaling(Optimizer const &optimizer)
{
    auto const scaling = optimizer.lossScaling();
    if (!scaling.automatic) return {};
    auto const fail = [&](char const *name, double value, Message what) {
        return makeError(ErrorKind::Invalid, "model.bad-argument", "optimizer " + optimizer.className,
                         Message::of("%1 is %2, %3", name, Argument::figure(numberText(value)), what),
                         Message::of("give a power of two; an automatic loss scale is one at all times"));
    };
    int exponent = 0;
    for (auto const &[name, value] : {std::pair(kLossScale, scaling.factor), std::pair("increase_factor", scaling.increaseFactor),
                                      std::pair("max_loss_scaling_factor", scaling.largest)})
        if (!(value >= 1) || std::frexp(value, &exponent) != 0.5) return fail(name, value, Message::of("not a power of two from 1 on"));
    if (scaling.increaseFactor < 2) return fail("increase_factor", scaling.increaseFactor, Message::of("which changes nothing"));
    if (scaling.factor > scaling.largest) return fail(kLossScale, scaling.factor, Message::of("more than max_loss_scaling_factor"));
    return {};
}

} // namespace

Result<Optimizer> parseOptimizer(Json const &value)
{
    std::string name;
    Json config = Json::object();
    if (value.is_string()) {
        name = value.get<std::string>();
    } else if (value.is_object() && value.contains("class_name") && value["class_name"].is_string()) {
        name = value["class_name"].get<std::string>();
        if (value.contains("config")) config = value["config"];
    } else {
        return makeError(ErrorKind::Invalid, "model.bad-argument", "optimizer",
                         Message::of("an optimizer is a name or an object with class_name and config"),
                         Message::of("for example \"rmsprop\""));
    }
    if (name == "LossScaleOptimizer") return parseLossScale(config);
    if (name == "ALSOptimizer") return parseAutomaticScale(config);
    std::vector<std::string> names;
    for (auto const &spec : optimizerSpecs()) {
        std::string lower = spec.className;
        for (char &c : lower) c = asciiLower(c);
        if (name != spec.className && name != lower) {
            names.push_back(spec.className);
            continue;
        }
        std::string const subject = "optimizer " + spec.className;
        if (config.is_object()) {
            if (config.contains("lr") && !config.contains("learning_rate")) config["learning_rate"] = config["lr"];
            config.erase("lr");
            // A list of patterns is one text here.
            for (auto &[key, patterns] : config.items())
                if (key.starts_with("exclude_from_") && (patterns.is_null() || isListOfTexts(patterns)))
                    patterns = joinText(patterns.is_null() ? std::vector<std::string>() : patterns.get<std::vector<std::string>>(), ",");
        }
        Optimizer optimizer;
        optimizer.className = spec.className;
        TW_ASSIGN(optimizer.config, normalizeConfig(spec.params, config, subject));
        TW_TRY(checkOptimizer(optimizer));
        return optimizer;
    }
    return makeError(ErrorKind::Invalid, "model.unknown-optimizer", "optimizer", Message::of("no optimizer is named '%1'", name),
                     suggestion(name, names));
}

Status checkOptimizer(Optimizer const &optimizer)
{
    // float32 holds the scale and its inverse.
    if (double const scale = optimizer.lossScale(); !(scale >= 1e-30 && scale <= 1e30))
        return makeError(ErrorKind::Invalid, "model.bad-argument", "optimizer " + optimizer.className,
                         Message::of("loss_scale_factor is %1, not between 1e-30 and 1e30", Argument::figure(numberText(scale))),
                         Message::of("give a power of two, such as 1024, or None"));
    TW_TRY(checkScaling(optimizer));
    auto const *spec = findOptimizerSpec(optimizer.className);
    if (spec && !spec->takesSchedules && optimizer.hasSchedule())
        return makeError(ErrorKind::Invalid, "model.bad-argument", "optimizer " + optimizer.className,
                         Message::of("%1 takes no schedule of the learning rate", optimizer.className),
                         Message::of("give a number, or use another optimizer"));
    if (spec && spec->check) TW_TRY(spec->check(optimizer));
    auto const clipping = optimizer.clipping();
    if (!clipping.norm || !clipping.globalNorm) return {};
    return makeError(ErrorKind::Invalid, "model.bad-argument", "optimizer " + optimizer.className,
                     Message::of("clipnorm and global_clipnorm are both set"), Message::of("set one of them to None"));
}

double Optimizer::decay() const
{
    auto const *spec = findOptimizerSpec(className);
    return spec && !spec->decaysRate ? 0.0 : number("decay");
}

double Optimizer::learningRateAt(std::int64_t updates) const
{
    return scheduledRate(scheduleNumbers(rate()), updates) / (1.0 + decay() * static_cast<double>(updates));
}

LossScaling Optimizer::lossScaling() const
{
    LossScaling scaling;
    scaling.factor = lossScale();
    if (!flag(kAutomatic)) return scaling;
    return {scaling.factor,
            true,
            integer("update_frequency"),
            number("increase_factor"),
            number("max_loss_scaling_factor"),
            flag("accumulate_statistics_over_update_period"),
            number("ratio_threshold"),
            number("lpf_alpha"),
            number("histogram_bin_edge")};
}

Clipping Optimizer::clipping() const
{
    auto const limit = [&](char const *key) { return isNull(key) ? std::optional<double>() : std::optional(number(key)); };
    return {limit("clipvalue"), limit("clipnorm"), limit("global_clipnorm")};
}

Json optimizerJson(Optimizer const &optimizer) { return Json(orderedOptimizer(optimizer)); }

OrderedJson orderedOptimizer(Optimizer const &optimizer)
{
    OrderedJson result = OrderedJson::object();
    result["class_name"] = optimizer.className;
    auto const *spec = findOptimizerSpec(optimizer.className);
    result["config"] = spec ? orderedConfig(spec->params, optimizer.config) : OrderedJson(optimizer.config);
    // Keras writes bounds and scales that are set, and no others.
    for (char const *key : {kClipping[0], kClipping[1], kClipping[2], kLossScale})
        if (optimizer.isNull(key)) result["config"].erase(key);
    if (!optimizer.flag(kAutomatic) && spec)
        for (auto const &param : spec->params)
            if ((param.name == kAutomatic || std::ranges::find(kScaling, param.name) != kScaling.end())
                && optimizer.config.value(param.name, Json()) == defaultOf(param))
                result["config"].erase(param.name);
    return result;
}

std::vector<SlotSpec> optimizerSlots(Optimizer const &optimizer)
{
    auto const *spec = findOptimizerSpec(optimizer.className);
    return spec && spec->stateSlots ? spec->stateSlots(optimizer) : std::vector<SlotSpec>{};
}

} // namespace tilewright::model

#include "engine/model/optimizers.h"

#include "engine/core/ascii.h"
#include "engine/core/text.h"
#include "engine/model/schedules.h"

#include <algorithm>
#include <array>

namespace tilewright::model {

#define X(name) OptimizerSpec name##Optimizer();
#include "engine/model/optimizers/optimizers.def"
#undef X

namespace {

constexpr std::array kOtherOptimizers{"AdamIpuOptimizer", "SGDIpuOptimizer", "LAMBIpuOptimizer"};
constexpr std::array kClipping{"clipnorm", "clipvalue", "global_clipnorm"};
constexpr char const *kLossScale = "loss_scale_factor";

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

/// LossScaleOptimizer(inner, dynamic=False, initial_scale): the inner one with a constant scale.
Result<Optimizer> parseLossScale(Json const &config)
{
    std::string const subject = "optimizer LossScaleOptimizer";
    if (!config.is_object() || !config.contains("inner_optimizer"))
        return makeError(ErrorKind::Invalid, "model.bad-argument", subject, Message::of("inner_optimizer is missing"),
                         Message::of("name the optimizer that it wraps"));
    if (config.value("dynamic", Json(true)) != Json(false))
        return makeError(ErrorKind::Invalid, "model.unsupported", subject, Message::of("dynamic loss scaling is not supported yet"),
                         Message::of("set dynamic to false and give initial_scale, or give the inner optimizer a loss_scale_factor"));
    auto const scale = config.find("initial_scale");
    if (scale == config.end() || !scale->is_number())
        return makeError(ErrorKind::Invalid, "model.bad-argument", subject, Message::of("a constant scale needs initial_scale"),
                         Message::of("give a number, such as 1024"));
    TW_ASSIGN(auto inner, parseOptimizer(config["inner_optimizer"]));
    if (inner.lossScale() != 1.0)
        return makeError(ErrorKind::Invalid, "model.bad-argument", subject, Message::of("its inner optimizer scales the loss as well"),
                         Message::of("give one of them a scale"));
    inner.config[kLossScale] = scale->get<double>();
    TW_TRY(checkOptimizer(inner));
    return inner;
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
    if (std::find(kOtherOptimizers.begin(), kOtherOptimizers.end(), name) != kOtherOptimizers.end())
        return makeError(ErrorKind::Invalid, "model.unsupported", "optimizer", Message::of("optimizer %1 is not supported yet", name),
                         suggestion("", names));
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
    return result;
}

std::vector<SlotSpec> optimizerSlots(Optimizer const &optimizer)
{
    auto const *spec = findOptimizerSpec(optimizer.className);
    return spec && spec->stateSlots ? spec->stateSlots(optimizer) : std::vector<SlotSpec>{};
}

} // namespace tilewright::model

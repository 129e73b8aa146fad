#include "engine/model/optimizers.h"

#include "engine/core/ascii.h"
#include "engine/core/text.h"
#include "engine/model/schedules.h"

#include <algorithm>
#include <array>

namespace tilewright::model {

namespace {

constexpr std::array kOtherOptimizers{"Nadam",           "nadam",           "Adagrad", "adagrad", "Ftrl", "ftrl", "AdamIpuOptimizer",
                                      "SGDIpuOptimizer", "LAMBIpuOptimizer"};
constexpr std::array kClipping{"clipnorm", "clipvalue", "global_clipnorm"};
constexpr char const *kLossScale = "loss_scale_factor";

ParamInfo number(std::string name, std::string fallback, std::string help, double min, std::optional<double> max = {})
{
    return {.name = std::move(name),
            .type = ParamType::Float,
            .defaultJson = std::move(fallback),
            .min = min,
            .max = max,
            .help = std::move(help)};
}

ParamInfo flag(std::string name, std::string help)
{
    return {.name = std::move(name), .type = ParamType::Bool, .defaultJson = "false", .help = std::move(help)};
}

/// What every optimizer has, in front of its own.
std::vector<ParamInfo> withCommon(std::string const &className, std::string const &rate, std::vector<ParamInfo> own)
{
    std::vector<ParamInfo> params{{.name = "name", .type = ParamType::Text, .defaultJson = "\"" + className + "\"", .help = "name"},
                                  {.name = "learning_rate",
                                   .type = ParamType::Rate,
                                   .defaultJson = rate,
                                   .min = 0.0,
                                   .help = "size of a step: a number, or a schedule that follows the updates"},
                                  number("decay", "0.0", "the learning rate is divided by 1 + decay x updates", 0.0)};
    params.insert(params.end(), own.begin(), own.end());
    auto const limit = [](char const *name, std::string help) {
        auto param = number(name, "null", std::move(help), 0.0);
        param.nullable = true;
        return param;
    };
    params.push_back(limit(kClipping[0], "largest norm of a weight's gradient; None: any"));
    params.push_back(limit(kClipping[1], "largest size of a gradient's element; None: any"));
    params.push_back(limit(kClipping[2], "largest norm of all gradients together; None: any"));
    params.push_back(limit(kLossScale,
                           "the loss is multiplied by it before gradients are taken, which are divided by it before they "
                           "are used: keeps float16 gradients from vanishing; None: 1"));
    return params;
}

std::vector<SlotSpec> sgdSlots(Optimizer const &optimizer)
{
    if (optimizer.number("momentum") > 0.0) return {{"momentum"}};
    return {};
}

std::vector<SlotSpec> rmspropSlots(Optimizer const &optimizer)
{
    std::vector<SlotSpec> slots{{"rms"}};
    if (optimizer.number("momentum") > 0.0) slots.push_back({"momentum"});
    if (optimizer.flag("centered")) slots.push_back({"mg"});
    return slots;
}

std::vector<SlotSpec> adamSlots(Optimizer const &optimizer)
{
    std::vector<SlotSpec> slots{{"m"}, {"v"}};
    if (optimizer.flag("amsgrad")) slots.push_back({"vhat"});
    return slots;
}

} // namespace

std::vector<OptimizerSpec> const &optimizerSpecs()
{
    static std::vector<OptimizerSpec> const specs{
        {"SGD",
         {},
         withCommon("SGD", "0.01",
                    {number("momentum", "0.0", "share of the last step that goes on", 0.0, 1.0),
                     flag("nesterov", "look ahead along the momentum")}),
         "Steps against the gradient, with momentum if wanted.",
         "w -= lr g; with momentum v = m v - lr g, w += v (nesterov: w += m v - lr g)",
         sgdSlots},
        {"RMSprop",
         {},
         withCommon("RMSprop", "0.001",
                    {number("rho", "0.9", "memory of the squared gradient", 0.0, 1.0),
                     number("momentum", "0.0", "share of the last step that goes on", 0.0, 1.0),
                     number("epsilon", "1e-07", "keeps the division finite", 0.0),
                     flag("centered", "subtract the squared mean of the gradient")}),
         "Steps scaled by the recent size of each gradient.",
         "s = rho s + (1-rho) g^2; w -= lr g / (sqrt(s) + eps); with momentum m: v = m v + lr g / sqrt(s + eps), w -= v; "
         "centered: s - mean(g)^2 in place of s under the root",
         rmspropSlots},
        {"Adam",
         {},
         withCommon("Adam", "0.001",
                    {number("beta_1", "0.9", "memory of the gradient", 0.0, 1.0),
                     number("beta_2", "0.999", "memory of the squared gradient", 0.0, 1.0),
                     number("epsilon", "1e-07", "keeps the division finite", 0.0),
                     flag("amsgrad", "use the largest squared gradient so far")}),
         "Momentum and scaling by recent gradients, corrected for the start.",
         "m = b1 m + (1-b1) g; v = b2 v + (1-b2) g^2; w -= lr sqrt(1-b2^t)/(1-b1^t) m / (sqrt(v) + eps)",
         adamSlots},
        {"Adamax",
         {},
         withCommon("Adamax", "0.001",
                    {number("beta_1", "0.9", "memory of the gradient", 0.0, 1.0),
                     number("beta_2", "0.999", "memory of the largest gradient", 0.0, 1.0),
                     number("epsilon", "1e-07", "keeps the division finite", 0.0)}),
         "Momentum, scaled by the largest recent gradient.",
         "m = b1 m + (1-b1) g; v = max(b2 v, |g|); w -= lr/(1-b1^t) m / (v + eps)",
         [](Optimizer const &) {
             return std::vector<SlotSpec>{{"m"}, {"v"}};
         }},
        {"Adadelta",
         {},
         withCommon(
             "Adadelta", "0.001",
             {number("rho", "0.95", "memory of the squares", 0.0, 1.0), number("epsilon", "1e-07", "keeps the division finite", 0.0)}),
         "Steps of the size of earlier steps; a learning rate of 1 is its inventor's.",
         "a = rho a + (1-rho) g^2; x = g sqrt(d + eps) / sqrt(a + eps); d = rho d + (1-rho) x^2; w -= lr x",
         [](Optimizer const &) {
             return std::vector<SlotSpec>{{"accum_grad"}, {"accum_var"}};
         }},
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
    auto const clipping = optimizer.clipping();
    if (!clipping.norm || !clipping.globalNorm) return {};
    return makeError(ErrorKind::Invalid, "model.bad-argument", "optimizer " + optimizer.className,
                     Message::of("clipnorm and global_clipnorm are both set"), Message::of("set one of them to None"));
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

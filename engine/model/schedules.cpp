#include "engine/model/schedules.h"

#include <algorithm>

namespace tilewright::model {

namespace {

ParamInfo given(std::string name, ParamType type, std::string help, std::optional<double> min)
{
    return {.name = std::move(name), .type = type, .min = min, .help = std::move(help), .required = true};
}

ParamInfo optional(std::string name, ParamType type, std::string fallback, std::string help, std::optional<double> min = {})
{
    return {.name = std::move(name), .type = type, .defaultJson = std::move(fallback), .min = min, .help = std::move(help)};
}

ParamInfo nameParam()
{
    auto param = optional("name", ParamType::Text, "null", "name");
    param.nullable = true;
    return param;
}

ParamInfo initialRate() { return given("initial_learning_rate", ParamType::Float, "initial learning rate", 0.0); }
ParamInfo steps(char const *name, char const *help) { return given(name, ParamType::Float, help, 1e-9); }

std::vector<ParamInfo> decayParams(char const *rateHelp)
{
    return {initialRate(), steps("decay_steps", "updates per decay_rate"), given("decay_rate", ParamType::Float, rateHelp, 0.0),
            optional("staircase", ParamType::Bool, "false", "decays in steps, every decay_steps updates"), nameParam()};
}

std::vector<ParamInfo> cosineParams()
{
    auto target = optional("warmup_target", ParamType::Float, "null", "rate at the end of the warm-up; None: no warm-up", 0.0);
    target.nullable = true;
    return {initialRate(),
            steps("decay_steps", "updates until the lowest rate"),
            optional("alpha", ParamType::Float, "0.0", "lowest rate, as a share of the highest", 0.0),
            nameParam(),
            std::move(target),
            optional("warmup_steps", ParamType::Int, "0", "updates of the warm-up", 0.0)};
}

/// What must hold of several arguments together.
Status check(ScheduleSpec const &spec, Json const &config, std::string const &subject)
{
    if (spec.kind != RateKind::Piecewise) return {};
    auto const &boundaries = config["boundaries"], &values = config["values"];
    auto const wrong = [&](Message what, Message remedy) {
        return makeError(ErrorKind::Invalid, "model.bad-argument", subject + ", " + spec.className, std::move(what), std::move(remedy));
    };
    if (values.size() != boundaries.size() + 1)
        return wrong(Message::of("there are %1 boundaries and %2 values", boundaries.size(), values.size()),
                     Message::of("give one value more than boundaries"));
    for (std::size_t i = 1; i < boundaries.size(); ++i)
        if (boundaries[i - 1].get<double>() >= boundaries[i].get<double>())
            return wrong(Message::of("the boundaries are not in ascending order"), Message::of("sort them"));
    if (std::ranges::any_of(values, [](Json const &value) { return value.get<double>() < 0; }))
        return wrong(Message::of("a value is negative"), Message::of("give rates of at least 0"));
    return {};
}

ScheduleSpec const *specOf(Json const &schedule)
{
    if (!schedule.is_object()) return nullptr;
    auto const it = std::ranges::find(scheduleSpecs(), schedule.value("class_name", std::string()), &ScheduleSpec::className);
    return it == scheduleSpecs().end() ? nullptr : &*it;
}

} // namespace

std::vector<ScheduleSpec> const &scheduleSpecs()
{
    static std::vector<ScheduleSpec> const specs{
        {"ExponentialDecay", RateKind::Exponential, decayParams("factor of the rate after decay_steps updates"), "Exponential decay.",
         "initial_learning_rate decay_rate^(t / decay_steps)",
         R"({"initial_learning_rate": 0.01, "decay_steps": 1000, "decay_rate": 0.9})"},
        {"InverseTimeDecay", RateKind::InverseTime, decayParams("growth of the divisor in decay_steps updates"), "Inverse time decay.",
         "initial_learning_rate / (1 + decay_rate t / decay_steps)",
         R"({"initial_learning_rate": 0.01, "decay_steps": 1000, "decay_rate": 0.5})"},
        {"PolynomialDecay",
         RateKind::Polynomial,
         {initialRate(), steps("decay_steps", "updates until the end rate"),
          optional("end_learning_rate", ParamType::Float, "0.0001", "end rate", 0.0),
          optional("power", ParamType::Float, "1.0", "exponent; 1: linear", 0.0),
          optional("cycle", ParamType::Bool, "false", "restarts with longer periods"), nameParam()},
         "Polynomial decay to an end rate.",
         "(initial_learning_rate - end) (1 - t / decay_steps)^power + end",
         R"({"initial_learning_rate": 0.01, "decay_steps": 1000})"},
        {"CosineDecay", RateKind::Cosine, cosineParams(), "Cosine decay, optionally after a linear warm-up.",
         "rate ((1 - alpha) (1 + cos(pi t / decay_steps)) / 2 + alpha)", R"({"initial_learning_rate": 0.01, "decay_steps": 1000})"},
        {"CosineDecayRestarts",
         RateKind::CosineRestarts,
         {initialRate(), steps("first_decay_steps", "updates of the first period"),
          optional("t_mul", ParamType::Float, "2.0", "factor of each period's length", 1.0),
          optional("m_mul", ParamType::Float, "1.0", "factor of each period's initial rate", 0.0),
          optional("alpha", ParamType::Float, "0.0", "lowest rate, as a share of the initial one", 0.0), nameParam()},
         "Cosine decay with restarts.",
         "CosineDecay in periods that grow by t_mul and shrink by m_mul",
         R"({"initial_learning_rate": 0.01, "first_decay_steps": 1000})"},
        {"PiecewiseConstantDecay",
         RateKind::Piecewise,
         {{.name = "boundaries", .type = ParamType::FloatList, .help = "last update of each rate, except the last rate", .required = true},
          {.name = "values", .type = ParamType::FloatList, .help = "the rates: one more than boundaries", .required = true},
          nameParam()},
         "Piecewise constant.",
         "values[i] for t up to boundaries[i]",
         R"({"boundaries": [1000, 2000], "values": [0.01, 0.003, 0.001]})"},
    };
    return specs;
}

Result<Json> normalizeSchedule(Json const &value, std::string const &subject)
{
    std::vector<std::string> names;
    for (auto const &spec : scheduleSpecs()) names.push_back(spec.className);
    std::string const name = value.is_string()                                                 ? value.get<std::string>()
        : value.is_object() && value.contains("class_name") && value["class_name"].is_string() ? value["class_name"].get<std::string>()
                                                                                               : std::string();
    auto const it = std::ranges::find(scheduleSpecs(), name, &ScheduleSpec::className);
    if (it == scheduleSpecs().end())
        return makeError(ErrorKind::Invalid, "model.unknown-schedule", subject,
                         name.empty() ? Message::of("a learning rate is a number or an object with class_name and config")
                                      : Message::of("no schedule of the learning rate is named '%1'", name),
                         suggestion(name, names));
    auto const config = value.is_object() && value.contains("config") ? value["config"] : Json::object();
    Result<Json> arguments = normalizeConfig(it->params, config, subject + ", " + name);
    if (!arguments.ok()) {
        auto error = arguments.error();
        if (error.code == "model.missing-argument")
            error.remedy = Message::of("write it like {\"class_name\": \"%1\", \"config\": %2}", name, it->example);
        return error;
    }
    TW_TRY(check(*it, *arguments, subject));
    return Json{{"class_name", name}, {"config", std::move(*arguments)}};
}

OrderedJson orderedSchedule(Json const &schedule)
{
    auto const *spec = specOf(schedule);
    if (!spec) return OrderedJson(schedule);
    auto config = orderedConfig(spec->params, schedule["config"]);
    if (config.value("warmup_target", OrderedJson()).is_null()) { // newer Keras alone knows these
        config.erase("warmup_target");
        config.erase("warmup_steps");
    }
    return {{"class_name", spec->className}, {"config", std::move(config)}};
}

std::vector<double> scheduleNumbers(Json const &rate)
{
    auto const *spec = specOf(rate);
    if (!spec) return {static_cast<double>(RateKind::Constant), rate.is_number() ? rate.get<double>() : 0.0};
    Configured const c{spec->className, rate["config"]};
    std::vector<double> numbers{static_cast<double>(spec->kind)};
    auto const add = [&](std::initializer_list<double> more) { numbers.insert(numbers.end(), more); };
    double const initial = c.number("initial_learning_rate"), length = c.number("decay_steps");
    switch (spec->kind) {
    case RateKind::Constant: break;
    case RateKind::Exponential:
    case RateKind::InverseTime: add({initial, length, c.number("decay_rate"), c.flag("staircase") ? 1.0 : 0.0}); break;
    case RateKind::Polynomial: add({initial, length, c.number("end_learning_rate"), c.number("power"), c.flag("cycle") ? 1.0 : 0.0}); break;
    case RateKind::Cosine:
        add({initial, length, c.number("alpha"), c.isNull("warmup_target") ? 0.0 : static_cast<double>(c.integer("warmup_steps")),
             c.isNull("warmup_target") ? initial : c.number("warmup_target")});
        break;
    case RateKind::CosineRestarts:
        add({initial, c.number("first_decay_steps"), c.number("t_mul"), c.number("m_mul"), c.number("alpha")});
        break;
    case RateKind::Piecewise:
        add({static_cast<double>(c.config["boundaries"].size())});
        for (auto const *list : {"boundaries", "values"})
            for (auto const &item : c.config[list]) add({item.get<double>()});
        break;
    }
    return numbers;
}

double firstRate(Json const &rate)
{
    auto const *spec = specOf(rate);
    if (!spec) return rate.is_number() ? rate.get<double>() : 0;
    return (spec->kind == RateKind::Piecewise ? rate["config"]["values"][0] : rate["config"]["initial_learning_rate"]).get<double>();
}

} // namespace tilewright::model

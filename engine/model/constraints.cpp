#include "engine/model/constraints.h"

#include <algorithm>

namespace tilewright::model {

namespace {

constexpr char const *kRadial = "RadialConstraint";

ParamInfo numberParam(std::string name, std::string fallback, std::string help, std::optional<double> max = {})
{
    return {.name = std::move(name),
            .type = ParamType::Float,
            .defaultJson = std::move(fallback),
            .min = 0,
            .max = max,
            .help = std::move(help)};
}

ParamInfo axisParam()
{
    return {.name = "axis",
            .type = ParamType::IntList,
            .defaultJson = "0",
            .min = -32,
            .max = 32,
            .help = "the axes over which the length is computed, without those of the outputs: 0 for Dense, [0, 1, 2] for Conv2D",
            .orInteger = true};
}

ClassKind const &constraintKind()
{
    static ClassKind const kind{Message::of("a constraint is a name or an object with class_name and config"),
                                Message::of("for example \"max_norm\""), "model.unknown-constraint",
                                [](std::string const &name) { return Message::of("no constraint is named '%1'", name); }};
    return kind;
}

} // namespace

std::vector<ClassSpec> const &constraintSpecs()
{
    static std::vector<ClassSpec> const specs{
        {"MaxNorm",
         {"maxnorm"},
         {numberParam("max_value", "2.0", "largest length"), axisParam()},
         "limits the length of the weights of each output"},
        {"NonNeg", {"nonneg"}, {}, "sets negative weights to 0"},
        {"UnitNorm", {"unitnorm"}, {axisParam()}, "gives the weights of each output the length 1"},
        {"MinMaxNorm",
         {},
         {numberParam("min_value", "0.0", "smallest length"), numberParam("max_value", "1.0", "largest length"),
          numberParam("rate", "1.0", "share of the way to the allowed length that an update goes", 1.0), axisParam()},
         "keeps the length of the weights of each output between two numbers"},
        {kRadial, {}, {}, "gives equal values to the elements of a square kernel at equal distance from its centre"},
    };
    return specs;
}

Result<Constraint> parseConstraint(Json const &value, std::string const &subject)
{
    TW_ASSIGN(auto given, givenClass(value, constraintKind(), subject));
    auto const *spec = findClass(constraintSpecs(), given.className);
    if (!spec) return unknownClass(constraintSpecs(), constraintKind(), given.className, subject);
    Constraint constraint;
    constraint.className = spec->className;
    TW_ASSIGN(constraint.config, normalizeConfig(spec->params, given.config, subject));
    return constraint;
}

std::vector<std::int64_t> constraintAxes(Constraint const &constraint, std::size_t rank)
{
    auto axes = constraint.integers("axis");
    for (auto &axis : axes)
        if (axis < 0) axis += static_cast<std::int64_t>(rank);
    std::ranges::sort(axes);
    return axes;
}

Status checkConstraint(Constraint const &constraint, Shape const &shape, std::string const &subject, std::string const &what)
{
    if (constraint.className == kRadial) {
        if (shape.size() == 4 && shape[0] == shape[1] && shape[0] > 1) return {};
        return makeError(ErrorKind::Invalid, "model.shape", subject,
                         Message::of("argument '%1': RadialConstraint takes a square kernel of two dimensions, and the weight is %2", what,
                                     toText(shape)),
                         Message::of("use it for a Conv2D whose kernel has equal sides of at least 2"));
    }
    if (!constraint.config.contains("axis")) return {};
    auto const rank = static_cast<std::int64_t>(shape.size());
    auto const axes = constraintAxes(constraint, shape.size());
    bool const inside = std::ranges::all_of(axes, [&](std::int64_t axis) { return axis >= 0 && axis < rank; });
    if (inside && !axes.empty() && std::ranges::adjacent_find(axes) == axes.end()) return {};
    return makeError(ErrorKind::Invalid, "model.shape", subject,
                     Message::of("argument '%1': axis %2 does not name axes of the weight %3, each once", what,
                                 constraint.config["axis"].dump(), toText(shape)),
                     Message::of("use axes from 0 to %1", rank - 1));
}

} // namespace tilewright::model

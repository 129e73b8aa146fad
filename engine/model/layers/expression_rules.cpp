#include "engine/model/layers/expression_rules.h"

#include "engine/core/numbers.h"
#include "engine/core/text.h"

#include <algorithm>
#include <string>
#include <vector>

namespace tilewright::model {

namespace {

Message functionNames()
{
    std::vector<std::string> names;
    for (auto const &function : formulaFunctions())
        if (function.value) names.emplace_back(function.name);
    return Message::of("write numbers, the inputs x, x2, …, + - * / **, parentheses and the functions %1", joinText(names, ", "));
}

Status checkNames(Layer const &layer, Formula const &formula)
{
    auto const *function = formula.kind == Formula::Kind::Call ? findFormulaFunction(formula.name) : nullptr;
    bool const whole = function && !function->value;
    if (whole || (formula.kind == Formula::Kind::Name && inputNumber(formula.name) == 0))
        return layerError(layer, "model.bad-argument",
                          whole ? Message::of("the function %1 in the expression is one of a whole tensor", formula.name)
                                : Message::of("the expression names '%1', which is no input", formula.name),
                          functionNames());
    for (auto const &argument : formula.arguments) TW_TRY(checkNames(layer, argument));
    return {};
}

} // namespace

std::size_t inputNumber(std::string_view name)
{
    if (name == "x") return 1;
    if (!name.starts_with('x')) return 0;
    auto const number = parseInteger(name.substr(1));
    return number && *number >= 1 && *number <= 1'000'000 ? static_cast<std::size_t>(*number) : 0;
}

std::size_t inputsOf(Formula const &formula)
{
    std::size_t most = formula.kind == Formula::Kind::Name ? inputNumber(formula.name) : 0;
    for (auto const &argument : formula.arguments) most = std::max(most, inputsOf(argument));
    return most;
}

Result<Formula> expressionOf(Layer const &layer)
{
    auto formula = parseFormula(layer.text("expression"));
    if (!formula.ok()) return layerError(layer, "model.bad-argument", formula.error().message, functionNames());
    TW_TRY(checkNames(layer, *formula));
    return formula;
}

} // namespace tilewright::model

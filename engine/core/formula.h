#pragma once

#include "engine/core/result.h"

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

// Arithmetic as text: "w - lr * g / (sqrt(a) + epsilon)". Optimizers state their updates so, and the coefficients that a device computes
// from the number of updates are attributes in this form.
namespace tilewright {

/// A number, a name, or a function of formulas. The operators are functions: add, sub, mul, div, pow and neg.
struct Formula {
    enum class Kind { Number, Name, Call };
    Kind kind = Kind::Number;
    double number = 0;
    std::string name; ///< of a Name, or of the function
    std::vector<Formula> arguments;
    bool operator==(Formula const &) const = default;
};
Formula formulaNumber(double value);
Formula formulaName(std::string name);
Formula formulaCall(std::string function, std::vector<Formula> arguments);

/// The known functions. `value` is empty for a function of a whole tensor ("norm").
struct FormulaFunction {
    std::string_view name;
    std::size_t arguments;
    double (*value)(double x, double y, double z);
};
std::span<FormulaFunction const> formulaFunctions();
FormulaFunction const *findFormulaFunction(std::string_view name);

/// Operators + - * / and ^ (a power, from the right), parentheses, and calls of the known functions. Error: Invalid "formula.text".
Result<Formula> parseFormula(std::string_view text);
/// parseFormula reads it back.
std::string toText(Formula const &formula);

/// The value in double. nullopt: `named` has no value for a name, or a function has none.
std::optional<double> valueOf(Formula const &formula, std::function<std::optional<double>(std::string_view)> const &named);

/// "m = …; w = w - lr * m": the formulas' values get these names, from first to last.
struct FormulaStep {
    std::string name;
    Formula formula;
    bool operator==(FormulaStep const &) const = default;
};
Result<std::vector<FormulaStep>> parseFormulaSteps(std::string_view text);

} // namespace tilewright

#include "engine/core/formula.h"

#include "engine/core/numbers.h"
#include "engine/core/text.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace tilewright {

namespace {

/// Texts come from files too: depth and length are bounded.
constexpr int kMostDepth = 64;
constexpr std::size_t kMostText = 4096;

constexpr std::array kFunctions{
    FormulaFunction{"add", 2, [](double x, double y, double) { return x + y; }},
    FormulaFunction{"sub", 2, [](double x, double y, double) { return x - y; }},
    FormulaFunction{"mul", 2, [](double x, double y, double) { return x * y; }},
    FormulaFunction{"div", 2, [](double x, double y, double) { return x / y; }},
    FormulaFunction{"pow", 2, [](double x, double y, double) { return std::pow(x, y); }},
    FormulaFunction{"neg", 1, [](double x, double, double) { return -x; }},
    FormulaFunction{"sqrt", 1, [](double x, double, double) { return std::sqrt(x); }},
    FormulaFunction{"square", 1, [](double x, double, double) { return x * x; }},
    FormulaFunction{"abs", 1, [](double x, double, double) { return std::abs(x); }},
    FormulaFunction{"sign", 1, [](double x, double, double) { return x > 0 ? 1.0
                                                                  : x < 0  ? -1.0
                                                                           : x; }},
    FormulaFunction{"exp", 1, [](double x, double, double) { return std::exp(x); }},
    FormulaFunction{"log", 1, [](double x, double, double) { return std::log(x); }},
    FormulaFunction{"max", 2, [](double x, double y, double) { return x > y || x != x ? x : y; }},
    FormulaFunction{"min", 2, [](double x, double y, double) { return x < y || x != x ? x : y; }},
    FormulaFunction{"greater", 2, [](double x, double y, double) { return x > y ? 1.0 : 0.0; }},
    FormulaFunction{"select", 3, [](double x, double y, double z) { return x != 0 ? y : z; }},
    FormulaFunction{"tanh", 1, [](double x, double, double) { return std::tanh(x); }},
    FormulaFunction{"sigmoid", 1, [](double x, double, double) { return 1 / (1 + std::exp(-x)); }},
    FormulaFunction{"relu", 1, [](double x, double, double) { return 0 > x ? 0.0 : x; }},
    FormulaFunction{"softplus", 1, [](double x, double, double) { return std::max(x, 0.0) + std::log1p(std::exp(-std::abs(x))); }},
    FormulaFunction{"softsign", 1, [](double x, double, double) { return x / (1 + std::abs(x)); }},
    FormulaFunction{"gelu", 1, [](double x, double, double) { return 0.5 * x * (1 + std::erf(x * std::sqrt(0.5))); }},
    FormulaFunction{"swish", 1, [](double x, double, double) { return x / (1 + std::exp(-x)); }},
    FormulaFunction{"norm", 1, nullptr},
};

struct Operator {
    std::string_view sign;
    std::string_view function;
    int strength;
};
/// The first sign of a function is the one that is written; Python writes a power with two signs.
constexpr std::array kOperators{Operator{"+", "add", 1},  Operator{"-", "sub", 1}, Operator{"^", "pow", 4},
                                Operator{"**", "pow", 4}, Operator{"*", "mul", 2}, Operator{"/", "div", 2}};
constexpr int kNegation = 3; ///< weaker than a power, stronger than a product

bool isLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool isDigit(char c) { return c >= '0' && c <= '9'; }

class Parser {
public:
    explicit Parser(std::string_view text) : m_text(text) {}

    Result<Formula> whole()
    {
        if (m_text.size() > kMostText) return wrong();
        TW_ASSIGN(auto formula, sum(0, 0));
        skipSpaces();
        if (m_at != m_text.size()) return wrong();
        return formula;
    }

private:
    Diagnostic wrong() const
    {
        return makeError(ErrorKind::Invalid, "formula.text", std::string(m_text.substr(0, 200)),
                         Message::of("the formula cannot be read at character %1", m_at + 1),
                         Message::of("Write numbers, names, + - * / ^, parentheses and functions, such as sqrt(v) + 1e-7."));
    }

    void skipSpaces()
    {
        while (m_at < m_text.size() && m_text[m_at] == ' ') ++m_at;
    }
    bool take(char c)
    {
        skipSpaces();
        if (m_at == m_text.size() || m_text[m_at] != c) return false;
        ++m_at;
        return true;
    }
    Operator const *next()
    {
        skipSpaces();
        auto const rest = m_text.substr(m_at);
        auto const it = std::ranges::find_if(kOperators, [&](auto const &op) { return rest.starts_with(op.sign); });
        return it == kOperators.end() ? nullptr : &*it;
    }

    /// Operators of at least this strength.
    Result<Formula> sum(int least, int depth)
    {
        if (depth > kMostDepth) return wrong();
        TW_ASSIGN(auto left, operand(depth + 1));
        for (auto const *op = next(); op && op->strength >= least; op = next()) {
            m_at += op->sign.size();
            bool const power = op->strength > kNegation;
            TW_ASSIGN(auto right, sum(power ? op->strength : op->strength + 1, depth + 1));
            left = formulaCall(std::string(op->function), {std::move(left), std::move(right)});
        }
        return left;
    }

    Result<Formula> operand(int depth)
    {
        if (depth > kMostDepth) return wrong();
        if (take('-')) {
            TW_ASSIGN(auto value, sum(kNegation, depth + 1));
            return value.kind == Formula::Kind::Number ? formulaNumber(-value.number) : formulaCall("neg", {std::move(value)});
        }
        if (take('(')) {
            TW_ASSIGN(auto inner, sum(0, depth + 1));
            if (!take(')')) return wrong();
            return inner;
        }
        skipSpaces();
        auto const begin = m_at;
        if (m_at < m_text.size() && (isDigit(m_text[m_at]) || m_text[m_at] == '.')) return number();
        while (m_at < m_text.size() && (isLetter(m_text[m_at]) || isDigit(m_text[m_at]))) ++m_at;
        if (m_at == begin) return wrong();
        std::string name(m_text.substr(begin, m_at - begin));
        if (!take('(')) return formulaName(std::move(name));
        auto const *function = findFormulaFunction(name);
        if (!function) return wrong();
        std::vector<Formula> arguments;
        do {
            TW_ASSIGN(auto argument, sum(0, depth + 1));
            arguments.push_back(std::move(argument));
        } while (arguments.size() < function->arguments && take(','));
        if (arguments.size() != function->arguments || !take(')')) return wrong();
        return formulaCall(std::move(name), std::move(arguments));
    }

    Result<Formula> number()
    {
        auto const begin = m_at;
        auto const digits = [&] {
            while (m_at < m_text.size() && (isDigit(m_text[m_at]) || m_text[m_at] == '.')) ++m_at;
        };
        digits();
        if (m_at < m_text.size() && (m_text[m_at] == 'e' || m_text[m_at] == 'E')) {
            ++m_at;
            if (m_at < m_text.size() && (m_text[m_at] == '-' || m_text[m_at] == '+')) ++m_at;
            digits();
        }
        auto const value = parseReal(m_text.substr(begin, m_at - begin));
        if (!value) return wrong();
        return formulaNumber(*value);
    }

    std::string_view m_text;
    std::size_t m_at = 0;
};

/// With parentheses if the formula binds less than `least`.
std::string textOf(Formula const &formula, int least)
{
    switch (formula.kind) {
    case Formula::Kind::Number: {
        auto text = numberText(formula.number);
        return formula.number < 0 && least > kNegation ? "(" + text + ")" : text;
    }
    case Formula::Kind::Name: return formula.name;
    case Formula::Kind::Call: break;
    }
    auto const inParentheses = [&](std::string text, int strength) { return strength < least ? "(" + text + ")" : text; };
    if (formula.name == "neg") return inParentheses("-" + textOf(formula.arguments[0], kNegation + 1), kNegation);
    if (auto const op = std::ranges::find(kOperators, formula.name, &Operator::function); op != kOperators.end()) {
        bool const power = op->strength > kNegation;
        auto text = textOf(formula.arguments[0], power ? op->strength + 1 : op->strength) + ' ' + std::string(op->sign) + ' '
            + textOf(formula.arguments[1], power ? op->strength : op->strength + 1);
        return inParentheses(std::move(text), op->strength);
    }
    std::string text = formula.name + "(";
    for (std::size_t i = 0; i < formula.arguments.size(); ++i) text += (i ? ", " : "") + textOf(formula.arguments[i], 0);
    return text + ")";
}

} // namespace

Formula formulaNumber(double value) { return {Formula::Kind::Number, value, {}, {}}; }
Formula formulaName(std::string name) { return {Formula::Kind::Name, 0, std::move(name), {}}; }
Formula formulaCall(std::string function, std::vector<Formula> arguments)
{
    return {Formula::Kind::Call, 0, std::move(function), std::move(arguments)};
}

std::span<FormulaFunction const> formulaFunctions() { return kFunctions; }

FormulaFunction const *findFormulaFunction(std::string_view name)
{
    auto const it = std::ranges::find(kFunctions, name, &FormulaFunction::name);
    return it == kFunctions.end() ? nullptr : &*it;
}

Result<Formula> parseFormula(std::string_view text) { return Parser(text).whole(); }

std::string toText(Formula const &formula) { return textOf(formula, 0); }

std::optional<double> valueOf(Formula const &formula, std::function<std::optional<double>(std::string_view)> const &named)
{
    if (formula.kind == Formula::Kind::Number) return formula.number;
    if (formula.kind == Formula::Kind::Name) return named(formula.name);
    auto const *function = findFormulaFunction(formula.name);
    if (!function || !function->value || formula.arguments.size() != function->arguments) return {};
    std::array<double, 3> values{};
    for (std::size_t i = 0; i < function->arguments; ++i) {
        auto const value = valueOf(formula.arguments[i], named);
        if (!value) return {};
        values[i] = *value;
    }
    return function->value(values[0], values[1], values[2]);
}

Result<std::vector<FormulaStep>> parseFormulaSteps(std::string_view text)
{
    std::vector<FormulaStep> steps;
    for (auto const &part : splitText(text, ';')) {
        auto const equals = part.find('=');
        auto const isPartOfName = [](char c) { return isLetter(c) || isDigit(c); };
        std::string_view name = std::string_view(part).substr(0, equals);
        while (name.starts_with(' ')) name.remove_prefix(1);
        while (name.ends_with(' ')) name.remove_suffix(1);
        if (equals == std::string::npos || name.empty() || isDigit(name[0]) || !std::ranges::all_of(name, isPartOfName))
            return makeError(ErrorKind::Invalid, "formula.text", part.substr(0, 200), Message::of("is not a step of a formula"),
                             Message::of("Write NAME = FORMULA."));
        TW_ASSIGN(auto formula, parseFormula(std::string_view(part).substr(equals + 1)));
        steps.push_back({std::string(name), std::move(formula)});
    }
    return steps;
}

} // namespace tilewright

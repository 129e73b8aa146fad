#include "engine/graph/prims.h"

#include "engine/core/text.h"
#include "engine/graph/expr.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>

namespace tilewright::graph {

namespace {

// Words of the formulas in prims.def.
constexpr double kPi = 3.14159265358979323846;
constexpr double kSeluScale = 1.05070098;
constexpr double kSeluAlpha = 1.67326324;

double sigmoid(double x) { return 1.0 / (1.0 + std::exp(-x)); }
double normalDensity(double x) { return std::exp(-0.5 * x * x) / std::sqrt(2.0 * kPi); }
double normalBelow(double x) { return 0.5 * std::erfc(-x / std::sqrt(2.0)); }
/// Maximum and minimum as in numpy: NaN if either is NaN.
double larger(double x, double y) { return std::isnan(x) || std::isnan(y) ? std::nan("") : (x > y ? x : y); }
double smaller(double x, double y) { return std::isnan(x) || std::isnan(y) ? std::nan("") : (x < y ? x : y); }
/// a b, but 0 if one factor is exactly 0 even if the other is infinite: the limit when the zero factor vanishes faster.
double vanishing(double a, double b) { return a == 0 || b == 0 ? 0.0 : a * b; }

double tanhArgument(double x) { return std::sqrt(2.0 / kPi) * (x + 0.044715 * x * x * x); }
double geluTanhSlope(double x)
{
    double const t = std::tanh(tanhArgument(x));
    double const inner = std::sqrt(2.0 / kPi) * (1.0 + 3.0 * 0.044715 * x * x);
    return 0.5 * (1.0 + t) + vanishing(1.0 - t * t, 0.5 * x * inner);
}
double swishSlope(double x)
{
    double const s = sigmoid(x);
    return s + vanishing(s * (1.0 - s), x);
}

#define PRIM(id, name, arity, parameters, flops, traits, formula, gradient, ...)                                                           \
    PrimInfo{Prim::id,                                                                                                                     \
             name,                                                                                                                         \
             arity,                                                                                                                        \
             parameters,                                                                                                                   \
             flops,                                                                                                                        \
             traits,                                                                                                                       \
             gradient,                                                                                                                     \
             {__VA_ARGS__},                                                                                                                \
             []([[maybe_unused]] double x, [[maybe_unused]] double y, [[maybe_unused]] double z, [[maybe_unused]] double p,                \
                [[maybe_unused]] double q) -> double { return formula; }},
constexpr std::array<PrimInfo, kPrimCount> kPrims{
#include "engine/graph/prims.def"
};
#undef PRIM

constexpr bool isMark(std::string_view rule) { return rule == "flat" || rule == "once"; }
constexpr bool isWhole(PrimInfo const &prim)
{
    auto const rules = 1 + std::ranges::count(prim.gradient, '|');
    return !prim.price.ops.empty() && (isMark(prim.gradient) || (!prim.gradient.empty() && rules == prim.arity));
}
static_assert(std::ranges::all_of(kPrims, isWhole),
              "prims.def: a primitive without a price, or with a gradient that says nothing of an operand");

std::string_view trimmed(std::string_view text)
{
    while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
    while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
    return text;
}

/// Part `index` of a text split at `cut`; empty after the last.
std::string_view partOf(std::string_view text, char cut, int index)
{
    for (; index > 0; --index) {
        auto const at = text.find(cut);
        if (at == std::string_view::npos) return {};
        text.remove_prefix(at + 1);
    }
    return trimmed(text.substr(0, text.find(cut)));
}

/// A word of a gradient in the form of parseExpr().
std::string argumentText(std::string_view word)
{
    constexpr std::string_view kNames = "xyzrd0"; // in the order of GradientOperand
    auto const at = word.size() == 1 ? kNames.find(word[0]) : std::string_view::npos;
    return at == std::string_view::npos ? std::string(word) : "a" + std::to_string(at);
}

/// "clip_grad(p,q)" with the values of the parameters.
std::string calledText(std::string_view call, double p, double q)
{
    auto const open = call.find('(');
    if (open == std::string_view::npos) return std::string(call);
    std::string text(call.substr(0, open));
    char before = '(';
    for (auto const &word : splitText(call.substr(open + 1, call.find(')') - open - 1), ',')) {
        text += before + (word == "p" ? numberText(p) : word == "q" ? numberText(q) : word);
        before = ',';
    }
    return text + ")";
}

} // namespace

std::span<PrimInfo const> primitives() { return kPrims; }

PrimInfo const *findPrimitive(std::string_view name)
{
    auto const it = std::ranges::find(kPrims, name, &PrimInfo::name);
    return it == kPrims.end() ? nullptr : &*it;
}

PrimInfo const &info(Prim prim) { return kPrims[static_cast<std::size_t>(prim)]; }

void appendLibraryOps(Instr const &instr, std::vector<std::string_view> &ops)
{
    for (auto rest = info(instr.prim).price.ops; !rest.empty();) {
        auto const end = std::min(rest.find(','), rest.size());
        auto op = rest.substr(0, end);
        rest.remove_prefix(std::min(end + 1, rest.size()));
        if (op.starts_with("p?") || op.starts_with("q?")) {
            if ((op[0] == 'p' ? instr.p0 : instr.p1) == 1.0) continue;
            op.remove_prefix(2);
        }
        ops.push_back(op);
    }
}

std::optional<Expr> gradientExpr(Prim prim, int operand, double p, double q)
{
    auto const whole = info(prim).gradient;
    auto const rule = isMark(whole) ? whole : partOf(whole, '|', operand);
    if (isMark(rule)) return {};
    if (rule == "d") return Expr{kGradientOperands, {}};
    std::string text = std::to_string(kGradientOperands) + ":";
    for (int i = 0; !partOf(rule, ';', i).empty(); ++i) {
        auto const words = splitText(partOf(rule, ';', i), ' ');
        text += (i > 0 ? "; " : " ") + calledText(words[0], p, q);
        for (std::size_t k = 1; k < words.size(); ++k) text += " " + argumentText(words[k]);
    }
    auto expr = parseExpr(text);
    TW_CHECK(expr.ok(), "prims.def: the gradient of " + std::string(info(prim).name) + " is no chain of primitives: " + text);
    return std::move(expr).value();
}

} // namespace tilewright::graph

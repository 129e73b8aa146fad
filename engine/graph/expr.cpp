#include "engine/graph/expr.h"

#include "engine/core/numbers.h"
#include "engine/core/text.h"
#include "engine/graph/axes.h"

#include <algorithm>

namespace tilewright::graph {

namespace {

Diagnostic badExpr(std::string_view text)
{
    return makeError(ErrorKind::Invalid, "graph.expression", std::string(text), Message::of("is not an elementwise expression."),
                     Message::of("The form is 'OPERANDS: prim(p0,p1) a0 t0; …'."));
}

constexpr std::size_t kMaxInstructions = 64; ///< vertices keep their intermediate values in fixed arrays

bool readInt(std::string_view text, int &value)
{
    auto const read = parseIntegerAs<int>(text);
    value = read.value_or(0);
    return read.has_value();
}

bool readDouble(std::string_view text, double &value)
{
    auto const read = parseRealOrWord(text);
    value = read.value_or(0);
    return read.has_value();
}

} // namespace

std::string toText(Expr const &expr)
{
    std::string text = std::to_string(expr.operands) + ":";
    for (std::size_t i = 0; i < expr.instrs.size(); ++i) {
        auto const &instr = expr.instrs[i];
        auto const &prim = info(instr.prim);
        text += i ? "; " : " ";
        text += prim.name;
        if (prim.parameters) {
            text += "(" + numberText(instr.p0);
            if (prim.parameters == 2) text += "," + numberText(instr.p1);
            text += ")";
        }
        for (int a = 0; a < prim.arity; ++a) {
            int const arg = instr.args[a];
            text += arg < expr.operands ? " a" + std::to_string(arg) : " t" + std::to_string(arg - expr.operands);
        }
    }
    return text;
}

Result<Expr> parseExpr(std::string_view text)
{
    Expr expr;
    auto const colon = text.find(':');
    if (colon == std::string_view::npos || !readInt(text.substr(0, colon), expr.operands) || expr.operands < 0 || expr.operands > 64)
        return badExpr(text);
    for (auto const &part : splitText(text.substr(colon + 1), ';')) {
        if (expr.instrs.size() == kMaxInstructions) return badExpr(text);
        std::vector<std::string> words;
        for (auto &word : splitText(part, ' '))
            if (!word.empty()) words.push_back(std::move(word));
        if (words.empty()) return badExpr(text);
        Instr instr;
        auto const open = words[0].find('(');
        auto const *prim = findPrimitive(std::string_view(words[0]).substr(0, open));
        if (!prim || static_cast<int>(words.size()) != prim->arity + 1) return badExpr(text);
        instr.prim = prim->prim;
        if ((open != std::string::npos) != (prim->parameters > 0)) return badExpr(text);
        if (prim->parameters) {
            if (words[0].back() != ')') return badExpr(text);
            auto const values = splitText(std::string_view(words[0]).substr(open + 1, words[0].size() - open - 2), ',');
            if (static_cast<int>(values.size()) != prim->parameters || !readDouble(values[0], instr.p0)
                || (values.size() == 2 && !readDouble(values[1], instr.p1)))
                return badExpr(text);
        }
        for (int a = 0; a < prim->arity; ++a) {
            auto const &word = words[static_cast<std::size_t>(a) + 1];
            int index = 0;
            if (word.size() < 2 || !readInt(std::string_view(word).substr(1), index) || index < 0) return badExpr(text);
            if (word[0] == 'a' && index < expr.operands) instr.args[a] = index;
            else if (word[0] == 't' && index < static_cast<int>(expr.instrs.size())) instr.args[a] = expr.operands + index;
            else return badExpr(text);
        }
        expr.instrs.push_back(instr);
    }
    return expr;
}

std::optional<Broadcast> findBroadcast(RowsCols operand, RowsCols output)
{
    auto const n = operand.rows * operand.cols;
    if (n == output.rows * output.cols) return Broadcast::Full;
    if (n == 1) return Broadcast::Scalar;
    if (n == output.cols && operand.cols == output.cols) return Broadcast::Row;
    if (n == output.rows) return Broadcast::Column;
    return {};
}

std::optional<Broadcast> findBroadcast(Shape const &operand, Shape const &output)
{
    if (!broadcasts(operand, output)) return {};
    Shape const wide = alignedTo(output.size(), operand);
    if (wide == output) return Broadcast::Full;
    auto const isOne = [](std::int64_t extent) { return extent == 1; };
    if (std::ranges::all_of(wide, isOne)) return Broadcast::Scalar;
    bool const lastSame = wide.back() == output.back();
    if (lastSame && std::all_of(wide.begin(), wide.end() - 1, isOne)) return Broadcast::Row;
    if (!lastSame && std::equal(wide.begin(), wide.end() - 1, output.begin())) return Broadcast::Column;
    return {};
}

Expr exprOf(Node const &node)
{
    if (node.op == "map") {
        auto expr = parseExpr(node.attrs.text("expr"));
        TW_CHECK(expr.ok(), "map node " + node.name + " has no expression");
        return std::move(expr).value();
    }
    auto const *prim = findPrimitive(node.op);
    TW_CHECK(prim, node.op + " is not elementwise");
    Instr instr;
    instr.prim = prim->prim;
    for (int i = 0; i < prim->arity; ++i) instr.args[i] = i;
    instr.p0 = node.attrs.real("p0");
    instr.p1 = node.attrs.real("p1");
    return Expr{prim->arity, {instr}};
}

bool isElementwise(std::string_view op) { return op == "map" || findPrimitive(op) != nullptr; }

} // namespace tilewright::graph

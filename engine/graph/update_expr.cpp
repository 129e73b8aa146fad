#include "engine/graph/update_expr.h"

#include "engine/core/numbers.h"
#include "engine/core/text.h"

namespace tilewright::graph {

namespace {

Diagnostic badUpdate(std::string_view text)
{
    return makeError(ErrorKind::Invalid, "graph.expression", std::string(text.substr(0, 200)), Message::of("is not an update of states."),
                     Message::of("The form is 'RESULTS | EXPRESSION', such as 't1 t0 | 4: mul a2 a3; sub a0 t0'."));
}

} // namespace

std::string toText(UpdateExpr const &update)
{
    std::string text;
    for (int const result : update.results)
        text +=
            result < update.expr.operands ? "a" + std::to_string(result) + " " : "t" + std::to_string(result - update.expr.operands) + " ";
    return text + "| " + toText(update.expr);
}

Result<UpdateExpr> parseUpdateExpr(std::string_view text)
{
    auto const bar = text.find('|');
    if (bar == std::string_view::npos) return badUpdate(text);
    auto expr = text.substr(bar + 1);
    while (expr.starts_with(' ')) expr.remove_prefix(1);
    UpdateExpr update;
    TW_ASSIGN(update.expr, parseExpr(expr));
    for (auto const &word : splitText(text.substr(0, bar), ' ')) {
        if (word.empty()) continue;
        auto const index = parseIntegerAs<int>(std::string_view(word).substr(1));
        int const count = word[0] == 'a' ? update.expr.operands : static_cast<int>(update.expr.instrs.size());
        if ((word[0] != 'a' && word[0] != 't') || !index || *index < 0 || *index >= count) return badUpdate(text);
        // A state keeps its own value, or has a computed one. (Stores are in place, so none may take another's.)
        if (word[0] == 'a' && *index != update.states()) return badUpdate(text);
        update.results.push_back(word[0] == 'a' ? *index : update.expr.operands + *index);
    }
    if (update.results.empty() || update.scalars() < 0) return badUpdate(text);
    return update;
}

} // namespace tilewright::graph

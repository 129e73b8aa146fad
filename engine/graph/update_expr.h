#pragma once

#include "engine/graph/expr.h"

#include <string>
#include <string_view>
#include <vector>

namespace tilewright::graph {

/// An optimizer's update, element by element: an expression with a result per state. Operands: the states (weights first), the gradient,
/// then scalars, which are equal for all elements.
struct UpdateExpr {
    Expr expr;
    std::vector<int> results; ///< by state: an instruction, or the state itself if it is unchanged; numbered as in Instr::args
    int states() const { return static_cast<int>(results.size()); }
    int scalars() const { return expr.operands - states() - 1; }
    bool operator==(UpdateExpr const &) const = default;
};

/// "t1 t0 | 4: mul a2 a3; sub a0 t0": the results, then the expression. parseUpdateExpr reads it back.
std::string toText(UpdateExpr const &update);
/// Error: Invalid "graph.expression".
Result<UpdateExpr> parseUpdateExpr(std::string_view text);

} // namespace tilewright::graph

#pragma once

#include "engine/lowering/op_lowering.h"

/// Shared by calls, loops and branches: values that enter and leave a body.
namespace tilewright::lowering {

/// Whether a value of a body can have this layout: every element once, on tiles of this IPU.
bool isStorage(program::Layout const &layout, int ipu);

/// Whether all nodes of a node's bodies work on its IPU.
bool staysOnOneIpu(LowerContext const &ctx, graph::Node const &node);

/// Copies each `from` to its `to`, on its tiles or by exchange. Does `more` in the same step.
void copyAll(ProgramBuilder &b, std::vector<program::VarId> const &from, std::vector<program::VarId> const &to, std::string const &name,
             std::vector<program::VertexFamily> more = {});

/// The end of a loop step: copies its results to the next step's parameters, all at once. Does `more` in the same step.
void carryOver(ProgramBuilder &b, std::vector<program::VarId> from, std::vector<program::VarId> const &carried, std::string const &name,
               std::vector<program::VertexFamily> more = {});

} // namespace tilewright::lowering

#pragma once

#include "engine/lowering/op_lowering.h"

/// What calls, loops and branches share: values that go into a body and come out of it.
namespace tilewright::lowering {

/// Whether a layout is one that a value of a body can have: every element once, on tiles of this IPU.
bool isStorage(program::Layout const &layout, int ipu);

/// Whether all nodes of a node's bodies work on its IPU.
bool staysOnOneIpu(LowerContext const &ctx, graph::Node const &node);

/// Each `from` into its `to`: copied where it is, or sent; `more` is done beside it.
void copyAll(ProgramBuilder &b, std::vector<program::VarId> const &from, std::vector<program::VarId> const &to, std::string const &name,
             std::vector<program::VertexFamily> more = {});

/// The end of a step of a loop: what it leaves becomes what the next is given, all at once, and `more` is done beside it.
void carryOver(ProgramBuilder &b, std::vector<program::VarId> from, std::vector<program::VarId> const &carried, std::string const &name,
               std::vector<program::VertexFamily> more = {});

} // namespace tilewright::lowering

#pragma once

#include "engine/compiler/compile.h"

namespace tilewright::compiler {

/// An entry that moves state between host and device, over the variables of another one. weights_in: one feed per weight, in Keras's order,
/// with the name of the variable. weights_out: the same as outputs. initialise: the weights as feeds, and every other state set to its
/// initial value on the device. Errors: those of initialisers; Invalid "compile.initialise" for state whose first values are not all equal.
/// Requires: executable::movesState of the kind's name.
Result<executable::Entry> makeStateEntry(RunKind kind, executable::Entry const &other);

} // namespace tilewright::compiler

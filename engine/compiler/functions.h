#pragma once

#include "engine/compiler/compile.h"

#include <string>
#include <vector>

namespace tilewright::compiler {

/// A function over tensors and variables that no model has made: an entry of an executable. Its graph reads its arguments with one `infeed`
/// and sends its results with one `outfeed`; both may stand in the body of a loop, which then takes or sends an element in each pass.
struct Function {
    std::string name; ///< unique among those that are compiled together
    graph::Graph graph;
    std::vector<graph::FeedSpec> infeed, outfeed; ///< of one element
};

/// Compiles functions for one IPU of the project's system, or for its cpu target, with the project's options; its model and its training
/// plan are not read. Functions share the variables of equal name, shape and type. Errors: Usage "compile.no-function", those of the
/// graph's check, the passes and the lowering. A program that does not fit is no error: `outOfMemory` says so.
Result<CompileOutcome> compileFunctions(std::string const &name, std::vector<Function> functions, project::Project const &system,
                                        CompileRequest const &request, JobContext const &job);

} // namespace tilewright::compiler

#pragma once

#include "engine/runtime/compile.h"

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace tilewright::cli {

class Output;
struct Context;

/// The keys of `compile --json` (and of train's event of that name).
nlohmann::ordered_json compileDocument(runtime::CompileOutcome const &outcome);
/// The same for people.
std::string compileText(runtime::CompileOutcome const &outcome, std::string const &title);
/// Times of the phases, for the log; the compiler itself logs the rest.
void logPhases(Output &output, runtime::CompileOutcome const &outcome);

/// What every compile of the command line has in common: the settings of the environment, and where logs go.
Result<runtime::CompileRequest> compileRequest(Context &context);

} // namespace tilewright::cli

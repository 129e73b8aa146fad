#pragma once

#include "engine/runtime/compile.h"

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace tilewright::cli {

class Output;

/// The keys of `compile --json` (and of train's event of that name).
nlohmann::ordered_json compileDocument(runtime::CompileOutcome const &outcome);
/// The same for people.
std::string compileText(runtime::CompileOutcome const &outcome, std::string const &title);
/// What the logs tell of a compile: phases, passes, the cache.
void logCompile(Output &output, runtime::CompileOutcome const &outcome);

} // namespace tilewright::cli

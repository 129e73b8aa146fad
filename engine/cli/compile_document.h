#pragma once

#include "engine/runtime/proposals.h"

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace tilewright::cli {

class Output;
struct Context;

/// The keys of `compile --json` (and of train's event of that name).
nlohmann::ordered_json compileDocument(compiler::CompileOutcome const &outcome);
/// The same for people.
std::string compileText(compiler::CompileOutcome const &outcome, std::string const &title);
/// Times of the phases, for the log; the compiler itself logs the rest.
void logPhases(Output &output, compiler::CompileOutcome const &outcome);

/// What would make a project fit that does not: tried by compiles, with progress. Without a terminal, where nobody
/// sees progress, only as long as nobody notices.
runtime::Remedies tryRemedies(Context &context, project::Project const &project, std::filesystem::path const &dataFolder,
                              compiler::CompileRequest const &request, compiler::CompileOutcome const &outcome);
/// {"set": {path: value}, "fits", …}: a row of `tune` and of a failed compile's remedies.
nlohmann::ordered_json trialDocument(runtime::Trial const &trial);
nlohmann::ordered_json remediesDocument(runtime::Remedies const &remedies);

/// What every compile of the command line has in common: the settings of the environment, and where logs go.
Result<compiler::CompileRequest> compileRequest(Context &context);

} // namespace tilewright::cli

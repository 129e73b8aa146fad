#pragma once

#include "engine/runtime/proposals.h"
#include "engine/workspace/project_store.h"

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace tilewright::cli {

class Output;
struct Context;

/// The document of `compile --json` (and of train's event `compile`).
nlohmann::ordered_json compileDocument(compiler::CompileOutcome const &outcome);
/// The same as text.
std::string compileText(compiler::CompileOutcome const &outcome, std::string const &title);
/// Logs the times of the phases; the compiler logs the rest.
void logPhases(Output &output, compiler::CompileOutcome const &outcome);

/// Searches remedies for a project that does not fit, by trial compiles with progress. Without a terminal, which would show progress, the
/// search is short.
runtime::Remedies tryRemedies(Context &context, project::Project const &project, std::filesystem::path const &dataFolder,
                              compiler::CompileRequest const &request, compiler::CompileOutcome const &outcome);
/// {"set": {path: value}, "fits", …}: a row of `tune` and of the remedies of a failed compile.
nlohmann::ordered_json trialDocument(runtime::Trial const &trial);
nlohmann::ordered_json remediesDocument(runtime::Remedies const &remedies);

/// The common compile request of all commands: the settings of the environment, and the destination of logs.
Result<compiler::CompileRequest> compileRequest(Context &context);
/// The project of PROJECT on the device of --device, with --target.
Result<workspace::OpenProject> openOnDevice(Context &context);

} // namespace tilewright::cli

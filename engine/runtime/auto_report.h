#pragma once

#include "engine/compiler/compile.h"
#include "engine/core/host_work.h"

#include <filesystem>
#include <optional>

/// Reports that the engine options autoReport.* request, without --report.
namespace tilewright::runtime {

struct AutoReport {
    std::filesystem::path folder;        ///< of the program: BASE/tf_report__DATE__TIME__PID/MODEL
    bool compile = false, run = false;   ///< parts of profile.twreport
    bool graph = false, archive = false; ///< graph.txt, archive.ipu_bin

    std::filesystem::path file() const { return folder / "profile.twreport"; }
};

/// Creates the folder and framework.json; nullopt: the options request nothing, or the target has no program on tiles. Errors: those of the
/// settings, and of the folder.
Result<std::optional<AutoReport>> beginAutoReport(project::Project const &project, config::EnvironmentOptions const &environment);

/// Writes the parts that need a compile only. `outcome`: of a request with forReport.
Status writeAutoReport(AutoReport const &report, project::Project const &project, compiler::CompileOutcome const &outcome,
                       HostWork const &work);

/// A note that names the folder.
Diagnostic autoReportNote(AutoReport const &report);

} // namespace tilewright::runtime

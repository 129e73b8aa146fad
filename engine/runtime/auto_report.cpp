#include "engine/runtime/auto_report.h"

#include "engine/compiler/settings.h"
#include "engine/core/build.h"
#include "engine/core/clock.h"
#include "engine/core/files.h"
#include "engine/runtime/run_report.h"

#include <nlohmann/json.hpp>

#include <unistd.h>

namespace tilewright::runtime {

namespace {

/// "2026-01-31T12:00:00Z" as "2026-01-31__12-00-00".
std::string stampOf(std::string const &time)
{
    std::string stamp;
    for (char const c : time) {
        if (c == 'T') stamp += "__";
        else if (c == ':') stamp += '-';
        else if (c != 'Z') stamp += c;
    }
    return stamp;
}

std::string asFileName(std::string name)
{
    for (char &c : name)
        if (c == '/' || c == '\0') c = '_';
    return name.empty() || name == "." || name == ".." ? "model" : name;
}

} // namespace

Result<std::optional<AutoReport>> beginAutoReport(project::Project const &project, config::EnvironmentOptions const &environment)
{
    TW_ASSIGN(auto const effective, compiler::effectiveEnvironment(project, environment, nullptr));
    auto const machine = compiler::effectiveMachine(project, environment);
    if (!machine.ok() || !machine->isEmulated()) return std::optional<AutoReport>(); // the compile refuses the target, or has no program
    auto const &engine = effective.engine;
    bool const all = engine.boolean("autoReport.all");
    AutoReport report;
    report.run = all || engine.boolean("autoReport.outputExecutionProfile");
    report.compile = all || engine.boolean("autoReport.outputGraphProfile");
    report.archive = all || engine.boolean("autoReport.outputArchive");
    report.graph = engine.boolean("autoReport.outputSerializedGraph");
    if (!report.run && !report.compile && !report.archive && !report.graph) return std::optional<AutoReport>();
    report.folder = std::filesystem::path(engine.text("autoReport.directory"))
        / ("tf_report__" + stampOf(utcNow()) + "__" + std::to_string(::getpid())) / asFileName(project.model.name);
    TW_TRY(ensureFolder(report.folder));
    auto const json = nlohmann::ordered_json{{"program", "Tilewright"},
                                             {"version", std::string(version())},
                                             {"cluster", project.model.name},
                                             {"target", project.target},
                                             {"selection_order", project.config.text("selection_order")}};
    TW_TRY(writeFileAtomically(report.folder / "framework.json", json.dump(1) + "\n", Sync::No));
    return std::optional(report);
}

Status writeAutoReport(AutoReport const &report, project::Project const &project, compiler::CompileOutcome const &outcome,
                       HostWork const &work)
{
    if (!outcome.executable || outcome.stopped) return {};
    if (report.compile && !report.run) TW_TRY(writeCompileReport(report.file(), project, outcome, work));
    if (report.graph) TW_TRY(writeFileAtomically(report.folder / "graph.txt", graph::print(outcome.entry()->graph), Sync::No));
    if (!report.archive) return {};
    auto const bytes = executable::serialize(*outcome.executable);
    return writeFileAtomically(report.folder / "archive.ipu_bin", {reinterpret_cast<char const *>(bytes.data()), bytes.size()}, Sync::No);
}

Diagnostic autoReportNote(AutoReport const &report)
{
    auto note = makeWarning("report.auto", report.folder.string(), Message::of("the report that autoReport requests is in this folder."));
    note.severity = Severity::Note;
    return note;
}

} // namespace tilewright::runtime

#include "engine/cli/command.h"
#include "engine/cli/compile_document.h"
#include "engine/cli/output.h"
#include "engine/workspace/project_store.h"
#include "engine/compiler/project_rules.h"
#include "engine/runtime/auto_report.h"
#include "engine/runtime/proposals.h"
#include "engine/runtime/run_report.h"

#include <nlohmann/json.hpp>

namespace tilewright::cli {

using namespace workspace;

namespace {

/// What training refuses of the plan is refused before the compile. Of a batch that does not divide the data the command warns only: the
/// program is the same for any data.
Status checkRules(OpenProject const &open, compiler::CompileRequest const &request, JobContext const &job)
{
    auto const samples = runtime::samplesOf(open.project, dataFolder(open), job);
    auto judgement = compiler::judge(open.project, {request.kind, samples, request.environment});
    if (!samples) return {}; // the compile tells all else
    for (auto &problem : judgement.problems) {
        if (problem.severity != Severity::Error) continue; // the compile tells
        if (problem.kind != ErrorKind::Data) return problem;
        problem.severity = Severity::Warning;
        job.warn(std::move(problem));
    }
    return {};
}

Result<int> compileProject(Context &context)
{
    auto const &args = context.arguments;
    TW_ASSIGN(auto const open, openOnDevice(context));
    TW_ASSIGN(auto request, compileRequest(context));
    TW_TRY(checkRules(open, request, context.job));
    request.useCache = !args.has("--no-cache");
    std::optional<runtime::AutoReport> automatic;
    TW_ASSIGN(automatic, runtime::beginAutoReport(open.project, request.environment));
    request.forReport = args.has("--report") || automatic;
    request.passOptions.stopAfter = args.text("--stop-after");
    if (auto const dump = args.list("--dump-after"); dump.size() >= 2) {
        request.passOptions.dumpAfter = dump[dump.size() - 2];
        request.passOptions.dumpFolder = dump.back();
    }
    TW_TRY(runtime::requestEntries(open.project, dataFolder(open), request, context.job));
    TW_ASSIGN(auto const outcome, compiler::compile(open.project, request, context.job));
    logPhases(context.output, outcome);
    std::optional<runtime::Remedies> remedies;
    if (outcome.outOfMemory) remedies = tryRemedies(context, open.project, dataFolder(open), request, outcome);
    // What does not fit has a report all the more.
    bool const writes = args.has("--report") && !outcome.stopped;
    if (writes) {
        ThreadPool pool(hostThreads(request.threads));
        TW_TRY(runtime::writeCompileReport(args.text("--report"), open.project, outcome, {&pool, &context.job},
                                           remedies ? &*remedies : nullptr));
    }
    if (automatic && !outcome.stopped) {
        automatic->compile = automatic->compile || automatic->run; // nothing runs
        automatic->run = false;
        ThreadPool pool(hostThreads(request.threads));
        TW_TRY(runtime::writeAutoReport(*automatic, open.project, outcome, {&pool, &context.job}));
        context.job.warn(runtime::autoReportNote(*automatic));
    }
    auto const title = open.project.title.empty() ? open.project.model.name : open.project.title;
    auto document = compileDocument(outcome);
    if (writes) document["report"] = args.text("--report");
    auto const text = context.output.json() ? std::string() : compileText(outcome, title);
    if (outcome.outOfMemory) {
        auto error = *outcome.outOfMemory;
        error.remedy = runtime::toText(*remedies);
        document["remedies"] = remediesDocument(*remedies);
        document["remedies_complete"] = remedies->complete;
        if (!remedies->leftOut.empty()) document["remedies_left_out"] = remedies->leftOut;
        return context.output.fail(error, std::move(document), text);
    }
    if (context.output.json()) context.output.document(std::move(document));
    else context.output.text(text);
    return 0;
}

} // namespace

std::vector<Command> compileCommands()
{
    auto dump =
        option("--dump-after", "PASS DIR", "write the graph after a pass into a folder; `all`: after every pass, and the lowered program");
    dump.values = 2;
    return {{.name = "compile",
             .group = "Running",
             .summary = "compiles a project",
             .details = "Exit code 4 if the project does not fit; the report is written anyway.",
             .example = "tilewright compile mnist.tilewright --report mnist.twreport",
             .parameters = {word("PROJECT", "a .tilewright file or its JSON twin"), targetOption(), deviceOption(),
                            destination(option("--report", "FILE", "write a report (.twreport)")),
                            flag("--no-cache", "compile even if the executable is in the cache, and do not store it"), dump,
                            option("--stop-after", "PASS",
                                   "stop after a pass of the training step (differentiate …) or of the graph (fold, cse …)")},
             .run = compileProject}};
}

} // namespace tilewright::cli

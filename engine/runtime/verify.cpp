// The comparison of both modes: compile, data, lockstep.
#include "engine/compiler/project_rules.h"
#include "engine/project/reproducer.h"
#include "engine/runtime/lockstep.h"
#include "engine/runtime/session_parts.h"

namespace tilewright::runtime {

namespace {

Result<VerifyOutcome> runVerify(project::Project const &project, RunRequest const &request, std::int64_t steps, JobContext const &job)
{
    auto compileRequest = request.compile;
    compileRequest.kind = compiler::RunKind::Train;
    auto const judgement = compiler::judge(project, {compiler::RunKind::Train, {}, request.compile.environment});
    TW_TRY(judgement.status());
    if (!judgement.machine->isEmulated())
        return makeError(ErrorKind::Invalid, "verify.cpu", "system.target", Message::of("the cpu target has no tiles to compare with."),
                         Message::of("Choose an IPU target, such as gc200."));
    TW_ASSIGN(auto const dataset, openData(project, request, job));
    // Updates are compared one by one: how many of them an epoch holds does not matter.
    TW_ASSIGN(auto const feeds, compiler::feedsOf(project, compileRequest.kind, project.training.batchSize));
    TW_TRY(checkAgainstModel(dataset.x, dataset.y, feeds, project.training.batchSize, project));
    TW_ASSIGN(auto const compiled, compiler::compile(project, compileRequest, job));
    if (compiled.outOfMemory) return *compiled.outOfMemory;
    return compareModes(project, compiled, dataset, request, steps, job);
}

} // namespace

Result<VerifyOutcome> verify(project::Project const &project, RunRequest const &request, std::int64_t steps, JobContext const &job)
{
    return project::guardedWork("verify", project, [&] { return runVerify(project, request, steps, job); });
}

} // namespace tilewright::runtime

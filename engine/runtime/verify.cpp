// The comparison of both modes: compile, data, lockstep.
#include "engine/runtime/lockstep.h"
#include "engine/runtime/session_parts.h"

namespace tilewright::runtime {

Result<VerifyOutcome> verify(project::Project const &project, RunRequest const &request, std::int64_t steps, JobContext const &job)
{
    auto compileRequest = request.compile;
    compileRequest.kind = compiler::RunKind::Train;
    TW_ASSIGN(auto const compiled, compiler::compile(project, compileRequest, job));
    auto const &exe = *compiled.executable;
    if (!exe.emulated)
        return makeError(ErrorKind::Invalid, "verify.cpu", "system.target", "the cpu target has no tiles to compare with.",
                         "Choose an IPU target, such as gc200.");
    if (compiled.outOfMemory) return *compiled.outOfMemory;
    TW_ASSIGN(auto const dataset, openData(project, request.baseDir, job));
    TW_TRY(checkAgainstModel(dataset.x, dataset.y, exe, project));
    return compareModes(project, compiled, dataset, request, steps, job);
}

} // namespace tilewright::runtime

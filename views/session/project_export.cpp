#include "views/session/project_export.h"

#include "views/document/document.h"
#include "views/jobs/job_runner.h"
#include "views/runcontrol/run_controller.h"
#include "views/session/session.h"

#include "engine/core/files.h"
#include "engine/model/keras_json.h"
#include "engine/runtime/checkpoint_file.h"
#include "engine/workspace/project_store.h"

namespace tilewright::views {

Result<std::shared_ptr<runtime::TrainingState const>> heldWeights(std::shared_ptr<runtime::TrainingState const> const &trained,
                                                                  QString const &file)
{
    if (trained) return trained;
    if (file.isEmpty() || file.endsWith(QLatin1String(".json"))) return std::shared_ptr<runtime::TrainingState const>();
    TW_ASSIGN(auto kept, runtime::lastCheckpoint(file.toStdString()));
    return kept ? std::make_shared<runtime::TrainingState const>(std::move(*kept)) : nullptr;
}

void exportModel(Session &session, QString const &path, std::function<void(Status const &)> done)
{
    auto const &document = session.document();
    auto const work = [project = document.snapshot(), trained = session.runs().trained(), file = document.path(),
                       out = std::filesystem::path(path.toStdString())](JobContext const &job) -> Result<bool> {
        if (!file.isEmpty()) TW_TRY(workspace::requireOtherFile(file.toStdString(), out));
        if (out.extension() != ".npz") {
            TW_TRY(writeOutputFile(out, model::printKerasJson(project->model) + "\n"));
            return true;
        }
        TW_ASSIGN(auto const weights, heldWeights(trained, file));
        if (!weights)
            return makeError(ErrorKind::Invalid, "checkpoint.none", project->title, Message::of("the project holds no trained weights."),
                             Message::of("Train it first."));
        TW_TRY(runtime::writeCheckpoint(out, *weights, job));
        return true;
    };
    session.jobs().compute<bool>(
        &session, JobKind::SaveProject, QStringLiteral("export-model"), work,
        [done = std::move(done)](Result<bool> const &result) { done(result.ok() ? Status() : Status(result.error())); });
}

} // namespace tilewright::views

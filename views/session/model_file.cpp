#include "views/session/model_file.h"

#include "views/document/document.h"
#include "views/runcontrol/run_controller.h"
#include "views/session/session.h"

#include "engine/interop/import.h"
#include "engine/runtime/run.h"

#include <QFileInfo>

#include <utility>

namespace tilewright::views {

Result<ReadProject> readModelFile(QString const &path, interop::Completion const &answers, FileWeights &weights)
{
    DiagnosticSink warnings;
    JobContext job;
    job.warnings = &warnings;
    TW_ASSIGN(auto imported, interop::importCompleted(path.toStdString(), answers, job));
    TW_ASSIGN(auto state, interop::importedState(imported, path.toStdString(), job));
    if (state) weights = std::make_shared<runtime::TrainingState const>(std::move(*state));
    ReadProject made;
    made.project = std::move(imported.project);
    made.project.title = QFileInfo(path).completeBaseName().toStdString();
    made.modified = true;
    made.warnings = warnings.all();
    return made;
}

OpenParts openPartsOf(Session &session, QString const &path)
{
    return {path, interop::openPlaces(session.document().project().model), false};
}

OpenParts openPartsOf(Diagnostic const &error, QString const &path)
{
    OpenParts parts{path, {}, true};
    if (auto place = interop::openPlaceOf(error, path.toStdString())) parts.places.push_back(std::move(*place));
    return parts;
}

void completeModel(Session &session, QString const &path, interop::Completion answers, std::function<bool()> mayReplace,
                   std::function<void(Status const &)> done)
{
    auto const weights = std::make_shared<FileWeights>();
    session.document().open([path, answers = std::move(answers), weights] { return readModelFile(path, answers, *weights); },
                            [&session, weights, done = std::move(done)](Status const &status) {
                                if (status.ok() && *weights) session.runs().holdImported(*weights);
                                done(status);
                            },
                            std::move(mayReplace));
}

} // namespace tilewright::views

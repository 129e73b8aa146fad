#include "views/session/project_tasks.h"

#include "views/common/format.h"
#include "views/common/words.h"
#include "views/document/document.h"
#include "views/jobs/job_runner.h"
#include "views/runcontrol/applied_configuration.h"
#include "views/runcontrol/run_controller.h"
#include "views/session/predicted_rows.h"
#include "views/session/project_export.h"
#include "views/session/session.h"

#include "engine/data/data_source.h"
#include "engine/data/dataset.h"
#include "engine/runtime/checkpoint_file.h"
#include "engine/runtime/tuning.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace tilewright::views {

namespace {

constexpr double kTuneSeconds = 60;
constexpr std::int64_t kVerifiedUpdates = 2;
constexpr std::size_t kMostRows = 200; ///< of predictions; the headline says how many there are

/// What a task reads, on its thread.
struct TaskInput {
    ProjectTask task;
    std::shared_ptr<project::Project const> project;
    std::filesystem::path folder;
    QString file; ///< of the project; "": never saved
    std::shared_ptr<runtime::TrainingState const> trained;
};

QString q(std::string const &text) { return QString::fromStdString(text); }

Result<runtime::RunRequest> requestFor(TaskInput const &input, JobContext const &job)
{
    runtime::RunRequest request;
    request.baseDir = input.folder;
    TW_ASSIGN(request.compile.environment,
              config::readEnvironment([](char const *name) -> char const * { return std::getenv(name); }, job.warnings));
    return request;
}

/// Without weights the run says that it has the initial ones.
Result<std::shared_ptr<runtime::TrainingState const>> weightsFor(TaskInput const &input) { return heldWeights(input.trained, input.file); }

Result<TaskResult> evaluated(TaskInput const &input, JobContext const &job)
{
    TW_ASSIGN(auto const request, requestFor(input, job));
    TW_ASSIGN(auto const weights, weightsFor(input));
    TW_ASSIGN(auto const outcome, runtime::evaluate(*input.project, request, weights.get(), job));
    TaskResult result;
    QStringList figures{Words::tr("Loss %1").arg(numberText(outcome.loss))};
    for (auto const &[name, value] : outcome.metrics) figures << QStringLiteral("%1 %2").arg(q(name), numberText(value));
    result.headline = Words::tr("%1 on %2").arg(figures.join(QStringLiteral(", ")), samplesText(outcome.samplesOf, outcome.samples));
    result.columns = {Words::tr("Figure"), Words::tr("Value")};
    result.rows.push_back({{QStringLiteral("loss"), numberText(outcome.loss)}, {}});
    for (auto const &[name, value] : outcome.metrics) result.rows.push_back({{q(name), numberText(value)}, {}});
    result.rows.push_back({{Words::tr("Batch size"), countText(outcome.batch)}, {}});
    result.rows.push_back({{Words::tr("Time on this computer (measured)"), secondsText(outcome.hostSeconds)}, {}});
    if (outcome.device.seconds > 0)
        result.rows.push_back({{Words::tr("Time of the device (modelled)"), secondsText(outcome.device.seconds)}, {}});
    result.error = outcome.numeric;
    return result;
}

Result<TaskResult> predicted(TaskInput const &input, JobContext const &job)
{
    TW_ASSIGN(auto const request, requestFor(input, job));
    TW_ASSIGN(auto const weights, weightsFor(input));
    TW_ASSIGN(auto predictedNow, runtime::predict(*input.project, request, weights.get(), job));
    auto outcome = std::make_shared<runtime::PredictOutcome const>(std::move(predictedNow));
    TaskResult result;
    // Labels are another matter than predictions: without them there is nothing to compare with.
    data::DataArray labels;
    if (auto const dataset = data::openDataset(input.project->data, input.folder, job); dataset.ok())
        labels = outcome->samplesOf == runtime::SamplesOf::Test ? dataset->testY
            : outcome->samplesOf == runtime::SamplesOf::Train   ? dataset->y
                                                                : dataset->validationY;
    fillPredictedRows(result, *input.project, *outcome, &labels, kMostRows);
    result.error = outcome->numeric;
    result.predictions = std::move(outcome);
    return result;
}

Result<TaskResult> verified(TaskInput const &input, JobContext const &job)
{
    TW_ASSIGN(auto const request, requestFor(input, job));
    TW_ASSIGN(auto const outcome, runtime::verify(*input.project, request, kVerifiedUpdates, job));
    TaskResult result;
    int const updates = pluralOf(outcome.steps);
    result.headline = (outcome.agrees ? Words::tr("Fused and tile mode agree over %Ln weight update(s)", nullptr, updates)
                                      : Words::tr("Fused and tile mode differ over %Ln weight update(s)", nullptr, updates))
        + QStringLiteral(" · ")
        + Words::tr("largest difference %1, tolerance %2").arg(numberText(outcome.maxRelativeError), numberText(outcome.tolerance));
    result.columns = {Words::tr("Tensor"), Words::tr("Largest difference (relative)"), Words::tr("Tolerance")};
    auto tensors = outcome.tensors; // the nearest to its tolerance, or the farthest beyond it, first
    std::ranges::stable_sort(tensors, std::ranges::greater(),
                             [](auto const &tensor) { return tensor.tolerance > 0 ? tensor.maxRelativeError / tensor.tolerance : 0; });
    for (auto const &tensor : tensors)
        result.rows.push_back({{q(tensor.name), numberText(tensor.maxRelativeError), numberText(tensor.tolerance)}, {}});
    return result;
}

Result<TaskResult> tuned(TaskInput const &input, JobContext const &job)
{
    TW_ASSIGN(auto request, requestFor(input, job));
    TW_TRY(runtime::requestEntries(*input.project, input.folder, request.compile, job));
    runtime::TuneRequest tuning;
    tuning.seconds = kTuneSeconds;
    tuning.samples = runtime::samplesOf(*input.project, input.folder, job);
    tuning.progress = [&job](int tried, runtime::Trial const *) { job.report("Trial compiles", std::min(0.95, tried / 40.0)); };
    TW_ASSIGN(auto const found, runtime::tune(*input.project, request.compile, tuning, job));
    if (job.cancelled()) return cancelledError("tune");
    TaskResult result;
    auto const now = std::ranges::find_if(found.trials, [](auto const &trial) { return trial.proposal.set.empty(); });
    double const present = now != found.trials.end() ? now->samplesPerSecond : 0;
    result.columns = {Words::tr("Change"), Words::tr("Worst tile"), Words::tr("Samples/s (modelled)"), Words::tr("Speed-up")};
    for (auto const &trial : found.trials) {
        TaskRow row;
        QString const share = trial.fits ? shareText(trial.share()) : Words::tr("does not fit: %1").arg(shareText(trial.share()));
        QString change = trial.proposal.set.empty() ? Words::tr("as it is") : q(toText(trial.proposal));
        if (runtime::changesResults(trial.proposal)) change += QLatin1Char(' ') + Words::tr("(changes results)");
        row.cells = {change, share, countText(std::llround(trial.samplesPerSecond)),
                     present > 0 ? numberText(std::round(100 * trial.samplesPerSecond / present) / 100) : QString()};
        if (trial.fits)
            for (auto const &[path, value] : trial.proposal.set) row.fields.emplace_back(q(path), q(value));
        result.rows.push_back(std::move(row));
    }
    auto const &best = found.trials.front();
    int const compiles = found.tried;
    result.headline = !best.fits ? Words::tr("Nothing that was tried fits (%Ln compile(s))", nullptr, compiles)
        : best.proposal.set.empty()
        ? Words::tr("Nothing that was tried is faster than the project as it is (%Ln compile(s))", nullptr, compiles)
        : Words::tr("The fastest of %Ln compile(s): %1 times as many samples a second", nullptr, compiles)
              .arg(present > 0 ? numberText(std::round(100 * best.samplesPerSecond / present) / 100) : QStringLiteral("–"));
    return result;
}

Result<TaskResult> workOn(TaskInput const &input, JobContext const &given)
{
    DiagnosticSink warnings;
    JobContext job = given;
    job.warnings = &warnings;
    auto const work = [&]() -> Result<TaskResult> {
        switch (input.task) {
        case ProjectTask::Evaluate: return evaluated(input, job);
        case ProjectTask::Predict: return predicted(input, job);
        case ProjectTask::Verify: return verified(input, job);
        case ProjectTask::Tune: return tuned(input, job);
        }
        return TaskResult();
    };
    auto result = work();
    if (result.ok()) result->warnings = warnings.all();
    return result;
}

} // namespace

JobKind jobKindOf(ProjectTask task)
{
    switch (task) {
    case ProjectTask::Evaluate: return JobKind::Evaluate;
    case ProjectTask::Predict: return JobKind::Predict;
    case ProjectTask::Verify: return JobKind::Verify;
    case ProjectTask::Tune: return JobKind::Tune;
    }
    return JobKind::Quiet;
}

ProjectTasks &ProjectTasks::of(Session &session)
{
    auto *tasks = session.findChild<ProjectTasks *>(QString(), Qt::FindDirectChildrenOnly);
    return tasks ? *tasks : *new ProjectTasks(session);
}

ProjectTasks::ProjectTasks(Session &session) : QObject(&session), m_session(session)
{
    connect(&session.document(), &Document::opened, this, [this] {
        cancel();
        m_result.reset();
        emit changed();
    });
    connect(&session.runs().configuration(), &AppliedConfiguration::applied, this, [this] { cancel(); });
}

void ProjectTasks::start(ProjectTask task)
{
    auto const &document = m_session.document();
    if (isActive() || !document.isOpen()) return;
    m_active = task;
    m_result.reset();
    // Tuning looks for changes of the project as it is edited.
    auto const program = task == ProjectTask::Tune ? AppliedConfiguration::Program{document.snapshot(), document.revision(), {}}
                                                   : m_session.runs().beginProgram();
    TaskInput input{task, program.project, document.folder(), document.path(), m_session.runs().trained()};
    m_session.jobs().compute<TaskResult>(
        this, jobKindOf(task), QStringLiteral("task"), [input](JobContext const &job) { return workOn(input, job); },
        [this, task, revision = program.revision](Result<TaskResult> found) {
            m_active.reset();
            TaskResult result;
            if (found.ok()) result = std::move(*found);
            else if (found.error().kind != ErrorKind::Cancelled) result.error = found.error();
            result.task = task;
            result.revision = revision;
            if (found.ok() || result.error) m_result = std::move(result);
            emit changed();
        });
    emit changed();
}

void ProjectTasks::cancel()
{
    if (!isActive()) return;
    m_session.jobs().cancelSlot(this, QStringLiteral("task"));
    m_active.reset();
    emit changed();
}

} // namespace tilewright::views

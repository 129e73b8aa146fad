#include "views/document/unsaved_runs.h"

#include "engine/workspace/project_store.h"
#include "engine/runtime/checkpoint_file.h"
#include "engine/store/run_reports.h"

#include <algorithm>
#include <filesystem>

namespace tilewright::views {

namespace fs = std::filesystem;

namespace {

/// A name that is free in the folder.
fs::path freeName(fs::path const &folder, fs::path const &name)
{
    std::error_code ignored;
    fs::path path = folder / name;
    for (int n = 2; fs::exists(path, ignored) && n < 1000; ++n)
        path = folder / (name.stem().string() + "-" + std::to_string(n) + name.extension().string());
    return path;
}

Result<fs::path> copied(fs::path const &report, fs::path const &folder)
{
    std::error_code problem;
    fs::create_directories(folder, problem);
    auto const to = freeName(folder, report.filename());
    // A second name costs nothing where both folders lie on one disk.
    if (!problem) fs::create_hard_link(report, to, problem);
    if (problem) {
        problem.clear();
        fs::copy_file(report, to, problem);
    }
    if (problem)
        return makeError(ErrorKind::Data, "project.report-not-kept", report.string(),
                         Message::of("the report cannot be copied to %1: %2.", folder.string(), problem.message()),
                         Message::of("The report stays where it is; the run's entry names that place."));
    return to;
}

} // namespace

KeptRuns keepRuns(QString const &project, QString const &folder, std::vector<store::RunRecord> const &runs,
                  std::shared_ptr<runtime::TrainingState const> const &trained)
{
    KeptRuns kept;
    fs::path const file = project.toStdString();
    for (auto record : runs) {
        std::error_code ignored;
        QString const before = QString::fromStdString(record.report);
        if (!record.report.empty() && fs::exists(record.report, ignored)) {
            auto const to = copied(record.report, folder.toStdString());
            if (to.ok()) record.report = fs::relative(*to, file.parent_path(), ignored).string();
            else kept.problems.push_back(to.error());
            if (to.ok()) kept.reports[before] = QString::fromStdString(to->string());
        }
        auto const id = store::addRunRecord(file, record);
        if (id.ok()) {
            kept.ids[record.id] = *id;
            continue;
        }
        kept.problems.push_back(id.error());
        record.report = before.toStdString();
        kept.notKept.push_back(record);
        if (auto const it = kept.reports.find(before); it != kept.reports.end()) {
            fs::remove(it->second.toStdString(), ignored);
            kept.reports.erase(it);
        }
    }
    if (trained && !trained->tensors.empty()) {
        if (auto const status = runtime::writeLastCheckpoint(file, *trained); !status.ok()) kept.problems.push_back(status.error());
    }
    return kept;
}

project::Notes renumbered(project::Notes const &notes, std::map<std::int64_t, std::int64_t> const &ids)
{
    auto result = notes;
    result.runs.clear();
    for (auto const &[run, note] : notes.runs) {
        auto const id = ids.find(run);
        result.setRun(id == ids.end() ? run : id->second, note);
    }
    return result;
}

KeptRuns carryRuns(QString const &from, QString const &to, QString const &folder)
{
    KeptRuns kept;
    fs::path const source = from.toStdString(), target = to.toStdString();
    auto records = store::listRunRecords(source);
    if (!records.ok()) {
        kept.problems.push_back(records.error());
        return kept;
    }
    std::erase_if(*records, [](auto const &record) { return record.state == "running"; });
    for (auto &record : *records)
        if (auto const report = store::reportOfRun(source, record.report)) record.report = report->string();
        else record.report.clear(); // of no file of this project: not copied
    auto const note = [&](Status const &status) {
        if (!status.ok()) kept.problems.push_back(status.error());
    };
    if (auto const before = store::listRunRecords(target); before.ok())
        for (auto const &record : *before) note(store::removeRunRecord(target, record.id));
    if (auto const before = store::listCheckpoints(target); before.ok())
        for (auto const &checkpoint : *before) note(store::removeCheckpoint(target, checkpoint.name));
    auto all = keepRuns(to, folder, *records, nullptr);
    all.problems.insert(all.problems.begin(), kept.problems.begin(), kept.problems.end());
    kept = std::move(all);
    return kept;
}

std::vector<Diagnostic> copyCheckpoints(QString const &from, QString const &to, JobContext const &job)
{
    fs::path const source = from.toStdString(), target = to.toStdString();
    std::vector<Diagnostic> problems;
    auto const checkpoints = store::listCheckpoints(source);
    if (!checkpoints.ok()) return {checkpoints.error()};
    std::size_t done = 0;
    for (auto const &info : *checkpoints) {
        job.report("copying checkpoints", static_cast<double>(done++) / static_cast<double>(checkpoints->size()));
        if (job.cancelled()) {
            problems.push_back(makeWarning("project.checkpoints-not-copied", target.filename().string(),
                                           Message::of("not all of its checkpoints were copied, because copying was cancelled."),
                                           Message::of("They are in the original project: %1.", source.string())));
            break;
        }
        auto const has = store::listCheckpoints(target);
        if (has.ok() && std::ranges::any_of(*has, [&](auto const &one) { return one.name == info.name; })) continue;
        auto const checkpoint = store::loadCheckpoint(source, info.name);
        auto const status =
            checkpoint.ok() ? store::saveCheckpoint(target, checkpoint->info, checkpoint->tensors) : Status(checkpoint.error());
        if (!status.ok()) problems.push_back(status.error());
    }
    return problems;
}

} // namespace tilewright::views

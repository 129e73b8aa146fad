#include "views/advice/fix_trials.h"

#include "views/common/format.h"
#include "views/common/words.h"
#include "views/document/document.h"
#include "views/jobs/job_runner.h"
#include "views/reports/report_snapshot.h"
#include "views/session/session.h"

#include "engine/runtime/proposals.h"
#include "engine/runtime/session.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QStringList>

#include <cstdlib>

namespace tilewright::views {

namespace {

constexpr double kSearchSeconds = 20; ///< large models compile for seconds; meanwhile a person reads the error

Result<compiler::CompileRequest> trialRequest(project::Project const &project, std::filesystem::path const &dataFolder,
                                              JobContext const &job)
{
    compiler::CompileRequest request;
    TW_ASSIGN(request.environment, config::readEnvironment([](char const *name) -> char const * { return std::getenv(name); }, nullptr));
    TW_TRY(runtime::requestEntries(project, dataFolder, request, job));
    return request;
}

TriedFix fixOf(runtime::Trial const &trial)
{
    TriedFix fix;
    for (auto const &[path, value] : trial.proposal.set) fix.fields.append({QString::fromStdString(path), QString::fromStdString(value)});
    fix.fits = trial.fits;
    fix.share = trial.share();
    fix.samplesPerSecond = trial.samplesPerSecond;
    return fix;
}

/// Name of the change: that of its most important field.
QString changeText(QList<QPair<QString, QString>> const &fields)
{
    int stages = 0;
    QString target, batch, first;
    for (auto const &[path, value] : fields) {
        if (path.startsWith(QLatin1String("model.layers.")) && path.endsWith(QLatin1String(".stage")))
            stages = std::max(stages, value.toInt() + 1);
        else if (path == QLatin1String("system.target")) target = value;
        else if (path == QLatin1String("training.batch_size")) batch = value;
        else if (first.isEmpty()) first = Words::tr("%1 = %2").arg(path.section(QLatin1Char('.'), -1), value);
    }
    if (stages > 1) return Words::tr("%n pipeline stage(s)", nullptr, stages);
    if (!batch.isEmpty()) return Words::tr("batch size %1").arg(batch);
    if (!target.isEmpty()) {
        auto const machine = target::parseMachine(target.toStdString());
        if (machine.ok() && target.contains(QLatin1String("tiles="))) return Words::tr("%Ln tile(s)", nullptr, machine->chip.tiles);
        return Words::tr("target %1").arg(target);
    }
    return first;
}

} // namespace

QString TriedFix::title() const
{
    return fits ? Words::tr("%1: fits, %2").arg(changeText(fields), shareText(share))
                : Words::tr("%1: would need %2").arg(changeText(fields), shareText(share));
}

std::vector<TriedFix> storedFixes(ReportSnapshot const &report)
{
    std::vector<TriedFix> fixes;
    for (auto const &insight : report.data().insights) {
        if (insight.rule != "memory.does-not-fit" || insight.action.empty()) continue;
        auto const objectOf = [](std::string const &json) { return QJsonDocument::fromJson(QByteArray::fromStdString(json)).object(); };
        auto const action = objectOf(insight.action);
        auto const results = objectOf(insight.numbers).value(QLatin1String("tried")).toArray();
        QList<QJsonArray> sets{action.value(QLatin1String("set")).toArray()};
        for (auto const &other : action.value(QLatin1String("or")).toArray())
            sets << other.toObject().value(QLatin1String("set")).toArray();
        for (qsizetype i = 0; i < std::min(sets.size(), results.size()); ++i) {
            TriedFix fix;
            for (auto const &entry : sets[i]) {
                auto const value = entry.toObject().value(QLatin1String("value"));
                fix.fields.append({entry.toObject().value(QLatin1String("path")).toString(),
                                   value.isString() ? value.toString() : value.toVariant().toString()});
            }
            fix.fits = true;
            fix.share = results[i].toObject().value(QLatin1String("share")).toDouble();
            fix.samplesPerSecond = results[i].toObject().value(QLatin1String("samples_per_second")).toDouble();
            fixes.push_back(std::move(fix));
        }
    }
    return fixes;
}

Result<std::optional<TriedFix>> tryFields(project::Project const &project, QList<QPair<QString, QString>> const &fields,
                                          std::filesystem::path const &dataFolder, JobContext const &job)
{
    runtime::Proposal wish;
    for (auto const &[path, value] : fields) wish.set.emplace_back(path.toStdString(), value.toStdString());
    auto const proposal = runtime::settled(project, wish, runtime::samplesOf(project, dataFolder, job));
    if (!proposal.ok()) return std::optional<TriedFix>();
    TW_ASSIGN(auto const request, trialRequest(project, dataFolder, job));
    TW_ASSIGN(auto const trial, runtime::tryProposal(project, *proposal, request, job));
    return std::optional(fixOf(trial));
}

FixTrials &FixTrials::of(Session &session)
{
    auto *trials = session.findChild<FixTrials *>(QString(), Qt::FindDirectChildrenOnly);
    return trials ? *trials : *new FixTrials(session);
}

FixTrials::FixTrials(Session &session) : QObject(&session), m_session(session)
{
    connect(&session.document(), &Document::changed, this, &FixTrials::drop);
    connect(&session.document(), &Document::opened, this, &FixTrials::drop);
}

bool FixTrials::isDone() const { return m_done && m_revision == m_session.document().revision(); }

void FixTrials::drop()
{
    if (!m_searching && !m_done) return;
    if (m_searching) m_session.jobs().cancelSlot(this, QStringLiteral("fix-trials"));
    m_searching = m_done = false;
    m_fixes.clear();
    emit changed();
}

void FixTrials::search()
{
    auto const &document = m_session.document();
    if (!document.isOpen()) return;
    auto const revision = document.revision();
    if ((m_searching || m_done) && m_revision == revision) return;
    m_fixes.clear();
    m_revision = revision;
    m_searching = true;
    m_done = false;
    m_session.jobs().compute<std::vector<TriedFix>>(
        this, JobKind::TryRemedies, QStringLiteral("fix-trials"),
        [project = document.snapshot(), folder = document.folder()](JobContext const &job) -> Result<std::vector<TriedFix>> {
            TW_ASSIGN(auto const request, trialRequest(*project, folder, job));
            runtime::RemedySearch search;
            search.seconds = kSearchSeconds;
            search.samples = runtime::samplesOf(*project, folder, job);
            search.progress = [&job](int tried) { job.report("Trial compiles", std::min(0.95, tried / 12.0)); };
            std::vector<TriedFix> fixes;
            for (auto const &trial : runtime::findRemedies(*project, request, search, job).fitting) fixes.push_back(fixOf(trial));
            if (job.cancelled()) return cancelledError("fix-trials");
            return fixes;
        },
        [this, revision](Result<std::vector<TriedFix>> found) {
            if (m_revision != revision) return;
            m_searching = false;
            m_done = found.ok();
            if (found.ok()) m_fixes = std::move(*found);
            emit changed();
        });
    emit changed();
}

} // namespace tilewright::views

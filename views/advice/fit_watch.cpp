#include "views/advice/fit_watch.h"

#include "views/advice/rule_watch.h"
#include "views/diagnostics/diagnostic_text.h"
#include "views/document/document.h"
#include "views/jobs/job_runner.h"
#include "views/reports/report_snapshot.h"
#include "views/runcontrol/run_controller.h"

#include "engine/compiler/compile.h"
#include "engine/compiler/project_rules.h"
#include "engine/model/resolve.h"
#include "engine/runtime/layer_problems.h"
#include "engine/runtime/session.h"

#include <QTimer>

#include <algorithm>
#include <cstdlib>

namespace tilewright::views {

namespace {
constexpr int kDelayMs = 250; ///< between the last edit and its compile
}

std::vector<IpuFit> reportedFit(ReportSnapshot const &report)
{
    auto const &data = report.data();
    auto const need = report.tileMetric("need"); // empty of a head alone
    std::vector<IpuFit> one;                     // of a replica: all are alike
    for (auto const &row : data.verdicts) {
        if (row.scope != "ipu") continue;
        IpuFit ipu;
        double const capacity = static_cast<double>(std::max<Bytes>(1, row.capacity));
        ipu.placed = static_cast<double>(row.bytes) / capacity;
        auto const worst = static_cast<std::size_t>(row.worstTile);
        ipu.need = row.worstTile >= 0 && worst < need.size() ? static_cast<double>(need[worst]) / capacity : ipu.placed;
        ipu.fits = row.fits;
        one.push_back(ipu);
    }
    std::vector<IpuFit> all;
    for (auto const &row : data.ipus)
        if (static_cast<std::size_t>(row.indexInReplica) < one.size()) all.push_back(one[static_cast<std::size_t>(row.indexInReplica)]);
    return all.empty() ? one : all;
}

Result<CompiledFit> compiledFit(project::Project const &project, std::filesystem::path const &folder, JobContext const &job)
{
    compiler::CompileRequest request;
    TW_ASSIGN(request.environment, config::readEnvironment([](char const *name) -> char const * { return std::getenv(name); }, nullptr));
    request.useCache = false;
    request.kind = compiler::kindToCompile(project);
    if (request.kind == compiler::RunKind::Train) TW_TRY(runtime::requestEntries(project, folder, request, job));
    TW_ASSIGN(auto const outcome, compiler::compile(project, request, job));
    auto const &exe = *outcome.executable;
    CompiledFit all{{}, outcome.outOfMemory, runtime::layerProblems(outcome)};
    std::vector<IpuFit> one;
    double const limit = static_cast<double>(std::max<Bytes>(1, outcome.machine.chip.bytesPerTile));
    for (auto const &ipu : exe.memory.ipus) {
        IpuFit fit;
        fit.placed = static_cast<double>(ipu.worstBytes) / limit;
        fit.need = static_cast<double>(exe.memory.need[static_cast<std::size_t>(ipu.worstTile)]) / limit;
        fit.fits = ipu.fits;
        one.push_back(fit);
    }
    for (int replica = 0; replica < exe.replicas; ++replica) all.ipus.insert(all.ipus.end(), one.begin(), one.end());
    return all;
}

FitWatch &FitWatch::of(Session &session)
{
    auto *watch = session.findChild<FitWatch *>(QString(), Qt::FindDirectChildrenOnly);
    return watch ? *watch : *new FitWatch(session);
}

FitWatch::FitWatch(Session &session) : QObject(&session), m_session(session), m_delay(new QTimer(this))
{
    m_delay->setSingleShot(true);
    m_delay->setInterval(kDelayMs);
    connect(m_delay, &QTimer::timeout, this, &FitWatch::startTrial);
    connect(&session, &Session::reportReplaced, this, &FitWatch::refresh);
    connect(&session, &Session::reportStaleChanged, this, &FitWatch::refresh);
    connect(&session.document(), &Document::changed, this, &FitWatch::refresh); // another revision is judged
    connect(&session.document(), &Document::opened, this, [this] {
        m_trial = {};
        m_layers.clear();
    });
    connect(&session, &Session::estimateChanged, this, &FitWatch::ask);
    connect(&RuleWatch::of(session), &RuleWatch::changed, this, &FitWatch::ask);
    // A run held the processor; what was edited meanwhile is due.
    connect(&session.runs(), &RunController::finished, this, [this] {
        if (m_source == FitSource::Estimate) ask();
    });
    ask();
}

void FitWatch::ask()
{
    refresh();
    m_pending = m_session.document().isOpen() && m_source != FitSource::Report && m_source != FitSource::Trial
        && !RuleWatch::of(m_session).firstError();
    if (m_pending) m_delay->start();
}

int FitWatch::worst() const
{
    auto const it = std::ranges::max_element(m_ipus, {}, &IpuFit::placed);
    return it == m_ipus.end() ? -1 : static_cast<int>(it - m_ipus.begin());
}

bool FitWatch::fits() const { return std::ranges::all_of(m_ipus, &IpuFit::fits); }

std::optional<Diagnostic> FitWatch::problem() const
{
    bool const ofProject = m_session.document().isOpen() && m_trialRevision == m_session.document().revision();
    return ofProject && !fits() ? m_trial.outOfMemory : std::nullopt;
}

void FitWatch::refresh()
{
    m_why.clear();
    m_ipus.clear();
    m_source = FitSource::None;
    auto const report = m_session.report();
    auto const &document = m_session.document();
    // A report that somebody opened beside the project may be of anything: the project's own is the one its run has written.
    bool const own = report
        && (!document.isOpen()
            || (!m_session.reportIsStale() && !report->path().isEmpty() && report->path() == m_session.runs().live().reportPath));
    if (own && !report->data().verdicts.empty()) {
        m_source = FitSource::Report;
        m_ipus = reportedFit(*report);
        bool const tried = m_trialRevision == document.revision() && !m_trial.ipus.empty();
        if (document.isOpen()) m_layers = tried ? m_trial.layers : runtime::layerProblems(report->data());
        // A report of which only the head is read tells what decides. The trial of the same project, which is the same compile,
        // tells what is needed at once.
        if (!report->isWhole() && document.isOpen() && m_trialRevision == document.revision() && m_trial.ipus.size() == m_ipus.size())
            for (std::size_t i = 0; i < m_ipus.size(); ++i) m_ipus[i].need = std::min(m_trial.ipus[i].need, m_ipus[i].placed);
    } else if (auto const *error = RuleWatch::of(m_session).firstError()) {
        m_why = diagnosticText(*error).message; // what does not compile has no fit
        m_layers.clear();
    } else if (document.isOpen() && !m_trial.ipus.empty() && m_trialRevision == document.revision()) {
        m_source = FitSource::Trial;
        m_ipus = m_trial.ipus;
        m_layers = m_trial.layers;
    } else if (document.isOpen() && m_session.estimate().revision == document.revision()) { // else it is on its way
        m_ipus = m_session.estimate().tiles;
        m_source = m_ipus.empty() ? FitSource::None : FitSource::Estimate;
        m_why = m_session.estimate().why;
    }
    emit changed();
}

void FitWatch::startTrial()
{
    auto const &document = m_session.document();
    // A run has compiled what it runs, and needs the processor.
    if (!document.isOpen() || m_session.runs().isActive() || m_source == FitSource::Report || RuleWatch::of(m_session).firstError()) {
        m_pending = false;
        return;
    }
    auto const revision = document.revision();
    m_session.jobs().compute<CompiledFit>(
        this, JobKind::Quiet, QStringLiteral("fit"),
        [project = document.snapshot(), folder = document.folder()](JobContext const &job) { return compiledFit(*project, folder, job); },
        [this, revision](Result<CompiledFit> const &found) {
            if (revision != m_session.document().revision()) return;
            m_pending = false;
            m_trial = found.ok() ? *found : CompiledFit();
            m_trialRevision = revision;
            refresh();
        });
}

} // namespace tilewright::views

#include "views/advice/problem_log.h"

#include "views/advice/fit_watch.h"
#include "views/advice/rule_watch.h"
#include "views/document/document.h"
#include "views/reports/report_snapshot.h"
#include "views/runcontrol/run_controller.h"
#include "views/session/session.h"

#include <algorithm>

namespace tilewright::views {

namespace {

/// A report on show without its project says itself that its program does not fit.
std::optional<Diagnostic> misfitOf(ReportSnapshot const &report)
{
    auto const &data = report.data();
    for (auto const &verdict : data.verdicts) {
        if (verdict.scope != "all" || verdict.fits) continue;
        int const tiles = std::max(1, report.tilesPerIpu());
        return makeError(ErrorKind::DoesNotFit, "memory.does-not-fit",
                         "IPU " + std::to_string(verdict.worstTile / tiles) + " tile " + std::to_string(verdict.worstTile % tiles),
                         Message::of("the data do not fit: the tile has %1 bytes placed, and its limit is %2.",
                                     static_cast<std::int64_t>(verdict.bytes), static_cast<std::int64_t>(verdict.capacity)),
                         Message::of("Open the project of the report: changes that make it fit are then tried and offered here."));
    }
    return {};
}

/// Errors of actions that are kept; each is one a person has just caused.
constexpr std::size_t kKept = 20;
constexpr std::string_view kReplaces = "train.replaces"; ///< a warning about weights that a training will replace

bool same(Diagnostic const &a, Diagnostic const &b) { return a.code == b.code && a.subject == b.subject && a.message == b.message; }

} // namespace

ProblemLog::ProblemLog(Session &session) : QObject(&session), m_session(session)
{
    connect(&session, &Session::errorRaised, this, &ProblemLog::add);
    connect(&session.runs(), &RunController::noticed, this, &ProblemLog::add);
    connect(&session.document(), &Document::changed, this, &ProblemLog::forget);
    connect(&session.document(), &Document::opened, this, &ProblemLog::forget);
    connect(&session, &Session::reportReplaced, this, &ProblemLog::changed); // one without a project may not fit
    connect(&RuleWatch::of(session), &RuleWatch::changed, this, &ProblemLog::changed);
    connect(&FitWatch::of(session), &FitWatch::changed, this, &ProblemLog::changed);
    connect(&session.runs(), &RunController::stateChanged, this, [this] {
        if (m_session.runs().state() == RunState::Compiling) forget(); // another one begins
    });
    connect(&session.runs(), &RunController::finished, this, [this] {
        auto const &error = m_session.runs().live().error;
        m_run = error && error->kind != ErrorKind::Cancelled ? error : std::nullopt;
        m_warnings = m_session.runs().live().warnings;
        // What it would replace it has replaced.
        std::erase_if(m_raised, [](auto const &problem) { return problem.code == kReplaces; });
        std::erase_if(m_warnings, [](auto const &problem) { return problem.code == kReplaces; });
        emit changed();
    });
}

ProblemLog &ProblemLog::of(Session &session)
{
    auto *log = session.findChild<ProblemLog *>(QString(), Qt::FindDirectChildrenOnly);
    return log ? *log : *new ProblemLog(session);
}

std::vector<Diagnostic> ProblemLog::all() const
{
    std::vector<Diagnostic> problems;
    auto const take = [&](Diagnostic const &problem) {
        if (std::none_of(problems.begin(), problems.end(), [&](auto const &p) { return same(p, problem); })) problems.push_back(problem);
    };
    for (auto const &problem : m_raised)
        if (!m_run || !same(problem, *m_run)) take(problem); // what ended the run was raised as well
    std::vector<Diagnostic> const none;
    auto const &project = m_session.document().isOpen() ? RuleWatch::of(m_session).problems() : none;
    bool const listed = m_run
        && std::any_of(project.begin(), project.end(), [&](auto const &p) { return p.code == m_run->code && p.subject == m_run->subject; });
    if (m_run && !listed) take(*m_run);
    for (auto const &problem : project) take(problem);
    // What does not fit is wrong before somebody compiles it.
    if (auto const misfit = FitWatch::of(m_session).problem();
        misfit && std::none_of(problems.begin(), problems.end(), [&](auto const &p) { return p.code == misfit->code; }))
        problems.push_back(*misfit);
    if (!m_session.document().isOpen() && m_session.report())
        if (auto const misfit = misfitOf(*m_session.report())) take(*misfit);
    for (auto const &problem : m_warnings)
        if (std::none_of(problems.begin(), problems.end(),
                         [&](auto const &p) { return p.code == problem.code && p.subject == problem.subject; }))
            problems.push_back(problem);
    return problems;
}

int ProblemLog::count(Severity severity) const
{
    auto const problems = all();
    return static_cast<int>(std::count_if(problems.begin(), problems.end(), [&](auto const &p) { return p.severity == severity; }));
}

void ProblemLog::add(Diagnostic const &problem)
{
    std::erase_if(m_raised, [&](auto const &p) { return same(p, problem); });
    m_raised.insert(m_raised.begin(), problem);
    if (m_raised.size() > kKept) m_raised.pop_back();
    emit changed();
}

void ProblemLog::clearRaised()
{
    if (m_raised.empty()) return;
    m_raised.clear();
    emit changed();
}

void ProblemLog::forget()
{
    m_raised.clear();
    m_run.reset();
    m_warnings.clear();
    emit changed(); // the project's own may be other ones as well
}

} // namespace tilewright::views

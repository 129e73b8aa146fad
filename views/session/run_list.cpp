#include "views/session/run_list.h"

#include "views/common/words.h"
#include "views/reports/report_snapshot.h"
#include "views/runcontrol/run_controller.h"
#include "views/runcontrol/run_series.h"
#include "views/session/session.h"

#include <algorithm>

namespace tilewright::views {

namespace {
constexpr int kLookAgainMs = 2000; ///< between looks at the records while another process runs
}

QString Run::name() const
{
    QString const number = Words::tr("Run %1").arg(id);
    return isRunning() && !title.isEmpty() ? Words::tr("%1: %2").arg(number, title) : number;
}

RunList::RunList(Session &session) : m_session(session), m_shown(std::make_unique<LiveRun>())
{
    m_again.setSingleShot(true);
    m_again.setInterval(kLookAgainMs);
    connect(&m_again, &QTimer::timeout, this, &RunList::lookAgain);
    connect(&session.runs(), &RunController::stateChanged, this, [this] {
        std::vector<Run::Life> before;
        for (auto const &run : m_all) before.push_back(run.life);
        judge();
        if (!std::ranges::equal(before, m_all, {}, {}, &Run::life)) emit changed();
    });
}

RunList::~RunList() = default;

void RunList::take(std::vector<Run> runs)
{
    m_all = std::move(runs);
    judge();
    emit changed();
}

void RunList::judge()
{
    auto const &control = m_session.runs();
    auto const &own = control.live();
    bool detached = false;
    for (auto &run : m_all) {
        bool const goesOn = run.state == QLatin1String("running");
        bool const isOwn = control.isActive() && own.kind == run.kind && own.reportPath == run.report;
        run.life = !goesOn ? Run::Life::Over : isOwn ? Run::Life::Live : Run::Life::Detached;
        detached = detached || run.life == Run::Life::Detached;
    }
    if (detached && !m_again.isActive()) m_again.start();
    if (!detached) m_again.stop();
}

std::vector<Run const *> RunList::newestFirst() const
{
    std::vector<Run const *> sorted;
    for (auto const &run : m_all) sorted.push_back(&run);
    std::ranges::stable_sort(
        sorted, [](Run const *a, Run const *b) { return std::pair(a->isRunning(), a->id) > std::pair(b->isRunning(), b->id); });
    return sorted;
}

Run const *RunList::find(qint64 id) const
{
    auto const it = std::ranges::find(m_all, id, &Run::id);
    return it == m_all.end() ? nullptr : &*it;
}

Run const *RunList::ofReport(QString const &path) const
{
    auto const it = std::ranges::find(m_all, path, &Run::report);
    return path.isEmpty() || it == m_all.end() ? nullptr : &*it;
}

Run const *RunList::running() const
{
    Run const *found = nullptr;
    for (auto const &run : m_all)
        if (run.life == Run::Life::Live || (run.life == Run::Life::Detached && !found)) found = &run;
    return found;
}

Run const *RunList::lastTraining() const
{
    Run const *last = nullptr;
    for (auto const &run : m_all)
        if (run.kind == QLatin1String("train") && run.state != QLatin1String("failed") && (!last || run.id > last->id)) last = &run;
    return last;
}

bool RunList::showsOwn() const
{
    auto const &own = m_session.runs().lastRun();
    if (!own.exists) return false;
    if (own.state != RunState::Idle) return true;
    // Ended: the run of this window, unless another report is displayed.
    auto const report = m_session.report();
    return !own.series.empty()
        && (!report || report->path().isEmpty() || report->path() == own.reportPath || trainingRun(report->data()) < 0);
}

LiveRun const &RunList::shown() const
{
    if (showsOwn()) return m_session.runs().lastRun();
    auto const report = m_session.report();
    if (report != m_read) {
        m_read = report;
        *m_shown = report ? runOfReport(*report) : LiveRun();
    }
    return *m_shown;
}

} // namespace tilewright::views

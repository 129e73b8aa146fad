#include "views/session/playhead.h"

#include "engine/report/quantities.h"
#include "views/common/format.h"
#include "views/document/document.h"
#include "views/reports/report_snapshot.h"
#include "views/runcontrol/run_controller.h"
#include "views/session/selection.h"
#include "views/session/session.h"

#include <QCoreApplication>

#include <algorithm>
#include <utility>

namespace tilewright::views {

namespace {

bool isLeaf(ReportSnapshot const &report, int program)
{
    auto const &programs = report.data().programs;
    return program >= 0 && program < static_cast<int>(programs.size())
        && !report::isControlKind(programs[static_cast<std::size_t>(program)].kind);
}

} // namespace

Playhead::Playhead(Session &session) : m_session(session)
{
    connect(&session.selection(), &Selection::changed, this, &Playhead::takeSelection);
    connect(&session.runs(), &RunController::advanced, this, &Playhead::takeRun);
    connect(&session.runs(), &RunController::stateChanged, this, &Playhead::takeRun);
    connect(&session.runs(), &RunController::tileValuesChanged, this, &Playhead::takeRun);
    connect(&session, &Session::reportReplaced, this, &Playhead::takeReport);
    connect(&session, &Session::reportGrown, this, [this] {
        takeRun();
        // The run of this window has ended: it has a row now.
        if (m_moment.run != kLiveRun || m_session.runs().isActive()) return;
        auto moment = m_moment;
        moment.run = static_cast<int>(m_session.report()->data().runs.size()) - 1;
        put(moment);
    });
}

int Playhead::standing() const
{
    auto const &runs = m_session.runs();
    auto const &live = runs.live();
    auto const report = m_session.report();
    int const program = runs.tileValues().program;
    if (!runs.isPaused() || live.mode != RunMode::Tile || !report || !report->isWhole() || report->path() != live.reportPath) return -1;
    return program < static_cast<int>(report->data().programs.size()) ? program : -1;
}

QString Playhead::standingText() const
{
    int const program = standing();
    if (program < 0) return {};
    auto const report = m_session.report();
    auto const &programs = report->data().programs;
    std::int64_t rank = 0;
    for (int i = 0; i <= program; ++i) rank += !report::isControlKind(programs[static_cast<std::size_t>(i)].kind);
    QString const text = QCoreApplication::translate("views", "The run is paused after program step %1 of %2: %3")
                             .arg(countText(rank), countText(report::programSteps(report->data())),
                                  QString::fromStdString(programs[static_cast<std::size_t>(program)].name));
    auto const &at = m_session.runs().tileValues();
    if (at.latest <= at.superstep) return text;
    int const back = static_cast<int>(at.latest - at.superstep);
    return QCoreApplication::translate("views", "%1 (%n superstep(s) back)", nullptr, back).arg(text);
}

QString Playhead::programName() const
{
    auto const &programs = m_session.report()->data().programs;
    bool const known = m_moment.program >= 0 && m_moment.program < static_cast<int>(programs.size());
    return known ? QString::fromStdString(programs[static_cast<std::size_t>(m_moment.program)].name) : QString();
}

int Playhead::livenessStep() const
{
    auto const report = m_session.report();
    if (!report || !report->isWhole() || report->data().livenessSteps.empty()) return -1;
    int const steps = static_cast<int>(report->data().livenessSteps.size());
    int step = m_moment.livenessStep;
    if (step < 0) step = report->liveCurve("all", 0)->peakStep;
    for (auto const &verdict : report->data().verdicts)
        if (m_moment.livenessStep < 0 && verdict.scope == "all" && !verdict.fits) step = verdict.peakStep;
    return std::clamp(step, 0, steps - 1);
}

void Playhead::put(Moment moment)
{
    if (moment == m_moment) return;
    m_moment = moment;
    emit moved();
}

Moment Playhead::completed(Moment moment) const
{
    auto const report = m_session.report();
    auto const &d = report->data();
    bool const hasStep = moment.livenessStep >= 0 && moment.livenessStep < static_cast<int>(d.livenessSteps.size());
    if (!hasStep) moment.livenessStep = -1;
    if (hasStep && moment.program < 0) moment.program = d.livenessSteps[static_cast<std::size_t>(moment.livenessStep)].program;
    if (hasStep || moment.program < 0 || !report->isWhole()) return moment;
    // Of a program step with several liveness steps the one that is shown already stays.
    auto const steps = report->stepsOf(moment.program);
    if (!steps.empty())
        moment.livenessStep = std::ranges::find(steps, m_moment.livenessStep) != steps.end() ? m_moment.livenessStep : steps.front();
    return moment;
}

void Playhead::moveTo(Moment moment)
{
    m_following = false;
    put(completed(moment));
}

void Playhead::moveToLivenessStep(int step) { moveTo({m_moment.run, m_moment.step, -1, step, -1}); }

void Playhead::takeSelection()
{
    auto const &selected = m_session.selection().current();
    auto moment = m_moment;
    moment.cycle = -1;
    if (selected.at.isSet()) {
        moment = selected.at;
    } else if (selected.kind == SelectionKind::LivenessStep && selected.ids.size() == 1) {
        moment.livenessStep = selected.ids.front();
        moment.program = -1;
    } else if (selected.kind == SelectionKind::Program && selected.ids.size() == 1 && isLeaf(*m_session.report(), selected.ids.front())) {
        moment.program = selected.ids.front();
        moment.livenessStep = -1;
    } else {
        return;
    }
    moveTo(moment);
}

void Playhead::takeRun()
{
    auto const &runs = m_session.runs();
    auto const &live = runs.live();
    bool const running = runs.state() == RunState::Running;
    int const stands = standing();
    if (running && !std::exchange(m_wasRunning, running)) m_following = true;
    m_wasRunning = running;
    if (std::exchange(m_stood, stands) != stands && stands >= 0) m_following = true;
    auto const report = m_session.report();
    bool const own = report && !live.reportPath.isEmpty() && report->path() == live.reportPath;
    if (!m_following || !runs.isActive() || !own || live.kind != QLatin1String("train")) return;
    Moment moment;
    moment.run = kLiveRun;
    moment.step = live.step - live.firstStep;
    moment.program = stands;
    put(completed(moment));
}

void Playhead::takeReport()
{
    // A report that was read further has the same rows.
    auto const report = m_session.report();
    QString const uuid = report->uuid();
    bool const same = report && !uuid.isEmpty() && uuid == m_uuid;
    m_uuid = uuid;
    if (!same) {
        m_stood = -1;
        put({});
    }
    takeRun();
}

} // namespace tilewright::views

// The parts of the view of time for another report.
#include "views/execution/execution_widget.h"

#include "views/common/figure_parts.h"
#include "views/figures/comparison.h"
#include "views/jobs/job_runner.h"
#include "views/session/selection.h"
#include "views/time/time_pane.h"

#include <set>

namespace tilewright::views {

void ExecutionView::compare()
{
    auto const wanted = m_compare->report();
    if (!m_blocks) return;
    if (!wanted) {
        session().jobs().cancelSlot(this, QStringLiteral("execution.compare"));
        m_pending &= ~Beside;
        if (!m_compared) return;
        m_compared.reset();
        return showCompared();
    }
    if (m_compared && m_compared->report == wanted && m_compared->name == m_compare->name()
        && m_compared->firstType == static_cast<int>(m_blocks->styles.size()))
        return;
    m_pending |= Beside;
    session().jobs().compute<Compared>(
        this, JobKind::Compare, QStringLiteral("execution.compare"),
        [wanted, name = m_compare->name(), blocks = m_blocks](JobContext const &job) { return buildCompared(wanted, name, blocks, job); },
        [this, blocks = m_blocks](Result<Compared> compared) {
            m_pending &= ~Beside;
            if (!compared.ok() || blocks != m_blocks || (*compared)->report != m_compare->report()) return;
            m_compared = *compared;
            showCompared();
        });
}

void ExecutionView::showCompared()
{
    placeCompared();
    auto &window = m_pane->window();
    if (!m_hostTime) window.setExtent(shownExtent(), window.visible() == window.extent());
    showMode();
    updateHeadline();
}

void ExecutionView::placeCompared()
{
    m_comparedRun = m_compared ? comparedPlaces(*m_compared, m_run) : RunPlaces();
    m_panel->showComparison(m_compared ? std::make_shared<PhaseComparison const>(comparePhases(*m_blocks->report, m_run.run, *m_compared))
                                       : nullptr);
    if (!m_opensComparison) return;
    m_panel->setProperty(kOutOfFigures, !m_compared);
    m_panel->openComparison();
}

TimeSpan ExecutionView::shownExtent() const
{
    TimeSpan extent = m_run.extent;
    if (m_compared && !m_comparedRun.places.empty())
        extent.end = std::max(extent.end, m_comparedRun.places.front().startCycle + m_comparedRun.places.front().period);
    return extent;
}

std::vector<char> ExecutionView::shownFlags(std::vector<char> flags) const
{
    std::size_t const own = m_lanes.set.styles.size(), all = m_shown.styles.size();
    if (flags.empty() || m_mode != Flat || all <= own) return flags;
    flags.resize(own);
    std::set<QString> names;
    for (std::size_t type = 0; type < own; ++type)
        if (flags[type]) names.insert(m_shown.styles[type].name);
    for (std::size_t type = own; type < all; ++type) flags.push_back(names.contains(m_shown.styles[type].name));
    return flags;
}

void ExecutionView::pickCompared(int lane, std::int64_t event)
{
    if (session().selection().origin() == this) session().selection().clear(); // ids of another report select nothing here
    auto const &events = m_shown.lanes[static_cast<std::size_t>(lane)].events;
    if (m_compared && events) m_panel->showFacts(comparedFacts(*m_compared, m_comparedRun, *events, event));
}

QString ExecutionView::legend() const
{
    if (m_low) return {};
    QStringList words{modeLegend(m_mode)};
    if (m_compared && m_mode != Flat)
        words << tr("%1 is not compared in these rows: it stands in Flat and in the table Compare.").arg(m_compared->name);
    words.removeAll(QString());
    return words.join(QStringLiteral(" · "));
}

} // namespace tilewright::views

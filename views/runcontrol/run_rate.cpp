#include "views/runcontrol/run_rate.h"

#include "views/common/words.h"
#include "views/runcontrol/run_internal.h"

#include <cmath>
#include <limits>

namespace tilewright::views {

namespace {
constexpr std::size_t kMostRates = 1000; ///< a callback may change the rate with every batch
}

RunRate::RunRate(RunController &runs) : QObject(&runs), m_runs(runs) {}

RunRate &RunRate::of(RunController &runs)
{
    auto *rate = runs.findChild<RunRate *>(QString(), Qt::FindDirectChildrenOnly);
    return rate ? *rate : *new RunRate(runs);
}

void RunRate::begin()
{
    m_now.reset();
    m_wanted.reset();
    m_changes.clear();
    m_known = false;
}

QString RunRate::set(double rate)
{
    if (!m_runs.isActive() || m_runs.live().kind != QLatin1String("train")) return Words::tr("No training is running.");
    if (!m_now)
        return m_known ? Words::tr("A schedule computes the learning rate on the device. Set training.optimizer.learning_rate to a number "
                                   "to change it during a run.")
                       : Words::tr("The run has not begun yet.");
    // The device holds rates as float32.
    if (!std::isfinite(rate) || rate < 0 || rate > static_cast<double>(std::numeric_limits<float>::max()))
        return Words::tr("A learning rate is a number of at least 0.");
    m_wanted = rate == *m_now ? std::nullopt : std::optional(rate);
    emit asked(rate);
    emit changed();
    return {};
}

bool RunRate::take(std::optional<double> rate, std::int64_t step)
{
    m_known = true;
    if (rate) {
        if (m_changes.size() == kMostRates) m_changes.erase(m_changes.begin());
        m_changes.push_back({step, *rate});
    }
    m_now = rate;
    bool const wanted = m_wanted && rate && *rate == *m_wanted;
    if (wanted) m_wanted.reset();
    emit changed();
    return wanted;
}

} // namespace tilewright::views

#include "engine/report/check/check_parts.h"

#include <algorithm>

namespace tilewright::report::check {

Lifetimes::Lifetimes(ReportData const &data) : steps(sizeOf(data.livenessSteps)), intervals(data.livenessClasses.size())
{
    for (auto const &interval : data.livenessIntervals) at(intervals, interval.livenessClass).push_back(interval);
    for (auto &list : intervals)
        std::sort(list.begin(), list.end(), [](auto const &a, auto const &b) { return a.firstStep < b.firstStep; });
}

bool Lifetimes::liveAt(int livenessClass, int step) const
{
    auto const &list = at(intervals, livenessClass);
    return std::any_of(list.begin(), list.end(), [&](auto const &i) { return i.firstStep <= step && step < i.endStep; });
}

bool Lifetimes::share(int a, int b) const
{
    auto const &x = at(intervals, a), &y = at(intervals, b);
    for (std::size_t i = 0, j = 0; i < x.size() && j < y.size();) {
        if (x[i].firstStep < y[j].endStep && y[j].firstStep < x[i].endStep) return true;
        if (x[i].endStep <= y[j].endStep) ++i;
        else ++j;
    }
    return false;
}

namespace {

class LivenessCheck {
public:
    LivenessCheck(ReportData const &data, Violations &out) : d(data), m_out(out), m_lives(data) {}

    void run()
    {
        classes();
        curves();
        peaks();
        uses();
    }

private:
    struct Sum {
        Bytes always = 0;
        std::vector<Bytes> byStep;
    };

    void classes() // 10
    {
        for (int c = 0; c < sizeOf(d.livenessClasses); ++c) {
            int reached = 0;
            bool whole = true;
            for (auto const &interval : at(m_lives.intervals, c)) {
                if (interval.firstStep < reached) m_out.add(10, "class " + number(c), "its intervals overlap");
                if (interval.firstStep > reached) whole = false;
                reached = std::max(reached, interval.endStep);
            }
            whole = whole && reached == m_lives.steps && m_lives.steps > 0;
            if (whole != at(d.livenessClasses, c).alwaysLive)
                m_out.add(10, "class " + number(c),
                          whole ? "covers all steps but is not called always live" : "is called always live but does not cover all steps");
        }
        if (d.tileLayout.empty()) return;
        std::vector<bool> placed(d.variables.size(), false), always(d.variables.size(), true);
        for (int id = 0; id < d.layouts.size(); ++id)
            for (auto const &item : d.layouts.layout(id))
                if (item.variable >= 0) {
                    placed[static_cast<std::size_t>(item.variable)] = true;
                    if (!at(d.livenessClasses, item.livenessClass).alwaysLive) always[static_cast<std::size_t>(item.variable)] = false;
                }
        for (int v = 0; v < sizeOf(d.variables); ++v)
            if (placed[static_cast<std::size_t>(v)] && always[static_cast<std::size_t>(v)] != at(d.variables, v).alwaysLive)
                m_out.add(10, "variable " + number(v) + " (" + at(d.variables, v).name + ")",
                          "always_live disagrees with the classes of its pieces");
    }

    Sum sumOf(LiveCurveRow const &curve) const
    {
        Sum sum;
        sum.byStep.assign(static_cast<std::size_t>(m_lives.steps), 0);
        std::vector<Bytes> change(static_cast<std::size_t>(m_lives.steps) + 1, 0);
        std::map<int, std::int64_t> tilesWith; // by layout
        for (int tile = 0; tile < sizeOf(d.tileLayout); ++tile)
            if (at(d.tileLayout, tile) >= 0 && (curve.scope != "ipu" || tile / std::max(1, d.target.tilesPerIpu) == curve.scopeId))
                ++tilesWith[at(d.tileLayout, tile)];
        for (auto const &[layout, tiles] : tilesWith) {
            for (auto const &item : d.layouts.layout(layout)) {
                Bytes const bytes = item.bytes * tiles;
                if (curve.scope == "stage") {
                    int const op = item.variable < 0 ? kNone : at(d.variables, item.variable).op;
                    if (op < 0 || at(d.ops, op).stage != curve.scopeId) continue;
                }
                if (at(d.livenessClasses, item.livenessClass).alwaysLive) {
                    sum.always += bytes;
                    continue;
                }
                for (auto const &interval : at(m_lives.intervals, item.livenessClass)) {
                    change[static_cast<std::size_t>(interval.firstStep)] += bytes;
                    change[static_cast<std::size_t>(interval.endStep)] -= bytes;
                }
            }
        }
        Bytes live = 0;
        for (std::size_t s = 0; s < sum.byStep.size(); ++s) sum.byStep[s] = live += change[s];
        return sum;
    }

    void curves() // 9, 10, 12
    {
        std::vector<Bytes> sumOfIpus(static_cast<std::size_t>(m_lives.steps), 0);
        Bytes alwaysOfIpus = 0;
        int ipus = 0;
        LiveCurveRow const *all = nullptr;
        for (auto const &curve : d.liveCurves) {
            std::string const subject = "curve " + curve.scope + " " + number(curve.scopeId);
            if (sizeOf(curve.notAlwaysLive) != m_lives.steps) {
                m_out.add(9, subject, "has " + number(sizeOf(curve.notAlwaysLive)) + " points for " + number(m_lives.steps) + " steps");
                return;
            }
            if (curve.scope == "all") all = &curve;
            if (curve.scope == "ipu") {
                ++ipus;
                alwaysOfIpus += curve.alwaysLive;
                for (std::size_t s = 0; s < sumOfIpus.size(); ++s) sumOfIpus[s] += curve.notAlwaysLive[s];
            }
            if (!d.tileLayout.empty()) {
                auto const sum = sumOf(curve);
                if (sum.always != curve.alwaysLive)
                    m_out.add(10, subject,
                              number(curve.alwaysLive) + " bytes are said to be always live, the layouts say " + number(sum.always));
                for (int s = 0; s < m_lives.steps; ++s)
                    if (at(sum.byStep, s) != at(curve.notAlwaysLive, s)) {
                        m_out.add(9, subject,
                                  "step " + number(s) + " has " + number(at(curve.notAlwaysLive, s)) + " bytes, the layouts say "
                                      + number(at(sum.byStep, s)));
                        break;
                    }
            }
            auto const most = std::max_element(curve.notAlwaysLive.begin(), curve.notAlwaysLive.end());
            Bytes const peak = curve.alwaysLive + (most == curve.notAlwaysLive.end() ? 0 : *most);
            int const step = most == curve.notAlwaysLive.end() ? 0 : static_cast<int>(most - curve.notAlwaysLive.begin());
            if (curve.peak != peak) m_out.add(12, subject, "the peak is " + number(curve.peak) + ", the curve says " + number(peak));
            if (curve.peakStep != step)
                m_out.add(12, subject, "the peak step is " + number(curve.peakStep) + ", the curve says " + number(step));
        }
        if (all && ipus == d.target.ipusPerReplica) {
            if (all->alwaysLive != alwaysOfIpus) m_out.add(12, "curve all 0", "always-live bytes are not the sum over IPUs");
            if (all->notAlwaysLive != sumOfIpus) m_out.add(12, "curve all 0", "the curves of the IPUs do not sum to it");
        }
    }

    void peaks() // 12
    {
        for (std::size_t i = 0; i < d.livePeaks.size(); ++i) {
            auto const &peak = d.livePeaks[i];
            std::string const subject = "peak " + number(peak.rank) + " of " + peak.scope + " " + number(peak.scopeId);
            for (auto const &curve : d.liveCurves) {
                if (curve.scope != peak.scope || curve.scopeId != peak.scopeId) continue;
                if (peak.step < 0 || peak.step >= sizeOf(curve.notAlwaysLive)) m_out.add(12, subject, "lies outside the curve");
                else if (curve.alwaysLive + at(curve.notAlwaysLive, peak.step) != peak.bytes)
                    m_out.add(12, subject, "says " + number(peak.bytes) + " bytes, the curve says otherwise");
                if (peak.rank == 0 && peak.bytes != curve.peak) m_out.add(12, subject, "is not the highest");
            }
            if (i > 0 && d.livePeaks[i - 1].scope == peak.scope && d.livePeaks[i - 1].scopeId == peak.scopeId
                && d.livePeaks[i - 1].bytes < peak.bytes)
                m_out.add(12, subject, "is higher than the one before");
        }
    }

    void uses() // 11
    {
        if (d.programVariables.empty() || d.livenessSteps.empty()) return;
        std::vector<std::vector<int>> stepsOf(d.programs.size());
        for (int s = 0; s < m_lives.steps; ++s) at(stepsOf, at(d.livenessSteps, s).program).push_back(s);
        std::vector<std::set<int>> classesOf(d.variables.size());
        for (int id = 0; id < d.layouts.size(); ++id)
            for (auto const &item : d.layouts.layout(id))
                if (item.variable >= 0) at(classesOf, item.variable).insert(item.livenessClass);
        std::vector<int> lastUse(d.variables.size(), kNone);
        for (auto const &use : d.programVariables) {
            auto const &variable = at(d.variables, use.variable);
            std::string const subject = "variable " + number(use.variable) + " (" + variable.name + ")";
            for (int const step : at(stepsOf, use.program)) {
                at(lastUse, use.variable) = std::max(at(lastUse, use.variable), step);
                for (int const c : at(classesOf, use.variable))
                    if (!m_lives.liveAt(c, step)) {
                        m_out.add(11, subject,
                                  "step " + number(step) + (use.access == "write" ? " writes" : " reads") + " it while it is not live");
                        break;
                    }
            }
        }
        for (int v = 0; v < sizeOf(d.variables); ++v) {
            auto const &variable = at(d.variables, v);
            std::string const subject = "variable " + number(v) + " (" + variable.name + ")";
            if (variable.lastUseStep >= 0 && variable.lastUseStep != at(lastUse, v))
                m_out.add(11, subject,
                          "its last use is said to be step " + number(variable.lastUseStep) + ", programs say " + number(at(lastUse, v)));
            if (at(classesOf, v).empty()) continue;
            int first = m_lives.steps, end = 0;
            for (int const c : at(classesOf, v))
                for (auto const &interval : at(m_lives.intervals, c)) {
                    first = std::min(first, interval.firstStep);
                    end = std::max(end, interval.endStep);
                }
            if (variable.lastUseStep >= end) m_out.add(11, subject, "is used at step " + number(variable.lastUseStep) + ", after its end");
            if (end > 0 && variable.firstStep >= 0 && variable.firstStep != first)
                m_out.add(11, subject, "is said to live from step " + number(variable.firstStep) + ", its class says " + number(first));
            if (end > 0 && variable.lastStep >= 0 && variable.lastStep != end - 1)
                m_out.add(11, subject, "is said to live to step " + number(variable.lastStep) + ", its class says " + number(end - 1));
        }
    }

    ReportData const &d;
    Violations &m_out;
    Lifetimes m_lives;
};

} // namespace

void checkLiveness(ReportData const &data, Violations &out) { LivenessCheck(data, out).run(); }

} // namespace tilewright::report::check

#include "engine/core/ascii.h"
#include "engine/report/check/check_parts.h"

#include "engine/core/pipeline_schedule.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

namespace tilewright::report::check {

namespace {

struct Span {
    Cycles begin = 0, end = 0;
    std::string what;
};

bool upwards(std::string const &pass) { return pass == "forward"; }
bool downwards(std::string const &pass) { return pass == "backward"; }

class PipelineCheck {
public:
    PipelineCheck(ReportData const &data, Violations &out, int pattern) : d(data), m_out(out), m_pattern(pattern)
    {
        for (auto const &task : d.stageTasks)
            if (task.pattern == pattern) m_tasks.push_back(task);
        for (auto const &bubble : d.bubbles)
            if (bubble.pattern == pattern) m_bubbles.push_back(bubble);
    }

    void run()
    {
        critical();
        if (m_tasks.empty()) return;
        dependencies();
        slots();
        fill();
        theory();
    }

private:
    std::string subject() const { return "pattern " + number(m_pattern); }
    int replicaOf(int ipu) const { return at(d.ipus, ipu).replica; }
    static std::string named(StageTaskRow const &task)
    {
        return task.pass + " of micro-batch " + number(task.microBatch) + " on stage " + number(task.stage);
    }

    void dependencies() // 22
    {
        std::map<std::tuple<int, std::string, int, int>, StageTaskRow const *> known; // replica, pass, micro-batch, stage
        for (auto const &task : m_tasks) {
            if (task.endCycle < task.startCycle) m_out.add(22, subject(), named(task) + " ends before it starts");
            if (task.slack < 0) m_out.add(22, subject(), named(task) + " has negative slack");
            if (!known.insert({{replicaOf(task.ipu), task.pass, task.microBatch, task.stage}, &task}).second)
                m_out.add(22, subject(), named(task) + " runs twice");
        }
        for (auto const &task : m_tasks) {
            int const before = upwards(task.pass) ? task.stage - 1 : downwards(task.pass) ? task.stage + 1 : kNone;
            if (before < 0) continue;
            auto const it = known.find({replicaOf(task.ipu), task.pass, task.microBatch, before});
            if (it != known.end() && it->second->endCycle > task.startCycle)
                m_out.add(22, subject(), named(task) + " starts before stage " + number(before) + " is done");
        }
        for (auto const &task : m_tasks) {
            if (task.pass != toText(StagePass::Recompute)) continue;
            auto const it = known.find({replicaOf(task.ipu), std::string(toText(StagePass::Backward)), task.microBatch, task.stage});
            if (it == known.end() || it->second->startCycle < task.endCycle)
                m_out.add(22, subject(), named(task) + " is not done when its backward begins");
        }
    }

    void slots() // 22: one slot is over everywhere before the next begins
    {
        std::map<std::pair<int, int>, Span> bySlot; // replica, slot
        for (auto const &task : m_tasks) {
            auto const [it, isNew] = bySlot.try_emplace({replicaOf(task.ipu), task.slot}, Span{task.startCycle, task.endCycle, {}});
            if (isNew) continue;
            it->second.begin = std::min(it->second.begin, task.startCycle);
            it->second.end = std::max(it->second.end, task.endCycle);
        }
        std::pair<int, int> last{-1, 0};
        Cycles end = 0;
        for (auto const &[key, span] : bySlot) {
            if (key.first == last.first && span.begin < end)
                m_out.add(22, subject(),
                          "slot " + number(key.second) + " begins at " + number(span.begin) + " before slot " + number(last.second)
                              + " ends");
            last = key;
            end = span.end;
        }
    }

    void fill() // 22
    {
        std::map<int, std::vector<Span>> byIpu;
        m_begin = std::numeric_limits<Cycles>::max();
        m_end = 0;
        for (auto const &task : m_tasks) byIpu[task.ipu].push_back({task.startCycle, task.endCycle, named(task)});
        for (auto const &bubble : m_bubbles) byIpu[bubble.ipu].push_back({bubble.startCycle, bubble.endCycle, "a bubble"});
        for (auto const &[ipu, spans] : byIpu)
            for (auto const &span : spans) {
                m_begin = std::min(m_begin, span.begin);
                m_end = std::max(m_end, span.end);
            }
        for (auto &[ipu, spans] : byIpu) {
            std::sort(spans.begin(), spans.end(),
                      [](auto const &a, auto const &b) { return std::tie(a.begin, a.end) < std::tie(b.begin, b.end); });
            Cycles reached = m_begin;
            for (auto const &span : spans) {
                if (span.begin != reached) {
                    m_out.add(22, subject() + " ipu " + number(ipu),
                              span.what + " starts at " + number(span.begin) + ", what is before it ends at " + number(reached));
                    break;
                }
                reached = span.end;
            }
            if (reached != m_end)
                m_out.add(22, subject() + " ipu " + number(ipu),
                          "its tasks and bubbles end at " + number(reached) + ", the batch at " + number(m_end));
        }
    }

    void critical() // 22
    {
        std::vector<CriticalRow> path;
        for (auto const &step : d.criticals)
            if (step.pattern == m_pattern) path.push_back(step);
        if (path.empty()) return;
        std::sort(path.begin(), path.end(), [](auto const &a, auto const &b) { return a.seq < b.seq; });
        for (std::size_t i = 1; i < path.size(); ++i)
            if (path[i].startCycle != path[i - 1].endCycle)
                m_out.add(22, subject(), "the critical path breaks off at cycle " + number(path[i - 1].endCycle));
        Cycles const length = path.back().endCycle - path.front().startCycle;
        if (length != at(d.patterns, m_pattern).cycles)
            m_out.add(22, subject(),
                      "the critical path takes " + number(length) + " cycles, the batch " + number(at(d.patterns, m_pattern).cycles));
    }

    void theory() // 23
    {
        std::string schedule;
        for (auto const &option : d.options)
            if (option.scope == "training" && option.name == "pipeline_schedule") schedule = option.value;
        std::transform(schedule.begin(), schedule.end(), schedule.begin(), asciiLower);
        std::set<int> stages, ipus;
        std::set<std::pair<int, int>> batches;
        std::map<std::string, Cycles> lengths;
        for (auto const &task : m_tasks) {
            stages.insert(task.stage);
            ipus.insert(task.ipu);
            batches.insert({replicaOf(task.ipu), task.microBatch});
            auto const [it, isNew] = lengths.try_emplace(task.pass, task.endCycle - task.startCycle);
            if (!isNew && it->second != task.endCycle - task.startCycle) return; // stages are not equal
        }
        std::set<int> replicas;
        for (int const ipu : ipus) replicas.insert(replicaOf(ipu));
        if (ipus.size() != stages.size() * replicas.size()) return; // not one stage on each IPU
        bool const sequential = schedule.find("sequential") != std::string::npos;
        bool const forwardOnly = lengths.size() == 1 && lengths.count("forward");
        bool const interleaved = schedule.find("interleaved") != std::string::npos && lengths.count("backward");
        if (!sequential && !forwardOnly && !interleaved) return;
        Cycles update = 0, bubbles = 0;
        for (auto const &bubble : m_bubbles) {
            if (bubble.cause == "transfer" || bubble.cause == "host" || bubble.cause == "imbalance")
                return; // slots have more than tasks in them
            if (bubble.cause == "update") update += bubble.endCycle - bubble.startCycle;
            else bubbles += bubble.endCycle - bubble.startCycle;
        }
        auto const n = static_cast<double>(ipus.size());
        double const total = n * static_cast<double>(m_end - m_begin) - static_cast<double>(update);
        auto const s = static_cast<double>(stages.size());
        double const m = static_cast<double>(batches.size()) / static_cast<double>(replicas.size());
        double const expected = sequential ? 1.0 - 1.0 / s : (s - 1) / (m + s - 1);
        double const tolerance = n * (m + s) * 2.0; // a rounding cycle per slot and IPU
        if (std::abs(static_cast<double>(bubbles) - expected * total) > tolerance)
            m_out.add(23, subject(),
                      "bubbles take " + number(bubbles) + " cycles, equal stages should have " + number(std::llround(expected * total)));
    }

    ReportData const &d;
    Violations &m_out;
    int m_pattern;
    std::vector<StageTaskRow> m_tasks;
    std::vector<BubbleRow> m_bubbles;
    Cycles m_begin = 0, m_end = 0;
};

} // namespace

void checkPipeline(ReportData const &data, Violations &out)
{
    for (int pattern = 0; pattern < sizeOf(data.patterns); ++pattern) PipelineCheck(data, out, pattern).run();
}

} // namespace tilewright::report::check

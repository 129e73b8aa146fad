#include "engine/model/stage_cut.h"

#include "engine/model/stages.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <set>
#include <tuple>

namespace tilewright::model {

namespace {

/// Cuts that are priced at most: some hundredths of a second, which a person may wait for.
constexpr std::size_t kLooks = 1000;
constexpr std::size_t looksAround(std::size_t stages) { return 4 * kLooks / stages; }

using Starts = std::vector<std::size_t>; ///< of a cut: the first block of each stage

/// Runs of calls that may be parted from one another: each starts at a place where no layer has calls on both sides.
std::vector<std::size_t> blockStarts(ResolvedModel const &model, std::vector<std::size_t> const &calls)
{
    std::map<std::size_t, std::size_t> last;
    for (std::size_t i = 0; i < calls.size(); ++i) last[model.calls[calls[i]].layer] = i;
    std::vector<std::size_t> starts;
    std::size_t open = 0;
    for (std::size_t i = 0; i < calls.size(); ++i) {
        if (i >= open) starts.push_back(i);
        open = std::max(open, last[model.calls[calls[i]].layer] + 1);
    }
    return starts;
}

Bytes bytesOfSample(ResolvedCall const &call)
{
    auto const elements =
        std::accumulate(call.shape.begin() + (call.shape.empty() ? 0 : 1), call.shape.end(), std::int64_t{1},
                        [](std::int64_t product, std::int64_t extent) { return product * std::max<std::int64_t>(1, extent); });
    return elements * static_cast<Bytes>(sizeOf(call.dtype));
}

/// What crosses to the next stage and back. A value goes from stage to stage up to the last that reads it, once; a gradient comes from each
/// reader by itself, as they are added up where the value was made.
void addCrossings(ResolvedModel const &model, std::vector<int> const &stageOfCall, std::vector<StageCost> &stages)
{
    std::vector<int> lastReader(model.calls.size(), -1);
    std::vector<char> learns(model.calls.size(), 0); // something before it has weights, so that it gets a gradient
    for (std::size_t i = 0; i < model.calls.size(); ++i) {
        learns[i] = model.layerOf(i).trainableParameters() > 0;
        for (auto const from : model.calls[i].inputs) {
            learns[i] = learns[i] || learns[from];
            lastReader[from] = std::max(lastReader[from], stageOfCall[i]);
            if (!learns[from]) continue;
            for (int at = stageOfCall[from]; at < stageOfCall[i]; ++at)
                stages[static_cast<std::size_t>(at)].back += bytesOfSample(model.calls[from]);
        }
    }
    for (std::size_t i = 0; i < model.calls.size(); ++i)
        for (int at = stageOfCall[i]; at < lastReader[i]; ++at) stages[static_cast<std::size_t>(at)].on += bytesOfSample(model.calls[i]);
}

/// Prices cuts by their blocks and keeps the best.
class CutSearch {
public:
    CutSearch(ResolvedModel const &resolved, CutCosts const &priced, int count, CutPlan const &how)
        : m_model(resolved), m_costs(priced), m_plan(how), m_parts(static_cast<std::size_t>(count)), m_calls(stagedCalls(resolved)),
          m_blocks(blockStarts(resolved, m_calls))
    {
        m_plan.microBatches = pipelineDepth(how, count);
    }

    std::size_t blocks() const { return m_blocks.size(); }

    void all()
    {
        Starts starts(m_parts);
        std::iota(starts.begin(), starts.end(), std::size_t{0});
        for (bool more = true; more;) {
            price(starts);
            std::size_t part = m_parts;
            while (part > 1 && starts[part - 1] == blocks() - m_parts + part - 1) --part;
            more = part > 1;
            if (!more) break;
            ++starts[part - 1];
            for (; part < m_parts; ++part) starts[part] = starts[part - 1] + 1;
        }
    }

    /// From the cut with the smallest largest stage to its neighbours, always from the best of those found: one boundary moves at a time.
    void around()
    {
        price(evenStarts());
        std::set<Starts> done;
        while (m_found.size() < looksAround(m_parts)) {
            auto const next = std::ranges::find_if(m_ranked, [&](auto const &ranked) { return !done.contains(std::get<Starts>(ranked)); });
            if (next == m_ranked.end()) return;
            auto const from = std::get<Starts>(*next);
            done.insert(from);
            for (std::size_t part = 1; part < m_parts; ++part)
                for (int const by : {-3, -2, -1, 1, 2, 3}) {
                    auto moved = from;
                    auto const to = static_cast<std::ptrdiff_t>(from[part]) + by;
                    auto const end = static_cast<std::ptrdiff_t>(part + 1 < m_parts ? from[part + 1] : blocks());
                    if (to <= static_cast<std::ptrdiff_t>(from[part - 1]) || to >= end) continue;
                    moved[part] = static_cast<std::size_t>(to);
                    price(moved);
                }
        }
    }

    std::vector<Cut> best(std::size_t most) const
    {
        std::vector<Cut> cuts;
        for (auto const &[cost, parameters, starts] : m_ranked) {
            if (cuts.size() == most) break;
            cuts.push_back({stagesOf(starts), cost});
        }
        return cuts;
    }

private:
    std::vector<int> stagesOf(Starts const &starts) const
    {
        std::vector<int> stages(m_calls.size(), 0);
        for (auto const start : starts)
            if (start > 0)
                for (std::size_t i = m_blocks[start]; i < stages.size(); ++i) ++stages[i];
        return stages;
    }

    void price(Starts const &starts)
    {
        if (!m_found.insert(starts).second) return;
        auto const stages = stageCosts(m_model, m_costs, stagesOf(starts), m_plan.recompute);
        m_ranked.emplace(pipelineCost(m_costs, stages, m_plan), std::ranges::max(stages, {}, &StageCost::parameters).parameters, starts);
    }

    /// The largest stage as small as it can be, without what crosses.
    Starts evenStarts() const
    {
        std::vector<double> sum(blocks() + 1, 0.0); // of the blocks before
        for (std::size_t b = 0; b < blocks(); ++b) {
            sum[b + 1] = sum[b];
            for (std::size_t i = m_blocks[b]; i < (b + 1 < blocks() ? m_blocks[b + 1] : m_calls.size()); ++i)
                sum[b + 1] += m_costs.calls[i].forward + m_costs.calls[i].backward;
        }
        // best[p][b]: smallest possible largest part of the first b blocks in p parts; from[p][b]: where its last part starts.
        std::vector<std::vector<double>> best(m_parts + 1, std::vector<double>(blocks() + 1, std::numeric_limits<double>::infinity()));
        std::vector<std::vector<std::size_t>> from(m_parts + 1, std::vector<std::size_t>(blocks() + 1, 0));
        best[0][0] = 0.0;
        for (std::size_t p = 1; p <= m_parts; ++p)
            for (std::size_t b = p; b <= blocks(); ++b)
                for (std::size_t cut = p - 1; cut < b; ++cut)
                    if (double const worst = std::max(best[p - 1][cut], sum[b] - sum[cut]); worst < best[p][b]) {
                        best[p][b] = worst;
                        from[p][b] = cut;
                    }
        Starts starts(m_parts);
        for (std::size_t p = m_parts, end = blocks(); p > 0; --p) starts[p - 1] = end = from[p][end];
        return starts;
    }

    ResolvedModel const &m_model;
    CutCosts const &m_costs;
    CutPlan m_plan;
    std::size_t m_parts;
    std::vector<std::size_t> m_calls, m_blocks;
    std::set<Starts> m_found;
    std::set<std::tuple<double, std::int64_t, Starts>> m_ranked;
};

/// Whether there are at most so many ways to choose `of` of `among`.
bool fewerChoices(std::size_t among, std::size_t of, std::size_t limit)
{
    double ways = 1;
    for (std::size_t i = 0; i < of; ++i) ways = ways * static_cast<double>(among - i) / static_cast<double>(i + 1);
    return ways <= static_cast<double>(limit);
}

} // namespace

std::string_view toText(CostUnit unit) { return unit == CostUnit::Cycles ? "cycles" : "multiply-adds"; }

CutCosts multiplyAddCosts(ResolvedModel const &model)
{
    CutCosts costs;
    for (auto const call : stagedCalls(model))
        costs.calls.push_back({model.calls[call].multiplyAdds, 2 * model.calls[call].multiplyAdds, 0});
    return costs;
}

std::vector<StageCost> stageCosts(ResolvedModel const &model, CutCosts const &costs, std::vector<int> const &stages, bool recompute)
{
    auto const calls = stagedCalls(model);
    TW_CHECK(stages.size() == calls.size() && costs.calls.size() == calls.size(), "costs of another model");
    int const last = stages.empty() ? 0 : std::ranges::max(stages);
    std::vector<StageCost> out(static_cast<std::size_t>(last) + 1);
    auto const add = [&out](int stage, CallCost const &cost) {
        auto &to = out[static_cast<std::size_t>(stage)];
        to.times.forward += cost.forward;
        to.times.backward += cost.backward;
        to.update += cost.update;
    };
    std::vector<int> stageOfCall(model.calls.size(), 0); // inputs enter with the first stage
    for (std::size_t i = 0; i < calls.size(); ++i) {
        add(stages[i], costs.calls[i]);
        stageOfCall[calls[i]] = stages[i];
    }
    for (std::size_t i = 0; i < model.calls.size(); ++i)
        if (model.calls[i].tensor > 0) stageOfCall[i] = stageOfCall[model.calls[i].inputs.front()]; // a further output of that call
    for (auto const &layer : model.layers)
        if (!layer.calls.empty()) out[static_cast<std::size_t>(stageOfCall[layer.calls.front()])].parameters += layer.parameters();
    if (recompute)
        for (std::size_t stage = 0; stage + 1 < out.size(); ++stage) out[stage].times.recompute = out[stage].times.forward;
    add(0, costs.first);
    add(last, costs.last);
    addCrossings(model, stageOfCall, out);
    return out;
}

std::vector<StageCost> stageCosts(ResolvedModel const &model, CutCosts const &costs, bool recompute)
{
    if (!model.pipelined()) return {};
    std::vector<int> stages;
    for (auto const call : stagedCalls(model)) stages.push_back(std::max(0, model.calls[call].stage));
    return stageCosts(model, costs, stages, recompute);
}

std::vector<StageTimes> timesOf(std::vector<StageCost> const &stages)
{
    std::vector<StageTimes> times;
    for (auto const &stage : stages) times.push_back(stage.times);
    return times;
}

double exchangeOf(CutCosts const &costs, std::vector<StageCost> const &stages)
{
    double longest = 0;
    for (auto const &link : costs.links) {
        Bytes bytes = 0;
        for (auto const stage : link.on)
            bytes += static_cast<std::size_t>(stage) < stages.size() ? stages[static_cast<std::size_t>(stage)].on : 0;
        for (auto const stage : link.back)
            bytes += static_cast<std::size_t>(stage) < stages.size() ? stages[static_cast<std::size_t>(stage)].back : 0;
        longest = std::max(longest, static_cast<double>(bytes) * link.byte);
    }
    return longest;
}

std::int64_t pipelineDepth(CutPlan const &plan, int stages)
{
    std::int64_t const multiple = PipelineSlots{plan.schedule, std::max(1, stages), true}.multiple();
    return (std::max<std::int64_t>(1, plan.microBatches) + multiple - 1) / multiple * multiple;
}

double pipelineCost(CutCosts const &costs, std::vector<StageCost> const &stages, CutPlan const &plan)
{
    PipelineSlots const slots{plan.schedule, static_cast<int>(stages.size()), true};
    auto const times = timesOf(stages);
    auto const microBatches = pipelineDepth(plan, slots.stages);
    return (pipelineEnd(slots, times, microBatches, exchangeOf(costs, stages)) + std::ranges::max(stages, {}, &StageCost::update).update)
        / static_cast<double>(microBatches);
}

double imbalance(std::vector<StageCost> const &stages)
{
    double sum = 0, most = 0;
    for (auto const &stage : stages) {
        sum += stage.times.all();
        most = std::max(most, stage.times.all());
    }
    return sum > 0 ? most * static_cast<double>(stages.size()) / sum : 1;
}

Result<std::vector<Cut>> bestCuts(ResolvedModel const &model, CutCosts const &costs, int stages, CutPlan const &plan, std::size_t most)
{
    auto const refuse = [&](Message message, Message remedy) {
        return makeError(ErrorKind::Invalid, "model.stage", model.name, std::move(message), std::move(remedy));
    };
    if (stages < 1) return refuse(Message::of("a pipeline needs at least one stage"), Message::of("request two stages or more"));
    auto const blocks = blockStarts(model, stagedCalls(model)).size();
    if (static_cast<std::size_t>(stages) > blocks)
        return refuse(Message::of("%1 stages are too many: the model can be cut into %2 parts", stages, blocks),
                      Message::of("request at most %1 stages", std::to_string(blocks)));
    CutSearch search(model, costs, stages, plan);
    if (fewerChoices(blocks - 1, static_cast<std::size_t>(stages) - 1, kLooks)) search.all();
    else search.around();
    return search.best(most);
}

Result<std::vector<int>> adviseStages(ResolvedModel const &model, CutCosts const &costs, int stages, CutPlan const &plan)
{
    TW_ASSIGN(auto const cuts, bestCuts(model, costs, stages, plan, 1));
    return cuts.front().stages;
}

} // namespace tilewright::model

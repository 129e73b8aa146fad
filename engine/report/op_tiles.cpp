#include "engine/report/op_tiles.h"

#include <algorithm>
#include <map>
#include <numeric>

namespace tilewright::report {

namespace {

template <typename T> bool holds(std::vector<T> const &rows, int row) { return row >= 0 && row < static_cast<int>(rows.size()); }
template <typename T> T const &rowOf(std::vector<T> const &rows, int row) { return rows[static_cast<std::size_t>(row)]; }

std::size_t tilesOf(ReportData const &data)
{
    return static_cast<std::size_t>(std::max(0, data.target.ipusPerReplica))
        * static_cast<std::size_t>(std::max(0, data.target.tilesPerIpu));
}

void addTo(std::vector<double> &sums, std::vector<std::int64_t> const &values, double times = 1)
{
    for (std::size_t t = 0; t < std::min(sums.size(), values.size()); ++t) sums[t] += static_cast<double>(values[t]) * times;
}

/// A step of the program with cycles on tiles, and the cycles that vertices or messages take on each tile.
struct TimedStep {
    int program = 0, vec = kNone;
    bool isExchange = false;
};

std::vector<TimedStep> timedSteps(ReportData const &data, std::vector<char> const &below)
{
    std::vector<TimedStep> steps;
    auto const counts = [&](int program) {
        return holds(data.programs, program) && holds(below, rowOf(data.programs, program).op)
            && rowOf(below, rowOf(data.programs, program).op);
    };
    for (int p = 0; p < static_cast<int>(data.programs.size()); ++p)
        if (int const set = rowOf(data.programs, p).computeSet; counts(p) && holds(data.computeSets, set))
            steps.push_back({p, rowOf(data.computeSets, set).cyclesVec, false});
    for (auto const &exchange : data.exchanges)
        if (counts(exchange.program) && exchange.cyclesVec >= 0) steps.push_back({exchange.program, exchange.cyclesVec, true});
    return steps;
}

/// Executions of a program on each IPU of the first replica.
struct Executions {
    std::vector<std::int64_t> ofIpu;
    std::vector<Cycles> longest; ///< of one execution, by IPU
    bool alike = true;           ///< all executions took equally long on each IPU
};

std::map<int, Executions> executionsOf(ReportData const &data, int run)
{
    std::map<int, Executions> found;
    auto const ipus = static_cast<std::size_t>(std::max(0, data.target.ipusPerReplica));
    for (auto const &stat : data.stepStats) {
        if (stat.run != run || stat.ipu < 0 || static_cast<std::size_t>(stat.ipu) >= ipus) continue;
        auto &one = found[stat.program];
        one.ofIpu.resize(ipus, 0);
        one.longest.resize(ipus, 0);
        one.ofIpu[static_cast<std::size_t>(stat.ipu)] += stat.executions;
        one.longest[static_cast<std::size_t>(stat.ipu)] = stat.cyclesMax;
        one.alike = one.alike && stat.cyclesMin == stat.cyclesMax;
    }
    return found;
}

/// True if the vertices took the scheduled time of the slowest tile of each IPU; data-dependent vertices may not.
bool asScheduled(ReportData const &data, Executions const &ran, std::vector<std::int64_t> const &byTile)
{
    auto const perIpu = static_cast<std::size_t>(std::max(1, data.target.tilesPerIpu));
    for (std::size_t ipu = 0; ipu < ran.ofIpu.size(); ++ipu) {
        Cycles slowest = 0;
        for (std::size_t t = ipu * perIpu; t < std::min(byTile.size(), (ipu + 1) * perIpu); ++t) slowest = std::max(slowest, byTile[t]);
        if (ran.ofIpu[ipu] > 0 && ran.longest[ipu] != slowest) return false;
    }
    return true;
}

std::size_t ipuOf(ReportData const &data, std::size_t tile)
{
    return tile / static_cast<std::size_t>(std::max(1, data.target.tilesPerIpu));
}

double sumAt(std::initializer_list<std::vector<double> const *> parts, int tile)
{
    double sum = 0;
    for (auto const *part : parts)
        if (holds(*part, tile)) sum += rowOf(*part, tile);
    return sum;
}

} // namespace

TileVecOf tileVecsOf(ReportData const &data)
{
    return [&data](int vec) { return data.tileVecs.valid(vec) ? data.tileVecs.values(vec) : std::vector<std::int64_t>{}; };
}

std::vector<char> withAllBelow(ReportData const &data, int op)
{
    std::vector<char> below(data.ops.size(), 0);
    if (!holds(data.ops, op)) return below;
    std::vector<std::vector<int>> children(data.ops.size());
    for (int o = 0; o < static_cast<int>(data.ops.size()); ++o)
        if (int const parent = rowOf(data.ops, o).parent; holds(data.ops, parent)) children[static_cast<std::size_t>(parent)].push_back(o);
    std::vector<int> open{op};
    while (!open.empty()) {
        int const next = open.back();
        open.pop_back();
        if (below[static_cast<std::size_t>(next)]) continue;
        below[static_cast<std::size_t>(next)] = 1;
        auto const &more = children[static_cast<std::size_t>(next)];
        open.insert(open.end(), more.begin(), more.end());
    }
    return below;
}

double OpCode::on(int tile) const { return sumAt({&vertex, &exchange, &control}, tile); }

double OpCode::onTiles() const
{
    double sum = 0;
    for (auto const *part : {&vertex, &exchange, &control}) sum = std::accumulate(part->begin(), part->end(), sum);
    return sum;
}

OpCode opCode(ReportData const &data, int op, TileVecOf const &vec)
{
    OpCode code;
    if (!holds(data.ops, op)) return code;
    auto const below = withAllBelow(data, op);
    auto const counts = [&](int one) { return holds(below, one) && rowOf(below, one); };
    auto const tiles = tilesOf(data);
    for (auto *part : {&code.vertex, &code.exchange, &code.control}) part->assign(tiles, 0);

    // A codelet exists once per tile, for all compute sets with vertices of its type there. Equal sets share a vector.
    struct Users {
        std::int64_t all = 0, own = 0;
    };
    std::map<int, std::map<int, Users>> usersOf; // by vertex type, by vector of counts
    std::map<int, bool> wanted;
    for (auto const &use : data.computeSetVertices) {
        if (!holds(data.computeSets, use.computeSet)) continue;
        auto &users = usersOf[use.vertexType][use.countVec];
        ++users.all;
        if (!counts(rowOf(data.computeSets, use.computeSet).op)) continue;
        ++users.own;
        wanted[use.vertexType] = true;
    }
    for (auto const &[type, isWanted] : wanted) {
        if (!holds(data.vertexTypes, type)) continue;
        std::vector<std::int64_t> all(tiles, 0), own(tiles, 0);
        for (auto const &[counted, users] : usersOf[type]) {
            auto const here = vec(counted);
            for (std::size_t t = 0; t < std::min(tiles, here.size()); ++t)
                if (here[t] > 0) {
                    all[t] += users.all;
                    own[t] += users.own;
                }
        }
        auto const bytes = vec(rowOf(data.vertexTypes, type).codeVec);
        for (std::size_t t = 0; t < std::min(tiles, bytes.size()); ++t)
            if (own[t] > 0) code.vertex[t] += static_cast<double>(bytes[t] * own[t]) / static_cast<double>(all[t]);
    }
    for (auto const &exchange : data.exchanges)
        if (holds(data.programs, exchange.program) && counts(rowOf(data.programs, exchange.program).op) && exchange.codeVec >= 0)
            addTo(code.exchange, vec(exchange.codeVec));
    for (auto const &program : data.programs)
        if (counts(program.op) && program.controlCodeVec >= 0) addTo(code.control, vec(program.controlCodeVec));
    code.elsewhere = rowOf(data.ops, op).codeAttributed - code.onTiles();
    return code;
}

double OpCycles::on(int tile) const { return sumAt({&compute, &exchange}, tile); }

OpCycles opCycles(ReportData const &data, int op, RunFrame const &frame, TileVecOf const &vec)
{
    OpCycles cycles;
    auto const tiles = tilesOf(data);
    cycles.compute.assign(tiles, 0);
    cycles.exchange.assign(tiles, 0);
    cycles.ofStep = frame.run >= 0 && frame.steps > 0;
    auto const ran = cycles.ofStep ? executionsOf(data, frame.run) : std::map<int, Executions>{};
    for (auto const &step : timedSteps(data, withAllBelow(data, op))) {
        auto const known = ran.find(step.program);
        if (cycles.ofStep && known == ran.end()) continue; // not executed
        auto const values = vec(step.vec);
        auto &sums = step.isExchange ? cycles.exchange : cycles.compute;
        for (std::size_t t = 0; t < std::min(tiles, values.size()); ++t) {
            double const times =
                cycles.ofStep ? static_cast<double>(known->second.ofIpu[ipuOf(data, t)]) / static_cast<double>(frame.steps) : 1;
            sums[t] += static_cast<double>(values[t]) * times;
        }
    }
    return cycles;
}

OpDurations opDurations(ReportData const &data, int op, RunFrame const &frame, TileVecOf const &vec)
{
    OpDurations found;
    auto const ran = executionsOf(data, frame.run);
    auto const steps = timedSteps(data, withAllBelow(data, op));
    // The tiles' clocks give the duration of an execution. If all executions were equal, each has the scheduled duration.
    bool measured = frame.run >= 0 && frame.measured && !steps.empty();
    for (auto const &step : steps) {
        auto const known = ran.find(step.program);
        if (known == ran.end()) continue;
        measured = measured && known->second.alike && (step.isExchange || asScheduled(data, known->second, vec(step.vec)));
        found.executions += std::accumulate(known->second.ofIpu.begin(), known->second.ofIpu.end(), std::int64_t{0});
    }
    found.over = measured ? OpDurations::Over::TilesAndExecutions : OpDurations::Over::Tiles;
    std::map<std::int64_t, std::int64_t> times;
    std::vector<char> takesPart(tilesOf(data), 0);
    for (auto const &step : steps) {
        auto const known = ran.find(step.program);
        if (measured && known == ran.end()) continue;
        ++found.steps;
        auto const values = vec(step.vec);
        for (std::size_t t = 0; t < std::min(takesPart.size(), values.size()); ++t) {
            if (values[t] <= 0) continue;
            auto const often = measured ? known->second.ofIpu[ipuOf(data, t)] : 1;
            if (often <= 0) continue;
            times[values[t]] += often;
            takesPart[t] = 1;
        }
    }
    for (auto const &[value, often] : times) found.values.push_back({value, often});
    found.tiles = std::ranges::count(takesPart, 1);
    return found;
}

} // namespace tilewright::report

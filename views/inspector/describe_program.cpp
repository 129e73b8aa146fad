#include "views/inspector/describe.h"

#include "engine/report/quantities.h"
#include "views/common/format.h"
#include "views/common/words.h"
#include "views/wording/labels.h"
#include "views/wording/quantity.h"
#include "views/wording/run_costs.h"

#include <algorithm>
#include <cmath>

// Facts of operations, programs, compute sets, vertices, runs.
namespace tilewright::views::detail {

using namespace report;

namespace {

void addCost(ReportData const &data, std::span<int const> programs, QList<Fact> &facts)
{
    auto const frame = runFrame(data);
    if (frame.run == kNone) return;
    auto const cost = costOf(costsByProgram(data, frame.run), programs);
    if (cost.executions == 0) return;
    auto const step = shareOfStep(frame, cost.cycles);
    facts.push_back({Words::tr("Cycles"), withOrigin(stepCyclesText(step), originOfCycles(frame.measured)),
                     step.ipus > 1 ? stepCyclesHelp(step.ipus) : cyclesWithTime(std::llround(step.cycles), data.target.clockHz)});
    facts.push_back({Words::tr("Executions"), Words::tr("%1 in the run").arg(countText(cost.executions))});
}

QString stageText(ReportData const &data, int stage)
{
    if (stage < 0) return {};
    auto const at = static_cast<std::size_t>(stage);
    return at < data.stages.size() && !data.stages[at].name.empty() ? text(data.stages[at].name) : QString::number(stage);
}

} // namespace

Description describeOp(ReportSnapshot const &report, int id)
{
    auto const &data = report.data();
    auto const &op = data.ops[static_cast<std::size_t>(id)];
    Description out;
    out.headline = Words::tr("%1 · %2").arg(text(op.name), text(op.kind));
    FactSection facts{{}, {}};
    if (auto const layer = layerFact(report, id); !layer.label.isEmpty()) facts.facts.push_back(layer);
    if (op.parent >= 0) facts.facts.push_back(opFact(data, Words::tr("Part of"), op.parent));
    facts.facts.push_back({Words::tr("Level"), levelLabel(op.level)});
    facts.facts.push_back({Words::tr("Pass"), passLabel(op.pass)});
    if (op.stage >= 0)
        facts.facts.push_back({Words::tr("Stage"), stageText(data, op.stage), {}, destination(SelectionKind::Stage, op.stage)});
    auto const programs = report.programsOfOp(id);
    addCost(data, programs, facts.facts);
    if (op.cyclesEstimated > 0)
        facts.facts.push_back(
            {Words::tr("Planned"), Words::tr("%1, estimated").arg(cyclesText(op.cyclesEstimated)), countText(op.cyclesEstimated)});
    if (op.flops > 0) facts.facts.push_back({Words::tr("FLOPs"), shortCount(static_cast<double>(op.flops)), countText(op.flops)});
    facts.facts.push_back({Words::tr("Variables"), bytesText(op.variableBytes), bytesExact(op.variableBytes)});
    auto const code = codeOf(op);
    facts.facts.push_back(
        {Words::tr("Code"), bytesText(code), Words::tr("%1; shared code by the share of its users").arg(bytesExact(code))});
    out.sections.push_back(facts);
    auto const children = report.childOps(id);
    if (!children.empty()) {
        std::vector<int> const ids(children.begin(), children.end());
        out.sections.push_back({Words::tr("Parts (%1)").arg(ids.size()), listed(ids, [&](int each) { return opFact(data, {}, each); })});
    }
    if (!programs.empty()) {
        std::vector<int> const ids(programs.begin(), programs.end());
        out.sections.push_back(
            {Words::tr("Steps of the program (%1)").arg(ids.size()), listed(ids, [&](int each) { return programFact(data, {}, each); })});
    }
    return out;
}

Description describeComputeSet(ReportSnapshot const &report, int id)
{
    auto const &data = report.data();
    auto const &set = data.computeSets[static_cast<std::size_t>(id)];
    Description out;
    out.headline = Words::tr("Compute set %1").arg(text(set.name));
    FactSection facts{{}, {}};
    if (auto const layer = layerFact(report, set.op); !layer.label.isEmpty()) facts.facts.push_back(layer);
    if (set.op >= 0) facts.facts.push_back(opFact(data, Words::tr("Operation"), set.op));
    facts.facts.push_back({Words::tr("Vertices"), countText(set.vertices)});
    facts.facts.push_back({Words::tr("Slowest tile"), Words::tr("%1, modelled").arg(cyclesWithTime(set.cyclesMax, data.target.clockHz)),
                           countText(set.cyclesMax)});
    facts.facts.push_back({Words::tr("Active tiles"), Words::tr("%1 of %2").arg(countText(set.activeTiles), countText(report.tiles()))});
    for (std::size_t i = 0; i < data.programs.size(); ++i)
        if (data.programs[i].computeSet == id) {
            facts.facts.push_back(programFact(data, Words::tr("Step"), static_cast<int>(i)));
            break;
        }
    out.sections.push_back(facts);
    FactSection vertices{Words::tr("Kinds of vertices"), {}};
    for (auto const &row : data.computeSetVertices)
        if (row.computeSet == id)
            vertices.facts.push_back(
                {{},
                 Words::tr("%1 × %2").arg(countText(row.count), text(data.vertexTypes[static_cast<std::size_t>(row.vertexType)].name)),
                 Words::tr("state %1").arg(bytesExact(row.stateBytes)),
                 destination(SelectionKind::VertexType, row.vertexType)});
    if (!vertices.facts.isEmpty()) out.sections.push_back(vertices);
    return out;
}

Description describeProgram(ReportSnapshot const &report, int id)
{
    auto const &data = report.data();
    auto const &row = data.programs[static_cast<std::size_t>(id)];
    Description out;
    out.headline = row.name.empty() ? programKindLabel(row.kind) : Words::tr("%1 · %2").arg(text(row.name), programKindLabel(row.kind));
    FactSection facts{{}, {}};
    if (auto const layer = layerFact(report, row.op); !layer.label.isEmpty()) facts.facts.push_back(layer);
    if (row.op >= 0) facts.facts.push_back(opFact(data, Words::tr("Operation"), row.op));
    if (row.computeSet >= 0)
        facts.facts.push_back({Words::tr("Compute set"),
                               text(data.computeSets[static_cast<std::size_t>(row.computeSet)].name),
                               {},
                               destination(SelectionKind::ComputeSet, row.computeSet)});
    if (row.kind == "repeat")
        facts.facts.push_back({Words::tr("Repeats"), row.repeatCount < 0 ? Words::tr("depends on data") : countText(row.repeatCount)});
    if (row.kind == "repeat_while" && row.repeatCount >= 0)
        facts.facts.push_back({Words::tr("Repeats at most"), countText(row.repeatCount)});
    int const one[] = {id};
    addCost(data, one, facts.facts);
    if (int const exchange = report.exchangeOf(id); exchange >= 0) {
        auto const &moved = data.exchanges[static_cast<std::size_t>(exchange)];
        facts.facts.push_back({Words::tr("Sends"), Words::tr("%1 each time").arg(bytesText(moved.bytesSent)), bytesExact(moved.bytesSent)});
        facts.facts.push_back(
            {Words::tr("Receives"), Words::tr("%1 each time").arg(bytesText(moved.bytesReceived)), bytesExact(moved.bytesReceived)});
    }
    if (row.codeBytes > 0)
        facts.facts.push_back({Words::tr("Exchange and control code"), bytesText(row.codeBytes), bytesExact(row.codeBytes)});
    out.sections.push_back(facts);
    auto const add = [&](std::span<int const> ids, QString const &title, auto const &fact) {
        if (ids.empty()) return;
        std::vector<int> const list(ids.begin(), ids.end());
        out.sections.push_back({title, listed(list, fact)});
    };
    auto const variables = report.variablesOf(id);
    add(variables, Words::tr("Variables (%1)").arg(variables.size()), [&](int each) { return variableFact(data, {}, each); });
    auto const children = report.childrenOf(id);
    add(children, Words::tr("Steps inside (%1)").arg(children.size()), [&](int each) { return programFact(data, {}, each); });
    auto const steps = report.stepsOf(id);
    add(steps, Words::tr("Liveness steps"), [&](int each) {
        return Fact{
            {}, Words::tr("liveness step %1").arg(each), {}, destination(SelectionKind::LivenessStep, each, QStringLiteral("liveness"))};
    });
    return out;
}

Description describeVertexType(ReportSnapshot const &report, int id)
{
    auto const &data = report.data();
    auto const &type = data.vertexTypes[static_cast<std::size_t>(id)];
    Description out;
    out.headline = Words::tr("Vertex %1").arg(text(type.name));
    std::int64_t count = 0;
    Bytes state = 0;
    std::vector<int> sets;
    for (auto const &row : data.computeSetVertices)
        if (row.vertexType == id) {
            count += row.count;
            state += row.stateBytes;
            sets.push_back(row.computeSet);
        }
    FactSection facts{{}, {}};
    facts.facts.push_back(
        {Words::tr("Code"), Words::tr("%1 where it is present").arg(bytesText(type.codeBytes)), bytesExact(type.codeBytes)});
    if (type.codeVec >= 0) {
        auto const &tiles = report.tileVec(type.codeVec);
        facts.facts.push_back(
            {Words::tr("Tiles"),
             Words::tr("%1 of %2")
                 .arg(countText(std::ranges::count_if(tiles, [](auto bytes) { return bytes > 0; })), countText(report.tiles()))});
    }
    facts.facts.push_back({Words::tr("Vertices"), countText(count)});
    facts.facts.push_back({Words::tr("State"), bytesText(state), bytesExact(state)});
    out.sections.push_back(facts);
    out.sections.push_back(
        {Words::tr("In compute sets (%1)").arg(sets.size()), listed(sets, [&](int each) {
             return Fact{{}, text(data.computeSets[static_cast<std::size_t>(each)].name), {}, destination(SelectionKind::ComputeSet, each)};
         })});
    return out;
}

Description describeStage(ReportSnapshot const &report, int id)
{
    auto const &data = report.data();
    auto const &stage = data.stages[static_cast<std::size_t>(id)];
    Description out;
    out.headline = Words::tr("Stage %1").arg(stage.name.empty() ? QString::number(id) : text(stage.name));
    FactSection facts{{}, {}}, layers{Words::tr("Layers"), {}};
    facts.facts.push_back({Words::tr("IPU of the replica"),
                           QString::number(stage.indexInReplica),
                           {},
                           destination(SelectionKind::Ipu, stage.indexInReplica)});
    Cycles cycles = 0;
    Bytes bytes = 0;
    for (std::size_t i = 0; i < data.ops.size(); ++i) {
        auto const &op = data.ops[i];
        if (op.stage != id || op.level != "keras") continue;
        cycles += op.cyclesEstimated;
        bytes += op.variableBytes;
        if (op.kind != kSyntheticKind) layers.facts.push_back({{}, text(op.name), {}, destination(SelectionKind::Layer, text(op.name))});
    }
    facts.facts.push_back({Words::tr("Planned"), Words::tr("%1, estimated").arg(cyclesText(cycles)), countText(cycles)});
    facts.facts.push_back({Words::tr("Variables"), bytesText(bytes), bytesExact(bytes)});
    std::int64_t tasks = 0;
    Cycles busy = 0;
    for (auto const &task : data.stageTasks)
        if (task.stage == id && task.pattern == 0) {
            ++tasks;
            busy += task.endCycle - task.startCycle;
        }
    if (tasks > 0)
        facts.facts.push_back({Words::tr("Tasks"), Words::tr("%1 taking %2, modelled").arg(countText(tasks), cyclesText(busy)),
                               countText(busy), viewDestination(QStringLiteral("execution"))});
    out.sections.push_back(facts);
    if (!layers.facts.isEmpty()) out.sections.push_back(layers);
    return out;
}

Description describeRun(ReportSnapshot const &report, int id)
{
    auto const &run = report.data().runs[static_cast<std::size_t>(id)];
    Description out;
    out.headline = Words::tr("%1 · %2").arg(run.name.empty() ? runKindLabel(run.kind) : text(run.name), runStateLabel(run.state));
    FactSection facts{{}, {}};
    facts.facts.push_back({Words::tr("Kind"), runKindLabel(run.kind)});
    facts.facts.push_back({Words::tr("Mode"), runModeLabel(run.mode)});
    facts.facts.push_back({Words::tr("Steps"), countText(run.steps)});
    facts.facts.push_back({Words::tr("Samples"), countText(run.samples)});
    bool const measured = report::originOfRun(report.data().figures, run) == "measured";
    facts.facts.push_back({Words::tr("Cycles"),
                           Words::tr("%1, %2").arg(cyclesWithTime(run.cycles, report.data().target.clockHz), cyclesOrigin(measured)),
                           countText(run.cycles)});
    if (run.hostNs > 0)
        facts.facts.push_back(
            {Words::tr("Host time"), Words::tr("%1 on this computer").arg(secondsText(static_cast<double>(run.hostNs) * 1e-9))});
    out.sections.push_back(facts);
    return out;
}

Description describeTimeRange(ReportSnapshot const &report, std::int64_t begin, std::int64_t end)
{
    Description out;
    out.headline = Words::tr("%1 selected").arg(cyclesWithTime(end - begin, report.data().target.clockHz));
    out.sections.push_back({{},
                            {{Words::tr("From"), cyclesText(begin), countText(begin), viewDestination(QStringLiteral("execution"))},
                             {Words::tr("To"), cyclesText(end), countText(end)}}});
    return out;
}

} // namespace tilewright::views::detail

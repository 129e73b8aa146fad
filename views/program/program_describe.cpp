#include "views/program/program_describe.h"

#include "views/common/format.h"
#include "views/common/words.h"
#include "views/wording/labels.h"
#include "views/wording/quantity.h"
#include "views/wording/stage_words.h"

#include <algorithm>
#include <cmath>

namespace tilewright::views {

using namespace report;

namespace {

constexpr int kListed = 8; ///< entries of a long list; the rest is counted

template <typename T> T const *rowOf(std::vector<T> const &rows, int id)
{
    return id >= 0 && id < static_cast<int>(rows.size()) ? &rows[static_cast<std::size_t>(id)] : nullptr;
}

FactSection costSection(ProgramNode const &node, NodeCost const &cost, RunCost const &of, RunFrame const &frame, int ipu)
{
    FactSection section{Words::tr("Cost"), {}};
    auto const add = [&](QString const &label, QString const &value, QString const &tip = {}) { section.facts << Fact{label, value, tip}; };
    if (frame.run < 0) {
        add(Words::tr("Cycles"), Words::tr("no run in this report"));
        return section;
    }
    auto const ofStep = [&](Cycles cycles) { return cyclesText(std::llround(cyclesPerStep(frame, cycles, ipu))); };
    add(Words::tr("Runs"), node.timesKnown ? Words::tr("%1 × in one pass").arg(countText(node.times)) : Words::tr("depends on data"));
    if (cost.executions > 0) add(Words::tr("Executions"), countText(cost.executions));
    add(Words::tr("Cycles"), withOrigin(stepCyclesText(shareOfStep(frame, cost.total, ipu)), originOfCycles(frame.measured)),
        stepCyclesHelp(shareOfStep(frame, cost.total, ipu).ipus));
    if (cost.total != cost.self && cost.self > 0) add(Words::tr("Own cycles"), ofStep(cost.self));
    if (of.executions > 0 && of.cycles > 0)
        add(Words::tr("One execution"),
            of.least == of.most ? cyclesText(of.most) : Words::tr("%1 to %2").arg(cyclesText(of.least), cyclesText(of.most)));
    if (of.overlapped > 0) add(Words::tr("Hidden behind other work"), cyclesText(of.overlapped));
    if (Bytes const moved = bytesPerStep(frame, cost.moved, ipu); moved > 0)
        add(Words::tr("Bytes moved in a step"), bytesText(moved), bytesExact(moved));
    if (cost.code > 0) add(Words::tr("Exchange and control code"), bytesText(cost.code), bytesExact(cost.code));
    if (node.step >= 0) {
        Destination live = destination(SelectionKind::LivenessStep, node.step, QStringLiteral("liveness"));
        section.facts << Fact{Words::tr("Live at this step"),
                              Words::tr("%1, liveness step %2").arg(bytesText(cost.live), countText(node.step)), bytesExact(cost.live),
                              live};
    }
    return section;
}

FactSection computeSection(ReportSnapshot const &report, int set, RunCost const &of)
{
    auto const &d = report.data();
    FactSection section{Words::tr("Compute set"), {}};
    auto const *row = rowOf(d.computeSets, set);
    if (!row) return section;
    section.facts << Fact{
        Words::tr("Name"), text(row->name), {}, destination(SelectionKind::ComputeSet, set, QStringLiteral("operations"))};
    section.facts << Fact{Words::tr("Vertices"), countText(row->vertices)};
    int const tiles = report.tiles();
    section.facts << Fact{Words::tr("Active tiles"),
                          Words::tr("%1 of %2").arg(countText(row->activeTiles), countText(tiles)),
                          {},
                          destination(SelectionKind::ComputeSet, set, QStringLiteral("memory"))};
    section.facts << Fact{Words::tr("Slowest tile"), Words::tr("%1 (modelled)").arg(cyclesText(row->cyclesMax))};
    if (of.of(Phase::Compute) > 0)
        section.facts << Fact{Words::tr("Balance"), Words::tr("%1: active tiles against the slowest").arg(shareText(of.balance()))};
    std::vector<ComputeSetVertexRow> uses;
    for (auto const &use : d.computeSetVertices)
        if (use.computeSet == set) uses.push_back(use);
    std::ranges::stable_sort(uses, [](auto const &a, auto const &b) { return a.count > b.count; });
    for (auto const &use : uses)
        if (auto const *type = rowOf(d.vertexTypes, use.vertexType))
            section.facts << Fact{text(type->name),
                                  Words::tr("%1 vertex(es), %2 of state, %3 of code each tile", nullptr, pluralOf(use.count))
                                      .arg(countText(use.count), bytesText(use.stateBytes), bytesText(type->codeBytes)),
                                  {},
                                  destination(SelectionKind::VertexType, use.vertexType)};
    return section;
}

FactSection exchangeSection(ReportSnapshot const &report, int exchange)
{
    auto const &d = report.data();
    FactSection section{Words::tr("Exchange"), {}};
    auto const *row = rowOf(d.exchanges, exchange);
    if (!row) return section;
    section.facts << Fact{Words::tr("Sent"), bytesText(row->bytesSent), bytesExact(row->bytesSent)};
    section.facts << Fact{Words::tr("Received"), bytesText(row->bytesReceived), bytesExact(row->bytesReceived)};
    if (row->headerBytes > 0) section.facts << Fact{Words::tr("Packet headers"), bytesText(row->headerBytes), bytesExact(row->headerBytes)};
    auto pairs = row->pairs.list();
    std::ranges::stable_sort(pairs, [](auto const &a, auto const &b) { return a.bytes > b.bytes; });
    std::int64_t rest = 0, restPairs = 0;
    int listed = 0;
    for (auto const &pair : pairs) {
        if (pair.from < 0 || listed >= kListed) {
            rest += pair.bytes;
            ++restPairs;
            continue;
        }
        ++listed;
        Destination both{QStringLiteral("memory"), {}};
        both.selected.kind = SelectionKind::Tile;
        both.selected.ids = {pair.from, pair.to};
        QString const to = pair.from == pair.to ? ownNumberLabel(sendsToNextReplica(d, *row, pair)) : tileLabel(d, pair.to);
        if (pair.from == pair.to) both.selected.ids = {pair.from};
        section.facts << Fact{Words::tr("%1 → %2").arg(tileLabel(d, pair.from), to), bytesText(pair.bytes), bytesExact(pair.bytes), both};
    }
    if (restPairs > 0) section.facts << Fact{Words::tr("Other pairs"), bytesText(rest), bytesExact(rest)};
    return section;
}

FactSection originSection(ReportSnapshot const &report, int op)
{
    auto const &d = report.data();
    FactSection section{Words::tr("Comes from"), {}};
    for (int depth = 0; depth < 16; ++depth) {
        auto const *row = rowOf(d.ops, op);
        if (!row) break;
        Destination to = destination(SelectionKind::Op, op, QStringLiteral("operations"));
        if (row->level == "keras" && row->kind != kSyntheticKind) {
            to.view = QStringLiteral("canvas");
            to.selected = {};
            to.selected.kind = SelectionKind::Layer;
            to.selected.name = text(row->name);
        }
        section.facts << Fact{levelLabel(row->level), QStringLiteral("%1 (%2)").arg(text(row->name), passLabel(row->pass)), {}, to};
        op = row->parent;
    }
    return section;
}

FactSection variableSection(ReportSnapshot const &report, int program)
{
    auto const &d = report.data();
    FactSection section{Words::tr("Reads and writes"), {}};
    int left = 0;
    for (auto const &use : d.programVariables) {
        if (use.program != program) continue;
        auto const *row = rowOf(d.variables, use.variable);
        if (!row) continue;
        if (section.facts.size() >= kListed) {
            ++left;
            continue;
        }
        QString const access = use.access == "read" ? Words::tr("reads")
            : use.access == "write"                 ? Words::tr("writes")
                                                    : Words::tr("updates");
        section.facts << Fact{access, QStringLiteral("%1 · %2 · %3").arg(text(row->name), roleLabel(row->role), bytesText(row->bytes)),
                              bytesExact(row->bytes), destination(SelectionKind::Variable, use.variable, QStringLiteral("liveness"))};
    }
    if (left > 0)
        section.facts << Fact{Words::tr("and"),
                              Words::tr("%1 more").arg(countText(left)),
                              {},
                              destination(SelectionKind::Program, program, QStringLiteral("liveness"))};
    return section;
}

} // namespace

QString nodeTitle(ReportData const &data, ProgramNode const &node)
{
    auto const &program = data.programs[static_cast<std::size_t>(node.program)];
    if (node.function >= 0) return text(data.functions[static_cast<std::size_t>(node.function)].name);
    auto const *child = rowOf(data.programChildren, node.child);
    return child && !child->label.empty() ? QStringLiteral("%1: %2").arg(branchLabel(child->label), text(program.name))
                                          : text(program.name);
}

QList<FactSection> describeStep(ReportSnapshot const &report, ProgramNode const &node, NodeCost const &cost, RunCost const &ofProgram,
                                RunFrame const &frame, int ipu)
{
    auto const &d = report.data();
    auto const *program = rowOf(d.programs, node.program);
    if (!program) return {};
    QList<FactSection> sections;
    FactSection what{{}, {}};
    what.facts << Fact{Words::tr("Kind"), node.function >= 0 ? Words::tr("Function") : programKindLabel(program->kind)};
    if (program->kind == "repeat")
        what.facts << Fact{Words::tr("Repeats"),
                           program->repeatCount >= 0 ? countText(program->repeatCount) : Words::tr("depends on data")};
    if (program->kind == "repeat_while" && program->repeatCount >= 0)
        what.facts << Fact{Words::tr("Repeats at most"), countText(program->repeatCount)};
    if (auto const *callee = rowOf(d.functions, program->callee))
        what.facts << Fact{Words::tr("Calls"), text(callee->name), {}, destination(SelectionKind::Program, callee->root)};
    if (auto const *stream = rowOf(d.streams, program->stream)) {
        what.facts << Fact{Words::tr("Stream"), text(stream->name)};
        what.facts << Fact{Words::tr("Direction"),
                           stream->direction == "to_device" ? Words::tr("to the device") : Words::tr("from the device")};
        what.facts << Fact{Words::tr("One transfer"), bytesText(stream->bytesPerTransfer), bytesExact(stream->bytesPerTransfer)};
        what.facts << Fact{Words::tr("Buffers"), countText(stream->buffering)};
    }
    sections << what << costSection(node, cost, ofProgram, frame, ipu);
    if (program->computeSet >= 0) sections << computeSection(report, program->computeSet, ofProgram);
    if (int const exchange = report.exchangeOf(node.program); exchange >= 0) sections << exchangeSection(report, exchange);
    sections << originSection(report, program->op) << variableSection(report, node.program);
    return sections;
}

QString programHeadline(ReportData const &data, RunFrame const &frame, int functions)
{
    QStringList words;
    words << Words::tr("%1 program steps in %Ln function(s)", nullptr, functions).arg(countText(programSteps(data)));
    if (frame.run >= 0 && frame.patterns > 0) {
        auto const &run = data.runs[static_cast<std::size_t>(frame.run)];
        QString const kind = run.kind == "evaluate" ? Words::tr("evaluation step")
            : run.kind == "predict"                 ? Words::tr("prediction step")
                                                    : Words::tr("training step");
        if (frame.steps > frame.patterns && frame.steps % frame.patterns == 0 && run.state != "running")
            words << Words::tr("%1 × weight update of %2 steps").arg(countText(frame.patterns), countText(frame.steps / frame.patterns));
        else words << (run.state == "running" ? kind : Words::tr("%1 × %2").arg(countText(frame.patterns), kind)); // the strip counts
        words << Words::tr("%1 each (%2)").arg(cyclesText(frame.cycles / frame.patterns), cyclesOrigin(frame.measured));
    }
    return words.join(QStringLiteral(" · "));
}

} // namespace tilewright::views

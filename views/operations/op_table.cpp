#include "views/operations/op_table.h"

#include "engine/target/machine.h"
#include "views/common/format.h"
#include "views/common/words.h"
#include "views/wording/labels.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <utility>

namespace tilewright::views {

using namespace report;

namespace {

template <typename T> T const &at(std::vector<T> const &rows, std::int64_t i) { return rows[static_cast<std::size_t>(i)]; }
template <typename T> T &at(std::vector<T> &rows, std::int64_t i) { return rows[static_cast<std::size_t>(i)]; }
template <typename T> int count(std::vector<T> const &rows) { return static_cast<int>(rows.size()); }

/// The operation itself or its nearest ancestor at `level`; kNone: none.
int climb(ReportData const &d, int op, std::string_view level)
{
    for (int depth = 0; op >= 0 && op < count(d.ops) && depth < 64; ++depth) {
        if (at(d.ops, op).level == level) return op;
        op = at(d.ops, op).parent;
    }
    return kNone;
}

void addStatics(OpTableRow &sum, OpTableRow const &part)
{
    sum.flops += part.flops;
    sum.flopsInAll += part.flopsInAll;
    sum.codeExclusive += part.codeExclusive;
    sum.codeShared += part.codeShared;
    sum.codeAttributed += part.codeAttributed;
    sum.variableBytes += part.variableBytes;
    sum.stateBytes += part.stateBytes;
    sum.estimated += part.estimated;
    sum.ideal += part.ideal;
    sum.before.there = sum.before.there || part.before.there;
    sum.before.cyclesOfStep += part.before.cyclesOfStep;
    sum.before.codeAttributed += part.before.codeAttributed;
    sum.before.variableBytes += part.before.variableBytes;
}

/// Sort key and title of an operation's group.
std::pair<std::string, QString> groupOf(ReportData const &d, int op, OpGroup group)
{
    if (op < 0) return {"~", Words::tr("No operation")};
    auto const &row = at(d.ops, op);
    switch (group) {
    case OpGroup::None: break;
    case OpGroup::Pass: {
        static std::map<std::string, std::string> const order{{"forward", "0"}, {"recompute", "1"}, {"backward", "2"}, {"update", "3"}};
        auto const it = order.find(row.pass);
        return {it == order.end() ? "4" : it->second, passLabel(row.pass)};
    }
    case OpGroup::Stage:
        if (row.stage < 0 || row.stage >= count(d.stages)) return {"~", Words::tr("No stage")};
        return {std::to_string(1000000 + row.stage), text(at(d.stages, row.stage).name)};
    case OpGroup::Kind: return {row.kind, text(row.kind)};
    case OpGroup::Layer: {
        int const layer = climb(d, op, "keras");
        if (layer < 0) return {"~", Words::tr("No layer")};
        return {std::to_string(10000000 + layer), opLabel(at(d.ops, layer))};
    }
    }
    return {};
}

} // namespace

std::vector<int> OpTable::parents() const
{
    if (group == OpGroup::None) return {};
    std::vector<int> all;
    all.reserve(rows.size());
    for (auto const &row : rows) all.push_back(row.parent);
    return all;
}

int OpTable::operations() const
{
    return static_cast<int>(std::ranges::count_if(rows, [](auto const &row) { return !row.isGroup && row.op >= 0; }));
}

Bytes OpTable::bytesOfStep(RunCost const &cost) const { return bytesPerStep(frame, cost.bytesMoved, ipu); }

std::int64_t OpTable::cyclesOfStep(RunCost const &cost) const { return std::llround(cyclesPerStep(frame, cost.cycles, ipu)); }

namespace {

/// Rows of one level without groups.
OpTable flatTable(ReportData const &d, std::vector<RunCost> const &byProgram, RunFrame const &frame, int ipu, std::string_view level)
{
    OpTable table;
    table.level = QString::fromUtf8(level.data(), static_cast<qsizetype>(level.size()));
    table.frame = frame;
    table.ipu = ipu;
    double const replicas = ipu >= 0 ? 1.0 : std::max(1, d.target.replicas);
    std::vector<OpTableRow> found;
    std::vector<int> rowOf(d.ops.size(), -1);
    for (int op = 0; op < count(d.ops); ++op) {
        auto const &row = at(d.ops, op);
        if (row.level != level) continue;
        at(rowOf, op) = count(found);
        OpTableRow one;
        one.op = op;
        one.flops = row.flops;
        one.codeExclusive = row.codeExclusive;
        one.codeShared = row.codeShared;
        one.codeAttributed = row.codeAttributed;
        one.variableBytes = row.variableBytes;
        one.stateBytes = row.vertexStateBytes;
        one.estimated = row.cyclesEstimated;
        one.ideal = row.cyclesIdeal;
        found.push_back(one);
    }
    std::vector<std::vector<int>> programs(found.size());
    OpTableRow rest;
    for (int p = 0; p < count(byProgram); ++p) {
        auto const &cost = at(byProgram, p);
        if (cost.executions == 0) continue;
        int const op = climb(d, at(d.programs, p).op, level);
        if (op < 0) {
            rest.cost.add(cost);
            continue;
        }
        int const row = at(rowOf, op);
        at(found, row).cost.add(cost);
        at(programs, row).push_back(p);
    }
    // One execution of an operation executes each of its parts, as often as they run in it.
    for (int row = 0; row < count(found); ++row) {
        auto &one = at(found, row);
        double least = 0, most = 0, mean = 0;
        double const n = static_cast<double>(std::max<std::int64_t>(1, one.cost.executions));
        for (int const p : at(programs, row)) {
            auto const &cost = at(byProgram, p);
            double const often = static_cast<double>(cost.executions) / n;
            least += often * static_cast<double>(cost.least);
            most += often * static_cast<double>(cost.most);
            mean += often * cost.mean();
        }
        one.mean = mean;
        one.cost.least = static_cast<Cycles>(least + 0.5);
        one.cost.most = static_cast<Cycles>(most + 0.5);
        one.flopsInAll = static_cast<double>(one.flops) * static_cast<double>(one.cost.executions) * replicas;
    }
    // Costs outside all operations of the level get a row, so that all levels have the same total.
    OpTableRow known;
    for (auto const &row : found) addStatics(known, row);
    for (auto const &row : d.ops) {
        if (row.parent >= 0) continue;
        rest.codeExclusive += row.codeExclusive;
        rest.codeAttributed += row.codeAttributed;
        rest.variableBytes += row.variableBytes;
        rest.stateBytes += row.vertexStateBytes;
    }
    rest.codeAttributed = std::max(0.0, rest.codeAttributed - known.codeAttributed);
    rest.codeExclusive = std::min(std::max<Bytes>(0, rest.codeExclusive - known.codeExclusive), static_cast<Bytes>(rest.codeAttributed));
    rest.variableBytes = std::max<Bytes>(0, rest.variableBytes - known.variableBytes);
    rest.stateBytes = std::max<Bytes>(0, rest.stateBytes - known.stateBytes);
    if (rest.cost.cycles > 0 || rest.codeAttributed >= 1 || rest.variableBytes > 0 || rest.stateBytes > 0) found.push_back(rest);
    for (auto const &row : found) table.total.add(row.cost);
    table.rows = std::move(found);
    return table;
}

/// Sort key and title of a row's group.
using GroupOf = std::function<std::pair<std::string, QString>(OpTableRow const &)>;

OpTable grouped(OpTable table, OpGroup group, GroupOf const &groupOfRow)
{
    table.group = group;
    if (group == OpGroup::None) return table;
    auto const found = std::exchange(table.rows, {});
    std::map<std::string, std::pair<QString, std::vector<int>>> groups;
    for (int row = 0; row < count(found); ++row) {
        auto const [key, title] = groupOfRow(at(found, row));
        auto &entry = groups[key];
        entry.first = title;
        entry.second.push_back(row);
    }
    for (auto const &[key, entry] : groups) {
        int const top = count(table.rows);
        OpTableRow head;
        head.isGroup = true;
        head.group = entry.first;
        head.members = count(entry.second);
        head.gone = std::ranges::all_of(entry.second, [&found](int row) { return at(found, row).gone; });
        table.rows.push_back(head);
        for (int const row : entry.second) {
            auto one = at(found, row);
            one.parent = top;
            at(table.rows, top).cost.add(one.cost);
            addStatics(at(table.rows, top), one);
            table.rows.push_back(std::move(one));
        }
    }
    return table;
}

/// The group of an operation of the other report, with the keys of this one.
std::pair<std::string, QString> groupOfGone(ReportData const &d, ReportData const &before, int op, OpGroup group,
                                            std::vector<int> const &nowOf)
{
    auto own = groupOf(before, op, group);
    if (op < 0) return own;
    if (group == OpGroup::Layer) {
        int const layer = climb(before, op, "keras");
        if (layer >= 0 && at(nowOf, layer) >= 0) return groupOf(d, at(nowOf, layer), group);
        own.first.insert(0, "}"); // after all groups of this report
    }
    if (group == OpGroup::Stage)
        for (int stage = 0; stage < count(d.stages); ++stage)
            if (text(at(d.stages, stage).name) == own.second) own.first = std::to_string(1000000 + stage);
    return own;
}

OpBefore beforeOf(OpTable const &table, OpTableRow const &row)
{
    return {true, row.op, cyclesPerStep(table.frame, row.cost.cycles, table.ipu), row.codeAttributed, row.variableBytes};
}

} // namespace

OpTable opTable(ReportData const &d, std::vector<RunCost> const &byProgram, RunFrame const &frame, int ipu, std::string_view level,
                OpGroup group)
{
    return grouped(flatTable(d, byProgram, frame, ipu, level), group, [&](OpTableRow const &row) { return groupOf(d, row.op, group); });
}

OpTable comparedOpTable(OpSide const &now, OpSide const &before, std::vector<RowPair> const &pairs, int ipu, std::string_view level,
                        OpGroup group)
{
    auto table = flatTable(now.data, now.byProgram, now.frame, ipu, level);
    auto const other = flatTable(before.data, before.byProgram, before.frame, ipu, level);
    table.compared = true;
    std::vector<int> nowOf(before.data.ops.size(), kNone), rowOf(now.data.ops.size(), -1);
    for (auto const &pair : pairs)
        if (pair.before >= 0) at(nowOf, pair.before) = pair.now;
    int rest = -1; // costs outside the operations of this level
    for (int row = 0; row < count(table.rows); ++row) (at(table.rows, row).op >= 0 ? at(rowOf, at(table.rows, row).op) : rest) = row;
    for (auto const &row : other.rows) {
        int const partner = row.op < 0 ? rest : at(nowOf, row.op) >= 0 ? at(rowOf, at(nowOf, row.op)) : -1;
        auto was = beforeOf(other, row);
        if (partner >= 0) {
            at(table.rows, partner).before = was;
            continue;
        }
        OpTableRow gone;
        gone.gone = true;
        gone.before = was;
        table.rows.push_back(std::move(gone));
    }
    return grouped(std::move(table), group, [&](OpTableRow const &row) {
        return row.gone ? groupOfGone(now.data, before.data, row.before.op, group, nowOf) : groupOf(now.data, row.op, group);
    });
}

int OpTable::added() const
{
    return static_cast<int>(
        std::ranges::count_if(rows, [this](auto const &row) { return compared && !row.isGroup && row.op >= 0 && !row.before.there; }));
}

int OpTable::removed() const
{
    return static_cast<int>(std::ranges::count_if(rows, [](auto const &row) { return row.gone && row.before.op >= 0; }));
}

OpSum sumOf(OpTable const &table, std::vector<int> const &rows)
{
    OpSum sum;
    for (int const row : rows) {
        if (row < 0 || row >= count(table.rows) || at(table.rows, row).isGroup) continue;
        auto const &one = at(table.rows, row);
        sum.operations += one.op >= 0;
        sum.cost.add(one.cost);
        sum.codeAttributed += one.codeAttributed;
        sum.variableBytes += one.variableBytes;
        sum.cyclesBefore += one.before.cyclesOfStep;
    }
    return sum;
}

int rowOfOp(OpTable const &table, ReportData const &d, int op)
{
    int const own = climb(d, op, table.level.toStdString());
    if (own < 0) return -1;
    for (int row = 0; row < count(table.rows); ++row)
        if (!at(table.rows, row).isGroup && at(table.rows, row).op == own) return row;
    return -1;
}

QString opTitle(OpTable const &table, ReportData const &d, int row, ReportData const *before)
{
    auto const &one = at(table.rows, row);
    if (one.isGroup) return Words::tr("%1 (%2)").arg(one.group, countText(one.members));
    bool const isGone = one.gone && before && one.before.op >= 0;
    if (one.op < 0 && !isGone) return Words::tr("No operation of this level");
    auto const &op = isGone ? at(before->ops, one.before.op) : at(d.ops, one.op);
    return opLabel(op);
}

QString operationsHeadline(OpTable const &table, ReportData const &d)
{
    int best = -1;
    for (int row = 0; row < count(table.rows); ++row) {
        auto const &one = at(table.rows, row);
        if (!one.isGroup && one.cost.cycles > 0 && (best < 0 || one.cost.cycles > at(table.rows, best).cost.cycles)) best = row;
    }
    if (best < 0) return Words::tr("%Ln operation(s); the report holds no measured times of them", nullptr, pluralOf(table.operations()));
    auto const &one = at(table.rows, best);
    auto const share = shareOfStepText(table.ofStep(one.cost.cycles).share(), table.ipus());
    return Words::tr("%1: %2, bound by %3 (%4)")
        .arg(opTitle(table, d, best), share, boundLabel(one.cost.bound()), cyclesOrigin(table.frame.measured));
}

MachineRoof machineRoof(TargetRow const &row)
{
    MachineRoof roof;
    for (auto const &machine : target::builtinMachines()) {
        if (machine.machine.chip.architecture != row.architecture) continue;
        // One convolution unit: one multiply-add per cycle in 32 bits, four in 16 bits.
        auto const tiles = static_cast<double>(row.tilesPerIpu);
        roof.flopsPerCycleF32 = tiles * 2.0 * machine.machine.chip.convUnitsF32;
        roof.flopsPerCycleF16 = tiles * 2.0 * 4.0 * machine.machine.chip.convUnitsF16;
        break;
    }
    roof.bytesPerCycle = exchangePeak(row).in;
    return roof;
}

} // namespace tilewright::views

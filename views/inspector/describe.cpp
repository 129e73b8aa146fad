#include "views/inspector/describe.h"

#include "views/common/format.h"
#include "views/common/words.h"
#include "views/wording/labels.h"

#include <algorithm>
#include <functional>

namespace tilewright::views {

using namespace report;

namespace detail {

QString text(std::string const &value) { return QString::fromStdString(value); }

QList<Fact> listed(std::vector<int> const &ids, std::function<Fact(int id)> const &fact)
{
    QList<Fact> facts;
    for (std::size_t i = 0; i < ids.size() && i < kListed; ++i) facts.push_back(fact(ids[i]));
    if (ids.size() > kListed) facts.push_back({{}, Words::tr("and %n more", nullptr, static_cast<int>(ids.size()) - kListed)});
    return facts;
}

Fact opFact(ReportData const &data, QString const &label, int op)
{
    return {label, text(data.ops[static_cast<std::size_t>(op)].name), {}, destination(SelectionKind::Op, op, QStringLiteral("operations"))};
}

Fact programFact(ReportData const &data, QString const &label, int program)
{
    auto const &row = data.programs[static_cast<std::size_t>(program)];
    return {label, row.name.empty() ? programKindLabel(row.kind) : text(row.name), programKindLabel(row.kind),
            destination(SelectionKind::Program, program, QStringLiteral("program"))};
}

Fact variableFact(ReportData const &data, QString const &label, int variable)
{
    auto const &row = data.variables[static_cast<std::size_t>(variable)];
    return {label, Words::tr("%1 · %2").arg(text(row.name), bytesText(row.bytes)), bytesExact(row.bytes),
            destination(SelectionKind::Variable, variable, QStringLiteral("memory"))};
}

Fact layerFact(ReportSnapshot const &report, int op)
{
    if (op < 0) return {};
    QString const layer = report.layerOf(op);
    if (layer.isEmpty()) return {};
    return {Words::tr("Layer"), layer, {}, destination(SelectionKind::Layer, layer)};
}

Description describeSeveral(ReportSnapshot const &report, Selected const &selected)
{
    auto const &data = report.data();
    Description out;
    FactSection list{{}, {}}, sums{Words::tr("Together"), {}};
    auto const &ids = selected.ids;
    switch (selected.kind) {
    case SelectionKind::Op: list.facts = listed(ids, [&](int id) { return opFact(data, {}, id); }); break;
    case SelectionKind::Program: list.facts = listed(ids, [&](int id) { return programFact(data, {}, id); }); break;
    case SelectionKind::Variable: {
        list.facts = listed(ids, [&](int id) { return variableFact(data, {}, id); });
        Bytes bytes = 0;
        for (int const id : ids) bytes += data.variables[static_cast<std::size_t>(id)].bytes;
        sums.facts.push_back({Words::tr("Bytes"), bytesText(bytes), bytesExact(bytes)});
        break;
    }
    case SelectionKind::Tile: {
        list.facts = listed(ids, [&](int id) { return Fact{{}, tileLabel(data, id), {}, destination(SelectionKind::Tile, id)}; });
        auto const &used = report.tileMetric("with_gaps");
        Bytes least = 0, most = 0, sum = 0;
        bool first = true;
        for (int const id : ids) {
            if (static_cast<std::size_t>(id) >= used.size()) continue;
            Bytes const bytes = used[static_cast<std::size_t>(id)];
            least = first ? bytes : std::min(least, bytes);
            most = std::max(most, bytes);
            sum += bytes;
            first = false;
        }
        if (!first) {
            sums.facts.push_back({Words::tr("Bytes"), bytesText(sum), bytesExact(sum)});
            sums.facts.push_back({Words::tr("Most placed on a tile"), bytesText(most), bytesExact(most)});
            sums.facts.push_back({Words::tr("Least placed on a tile"), bytesText(least), bytesExact(least)});
        }
        break;
    }
    default: list.facts = listed(ids, [&](int id) { return Fact{{}, QString::number(id), {}, destination(selected.kind, id)}; });
    }
    if (!sums.facts.isEmpty()) out.sections.push_back(sums);
    out.sections.push_back(list);
    return out;
}

namespace {

/// Number of rows in the table of a selection's ids; -1 without a table.
std::int64_t rowsOf(ReportSnapshot const &report, SelectionKind kind)
{
    auto const &data = report.data();
    switch (kind) {
    case SelectionKind::Op: return std::ssize(data.ops);
    case SelectionKind::ComputeSet: return std::ssize(data.computeSets);
    case SelectionKind::Program: return std::ssize(data.programs);
    case SelectionKind::Variable: return std::ssize(data.variables);
    case SelectionKind::VertexType: return std::ssize(data.vertexTypes);
    case SelectionKind::Tile: return report.tiles();
    case SelectionKind::Ipu: return std::ssize(data.ipus);
    case SelectionKind::Stage: return std::ssize(data.stages);
    case SelectionKind::LivenessStep: return std::ssize(data.livenessSteps);
    case SelectionKind::Run: return std::ssize(data.runs);
    default: return -1;
    }
}

} // namespace
} // namespace detail

Description describe(ReportSnapshot const &report, Selected const &selected)
{
    using namespace detail;
    if (selected.kind == SelectionKind::TimeRange) return describeTimeRange(report, selected.begin, selected.end);
    auto const rows = rowsOf(report, selected.kind);
    std::vector<int> known;
    for (int const id : selected.ids)
        if (id >= 0 && id < rows) known.push_back(id);
    if (known.empty()) {
        Description out;
        out.sections.push_back({{}, {{{}, Words::tr("The report shown does not contain the selected item.")}}});
        return out;
    }
    if (known.size() > 1) {
        Selected present = selected;
        present.ids = known;
        return describeSeveral(report, present);
    }
    int const id = known.front();
    switch (selected.kind) {
    case SelectionKind::Op: return describeOp(report, id);
    case SelectionKind::ComputeSet: return describeComputeSet(report, id);
    case SelectionKind::Program: return describeProgram(report, id);
    case SelectionKind::Variable: return describeVariable(report, id);
    case SelectionKind::VertexType: return describeVertexType(report, id);
    case SelectionKind::Tile: return describeTile(report, id);
    case SelectionKind::Ipu: return describeIpu(report, id);
    case SelectionKind::Stage: return describeStage(report, id);
    case SelectionKind::LivenessStep: return describeStep(report, id);
    case SelectionKind::Run: return describeRun(report, id);
    default: return {};
    }
}

} // namespace tilewright::views

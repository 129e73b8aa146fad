#include "views/inspector/describe.h"

#include "views/common/format.h"
#include "views/common/words.h"
#include "views/figures/tile_memory.h"
#include "views/tiles/class_lives.h"
#include "views/wording/labels.h"
#include "views/wording/tile_memory_text.h"

#include <algorithm>
#include <map>

// Facts of variables, tiles, IPUs and liveness steps.
namespace tilewright::views::detail {

using namespace report;

namespace {

std::int64_t valueAt(std::vector<std::int64_t> const &values, int at)
{
    return at >= 0 && static_cast<std::size_t>(at) < values.size() ? values[static_cast<std::size_t>(at)] : 0;
}

/// Meaning of variable -1 of a tile or step: the compiler's own bytes, by category.
QString itemName(ReportData const &data, int variable, MemoryCategory category)
{
    return variable >= 0 ? text(data.variables[static_cast<std::size_t>(variable)].name) : categoryLabel(toText(category));
}

Fact itemFact(ReportData const &data, int variable, MemoryCategory category, Bytes bytes)
{
    Fact fact{bytesText(bytes), itemName(data, variable, category), bytesExact(bytes)};
    if (variable >= 0) fact.to = destination(SelectionKind::Variable, variable);
    return fact;
}

} // namespace

Description describeVariable(ReportSnapshot const &report, int id)
{
    auto const &data = report.data();
    auto const &row = data.variables[static_cast<std::size_t>(id)];
    Description out;
    out.headline = Words::tr("%1 · %2").arg(text(row.name), bytesText(row.bytes));
    FactSection facts{{}, {}};
    if (auto const layer = layerFact(report, row.op); !layer.label.isEmpty()) facts.facts.push_back(layer);
    if (row.op >= 0) facts.facts.push_back(opFact(data, Words::tr("Operation"), row.op));
    facts.facts.push_back({Words::tr("Role"), roleLabel(row.role)});
    facts.facts.push_back({Words::tr("Shape"), Words::tr("%1 · %2").arg(text(toText(row.shape)), text(row.dtype)),
                           Words::tr("%1 element(s)", nullptr, pluralOf(row.elements)).arg(countText(row.elements))});
    facts.facts.push_back({Words::tr("Bytes"), bytesText(row.bytes), bytesExact(row.bytes),
                           destination(SelectionKind::Variable, id, QStringLiteral("memory"))});
    if (row.bytesVec >= 0) {
        auto const &tiles = report.tileVec(row.bytesVec);
        auto const most = std::ranges::max_element(tiles);
        auto const used = std::ranges::count_if(tiles, [](auto bytes) { return bytes > 0; });
        facts.facts.push_back({Words::tr("Tiles"), Words::tr("%1 of %2").arg(countText(used), countText(report.tiles()))});
        if (most != tiles.end() && *most > 0) {
            int const tile = static_cast<int>(most - tiles.begin());
            facts.facts.push_back({Words::tr("Most on"), Words::tr("%1: %2").arg(tileLabel(data, tile), bytesText(*most)),
                                   bytesExact(*most), destination(SelectionKind::Tile, tile, QStringLiteral("memory"))});
        }
    }
    if (row.alwaysLive) facts.facts.push_back({Words::tr("Lives"), Words::tr("always")});
    else if (row.firstStep >= 0) {
        facts.facts.push_back({Words::tr("Born"),
                               Words::tr("liveness step %1").arg(row.firstStep),
                               {},
                               destination(SelectionKind::LivenessStep, row.firstStep, QStringLiteral("liveness"))});
        facts.facts.push_back({Words::tr("Last use"),
                               Words::tr("liveness step %1").arg(row.lastUseStep),
                               {},
                               destination(SelectionKind::LivenessStep, row.lastUseStep, QStringLiteral("liveness"))});
        facts.facts.push_back({Words::tr("Lives until"),
                               Words::tr("liveness step %1").arg(row.lastStep),
                               {},
                               destination(SelectionKind::LivenessStep, row.lastStep, QStringLiteral("liveness"))});
    }
    out.sections.push_back(facts);
    std::vector<int> users;
    std::map<int, QString> access;
    for (auto const &use : data.programVariables)
        if (use.variable == id) {
            users.push_back(use.program);
            access[use.program] = text(use.access);
        }
    if (!users.empty())
        out.sections.push_back({Words::tr("Used by steps (%1)").arg(users.size()),
                                listed(users, [&](int program) { return programFact(data, access[program], program); })});
    return out;
}

Description describeTile(ReportSnapshot const &report, int id)
{
    auto const &data = report.data();
    Description out;
    auto const memory = tileMemory(report, id);
    out.headline = Words::tr("%1 · %2").arg(tileLabel(data, id), placedText(memory));
    FactSection facts{{}, {}};
    int const perIpu = std::max(1, report.tilesPerIpu());
    facts.facts.push_back(
        {Words::tr("IPU of the replica"), QString::number(id / perIpu), {}, destination(SelectionKind::Ipu, id / perIpu)});
    if (auto const at = static_cast<std::size_t>(id % perIpu); at < data.tilePlaces.size()) {
        auto const &place = data.tilePlaces[at];
        facts.facts.push_back({Words::tr("Place"), Words::tr("column %1, row %2").arg(place.x).arg(place.y)});
        if (place.io) facts.facts.push_back({Words::tr("Serves"), Words::tr("transfers only (IO tile)")});
    }
    facts.facts.push_back({Words::tr("Memory"), Words::tr("%1, %2").arg(placedText(memory), placedShareText(memory)), tileMemoryTip(memory),
                           destination(SelectionKind::Tile, id, QStringLiteral("memory"))});
    Bytes const always = valueAt(report.tileMetric("always_live"), id), peak = valueAt(report.tileMetric("not_always_live_peak"), id);
    if (always + peak > 0) {
        facts.facts.push_back({Words::tr("Always live"), bytesText(always), bytesExact(always)});
        facts.facts.push_back({Words::tr("Peak of the rest"), bytesText(peak), bytesExact(peak)});
    }
    auto const peakSteps = report.tileMetric("peak_step");
    int const peakStep = static_cast<std::size_t>(id) < peakSteps.size() ? static_cast<int>(valueAt(peakSteps, id)) : kNone;
    if (peakStep >= 0)
        facts.facts.push_back({Words::tr("Peak at"),
                               Words::tr("liveness step %1").arg(peakStep),
                               {},
                               destination(SelectionKind::LivenessStep, peakStep, QStringLiteral("liveness"))});
    if (!data.runs.empty()) {
        int const run = static_cast<int>(data.runs.size()) - 1;
        auto const cycles = [&](char const *name) { return valueAt(report.runTileMetric(run, name), id); };
        if (Cycles const compute = cycles("compute"); compute > 0)
            facts.facts.push_back({Words::tr("Computes"), Words::tr("%1 in the run, modelled").arg(cyclesText(compute)), countText(compute),
                                   destination(SelectionKind::Tile, id, QStringLiteral("execution"))});
        if (Cycles const waited = cycles("waited"); waited > 0)
            facts.facts.push_back({Words::tr("Waits"), Words::tr("%1, modelled").arg(cyclesText(waited)), countText(waited)});
        if (Cycles const caused = cycles("caused_wait"); caused > 0)
            facts.facts.push_back({Words::tr("Others wait for it"), Words::tr("%1, modelled").arg(cyclesText(caused)), countText(caused)});
    }
    out.sections.push_back(facts);
    if (peakStep < 0) return out; // a report of an earlier version, or without liveness
    // Bytes that are live at the peak, not all placed ones: others share their addresses at other steps.
    ClassLives const lives(data.livenessClasses, data.livenessIntervals, static_cast<int>(data.livenessSteps.size()));
    std::map<std::pair<int, MemoryCategory>, Bytes> items;
    for (auto const &placed : report.placedOn(id))
        if (lives.isLive(placed.item.livenessClass, peakStep))
            items[{placed.item.variable, placed.item.variable >= 0 ? MemoryCategory::Variable : placed.item.category}] += placed.item.bytes;
    std::vector<std::pair<Bytes, std::pair<int, MemoryCategory>>> largest;
    for (auto const &[key, bytes] : items) largest.emplace_back(bytes, key);
    std::ranges::stable_sort(largest, [](auto const &a, auto const &b) { return a.first > b.first; });
    FactSection contents{Words::tr("Largest at its peak"), {}};
    for (std::size_t i = 0; i < largest.size() && i < kListed; ++i)
        contents.facts.push_back(itemFact(data, largest[i].second.first, largest[i].second.second, largest[i].first));
    if (!contents.facts.isEmpty()) out.sections.push_back(contents);
    return out;
}

Description describeIpu(ReportSnapshot const &report, int id)
{
    auto const &data = report.data();
    auto const &ipu = data.ipus[static_cast<std::size_t>(id)];
    Description out;
    out.headline = Words::tr("IPU %1 · replica %2").arg(id).arg(ipu.replica);
    FactSection facts{{}, {}};
    facts.facts.push_back({Words::tr("Tiles"), countText(data.target.tilesPerIpu)});
    facts.facts.push_back({Words::tr("Board"), QString::number(ipu.board)});
    for (auto const &verdict : data.verdicts)
        if (verdict.scope == "ipu" && verdict.scopeId == ipu.indexInReplica)
            facts.facts.push_back({verdict.fits ? Words::tr("Fits") : Words::tr("Does not fit"),
                                   Words::tr("%1: %2").arg(tileLabel(data, verdict.worstTile), placedText(tileMemory(verdict))),
                                   bytesExact(verdict.bytes),
                                   destination(SelectionKind::Tile, verdict.worstTile, QStringLiteral("memory"))});
    for (std::size_t i = 0; i < data.stages.size(); ++i)
        if (data.stages[i].indexInReplica == ipu.indexInReplica)
            facts.facts.push_back({Words::tr("Stage"),
                                   data.stages[i].name.empty() ? QString::number(i) : text(data.stages[i].name),
                                   {},
                                   destination(SelectionKind::Stage, static_cast<int>(i))});
    out.sections.push_back(facts);
    for (auto it = data.ipuSplits.rbegin(); it != data.ipuSplits.rend(); ++it) {
        if (it->ipu != id) continue;
        Cycles const all = it->compute + it->internalExchange + it->globalExchange + it->stream + it->sync + it->idle;
        FactSection split{Words::tr("Cycles of the run, modelled"), {}};
        std::pair<char const *, Cycles> const phases[] = {{"compute", it->compute},
                                                          {"internal_exchange", it->internalExchange},
                                                          {"global_exchange", it->globalExchange},
                                                          {"stream", it->stream},
                                                          {"sync", it->sync},
                                                          {"idle", it->idle}};
        static constexpr Phase kOrder[] = {Phase::Compute, Phase::InternalExchange, Phase::GlobalExchange, Phase::Stream, Phase::Sync,
                                           Phase::Idle};
        for (std::size_t i = 0; i < std::size(phases); ++i)
            split.facts.push_back(
                {phaseLabel(kOrder[i]),
                 Words::tr("%1, %2").arg(shareText(all > 0 ? static_cast<double>(phases[i].second) / static_cast<double>(all) : 0),
                                         cyclesText(phases[i].second)),
                 countText(phases[i].second), destination(SelectionKind::Ipu, id, QStringLiteral("execution"))});
        out.sections.push_back(split);
        break;
    }
    return out;
}

Description describeStep(ReportSnapshot const &report, int id)
{
    auto const &data = report.data();
    auto const &step = data.livenessSteps[static_cast<std::size_t>(id)];
    auto items = report.liveAt(id);
    Bytes live = 0;
    for (auto const &item : items) live += item.bytes;
    Description out;
    out.headline = Words::tr("Liveness step %1 of %2 · %3 live").arg(id).arg(data.livenessSteps.size()).arg(bytesText(live));
    FactSection facts{{}, {}};
    facts.facts.push_back(programFact(data, Words::tr("Runs"), step.program));
    int const op = data.programs[static_cast<std::size_t>(step.program)].op;
    if (auto const layer = layerFact(report, op); !layer.label.isEmpty()) facts.facts.push_back(layer);
    if (!step.pass.empty()) facts.facts.push_back({Words::tr("Pass"), passLabel(step.pass)});
    if (step.stage >= 0)
        facts.facts.push_back({Words::tr("Stage"), QString::number(step.stage), {}, destination(SelectionKind::Stage, step.stage)});
    facts.facts.push_back(
        {Words::tr("Live"), bytesText(live), bytesExact(live), destination(SelectionKind::LivenessStep, id, QStringLiteral("liveness"))});
    out.sections.push_back(facts);
    std::ranges::stable_sort(items, [](auto const &a, auto const &b) { return a.bytes > b.bytes; });
    FactSection largest{Words::tr("Largest live"), {}};
    for (std::size_t i = 0; i < items.size() && i < kListed; ++i)
        largest.facts.push_back(itemFact(data, items[i].variable, items[i].category, items[i].bytes));
    if (!largest.facts.isEmpty()) out.sections.push_back(largest);
    return out;
}

} // namespace tilewright::views::detail

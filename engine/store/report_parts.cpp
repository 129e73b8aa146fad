#include "engine/core/json_text.h"
#include "engine/core/numbers.h"
#include "engine/store/report_text.h"

#include "engine/core/text.h"
#include "engine/report/insights/insights.h"
#include "engine/report/quantities.h"
#include "engine/store/derived.h"
#include "engine/store/report_reader.h"
#include "engine/store/report_values.h"
#include "engine/store/row_json.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace tilewright::store {

using namespace report;
using Json = nlohmann::json;

namespace {

constexpr std::size_t kTopRows = 20;

Json toJson(Value const &value)
{
    if (auto const *i = std::get_if<std::int64_t>(&value)) return *i;
    if (auto const *d = std::get_if<double>(&value)) return *d;
    if (auto const *s = std::get_if<std::string>(&value)) return validText(*s);
    if (auto const *b = std::get_if<Blob>(&value)) return "(" + std::to_string(b->bytes.size()) + " bytes)";
    return nullptr;
}

/// The rows of a query of ours as a list of objects.
Result<Json> queried(ReportReader const &reader, std::string const &sql, std::int64_t cap = 1'000'000)
{
    TW_ASSIGN(auto const result, reader.query(sql, cap, std::chrono::seconds(60)));
    Json rows = Json::array();
    for (auto const &row : result.rows) {
        Json object = Json::object();
        for (std::size_t c = 0; c < row.size(); ++c) object[result.columns[c]] = toJson(row[c]);
        rows.push_back(std::move(object));
    }
    return rows;
}

template <typename T> Result<Json> listed(ReportReader const &reader)
{
    TW_ASSIGN(auto const rows, reader.rows<T>());
    Json list = Json::array();
    for (std::size_t i = 0; i < rows.size(); ++i) list.push_back(Json(rowToJson(rows[i], i)));
    return list;
}

Result<Json> parsedOr(std::string const &text, Json other)
{
    auto parsed = jsonOrDiscarded(text);
    return parsed.is_discarded() ? std::move(other) : std::move(parsed);
}

/// Says why a part is not there, if it is not.
Status addNote(ReportReader const &reader, std::string const &part, Json &json)
{
    TW_ASSIGN(auto const parts, reader.parts());
    for (auto const &row : parts)
        if (row.name == part && row.state != PartState::Complete)
            json["note"] =
                "the part '" + part + "' is " + std::string(toText(row.state)) + (row.note.empty() ? "" : ": " + validText(row.note));
    return {};
}

/// Tile vectors of the memory part by name; empty where there is none.
Result<std::map<std::string, std::vector<std::int64_t>>> tileMetrics(ReportReader const &reader)
{
    TW_ASSIGN(auto const rows, reader.rows<TileMetricRow>());
    std::map<std::string, std::vector<std::int64_t>> metrics;
    for (auto const &row : rows) { TW_ASSIGN(metrics[row.name], reader.tileVec(row.vec)); }
    return metrics;
}

Result<Json> categories(ReportReader const &reader)
{
    Json all = Json::object();
    TW_ASSIGN(auto const rows, reader.query("SELECT p.category, sum(v.sum) FROM memory_part p JOIN tile_vec v ON v.id = p.vec GROUP BY 1"));
    for (auto const &row : rows.rows)
        if (auto const *name = std::get_if<std::string>(&row[0])) all[validText(*name)] = toJson(row[1]);
    return all;
}

Result<Json> ipuMemory(ReportReader const &reader, TargetRow const &target)
{
    TW_ASSIGN(auto const metrics, tileMetrics(reader));
    Json ipus = Json::array();
    auto const with = metrics.find("with_gaps"), without = metrics.find("without_gaps"), need = metrics.find("need");
    if (with == metrics.end() || target.tilesPerIpu <= 0) return ipus;
    report::TileMetrics known{.withGaps = with->second, .withoutGaps = {}, .need = {}};
    if (without != metrics.end()) known.withoutGaps = without->second;
    if (need != metrics.end()) known.need = need->second;
    auto const perIpu = static_cast<std::size_t>(target.tilesPerIpu);
    for (std::size_t first = 0; first < with->second.size(); first += perIpu) {
        auto const last = std::min(first + perIpu, with->second.size());
        Json ipu = {{"id", first / perIpu}, {"limit_bytes", target.bytesPerTile}};
        std::int64_t most = -1, total = 0, mostWithout = 0, totalWithout = 0;
        for (std::size_t t = first; t < last; ++t) {
            total += with->second[t];
            if (with->second[t] > most) {
                most = with->second[t];
                ipu["worst_tile"] = t;
            }
            if (without == metrics.end() || t >= without->second.size()) continue;
            mostWithout = std::max(mostWithout, without->second[t]);
            totalWithout += without->second[t];
        }
        ipu["max_tile_bytes_with_gaps"] = most;
        ipu["total_bytes_with_gaps"] = total;
        ipu["max_tile_bytes"] = mostWithout;
        ipu["total_bytes"] = totalWithout;
        // The worst tile need not be the one that uses most: the figures of both differ.
        auto const worst = report::tileMemory(ipu["worst_tile"].get<int>(), target.bytesPerTile, known);
        ipu["worst_tile_gaps"] = worst.gaps ? Json(*worst.gaps) : Json(nullptr);
        ipu["worst_tile_need"] = worst.need ? Json(*worst.need) : Json(nullptr);
        ipus.push_back(std::move(ipu));
    }
    return ipus;
}

Result<Json> runList(ReportReader const &reader, TargetRow const &target)
{
    TW_ASSIGN(auto const runs, reader.rows<RunRow>());
    TW_ASSIGN(auto const splits, reader.rows<IpuSplitRow>());
    TW_ASSIGN(auto const figures, reader.rows<FigureRow>());
    Json list = Json::array();
    for (std::size_t i = 0; i < runs.size(); ++i) {
        auto const &run = runs[i];
        Json one = Json(rowToJson(run, i));
        one["origin"] = report::originOfRun(figures, run);
        if (run.steps > 0) one["cycles_per_step"] = static_cast<double>(run.cycles) / static_cast<double>(run.steps);
        if (target.clockHz > 0) one["emulated_seconds"] = static_cast<double>(run.cycles) / static_cast<double>(target.clockHz);
        if (target.clockHz > 0 && run.cycles > 0 && run.samples > 0)
            one["samples_per_second"] =
                static_cast<double>(run.samples) * static_cast<double>(target.clockHz) / static_cast<double>(run.cycles);
        one["host_seconds"] = static_cast<double>(run.hostNs) * 1e-9;
        Json ipus = Json::array();
        for (std::size_t s = 0; s < splits.size(); ++s) {
            if (splits[s].run != static_cast<int>(i)) continue;
            Json split = Json(rowToJson(splits[s], s));
            if (run.cycles > 0) {
                split["utilisation"] = static_cast<double>(splits[s].compute) / static_cast<double>(run.cycles);
                if (target.tilesPerIpu > 0)
                    split["tile_utilisation"] =
                        static_cast<double>(splits[s].tileCycles) / (static_cast<double>(run.cycles) * target.tilesPerIpu);
            }
            ipus.push_back(std::move(split));
        }
        one["ipus"] = std::move(ipus);
        list.push_back(std::move(one));
    }
    return list;
}

Json liveList(std::vector<LiveVariable> const &live, std::vector<VariableRow> const &variables)
{
    Json list = Json::array();
    for (auto const &v : live) {
        bool const known = v.variable >= 0 && static_cast<std::size_t>(v.variable) < variables.size();
        Json one = {{"name", known ? validText(variables[static_cast<std::size_t>(v.variable)].name) : std::string(toText(v.category))},
                    {"category", toText(v.category)},
                    {"bytes", v.bytes},
                    {"always_live", v.alwaysLive}};
        one["variable"] = known ? Json(v.variable) : Json(nullptr);
        one["born"] = v.born < 0 ? Json(nullptr) : Json(v.born);
        one["dies"] = v.dies < 0 ? Json(nullptr) : Json(v.dies);
        one["last_use"] = v.lastUse < 0 ? Json(nullptr) : Json(v.lastUse);
        list.push_back(std::move(one));
    }
    return list;
}

} // namespace

/// A row for each entry of an executable with several, the training first; from the figures of the report.
Json entryRows(std::map<std::string, double> const &values)
{
    auto rows = Json::array();
    auto const add = [&](std::string const &name, std::string const &prefix) {
        auto const cycles = values.find(prefix + "cycles_per_step"), samples = values.find(prefix + "samples_per_step");
        if (cycles == values.end() || samples == values.end()) return;
        rows.push_back({{"name", validText(name)}, {"cycles_per_step", cycles->second}, {"samples_per_step", samples->second}});
    };
    constexpr std::string_view kSamples = "_samples_per_step";
    for (auto const &[name, value] : values)
        if (name.ends_with(kSamples)) add(name.substr(0, name.size() - kSamples.size()), name.substr(0, name.size() - kSamples.size() + 1));
    if (!rows.empty()) {
        add("train", "");
        std::rotate(rows.begin(), rows.end() - 1, rows.end());
    }
    return rows;
}

Result<Json> summaryJson(ReportReader const &reader)
{
    Json json;
    TW_ASSIGN(auto const meta, reader.meta());
    Json shown = Json::object();
    for (auto const &[key, value] : meta) shown[validText(key)] = validText(value);
    json["meta"] = std::move(shown);
    json["format"] = std::to_string(reader.version() / 100) + "." + std::to_string(reader.version() % 100);
    TW_ASSIGN(json["parts"], listed<PartRow>(reader));
    TW_ASSIGN(auto const parts, reader.parts());
    for (std::size_t i = 0; i < parts.size(); ++i) json["parts"][i] = Json(rowToJson(parts[i], i));
    TW_ASSIGN(auto const target, reader.target());
    json["target"] = target.tilesPerIpu > 0 ? Json(rowToJson(target, 0)) : Json(nullptr);
    TW_ASSIGN(json["verdicts"], listed<VerdictRow>(reader));
    TW_ASSIGN(auto const values, reportValues(reader));
    json["values"] = Json::object();
    for (auto const &[name, value] : values) json["values"][validText(name)] = value;
    if (auto const fits = values.find("fits"); fits != values.end()) json["fits"] = fits->second != 0;
    else json["fits"] = nullptr;
    for (auto const *name : {"cycles_per_step", "samples_per_second", "flops_per_step", "compute_sets", "vertices", "exchanges", "replicas",
                             "peak_host_bytes", "worst_tile", "max_tile_bytes", "max_tile_bytes_with_gaps", "total_bytes",
                             "total_bytes_with_gaps", "headroom", "utilisation", "tile_utilisation", "bubble_share"})
        if (auto const it = values.find(name); it != values.end()) json[name] = it->second;
    json["entries"] = entryRows(values);
    TW_ASSIGN(json["figures"], listed<FigureRow>(reader));
    TW_ASSIGN(json["ipus"], ipuMemory(reader, target));
    TW_ASSIGN(json["memory_by_category"], categories(reader));
    TW_ASSIGN(json["runs"], runList(reader, target));
    TW_ASSIGN(
        json["options_changed"],
        queried(reader, "SELECT scope, name, value, default_value, source FROM option WHERE source <> 'default' ORDER BY scope, name"));
    TW_ASSIGN(auto insights, insightsJson(reader));
    json["insights"] = insights["insights"];
    if (json["insights"].size() > 3) json["insights"].erase(json["insights"].begin() + 3, json["insights"].end());
    return json;
}

Result<Json> memoryJson(ReportReader const &reader, int tile)
{
    Json json;
    TW_TRY(addNote(reader, "memory", json));
    TW_ASSIGN(auto const target, reader.target());
    TW_ASSIGN(auto const variables, reader.rows<VariableRow>());
    TW_ASSIGN(auto const metrics, tileMetrics(reader));
    if (tile >= 0) {
        TW_ASSIGN(auto const placed, placedOn(reader, tile));
        json["tile"] = tile;
        for (auto const &[name, values] : metrics)
            if (static_cast<std::size_t>(tile) < values.size()) json[name] = values[static_cast<std::size_t>(tile)];
        Json items = Json::array();
        for (auto const &p : placed) {
            auto const &i = p.item;
            bool const known = i.variable >= 0 && static_cast<std::size_t>(i.variable) < variables.size();
            items.push_back(
                {{"offset", i.offset},
                 {"bytes", i.bytes},
                 {"category", toText(i.category)},
                 {"region", toText(i.region)},
                 {"variable", known ? Json(i.variable) : Json(nullptr)},
                 {"name", known ? validText(variables[static_cast<std::size_t>(i.variable)].name) : std::string(toText(i.category))},
                 {"class", i.livenessClass},
                 {"alignment", i.alignment},
                 {"gap_before", p.gapBefore},
                 {"gap_reason", toText(i.gapReason)}});
        }
        json["placed"] = std::move(items);
        return json;
    }
    TW_ASSIGN(json["ipus"], ipuMemory(reader, target));
    TW_ASSIGN(json["memory_by_category"], categories(reader));
    TW_ASSIGN(json["metrics"],
              queried(reader,
                      "SELECT m.name, v.sum AS total, v.min, v.max, v.argmax AS worst_tile FROM tile_metric m JOIN tile_vec v ON v.id = "
                      "m.vec ORDER BY m.name"));
    TW_ASSIGN(json["parts"],
              queried(reader,
                      "SELECT p.category, p.region, p.overlapped, v.sum AS total, v.max, v.argmax AS worst_tile, v.nonzero AS tiles "
                      "FROM memory_part p JOIN tile_vec v ON v.id = p.vec WHERE v.sum <> 0 ORDER BY v.sum DESC, 1, 2, 3"));
    TW_ASSIGN(json["verdicts"], listed<VerdictRow>(reader));
    Json worst = Json::array();
    if (auto const with = metrics.find("with_gaps"); with != metrics.end()) {
        std::vector<std::size_t> tiles(with->second.size());
        for (std::size_t t = 0; t < tiles.size(); ++t) tiles[t] = t;
        std::stable_sort(tiles.begin(), tiles.end(), [&](auto a, auto b) { return with->second[a] > with->second[b]; });
        tiles.resize(std::min(tiles.size(), kTopRows / 2));
        for (auto const t : tiles) {
            Json one = {{"tile", t}, {"ipu", target.tilesPerIpu > 0 ? t / static_cast<std::size_t>(target.tilesPerIpu) : 0}};
            for (auto const &[name, values] : metrics)
                if (t < values.size()) one[name] = values[t];
            worst.push_back(std::move(one));
        }
    }
    json["worst_tiles"] = std::move(worst);
    TW_ASSIGN(json["largest_variables"],
              queried(reader,
                      "SELECT variable, name, op, role, dtype, bytes, always_live, bytes_on_worst_tile, worst_tile, tiles FROM v_variable "
                      "ORDER BY bytes DESC, variable LIMIT "
                          + std::to_string(kTopRows)));
    TW_ASSIGN(json["remote_buffers"], listed<RemoteBufferRow>(reader));
    return json;
}

Result<Json> livenessJson(ReportReader const &reader, int step)
{
    Json json;
    TW_TRY(addNote(reader, "liveness", json));
    TW_ASSIGN(auto const steps, reader.count("liveness_step"));
    json["steps"] = steps;
    TW_ASSIGN(auto const variables, reader.rows<VariableRow>());
    TW_ASSIGN(json["curves"],
              queried(reader, "SELECT scope, scope_id, always_live, peak, peak_step FROM live_curve ORDER BY scope, scope_id"));
    TW_ASSIGN(json["peaks"],
              queried(reader,
                      "SELECT p.scope, p.scope_id, p.rank, p.step, p.bytes, s.name AS program, s.op FROM live_peak p "
                      "LEFT JOIN v_step s ON s.step = p.step ORDER BY 1, 2, 3"));
    if (step < 0) {
        auto const all = reader.liveCurve("all", 0);
        if (!all.ok()) {
            if (all.error().code != "report.no-curve") return all.error();
            json["live"] = Json::array();
            return json;
        }
        step = all->peakStep;
    }
    json["step"] = step;
    TW_ASSIGN(auto const live, liveAt(reader, step, -1));
    Bytes total = 0, always = 0;
    for (auto const &v : live) {
        total += v.bytes;
        if (v.alwaysLive) always += v.bytes;
    }
    json["live_bytes"] = total;
    json["always_live_bytes"] = always;
    json["live"] = liveList(live, variables);
    return json;
}

/// The tables that quantities of cycles are made of (engine/report/quantities.h).
Result<ReportData> costTables(ReportReader const &reader)
{
    ReportData data;
    TW_ASSIGN(data.target, reader.target());
    TW_ASSIGN(data.programs, reader.rows<ProgramRow>());
    TW_ASSIGN(data.ops, reader.rows<OpRow>());
    TW_ASSIGN(data.runs, reader.rows<RunRow>());
    TW_ASSIGN(data.patternPlaces, reader.rows<PatternPlaceRow>());
    TW_ASSIGN(data.stepStats, reader.rows<StepStatRow>());
    TW_ASSIGN(data.ipuSplits, reader.rows<IpuSplitRow>());
    return data;
}

Result<Json> programJson(ReportReader const &reader)
{
    Json json;
    TW_TRY(addNote(reader, "program", json));
    TW_ASSIGN(auto const tables, costTables(reader));
    auto const &programs = tables.programs;
    auto const &ops = tables.ops;
    auto const &stats = tables.stepStats;
    auto const frame = runFrame(tables);
    auto const costs = costsByProgram(tables, frame.run);
    TW_ASSIGN(auto const children, reader.rows<ProgramChildRow>());
    TW_ASSIGN(auto const functions, reader.rows<FunctionRow>());
    TW_ASSIGN(auto const sets, reader.rows<ComputeSetRow>());
    auto const size = static_cast<int>(programs.size());
    std::vector<std::vector<ProgramChildRow>> below(programs.size());
    for (auto const &child : children)
        if (child.parent >= 0 && child.parent < size && child.child >= 0 && child.child < size)
            below[static_cast<std::size_t>(child.parent)].push_back(child);
    std::map<int, std::pair<std::int64_t, Cycles>> measured;
    for (auto const &stat : stats) {
        if (stat.run != frame.run) continue;
        auto &one = measured[stat.program];
        one.first = std::max(one.first, stat.executions);
        one.second = std::max(one.second, stat.cycles);
    }
    Json list = Json::array();
    std::vector<bool> seen(programs.size(), false);
    for (std::size_t f = 0; f < functions.size(); ++f) {
        Json rows = Json::array();
        struct Open {
            int program, depth;
            std::string label;
        };
        std::vector<Open> open{{functions[f].root, 0, ""}};
        while (!open.empty()) {
            auto const here = open.back();
            open.pop_back();
            if (here.program < 0 || here.program >= size || seen[static_cast<std::size_t>(here.program)]) continue;
            auto const p = static_cast<std::size_t>(here.program);
            seen[p] = true;
            auto const &row = programs[p];
            Json one = {{"id", p},
                        {"depth", here.depth},
                        {"kind", validText(row.kind)},
                        {"name", validText(row.name)},
                        {"code_bytes", row.codeBytes}};
            if (!here.label.empty()) one["label"] = validText(here.label);
            if (row.op >= 0 && static_cast<std::size_t>(row.op) < ops.size())
                one["op"] = validText(ops[static_cast<std::size_t>(row.op)].name);
            if (row.kind == "repeat") one["repeat"] = row.repeatCount >= 0 ? Json(row.repeatCount) : Json("depends on data");
            if (row.kind == "repeat_while" && row.repeatCount >= 0) one["at_most"] = row.repeatCount;
            if (row.callee >= 0 && static_cast<std::size_t>(row.callee) < functions.size())
                one["calls"] = validText(functions[static_cast<std::size_t>(row.callee)].name);
            if (row.computeSet >= 0 && static_cast<std::size_t>(row.computeSet) < sets.size()) {
                auto const &set = sets[static_cast<std::size_t>(row.computeSet)];
                one["cycles_estimated"] = set.cyclesMax;
                one["vertices"] = set.vertices;
                one["active_tiles"] = set.activeTiles;
            }
            if (auto const m = measured.find(here.program); m != measured.end()) {
                one["executions"] = m->second.first;
                one["cycles"] = m->second.second;
                one["cycles_per_step"] = cyclesPerStep(frame, costs[p].cycles);
            }
            rows.push_back(std::move(one));
            auto const &list_ = below[p];
            for (auto it = list_.rbegin(); it != list_.rend(); ++it) open.push_back({it->child, here.depth + 1, it->label});
        }
        list.push_back({{"id", f}, {"name", validText(functions[f].name)}, {"entry", functions[f].entry}, {"programs", std::move(rows)}});
    }
    json["functions"] = std::move(list);
    TW_ASSIGN(json["vertex_types"],
              queried(reader,
                      "SELECT n.text AS name, t.code_bytes, sum(v.count) AS vertices, sum(v.state_bytes) AS state_bytes FROM vertex_type t "
                      "JOIN name n ON n.id = t.name LEFT JOIN compute_set_vertex v ON v.vertex_type = t.id GROUP BY t.id ORDER BY t.id"));
    TW_ASSIGN(
        json["exchanges"],
        queried(
            reader,
            "SELECT e.program, n.text AS name, e.kind, e.bytes_sent, e.bytes_received, e.header_bytes, c.max AS cycles, k.sum AS "
            "code_bytes "
            "FROM exchange e JOIN program p ON p.id = e.program JOIN name n ON n.id = p.name LEFT JOIN tile_vec c ON c.id = e.cycles_vec "
            "LEFT JOIN tile_vec k ON k.id = e.code_vec ORDER BY e.program"));
    TW_ASSIGN(json["streams"], listed<StreamRow>(reader));
    return json;
}

Result<Json> operationsJson(ReportReader const &reader)
{
    Json json;
    TW_TRY(addNote(reader, "graph", json));
    TW_ASSIGN(json["operations"], queried(reader, "SELECT * FROM v_op_cost ORDER BY op"));
    TW_ASSIGN(auto const tables, costTables(reader));
    auto const &ops = tables.ops;
    auto const frame = runFrame(tables);
    auto const costs = costsByOp(tables, costsByProgram(tables, frame.run));
    for (auto &row : json["operations"]) {
        auto const id = row["op"].is_number_integer() ? row["op"].get<std::int64_t>() : -1;
        if (id < 0 || id >= static_cast<std::int64_t>(ops.size())) continue;
        // With all that is below it, which the view of single rows leaves out.
        row["cycles_per_step"] = frame.steps > 0 ? Json(cyclesPerStep(frame, costs[static_cast<std::size_t>(id)].cycles)) : Json(nullptr);
        // Plans are JSON of their own.
        if (ops[static_cast<std::size_t>(id)].plan == "{}") continue;
        TW_ASSIGN(row["plan"], parsedOr(ops[static_cast<std::size_t>(id)].plan, nullptr));
    }
    return json;
}

Result<Json> timelineJson(ReportReader const &reader)
{
    Json json;
    TW_TRY(addNote(reader, "run", json));
    TW_ASSIGN(auto const target, reader.target());
    json["clock_hz"] = target.clockHz;
    TW_ASSIGN(json["runs"], runList(reader, target));
    TW_ASSIGN(json["patterns"], listed<PatternRow>(reader));
    TW_ASSIGN(json["places"], listed<PatternPlaceRow>(reader));
    TW_ASSIGN(json["lanes"],
              queried(reader,
                      "SELECT l.id, n.text AS name, l.kind, l.time_base, l.ipu, l.depth, (SELECT coalesce(sum(events), 0) FROM event_chunk "
                      "c WHERE c.lane = l.id) AS events, "
                      "(SELECT coalesce(sum(busy), 0) FROM event_chunk c WHERE c.lane = l.id) AS busy FROM lane l JOIN name n ON n.id = "
                      "l.name ORDER BY l.id"));
    TW_ASSIGN(json["programs"],
              queried(reader,
                      "SELECT s.run, s.program, n.text AS name, p.kind, s.ipu, s.executions, s.cycles, s.cycles_min, s.cycles_max, "
                      "s.bytes_in, s.bytes_out, "
                      "s.tile_balance, s.active_tiles FROM step_stat s JOIN program p ON p.id = s.program JOIN name n ON n.id = p.name "
                      "ORDER BY s.run, s.cycles DESC, s.program, s.ipu"));
    TW_ASSIGN(json["stage_tasks"], listed<StageTaskRow>(reader));
    TW_ASSIGN(json["bubbles"], listed<BubbleRow>(reader));
    TW_ASSIGN(json["critical"], listed<CriticalRow>(reader));
    TW_ASSIGN(json["outliers"], listed<StepOutlierRow>(reader));
    return json;
}

Result<Json> insightsJson(ReportReader const &reader)
{
    Json json;
    TW_TRY(addNote(reader, "insight", json));
    TW_ASSIGN(auto rows, reader.rows<InsightRow>());
    auto const rules = report::builtinInsightRules();
    Json list = Json::array();
    for (std::size_t i = 0; i < rows.size(); ++i) {
        Json one = Json(rowToJson(rows[i], i));
        auto const rule = std::ranges::find(rules, rows[i].rule, &report::InsightRule::name);
        one["finding"] = rule == rules.end() ? std::string() : rule->help; // a report of another version may have other rules
        TW_ASSIGN(one["numbers"], parsedOr(rows[i].numbers, validText(rows[i].numbers)));
        if (!rows[i].action.empty()) { TW_ASSIGN(one["action"], parsedOr(rows[i].action, validText(rows[i].action))); }
        list.push_back(std::move(one));
    }
    // By severity, then by gain.
    auto const rank = [](Json const &one) {
        auto const &severity = one["severity"];
        return severity == "error" ? 0 : severity == "warning" ? 1 : severity == "advice" ? 2 : 3;
    };
    auto const gain = [](Json const &one) {
        double sum = 0;
        for (auto const *name : {"gain_bytes", "gain_cycles"})
            if (one[name].is_number()) sum += one[name].get<double>();
        return sum;
    };
    std::stable_sort(list.begin(), list.end(),
                     [&](Json const &a, Json const &b) { return rank(a) != rank(b) ? rank(a) < rank(b) : gain(a) > gain(b); });
    json["insights"] = std::move(list);
    return json;
}

Result<Json> sqlJson(ReportReader const &reader, std::string const &query)
{
    auto const asked = reader.query(query);
    if (!asked.ok()) {
        // A question that cannot be put is wrong use; the file may be as it should.
        auto error = asked.error();
        if (error.code == "store.sql" || error.code == "store.refused") error.kind = ErrorKind::Usage;
        return error;
    }
    auto const &result = *asked;
    Json rows = Json::array();
    for (auto const &row : result.rows) {
        Json cells = Json::array();
        for (auto const &value : row) cells.push_back(toJson(value));
        rows.push_back(std::move(cells));
    }
    return Json{{"columns", result.columns}, {"rows", std::move(rows)}, {"capped", result.capped}};
}

std::vector<std::string> const &reportPartNames()
{
    static std::vector<std::string> const names{"summary", "memory", "liveness", "program", "operations", "timeline", "insights", "sql"};
    return names;
}

namespace {

Result<int> numberArgument(std::string const &text)
{
    if (text.empty()) return -1;
    auto const value = parseIntegerAs<int>(text);
    if (!value || *value < 0)
        return makeError(ErrorKind::Usage, "report.argument", text, Message::of("this is not the number of a tile or step"));
    return *value;
}

/// Whether the report has that many of them.
Status checkNumber(int number, std::int64_t count, std::string const &what)
{
    if (number < count || count == 0) return {}; // a report without any says so in a note
    return makeError(ErrorKind::Usage, "report.argument", std::to_string(number), Message::of("the report has no %1 of that number", what),
                     Message::of("Give 0 to %1.", std::to_string(count - 1)));
}

} // namespace

Result<Json> reportPart(ReportReader const &reader, std::string const &part, std::string const &argument)
{
    if (part == "summary") return summaryJson(reader);
    if (part == "memory") {
        TW_ASSIGN(int const tile, numberArgument(argument));
        TW_ASSIGN(auto const tiles, reader.tileLayouts());
        TW_TRY(checkNumber(tile, static_cast<std::int64_t>(tiles.size()), "tile"));
        return memoryJson(reader, tile);
    }
    if (part == "liveness") {
        TW_ASSIGN(int const step, numberArgument(argument));
        TW_ASSIGN(auto const steps, reader.count("liveness_step"));
        TW_TRY(checkNumber(step, steps, "step"));
        return livenessJson(reader, step);
    }
    if (part == "program") return programJson(reader);
    if (part == "operations") return operationsJson(reader);
    if (part == "timeline") return timelineJson(reader);
    if (part == "insights") return insightsJson(reader);
    if (part == "sql") return sqlJson(reader, argument);
    auto const nearest = nearestName(part, reportPartNames());
    return makeError(ErrorKind::Usage, "report.no-part", part, Message::of("a report has no part of that name"),
                     nearest.empty() ? Message::of("Parts: %1.", joinText(reportPartNames(), ", "))
                                     : Message::of("Did you mean '%1'?", nearest));
}

} // namespace tilewright::store

#include "engine/store/compare.h"

#include "engine/report/match.h"
#include "engine/report/quantities.h"
#include "engine/store/report_reader.h"
#include "engine/store/report_text.h"
#include "engine/store/report_values.h"
#include "engine/store/row_json.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace tilewright::store {

using namespace report;
using Json = nlohmann::json;

namespace {

/// Items by name in their own order; the second with an equal name is "name (2)".
struct Aligned {
    std::vector<std::string> order;
    std::map<std::string, Json> fields;
    std::map<std::string, int> met;

    void add(std::string const &name, Json row)
    {
        std::string key = validText(name);
        if (int const nth = ++met[key]; nth > 1) key += " (" + std::to_string(nth) + ")";
        order.push_back(key);
        fields.emplace(key, std::move(row));
    }
};

void compareAligned(char const *kind, Aligned const &a, Aligned const &b, Json &out)
{
    auto names = a.order;
    for (auto const &name : b.order)
        if (!a.fields.count(name)) names.push_back(name);
    for (auto const &name : names) {
        auto const inA = a.fields.find(name), inB = b.fields.find(name);
        if (inA == a.fields.end() || inB == b.fields.end()) {
            out.push_back({{"kind", kind}, {"name", name}, {"only", inA == a.fields.end() ? "b" : "a"}});
            continue;
        }
        std::set<std::string> columns;
        for (auto const &[column, value] : inA->second.items()) columns.insert(column);
        for (auto const &[column, value] : inB->second.items()) columns.insert(column);
        for (auto const &column : columns) {
            Json const x = inA->second.value(column, Json()), y = inB->second.value(column, Json());
            if (x == y) continue;
            Json one = {{"kind", kind}, {"name", name}, {"field", column}, {"a", x}, {"b", y}};
            if (x.is_number_integer() && y.is_number_integer()) one["delta"] = y.get<std::int64_t>() - x.get<std::int64_t>();
            else if (x.is_number() && y.is_number()) one["delta"] = y.get<double>() - x.get<double>();
            out.push_back(std::move(one));
        }
    }
}

struct Side {
    Aligned values, options, memory, layers, operations, variables, runs, results;
    ReportData tables;          ///< tables for costs and matching of operations
    std::vector<Json> opFields; ///< by operation
    std::string title;
};

bool isHostValue(std::string const &name) { return name.rfind("host_", 0) == 0 || name == "peak_host_bytes" || name == "seconds"; }

Json numberOr(double value)
{
    return std::isfinite(value) ? Json(value) : Json(std::isnan(value) ? "NaN" : value > 0 ? "Infinity" : "-Infinity");
}

/// Last value, mean and number of points of a curve; null without points.
Result<Json> curveResult(ReportReader const &reader, std::size_t series)
{
    TW_ASSIGN(
        auto const heads,
        reader.query("SELECT max(x_last), sum(points), sum(y_mean * points) / sum(points) FROM series_chunk WHERE points > 0 AND series = "
                     + std::to_string(series)));
    auto const *end = heads.rows.empty() ? nullptr : std::get_if<std::int64_t>(&heads.rows[0][0]);
    if (!end) return Json();
    TW_ASSIGN(auto const last, reader.points(static_cast<int>(series), *end, *end));
    if (last.y.empty()) return Json();
    Json result = {{"last", numberOr(last.y.back())}};
    if (auto const *points = std::get_if<std::int64_t>(&heads.rows[0][1])) result["points"] = *points;
    if (auto const *mean = std::get_if<double>(&heads.rows[0][2])) result["mean"] = numberOr(*mean);
    return result;
}

Result<Side> load(ReportReader const &reader)
{
    Side side;
    TW_ASSIGN(auto const meta, reader.meta());
    if (auto const title = meta.find("title"); title != meta.end()) side.title = validText(title->second);
    TW_ASSIGN(auto const values, reportValues(reader));
    for (auto const &[name, value] : values)
        if (!isHostValue(name)) side.values.add(name, {{"value", value}});
    TW_ASSIGN(auto const options, reader.rows<OptionRow>());
    for (auto const &option : options) side.options.add(option.scope + "." + option.name, {{"value", validText(option.value)}});
    TW_ASSIGN(auto const parts, reader.rows<MemoryPartRow>());
    for (auto const &part : parts) {
        TW_ASSIGN(auto const head, reader.tileVecHead(part.vec));
        side.memory.add(std::string(toText(part.category)) + "/" + std::string(toText(part.region))
                            + (part.overlapped ? "/overlapped" : ""),
                        {{"total", head.sum}, {"max", head.max}});
    }
    TW_ASSIGN(auto const ops, reader.rows<OpRow>());
    TW_ASSIGN(auto const stages, reader.rows<StageRow>());
    TW_ASSIGN(auto const programs, reader.rows<ProgramRow>());
    TW_ASSIGN(auto const stats, reader.rows<StepStatRow>());
    ReportData tables;
    TW_ASSIGN(tables.target, reader.target());
    tables.ops = ops;
    tables.programs = programs;
    tables.stepStats = stats;
    TW_ASSIGN(tables.runs, reader.rows<RunRow>());
    TW_ASSIGN(tables.ipuSplits, reader.rows<IpuSplitRow>());
    auto const frame = runFrame(tables);
    auto const costs = costsByOp(tables, costsByProgram(tables, frame.run));
    for (std::size_t o = 0; o < ops.size(); ++o) {
        auto const &op = ops[o];
        bool const staged = op.stage >= 0 && static_cast<std::size_t>(op.stage) < stages.size();
        Json row = {{"kind", validText(op.kind)},
                    {"pass", validText(op.pass)},
                    {"flops", op.flops},
                    {"code_exclusive", op.codeExclusive},
                    {"code_attributed", op.codeAttributed},
                    {"variable_bytes", op.variableBytes},
                    {"vertex_state_bytes", op.vertexStateBytes},
                    {"cycles_estimated", op.cyclesEstimated},
                    {"cycles", costs[o].cycles},
                    {"cycles_per_step", cyclesPerStep(frame, costs[o].cycles)},
                    {"stage", staged ? Json(validText(stages[static_cast<std::size_t>(op.stage)].name)) : Json(nullptr)}};
        side.opFields.push_back(std::move(row));
    }
    TW_ASSIGN(auto const variables, reader.rows<VariableRow>());
    for (auto const &v : variables)
        side.variables.add(v.name,
                           {{"role", validText(v.role)},
                            {"dtype", validText(v.dtype)},
                            {"shape", v.shape},
                            {"bytes", v.bytes},
                            {"always_live", v.alwaysLive}});
    TW_ASSIGN(auto const series, reader.rows<SeriesRow>());
    auto const &runs = tables.runs;
    std::vector<std::string> names; // as given by Aligned: values of a run are labelled with its name
    for (auto const &run : runs) {
        int const nth = static_cast<int>(std::ranges::count(runs.begin(), runs.begin() + (&run - runs.data()), run.name, &RunRow::name));
        names.push_back(validText(run.name) + (nth > 0 ? " (" + std::to_string(nth + 1) + ")" : std::string()));
    }
    // Results of the runs: the last value of each curve that does not depend on the host's clock.
    for (std::size_t i = 0; i < series.size(); ++i) {
        auto const &row = series[i];
        if (row.axis == "ns" || row.unit == "ns" || isHostValue(row.name)) continue;
        TW_ASSIGN(auto result, curveResult(reader, i));
        if (result.is_null()) continue;
        bool const ofRun = row.run >= 0 && static_cast<std::size_t>(row.run) < names.size();
        std::string const subject =
            row.subjectKind.empty() ? std::string() : " of " + row.subjectKind + " " + std::to_string(row.subjectId);
        side.results.add((ofRun ? names[static_cast<std::size_t>(row.run)] + ": " : std::string()) + row.name + subject
                             + (row.axis == "epoch" ? " by epoch" : ""),
                         std::move(result));
    }
    for (auto const &run : runs)
        side.runs.add(run.name,
                      {{"kind", validText(run.kind)},
                       {"mode", validText(run.mode)},
                       {"state", validText(run.state)},
                       {"cycles", run.cycles},
                       {"steps", run.steps},
                       {"samples", run.samples}});
    side.tables = std::move(tables);
    return side;
}

/// Both of a pair get the first one's name.
void alignOperations(Side &a, Side &b)
{
    auto const pairs = matchOperations(a.tables, b.tables);
    std::vector<std::string> names(a.tables.ops.size());
    std::map<std::string, int> met;
    auto const add = [](Side &side, int op, std::string const &name) {
        auto const i = static_cast<std::size_t>(op);
        (side.tables.ops[i].level == "keras" ? side.layers : side.operations).add(name, std::move(side.opFields[i]));
    };
    auto const ownName = [&met](OpRow const &op) {
        int const nth = ++met[op.level == "keras" ? "layer " + op.name : op.name];
        return nth > 1 ? op.name + " (" + std::to_string(nth) + ")" : op.name;
    };
    for (int op = 0; op < static_cast<int>(a.tables.ops.size()); ++op) {
        names[static_cast<std::size_t>(op)] = ownName(a.tables.ops[static_cast<std::size_t>(op)]);
        add(a, op, names[static_cast<std::size_t>(op)]);
    }
    for (auto const &pair : pairs)
        if (pair.now >= 0)
            add(b, pair.now,
                pair.before >= 0 ? names[static_cast<std::size_t>(pair.before)]
                                 : ownName(b.tables.ops[static_cast<std::size_t>(pair.now)]));
}

} // namespace

Result<Json> compareReports(ReportReader const &a, ReportReader const &b)
{
    TW_ASSIGN(auto left, load(a));
    TW_ASSIGN(auto right, load(b));
    alignOperations(left, right);
    Json differences = Json::array();
    compareAligned("value", left.values, right.values, differences);
    compareAligned("option", left.options, right.options, differences);
    compareAligned("memory", left.memory, right.memory, differences);
    compareAligned("layer", left.layers, right.layers, differences);
    compareAligned("operation", left.operations, right.operations, differences);
    compareAligned("variable", left.variables, right.variables, differences);
    compareAligned("run", left.runs, right.runs, differences);
    compareAligned("result", left.results, right.results, differences);
    return Json{{"a", left.title}, {"b", right.title}, {"differences", std::move(differences)}};
}

std::string compareText(Json const &comparison)
{
    if (comparison["differences"].empty()) return "No differences.\n";
    return textTable({"kind", "name", "field", "a", "b", "delta", "only"}, comparison["differences"]);
}

} // namespace tilewright::store

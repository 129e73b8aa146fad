#include "engine/store/compare.h"

#include "engine/store/report_reader.h"
#include "engine/store/report_text.h"
#include "engine/store/report_values.h"
#include "engine/store/row_json.h"

#include <algorithm>
#include <map>
#include <set>

namespace tilewright::store {

using namespace report;
using Json = nlohmann::json;

namespace {

/// Things by name in their own order; of equal names the second is "name (2)".
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
    Aligned values, options, memory, layers, operations, variables, runs;
    std::string title;
};

bool isHostValue(std::string const &name) { return name.rfind("host_", 0) == 0 || name == "peak_host_bytes" || name == "seconds"; }

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
        side.memory.add(std::string(toText(part.category)) + "/" + std::string(toText(part.region)) + (part.overlapped ? "/overlapped" : ""),
                        {{"total", head.sum}, {"max", head.max}});
    }
    TW_ASSIGN(auto const ops, reader.rows<OpRow>());
    TW_ASSIGN(auto const stages, reader.rows<StageRow>());
    TW_ASSIGN(auto const programs, reader.rows<ProgramRow>());
    TW_ASSIGN(auto const stats, reader.rows<StepStatRow>());
    std::vector<Cycles> cycles(ops.size(), 0);
    for (auto const &stat : stats) {
        // Also charged to the layers above.
        int op = stat.program >= 0 && static_cast<std::size_t>(stat.program) < programs.size() ? programs[static_cast<std::size_t>(stat.program)].op : kNone;
        for (std::size_t guard = 0; op >= 0 && static_cast<std::size_t>(op) < ops.size() && guard <= ops.size(); ++guard) {
            cycles[static_cast<std::size_t>(op)] += stat.cycles;
            op = ops[static_cast<std::size_t>(op)].parent;
        }
    }
    for (std::size_t o = 0; o < ops.size(); ++o) {
        auto const &op = ops[o];
        bool const staged = op.stage >= 0 && static_cast<std::size_t>(op.stage) < stages.size();
        Json row = {{"kind", validText(op.kind)}, {"pass", validText(op.pass)}, {"flops", op.flops}, {"code_exclusive", op.codeExclusive},
                    {"code_attributed", op.codeAttributed}, {"variable_bytes", op.variableBytes}, {"vertex_state_bytes", op.vertexStateBytes},
                    {"cycles_estimated", op.cyclesEstimated}, {"cycles", cycles[o]},
                    {"stage", staged ? Json(validText(stages[static_cast<std::size_t>(op.stage)].name)) : Json(nullptr)}};
        if (op.level == "keras") side.layers.add(op.name, std::move(row));
        else side.operations.add(op.name, std::move(row));
    }
    TW_ASSIGN(auto const variables, reader.rows<VariableRow>());
    for (auto const &v : variables)
        side.variables.add(v.name, {{"role", validText(v.role)}, {"dtype", validText(v.dtype)}, {"shape", v.shape}, {"bytes", v.bytes}, {"always_live", v.alwaysLive}});
    TW_ASSIGN(auto const runs, reader.rows<RunRow>());
    for (auto const &run : runs)
        side.runs.add(run.name, {{"kind", validText(run.kind)}, {"mode", validText(run.mode)}, {"state", validText(run.state)}, {"cycles", run.cycles}, {"steps", run.steps}, {"samples", run.samples}});
    return side;
}

} // namespace

Result<Json> compareReports(ReportReader const &a, ReportReader const &b)
{
    TW_ASSIGN(auto const left, load(a));
    TW_ASSIGN(auto const right, load(b));
    Json differences = Json::array();
    compareAligned("value", left.values, right.values, differences);
    compareAligned("option", left.options, right.options, differences);
    compareAligned("memory", left.memory, right.memory, differences);
    compareAligned("layer", left.layers, right.layers, differences);
    compareAligned("operation", left.operations, right.operations, differences);
    compareAligned("variable", left.variables, right.variables, differences);
    compareAligned("run", left.runs, right.runs, differences);
    return Json{{"a", left.title}, {"b", right.title}, {"differences", std::move(differences)}};
}

std::string compareText(Json const &comparison)
{
    if (comparison["differences"].empty()) return "No differences.\n";
    return textTable({"kind", "name", "field", "a", "b", "delta", "only"}, comparison["differences"]);
}

} // namespace tilewright::store

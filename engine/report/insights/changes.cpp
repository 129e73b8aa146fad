#include "engine/report/insights/changes.h"

#include "engine/core/json_text.h"
#include "engine/core/numbers.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace tilewright::report {

namespace {

using Json = nlohmann::ordered_json;

} // namespace

void Changes::add(std::vector<std::pair<std::string, std::string>> fields) { m_all.push_back(std::move(fields)); }

bool Changes::hasProducts(std::string_view type) const
{
    bool const any = std::ranges::any_of(m_context.d.ops, [](OpRow const &op) { return op.kind == "matmul"; });
    if (!any || type.empty()) return any;
    return std::ranges::any_of(m_context.d.variables, [type](auto const &variable) { return variable.dtype == type; });
}

Changes &Changes::doubleBatch()
{
    auto const *batch = m_context.option("training", "batch_size");
    auto const value = batch ? parseInteger(*batch).value_or(0) : 0;
    if (value > 0) add({{"training.batch_size", std::to_string(2 * value)}});
    return *this;
}

Changes &Changes::otherProductPlans()
{
    auto const *alone = m_context.option("ipu_config", "matmuls.clear_pass_type");
    if (alone && hasProducts({})) add({{"ipu_config.matmuls.clear_pass_type", *alone == "true" || *alone == "True" ? "false" : "true"}});
    return *this;
}

Changes &Changes::halfPartials()
{
    auto const *options = m_context.option("ipu_config", "matmuls.poplar_options");
    if (options && options->find("half") == std::string::npos && hasProducts("f16"))
        add({{"ipu_config.matmuls.poplar_options.partialsType", "\"half\""}});
    return *this;
}

Changes &Changes::noOutlining()
{
    auto const *outlines = m_context.option("ipu_config", "optimizations.enable_graph_outlining");
    bool const calls = std::ranges::any_of(m_context.d.programs, [](auto const &program) { return program.kind == "call"; });
    if (outlines && calls && (*outlines == "true" || *outlines == "True"))
        add({{"ipu_config.optimizations.enable_graph_outlining", "false"}});
    return *this;
}

Changes &Changes::halfLayers()
{
    std::vector<std::pair<std::string, std::string>> fields;
    for (auto const &op : m_context.d.ops)
        if (isLayer(op) && op.variableBytes > 0 && op.kind != "InputLayer")
            fields.emplace_back("model.layers." + op.name + ".dtype", "\"mixed_float16\"");
    if (!fields.empty()) add(std::move(fields));
    return *this;
}

Changes &Changes::ioTiles()
{
    constexpr int kIoTiles = 32, kLeastPerIoTile = 8; // of an IPU's tiles, at most an eighth
    constexpr std::int64_t kStepsPerExecution = 8;
    auto const &d = m_context.d;
    auto const number = [&](char const *name) {
        auto const *text = m_context.option("training", name);
        return text ? parseInteger(*text).value_or(0) : 0;
    };
    auto const tiles = std::min(kIoTiles, d.target.tilesPerIpu / kLeastPerIoTile / 2 * 2);
    bool const overlaps = d.target.ipusPerReplica <= 1 || !d.stageTasks.empty();
    if (d.target.ioTilesPerIpu > 0 || tiles < 2 || !overlaps || !d.remoteBuffers.empty() || number("steps_per_execution") == 0)
        return *this;
    std::vector<std::pair<std::string, std::string>> fields{{"ipu_config.io_tiles.num_io_tiles", std::to_string(tiles)},
                                                            {"ipu_config.io_tiles.place_ops_on_io_tiles", "true"}};
    if (number("steps_per_execution") < 2) fields.emplace_back("training.steps_per_execution", std::to_string(kStepsPerExecution));
    add(std::move(fields));
    return *this;
}

Changes &Changes::bytesToDevice()
{
    auto const *convert = m_context.option("data", "convert");
    if (convert && convert->find("host") != std::string::npos) add({{"data.convert", "\"device\""}});
    return *this;
}

std::string Changes::action() const
{
    if (m_all.empty()) return {};
    auto const setOf = [](auto const &fields) {
        Json set = Json::array();
        for (auto const &[path, value] : fields) set.push_back({{"path", path}, {"value", orderedJsonOrDiscarded(value)}});
        return set;
    };
    Json action{{"set", setOf(m_all.front())}};
    for (std::size_t i = 1; i < m_all.size(); ++i) action["or"].push_back({{"set", setOf(m_all[i])}});
    return action.dump();
}

} // namespace tilewright::report

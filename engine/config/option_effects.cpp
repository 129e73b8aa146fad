#include "engine/config/option_tables.h"

#include <algorithm>
#include <array>

/// The one place that says which options something reads. To give an option its effect, implement it,
/// then add its name here and a witness to tests/engine/runtime/tst_option_effects.cpp: help texts and warnings follow.
namespace tilewright::config::detail {

namespace {

constexpr std::array kActiveIpuConfig{
    std::string_view("auto_select_ipus"),
    std::string_view("select_ipus"),
    std::string_view("convolutions.poplar_options"),
    std::string_view("matmuls.poplar_options"),
    std::string_view("matmuls.clear_pass_type"),
    std::string_view("scheduling.algorithm"),
    std::string_view("ipu_model.compile_ipu_code"),
    std::string_view("ipu_model.tiles_per_ipu"),
    std::string_view("ipu_model.version"),
    std::string_view("optimizations.prefetch_data_streams"),
    std::string_view("optimizations.math.fast"),
    std::string_view("optimizations.enable_fast_math"),
    std::string_view("floating_point_behaviour.esr"),
    std::string_view("floating_point_behaviour.set_all"),
    std::string_view("device_connection.type"),
    std::string_view("device_connection.version"),
    std::string_view("optimizations.enable_graph_outlining"),
    std::string_view("allow_recompute"),
    std::string_view("io_tiles.num_io_tiles"),
    std::string_view("io_tiles.place_ops_on_io_tiles"),
    std::string_view("io_tiles.available_memory_proportion"),
};

constexpr std::array kActiveFlags{
    std::string_view("help"),
    std::string_view("use_synthetic_data"),
    std::string_view("synthetic_data_categories"),
    std::string_view("synthetic_data_initializer"),
    std::string_view("use_ipu_model"),
    std::string_view("ipu_model_tiles"),
    std::string_view("executable_cache_path"),
    std::string_view("on_demand_device_poll_time"),
    std::string_view("on_demand_device_timeout"),
};

/// Nothing yet; the entry is there so that adding one stays one line.
constexpr std::array kActiveEngine{std::string_view("")};
constexpr std::array kActiveTarget{std::string_view("")};
constexpr std::array kActiveRuntime{std::string_view("")};

struct InactiveValue {
    std::string_view path, value;
};
/// Values of active options that are accepted but treated as the default.
constexpr std::array kInactiveValues{
    InactiveValue{"scheduling.algorithm", "LOOK_AHEAD"},
};

struct ActivePart {
    std::string_view path, part;
};
/// Options that turn several others on, of which not all have an effect.
constexpr std::array kActiveParts{
    ActivePart{"floating_point_behaviour.set_all", "esr"},
};

/// Keys of the PopLibs options that planners read.
struct DictKeys {
    std::string_view path;
    std::string_view active; ///< comma-separated
};
constexpr std::array kActiveKeys{
    DictKeys{"convolutions.poplar_options", "availableMemoryProportion,partialsType"},
    DictKeys{"matmuls.poplar_options", "availableMemoryProportion,partialsType"},
};

/// Keys the real libraries know (poplar_execution_model.md, planner options).
constexpr std::string_view kPopLibsKeys = "availableMemoryProportion,partialsType,pass,use128BitConvUnitLoad,enableMultiStageReduce,"
                                          "enableFastReduce,planConstraints,insertTransformsCycleCountProgs,startTileMultiplier,numIPUs";

template <std::size_t N> bool holds(std::array<std::string_view, N> const &list, std::string_view path)
{
    return !path.empty() && std::find(list.begin(), list.end(), path) != list.end();
}

std::vector<std::string> words(std::string_view list)
{
    std::vector<std::string> result;
    while (!list.empty()) {
        auto const comma = list.find(',');
        result.emplace_back(list.substr(0, comma));
        if (comma == std::string_view::npos) break;
        list.remove_prefix(comma + 1);
    }
    return result;
}

} // namespace

bool isActive(OptionCategory category, std::string_view path)
{
    switch (category) {
    case OptionCategory::IpuConfig: return holds(kActiveIpuConfig, path);
    case OptionCategory::Flag: return holds(kActiveFlags, path);
    case OptionCategory::Engine: return holds(kActiveEngine, path);
    case OptionCategory::Target: return holds(kActiveTarget, path);
    case OptionCategory::Runtime: return holds(kActiveRuntime, path);
    }
    return false;
}

std::vector<std::string> inactiveValues(OptionCategory category, std::string_view path)
{
    std::vector<std::string> result;
    if (category != OptionCategory::IpuConfig) return result;
    for (auto const &entry : kInactiveValues)
        if (entry.path == path) result.emplace_back(entry.value);
    return result;
}

std::string activePart(OptionCategory category, std::string_view path)
{
    auto const entry = std::ranges::find(kActiveParts, path, &ActivePart::path);
    return category == OptionCategory::IpuConfig && entry != kActiveParts.end() ? std::string(entry->part) : std::string();
}

std::vector<std::string> activeDictKeys(std::string_view path)
{
    for (auto const &entry : kActiveKeys)
        if (entry.path == path) return words(entry.active);
    return {};
}

std::vector<std::string> knownDictKeys(std::string_view path)
{
    if (path == "compilation_poplar_options") {
        std::vector<std::string> keys;
        for (auto const &option : engineOptions()) keys.push_back(option.path);
        return keys;
    }
    if (path == "gcl_poplar_options") return {};
    return words(kPopLibsKeys);
}

} // namespace tilewright::config::detail

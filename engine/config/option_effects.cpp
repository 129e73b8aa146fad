#include "engine/config/option_tables.h"

#include <algorithm>
#include <array>

/// The one place that says which options something reads. To give an option its effect, implement it,
/// then add its name here and a witness to tests/engine/runtime/tst_option_effects.cpp: help texts and warnings follow.
/// An option that no emulator can have is in kReasons, with the reason.
namespace tilewright::config::detail {

namespace {

constexpr std::array kActiveIpuConfig{
    std::string_view("auto_select_ipus"),
    std::string_view("select_ipus"),
    std::string_view("selection_order"),
    std::string_view("convolutions.poplar_options"),
    std::string_view("matmuls.poplar_options"),
    std::string_view("matmuls.clear_pass_type"),
    std::string_view("slices.poplar_options"),
    std::string_view("pooling.poplar_options"),
    std::string_view("norms.use_stable_statistics"),
    std::string_view("norms.experimental.distributed_batch_norm_replica_group_size"),
    std::string_view("scheduling.algorithm"),
    std::string_view("scheduling.maximum_scheduler_lookahead_depth"),
    std::string_view("scheduling.maximum_scheduler_search_space_size"),
    std::string_view("ipu_model.compile_ipu_code"),
    std::string_view("ipu_model.tiles_per_ipu"),
    std::string_view("ipu_model.version"),
    std::string_view("optimizations.prefetch_data_streams"),
    std::string_view("optimizations.math.fast"),
    std::string_view("optimizations.enable_fast_math"),
    std::string_view("floating_point_behaviour.inv"),
    std::string_view("floating_point_behaviour.div0"),
    std::string_view("floating_point_behaviour.oflo"),
    std::string_view("floating_point_behaviour.esr"),
    std::string_view("floating_point_behaviour.nanoo"),
    std::string_view("floating_point_behaviour.set_all"),
    std::string_view("device_connection.type"),
    std::string_view("device_connection.version"),
    std::string_view("optimizations.enable_graph_outlining"),
    std::string_view("allow_recompute"),
    std::string_view("serialization_output_folder"),
    std::string_view("compilation_poplar_options"),
    std::string_view("experimental.multi_replica_distribution.process_count"),
    std::string_view("optimizations.minimum_remote_tensor_size"),
    std::string_view("optimizations.combine_matmuls"),
    std::string_view("optimizations.combine_embedding_lookups"),
    std::string_view("optimizations.merge_infeed_io_copies"),
    std::string_view("optimizations.maximum_cross_replica_sum_buffer_size"),
    std::string_view("optimizations.maximum_all_gather_buffer_size"),
    std::string_view("optimizations.maximum_inter_ipu_copies_buffer_size"),
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
    std::string_view("max_compilation_threads"),
    std::string_view("dump_schedule_as_dot"),
    std::string_view("tensor_map_file_path"),
    std::string_view("log_cycle_count"),
    std::string_view("null_data_feed"),
    std::string_view("use_on_demand"),
    std::string_view("on_demand_device_poll_time"),
    std::string_view("on_demand_device_timeout"),
};

constexpr std::array kActiveEngine{
    std::string_view("autoReport.all"),
    std::string_view("autoReport.directory"),
    std::string_view("autoReport.outputGraphProfile"),
    std::string_view("autoReport.outputExecutionProfile"),
    std::string_view("autoReport.outputSerializedGraph"),
    std::string_view("autoReport.outputArchive"),
    std::string_view("debug.allowOutOfMemory"),
    std::string_view("opt.maxCompilationThreads"),
};
/// Nothing yet; the entry is there so that adding one stays one line.
constexpr std::array kActiveTarget{std::string_view("")};
constexpr std::array kActiveRuntime{std::string_view("")};

struct ActivePart {
    std::string_view path, part;
};
/// Options that turn several others on, of which not all have an effect. None yet; the array is there so that adding one stays one line.
constexpr std::array<ActivePart, 0> kActiveParts{};

/// Keys of the PopLibs options that planners read.
struct DictKeys {
    std::string_view path;
    std::string_view active; ///< comma-separated
};
constexpr std::array kActiveKeys{
    DictKeys{"convolutions.poplar_options", "availableMemoryProportion,partialsType"},
    DictKeys{"matmuls.poplar_options", "availableMemoryProportion,partialsType"},
    DictKeys{"slices.poplar_options", "availableMemoryProportion"},
    DictKeys{"pooling.poplar_options", "poolUseIntrospectiveMapping"},
    DictKeys{"compilation_poplar_options",
             "autoReport.all,autoReport.directory,autoReport.outputGraphProfile,autoReport.outputExecutionProfile,"
             "autoReport.outputSerializedGraph,autoReport.outputArchive,debug.allowOutOfMemory,opt.maxCompilationThreads"},
};

/// Keys the real libraries know (poplar_execution_model.md, planner options).
constexpr std::string_view kPoolingKeys = "poolUseIntrospectiveMapping,optimizeForSpeed";
constexpr std::string_view kSliceKeys = "availableMemoryProportion,usedForUpdate,operationForUpdate,indicesDistribution,"
                                        "planMinimisationTarget,partialType";
constexpr std::string_view kPopLibsKeys = "availableMemoryProportion,partialsType,pass,use128BitConvUnitLoad,enableMultiStageReduce,"
                                          "enableFastReduce,planConstraints,insertTransformsCycleCountProgs,startTileMultiplier,numIPUs";

/// Options that change nothing on an emulated device, and why. One sentence without a full stop inside.
struct Reason {
    OptionCategory category;
    std::string_view path, text;
};
constexpr std::string_view kCountsAnyway = "it counts the cycles of every tile without instrumentation, and the counters cost no cycles.";
constexpr std::string_view kRecordsAll =
    "light-weight profiling saves cycles of a device; here recording costs none, and a report has all.";
constexpr std::string_view kInEveryReport = "every report has the variables with their tiles, and all names.";
constexpr std::string_view kNoSolver = "no layer that the program compiles solves such a system.";
constexpr std::array kReasons{
    Reason{OptionCategory::IpuConfig, "gcl_poplar_options", "its collectives have one algorithm, which no key of the library changes."},
    Reason{OptionCategory::IpuConfig, "optimizations.maximum_send_recv_cluster_size",
           "a model sends and receives nothing but its feeds, which merge_infeed_io_copies merges."},
    Reason{OptionCategory::IpuConfig, "optimizations.maximum_reduce_scatter_buffer_size",
           "a reduce-scatter is the first half of an all-reduce, whose limit is maximum_cross_replica_sum_buffer_size."},
    Reason{OptionCategory::IpuConfig, "optimizations.enable_gather_simplifier", "every gather of the compiler is an embedding lookup."},
    Reason{OptionCategory::IpuConfig, "optimizations.triangular_solve_expander_block_size", kNoSolver},
    Reason{OptionCategory::IpuConfig, "optimizations.cholesky_block_size", kNoSolver},
    Reason{OptionCategory::IpuConfig, "experimental.always_rearrange_copies_on_the_host",
           "the host always rearranges streamed tensors into the layout of the tiles."},
    Reason{OptionCategory::IpuConfig, "experimental.enable_prng_stability",
           "it always derives the seeds so that the weights of replicas stay equal."},
    Reason{OptionCategory::Flag, "while_loop_brute_force_max_trip_count",
           "the project states the trip count of each loop, except that of training.loop, which depends on the data."},
    Reason{OptionCategory::Flag, "allow_nans", "the constants of a project are JSON numbers, which are never NaN."},
    Reason{OptionCategory::Flag, "sync_replica_start", "its replicas always start together."},
    Reason{OptionCategory::Flag, "enable_hlo_verifier", "the compiler always verifies the graph after each pass."},
    Reason{OptionCategory::Flag, "save_vertex_graph", "the original software ignores it as well."},
    Reason{OptionCategory::Engine, "autoReport.outputLoweredVars", kInEveryReport},
    Reason{OptionCategory::Engine, "autoReport.outputDebugInfo", kInEveryReport},
    Reason{OptionCategory::Engine, "autoReport.executionProfileProgramRunCount", "a report records every run of the program."},
    Reason{OptionCategory::Engine, "debug.instrument", kCountsAnyway},
    Reason{OptionCategory::Engine, "debug.instrumentCompute", kCountsAnyway},
    Reason{OptionCategory::Engine, "debug.instrumentExternalExchange", kCountsAnyway},
    Reason{OptionCategory::Engine, "debug.instrumentControlFlow", kCountsAnyway},
    Reason{OptionCategory::Engine, "debug.computeInstrumentationLevel", kCountsAnyway},
    Reason{OptionCategory::Engine, "debug.branchRecordTile", kCountsAnyway},
    Reason{OptionCategory::Engine, "debug.retainDebugInformation", "every executable keeps its names."},
    Reason{OptionCategory::Engine, "target.deterministicWorkers", "its random numbers are the same on every machine in every run."},
    Reason{OptionCategory::Engine, "target.syncReplicasIndependently", "its replicas exchange with the host at the same cycle."},
    Reason{OptionCategory::Engine, "target.extendedMemory", "its tiles have the memory that system.target states."},
    Reason{OptionCategory::Engine, "profiler.format", "reports have one format."},
    Reason{OptionCategory::Engine, "profiler.blocks.filter", kRecordsAll},
    Reason{OptionCategory::Engine, "profiler.programs.filter", kRecordsAll},
    Reason{OptionCategory::Engine, "profiler.blocks.tile", kRecordsAll},
    Reason{OptionCategory::Engine, "profiler.blocks.bufferSize", kRecordsAll},
    Reason{OptionCategory::Engine, "profiler.blocks.implicitFlush", kRecordsAll},
    Reason{OptionCategory::Runtime, "target.hostSyncTimeout", "its device waits for the host as long as the host takes."},
};

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

std::string_view reasonAgainst(OptionCategory category, std::string_view path)
{
    auto const is = [&](Reason const &reason) { return reason.category == category && reason.path == path; };
    auto const it = std::ranges::find_if(kReasons, is);
    return it == kReasons.end() ? std::string_view() : it->text;
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
    if (path == "pooling.poplar_options") return words(kPoolingKeys);
    if (path == "slices.poplar_options") return words(kSliceKeys);
    return words(kPopLibsKeys);
}

} // namespace tilewright::config::detail

#include "engine/config/option_tables.h"

/// Section 4 of the reference ipu_config.md: the items of TF_POPLAR_FLAGS.
namespace tilewright::config {

namespace {

std::vector<OptionInfo> flagTable()
{
    using namespace detail;
    // The reference's column "in executable hash": entries are inside unless they say otherwise.
    auto outside = [](OptionInfo option) {
        option.inExecutableHash = false;
        return option;
    };
    return {
        outside(boolOption("help", false, "Prints this help and exits.")),
        boolOption("use_synthetic_data", false,
                   "Moves no data between host and device; results and outfeeds are zeros. Measures the device alone. An outfeed in LAST "
                   "mode cannot be read."),
        textOption("synthetic_data_categories", "",
                   "Kinds of synthetic data, separated by commas: infeed, outfeed, seed, hostembedding, parameters. Empty: all, if "
                   "--use_synthetic_data is set. A synthetic infeed or outfeed takes no stream cycles. seed and hostembedding have no "
                   "effect yet: nothing streams them."),
        textOption("synthetic_data_initializer", "",
                   "Initial values of synthetic tensors: uniform or random (0 to 1; zeros for integers), normal (mean 0, standard "
                   "deviation 1; ones for integers) or a number. Requires synthetic data. The original software draws from the whole range "
                   "of the type, which makes losses infinite."),
        boolOption("use_ipu_model", false, "Runs on the software model instead of an emulated device."),
        intOption("ipu_model_tiles", -1, -1, std::nullopt, "tiles",
                  "Tiles of each IPU of the software model; -1: ipu_model.tiles_per_ipu, which also wins if both are set."),
        intOption("log_cycle_count", -1, -1, std::nullopt, "tile",
                  "Logs the cycles of one execution of the program on this tile of replica 0 after a training (log level INFO of the "
                  "runtime); -1: off."),
        intOption("while_loop_brute_force_max_trip_count", 128, 0, std::nullopt, "iterations",
                  "Iterations of a while loop that the compiler evaluates to find its trip count."),
        outside(intOption("max_compilation_threads", -1, -1, std::nullopt, "threads", "Threads of a compile; -1: all.")),
        outside(intOption("max_infeed_threads", -1, -1, std::nullopt, "threads", "Threads that fill an infeed; -1: all.")),
        outside(pathOption("executable_cache_path", "", "Folder of the executable cache. Empty: the configured one.")),
        outside(boolOption("dump_schedule_as_dot", false,
                           "Writes the final schedule of each entry as MODEL.ENTRY.schedule.dot for Graphviz, into the folder of XLA_FLAGS "
                           "--xla_dump_to or else the current one.")),
        outside(pathOption("tensor_map_file_path", "", "Folder that receives the tile mapping of each program as MODEL.tensor_map.json.")),
        boolOption("fallback_scheduler", false, "Uses the plain list scheduler."),
        boolOption("allow_nans", false, "Accepts NaN constants at compile time."),
        outside(boolOption("null_data_feed", false,
                           "Feeds arbitrary values instead of the data, to find out whether the data source is the bottleneck.")),
        outside(enumOption("show_progress_bar", "auto", {"auto", "true", "false"},
                           "Shows progress while compiling. auto: on a terminal, without verbose logs, for larger models.")),
        deprecated(outside(boolOption("use_on_demand", false, "Older form of device_connection.type ON_DEMAND.")),
                   "Use device_connection.type = ON_DEMAND instead."),
        outside(intOption("on_demand_device_poll_time", 1000, 100, std::nullopt, "ms", "ON_DEMAND: pause between two attempts to attach.")),
        outside(intOption("on_demand_device_timeout", 3'600'000, 0, std::nullopt, "ms", "ON_DEMAND: gives up attaching after this time.")),
        boolOption("sync_replica_start", false, "All replicas wait for each other before they start."),
        outside(boolOption("enable_hlo_verifier", false, "Verifies the graph between passes.")),
        boolOption("disable_poplar_version_check", false, "Accepts executables of another version."),
        deprecated(outside(pathOption("save_vertex_graph", "", "Does nothing any more.")),
                   "Use the engine option target.saveOutputVertexGraph instead."),
    };
}

} // namespace

std::span<OptionInfo const> poplarFlags()
{
    static auto const kTable = detail::finishTable(flagTable(), OptionCategory::Flag);
    return kTable;
}

} // namespace tilewright::config

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
        outside(boolOption("help", false, "Prints this help instead of doing anything.")),
        boolOption("use_synthetic_data", false,
                   "No data moves between host and device; results and outfeeds are zeros. Measures "
                   "device speed alone. An outfeed in LAST mode cannot be read then."),
        textOption("synthetic_data_categories", "",
                   "Makes only these kinds of data synthetic, separated by commas: infeed, outfeed, seed, "
                   "hostembedding, parameters. Empty: all of them when --use_synthetic_data is given. What an "
                   "infeed or outfeed leaves out takes no stream cycles; seed and hostembedding have no effect "
                   "yet: nothing streams them."),
        textOption("synthetic_data_initializer", "",
                   "Fills synthetic tensors on the device: uniform or random, both from 0 to 1 (zeros for integers), "
                   "normal (mean 0, deviation 1; ones for integers) or a number. Needs synthetic data. The original "
                   "draws from the whole range of the type, which makes losses infinite."),
        boolOption("use_ipu_model", false, "Runs on the software model instead of a modelled device."),
        intOption("ipu_model_tiles", -1, -1, std::nullopt, "tiles",
                  "Tiles of each IPU of the software model; -1 leaves it to ipu_model.tiles_per_ipu, which "
                  "also wins when it is set."),
        intOption("log_cycle_count", -1, -1, std::nullopt, "tile",
                  "Logs the cycles of the program as seen on this tile of replica 0; -1 logs nothing. Not "
                  "on the software model."),
        intOption("while_loop_brute_force_max_trip_count", 128, 0, std::nullopt, "iterations",
                  "How far the compiler follows a while loop to find how often it runs."),
        outside(intOption("max_compilation_threads", -1, -1, std::nullopt, "threads", "Threads of a compile; -1 is all.")),
        outside(intOption("max_infeed_threads", -1, -1, std::nullopt, "threads", "Threads that fill an infeed; -1 is all.")),
        outside(pathOption("executable_cache_path", "", "Folder of the executable cache. Empty: the configured one.")),
        outside(boolOption("dump_schedule_as_dot", false, "Writes the final schedule as a graph.")),
        outside(pathOption("tensor_map_file_path", "", "Folder that receives the tile mapping of each module as JSON.")),
        boolOption("fallback_scheduler", false, "Uses the plain list scheduler."),
        boolOption("allow_nans", false, "Accepts NaN constants at compile time."),
        outside(boolOption("null_data_feed", false,
                           "Feeds garbage instead of the data set, to find out whether the data "
                           "source is what is slow.")),
        outside(enumOption("show_progress_bar", "auto", {"auto", "true", "false"},
                           "Progress while compiling; auto: on a terminal, without verbose logs, for larger models.")),
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

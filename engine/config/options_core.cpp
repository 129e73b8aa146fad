#include "engine/config/option_tables.h"

/// Section 2 of the reference ipu_config.md, all but the category "optimizations".
namespace tilewright::config::detail {

std::vector<OptionInfo> coreOptions()
{
    std::vector<OptionInfo> table{
        // 2.1 top level
        boolOption("allow_recompute", false,
                   "Computes forward results again in the backward pass instead of keeping activations. In a pipeline every stage but the "
                   "last is computed again from what it received, in front of its backward pass; elsewhere results of elementwise "
                   "operations are, where their operands are kept anyway and the peak falls. The repetition takes cycles, code and room "
                   "for its own results: whether the fullest tile needs less depends on the model and on the pipeline's schedule; "
                   "`tilewright tune` compiles both. What changes state runs once and keeps its outputs."),
        enumOption("selection_order", "AUTO", {"AUTO", "ZIGZAG", "SNAKE", "HOOF"},
                   "The order in which the IPUs of a multi-IPU device are given to shards and stages. ZIGZAG "
                   "counts up; SNAKE keeps neighbouring stages linked; HOOF makes a ring, so that first and "
                   "last are neighbours; AUTO is SNAKE for a pipeline over devices 0, 1, 2, … and else ZIGZAG."),
        pathOption("serialization_output_folder", "",
                   "Folder that receives each compiled executable with a JSON description of its inputs, "
                   "outputs and streams. Empty: nothing is written."),
        dictOption("compilation_poplar_options", "Engine options by key, as in POPLAR_ENGINE_OPTIONS, which wins where both give a key."),
        dictOption("gcl_poplar_options", "Options of the library of collectives (all-reduce and the like)."),
        intListOption("auto_select_ipus", 1, "IPUs",
                      "One logical device per entry, each with that many IPUs taken from any free ones: 1 is "
                      "one device of one IPU, [2, 2] two devices of two. Excludes select_ipus."),
        intListOption("select_ipus", 0, "device id",
                      "One logical device per entry, each bound to exactly that device id of the system (a "
                      "single IPU or a group). Ids must differ. Excludes auto_select_ipus; not with the "
                      "software model."),
        // 2.2 libraries
        dictOption(
            "convolutions.poplar_options",
            "Planner options of every convolution. availableMemoryProportion: share of a tile's memory that the "
            "temporaries of a layer's convolution and of both its gradients may take each, above 0 up to 1, default 0.6; "
            "kept by computing a gradient in serial splits where no other plan does; where those do not either, what takes least is taken. "
            "partialsType: half or float (default), how the partial sums of float16 convolutions and "
            "of both their gradients are stored, in both modes: half rounds after every 16 channels (filters, positions) at an element of "
            "the kernel: such sums take half the memory and lose small addends. Whether a step takes fewer or more cycles depends on the "
            "plan that this leads to; `tilewright tune` compiles both. No effect on float32."),
        boolOption("matmuls.clear_pass_type", false,
                   "Does not tell the planner whether a product is forward, backward or weight update: each is planned alone. "
                   "Otherwise those of a layer share one grid of tiles, on which its weights stay, where the planner expects fewer cycles "
                   "of that."),
        dictOption(
            "matmuls.poplar_options",
            "Planner options of every matrix product. availableMemoryProportion: share of a tile's "
            "memory that the temporaries of each product may take, above 0 up to 1, default 0.6; kept by computing a product in serial "
            "passes where no other plan does, those of a layer that share one grid of tiles in training, too; where passes do not "
            "either, what takes least is taken. partialsType: half or float (default), how the partial sums of float16 products are "
            "stored, in both "
            "modes: half rounds after every 16 inputs: such sums take half the memory and lose small addends. Whether a step takes fewer "
            "or "
            "more cycles depends on the plan that this leads to; `tilewright tune` compiles both. No effect on float32."),
        dictOption("slices.poplar_options",
                   "Options of slice and update operations (embeddings); availableMemoryProportion as for "
                   "matrix products."),
        dictOption("pooling.poplar_options", "Options of pooling operations."),
        // 2.3 norms
        boolOption("norms.use_stable_statistics", false,
                   "Subtracts the mean before squaring when a norm computes its variance, which loses fewer digits. "
                   "For batch, group, layer and instance norm."),
        intOption("norms.experimental.distributed_batch_norm_replica_group_size", 1, 1, std::nullopt, "replicas",
                  "Batch statistics in training are summed over groups of this many consecutive replicas. Must "
                  "divide the number of replicas. Not in pipelines and not with IO tiles."),
    };
    std::vector<OptionInfo> const rest{
        // 2.5 scheduling
        enumOption("scheduling.algorithm", "CHOOSE_BEST", {"CHOOSE_BEST", "CLUSTERING", "POST_ORDER", "LOOK_AHEAD", "SHORTEST_PATH"},
                   "How the order of operations is found. CHOOSE_BEST tries POST_ORDER, CLUSTERING and "
                   "SHORTEST_PATH and keeps the one with the lowest predicted peak of live memory."),
        intOption("scheduling.maximum_scheduler_lookahead_depth", 5, 0, std::nullopt, "operations",
                  "LOOK_AHEAD only: how far ahead it looks."),
        intOption("scheduling.maximum_scheduler_search_space_size", 64, 0, std::nullopt, "schedules",
                  "LOOK_AHEAD only: how many candidates it keeps."),
        // 2.6 io_tiles
        intOption("io_tiles.num_io_tiles", 0, 0, 192, "tiles",
                  "Tiles per IPU kept for transfers; computation gets the rest. Odd numbers are rounded up."),
        boolOption("io_tiles.place_ops_on_io_tiles", false, "Puts feeds and remote-buffer transfers on the IO tiles, which overlap needs."),
        floatOption("io_tiles.available_memory_proportion", 0.9, 0, 1,
                    "Share of the IO tiles' memory that data may take; the rest is for code. Transfers that "
                    "together need more stay on the compute tiles."),
        // 2.7 ipu_model
        boolOption("ipu_model.compile_ipu_code", true,
                   "Software model only: counts the bytes of tile code. Without it code sizes are missing."),
        intOption("ipu_model.tiles_per_ipu", 0, 0, std::nullopt, "tiles",
                  "Software model only: tiles of each IPU; 0 is the number of the version (ipu1 1216, ipu2 1472)."),
        textOption("ipu_model.version", "ipu2", "Software model only: which architecture it models."),
        // 2.8 floating_point_behaviour
        boolOption("floating_point_behaviour.inv", false, "Traps on an invalid operation."),
        boolOption("floating_point_behaviour.div0", false, "Traps on a division by zero."),
        boolOption("floating_point_behaviour.oflo", false, "Traps on an overflow."),
        enumOption("floating_point_behaviour.esr", "OFF", {"OFF", "ON", "REPLICA_IDENTICAL_ONLY"},
                   "Stochastic rounding of what is stored as float16: up or down by chance, so that the mean is right and "
                   "small updates are not lost. The bits depend on the seed, the step and the element alone: threads, "
                   "modes and a resumed run draw the same. Weights of replicas stay equal. REPLICA_IDENTICAL_ONLY uses it "
                   "only where all replicas are known to compute the same, the weight update for example. Sums over "
                   "replicas are rounded to the nearest."),
        boolOption("floating_point_behaviour.nanoo", false, "A float16 overflow gives NaN instead of the largest finite number."),
        boolOption("floating_point_behaviour.set_all", false,
                   "Turns inv, div0, oflo, nanoo and esr (ON) on when the configuration is applied. Of these only esr has "
                   "an effect yet."),
        // 2.9 device_connection
        enumOption("device_connection.type", "ALWAYS", {"ALWAYS", "ON_DEMAND", "PRE_COMPILE", "NEVER"},
                   "When the device is attached. ALWAYS: when configured; ON_DEMAND: at the first run; "
                   "PRE_COMPILE: never, runs give zeros and the executable goes to the cache; NEVER: compile "
                   "only, running is refused."),
        textOption(
            "device_connection.version", "",
            "Architecture to compile for: required by PRE_COMPILE and NEVER, where it must be that of system.target; empty otherwise."),
        boolOption("device_connection.enable_remote_buffers", false,
                   "Promises, for every type but ALWAYS, that the device will have remote buffers. ALWAYS asks "
                   "the device."),
        // 2.10 experimental
        boolOption("experimental.always_rearrange_copies_on_the_host", false,
                   "Rearranges streamed tensors on the host instead of on the device."),
        boolOption("experimental.enable_remote_buffer_embedding", false,
                   "Keeps host embeddings in remote buffers; they are synchronised at every execution."),
        boolOption("experimental.enable_prng_stability", false,
                   "Manages random seeds so that replicas do not drift apart under stochastic rounding."),
        intOption("experimental.multi_replica_distribution.process_index", 0, 0, std::nullopt, "", "Which of the processes this one is."),
        intOption("experimental.multi_replica_distribution.process_count", 0, 0, std::nullopt, "processes",
                  "How many processes share the replicas; 0 is off. All replicas = local replicas × processes."),
    };
    table.insert(table.end(), rest.begin(), rest.end());
    for (auto &option : table) {
        // Compiling beforehand (PRE_COMPILE) and running attached must meet in the cache, and so must the
        // processes of a distributed run; the target enters the key on its own.
        if (option.path.starts_with("device_connection.") || option.path == "experimental.multi_replica_distribution.process_index")
            option.inExecutableHash = false;
        // An empty version is legal while the software model is not used; validate() knows.
        if (option.path == "ipu_model.version") option.allowed = {"ipu1", "ipu2", ""};
        if (option.path == "device_connection.version") option.allowed = {"", "ipu1", "ipu2", "ipu21"};
    }
    return table;
}

} // namespace tilewright::config::detail

#include "engine/config/option_tables.h"

/// Section 2 of the reference ipu_config.md, all but the category "optimizations".
namespace tilewright::config::detail {

std::vector<OptionInfo> coreOptions()
{
    std::vector<OptionInfo> table{
        // 2.1 top level
        boolOption("allow_recompute", false,
                   "Recomputes forward results in the backward pass instead of keeping activations. In a pipeline, every stage but the "
                   "last recomputes its forward pass from the stage's inputs. Elsewhere, the compiler recomputes elementwise operations "
                   "whose operands are kept anyway, if that lowers the peak. Recomputation costs cycles, code and temporary memory: "
                   "whether the worst tile needs less depends on the model and on the pipeline's schedule. `tilewright tune` compiles "
                   "both. Operations that change state run once and keep their outputs."),
        enumOption("selection_order", "AUTO", {"AUTO", "ZIGZAG", "SNAKE", "HOOF"},
                   "Order in which shards and pipeline stages are placed on the IPUs of a multi-IPU device. ZIGZAG: ascending. SNAKE: "
                   "neighbouring stages have a direct link. HOOF: a ring in which the first and the last IPU are neighbours. AUTO: ZIGZAG "
                   "(the original takes SNAKE for a pipeline over devices 0, 1, 2, …)."),
        pathOption(
            "serialization_output_folder", "",
            "Folder that receives each compiled executable (HASH.ipu_bin) with a JSON description of its inputs, outputs and streams "
            "(HASH.json). Its parent folder must exist. Empty: nothing is written."),
        dictOption("compilation_poplar_options",
                   "Engine options by name, as in POPLAR_ENGINE_OPTIONS. The environment variable wins if both set an option."),
        dictOption("gcl_poplar_options", "Options of the collectives library (all-reduce and others)."),
        intListOption("auto_select_ipus", 1, "IPUs",
                      "IPUs of each logical device, taken from the free ones: 1 is one device of one IPU, [2, 2] is two devices of two "
                      "IPUs. A run uses one of them (`train --device N`), so that several runs go on at once. Cannot be used together with "
                      "select_ipus."),
        intListOption("select_ipus", 0, "device id",
                      "Device id of each logical device: a single IPU or a group. The ids must differ. A run uses one of them (`train "
                      "--device N`). Cannot be used together with auto_select_ipus or with the software model."),
        // 2.2 libraries
        dictOption("convolutions.poplar_options",
                   "Planner options of all convolutions. availableMemoryProportion (above 0, at most 1; default 0.6): share of a tile's "
                   "memory for the temporaries of a convolution, and of each of its gradients. If no plan fits, the planner computes a "
                   "gradient in serial splits; if that does not fit either, it takes the plan with the least memory. partialsType (half or "
                   "float; default float): type in which both modes store partial sums of float16 convolutions and their gradients. half "
                   "rounds after every 16 channels: partial sums take half the memory and lose small addends. The effect on cycles depends "
                   "on the plan; `tilewright tune` compiles both. No effect on float32."),
        boolOption("matmuls.clear_pass_type", false,
                   "Plans the forward, backward and weight-update products of a layer separately. By default they share one grid of tiles, "
                   "on which the weights stay, if the planner expects fewer cycles."),
        dictOption("matmuls.poplar_options",
                   "Planner options of all matrix products. availableMemoryProportion (above 0, at most 1; default 0.6): share of a tile's "
                   "memory for the temporaries of each product. If no plan fits, the planner computes a product in serial splits, also the "
                   "products of a layer that share one grid of tiles; if that does not fit either, it takes the plan with the least "
                   "memory. partialsType (half or float; default float): type in which both modes store partial sums of float16 products. "
                   "half rounds after every 16 inputs: partial sums take half the memory and lose small addends. The effect on cycles "
                   "depends on the plan; `tilewright tune` compiles both. No effect on float32."),
        dictOption("slices.poplar_options",
                   "Planner options of look-ups (embeddings) and of their gradients. availableMemoryProportion (above 0, at most 1; "
                   "default 0.6): share of a tile's memory for the temporaries of a look-up. If no plan fits, the planner takes the plan "
                   "with the least memory."),
        dictOption("pooling.poplar_options",
                   "Options of pooling operations. poolUseIntrospectiveMapping (true or false; default true): a pooling stays on the tiles "
                   "of its operand if that costs about as few cycles as spreading it anew; false: it is always spread anew."),
        // 2.3 norms
        boolOption(
            "norms.use_stable_statistics", false,
            "Variances of batch, group, layer and instance normalisation as the mean of squared distances from the mean. This takes a "
            "second pass over the elements, with more cycles. If off, a variance is the mean of squares minus the square of the mean, "
            "which loses digits where the mean is far larger than the deviation."),
        intOption("norms.experimental.distributed_batch_norm_replica_group_size", 1, 1, std::nullopt, "replicas",
                  "Replicas whose batches have one mean and variance in the batch normalisations of a training, computed in float32 and "
                  "in two passes: 1, or the number of replicas (smaller groups are not supported yet). Not available in pipelines or with "
                  "IO tiles."),
    };
    std::vector<OptionInfo> const rest{
        // 2.5 scheduling
        enumOption("scheduling.algorithm", "CHOOSE_BEST", {"CHOOSE_BEST", "CLUSTERING", "POST_ORDER", "LOOK_AHEAD", "SHORTEST_PATH"},
                   "Algorithm that orders the operations. CHOOSE_BEST runs POST_ORDER, CLUSTERING and SHORTEST_PATH and keeps the order "
                   "with the lowest predicted peak of live memory. LOOK_AHEAD tries orders of the next operations before each one."),
        intOption("scheduling.maximum_scheduler_lookahead_depth", 5, 0, std::nullopt, "operations",
                  "LOOK_AHEAD only: operations that a trial order places."),
        intOption("scheduling.maximum_scheduler_search_space_size", 64, 0, std::nullopt, "schedules",
                  "LOOK_AHEAD only: trial orders before each operation. More take longer to compile."),
        // 2.6 io_tiles
        intOption("io_tiles.num_io_tiles", 0, 0, 192, "tiles",
                  "Tiles per IPU reserved for transfers; the rest computes. Odd numbers are rounded up."),
        boolOption("io_tiles.place_ops_on_io_tiles", false, "Puts feeds and remote-buffer transfers on the IO tiles, which overlap needs."),
        floatOption("io_tiles.available_memory_proportion", 0.9, 0, 1,
                    "Share of the IO tiles' memory for data; the rest is for code. Transfers that do not fit stay on the compute tiles."),
        // 2.7 ipu_model
        boolOption("ipu_model.compile_ipu_code", true,
                   "Software model only: counts the bytes of tile code. If off, code sizes are missing from the report."),
        intOption("ipu_model.tiles_per_ipu", 0, 0, std::nullopt, "tiles",
                  "Software model only: tiles of each IPU; 0: the version's number (ipu1 1216, ipu2 1472)."),
        textOption("ipu_model.version", "ipu2", "Software model only: the modelled architecture."),
        // 2.8 floating_point_behaviour
        boolOption("floating_point_behaviour.inv", false,
                   "Ends the run at the first result that is not a number while no operand is one, such as 0/0 or the root of a negative "
                   "number. The error names operation, layer and step (exit code 10). Fused mode then runs one operation at a time, which "
                   "is slower; "
                   "the results do not change."),
        boolOption(
            "floating_point_behaviour.div0", false,
            "Ends the run at the first infinite result of a division by zero or a logarithm of zero, like inv. In tile mode, an infinite "
            "result of any fused expression that divides or takes a logarithm counts as one."),
        boolOption("floating_point_behaviour.oflo", false, "Ends the run at the first other infinite result of finite operands, like inv."),
        enumOption("floating_point_behaviour.esr", "OFF", {"OFF", "ON", "REPLICA_IDENTICAL_ONLY"},
                   "Stochastic rounding of values stored as float16: up or down at random, so that the mean is exact and small updates are "
                   "not lost. The random bits depend only on the seed, the step and the element: all thread counts, both execution modes "
                   "and a resumed run round identically. Weights of replicas stay equal. REPLICA_IDENTICAL_ONLY: only operations that "
                   "compute the same on all replicas, such as the weight update. Sums over replicas are rounded to the nearest."),
        boolOption("floating_point_behaviour.nanoo", false,
                   "Ends the run at the first float16 result that is infinite although its operands are finite, like inv. (The hardware "
                   "goes on with NaN.) oflo covers float32 as well. If off, such results are infinite."),
        boolOption("floating_point_behaviour.set_all", false,
                   "Enables inv, div0, oflo, nanoo and esr (ON) when the configuration is applied."),
        // 2.9 device_connection
        enumOption("device_connection.type", "ALWAYS", {"ALWAYS", "ON_DEMAND", "PRE_COMPILE", "NEVER"},
                   "When the device is attached. ALWAYS: when the configuration is applied. ON_DEMAND: at the first run. PRE_COMPILE: "
                   "never; runs give zeros and the executable goes to the cache. NEVER: compile only; running is refused."),
        textOption("device_connection.version", "",
                   "Architecture to compile for. Required with PRE_COMPILE and NEVER, where it must be the architecture of system.target. "
                   "Otherwise empty."),
        boolOption("device_connection.enable_remote_buffers", false,
                   "States that the device has remote buffers, for connection types other than ALWAYS. With ALWAYS the device is asked."),
        // 2.10 experimental
        boolOption("experimental.always_rearrange_copies_on_the_host", false,
                   "Rearranges streamed tensors on the host instead of on the device."),
        boolOption("experimental.enable_remote_buffer_embedding", false,
                   "Keeps host embeddings in remote buffers; they are synchronised at every execution."),
        boolOption("experimental.enable_prng_stability", false,
                   "Manages random seeds so that the weights of replicas stay equal under stochastic rounding."),
        intOption("experimental.multi_replica_distribution.process_index", 0, 0, std::nullopt, "", "Index of this process."),
        intOption("experimental.multi_replica_distribution.process_count", 0, 0, std::nullopt, "processes",
                  "Number of processes that share the replicas; 0: off. All replicas = local replicas × processes."),
    };
    table.insert(table.end(), rest.begin(), rest.end());
    for (auto &option : table) {
        // Compiling beforehand (PRE_COMPILE) and running attached must meet in the cache, and so must the
        // processes of a distributed run; the target enters the key on its own.
        if (option.path.starts_with("device_connection.") || option.path == "experimental.multi_replica_distribution.process_index")
            option.inExecutableHash = false;
        // The executor examines results; the program is the same.
        for (std::string_view const trap : {"inv", "div0", "oflo"})
            if (option.path == "floating_point_behaviour." + std::string(trap)) option.inExecutableHash = false;
        // An empty version is legal while the software model is not used; validate() knows.
        if (option.path == "ipu_model.version") option.allowed = {"ipu1", "ipu2", ""};
        if (option.path == "device_connection.version") option.allowed = {"", "ipu1", "ipu2", "ipu21"};
    }
    return table;
}

} // namespace tilewright::config::detail

#include "engine/config/option_tables.h"

/// Section 2.4 of the reference ipu_config.md.
namespace tilewright::config::detail {

std::vector<OptionInfo> optimizationOptions()
{
    auto bufferOption = [](std::string path, std::string what) {
        return intOption("optimizations." + std::move(path), 0, 0, std::nullopt, "bytes",
                         "Buffer limit for merging " + std::move(what) + " into one; 0: each runs separately, immediately.");
    };
    auto limitOption = [](std::string path, std::string help) {
        return intOption("optimizations." + std::move(path), 0, 0, std::nullopt, "bytes", std::move(help));
    };
    return {
        boolOption("optimizations.math.fast", false,
                   "Allows algebraic rewrites that may change values in the last bits (re-association and such)."),
        boolOption("optimizations.math.dot_strength", true,
                   "Replaces a matrix product by an elementwise product and a sum if all dimensions of one operand are batch or contracted "
                   "dimensions."),
        boolOption("optimizations.prefetch_data_streams", true, "Prepares the next stream data on the host while the device computes."),
        boolOption("optimizations.combine_embedding_lookups", false,
                   "Computes look-ups in the same table as one: faster, with more memory."),
        boolOption("optimizations.combine_matmuls", false, "Computes matrix products that share their weights or their input as one."),
        boolOption("optimizations.enable_graph_outlining", true,
                   "Compiles identical operations once and calls the code, if the compiler expects the saved code to exceed the copies of "
                   "operands to a common place."),
        boolOption("optimizations.merge_infeed_io_copies", true,
                   "Transfers all tensors of an infeed that go to one IPU with one pair of handshakes: fewer cycles, the same results."),
        limitOption("maximum_cross_replica_sum_buffer_size",
                    "Largest sum over replicas that merges several gradients; larger ones are summed one after the other, with smaller "
                    "buffers and more cycles. A larger tensor is summed alone. 0: no limit."),
        bufferOption("maximum_reduce_scatter_buffer_size", "reduce-scatters"),
        limitOption(
            "maximum_inter_ipu_copies_buffer_size",
            "Largest copy between two IPUs of a pipeline that merges several tensors. A larger tensor is copied alone. 0: no limit."),
        bufferOption("maximum_send_recv_cluster_size", "sends to and receives from the host"),
        bufferOption("maximum_reduce_many_buffer_size", "reductions"),
        limitOption("maximum_all_gather_buffer_size",
                    "Largest gathering over replicas that merges several updated weights (replicated_optimizer_state_sharding). A larger "
                    "tensor is gathered alone. 0: no limit."),
        intOption("optimizations.minimum_remote_tensor_size", 128, 0, std::nullopt, "bytes",
                  "Tensors below this size are never stored in remote memory. For tensors partitioned over replicas the limit is "
                  "multiplied by the number of parts."),
        enumOption("optimizations.merge_remote_buffers", "IF_BENEFICIAL", {"NO_MERGING", "MERGE", "IF_BENEFICIAL"},
                   "Merges remote buffers of tensors with the same shape. IF_BENEFICIAL: only if that allows the compiler to share code."),
        boolOption("optimizations.enable_gather_simplifier", true, "Rewrites gathers as embedding lookups if possible."),
        intOption("optimizations.triangular_solve_expander_block_size", 0, 0, std::nullopt, "rows",
                  "Block size of triangular solves; 0 lets the implementation choose."),
        intOption("optimizations.cholesky_block_size", 0, 0, std::nullopt, "rows",
                  "Block size of Cholesky factorisations; 0 lets the implementation choose."),
        deprecated(boolOption("optimizations.enable_fast_math", false, "Older name of optimizations.math.fast."),
                   "Use optimizations.math.fast instead."),
        boolOption("optimizations.enable_dynamic_slice_replacement", true, "Replaces dynamic slices and updates by planned ones."),
    };
}

} // namespace tilewright::config::detail

#include "engine/passes/pass.h"

#include "engine/config/ipu_config.h"
#include "engine/config/validate.h"
#include "engine/target/machine.h"

#include <algorithm>

namespace tilewright::passes {

std::span<Pass const> graphPasses()
{
    static std::vector<Pass> const kPasses{
        {"fold", "evaluates constants, removes identities, turns constant operands into parameters", foldConstants},
        {"cse", "merges nodes that compute equal values", mergeEqualNodes},
        {"dce", "removes nodes without effect on a result", removeDeadNodes},
        {"combine", "computes products with a common operand, and look-ups in a common table, as one", combineAlike},
        {"fuse", "merges chains of elementwise nodes into one", fuseElementwise},
        {"stages", "copies values between the IPUs of pipeline stages", insertStageCopies},
        {"recompute", "computes activations again in the backward pass instead of keeping them", recomputeActivations},
        {"precision", "marks float16 partial sums, and float16 results with stochastic rounding", markPrecision},
        {"outline", "turns equal runs of nodes into calls of one body", outlineRuns},
        {"offload", "puts variables into streaming memory", offloadVariables},
        {"schedule", "orders nodes for low peak memory", scheduleNodes},
        {"inplace", "lets results reuse the storage of their operands", reuseStorage},
    };
    return kPasses;
}

PassOptions passOptions(config::IpuConfig const &config, int tiles, int replicas)
{
    PassOptions options;
    options.replicas = replicas;
    auto const esr = config::floatingPointBehaviour(config).esr;
    using Rounding = PassOptions::StochasticRounding;
    if (tiles > 0) options.stochasticRounding = esr == "ON" ? Rounding::On : esr == "OFF" ? Rounding::Off : Rounding::ReplicaIdenticalOnly;
    // An accumulation of the AMP takes a group of input channels.
    auto const halfPartials = [&](char const *option) -> std::int64_t {
        auto const values = config.dict(option);
        auto const type = values.find("partialsType");
        return tiles > 0 && type != values.end() && type->second == "half" ? target::Chip().convInputGroup(DType::F16) : 0;
    };
    options.halfProducts = halfPartials("matmuls.poplar_options");
    options.halfConvolutions = halfPartials("convolutions.poplar_options");
    if (config.boolean("optimizations.enable_graph_outlining")) options.outlineTiles = tiles;
    options.onePassVariances = tiles > 0 && !config.boolean("norms.use_stable_statistics");
    options.recompute = tiles > 0 && config.boolean("allow_recompute");
    options.combineProducts = config.boolean("optimizations.combine_matmuls");
    options.combineLookUps = config.boolean("optimizations.combine_embedding_lookups");
    options.fastMath = config::fastMath(config);
    options.minimumRemoteBytes = config.integer("optimizations.minimum_remote_tensor_size");
    options.scheduler = config.text("scheduling.algorithm");
    auto const small = [&](char const *option) { return static_cast<int>(std::min<std::int64_t>(config.integer(option), 1 << 20)); };
    options.lookAheadDepth = small("scheduling.maximum_scheduler_lookahead_depth");
    options.lookAheadSpace = small("scheduling.maximum_scheduler_search_space_size");
    return options;
}

} // namespace tilewright::passes

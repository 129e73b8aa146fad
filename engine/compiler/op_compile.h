#pragma once

#include "engine/core/job_context.h"
#include "engine/lowering/lower_graph.h"
#include "engine/lowering/memory.h"
#include "engine/lowering/schedule.h"

#include <nlohmann/json_fwd.hpp>

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tilewright::compiler {

/// One operation to be compiled alone. Kinds and their extents (`dims`), all at least 1:
///   matmul       m, k, n: [m,k] x [k,n]; transpose_a, transpose_b 0 or 1 (default 0); resident 0 or 1
///   conv2d       batch, height, width, in, out, kernel; stride, groups (default 1); valid 0 or 1 (default: padded so that
///                outputs are inputs / stride); training 0 or 1: both gradients as well
///   elementwise  n; `name`: a primitive of graph/expr.h ("add", "relu")
///   reduce       outer, inner: sums each row of [outer, inner]
///   softmax      rows, cols
///   gather       rows, width of a table, indices: rows that are looked up
///   lstm         batch, steps, in, units: the outputs of all steps of a layer, forward
///   exchange     bytes per tile; `pattern`: all_to_all, broadcast, neighbour or gather
///   allreduce    bytes of the tensor, replicas
struct OpRequest {
    std::string kind;
    std::map<std::string, std::int64_t, std::less<>> dims;
    std::string name;
    std::string pattern;
    DType dtype = DType::F32;
    std::optional<DType> partials; ///< of a product; default: as the operands (the published dense measurements)
    target::Machine machine;
    double availableMemoryProportion = 0.6;
};

/// What there is to ask for, for the command line's help and checks.
struct OpKind {
    std::string_view name;
    std::string_view help;
    std::vector<std::string_view> dims;     ///< required
    std::vector<std::string_view> optional; ///< may be left out
};
std::span<OpKind const> opKinds();
/// Whether an argument of an operation is 0 or 1: no or yes.
bool isYesOrNo(std::string_view dim);

/// The compiled operation: its real program with liveness, addresses and schedule, and what they add up to.
struct OpCompileResult {
    struct CycleSums {
        Cycles total = 0, compute = 0, exchange = 0, sync = 0;
    } cycles;                   ///< of one run; total is that of the schedule
    double emulatedSeconds = 0; ///< total cycles at the chip's clock
    std::int64_t flops = 0;
    double tflops = 0; ///< 0 when the operation does no arithmetic
    std::string plan;  ///< JSON object of a product's plan, "" otherwise
    std::int64_t vertices = 0;
    std::int64_t computeSets = 0;
    std::int64_t exchangedBytes = 0; ///< received over all tiles
    target::Machine machine;
    lowering::Lowered lowered;
    lowering::Liveness liveness;
    lowering::Schedule schedule;
    lowering::Memory memory;
};

/// Compiles the operation: operands and result stay in the tiles, no host transfer is counted. The program is
/// verified. An operation that does not fit the tiles is compiled all the same (memory.fits says so).
/// Errors: Usage "op.kind", "op.argument", "op.missing" with what would be right; those of lowering.
Result<OpCompileResult> compileOp(OpRequest const &request, JobContext const &job);

/// The object `tilewright op` prints (design of the command line: op KIND).
nlohmann::ordered_json toJson(OpCompileResult const &result);

} // namespace tilewright::compiler

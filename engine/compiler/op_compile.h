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

/// A request to compile one operation alone. Kinds and their extents (`dims`), all at least 1:
///   matmul       m, k, n: [m,k] x [k,n]; transpose_a, transpose_b 0 or 1 (default 0); resident 0 or 1
///   conv2d       batch, height, width, in, out, kernel; stride, groups (default 1); valid 0 or 1 (default: padded so that
///                outputs are inputs / stride); training 0 or 1: both gradients as well
///   elementwise  n; `name`: a primitive of graph/expr.h ("add", "relu")
///   reduce       outer, inner: sums each row of [outer, inner]
///   softmax      rows, cols
///   gather       rows, width of a table; indices: number of rows to read
///   lstm         batch, steps, in, units: forward pass of a layer, outputs of all steps
///   exchange     bytes per tile; `pattern`: all_to_all, broadcast, neighbour or gather
///   allreduce    bytes of the tensor, replicas
struct OpRequest {
    std::string kind;
    std::map<std::string, std::int64_t, std::less<>> dims;
    std::string name;
    std::string pattern;
    DType dtype = DType::F32;
    std::optional<DType> partials; ///< of a product; default: type of the operands (as in the published dense measurements)
    target::Machine machine;
    double availableMemoryProportion = 0.6;
};

/// A kind of operation, for help and checks of the command line.
struct OpKind {
    std::string_view name;
    std::string_view help;
    std::vector<std::string_view> dims;     ///< required
    std::vector<std::string_view> optional; ///< may be left out
};
std::span<OpKind const> opKinds();
/// Whether an argument of an operation is a flag, 0 or 1.
bool isYesOrNo(std::string_view dim);

/// The compiled operation: its program with liveness, addresses and schedule, and their totals.
struct OpCompileResult {
    struct CycleSums {
        Cycles total = 0, compute = 0, exchange = 0, sync = 0;
    } cycles;                   ///< of one run; total is that of the schedule
    double emulatedSeconds = 0; ///< total cycles at the chip's clock
    std::int64_t flops = 0;
    double tflops = 0; ///< 0 without arithmetic
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

/// Compiles the operation. Operands and result stay on the tiles; no host transfer is counted. The program is verified. An operation that
/// does not fit the tiles is compiled too (memory.fits reports it). Errors: Usage "op.kind", "op.argument", "op.missing" with the valid
/// values; those of lowering.
Result<OpCompileResult> compileOp(OpRequest const &request, JobContext const &job);

/// The JSON document of `tilewright op` (design of the command line: op KIND).
nlohmann::ordered_json toJson(OpCompileResult const &result);

} // namespace tilewright::compiler

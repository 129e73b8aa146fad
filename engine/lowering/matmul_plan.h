#pragma once

#include "engine/core/types.h"
#include "engine/lowering/plan_search.h"
#include "engine/target/machine.h"

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace tilewright::lowering {

/// The PopLibs matmul options.
struct MatmulOptions {
    double availableMemoryProportion = 0.6; ///< share of a tile for the temporaries of one product
    DType partials = DType::F32;
};

/// C[m,n] = A[m,k] B[k,n] on one IPU, `batch` times with different operands. With `resident`, B is a variable that stays on its tiles in
/// the plan's layout. With `backward` / `update`, the same grid of tiles also computes dA = dC B^T and dB = A^T dC, and their cost is part
/// of the choice (a joint plan).
struct MatmulProblem {
    std::int64_t m = 1, k = 1, n = 1;
    DType in = DType::F32;
    bool resident = false;
    bool backward = false;
    bool update = false;
    std::int64_t batch = 1;                      ///< above 1: both operands are data
    bool transposeA = false, transposeB = false; ///< stored as [k,m], [n,k] and transposed on the tiles. Not for joint plans
    bool operator==(MatmulProblem const &) const = default;
};

/// Cycles of the phases of a product on its busiest tile.
struct MatmulCost {
    Cycles operandExchange = 0, rearrange = 0, vertex = 0, partialExchange = 0, reduce = 0, overhead = 0;
    Cycles backward = 0, update = 0; ///< totals of the two other products of a joint plan
    Cycles total() const { return operandExchange + rearrange + vertex + partialExchange + reduce + overhead + backward + update; }
};

/// Serial splits of a product in the same buffers: equal ranges of each tile's work.
struct ProductSplits {
    enum class Over : std::uint8_t {
        Rows,    ///< of the result and of the first operand
        Columns, ///< of the result and of the second operand
        Products ///< of a batch
    };
    std::int64_t count = 1;
    Over over = Over::Rows;
    bool isOver(Over what) const { return count > 1 && over == what; }
    bool operator==(ProductSplits const &) const = default;
};
std::string_view toText(ProductSplits::Over over);

/// The grid of tiles: pb x pm x pk x pn parallel parts (batch, rows, inner, columns), and `serial` splits over column groups whose results
/// stay beside each other (single products only). Tile of part (b, i, l, j): b strideB + i strideM + l strideK + j strideN.
struct MatmulPlan {
    std::int64_t pm = 1, pk = 1, pn = 1, serial = 1;
    std::int64_t mb = 1, kb = 1, nb = 1; ///< block sizes on a tile; nb of one split
    bool swapped = false;                ///< B's columns are the positions of the AMP, A the weights
    std::int32_t strideM = 0, strideK = 0, strideN = 0;
    std::int64_t pb = 1, bb = 1; ///< parts of the batch; products per tile
    std::int32_t strideB = 0;
    /// Splits of joint plans and batches, by PlanRole: ranges of each tile's block. They change neither the grid nor the layout of results.
    /// Block sizes above cover all splits.
    std::array<ProductSplits, 3> splits;
    MatmulCost cost;
    Bytes temporaryBytes = 0; ///< on the busiest tile, of the largest product of a joint plan
    Bytes bytesAtOnce = 0;    ///< the same without splits
    bool withinMemoryBound = true;
    std::int64_t tiles() const { return pb * pm * pk * pn; }
    ProductSplits const &splitsOf(PlanRole role) const { return splits[static_cast<std::size_t>(role)]; }
};

struct MatmulPlans {
    std::vector<MatmulPlan> best; ///< best first, at most five
    double memoryProportion = 0;  ///< the bound that held; above the requested one if no plan fitted
};

/// Enumerates row, output and inner splits and serial splits over the chip's tiles (section 7 of the cycle model: poplibs
/// lib/poplin/ConvPlan.cpp), for the product and its transpose. In a joint plan or a batch, each product whose temporaries exceed the
/// proportion uses the fewest splits that keep them below it. If no plan fits, the bound is doubled up to twice; then the plan with the
/// least temporaries is used.
MatmulPlans planMatmul(MatmulProblem const &problem, target::Chip const &chip, MatmulOptions const &options);

/// JSON object: the chosen plan and the alternatives with their cost terms.
std::string planJson(MatmulProblem const &problem, MatmulPlans const &plans);

/// Cycles at the arithmetic peak of all tiles.
Cycles idealMatmulCycles(MatmulProblem const &problem, target::Chip const &chip);

/// The vertex that multiplies a tile's blocks.
enum class MatmulVertex : std::uint8_t {
    Amp,          ///< ConvPartial1x1Out
    HorizontalMac ///< ConvPartialHorizontalMac: dot products, if the AMP's outputs would be mostly padding
};

/// The cheaper vertex for rows x inner times inner x cols on one tile. `swapped` as in MatmulPlan.
MatmulVertex matmulVertex(std::int64_t rows, std::int64_t inner, std::int64_t cols, DType in, DType partials, bool swapped,
                          target::Chip const &chip);
/// Its cycles for `products` consecutive products.
Cycles matmulVertexCycles(std::int64_t rows, std::int64_t inner, std::int64_t cols, DType in, DType partials, bool swapped,
                          target::Chip const &chip, std::int64_t products = 1);

} // namespace tilewright::lowering

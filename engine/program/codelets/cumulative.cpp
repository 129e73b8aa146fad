// Running sums and products along the rows of a block.
#include "engine/program/codelets/codelet_list.h"
#include "engine/program/codelets/description_parts.h"
#include "engine/program/codelets/support.h"
#include "engine/program/cost/reduce_cost.h"

#include <type_traits>
#include <vector>

namespace tilewright::program {

namespace {

/// Integers wrap around.
template <typename T, bool product> T grown(T sum, T x)
{
    if constexpr (std::is_same_v<T, std::int32_t>) {
        auto const a = static_cast<std::uint32_t>(sum), b = static_cast<std::uint32_t>(x);
        return static_cast<std::int32_t>(product ? a * b : a + b);
    } else {
        return product ? sum * x : sum + x;
    }
}

template <typename T, bool product> void runRow(T const *x, T *out, std::int64_t n, bool exclusive, bool reverse)
{
    T sum = static_cast<T>(product ? 1 : 0);
    for (std::int64_t k = 0; k < n; ++k) {
        std::int64_t const at = reverse ? n - 1 - k : k;
        T const next = grown<T, product>(sum, x[at]);
        out[at] = exclusive ? sum : next;
        sum = next;
    }
}

/// Fields: result, operand. Scalars: exclusive or not, reverse or not.
template <bool product> void run(std::byte *tile, VertexState const &s, Workers workers)
{
    auto const &in = s.fields[1];
    bool const exclusive = s.scalars[0] != 0, reverse = s.scalars[1] != 0;
    auto const [begin, end] = shareOf(in.rows, workers);
    std::int64_t const n = in.cols;
    std::vector<float> from(static_cast<std::size_t>(n)), to(static_cast<std::size_t>(n));
    for (std::int64_t r = begin; r < end; ++r) {
        if (in.dtype == DType::I32) {
            runRow<std::int32_t, product>(at<std::int32_t>(tile, in) + r * n, at<std::int32_t>(tile, s.fields[0]) + r * n, n, exclusive,
                                          reverse);
            continue;
        }
        runRow<float, product>(loadFloats(tile, in, r * n, n, from.data()), to.data(), n, exclusive, reverse);
        storeFloats(tile, s.fields[0], r * n, n, to.data());
    }
}

} // namespace

void addCumulativeCodelets(std::vector<Codelet> &all)
{
    for (bool product : {false, true}) {
        Codelet c;
        c.name = product ? "CumProd" : "CumSum";
        c.codeBytes = 160;
        c.cycles = [](VertexShape const &shape, target::Chip const &) {
            auto const &in = shape.fields[1];
            return 6 * cost::cumulativeWorkerCycles(in.dtype, ceilDiv(in.rows, std::int64_t{6}), in.cols);
        };
        c.stateBytes = usualState;
        c.run = product ? run<true> : run<false>;
        c.description = describe({.family = "reduce",
                                  .title = product ? "running products of rows" : "running sums of rows",
                                  .source = "own count of the inner loop",
                                  .params = {storedTypeParam(), matrixRowsParam(), matrixColumnsParam()},
                                  .vertex = [](cost::Args const &a) -> SizedVertex {
                                      auto const field = matrixField(storageType(a.type("type")), a.integer("rows"), a.integer("columns"));
                                      return {{field, field}, {0.0, 0.0}};
                                  }});
        all.push_back(std::move(c));
    }
}

} // namespace tilewright::program

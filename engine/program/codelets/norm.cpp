// Normalisation: sums, squares, whitening and its gradient over a block [outer][reduced][kept][inner], statistics in float32.
#include "engine/program/codelets/codelet_list.h"
#include "engine/program/codelets/description_parts.h"
#include "engine/program/codelets/support.h"
#include "engine/program/cost/elementwise_cost.h"
#include "engine/program/cost/nn_cost.h"
#include "engine/program/cost/reduce_cost.h"

#include <cmath>
#include <vector>

namespace tilewright::program {

namespace {

/// Scalars: extent of `inner` (whole on each tile), then those of the vertex.
struct View {
    std::int64_t outer, reduced, kept, inner;

    /// From a field of statistics [terms x outer, kept] and a field of the block.
    View(std::int64_t statRows, std::int64_t statCols, std::int64_t terms, std::int64_t elements, std::int64_t innerExtent)
        : outer(statRows / terms), reduced(std::max<std::int64_t>(1, elements / (outer * statCols * innerExtent))), kept(statCols),
          inner(innerExtent)
    {
    }
    std::int64_t groups() const { return outer * kept; }
    std::int64_t elements() const { return groups() * reduced * inner; }
    std::int64_t at(std::int64_t o, std::int64_t r, std::int64_t k) const { return ((o * reduced + r) * kept + k) * inner; }
};

template <typename Field> View viewOf(Field const &stats, std::int64_t terms, Field const &block, std::span<double const> scalars)
{
    return {stats.rows, stats.cols, terms, block.elements(), static_cast<std::int64_t>(scalars[0])};
}

/// A whole field as floats.
class Whole {
public:
    Whole(std::byte *tile, VertexState::Ref const &ref) : m_wide(ref.dtype == DType::F32 ? 0 : static_cast<std::size_t>(ref.elements()))
    {
        m_data = loadFloats(tile, ref, 0, ref.elements(), m_wide.data());
    }
    float const &operator[](std::int64_t i) const { return m_data[i]; }
    float const *data() const { return m_data; }

private:
    std::vector<float> m_wide;
    float const *m_data;
};

/// Adds term(element, group) for each element of a group. The sums follow the first `first` numbers of a field.
template <typename Term>
void sumGroups(std::byte *tile, VertexState::Ref const &to, View const &v, std::int64_t first, Share share, Term const &term)
{
    std::vector<float> sums(static_cast<std::size_t>(std::max<std::int64_t>(0, share.end - share.begin)), 0.0f);
    for (auto g = share.begin; g < share.end; ++g) {
        float sum = 0;
        for (std::int64_t r = 0; r < v.reduced; ++r)
            for (std::int64_t i = v.at(g / v.kept, r, g % v.kept), end = i + v.inner; i < end; ++i) sum += term(i, g);
        sums[static_cast<std::size_t>(g - share.begin)] = sum;
    }
    storeFloats(tile, to, first + share.begin, static_cast<std::int64_t>(sums.size()), sums.data());
}

void runSum(std::byte *tile, VertexState const &s, Workers workers)
{
    auto const v = viewOf(s.fields[0], 1, s.fields[1], s.scalars);
    Whole const x(tile, s.fields[1]);
    sumGroups(tile, s.fields[0], v, 0, shareOf(v.groups(), workers), [&](std::int64_t i, std::int64_t) { return x[i]; });
}

/// Fields: sums of x, sums of its squares, x.
void runPowers(std::byte *tile, VertexState const &s, Workers workers)
{
    auto const v = viewOf(s.fields[0], 1, s.fields[2], s.scalars);
    Whole const x(tile, s.fields[2]);
    auto const share = shareOf(v.groups(), workers);
    sumGroups(tile, s.fields[0], v, 0, share, [&](std::int64_t i, std::int64_t) { return x[i]; });
    sumGroups(tile, s.fields[1], v, 0, share, [&](std::int64_t i, std::int64_t) { return x[i] * x[i]; });
}

void runSquares(std::byte *tile, VertexState const &s, Workers workers)
{
    auto const v = viewOf(s.fields[0], 1, s.fields[1], s.scalars);
    Whole const x(tile, s.fields[1]), mean(tile, s.fields[2]);
    sumGroups(tile, s.fields[0], v, 0, shareOf(v.groups(), workers), [&](std::int64_t i, std::int64_t g) {
        float const apart = x[i] - mean[g];
        return apart * apart;
    });
}

/// Fields: sums of d and of d times whitened; d; whitened.
void runGradientSums(std::byte *tile, VertexState const &s, Workers workers)
{
    auto const v = viewOf(s.fields[0], 2, s.fields[1], s.scalars);
    Whole const d(tile, s.fields[1]), whitened(tile, s.fields[2]);
    auto const share = shareOf(v.groups(), workers);
    sumGroups(tile, s.fields[0], v, 0, share, [&](std::int64_t i, std::int64_t) { return d[i]; });
    sumGroups(tile, s.fields[0], v, v.groups(), share, [&](std::int64_t i, std::int64_t) { return d[i] * whitened[i]; });
}

/// Rows of kept x inner elements; each becomes value(element, group).
template <typename ValueOf> void mapRows(std::byte *tile, VertexState const &s, View const &v, Workers workers, ValueOf const &value)
{
    auto const [begin, end] = shareOf(v.outer * v.reduced, workers);
    std::vector<float> row(static_cast<std::size_t>(v.kept * v.inner));
    for (auto at = begin; at < end; ++at) {
        std::int64_t const first = at * v.kept * v.inner, group = at / v.reduced * v.kept;
        for (std::int64_t k = 0; k < v.kept; ++k)
            for (std::int64_t j = 0; j < v.inner; ++j)
                row[static_cast<std::size_t>(k * v.inner + j)] = value(first + k * v.inner + j, group + k);
        storeFloats(tile, s.fields[0], first, static_cast<std::int64_t>(row.size()), row.data());
    }
}

/// Fields: result, block, mean, inverse deviation.
void runWhiten(std::byte *tile, VertexState const &s, Workers workers)
{
    auto const v = viewOf(s.fields[2], 1, s.fields[1], s.scalars);
    Whole const x(tile, s.fields[1]), mean(tile, s.fields[2]), inverse(tile, s.fields[3]);
    mapRows(tile, s, v, workers, [&](std::int64_t i, std::int64_t g) { return (x[i] - mean[g]) * inverse[g]; });
}

/// Fields: result, d, whitened, means of d and of d times whitened, inverse deviation.
void runWhitenGradient(std::byte *tile, VertexState const &s, Workers workers)
{
    auto const v = viewOf(s.fields[3], 2, s.fields[1], s.scalars);
    Whole const d(tile, s.fields[1]), whitened(tile, s.fields[2]), means(tile, s.fields[3]), inverse(tile, s.fields[4]);
    mapRows(tile, s, v, workers,
            [&](std::int64_t i, std::int64_t g) { return ((d[i] - means[g]) - whitened[i] * means[v.groups() + g]) * inverse[g]; });
}

/// Scalars: epsilon.
void runInverseDeviation(std::byte *tile, VertexState const &s, Workers workers)
{
    auto const [begin, end] = shareOf(s.fields[0].elements(), workers);
    auto const epsilon = static_cast<float>(s.scalars[0]);
    for (auto i = begin; i < end; ++i) {
        float const inverse = 1.0f / std::sqrt(loadScalar(tile, s.fields[1], i) + epsilon);
        storeFloats(tile, s.fields[0], i, 1, &inverse);
    }
}

// -- cycles: the sum of the library's vertices

/// Applies op with one number per group: along the innermost dimension if groups are contiguous there, otherwise run by run.
Cycles broadcastCycles(char const *op, DType type, View const &v)
{
    if (v.inner == 1 && v.kept > 1) return cost::broadcastVectorInner1DCycles(op, type, v.kept, v.reduced, v.outer, true).value();
    std::int64_t const runs = v.kept > 1 ? v.groups() * v.reduced : v.outer;
    return cost::broadcastVectorOuterCycles(op, type, runs, v.elements() / runs, runs >= cost::kWorkers, true).value();
}

Cycles reduceCycles(cost::ReduceOp op, DType type, View const &v)
{
    if (v.inner == 1) return cost::tileReduceCycles(op, type, DType::F32, v.outer, v.reduced, v.kept);
    return cost::tileReduceCycles(op, type, DType::F32, v.groups(), v.reduced * v.inner, 1);
}

Cycles multiplyCycles(DType type, View const &v) { return cost::binary1DCycles("multiply", type, v.elements(), true).value(); }

// -- sizes by name

/// Sizes of a block and its statistics.
struct Typed {
    DType type;
    std::int64_t outer, reduced, kept, inner;

    explicit Typed(cost::Args const &a)
        : type(storageType(a.type("type"))), outer(a.integer("outer")), reduced(a.integer("reduced")), kept(a.integer("kept")),
          inner(a.integer("inner"))
    {
    }
    FieldShape block() const { return matrixField(type, outer * reduced, kept * inner); }
    FieldShape statistics(std::int64_t terms = 1) const { return matrixField(DType::F32, terms * outer, kept); }
};

std::shared_ptr<CodeletDescription const> describeNorm(char const *title, std::vector<FieldShape> (*fields)(Typed const &))
{
    return describe({.family = "nn",
                     .title = title,
                     .source = "the library's reductions and broadcasts one after the other",
                     .params = {floatTypeParam(), cost::integerParam("outer", "1", "outer groups of statistics", 1),
                                cost::integerParam("reduced", "", "elements that share statistics", 1),
                                cost::integerParam("kept", "1", "statistics side by side", 1),
                                cost::integerParam("inner", "1", "neighbours that share statistics", 1)},
                     .vertex = [fields](cost::Args const &a) -> SizedVertex {
                         Typed const typed(a);
                         return {fields(typed), {static_cast<double>(typed.inner)}};
                     }});
}

} // namespace

void addNormCodelets(std::vector<Codelet> &all)
{
    auto const add = [&](char const *name, Bytes code, Cycles (*cycles)(VertexShape const &),
                         void (*run)(std::byte *, VertexState const &, Workers)) {
        Codelet c;
        c.name = name;
        c.codeBytes = code;
        c.cycles = [cycles](VertexShape const &shape, target::Chip const &) { return cycles(shape); };
        c.stateBytes = usualState;
        c.run = run;
        all.push_back(std::move(c));
    };
    add(
        "NormSum", 520,
        [](VertexShape const &s) {
            auto const v = viewOf(s.fields[0], 1, s.fields[1], s.scalars);
            return reduceCycles(cost::ReduceOp::Add, s.fields[1].dtype, v);
        },
        runSum);
    using Fields = std::vector<FieldShape>;
    all.back().description = describeNorm("sums of a norm", [](Typed const &t) -> Fields { return {t.statistics(), t.block()}; });
    add(
        "NormPowers", 900,
        [](VertexShape const &s) {
            auto const v = viewOf(s.fields[0], 1, s.fields[2], s.scalars);
            auto const type = s.fields[2].dtype;
            return reduceCycles(cost::ReduceOp::Add, type, v) + reduceCycles(cost::ReduceOp::SquareAdd, type, v);
        },
        runPowers);
    all.back().description = describeNorm("sums and sums of squares of a norm", [](Typed const &t) -> Fields {
        return {t.statistics(), t.statistics(), t.block()};
    });
    add(
        "NormSquares", 900,
        [](VertexShape const &s) {
            auto const v = viewOf(s.fields[0], 1, s.fields[1], s.scalars);
            auto const type = s.fields[1].dtype;
            return broadcastCycles("subtract", type, v) + reduceCycles(cost::ReduceOp::SquareAdd, type, v);
        },
        runSquares);
    all.back().description = describeNorm("sums of squared distances from the mean", [](Typed const &t) -> Fields {
        return {t.statistics(), t.block(), t.statistics()};
    });
    add(
        "NormWhiten", 760,
        [](VertexShape const &s) {
            auto const v = viewOf(s.fields[2], 1, s.fields[1], s.scalars);
            auto const type = s.fields[1].dtype;
            return broadcastCycles("subtract", type, v) + broadcastCycles("multiply", type, v);
        },
        runWhiten);
    all.back().description = describeNorm("mean zero, deviation one", [](Typed const &t) -> Fields {
        return {t.block(), t.block(), t.statistics(), t.statistics()};
    });
    add(
        "NormGradSums", 900,
        [](VertexShape const &s) {
            auto const v = viewOf(s.fields[0], 2, s.fields[1], s.scalars);
            auto const type = s.fields[1].dtype;
            return multiplyCycles(type, v) + 2 * reduceCycles(cost::ReduceOp::Add, type, v);
        },
        runGradientSums);
    all.back().description = describeNorm("sums of a norm's gradient", [](Typed const &t) -> Fields {
        return {t.statistics(2), t.block(), t.block()};
    });
    add(
        "NormWhitenGrad", 1200,
        [](VertexShape const &s) {
            auto const v = viewOf(s.fields[3], 2, s.fields[1], s.scalars);
            auto const type = s.fields[1].dtype;
            return 2 * broadcastCycles("subtract", type, v) + 2 * broadcastCycles("multiply", type, v);
        },
        runWhitenGradient);
    all.back().description = describeNorm("gradient of a norm", [](Typed const &t) -> Fields {
        return {t.block(), t.block(), t.block(), t.statistics(2), t.statistics()};
    });
    add(
        "InverseStdDeviation", 180,
        [](VertexShape const &s) {
            return cost::kWorkers * cost::inverseStdDeviationWorkerCycles(ceilDiv(s.fields[0].elements(), cost::kWorkers));
        },
        runInverseDeviation);
    all.back().description =
        describe({.library = "poplin::InverseStdDeviation",
                  .family = "nn",
                  .title = "1/standard deviation of a norm",
                  .source = "poplibs lib/poplin/poplinCycleEstimators.cpp",
                  .params = {elementsParam("elements of the worker")},
                  .vertex = [](cost::Args const &a) -> SizedVertex {
                      auto const field = matrixField(DType::F32, 1, cost::kWorkers * a.integer("n"));
                      return {{field, field}, {0.001}};
                  },
                  .cycles = [](cost::Args const &a) -> Result<Cycles> { return cost::inverseStdDeviationWorkerCycles(a.integer("n")); },
                  .perWorker = true});
}

} // namespace tilewright::program

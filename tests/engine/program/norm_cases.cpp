// Vertices of normalisation on a block [outer][reduced][kept][inner].
#include "engine/core/replica_seeds.h"
#include "tests/engine/program/case_parts.h"

#include <cmath>

namespace tilewright::tests {

namespace {

CaseField field(DType type, std::int64_t rows, std::int64_t cols, bool written, double low = -1, double high = 1)
{
    return {type, 1, rows, cols, 0, 0, low, high, written, 1, 1, false, {}};
}

struct Block {
    std::int64_t outer, reduced, kept, inner;
    DType type;

    explicit Block(Random &random)
        : outer(upTo(random, 4)), reduced(upTo(random, 9)), kept(upTo(random, 9)), inner(random.below(2) ? 1 : upTo(random, 9)),
          type(floating(random))
    {
    }
    /// The view is independent of the storage of rows and columns, which can be those of a tensor of several dimensions.
    CaseField data(bool written, double low = -1, double high = 1) const
    {
        return field(type, outer * reduced, kept * inner, written, low, high);
    }
    CaseField statistics(std::int64_t terms, bool written, double low = -1, double high = 1) const
    {
        return field(DType::F32, terms * outer, kept, written, low, high);
    }
    std::size_t groups() const { return static_cast<std::size_t>(outer * kept); }
    /// visit(element, group)
    template <typename Visit> void forEach(Visit const &visit) const
    {
        std::size_t i = 0;
        for (std::int64_t o = 0; o < outer; ++o)
            for (std::int64_t r = 0; r < reduced; ++r)
                for (std::int64_t k = 0; k < kept; ++k)
                    for (std::int64_t j = 0; j < inner; ++j) visit(i++, static_cast<std::size_t>(o * kept + k));
    }
    double tolerance() const { return type == DType::F16 ? 2e-3 : 1e-5; }
};

CodeletCase caseOf(Block const &b, std::vector<CaseField> fields, double tolerance, std::function<void(Contents &)> naive)
{
    CodeletCase c;
    c.fields = std::move(fields);
    c.scalars = {static_cast<double>(b.inner)};
    c.tolerance = tolerance;
    c.naive = std::move(naive);
    return c;
}

} // namespace

CaseMakers normCases()
{
    CaseMakers m;
    m["NormSum"] = [](Random &random) {
        Block const b(random);
        return caseOf(b, {b.statistics(1, true), b.data(false, 0.1, 1)}, 1e-5, [b](Contents &x) {
            x[0].assign(b.groups(), 0.0);
            b.forEach([&](std::size_t i, std::size_t g) { x[0][g] += x[1][i]; });
        });
    };
    m["NormPowers"] = [](Random &random) {
        Block const b(random);
        return caseOf(b, {b.statistics(1, true), b.statistics(1, true), b.data(false, 0.1, 1)}, 1e-5, [b](Contents &x) {
            x[0].assign(b.groups(), 0.0);
            x[1].assign(b.groups(), 0.0);
            b.forEach([&](std::size_t i, std::size_t g) {
                x[0][g] += x[2][i];
                x[1][g] += x[2][i] * x[2][i];
            });
        });
    };
    m["NormSquares"] = [](Random &random) {
        Block const b(random);
        return caseOf(b, {b.statistics(1, true), b.data(false), b.statistics(1, false)}, 1e-5, [b](Contents &x) {
            x[0].assign(b.groups(), 0.0);
            b.forEach([&](std::size_t i, std::size_t g) { x[0][g] += std::pow(x[1][i] - x[2][g], 2); });
        });
    };
    m["NormWhiten"] = [](Random &random) {
        Block const b(random);
        return caseOf(b, {b.data(true), b.data(false), b.statistics(1, false), b.statistics(1, false, 0.5, 2)}, b.tolerance(),
                      [b](Contents &x) { b.forEach([&](std::size_t i, std::size_t g) { x[0][i] = (x[1][i] - x[2][g]) * x[3][g]; }); });
    };
    m["NormGradSums"] = [](Random &random) {
        Block const b(random);
        return caseOf(b, {b.statistics(2, true), b.data(false, 0.1, 1), b.data(false, 0.1, 1)}, 1e-5, [b](Contents &x) {
            x[0].assign(2 * b.groups(), 0.0);
            b.forEach([&](std::size_t i, std::size_t g) {
                x[0][g] += x[1][i];
                x[0][b.groups() + g] += x[1][i] * x[2][i];
            });
        });
    };
    m["NormWhitenGrad"] = [](Random &random) {
        Block const b(random);
        return caseOf(
            b, {b.data(true), b.data(false), b.data(false), b.statistics(2, false), b.statistics(1, false, 0.5, 2)}, b.tolerance(),
            [b](Contents &x) {
                b.forEach([&](std::size_t i, std::size_t g) { x[0][i] = (x[1][i] - x[3][g] - x[2][i] * x[3][b.groups() + g]) * x[4][g]; });
            });
    };
    m["InverseStdDeviation"] = [](Random &random) {
        auto const rows = upTo(random, 4), cols = upTo(random, 40);
        CodeletCase c;
        c.fields = {field(DType::F32, rows, cols, true), field(DType::F32, rows, cols, false, 0, 2)};
        c.scalars = {0.001};
        c.naive = [](Contents &x) {
            for (std::size_t i = 0; i < x[0].size(); ++i) x[0][i] = 1 / std::sqrt(x[1][i] + 0.001);
        };
        return c;
    };
    m["Normal"] = [](Random &random) {
        program::FieldBlock block;
        block.rank = static_cast<int>(upTo(random, 4));
        for (std::size_t d = 0; d < static_cast<std::size_t>(block.rank); ++d) {
            auto const begin = static_cast<std::int64_t>(random.below(5));
            block.range[d] = {begin, begin + upTo(random, 7)};
            block.extent[d] = block.range[d].end + static_cast<std::int64_t>(random.below(3));
        }
        CodeletCase c;
        auto const type = random.below(3) == 0 ? DType::F16 : DType::F32;
        c.fields = {blockField(type, 1, block, true), field(DType::I32, 1, 1, false, 0, 1000)};
        c.scalars = {0.25, 1.5, static_cast<double>(random.below(50))};
        c.replica = static_cast<int>(random.below(3));
        c.replicas = 3;
        c.seed = runSeed(random.next());
        c.tolerance = type == DType::F16 ? 2e-3 : 1e-5;
        c.naive = [block, node = c.scalars[2], seed = c.seed, replica = c.replica](Contents &x) {
            auto const stream =
                deriveSeed(deriveSeed(deriveSeed(seed, static_cast<std::uint64_t>(replica)), static_cast<std::uint64_t>(node)),
                           static_cast<std::uint64_t>(x[1][0]));
            for (std::size_t i = 0; i < x[0].size(); ++i) {
                // Where the element is in the whole tensor.
                std::uint64_t element = 0, unit = 1;
                auto rest = static_cast<std::int64_t>(i);
                for (std::size_t d = static_cast<std::size_t>(block.rank); d-- > 0;) {
                    auto const size = block.range[d].size();
                    element += static_cast<std::uint64_t>(block.range[d].begin + rest % size) * unit;
                    rest /= size;
                    unit *= static_cast<std::uint64_t>(block.extent[d]);
                }
                double sum = 0;
                for (std::uint64_t k = 0; k < 12; ++k)
                    sum += static_cast<double>(randomBits(stream, 3 * element + k / 4) >> 16 * (k % 4) & 0xffff);
                x[0][i] = 0.25 + 1.5 * (sum - 12 * 32767.5) / 65536;
            }
        };
        return c;
    };
    return m;
}

} // namespace tilewright::tests

// Losses of classes and their gradients.
#include "tests/engine/program/case_parts.h"

#include <cmath>

namespace tilewright::tests {

namespace {

CodeletCase crossEntropy(Random &random, bool sparse)
{
    CodeletCase c;
    auto const rows = upTo(random, 14), cols = 1 + upTo(random, 12);
    auto const type = floating(random);
    c.fields = {out(type, 1, rows, 1), in(type, 1, rows, cols, -3, 3), in(type, 1, rows, 1, 2, 3), in(type, 1, rows, 1, 1, 4),
                sparse ? in(DType::I32, 1, rows, 1, 0, static_cast<double>(cols - 1)) : in(type, 1, rows, cols, 0, 1)};
    c.tolerance = toleranceOf(type);
    c.naive = [rows, cols, sparse](Contents &x) {
        for (std::int64_t r = 0; r < rows; ++r) {
            auto const row = static_cast<std::size_t>(r);
            double loss = 0;
            for (std::int64_t k = 0; k < cols; ++k) {
                auto const at = static_cast<std::size_t>(r * cols + k);
                double const weight = sparse ? static_cast<double>(static_cast<std::int64_t>(x[4][row]) == k) : x[4][at];
                loss += weight * (std::log(x[3][row]) + x[2][row] - x[1][at]);
            }
            x[0][row] = loss;
        }
    };
    return c;
}

CodeletCase crossEntropyGrad(Random &random, bool sparse)
{
    CodeletCase c;
    auto const rows = upTo(random, 14), cols = 1 + upTo(random, 12);
    bool const perRow = random.below(2) == 1;
    auto const type = floating(random);
    c.fields = {out(type, 1, rows, cols), in(type, 1, rows, cols, 0, 1),
                sparse ? in(DType::I32, 1, rows, 1, 0, static_cast<double>(cols - 1)) : in(type, 1, rows, cols, 0, 1),
                in(type, 1, perRow ? rows : 1, 1)};
    c.tolerance = toleranceOf(type);
    c.naive = [rows, cols, sparse, perRow](Contents &x) {
        for (std::int64_t r = 0; r < rows; ++r) {
            double const d = x[3][perRow ? static_cast<std::size_t>(r) : 0];
            double total = sparse ? 1 : 0;
            for (std::int64_t k = 0; k < cols && !sparse; ++k) total += x[2][static_cast<std::size_t>(r * cols + k)];
            for (std::int64_t k = 0; k < cols; ++k) {
                auto const at = static_cast<std::size_t>(r * cols + k);
                double const target =
                    sparse ? static_cast<double>(static_cast<std::int64_t>(x[2][static_cast<std::size_t>(r)]) == k) : x[2][at];
                x[0][at] = (x[1][at] * total - target) * d;
            }
        }
    };
    return c;
}

} // namespace

CaseMakers lossCases()
{
    return {{"SparseCrossEntropy", [](Random &r) { return crossEntropy(r, true); }},
            {"CategoricalCrossEntropy", [](Random &r) { return crossEntropy(r, false); }},
            {"SparseCrossEntropyGrad", [](Random &r) { return crossEntropyGrad(r, true); }},
            {"CategoricalCrossEntropyGrad", [](Random &r) { return crossEntropyGrad(r, false); }}};
}

} // namespace tilewright::tests

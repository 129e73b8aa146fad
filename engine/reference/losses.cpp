#include "engine/reference/reference_ops.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace tilewright::reference {

namespace {

using Row = std::vector<double>;

Row rowOf(RefTensor const &t, std::int64_t row, std::int64_t cols)
{
    auto const begin = t.v.begin() + row * cols;
    return Row(begin, begin + cols);
}

void setRow(Call const &call, std::size_t output, std::int64_t row, Row const &values)
{
    for (std::size_t c = 0; c < values.size(); ++c)
        call.out[output].v[static_cast<std::size_t>(row) * values.size() + c] = call.round(values[c], output);
}

struct RowStats {
    double largest;
    double sum;
}; ///< of exp(x - largest)
RowStats statsOf(Row const &x)
{
    double largest = x.empty() ? 0.0 : x[0];
    for (double value : x)
        if (value > largest || std::isnan(value)) largest = value;
    double sum = 0;
    for (double value : x) sum += std::exp(value - largest);
    return {largest, sum};
}

Row softmaxOf(Row const &x)
{
    auto const stats = statsOf(x);
    Row y;
    for (double value : x) y.push_back(std::exp(value - stats.largest) / stats.sum);
    return y;
}

double dot(Row const &a, Row const &b)
{
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
    return sum;
}

double sum(Row const &a)
{
    double total = 0;
    for (double value : a) total += value;
    return total;
}

/// Calls body(row, x, second) for each row; `second` is empty if the op has one operand.
template <typename Body> Status eachRow(Call const &call, std::size_t inputs, Body body)
{
    TW_TRY(expectCounts(call, inputs, 1));
    auto const rows = rowsOf(call.in[0].shape);
    for (auto const &input : call.in) TW_TRY(expectElements(call, input, rows.count * rows.length));
    TW_TRY(expectElements(call, call.out[0], rows.count * rows.length));
    for (std::int64_t r = 0; r < rows.count; ++r)
        setRow(call, 0, r, body(rowOf(call.in[0], r, rows.length), inputs > 1 ? rowOf(call.in[1], r, rows.length) : Row{}));
    return {};
}

Status softmax(Call const &call)
{
    return eachRow(call, 1, [](Row const &x, Row const &) { return softmaxOf(x); });
}

Status softmaxGrad(Call const &call)
{
    return eachRow(call, 2, [](Row const &y, Row const &dy) {
        double const inner = dot(y, dy);
        Row dx;
        for (std::size_t i = 0; i < y.size(); ++i) dx.push_back(y[i] * (dy[i] - inner));
        return dx;
    });
}

Status logSoftmax(Call const &call)
{
    return eachRow(call, 1, [](Row const &x, Row const &) {
        auto const stats = statsOf(x);
        Row y;
        for (double value : x) y.push_back(value - stats.largest - std::log(stats.sum));
        return y;
    });
}

Status logSoftmaxGrad(Call const &call)
{
    return eachRow(call, 2, [](Row const &y, Row const &dy) {
        double const total = sum(dy);
        Row dx;
        for (std::size_t i = 0; i < y.size(); ++i) dx.push_back(dy[i] - std::exp(y[i]) * total);
        return dx;
    });
}

/// The column of a label, or -1.
std::int64_t labelColumn(RefTensor const &labels, std::int64_t row, std::int64_t cols)
{
    auto const label = static_cast<std::int64_t>(labels.v[static_cast<std::size_t>(row)]);
    return label >= 0 && label < cols ? label : -1;
}

Status sparseXent(Call const &call)
{
    TW_TRY(expectCounts(call, 2, 2));
    auto const rows = rowsOf(call.in[0].shape);
    TW_TRY(expectElements(call, call.in[1], rows.count));
    TW_TRY(expectElements(call, call.out[0], rows.count));
    TW_TRY(expectElements(call, call.out[1], rows.count * rows.length));
    for (std::int64_t r = 0; r < rows.count; ++r) {
        auto const x = rowOf(call.in[0], r, rows.length);
        auto const stats = statsOf(x);
        auto const label = labelColumn(call.in[1], r, rows.length);
        double const loss = label < 0 ? std::nan("") : std::log(stats.sum) - (x[static_cast<std::size_t>(label)] - stats.largest);
        call.out[0].v[static_cast<std::size_t>(r)] = call.round(loss);
        setRow(call, 1, r, softmaxOf(x));
    }
    return {};
}

/// dloss: one value per row, or one for all.
Result<double> rowScale(Call const &call, RefTensor const &dloss, std::int64_t row, std::int64_t rows)
{
    if (dloss.v.size() != 1) TW_TRY(expectElements(call, dloss, rows));
    return dloss.v[dloss.v.size() == 1 ? 0 : static_cast<std::size_t>(row)];
}

Status sparseXentGrad(Call const &call)
{
    TW_TRY(expectCounts(call, 3, 1));
    auto const rows = rowsOf(call.in[0].shape);
    TW_TRY(expectElements(call, call.in[1], rows.count));
    TW_TRY(expectElements(call, call.out[0], rows.count * rows.length));
    for (std::int64_t r = 0; r < rows.count; ++r) {
        TW_ASSIGN(double const scale, rowScale(call, call.in[2], r, rows.count));
        auto row = rowOf(call.in[0], r, rows.length);
        auto const label = labelColumn(call.in[1], r, rows.length);
        if (label >= 0) row[static_cast<std::size_t>(label)] -= 1.0;
        for (double &value : row) value *= scale;
        setRow(call, 0, r, row);
    }
    return {};
}

Status catXent(Call const &call)
{
    TW_TRY(expectCounts(call, 2, 2));
    auto const rows = rowsOf(call.in[0].shape);
    TW_TRY(expectElements(call, call.in[1], rows.count * rows.length));
    TW_TRY(expectElements(call, call.out[0], rows.count));
    TW_TRY(expectElements(call, call.out[1], rows.count * rows.length));
    for (std::int64_t r = 0; r < rows.count; ++r) {
        auto const x = rowOf(call.in[0], r, rows.length), t = rowOf(call.in[1], r, rows.length);
        auto const stats = statsOf(x);
        call.out[0].v[static_cast<std::size_t>(r)] = call.round(sum(t) * (stats.largest + std::log(stats.sum)) - dot(t, x));
        setRow(call, 1, r, softmaxOf(x));
    }
    return {};
}

Status catXentGrad(Call const &call)
{
    TW_TRY(expectCounts(call, 3, 1));
    auto const rows = rowsOf(call.in[0].shape);
    TW_TRY(expectElements(call, call.in[1], rows.count * rows.length));
    TW_TRY(expectElements(call, call.out[0], rows.count * rows.length));
    for (std::int64_t r = 0; r < rows.count; ++r) {
        TW_ASSIGN(double const scale, rowScale(call, call.in[2], r, rows.count));
        auto row = rowOf(call.in[0], r, rows.length);
        auto const t = rowOf(call.in[1], r, rows.length);
        double const weight = sum(t);
        for (std::size_t c = 0; c < row.size(); ++c) row[c] = (row[c] * weight - t[c]) * scale;
        setRow(call, 0, r, row);
    }
    return {};
}

constexpr std::array kOps{
    RefOp{"softmax", softmax},        RefOp{"softmax_grad", softmaxGrad},
    RefOp{"log_softmax", logSoftmax}, RefOp{"log_softmax_grad", logSoftmaxGrad},
    RefOp{"sparse_xent", sparseXent}, RefOp{"sparse_xent_grad", sparseXentGrad},
    RefOp{"cat_xent", catXent},       RefOp{"cat_xent_grad", catXentGrad},
};

} // namespace

std::span<RefOp const> lossOps() { return kOps; }

} // namespace tilewright::reference

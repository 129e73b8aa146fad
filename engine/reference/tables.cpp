#include "engine/reference/reference_ops.h"

#include <array>

namespace tilewright::reference {

namespace {

Status gather(Call const &call)
{
    TW_TRY(expectCounts(call, 2, 1));
    auto const &table = call.in[0], &ids = call.in[1];
    if (table.shape.size() != 2) return badOperands(call.node, Message::of("the table is no matrix."));
    auto const rows = table.shape[0], cols = table.shape[1];
    TW_TRY(expectElements(call, call.out[0], static_cast<std::int64_t>(ids.v.size()) * cols));
    for (std::size_t i = 0; i < ids.v.size(); ++i)
        for (std::int64_t c = 0; c < cols; ++c) {
            double const id = ids.v[i];
            bool const inside = id >= 0 && id < static_cast<double>(rows);
            call.out[0].v[i * static_cast<std::size_t>(cols) + static_cast<std::size_t>(c)] =
                inside ? table.v[static_cast<std::size_t>(static_cast<std::int64_t>(id) * cols + c)] : 0.0;
        }
    return {};
}

Status scatterAdd(Call const &call)
{
    TW_TRY(expectCounts(call, 2, 1));
    auto const &rows = call.in[0], &ids = call.in[1];
    auto &out = call.out[0];
    if (out.shape.size() != 2 || out.shape[0] != call.attrs().integer("rows"))
        return badOperands(call.node, Message::of("the table has other rows."));
    auto const cols = out.shape[1];
    TW_TRY(expectElements(call, rows, static_cast<std::int64_t>(ids.v.size()) * cols));
    for (std::size_t i = 0; i < ids.v.size(); ++i)
        for (std::int64_t c = 0; c < cols; ++c)
            if (ids.v[i] >= 0 && ids.v[i] < static_cast<double>(out.shape[0]))
                out.v[static_cast<std::size_t>(static_cast<std::int64_t>(ids.v[i]) * cols + c)] +=
                    rows.v[i * static_cast<std::size_t>(cols) + static_cast<std::size_t>(c)];
    for (double &value : out.v) value = call.round(value);
    return {};
}

constexpr std::array kOps{RefOp{"gather", gather}, RefOp{"scatter_add", scatterAdd}};

} // namespace

std::span<RefOp const> tableOps() { return kOps; }

} // namespace tilewright::reference

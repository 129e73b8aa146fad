#include "engine/layers/families/rows.h"

namespace tilewright::layers {

using namespace graph;

ValueId rowsOf(BuildContext &context, ValueId matrix, std::vector<double> numbers)
{
    auto const count = static_cast<std::int64_t>(numbers.size());
    auto const rows = context.b.one("constant", {}, {count}, DType::I32, {{"values", std::move(numbers)}}, "Rows");
    return context.op("gather", {matrix, rows}, {}, "Gather");
}

ValueId axisToFront(BuildContext &context, ValueId value, std::size_t axis)
{
    std::vector<std::int64_t> perm{static_cast<std::int64_t>(axis)};
    for (std::size_t i = 0; i < context.value(value).shape.size(); ++i)
        if (i != axis) perm.push_back(static_cast<std::int64_t>(i));
    return context.op("transpose", {value}, {{"perm", perm}}, "Transpose");
}

ValueId axisFromFront(BuildContext &context, ValueId value, std::size_t axis)
{
    std::vector<std::int64_t> perm;
    for (std::size_t i = 0; i < context.value(value).shape.size(); ++i)
        perm.push_back(static_cast<std::int64_t>(i < axis ? i + 1 : i == axis ? 0 : i));
    return context.op("transpose", {value}, {{"perm", perm}}, "Transpose");
}

} // namespace tilewright::layers

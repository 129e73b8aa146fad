#include "engine/interop/turned_axes.h"

#include <cstring>

namespace tilewright::interop {

std::vector<std::byte> turnedAxes(std::span<std::byte const> elements, std::size_t width, Shape const &shape,
                                  std::vector<std::size_t> const &order)
{
    std::vector<std::byte> result(elements.size());
    std::vector<std::int64_t> strides(shape.size(), 1), steps;
    for (std::size_t i = shape.size(); i-- > 1;) strides[i - 1] = strides[i] * shape[i];
    Shape extents;
    for (auto const axis : order) {
        extents.push_back(shape[axis]);
        steps.push_back(strides[axis]);
    }
    std::vector<std::int64_t> index(order.size(), 0);
    for (std::size_t to = 0; to < result.size(); to += width) {
        std::int64_t from = 0;
        for (std::size_t i = 0; i < index.size(); ++i) from += index[i] * steps[i];
        std::memcpy(result.data() + to, elements.data() + width * static_cast<std::size_t>(from), width);
        for (std::size_t i = index.size(); i-- > 0 && ++index[i] == extents[i];) index[i] = 0;
    }
    return result;
}

} // namespace tilewright::interop

#pragma once

#include "engine/layers/build_context.h"

namespace tilewright::layers {

/// Rows of a matrix [rows, columns] by fixed numbers: [numbers, columns]. Its gradient adds up what goes to the same row.
graph::ValueId rowsOf(BuildContext &context, graph::ValueId matrix, std::vector<double> numbers);

/// The value with `axis` before all others, and back.
graph::ValueId axisToFront(BuildContext &context, graph::ValueId value, std::size_t axis);
graph::ValueId axisFromFront(BuildContext &context, graph::ValueId value, std::size_t axis);

} // namespace tilewright::layers

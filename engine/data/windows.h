#pragma once

#include "engine/core/result.h"
#include "engine/data/dataset.h"

#include <cstdint>

namespace tilewright::data {

/// Samples that overlap: `window` records of a series each, the next one `stride` records later.
struct Windows {
    std::int64_t window = 0, stride = 1;
    std::int64_t horizon = 1; ///< the label is that of the record so many after the last of the window
};

/// Turns x [records, …] into [windows, window, …] and y [records, …] into the labels of the windows. Copies the records. Errors (Data):
/// "data.window.short" if not one window fits, "data.limit", "data.memory".
Status cutWindows(Windows const &windows, DataArray &x, DataArray &y);

} // namespace tilewright::data

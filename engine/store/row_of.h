#pragma once

#include "engine/report/table_basics.h"

#include <concepts>
#include <type_traits>

namespace tilewright::store {

using namespace report;

/// The row itself, or one that is only read.
template <typename R, typename T>
concept RowOf = std::same_as<std::remove_const_t<R>, T>;

} // namespace tilewright::store

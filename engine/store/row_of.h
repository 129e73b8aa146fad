#pragma once

#include "engine/report/table_basics.h"

#include <concepts>
#include <type_traits>

namespace tilewright::store {

using namespace report;

/// The row type itself, or its const form.
template <typename R, typename T>
concept RowOf = std::same_as<std::remove_const_t<R>, T>;

} // namespace tilewright::store

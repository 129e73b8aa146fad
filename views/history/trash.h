#pragma once

#include <QString>

#include <functional>

namespace tilewright::views {

/// Moves a file to the system's trash; false where there is none. Replaced by tests, which have no system of their own.
std::function<bool(QString const &)> &trash();

} // namespace tilewright::views

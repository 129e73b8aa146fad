#pragma once

#include <QString>

#include <functional>

namespace tilewright::views {

/// Moves a file to the system's trash; false if there is none. Replaceable for tests.
std::function<bool(QString const &)> &trash();

} // namespace tilewright::views

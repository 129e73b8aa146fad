#pragma once

#include <string>

namespace tilewright {

/// The current time as "2026-01-31T12:00:00Z".
std::string utcNow();

} // namespace tilewright

#pragma once

#include <string>
#include <string_view>

namespace tilewright::store {

/// Text that names this process among all of this machine since it started: boot, process, start time.
std::string processMark();
/// Whether the process of that mark still runs here. False for marks of other machines or boots.
bool isAlive(std::string_view mark);

} // namespace tilewright::store

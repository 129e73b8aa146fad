#pragma once

#include <string>
#include <string_view>

namespace tilewright::store {

/// Text that identifies this process among all processes of this machine since boot: boot id, process id, start time.
std::string processMark();
/// Whether the process of that mark still runs on this machine. False for marks of other machines or boots.
bool isAlive(std::string_view mark);

} // namespace tilewright::store

#pragma once

#include "engine/device/registry.h"

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace tilewright::device {

/// What `devices` prints: one row per emulated system with its device ids and how many IPUs are free, then
/// the attached processes. Every board figure is headed "modelled".
std::string devicesText(RegistryView const &view);

/// What `monitor --once` prints: the IPUs of the systems in use (all systems with `allSystems`), then one
/// row per attached process and IPU. Times are local to the caller.
std::string monitorText(RegistryView const &view, bool allSystems = false);

/// Keys systems[], processes[], stale[], note. Same document for both commands.
nlohmann::json toJson(RegistryView const &view);

} // namespace tilewright::device

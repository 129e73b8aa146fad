#pragma once

#include "engine/device/registry.h"

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace tilewright::device {

/// The output of `devices`: one row per emulated system with its device ids and number of free IPUs, then the attached processes. Every
/// board figure is headed "modelled".
std::string devicesText(RegistryView const &view);

/// The output of `monitor --once`: the IPUs of the systems in use (all systems with `allSystems`), then one row per attached process and
/// IPU. Times are in the caller's time zone.
std::string monitorText(RegistryView const &view, bool allSystems = false);

/// Keys systems[], processes[], stale[], note. The same document for both commands.
nlohmann::json toJson(RegistryView const &view);

} // namespace tilewright::device

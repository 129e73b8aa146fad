#pragma once

#include "engine/device/registry.h"

#include <QList>
#include <QString>

#include <utility>

namespace tilewright::views {

/// "4 IPUs · 1 process · 63 % busy (modelled)", "No IPU in use · 9 emulated systems".
QString monitorHeadline(device::RegistryView const &view);
/// Note above the table of processes: its modelled figures; for an empty table, how processes appear there.
QString processNote(device::RegistryView const &view);

/// One IPU of one system, as a row of the device table.
struct IpuRef {
    int system = 0, ipu = 0; ///< into RegistryView::systems and its ipus
    bool operator==(IpuRef const &) const = default;
};
/// IPUs of the systems in use, or of all systems.
std::vector<IpuRef> shownIpus(device::RegistryView const &view, bool idleToo);
/// The process attached to an IPU; null: none.
device::ProcessState const *processOf(device::RegistryView const &view, IpuRef ref);

/// All known attributes of an IPU, as names and values; modelled figures are marked.
QList<std::pair<QString, QString>> attributesOf(device::RegistryView const &view, IpuRef ref);

} // namespace tilewright::views

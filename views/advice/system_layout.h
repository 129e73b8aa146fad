#pragma once

#include "engine/project/project.h"

#include <QString>

#include <optional>
#include <utility>
#include <vector>

namespace tilewright::views {

/// Role of an IPU of the system.
struct IpuRole {
    int replica = -1;        ///< -1: unused
    std::vector<int> stages; ///< of the pipeline; 0 without one
    bool operator==(IpuRole const &) const = default;
};

/// Mapping of a project's model to its machine, by the rules of the compiler: one IPU per stage or the plan's mapping, the next power of
/// two IPUs per replica, and replicas on the remaining IPUs.
struct SystemLayout {
    std::optional<target::Machine> machine; ///< nullopt: see `problem`
    std::optional<Diagnostic> problem;      ///< also set if there are too few IPUs
    int stages = 1;
    int ipusPerReplica = 1;
    int replicas = 1;
    std::vector<IpuRole> ipus; ///< by IPU of the machine
    int needed() const { return ipusPerReplica * replicas; }
};
SystemLayout systemLayout(project::Project const &project);
/// Note beside the plan's number of replicas if the machine uses more: "64 used: …"; else "".
QString replicasNote(project::Project const &project);

/// Parts of a target's name: "gc200:tiles=8,ipus=2". 0: the machine's own number.
struct TargetText {
    QString machine;
    int ipus = 0, tiles = 0;
    bool model = false;
    bool operator==(TargetText const &) const = default;
};
TargetText parseTarget(QString const &text);
QString toText(TargetText const &target);

} // namespace tilewright::views

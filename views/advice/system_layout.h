#pragma once

#include "engine/project/project.h"

#include <QString>

#include <optional>
#include <utility>
#include <vector>

namespace tilewright::views {

/// What an IPU of the system does.
struct IpuRole {
    int replica = -1;        ///< -1: it has nothing to do
    std::vector<int> stages; ///< of the pipeline; 0 without one
    bool operator==(IpuRole const &) const = default;
};

/// How a project's model lies on its machine, by the rules of the compiler: stages on IPUs of their own or as the plan maps them, as many
/// per replica as the next power of two, and replicas on what is left.
struct SystemLayout {
    std::optional<target::Machine> machine; ///< none: `problem` says why
    std::optional<Diagnostic> problem;      ///< also when there are too few IPUs
    int stages = 1;
    int ipusPerReplica = 1;
    int replicas = 1;
    std::vector<IpuRole> ipus; ///< by IPU of the machine
    int needed() const { return ipusPerReplica * replicas; }
};
SystemLayout systemLayout(project::Project const &project);
/// What stands beside the plan's number of replicas where the machine makes more of them: "64 used: …"; else "".
QString replicasNote(project::Project const &project);

/// A target's name taken apart: "gc200:tiles=8,ipus=2". 0: as the machine has it.
struct TargetText {
    QString machine;
    int ipus = 0, tiles = 0;
    bool model = false;
    bool operator==(TargetText const &) const = default;
};
TargetText parseTarget(QString const &text);
QString toText(TargetText const &target);

} // namespace tilewright::views

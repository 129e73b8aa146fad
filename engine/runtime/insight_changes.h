#pragma once

#include "engine/runtime/proposals.h"

#include <nlohmann/json_fwd.hpp>

#include <string_view>
#include <vector>

// The changes of a project that the insights of its report propose.
namespace tilewright::runtime {

/// The changes in an insight's action, in its order: {"set": […], "or": [{"set": […]}, …]}.
std::vector<Proposal> proposalsOf(nlohmann::ordered_json const &action);
/// The fields of a proposal as an action's "set".
nlohmann::ordered_json setOf(Proposal const &proposal);

/// An insight about memory wants less memory on the worst tile, any other one more samples per second.
struct WishedChanges {
    bool memory = false;
    std::vector<Proposal> changes;
};
struct TriedChange {
    Trial trial;
    double gain = 0; ///< more samples per second, or less memory on the worst tile, as a share of what the project has
    bool operator==(TriedChange const &other) const { return trial.proposal == other.trial.proposal && gain == other.gain; }
};

/// Compiles the changes of all insights, each change once. For each insight those that fit and gain, best first; changes that gain less
/// than half a per cent are left out, and so are changes that the rules refuse. Errors: of the project itself.
Result<std::vector<std::vector<TriedChange>>> tryChanges(project::Project const &project, std::filesystem::path const &dataFolder,
                                                         std::vector<WishedChanges> const &insights,
                                                         compiler::CompileRequest const &request, JobContext const &job);

} // namespace tilewright::runtime

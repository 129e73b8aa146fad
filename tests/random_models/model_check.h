#pragma once

#include "engine/project/project.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace tilewright::random_models {

/// How the checks of one project ended.
enum class End {
    Ran,        ///< everything held
    NotFinite,  ///< the loss is no finite number, on any number of threads alike
    DoesNotFit, ///< needs more than the tiles have
    Refused,    ///< invalid, although it should not be
    Failed      ///< something did not hold, or an internal error
};
inline constexpr char const *kEndNames[] = {"ran", "not finite", "does not fit", "refused", "failed"};

struct CheckResult {
    End end = End::Ran;
    std::string what;                    ///< of all but Ran: the check and the message
    std::vector<std::string> words = {}; ///< what it came to: "serial splits"
};

/// Compiles the project, trains it on 1, 2 and 3 threads (weights, state and losses must be equal bit by bit), checks the report that
/// the training left, compares fused with tile mode (verify), trains an execution on tiles (the cycles that they measure must be those of
/// the schedule), predicts on tiles, and trains once more in two parts, with a checkpoint file in between (the state must equal that of
/// one part). `folder` holds the data, and receives cache, report and checkpoint.
CheckResult checkProject(project::Project const &project, std::filesystem::path const &folder);

/// Words that the checks of all seeds must have between them.
std::vector<std::string> wordsToCheck();

} // namespace tilewright::random_models

#pragma once

#include "views/advice/fix_trials.h"

#include <filesystem>
#include <utility>
#include <vector>

namespace tilewright::views {

using ChangedFields = std::vector<std::pair<QString, QString>>; ///< path, value: set together

/// The changes that an insight proposes, for the card that shows it.
struct AskedTrial {
    int card = 0;
    bool memory = false; ///< the insight is about memory: the emptiest tile is best, else the most samples a second
    std::vector<ChangedFields> alternatives;
};

/// What the compiles of an insight's changes said.
struct CardTrial {
    bool done = false;
    QString refusal;             ///< of a rule or of the compile, of the last change that was refused
    std::vector<TriedFix> fixes; ///< of the changes that the rules take for these data
    int best = -1;               ///< the one of them that fits and brings most; -1: none fits
};

/// Compiles them, each once. The first change of every insight is compiled in any case, others while there is time. For worker threads.
Result<std::vector<std::pair<int, CardTrial>>> tryAlternatives(std::vector<AskedTrial> const &asked, project::Project const &project,
                                                               std::filesystem::path const &dataFolder, JobContext const &job);

ChangedFields fieldsOf(TriedFix const &fix);
/// "fits, worst tile 71 %; 12,345 samples/s, 12 % more (modelled)". `samplesNow`: of the project as it is; 0: not known.
QString outcomeLine(TriedFix const &fix, double samplesNow);
/// A line with change and outcome for each of the fixes, each after a line break.
QString triedLines(std::vector<TriedFix> const &fixes, project::Project const &project, double samplesNow);

} // namespace tilewright::views

#pragma once

#include "tests/faults/box.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace tilewright::faults {

/// A command that is run with faults, and what has to hold afterwards.
struct Case {
    std::string name;
    std::vector<std::string> arguments;
    bool warm = true;                 ///< the cache holds what the command compiles
    bool everyAllocation = false;     ///< all of them fail in turn, instead of every distinct stack and 500 spaced ones
    std::string project;              ///< the project it reads or changes
    bool changesProject = false;      ///< its fields
    bool trains = false;              ///< leaves weights in `project`
    std::vector<std::string> outputs; ///< files it makes, besides
};

std::vector<Case> const &allCases();

/// A case without faults: what each run is compared with.
struct Expected {
    Box const *start = nullptr;
    Ran ran;
    bool sameText = false;                                     ///< stdout is the same each time
    std::map<std::string, std::optional<std::string>> outputs; ///< content, where it is the same each time
    std::string oldFields, newFields;                          ///< of the project
    std::string oldWeights, newWeights;                        ///< of checkpoint `last`, as .npz; empty: none
    std::set<std::string> files;
    Noted noted;
};

/// Makes the projects, reports and caches that the cases start from: `cold` without a cache, `warm` with one.
void prepare(Box const &cold, Box const &warm);
Expected expect(Case const &which, Box const &start, Box const &box, bool stacks);
/// Runs it with the fault; what does not hold, or nothing.
std::optional<std::string> tryFault(Case const &which, Expected const &expected, Box const &box, Fault const &fault, Ran &ran,
                                    Noted &noted);
/// After a run that ended badly: what is wrong with the project, or nothing.
std::optional<std::string> badProject(Case const &which, Expected const &expected, Box const &box, Fault const &fault, Ran const &ran);
/// Why a run may end so; `stack` names the program's functions. nullptr: it may not.
char const *knownReason(Fault const &fault, Ran const &ran, std::string const &stack);

} // namespace tilewright::faults

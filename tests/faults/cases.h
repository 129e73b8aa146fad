#pragma once

#include "tests/faults/box.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace tilewright::faults {

/// A command to run with faults, and the conditions afterwards.
struct Case {
    std::string name;
    std::vector<std::string> arguments;
    bool warm = true;                 ///< the cache contains the command's compiles
    bool everyAllocation = false;     ///< all of them fail in turn, instead of every distinct stack and 500 spaced ones
    std::string project;              ///< the project it reads or changes
    bool changesProject = false;      ///< its fields
    bool trains = false;              ///< leaves weights in `project`
    std::vector<std::string> outputs; ///< other files that it writes
};

std::vector<Case> const &allCases();

/// A case without faults, the reference for all runs.
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
/// Runs it with the fault; returns the violated condition, or nothing.
std::optional<std::string> tryFault(Case const &which, Expected const &expected, Box const &box, Fault const &fault, Ran &ran,
                                    Noted &noted);
/// After a failed run: the error in the project, or nothing.
std::optional<std::string> badProject(Case const &which, Expected const &expected, Box const &box, Fault const &fault, Ran const &ran);
/// The reason why a run can end like this; `stack` contains the program's functions. nullptr: it must not.
char const *knownReason(Fault const &fault, Ran const &ran, std::string const &stack);

} // namespace tilewright::faults

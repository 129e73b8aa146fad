#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace tilewright::tests {

/// The table of includes.txt: which folder may include which.
struct IncludeTable {
    std::map<std::string, std::vector<std::string>> rows;
    std::vector<std::string> problems; ///< lines that are no rows, folders named twice, unknown folders
};

IncludeTable parseIncludeTable(std::string_view text);

/// Row that a path ("engine/program/cost.h") belongs to, "" if none.
std::string rowOf(IncludeTable const &table, std::string const &path);

/// Folders in a circle, "a -> b -> a" each; empty when the table is layered. "*" rows stand outside: nothing
/// may include them by name.
std::vector<std::string> cyclesOf(IncludeTable const &table);

struct IncludeReport {
    int files = 0;
    int includes = 0;                    ///< of our own headers
    std::vector<std::string> violations; ///< "file:line: …", in path order
};

/// Reads every C++ file under engine, views, app and tests of `root`. Violations: an include the table does
/// not allow, of a file that is not there, of a folder without a row, and of Qt (or QCustomPlot) in engine.
IncludeReport checkIncludes(std::filesystem::path const &root, IncludeTable const &table);

} // namespace tilewright::tests

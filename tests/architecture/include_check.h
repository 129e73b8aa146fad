#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace tilewright::tests {

/// The table of includes.txt: allowed includes by folder.
struct IncludeTable {
    std::map<std::string, std::vector<std::string>> rows;
    std::vector<std::string> problems; ///< lines that are no rows, folders named twice, unknown folders
};

IncludeTable parseIncludeTable(std::string_view text);

/// Row of a path ("engine/program/cost.h"); "" without one.
std::string rowOf(IncludeTable const &table, std::string const &path);

/// Cycles of folders, "a -> b -> a" each; empty if the table is layered. "*" rows are exempt, because they cannot be included by name.
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

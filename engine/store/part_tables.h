#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tilewright::store {

/// One part of a report file with its tables and blobs (tile_vec, name, meta and part belong to none).
struct FilePart {
    std::string name;
    std::vector<std::string> tables;
    bool growsDuringRun = false;
    std::vector<std::pair<std::string, std::string>> blobs; ///< (table, column), for part.bytes
};

/// In the order of the format.
std::vector<FilePart> const &fileParts();
/// The tables of a part; empty if the part does not exist.
std::vector<std::string> tablesOfPart(std::string_view part);

} // namespace tilewright::store

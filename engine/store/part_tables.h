#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tilewright::store {

/// One part of a report file and what of the file belongs to it (tile_vec, name, meta and part belong to none).
struct FilePart {
    std::string name;
    std::vector<std::string> tables;
    bool growsDuringRun = false;
    std::vector<std::pair<std::string, std::string>> blobs; ///< (table, column), for part.bytes
};

/// In the order of the format.
std::vector<FilePart> const &fileParts();
/// The tables of a part; none where there is no such part.
std::vector<std::string> tablesOfPart(std::string_view part);

} // namespace tilewright::store

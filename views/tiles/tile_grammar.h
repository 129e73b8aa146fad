#pragma once

#include <QString>

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace tilewright::views {

/// Meaning of tile names and sizes in a text.
struct TileWords {
    int ipus = 1, tilesPerIpu = 0;
    std::span<std::int64_t const> bytes; ///< by tile: compared by ">600k"; may be empty
    std::int64_t limit = 0;              ///< of a tile: basis of ">90%"; 0: unknown
    int worstTile = -1;                  ///< meaning of "worst"
    std::span<char const> ioTiles = {};  ///< by index in the IPU: meaning of "io"; may be empty
};

struct TileChoice {
    std::vector<int> tiles; ///< ascending, each once
    QString error;          ///< translated; empty: valid
    int errorAt = -1;       ///< character of the error
    bool ok() const { return error.isEmpty(); }
};

/// Parses a set of tiles: parts separated by commas are added, a part after a minus is removed.
///   7   0-63   ipu3   ipu3:0-63   >600k   <=1.5MiB   >90%   worst   io   all
/// Sizes: k, M are 1024 and 1024² (also KiB, MiB; kB, MB are decimal). Ignores case.
TileChoice parseTiles(QString const &text, TileWords const &words);

/// The shortest text of ranges for these tiles; parseTiles reads it back.
QString tilesText(std::span<int const> tiles);

/// "tile 1307", or with several IPUs "tile 2779 (IPU 1, 1307)": translated.
QString tileName(int tile, int ipus, int tilesPerIpu);

} // namespace tilewright::views

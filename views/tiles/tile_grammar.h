#pragma once

#include <QString>

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace tilewright::views {

/// What tile names and sizes in a text refer to.
struct TileWords {
    int ipus = 1, tilesPerIpu = 0;
    std::span<std::int64_t const> bytes; ///< by tile: what ">600k" compares; may be empty
    std::int64_t limit = 0;              ///< of a tile: what ">90%" means; 0: not known
    int worstTile = -1;                  ///< what "worst" means
    std::span<char const> ioTiles = {};  ///< by index in the IPU: what "io" means; may be empty
};

struct TileChoice {
    std::vector<int> tiles; ///< ascending, each once
    QString error;          ///< translated; empty: the text could be read
    int errorAt = -1;       ///< character of the text where it went wrong
    bool ok() const { return error.isEmpty(); }
};

/// Tiles by text: parts between commas are added, a part behind a minus is taken away.
///   7   0-63   ipu3   ipu3:0-63   >600k   <=1.5MiB   >90%   worst   io   all
/// Sizes: k, M are 1024 and 1024² (also KiB, MiB; kB, MB are decimal). Case does not matter.
TileChoice parseTiles(QString const &text, TileWords const &words);

/// The shortest text of ranges that gives these tiles; parseTiles(tilesText(t)) is t again.
QString tilesText(std::span<int const> tiles);

/// "tile 1307", and with several IPUs "tile 2779 (IPU 1, 1307)": translated.
QString tileName(int tile, int ipus, int tilesPerIpu);

} // namespace tilewright::views

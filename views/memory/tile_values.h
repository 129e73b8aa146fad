#pragma once

#include "views/runcontrol/run_controller.h"
#include "views/tiles/tile_contents.h"

#include <QString>

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

// Values on a tile at a superstep of a paused tile-mode run, decoded from its bytes.
namespace tilewright::views {

/// Numbers of a stored type (f16, f32, i32, u8, bool), little-endian; whole elements only.
std::vector<double> decodeValues(std::span<std::byte const> bytes, std::string_view dtype);

/// One variable on the tile.
struct HeldVariable {
    int variable = -1;
    Bytes offset = 0, bytes = 0;
    bool live = false;                 ///< at the superstep; otherwise the bytes are leftovers
    std::vector<double> values;        ///< empty if the bytes are beyond the tile's image
    double min = 0, max = 0, mean = 0; ///< of finite values
    int notFinite = 0;
};
/// A sender of bytes to the tile in the last exchange.
struct Sender {
    int tile = 0;
    Bytes bytes = 0;
};
struct TileReading {
    int tile = -1, program = -1, step = -1; ///< step: liveness step of the program, -1 unknown
    std::int64_t superstep = 0;
    std::vector<HeldVariable> variables; ///< by offset, live ones first
    int exchange = -1;                   ///< row of `exchanges` of these senders
    std::vector<Sender> senders;         ///< largest first
    Bytes otherBytes = 0;                ///< of pairs that the report only sums
};
TileReading readTile(ReportSnapshot const &report, TileContents const &contents, TileValues const &values);

/// "0.12, -0.5, 3 … (784 values)"
QString valuesText(std::vector<double> const &values, int most = 6);

} // namespace tilewright::views

#pragma once

#include "views/tiles/tile_contents.h"

#include <QRectF>

#include <vector>

// The picture of one tile: liveness steps across, addresses down. Live bytes never share an address, so every lowered variable is a set of
// rectangles without overlaps.
namespace tilewright::views {

/// One lowered variable during one lifetime.
struct AddressBlock {
    int item = 0;           ///< in the tile's items
    int first = 0, end = 0; ///< steps, half open
    Bytes offset = 0, bytes = 0;
};
std::vector<AddressBlock> addressBlocks(std::vector<report::LoweredVariable> const &items, ClassLives const &lives);

/// A stretch of addresses unused at all steps.
struct AddressGap {
    Bytes offset = 0, bytes = 0;
    report::GapReason reason = report::GapReason::None;
};
/// Gaps between items, and the free space after the last one up to `end`.
std::vector<AddressGap> addressGaps(std::vector<report::LoweredVariable> const &items, Bytes end);

/// Positions of addresses: to scale, or with large gaps folded to a fixed height.
class AddressAxis {
public:
    AddressAxis() = default;
    AddressAxis(std::vector<AddressGap> const &gaps, Bytes end, double height, double foldedHeight, bool toScale);
    double yOf(Bytes address) const;
    Bytes addressAt(double y) const;
    bool isFolded(Bytes address) const;
    Bytes end() const { return m_end; }
    double height() const { return m_height; }

private:
    struct Piece {
        Bytes from = 0, to = 0;
        double top = 0, bottom = 0;
        bool folded = false;
    };
    std::vector<Piece> m_pieces;
    Bytes m_end = 0;
    double m_height = 0;
};

/// The item at an address that is live at a step; -1: none.
int itemAt(std::vector<report::LoweredVariable> const &items, ClassLives const &lives, int step, Bytes address);

} // namespace tilewright::views

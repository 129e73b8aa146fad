#pragma once

#include "views/memory/address_map_widget.h"

namespace tilewright::views {

class ReportSnapshot;
struct Lineage;

/// Content of the address map of a tile: names, colours by role, and marks for the selection.
std::shared_ptr<AddressScene const> addressScene(ReportSnapshot const &report, std::shared_ptr<TileContents const> const &contents,
                                                 int tile, Lineage const &lineage);

/// "step 41: dense_1/MatMul/Convolve (backward)"
QString stepText(ReportSnapshot const &report, int step);

} // namespace tilewright::views

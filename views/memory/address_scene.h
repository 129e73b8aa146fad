#pragma once

#include "views/memory/address_map_widget.h"

namespace tilewright::views {

class ReportSnapshot;
struct Lineage;

/// What the address map of a tile shows: names, colours by role, and what belongs to the selection.
std::shared_ptr<AddressScene const> addressScene(ReportSnapshot const &report, std::shared_ptr<TileContents const> const &contents,
                                                 int tile, Lineage const &lineage);

/// "step 41: dense_1/MatMul/Convolve (backward)"
QString stepText(ReportSnapshot const &report, int step);

} // namespace tilewright::views

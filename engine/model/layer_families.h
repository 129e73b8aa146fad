#pragma once

#include <span>
#include <string_view>

namespace tilewright::model {

/// A family of layer classes, as in LayerSpec::category.
struct LayerFamily {
    std::string_view name; ///< "Convolution"
    char letter;           ///< unique letter, shown beside the colour
};
/// In the order of legends. A new family is one line here. Views give it the next colour of their table.
std::span<LayerFamily const> layerFamilies();

} // namespace tilewright::model

#pragma once

#include <span>
#include <string_view>

namespace tilewright::model {

/// A family of layer classes: what LayerSpec::category names.
struct LayerFamily {
    std::string_view name; ///< "Convolution"
    char letter;           ///< says it where colour alone would not; no two have the same
};
/// In the order of legends. A new family is one line here; views give it the next colour of their table.
std::span<LayerFamily const> layerFamilies();

} // namespace tilewright::model

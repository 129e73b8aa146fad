#include "engine/model/layer_families.h"

#include <array>

namespace tilewright::model {

std::span<LayerFamily const> layerFamilies()
{
    static constexpr std::array families{
        LayerFamily{"Input", 'I'},     LayerFamily{"Core", 'C'},        LayerFamily{"Activation", 'A'}, LayerFamily{"Regularization", 'R'},
        LayerFamily{"Merge", 'M'},     LayerFamily{"Convolution", 'V'}, LayerFamily{"Pooling", 'P'},    LayerFamily{"Normalization", 'N'},
        LayerFamily{"Recurrent", 'U'}, LayerFamily{"Attention", 'T'},
    };
    return families;
}

} // namespace tilewright::model

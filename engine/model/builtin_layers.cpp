#include "engine/model/layer_spec.h"
#include "engine/model/layers/recurrent_rules.h"
#include "engine/model/layers/weight_limits.h"
#include "engine/model/placeholder.h"

namespace tilewright::model {

#define X(name) LayerSpec name##Layer();
#include "engine/model/layers/layers.def"
#undef X

std::vector<LayerSpec> const &builtinLayers()
{
    static std::vector<LayerSpec> const specs = withLimits({
#define X(name) name##Layer(),
#include "engine/model/layers/layers.def"
#undef X
    });
    return specs;
}

LayerSpec const *findLayerSpec(std::string_view className)
{
    for (auto const &spec : builtinLayers())
        if (spec.className == className) return &spec;
    for (auto const &spec : recurrentCells())
        if (spec.className == className) return &spec;
    return className == kPlaceholderClass ? &placeholderSpec() : nullptr;
}

} // namespace tilewright::model

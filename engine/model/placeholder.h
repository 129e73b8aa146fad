#pragma once

#include "engine/core/result.h"
#include "engine/model/layer_spec.h"

#include <string>
#include <vector>

namespace tilewright::model {

/// The class of a layer that stands for one that Tilewright cannot compute. findLayerSpec finds it; builtinLayers does not list it.
inline constexpr char kPlaceholderClass[] = "Placeholder";

/// A weight of the layer behind a placeholder, by its shape in the file.
struct PlaceholderWeight {
    std::string name;
    Shape shape;
    bool operator==(PlaceholderWeight const &) const = default;
};

/// The facts about a layer that Tilewright cannot compute. The layer can be looked at, counted and exported; a graph of it cannot be built.
struct Placeholder {
    std::string className;      ///< in the file
    Json config;                ///< in the file, unchanged
    Json calls = Json::array(); ///< inbound_nodes in the form of Keras 2, if they hold more than tensors; else empty
    std::vector<Shape> outputs; ///< one per output, batch first; an empty shape is not known. At least one
    std::vector<PlaceholderWeight> weights;
    bool operator==(Placeholder const &) const = default;
};

bool isPlaceholder(Layer const &layer);

/// The arguments of the layer, and back. The second function tolerates any config: what is not well formed is empty.
Json placeholderConfig(Placeholder const &placeholder);
Placeholder placeholderIn(Json const &config);

/// The class that a layer shows: its own, or that behind the placeholder.
std::string shownClass(Layer const &layer);

/// Turns a layer that Tilewright has, but not with these arguments or inputs, into a placeholder for it.
void holdPlace(Layer &layer);

/// Error model.placeholder: a graph of the layer cannot be built.
Diagnostic placeholderRefusal(Layer const &layer);

/// For the registry.
LayerSpec const &placeholderSpec();

} // namespace tilewright::model

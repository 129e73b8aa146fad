#pragma once

#include "engine/model/keras_json.h"
#include "engine/model/resolve.h"

#include <string>

namespace tilewright::tests {

/// Two inputs, a shared layer called twice, a merge, two outputs.
inline model::Model sampleGraph()
{
    using namespace tilewright::model;
    Model m;
    m.kind = ModelKind::Functional;
    m.name = "graph";
    m.layers.push_back(makeInput("left", {5}));
    m.layers.push_back(makeInput("right", {5}));
    Layer tower = makeLayer("Dense", "tower", Json{{"units", 6}, {"activation", "relu"}});
    tower.calls = {Call{{TensorRef{"left"}}}, Call{{TensorRef{"right"}}}};
    Layer join = makeLayer("Concatenate", "join");
    join.calls = {Call{{TensorRef{"tower", 0}, TensorRef{"tower", 1}}}};
    Layer kind = makeLayer("Dense", "kind", Json{{"units", 3}, {"activation", "softmax"}});
    kind.calls = {Call{{TensorRef{"join"}}}};
    Layer size = makeLayer("Dense", "size", Json{{"units", 1}});
    size.calls = {Call{{TensorRef{"join"}}}};
    m.layers.insert(m.layers.end(), {tower, join, kind, size});
    m.inputs = {TensorRef{"left"}, TensorRef{"right"}};
    m.outputs = {TensorRef{"kind"}, TensorRef{"size"}};
    return m;
}

inline model::Model sampleChain(std::vector<model::Layer> layers, Shape const &input)
{
    model::Model m;
    m.layers.push_back(model::makeInput("input_1", input));
    m.layers.insert(m.layers.end(), layers.begin(), layers.end());
    return m;
}

} // namespace tilewright::tests

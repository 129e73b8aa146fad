#pragma once

#include "engine/conformance/step_runner.h"
#include "engine/graph/control.h"
#include "engine/ops/op_def.h"

#include <cmath>

/// Graphs with bodies, made by hand.
namespace tilewright::tests {

/// A node with inferred results; its first.
inline graph::ValueId op(graph::Builder &b, std::string name, std::vector<graph::ValueId> inputs, graph::Attrs attrs = {})
{
    return graph::addInferred(b, ops::opLookup(), std::move(name), std::move(inputs), std::move(attrs))[0];
}

inline graph::VariableId variable(graph::Graph &g, std::string name, Shape shape)
{
    return graph::addVariable(g, {std::move(name), std::move(shape), DType::F32, graph::Role::Input, "", "", false, 0});
}

/// The largest difference, relative to the largest magnitude of what is wanted.
inline double difference(conformance::Tensor const &got, conformance::Tensor const &wanted)
{
    if (got.v.size() != wanted.v.size()) return 1e300;
    double scale = 1e-3, worst = 0;
    for (double x : wanted.v) scale = std::max(scale, std::abs(x));
    for (std::size_t i = 0; i < got.v.size(); ++i) {
        double const d = std::abs(got.v[i] - wanted.v[i]);
        if (!(d <= worst)) worst = d;
    }
    return worst / scale;
}

} // namespace tilewright::tests

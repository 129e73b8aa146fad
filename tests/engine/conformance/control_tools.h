#pragma once

#include "engine/conformance/step_runner.h"
#include "engine/graph/control.h"
#include "engine/ops/op_def.h"
#include "engine/reference/interpreter.h"

#include <QString>

#include <algorithm>
#include <cmath>
#include <vector>

/// Hand-made graphs with bodies.
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

/// The largest difference, relative to the largest magnitude of the expected values.
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

/// Values of these variables after the oracle.
inline std::vector<conformance::Tensor> inDouble(graph::Graph const &g, std::vector<graph::VariableId> const &results,
                                                 reference::RefState state)
{
    auto const status = reference::runRegion(g, graph::RegionId(0), state, {0, 0, reference::Precision::Double});
    if (!status.ok()) qFatal("%s", toText(status.error()).c_str());
    std::vector<conformance::Tensor> values;
    for (auto id : results) values.push_back(state.variables.at(id));
    return values;
}

/// The case of a name. Requires: there is one.
template <typename Kind> Kind const &named(std::vector<Kind> const &all, QString const &name)
{
    auto const it = std::ranges::find(all, name.toStdString(), &Kind::name);
    if (it == all.end()) qFatal("no such kind");
    return *it;
}

} // namespace tilewright::tests

#pragma once

#include "engine/core/random.h"
#include "engine/reference/reference.h"

#include <functional>
#include <map>
#include <memory>
#include <vector>

/// Runs whole graphs, loops included, with the reference's operations.
namespace tilewright::tests {

using reference::RefTensor;

/// Numbers of a seeded stream between lo and hi, rounded to float.
inline RefTensor randomTensor(Shape const &shape, std::uint64_t seed, double lo = -1.0, double hi = 1.0)
{
    RandomStream stream(seed);
    RefTensor t{DType::F32, shape, {}};
    for (std::int64_t i = 0; i < elementCount(shape); ++i)
        t.v.push_back(static_cast<float>(lo + (hi - lo) * stream.uniform()));
    return t;
}

inline RefTensor randomIntegers(Shape const &shape, std::uint64_t seed, std::uint64_t bound)
{
    RandomStream stream(seed);
    RefTensor t{DType::I32, shape, {}};
    for (std::int64_t i = 0; i < elementCount(shape); ++i) t.v.push_back(static_cast<double>(stream.below(bound)));
    return t;
}

struct GraphRunner {
    explicit GraphRunner(graph::Graph const &graph) : g(graph) {}

    graph::Graph const &g;
    reference::RefContext context;
    std::function<std::vector<RefTensor>(graph::Node const &)> infeed;
    std::vector<std::vector<RefTensor>> outfed;               ///< one entry per outfeed that ran
    std::map<graph::VariableId, RefTensor> variables;         ///< missing ones start as zeros
    /// Physical: values live in storage that in-place results overwrite, reads and reshapes are views.
    /// Else every value keeps what its node made.
    bool physical = false;
    std::string error;

    bool run()
    {
        m_values.assign(g.values.size(), nullptr);
        m_variables.clear();
        for (std::size_t v = 0; v < g.variables.size(); ++v) {
            graph::VariableId const id(v);
            if (!variables.contains(id))
                variables[id] = {g.variables[v].dtype, g.variables[v].shape,
                                 std::vector<double>(static_cast<std::size_t>(elementCount(g.variables[v].shape)), 0.0)};
            m_variables.push_back(std::make_shared<RefTensor>(variables[id]));
        }
        bool const ok = region(graph::RegionId(0));
        for (std::size_t v = 0; v < g.variables.size(); ++v) variables[graph::VariableId(v)] = *m_variables[v];
        return ok;
    }

private:
    using Cell = std::shared_ptr<RefTensor>;

    bool region(graph::RegionId id)
    {
        for (auto nodeId : g.region(id).nodes)
            if (!node(g.node(nodeId))) return false;
        return true;
    }

    bool node(graph::Node const &n)
    {
        if (!n.regions.empty()) {
            for (std::int64_t i = 0; i < n.attrs.integer("count", 1); ++i)
                for (auto sub : n.regions)
                    if (!region(sub)) return false;
            return true;
        }
        std::vector<RefTensor> inputs;
        for (auto input : n.inputs) {
            RefTensor t = *m_values[input.index];
            t.shape = g.value(input).shape; // a view has a shape of its own
            inputs.push_back(std::move(t));
        }
        if (n.op == "variable.read") {
            auto const &cell = m_variables[n.variable.index];
            m_values[n.outputs[0].index] = physical ? cell : std::make_shared<RefTensor>(*cell);
            return true;
        }
        if (n.op == "variable.assign") {
            if (!physical || m_values[n.inputs[0].index] != m_variables[n.variable.index]) *m_variables[n.variable.index] = inputs[0];
            return true;
        }
        if (n.op == "outfeed") {
            outfed.push_back(inputs);
            return true;
        }
        std::vector<RefTensor> results;
        if (n.op == "infeed") {
            results = infeed(n);
        } else if (n.op == "all_reduce" || n.op == "ipu_copy") {
            results = inputs; // one replica
        } else {
            std::vector<reference::RefOutput> outs;
            for (auto output : n.outputs) outs.push_back({g.value(output).shape, g.value(output).dtype});
            auto made = reference::evaluate(n, inputs, outs, context);
            if (!made.ok()) {
                error = toText(made.error());
                return false;
            }
            results = std::move(made).value();
        }
        for (std::size_t i = 0; i < results.size(); ++i) {
            auto &cell = m_values[n.outputs[i].index];
            int const from = i < n.inPlace.size() ? n.inPlace[i] : -1;
            if (physical && from >= 0) {
                auto const target = m_values[n.inputs[static_cast<std::size_t>(from)].index];
                if (n.op != "reshape") *target = std::move(results[i]);
                cell = target;
            } else {
                cell = std::make_shared<RefTensor>(std::move(results[i]));
            }
        }
        return true;
    }

    std::vector<Cell> m_values;
    std::vector<Cell> m_variables;
};

/// Largest difference relative to the largest magnitude of `b` (at least 1e-3).
inline double difference(RefTensor const &a, RefTensor const &b)
{
    if (a.v.size() != b.v.size()) return 1e300;
    double scale = 1e-3, worst = 0;
    for (double x : b.v) scale = std::max(scale, std::abs(x));
    for (std::size_t i = 0; i < a.v.size(); ++i) {
        double const d = std::abs(a.v[i] - b.v[i]);
        if (!(d <= worst)) worst = d;
    }
    return worst / scale;
}

} // namespace tilewright::tests

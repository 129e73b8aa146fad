#pragma once

#include "engine/core/numbers.h"
#include "engine/core/random.h"
#include "engine/graph/control.h"
#include "engine/reference/reference.h"

#include <algorithm>
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
    for (std::int64_t i = 0; i < elementCount(shape); ++i) t.v.push_back(static_cast<float>(lo + (hi - lo) * stream.uniform()));
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
    std::vector<std::vector<RefTensor>> outfed;       ///< one entry per outfeed that ran
    std::map<graph::VariableId, RefTensor> variables; ///< missing ones start as zeros, or as the constant of an optimizer's state
    /// Physical: values are in storage that in-place results overwrite, reads and reshapes are views. Otherwise each value keeps the result
    /// of its node.
    bool physical = false;
    std::string error;

    bool run()
    {
        m_values.assign(g.values.size(), nullptr);
        m_variables.clear();
        for (std::size_t v = 0; v < g.variables.size(); ++v) {
            graph::VariableId const id(v);
            if (!variables.contains(id))
                variables[id] = {
                    g.variables[v].dtype, g.variables[v].shape,
                    std::vector<double>(static_cast<std::size_t>(elementCount(g.variables[v].shape)), firstOf(g.variables[v]))};
            m_variables.push_back(std::make_shared<RefTensor>(variables[id]));
        }
        bool const ok = region(graph::RegionId(0));
        for (std::size_t v = 0; v < g.variables.size(); ++v) variables[graph::VariableId(v)] = *m_variables[v];
        return ok;
    }

private:
    static double firstOf(graph::Variable const &variable)
    {
        constexpr std::string_view kConstant = R"({"class_name":"Constant","config":{"value":)";
        std::string_view text = variable.initializer;
        if (variable.role != graph::Role::OptimizerState || !text.starts_with(kConstant)) return 0;
        text.remove_prefix(kConstant.size());
        return parseReal(text.substr(0, text.find('}'))).value();
    }

    using Cell = std::shared_ptr<RefTensor>;

    bool region(graph::RegionId id)
    {
        for (auto nodeId : g.region(id).nodes)
            if (!node(g.node(nodeId))) return false;
        return true;
    }

    /// Physical: carried values of a loop stay in place; results of a step that are elsewhere are copied there.
    bool loop(graph::Node const &n)
    {
        auto const form = n.op == "repeat" ? graph::repeatForm(n) : graph::RepeatForm{n.attrs.integer("count", 1)};
        auto const parameters = graph::parametersOf(g, n.regions[0]), results = graph::resultsOf(g, n.regions[0]);
        std::size_t const first = form.index ? 1 : 0;
        std::vector<Cell> carried;
        for (std::size_t i = 0; i < form.carried; ++i) carried.push_back(std::make_shared<RefTensor>(*m_values[n.inputs[i].index]));
        std::vector<RefTensor> stacks;
        for (std::size_t i = form.carried; i < n.outputs.size(); ++i) {
            auto const &type = g.value(n.outputs[i]);
            stacks.push_back({type.dtype, type.shape, std::vector<double>(static_cast<std::size_t>(elementCount(type.shape)))});
        }
        auto const at = [&](std::size_t stack, std::int64_t t) { return form.reversed[stack] ? form.count - 1 - t : t; };
        for (std::int64_t t = 0; t < form.count; ++t) {
            if (form.index)
                m_values[parameters[0].index] = std::make_shared<RefTensor>(RefTensor{DType::I32, {}, {static_cast<double>(t)}});
            for (std::size_t i = 0; i < form.carried; ++i) m_values[parameters[first + i].index] = carried[i];
            for (std::size_t i = 0; i < form.stackedIn; ++i) {
                auto const &type = g.value(parameters[first + form.carried + i]);
                auto const &whole = m_values[n.inputs[form.carried + i].index]->v;
                auto const begin = whole.begin() + at(i, t) * elementCount(type.shape);
                m_values[parameters[first + form.carried + i].index] =
                    std::make_shared<RefTensor>(RefTensor{type.dtype, type.shape, {begin, begin + elementCount(type.shape)}});
            }
            for (auto sub : n.regions)
                if (!region(sub)) return false;
            std::vector<RefTensor> left;
            for (auto result : results) left.push_back(*m_values[result.index]);
            for (std::size_t i = 0; i < form.stackedOut; ++i)
                std::ranges::copy(left[form.carried + i].v,
                                  stacks[i].v.begin()
                                      + at(form.stackedIn + i, t) * static_cast<std::int64_t>(left[form.carried + i].v.size()));
            for (std::size_t i = 0; i < form.carried; ++i) {
                if (physical) *carried[i] = left[i];
                else carried[i] = std::make_shared<RefTensor>(left[i]);
            }
        }
        for (std::size_t i = 0; i < form.carried; ++i) m_values[n.outputs[i].index] = carried[i];
        for (std::size_t i = 0; i < stacks.size(); ++i)
            m_values[n.outputs[form.carried + i].index] = std::make_shared<RefTensor>(std::move(stacks[i]));
        return true;
    }

    bool node(graph::Node const &n)
    {
        if (!n.regions.empty()) return loop(n);
        if (graph::isRegionEnd(n)) return true;
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

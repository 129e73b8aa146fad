#pragma once

#include "engine/core/random.h"
#include "engine/graph/graph.h"

#include <limits>
#include <string>
#include <vector>

/// Random well-formed graphs for tests of the text form and of the structural check.
namespace tilewright::tests {

/// A text with difficult characters for printers: quotes, backslashes, line ends, nothing, other alphabets.
inline std::string oddString(RandomStream &random)
{
    static char const *const kParts[] = {"",  "dense", "\"", "\\", "\n",       "\r", "\\n",       "a b",  "/kernel", "{",
                                         "}", "%3",    "=",  ",",  "\xc3\xbc", "\t", "region r0", "\x01", "]\"[",    ":"};
    std::string text;
    for (std::uint64_t i = random.below(4); i > 0; --i) text += kParts[random.below(std::size(kParts))];
    return text;
}

inline double oddNumber(RandomStream &random)
{
    static double const kNumbers[] = {0.0,
                                      -0.0,
                                      1.0,
                                      -1e-7,
                                      1e308,
                                      5e-324,
                                      0.1,
                                      std::numeric_limits<double>::infinity(),
                                      -std::numeric_limits<double>::infinity(),
                                      123456789.125};
    auto const i = random.below(2 * std::size(kNumbers));
    return i < std::size(kNumbers) ? kNumbers[i] : random.uniform() * 2e3 - 1e3;
}

inline graph::AttrValue oddAttr(RandomStream &random)
{
    switch (random.below(6)) {
    case 0: return random.below(2) == 1;
    case 1: return static_cast<std::int64_t>(random.next());
    case 2: return oddNumber(random);
    case 3: return oddString(random);
    case 4: {
        std::vector<std::int64_t> values;
        for (auto n = random.below(4); n > 0; --n) values.push_back(static_cast<std::int64_t>(random.next()));
        return values;
    }
    default: {
        std::vector<double> values;
        for (auto n = random.below(4); n > 0; --n) values.push_back(oddNumber(random));
        return values;
    }
    }
}

/// Nodes with arbitrary op names, because structure and text do not depend on the existing ops. Numbered in region order.
class RandomGraph {
public:
    explicit RandomGraph(std::uint64_t seed) : m_random(seed) {}

    graph::Graph make()
    {
        m_graph.name = oddString(m_random);
        m_graph.stages = 1 + static_cast<int>(m_random.below(4));
        for (auto n = m_random.below(4); n > 0; --n) {
            graph::Variable v;
            v.name = oddString(m_random);
            v.shape = shape();
            v.dtype = dtype();
            v.role = static_cast<graph::Role>(m_random.below(10));
            v.layer = oddString(m_random);
            v.initializer = oddString(m_random);
            v.trainable = m_random.below(2) == 1;
            v.stage = static_cast<int>(m_random.below(4));
            graph::addVariable(m_graph, std::move(v));
        }
        region(0);
        return std::move(m_graph);
    }

private:
    Shape shape()
    {
        Shape s;
        for (auto n = m_random.below(4); n > 0; --n) s.push_back(1 + static_cast<std::int64_t>(m_random.below(1000)));
        return s;
    }
    DType dtype() { return static_cast<DType>(m_random.below(5)); }

    graph::RegionId region(int depth)
    {
        auto const id = graph::addRegion(m_graph, oddString(m_random));
        std::size_t const visible = m_visible.size();
        for (auto n = 1 + m_random.below(8); n > 0; --n) node(id, depth);
        m_visible.resize(visible); // definitions of a region are visible only inside
        return id;
    }

    void node(graph::RegionId in, int depth)
    {
        static char const *const kOps[] = {"add", "matmul", "opt.sgd", "made_up", "x1"};
        graph::NodeId const id(m_graph.nodes.size());
        m_graph.nodes.emplace_back();
        m_graph.region(in).nodes.push_back(id);
        graph::Node node;
        node.op = kOps[m_random.below(std::size(kOps))];
        node.name = oddString(m_random);
        node.layer = oddString(m_random);
        node.pass = static_cast<graph::Pass>(m_random.below(5));
        node.stage = static_cast<int>(m_random.below(5));
        static char const *const kKeys[] = {"a", "axis", "p0", "p_1.x"};
        for (auto const *key : kKeys)
            if (m_random.below(3) == 0) node.attrs.set(key, oddAttr(m_random));
        bool const read = !m_graph.variables.empty() && m_random.below(4) == 0;
        if (!read && !m_visible.empty())
            for (auto n = m_random.below(4); n > 0; --n) node.inputs.push_back(m_visible[m_random.below(m_visible.size())]);
        std::vector<graph::ValueId> made;
        for (auto n = read ? 1 : m_random.below(3); n > 0; --n) {
            graph::Value value;
            value.name = oddString(m_random);
            value.shape = shape();
            value.dtype = dtype();
            value.role = static_cast<graph::Role>(m_random.below(10));
            value.producer = id;
            if (read) {
                node.op = "variable.read";
                node.variable = graph::VariableId(m_random.below(m_graph.variables.size()));
                value.shape = m_graph.variable(node.variable).shape;
                value.dtype = m_graph.variable(node.variable).dtype;
            }
            made.push_back(graph::ValueId(m_graph.values.size()));
            m_graph.values.push_back(std::move(value));
        }
        node.outputs = made;
        if (!made.empty() && m_random.below(3) == 0)
            for (std::size_t i = 0; i < made.size(); ++i)
                node.inPlace.push_back(static_cast<int>(m_random.below(node.inputs.size() + 1)) - 1);
        if (depth < 4 && m_random.below(6) == 0)
            for (auto n = 1 + m_random.below(2); n > 0; --n) node.regions.push_back(region(depth + 1));
        m_graph.nodes[id.index] = std::move(node);
        m_visible.insert(m_visible.end(), made.begin(), made.end());
    }

    RandomStream m_random;
    graph::Graph m_graph;
    std::vector<graph::ValueId> m_visible;
};

} // namespace tilewright::tests

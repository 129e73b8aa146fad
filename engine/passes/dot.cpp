#include "engine/passes/pass.h"

#include <string>

namespace tilewright::passes {

using namespace graph;

namespace {

std::string quoted(std::string const &text)
{
    std::string result = "\"";
    for (char const c : text) {
        if (c == '"' || c == '\\') result += '\\';
        result += c;
    }
    return result + '"';
}

class DotWriter {
public:
    explicit DotWriter(Graph const &graph) : m_graph(graph) {}

    std::string text()
    {
        m_text = "digraph " + quoted(m_graph.name) + " {\n  node [shape=box];\n";
        addRegion(RegionId(0), "  ");
        return m_text + m_arrows + "}\n";
    }

private:
    static std::string idOf(NodeId node) { return "n" + std::to_string(node.index); }

    void addRegion(RegionId id, std::string const &indent)
    {
        for (auto const nodeId : m_graph.region(id).nodes) {
            auto const &node = m_graph.node(nodeId);
            m_text += indent + idOf(nodeId) + " [label=" + quoted(std::to_string(m_place++) + ": " + node.op + "\n" + node.name) + "];\n";
            for (auto const input : node.inputs) {
                auto const &value = m_graph.value(input);
                m_arrows += "  " + idOf(value.producer) + " -> " + idOf(nodeId)
                    + " [label=" + quoted(std::string(toText(value.dtype)) + toText(value.shape)) + "];\n";
            }
            for (auto const body : node.regions) {
                m_text += indent + "subgraph " + quoted("cluster_" + std::to_string(body.index)) + " {\n";
                m_text += indent + "  label=" + quoted(m_graph.region(body).label) + ";\n";
                addRegion(body, indent + "  ");
                m_text += indent + "}\n";
            }
        }
    }

    Graph const &m_graph;
    std::string m_text, m_arrows;
    int m_place = 0; ///< in the schedule
};

} // namespace

std::string dotText(Graph const &graph) { return DotWriter(graph).text(); }

} // namespace tilewright::passes

#include "engine/passes/storage.h"

#include "engine/graph/control.h"
#include "engine/graph/node_kind.h"
#include "engine/passes/graph_edit.h"

#include <algorithm>

namespace tilewright::passes {

using namespace graph;

namespace {

class Interpreter {
public:
    Interpreter(Graph const &graph, OpLookup const &ops) : g(graph), m_ops(ops), m_values(graph.values.size())
    {
        for (std::size_t v = 0; v < g.variables.size(); ++v) {
            m_variables.push_back(newStorage());
            m_meant.push_back(m_content[m_variables.back()]);
        }
    }

    Status region(RegionId id)
    {
        for (auto nodeId : g.region(id).nodes) TW_TRY(node(g.node(nodeId)));
        return {};
    }

    /// Variables hold what was assigned to them.
    Status settled() const
    {
        for (std::size_t v = 0; v < g.variables.size(); ++v)
            if (m_content[m_variables[v]] != m_meant[v])
                return broken(g.variables[v].name, Message::of("holds a value at the end that was never assigned to it"));
        return {};
    }

private:
    struct Place {
        std::size_t storage = 0;
        std::size_t token = 0; ///< what must be in it
    };

    static Diagnostic broken(std::string subject, Message what)
    {
        return makeError(ErrorKind::Internal, "passes.storage", std::move(subject), std::move(what));
    }

    std::size_t newStorage()
    {
        m_content.push_back(++m_tokens);
        m_fixed.push_back(0);
        return m_content.size() - 1;
    }

    Status node(Node const &n)
    {
        for (auto input : n.inputs) {
            auto const &place = m_values[input.index];
            if (m_content[place.storage] != place.token)
                return broken(n.name, Message::of("reads %1 after its storage was overwritten", g.value(input).name));
        }
        if (is(n, NodeKind::VariableRead)) {
            auto const v = n.variable.index;
            auto const storage = m_variables[v];
            if (m_content[storage] != m_meant[v]) return broken(n.name, Message::of("reads a variable whose storage was overwritten"));
            m_values[n.outputs[0].index] = {storage, m_content[storage]};
            return {};
        }
        if (is(n, NodeKind::VariableAssign)) {
            auto const v = n.variable.index;
            auto const &from = m_values[n.inputs[0].index];
            if (from.storage != m_variables[v]) m_content[m_variables[v]] = from.token;
            m_meant[v] = from.token;
            return {};
        }
        // Twice: what the first iteration overwrites is missing in the second.
        for (int iteration = 0; iteration < 2; ++iteration)
            for (auto sub : n.regions) {
                m_carries = is(n, NodeKind::Repeat) ? repeatForm(n) : RepeatForm();
                TW_TRY(region(sub));
            }
        std::vector<Place> places;
        for (std::size_t o = 0; o < n.outputs.size(); ++o) {
            int input = o < n.inPlace.size() ? n.inPlace[o] : -1;
            if (input < 0) input = forcedInPlace(m_ops, n, static_cast<int>(o));
            if (is(n, NodeKind::Reshape)) {
                places.push_back(m_values[n.inputs[0].index]);
            } else if (input >= 0) {
                auto const storage = m_values[n.inputs[static_cast<std::size_t>(input)].index].storage;
                if (m_fixed[storage])
                    return broken(n.name, Message::of("overwrites a constant, a feed or a value from outside its region"));
                m_content[storage] = ++m_tokens;
                places.push_back({storage, m_tokens});
            } else {
                auto const storage = newStorage();
                std::size_t const first = m_carries.index ? 1 : 0;
                bool const lent = is(n, NodeKind::Parameters) && (o < first || o >= first + m_carries.carried);
                if (is(n, NodeKind::Constant, NodeKind::Infeed) || lent) m_fixed[storage] = 1;
                places.push_back({storage, m_content[storage]});
            }
        }
        for (std::size_t o = 0; o < n.outputs.size(); ++o) m_values[n.outputs[o].index] = places[o];
        return {};
    }

    Graph const &g;
    OpLookup const &m_ops;
    std::vector<Place> m_values;
    std::vector<std::size_t> m_variables; ///< storage of each
    std::vector<std::size_t> m_meant;     ///< token last assigned
    std::vector<std::size_t> m_content;   ///< by storage
    std::vector<char> m_fixed;            ///< by storage: written from outside only
    std::size_t m_tokens = 0;
    RepeatForm m_carries; ///< of the loop whose body begins
};

} // namespace

Status verifyStorage(Graph const &graph, OpLookup const &ops)
{
    Interpreter interpreter(graph, ops);
    TW_TRY(interpreter.region(RegionId(0)));
    return interpreter.settled();
}

} // namespace tilewright::passes

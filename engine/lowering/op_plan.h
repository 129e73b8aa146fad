#pragma once

#include "engine/graph/graph.h"
#include "engine/lowering/plan_search.h"
#include "engine/program/layout.h"

#include <compare>
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

/// What an operation says to be planned before anything is lowered: traits by which its nodes find the group they are planned
/// with, and what a plan of such a group comes to.
namespace tilewright::lowering {

class LowerContext;

/// Operations that share groups. Families are planned one after the other: the first have the first word on tiles, and on
/// operands that several of them read.
struct PlanFamily {
    int order = 0;
    std::string_view name;
    auto operator<=>(PlanFamily const &) const = default;
};

/// By what a node finds the group that it is planned with.
enum class PlannedWith : std::uint8_t {
    Nobody,
    Weights, ///< those that read the same variables where they lie
    Layer    ///< those of its layer, or of one that shares its body
};

/// What an operation says of one of its nodes.
struct PlanTraits {
    PlanFamily family;
    PlanRole role = PlanRole::Forward;
    PlannedWith with = PlannedWith::Nobody;
    bool leads = false;                ///< begins a group where it fits none; others are then planned alone
    int resident = -1;                 ///< operand that, where it is a variable, stays on the tiles that read it; -1: there is none
    std::vector<std::int64_t> problem; ///< as the forward node has it: the members of a group have the same
};

/// One node, or nodes that are planned jointly because they share weights.
struct PlanGroup {
    struct Member {
        graph::NodeId node;
        PlanRole role = PlanRole::Forward;
    };
    /// Cycles of all executions of the members for one of that which runs least often, on one grid of tiles and on grids of their own.
    struct Weighed {
        std::size_t members = 1; ///< 1: nothing was weighed
        Cycles together = 0, apart = 0;
        bool apartKeepsShare = true;                     ///< of a tile's memory, of which temporaries may take no more
        bool split = false;                              ///< each has a grid of its own
        bool faster() const { return apart < together; } ///< those
    };
    std::vector<std::int64_t> problem;
    std::vector<graph::VariableId>
        weights; ///< that the lead reads where they lie, one for each call of its body; empty: its operands are data
    std::vector<Member> members;
    Weighed weighed = {};

    graph::NodeId lead() const { return members.front().node; }
};

/// Layouts of the graph's variables, as far as they are decided.
class VariablePlaces {
public:
    explicit VariablePlaces(std::size_t variables) : m_layouts(variables) {}
    bool has(graph::VariableId id) const { return m_layouts[id.index].has_value(); }
    program::Layout const &of(graph::VariableId id) const { return *m_layouts[id.index]; }
    void set(graph::VariableId id, program::Layout const &layout) { m_layouts[id.index] = layout; }

private:
    std::vector<std::optional<program::Layout>> m_layouts;
};

/// The plan of a group, before it is decided whether and where it runs.
struct OpPlan {
    std::int64_t tiles = 1;
    std::vector<Cycles> cycles; ///< of one execution, by member; only for what is weighed
    Cycles delivery = 0;        ///< of a single member: to bring its result to a variable that lies elsewhere
    /// Code and state that a tile takes more when each member has a grid of its own; none: they never have.
    std::optional<Bytes> bytesApart;
    // Whether the share of a tile's memory that temporaries may take is kept: by this plan; and, where its members have grids of their own,
    // by a gradient that is brought to the weights.
    bool keepsShare = true, deliveryKeepsShare = true;
    /// Enters the plan in the context, on tiles from the first one, and lays the variables that stay with it.
    std::function<void(LowerContext &, PlanGroup const &, int firstTile, VariablePlaces &)> place;
    /// Lays other operands beside their readers, after the weights of all groups of the family; may be empty.
    std::function<void(LowerContext &, PlanGroup const &, VariablePlaces &)> placeOperands;
};

/// Plans by all that they depend on: equal ones are made once. What is handed out stays where it is.
template <typename Key, typename Plan> class PlanCache {
public:
    template <typename Make> Plan const &of(Key const &key, Make const &make)
    {
        for (auto const &[known, plan] : m_known)
            if (known == key) return plan;
        return m_known.emplace_back(key, make()).second;
    }

private:
    std::deque<std::pair<Key, Plan>> m_known;
};

} // namespace tilewright::lowering

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

/// Data for planning before lowering: traits that assign the nodes of an operation to groups, and the plan of a group.
namespace tilewright::lowering {

class LowerContext;

/// Operations that share groups. Families are planned one after the other; earlier ones choose tiles and shared operands first.
struct PlanFamily {
    int order = 0;
    std::string_view name;
    auto operator<=>(PlanFamily const &) const = default;
};

/// How a node finds its planning group.
enum class PlannedWith : std::uint8_t {
    Nobody,
    Weights, ///< nodes that read the same variables in place
    Layer    ///< nodes of its layer, or of a layer with the same body
};

/// Planning traits of one node.
struct PlanTraits {
    PlanFamily family;
    PlanRole role = PlanRole::Forward;
    PlannedWith with = PlannedWith::Nobody;
    bool leads = false;                ///< starts a group if it fits none; other nodes are then planned alone
    int resident = -1;                 ///< operand that stays on its readers' tiles if it is a variable; -1: none
    std::vector<std::int64_t> problem; ///< of the forward node; equal for all members of a group
};

/// One node, or nodes that are planned jointly because they share weights.
struct PlanGroup {
    struct Member {
        graph::NodeId node;
        PlanRole role = PlanRole::Forward;
    };
    /// Cycles of all executions of the members, per execution of the rarest member, on one grid of tiles and on separate grids.
    struct Weighed {
        std::size_t members = 1; ///< 1: no comparison was made
        Cycles together = 0, apart = 0;
        bool apartKeepsShare = true;                     ///< separate plans keep temporaries within their share of a tile's memory
        bool split = false;                              ///< each member has its own grid
        bool faster() const { return apart < together; } ///< the separate plans
    };
    std::vector<std::int64_t> problem;
    std::vector<graph::VariableId> weights; ///< that the lead reads in place, one per call of its body; empty: its operands are data
    std::vector<Member> members;
    Weighed weighed = {};

    graph::NodeId lead() const { return members.front().node; }
};

/// Layouts of the graph's variables that are decided so far.
class VariablePlaces {
public:
    explicit VariablePlaces(std::size_t variables) : m_layouts(variables) {}
    bool has(graph::VariableId id) const { return m_layouts[id.index].has_value(); }
    program::Layout const &of(graph::VariableId id) const { return *m_layouts[id.index]; }
    void set(graph::VariableId id, program::Layout const &layout) { m_layouts[id.index] = layout; }

private:
    std::vector<std::optional<program::Layout>> m_layouts;
};

/// The plan of a group, before its tiles are chosen.
struct OpPlan {
    std::int64_t tiles = 1;
    std::vector<Cycles> cycles; ///< of one execution, by member; only if separate plans are compared
    Cycles delivery = 0;        ///< of a single member: cycles to move its result to a variable elsewhere
    /// Additional code and state per tile if each member has its own grid; nullopt: not possible.
    std::optional<Bytes> bytesApart;
    // Whether temporaries keep their share of a tile's memory: in this plan; and, with separate grids, including a gradient on its way to
    // the weights.
    bool keepsShare = true, deliveryKeepsShare = true;
    /// Enters the plan in the context, on tiles from firstTile on, and lays its resident variables.
    std::function<void(LowerContext &, PlanGroup const &, int firstTile, VariablePlaces &)> place;
    /// Lays other operands beside their readers, after the weights of all groups of the family. May be empty.
    std::function<void(LowerContext &, PlanGroup const &, VariablePlaces &)> placeOperands;
};

/// Cache of plans by all their inputs. References stay valid.
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

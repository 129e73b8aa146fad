#include "engine/lowering/planning.h"

#include "engine/core/internal_error.h"
#include "engine/lowering/walk.h"

#include <algorithm>
#include <map>
#include <string>

namespace tilewright::lowering {

using graph::NodeId;

namespace {

class GroupFinder {
public:
    explicit GroupFinder(LowerContext const &ctx) : m_ctx(ctx)
    {
        forEachNode(ctx.graph, graph::RegionId(0), [&](NodeId id) {
            auto const *op = ctx.ops(ctx.graph.node(id).op);
            if (op && op->plan) add(id, op->traits(ctx, id));
        });
        // A gradient may stand in front of what leads its group, where it does not depend on it.
        for (auto const &[id, traits] : m_followers) {
            auto &family = m_families[traits.family];
            auto const homes = homesOf(family, id, traits);
            if (auto *home = homeOf(family, homes, traits)) home->members.push_back({id, traits.role});
            else alone(family, id, traits);
        }
    }

    std::vector<std::vector<PlanGroup>> found()
    {
        std::vector<std::vector<PlanGroup>> all;
        for (auto &[family, groups] : m_families) all.push_back(std::move(groups.all));
        return all;
    }

private:
    struct Groups {
        std::vector<PlanGroup> all;
        // Those that others may join, in order.
        std::map<graph::VariableId, std::vector<std::size_t>> byWeights;
        std::map<std::string, std::vector<std::size_t>> byLayer;
    };

    void add(NodeId id, PlanTraits const &traits)
    {
        auto &family = m_families[traits.family];
        if (traits.leads) return lead(family, id, traits);
        if (traits.with == PlannedWith::Nobody) return alone(family, id, traits);
        m_followers.emplace_back(id, traits);
    }

    void lead(Groups &family, NodeId id, PlanTraits const &traits)
    {
        auto const homes = homesOf(family, id, traits);
        if (auto *home = homeOf(family, homes, traits)) return home->members.push_back({id, traits.role});
        // The same weights for another problem: their place is taken.
        if (traits.with == PlannedWith::Weights && !homes.empty()) return alone(family, id, traits);
        auto const group = family.all.size();
        family.all.push_back({traits.problem, weightsOf(id, traits), {{id, traits.role}}, {}});
        for (auto const variable : family.all.back().weights) family.byWeights[variable].push_back(group);
        family.byLayer[layerOf(id)].push_back(group);
    }

    static void alone(Groups &family, NodeId id, PlanTraits const &traits)
    {
        family.all.push_back({traits.problem, {}, {{id, traits.role}}, {}});
    }

    std::string const &layerOf(NodeId id) const { return m_ctx.callers.twin(m_ctx.graph.node(id).layer); }

    std::vector<graph::VariableId> weightsOf(NodeId id, PlanTraits const &traits) const
    {
        if (traits.resident < 0) return {};
        return m_ctx.callers.variablesOf(m_ctx.graph.node(id).inputs[static_cast<std::size_t>(traits.resident)]);
    }

    /// Groups that a node could belong to, were their problem its own.
    std::vector<std::size_t> homesOf(Groups const &family, NodeId id, PlanTraits const &traits) const
    {
        auto const in = [](auto const &known, auto const &key) {
            auto const it = known.find(key);
            return it == known.end() ? std::vector<std::size_t>() : it->second;
        };
        switch (traits.with) {
        case PlannedWith::Nobody: return {};
        case PlannedWith::Layer: return in(family.byLayer, layerOf(id));
        case PlannedWith::Weights:
            auto const weights = weightsOf(id, traits);
            return weights.empty() ? std::vector<std::size_t>() : in(family.byWeights, weights.front());
        }
        return {};
    }

    static PlanGroup *homeOf(Groups &family, std::vector<std::size_t> const &homes, PlanTraits const &traits)
    {
        auto const fits = [&](std::size_t i) { return family.all[i].problem == traits.problem; };
        // Of a layer's equal groups (queries, keys, values) each has a gradient; they come in the opposite order.
        auto const lacksRole = [&](std::size_t i) {
            return fits(i) && std::ranges::none_of(family.all[i].members, [&](auto const &member) { return member.role == traits.role; });
        };
        auto const last = std::find_if(homes.rbegin(), homes.rend(), lacksRole);
        if (last != homes.rend()) return &family.all[*last];
        auto const first = std::ranges::find_if(homes, fits);
        return first == homes.end() ? nullptr : &family.all[*first];
    }

    LowerContext const &m_ctx;
    std::map<PlanFamily, Groups> m_families;
    std::vector<std::pair<NodeId, PlanTraits>> m_followers;
};

class Planning {
public:
    Planning(LowerContext &ctx, VariablePlaces &places) : m_ctx(ctx), m_places(places) {}

    /// Of one family.
    void plan(std::vector<PlanGroup> groups)
    {
        groups = cheapest(std::move(groups));
        std::vector<OpPlan> plans;
        for (auto const &group : groups) {
            auto const &plan = plans.emplace_back(planOf(group));
            // What fills most of the chip begins at its first tile, the others lie side by side.
            int const first = plan.tiles * 2 > m_ctx.b.chip().tiles ? 0 : m_ctx.b.nextTiles(ipuOf(group), plan.tiles);
            plan.place(m_ctx, group, first, m_places);
        }
        for (std::size_t i = 0; i < groups.size(); ++i)
            if (plans[i].placeOperands) plans[i].placeOperands(m_ctx, groups[i], m_places);
    }

    bool anyApart = false;

private:
    OpPlan planOf(PlanGroup const &group)
    {
        auto const &lead = m_ctx.graph.node(group.lead());
        WorkStage const stage("planning", lead.name);
        return m_ctx.ops(lead.op)->plan(m_ctx, group);
    }
    int ipuOf(PlanGroup const &group) const { return m_ctx.ipu(m_ctx.graph.node(group.lead()).stage); }
    static PlanGroup single(PlanGroup const &group, PlanGroup::Member const &member)
    {
        return {group.problem, {}, {member}, group.weighed};
    }

    std::vector<PlanGroup> cheapest(std::vector<PlanGroup> groups)
    {
        struct Faster {
            std::size_t group;
            Cycles saved;
            Bytes bytes;
        };
        std::vector<Faster> faster;
        for (std::size_t i = 0; i < groups.size(); ++i) {
            auto &group = groups[i];
            if (group.members.size() < 2) continue;
            auto const plan = planOf(group);
            if (!plan.bytesApart) continue;
            group.weighed = weigh(group, plan);
            // What takes the memory that it may is not exchanged for what takes more.
            if (group.weighed.faster() && (group.weighed.apartKeepsShare || !plan.keepsShare) && !m_ctx.b.options().productsTogether)
                faster.push_back({i, group.weighed.together - group.weighed.apart, *plan.bytesApart});
        }
        std::ranges::stable_sort(faster, std::greater(), &Faster::saved);
        for (auto const &each : faster) {
            auto &bytes = m_bytesApart[ipuOf(groups[each.group])];
            if (bytes + each.bytes > m_ctx.b.chip().nonInterleavedBytes / 8) continue;
            bytes += each.bytes;
            groups[each.group].weighed.split = true;
            anyApart = true;
        }
        std::vector<PlanGroup> chosen;
        for (auto &group : groups) {
            if (!group.weighed.split) chosen.push_back(std::move(group));
            else
                for (auto const &member : group.members) chosen.push_back(single(group, member));
        }
        return chosen;
    }

    PlanGroup::Weighed weigh(PlanGroup const &group, OpPlan const &plan)
    {
        PlanGroup::Weighed weighed;
        weighed.members = group.members.size();
        // Of the loops around all of them (of steps, of micro-batches) one turn is enough.
        std::int64_t turns = m_ctx.callers.executions(group.lead());
        for (std::size_t i = 0; i < group.members.size(); ++i) {
            auto const &member = group.members[i];
            std::int64_t const times = m_ctx.callers.executions(member.node);
            turns = std::min(turns, times);
            auto const own = planOf(single(group, member));
            weighed.apartKeepsShare =
                weighed.apartKeepsShare && own.keepsShare && (member.role != PlanRole::Update || plan.deliveryKeepsShare);
            weighed.together += times * plan.cycles[i];
            // The gradient lies dealt over the tiles that summed it and goes to the weights, which are dealt over theirs.
            weighed.apart += times * (own.cycles.front() + (member.role == PlanRole::Update ? own.delivery : 0));
        }
        turns = std::max<std::int64_t>(1, turns);
        weighed.together /= turns;
        weighed.apart /= turns;
        return weighed;
    }

    LowerContext &m_ctx;
    VariablePlaces &m_places;
    std::map<int, Bytes> m_bytesApart; ///< taken by groups that fell apart, by IPU
};

} // namespace

std::vector<std::vector<PlanGroup>> planGroups(LowerContext const &ctx) { return GroupFinder(ctx).found(); }

bool planOperations(LowerContext &ctx, VariablePlaces &places)
{
    Planning planning(ctx, places);
    for (auto &groups : planGroups(ctx)) planning.plan(std::move(groups));
    return planning.anyApart;
}

} // namespace tilewright::lowering

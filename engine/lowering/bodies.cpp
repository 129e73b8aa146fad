#include "engine/lowering/bodies.h"

#include <algorithm>

namespace tilewright::lowering {

using namespace program;

namespace {

void copyOne(ProgramBuilder &b, VarId from, VarId to, std::vector<VertexFamily> &copies, std::string const &name)
{
    if (from == to) return;
    if (b.var(from).layout == b.var(to).layout) copies.push_back(b.family("Copy", {{to, Access::Write}, {from, Access::Read}}));
    else b.transfer(b.whole(from, to), name);
}

} // namespace

bool isStorage(Layout const &layout, int ipu)
{
    if (layout.on.ipu != ipu) return false;
    for (int d = 0; d < layout.rank; ++d)
        if (layout.dim(d).kind != DimKind::Index || layout.dim(d).overlaps()) return false;
    return true;
}

bool staysOnOneIpu(LowerContext const &ctx, graph::Node const &node)
{
    auto const visit = [&](auto &&self, graph::RegionId region) -> bool {
        for (auto id : ctx.graph.region(region).nodes) {
            auto const &inner = ctx.graph.node(id);
            if (ctx.ipu(inner.stage) != ctx.ipu(node.stage)) return false;
            for (auto sub : inner.regions)
                if (!self(self, sub)) return false;
        }
        return true;
    };
    return std::ranges::all_of(node.regions, [&](graph::RegionId region) { return visit(visit, region); });
}

void copyAll(ProgramBuilder &b, std::vector<VarId> const &from, std::vector<VarId> const &to, std::string const &name,
             std::vector<VertexFamily> more)
{
    std::vector<VertexFamily> copies;
    for (std::size_t i = 0; i < from.size(); ++i) copyOne(b, from[i], to[i], copies, name);
    copies.insert(copies.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
    if (!copies.empty()) b.execute(name, std::move(copies));
    b.flush();
}

void carryOver(ProgramBuilder &b, std::vector<VarId> from, std::vector<VarId> const &carried, std::string const &name,
               std::vector<VertexFamily> more)
{
    std::vector<VertexFamily> aside, copies;
    for (std::size_t i = 0; i < from.size(); ++i) {
        if (from[i] == carried[i] || std::ranges::find(carried, from[i]) == carried.end()) continue;
        // Another carried value that is overwritten at the same time.
        auto const other = b.var(from[i]);
        VarId const held = b.addVar(other.name + "/held", other.role, other.dtype, other.shape, other.layout);
        aside.push_back(b.family("Copy", {{held, Access::Write}, {from[i], Access::Read}}));
        from[i] = held;
    }
    if (!aside.empty()) b.execute(name + "/Hold", std::move(aside));
    for (std::size_t i = 0; i < from.size(); ++i) copyOne(b, from[i], carried[i], copies, name + "/Carry");
    copies.insert(copies.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
    if (!copies.empty()) b.execute(name + "/NextStep", std::move(copies));
    b.flush();
}

} // namespace tilewright::lowering

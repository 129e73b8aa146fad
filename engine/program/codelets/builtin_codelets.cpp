#include "engine/program/codelets/codelet_list.h"

#include <algorithm>

namespace tilewright::program {

namespace {

std::vector<Codelet> makeCodelets()
{
    std::vector<Codelet> all;
    addMatmulCodelets(all);
    addMapCodelet(all);
    addReduceCodelets(all);
    addCopyCodelets(all);
    addLossCodelets(all);
    addOptimizerCodelets(all);
    addStateCodelets(all);
    return all;
}

} // namespace

std::span<Codelet const> builtinCodelets()
{
    static std::vector<Codelet> const kAll = makeCodelets();
    return kAll;
}

Codelet const *findCodelet(std::string_view name)
{
    auto const all = builtinCodelets();
    auto const it = std::ranges::find(all, name, &Codelet::name);
    return it == all.end() ? nullptr : &*it;
}

FamilyIndex indexFamily(Program const &program, VertexFamily const &family)
{
    FamilyIndex index;
    for (auto const &field : family.fields) {
        auto const &layout = program.var(field.var).layout;
        index.placed.push_back(placements(layout));
        index.byTile.push_back(blockByTile(layout, program.tiles()));
    }
    return index;
}

std::vector<FieldShape> vertexShape(Program const &program, VertexFamily const &family, FamilyIndex const &index, int tile)
{
    std::vector<FieldShape> shapes;
    shapes.reserve(family.fields.size());
    for (std::size_t f = 0; f < family.fields.size(); ++f) {
        auto const block = index.byTile[f][static_cast<std::size_t>(tile)];
        TW_CHECK(block >= 0, "field without a block on its tile");
        FieldShape shape{program.var(family.fields[f].var).dtype, index.placed[f][static_cast<std::size_t>(block)].box};
        if (family.fields[f].group >= 0) {
            shape.box.g0 += family.fields[f].group;
            shape.box.g1 = shape.box.g0 + 1;
        }
        shapes.push_back(shape);
    }
    return shapes;
}

} // namespace tilewright::program

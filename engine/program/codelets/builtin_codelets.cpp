#include "engine/program/codelets/codelet_list.h"

#include <algorithm>

namespace tilewright::program {

namespace {

std::vector<Codelet> makeCodelets()
{
    std::vector<Codelet> all;
    addMatmulCodelets(all);
    addConvCodelets(all);
    addMapCodelet(all);
    addReduceCodelets(all);
    addCumulativeCodelets(all);
    addCopyCodelets(all);
    addSliceCodelets(all);
    addLossCodelets(all);
    addOptimizerCodelets(all);
    addUpdateCodelets(all);
    addStateCodelets(all);
    addPoolCodelets(all);
    addNormCodelets(all);
    addNoiseCodelets(all);
    addLibraryMatmul(all);
    addLibraryElementwise(all);
    addLibraryOthers(all);
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
    return it == all.end() || !it->run ? nullptr : &*it;
}

Box fieldBox(Layout const &layout, Field const &field, Box box)
{
    if (field.slice < 0) return box;
    auto &outer = box.range[layout.order[0]];
    outer.begin += field.slice;
    outer.end = outer.begin + 1;
    return box;
}

FieldShape fieldShape(Program const &program, Field const &field, Box const &block)
{
    auto const &variable = program.var(field.var);
    auto const box = fieldBox(variable.layout, field, block);
    auto const m = matrixOf(variable.layout, box);
    FieldShape shape{variable.dtype, m.groups, m.rows, m.cols, 0, {}};
    for (int d = 0; d < variable.layout.rank; ++d)
        if (variable.layout.dim(d).kind == DimKind::Index) shape.size[static_cast<std::size_t>(shape.rank++)] = box.size(d);
    return shape;
}

FieldBlock fieldBlock(Program const &program, Field const &field, Box const &block)
{
    auto const &layout = program.var(field.var).layout;
    auto const box = fieldBox(layout, field, block);
    FieldBlock out;
    for (int d = 0; d < layout.rank; ++d) {
        if (layout.dim(d).kind != DimKind::Index) continue;
        auto const at = static_cast<std::size_t>(out.rank++);
        out.range[at] = box.range[static_cast<std::size_t>(d)];
        out.extent[at] = layout.dim(d).extent;
    }
    return out;
}

bool hasMatrixGroups(Layout const &layout)
{
    int const col = layout.colDim();
    int grouped = -1, index = 0;
    for (int d = 0; d < layout.rank; ++d) {
        auto const &dim = layout.dim(d);
        if (dim.kind != DimKind::Index) {
            if (dim.block != 1) return false;
            continue;
        }
        ++index;
        if (dim.group == 1) continue;
        if (grouped >= 0) return false;
        grouped = d;
    }
    // Groups of rows, then columns; or groups of columns (possibly several dimensions in order), then rows.
    if (grouped < 0 || (grouped != col && index != 2)) return false;
    auto const inBytes = [&](int back) { return static_cast<int>(layout.order[static_cast<std::size_t>(layout.rank - 1 - back)]); };
    if (grouped != col) return inBytes(1) == grouped && inBytes(0) == col;
    for (int back = 0; back + 1 < index; ++back)
        if (inBytes(back) != col - 1 - back) return false;
    return inBytes(index - 1) == col;
}

VertexState::Ref fieldRef(Program const &program, Field const &field, Box const &block)
{
    auto const &variable = program.var(field.var);
    auto const &layout = variable.layout;
    auto const m = matrixOf(layout, fieldBox(layout, field, block));
    VertexState::Ref ref;
    if (field.slice > 0) ref.address = static_cast<std::uint32_t>(field.slice * m.elements() * sizeOf(variable.dtype));
    ref.dtype = variable.dtype;
    ref.groups = static_cast<std::int32_t>(m.groups);
    ref.rows = static_cast<std::int32_t>(m.rows);
    ref.cols = static_cast<std::int32_t>(m.cols);
    ref.row0 = m.row0;
    ref.col0 = m.col0;
    if (layout.isGrouped()) {
        TW_CHECK(hasMatrixGroups(layout), "no codelet knows the order of " + variable.name);
        ref.rowGroup = layout.row().group;
        ref.colGroup = layout.col().group;
    }
    return ref;
}

FamilyClasses familyClasses(Program const &program, VertexFamily const &family)
{
    auto const tiles = static_cast<std::size_t>(program.tiles());
    auto const lead = static_cast<std::size_t>(family.lead);
    auto const layoutOf = [&](std::size_t f) -> Layout const & { return program.var(family.fields[f].var).layout; };
    // Most fields have equal layouts, so each class of equal layouts is built once.
    std::vector<TileClasses> classes;
    std::vector<std::size_t> classesOf(family.fields.size());
    for (std::size_t f = 0; f < family.fields.size(); ++f) {
        std::size_t same = 0;
        while (same < f && layoutOf(same) != layoutOf(f)) ++same;
        classesOf[f] = same < f ? classesOf[same] : classes.size();
        if (same == f) classes.push_back(tileClasses(layoutOf(f), program.tiles()));
    }
    FamilyClasses result;
    auto const &leading = classes[classesOf[lead]];
    result.ofTile.assign(leading.ofTile.begin(), leading.ofTile.end());
    std::size_t count = leading.box.size();
    // Refine by one layout after another. Numbers are assigned in the order of tiles.
    for (std::size_t c = 0; c < classes.size(); ++c) {
        if (c == classesOf[lead] || classes[c].box.size() == 1) continue;
        std::size_t const width = classes[c].box.size();
        std::vector<std::int32_t> known(count * width, -1);
        std::int32_t next = 0;
        for (std::size_t t = 0; t < tiles; ++t) {
            if (result.ofTile[t] < 0) continue;
            auto const other = classes[c].ofTile[t];
            TW_CHECK(other >= 0, "field without a block on its tile");
            auto &number = known[static_cast<std::size_t>(result.ofTile[t]) * width + static_cast<std::size_t>(other)];
            if (number < 0) number = next++;
            result.ofTile[t] = number;
        }
        count = static_cast<std::size_t>(next);
    }
    result.shapes.resize(count);
    for (std::size_t t = 0; t < tiles; ++t) {
        if (result.ofTile[t] < 0) continue;
        auto &shapes = result.shapes[static_cast<std::size_t>(result.ofTile[t])];
        if (!shapes.empty()) continue;
        for (std::size_t f = 0; f < family.fields.size(); ++f) {
            auto const &of = classes[classesOf[f]];
            TW_CHECK(of.ofTile[t] >= 0, "field without a block on its tile");
            shapes.push_back(fieldShape(program, family.fields[f], of.box[static_cast<std::size_t>(of.ofTile[t])]));
        }
    }
    return result;
}

} // namespace tilewright::program

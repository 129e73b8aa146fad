#include "engine/graph/expr.h"
#include "engine/kernels/map_group.h"
#include "engine/kernels/map_program.h"
#include "engine/kernels/ops.h"
#include "engine/kernels/support.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

// Elementwise nodes are evaluated block by block: each primitive is one vectorised loop over a few hundred elements whose
// intermediate results stay in the first-level cache. A node by itself is a group of one.

namespace tilewright::kernels {

namespace {

using graph::Broadcast;

/// Storage that a group reads or writes.
struct Touched {
    std::byte const *begin, *end;
    std::int64_t parts; ///< side by side; 0: not element by element with the group
    bool early = false; ///< written before its node's turn
};

template <typename T> class GroupBuilder {
public:
    explicit GroupBuilder(std::span<MapNode const> nodes) : m_nodes(nodes) {}

    Result<Prepared> build()
    {
        TW_TRY(findExtents());
        m_program.emplace(m_rows, m_cols);
        for (auto const &node : m_nodes)
            if (node.node->op == "concat" && node.kept[0]) findJoined(node);
        for (auto const &node : m_nodes) {
            if (node.node->op == "split") TW_TRY(addSplit(node));
            else if (node.node->op == "concat") TW_TRY(addConcat(node));
            else TW_TRY(addElementwise(node));
        }
        if (m_nodes.size() > 1) TW_TRY(checkStorage());
        return m_program->finish(m_work);
    }

private:
    using Program = MapProgram<T>;
    using Reg = typename Program::Reg;

    static Diagnostic misfit(MapNode const &node)
    {
        return unsupported(*node.node, Message::of("does not fit into the group of nodes around it."));
    }

    /// Rows of all results, and columns of a part; where nothing is said of rows and columns, all is one row.
    Status findExtents()
    {
        bool flat = true, first = true;
        for (auto const &node : m_nodes) {
            bool const elementwise = graph::isElementwise(node.node->op);
            flat = flat && elementwise && (first || elementCount(node.outputs[0].shape) == m_rows * m_cols);
            for (auto const &output : node.outputs) {
                auto const runs = graph::alongLast(output.shape);
                if (!first && runs.outer != m_rows) return misfit(node);
                m_rows = runs.outer;
                m_cols = first ? runs.n : std::min(m_cols, runs.n);
                first = false;
                if (!elementwise) continue;
                for (auto const &input : node.inputs) {
                    if (!graph::broadcasts(input.shape, output.shape))
                        return unsupported(*node.node,
                                           Message::of("operand %1 does not broadcast to %2.", toText(input.shape), toText(output.shape)));
                    auto const how = graph::findBroadcast(input.shape, output.shape);
                    flat = flat && (how == Broadcast::Full || how == Broadcast::Scalar);
                }
            }
            if (node.node->op == "concat")
                for (auto const &input : node.inputs) m_cols = std::min(m_cols, graph::alongLast(input.shape).n);
        }
        if (flat) {
            m_cols *= m_rows;
            m_rows = 1;
        }
        return {};
    }

    /// Parts of a value that is read or made element by element with the group; 0: it does not fit.
    std::int64_t partsOf(HostTensor const &tensor) const
    {
        std::int64_t const n = tensor.elements(), part = m_rows * m_cols;
        if (part == 0) return n == 0 ? 1 : 0;
        return n % part == 0 ? n / part : 0;
    }

    MapPlace placeOf(HostTensor const &tensor, std::int64_t part, std::int64_t parts) const
    {
        return {tensor.data, tensor.dtype, part * m_cols, parts * m_cols};
    }

    void touch(std::vector<Touched> &list, HostTensor const &tensor, std::int64_t parts, bool early = false)
    {
        list.push_back({tensor.data, tensor.data + tensor.elements() * sizeOf(tensor.dtype), parts, early});
    }

    /// A part of an operand, `parts` of which meet the result.
    Result<Reg> operand(MapNode const &node, std::size_t input, Broadcast how, std::int64_t part, std::int64_t parts)
    {
        auto const name = node.inputNames[input];
        if (how == Broadcast::Scalar || how == Broadcast::Column) part = 0;
        if (m_made.contains(name) && how != Broadcast::Full) return misfit(node);
        auto const key = std::tuple(name, how, part);
        if (auto const known = m_regs.find(key); known != m_regs.end()) return known->second;
        if (m_made.contains(name)) return misfit(node);
        auto const &tensor = node.inputs[input];
        touch(m_read, tensor, how == Broadcast::Full ? parts : 0);
        auto place = placeOf(tensor, part, parts);
        Reg reg = -1;
        switch (how) {
        case Broadcast::Full: reg = m_program->load(place); break;
        case Broadcast::Row:
            place.stride = 0;
            reg = m_program->load(place);
            break;
        case Broadcast::Scalar: reg = m_program->loadScalar(place); break;
        case Broadcast::Column: reg = m_program->loadColumn(place); break;
        }
        m_regs.emplace(key, reg);
        return reg;
    }

    /// A part of an operand that is repeated along axes among the rows.
    Result<Reg> repeated(MapNode const &node, std::size_t input, std::int64_t part)
    {
        if (m_made.contains(node.inputNames[input])) return misfit(node);
        auto const &tensor = node.inputs[input];
        touch(m_read, tensor, 0);
        Shape const wide = graph::alignedTo(node.outputs[0].shape.size(), tensor.shape);
        Shape const rows(wide.begin(), wide.end() - 1), wantedRows(node.outputs[0].shape.begin(), node.outputs[0].shape.end() - 1);
        auto loops = graph::broadcastLoops(rows, wantedRows);
        for (auto &loop : loops) loop.stride *= wide.back();
        bool const one = wide.back() == 1;
        return m_program->loadRows({tensor.data, tensor.dtype, one ? 0 : part * m_cols, 0}, std::move(loops), one);
    }

    /// What a node gives as this part of a result.
    void make(MapNode const &node, std::size_t output, std::int64_t part, Reg reg)
    {
        m_made.insert(node.outputNames[output]);
        m_regs.insert_or_assign({node.outputNames[output], Broadcast::Full, part}, reg);
    }

    void keep(MapNode const &node, std::size_t output, std::int64_t part, std::int64_t parts, Reg reg)
    {
        if (!node.kept[output]) return;
        touch(m_written, node.outputs[output], parts);
        m_program->store(reg, placeOf(node.outputs[output], part, parts));
    }

    void findJoined(MapNode const &node)
    {
        std::int64_t at = 0;
        for (std::size_t i = 0; i < node.inputs.size(); ++i)
            for (std::int64_t part = 0; part < partsOf(node.inputs[i]); ++part, ++at)
                m_joined.try_emplace({node.inputNames[i], part}, placeOf(node.outputs[0], at, partsOf(node.outputs[0])));
    }
    /// Where a result that is not stored for itself is joined with others.
    std::optional<MapPlace> joinedPlace(std::size_t name, std::int64_t part) const
    {
        auto const found = m_joined.find({name, part});
        if (found == m_joined.end()) return {};
        return found->second;
    }

    Status addElementwise(MapNode const &node)
    {
        auto const expr = graph::exprOf(*node.node);
        auto const &output = node.outputs[0];
        auto const parts = partsOf(output);
        if (parts == 0 || expr.instrs.empty()) return misfit(node);
        for (std::int64_t part = 0; part < parts; ++part) {
            std::vector<Reg> regs;
            for (std::size_t i = 0; i < node.inputs.size(); ++i) {
                auto const how = graph::findBroadcast(node.inputs[i].shape, output.shape);
                TW_ASSIGN(auto const reg, how ? operand(node, i, *how, part, parts) : repeated(node, i, part));
                regs.push_back(reg);
            }
            auto place = placeOf(output, part, parts);
            bool direct = node.kept[0] != 0;
            if (auto const joined = direct ? std::nullopt : joinedPlace(node.outputNames[0], part)) {
                place = *joined;
                direct = true;
            }
            direct = direct && m_program->isDirect(place.dtype, place.stride);
            for (auto const &instr : expr.instrs) {
                auto const fn = blockFn<T>(instr.prim);
                if (!fn)
                    return unsupported(*node.node,
                                       Message::of("%1 is not defined for integers.", std::string(graph::info(instr.prim).name)));
                std::array<Reg, 3> args{};
                auto const arity = static_cast<std::size_t>(graph::info(instr.prim).arity);
                for (std::size_t a = 0; a < arity; ++a) {
                    if (instr.args[a] < 0 || instr.args[a] >= static_cast<int>(regs.size()))
                        return unsupported(*node.node, Message::of("the expression reads a value before it is computed."));
                    args[a] = regs[static_cast<std::size_t>(instr.args[a])];
                }
                bool const last = &instr == &expr.instrs.back();
                regs.push_back(m_program->apply(fn, std::span(args).first(arity), instr.p0, instr.p1, last && direct ? &place : nullptr));
                m_work += weightOf(instr.prim);
            }
            make(node, 0, part, regs.back());
            if (!direct) keep(node, 0, part, parts, regs.back());
            else if (node.kept[0]) touch(m_written, output, parts);
            else m_there.insert({node.outputNames[0], part});
        }
        return {};
    }

    Status addSplit(MapNode const &node)
    {
        auto const all = partsOf(node.inputs[0]), parts = partsOf(node.outputs[0]);
        if (parts == 0 || all != parts * static_cast<std::int64_t>(node.outputs.size())) return misfit(node);
        for (std::int64_t part = 0; part < all; ++part) {
            TW_ASSIGN(auto const reg, operand(node, 0, Broadcast::Full, part, all));
            auto const output = static_cast<std::size_t>(part / parts);
            make(node, output, part % parts, reg);
            keep(node, output, part % parts, parts, reg);
            ++m_work;
        }
        return {};
    }

    Status addConcat(MapNode const &node)
    {
        auto const &output = node.outputs[0];
        std::int64_t const all = partsOf(output);
        std::int64_t at = 0;
        bool early = false;
        for (std::size_t i = 0; i < node.inputs.size(); ++i) {
            auto const parts = partsOf(node.inputs[i]);
            if (parts == 0 || at + parts > all) return misfit(node);
            for (std::int64_t part = 0; part < parts; ++part, ++at) {
                TW_ASSIGN(auto const reg, operand(node, i, Broadcast::Full, part, parts));
                make(node, 0, at, reg);
                ++m_work;
                auto const place = placeOf(output, at, all);
                auto const joined = m_there.contains({node.inputNames[i], part}) ? joinedPlace(node.inputNames[i], part) : std::nullopt;
                if (joined && joined->data == place.data && joined->first == place.first) early = true;
                else if (node.kept[0]) m_program->store(reg, place);
            }
        }
        if (at != all) return misfit(node);
        if (node.kept[0]) touch(m_written, output, all, early);
        return {};
    }

    /// A block is written when other blocks are not yet read: nobody may read there what lies elsewhere in the group.
    Status checkStorage() const
    {
        auto const apart = [](Touched const &a, Touched const &b) {
            bool const same = a.begin == b.begin && a.end == b.end && a.parts == b.parts && a.parts > 0 && a.early == b.early;
            return same || a.end <= b.begin || b.end <= a.begin;
        };
        for (auto const &written : m_written) {
            bool const well = std::ranges::all_of(m_read, [&](Touched const &read) { return apart(written, read); })
                && std::ranges::all_of(m_written, [&](Touched const &other) { return apart(written, other); });
            if (!well) return misfit(m_nodes.front());
        }
        return {};
    }

    std::span<MapNode const> m_nodes;
    std::int64_t m_rows = 1, m_cols = 0;
    std::optional<Program> m_program;
    std::map<std::tuple<std::size_t, Broadcast, std::int64_t>, Reg> m_regs; ///< by name and part
    std::set<std::size_t> m_made;                                           ///< names of what nodes of the group give
    std::map<std::pair<std::size_t, std::int64_t>, MapPlace> m_joined;      ///< by name and part: where a join has it
    std::set<std::pair<std::size_t, std::int64_t>> m_there;                 ///< what is computed right there
    std::vector<Touched> m_read, m_written;
    std::int64_t m_work = 0;
};

} // namespace

Result<Prepared> prepareElementwise(PrepareArgs const &args)
{
    auto const expr = graph::exprOf(args.node);
    if (expr.instrs.empty()) return unsupported(args.node, Message::of("the expression has no instruction."));
    TW_TRY(requireCounts(args, static_cast<std::size_t>(expr.operands), 1));
    bool const integers = args.outputs[0].dtype == DType::I32;
    auto const fits = [&](HostTensor const &t) {
        return integers ? t.dtype == DType::I32 : t.dtype == DType::F32 || t.dtype == DType::F16;
    };
    if (!fits(args.outputs[0]) || !std::ranges::all_of(args.inputs, fits))
        return unsupported(args.node, Message::of("operands and result must all be floating or all i32."), Message::of("Insert a cast."));
    MapNode one{&args.node, {args.inputs.begin(), args.inputs.end()}, {args.outputs.begin(), args.outputs.end()}, {}, {args.inputs.size()},
                {1}};
    for (std::size_t i = 0; i < args.inputs.size(); ++i) one.inputNames.push_back(i);
    return integers ? GroupBuilder<std::int32_t>({&one, 1}).build() : GroupBuilder<float>({&one, 1}).build();
}

MapRole mapRoleOf(graph::Graph const &graph, graph::Node const &node)
{
    auto const role = node.op == "split" ? MapRole::Cut
        : node.op == "concat"            ? MapRole::Join
        : graph::isElementwise(node.op)  ? MapRole::Elements
                                         : MapRole::None;
    if (role == MapRole::None || node.inputs.empty() || node.outputs.empty()) return MapRole::None;
    auto const isFloat = [&](graph::ValueId value) { return graph.value(value).dtype == DType::F32; };
    if (!std::ranges::all_of(node.inputs, isFloat) || !std::ranges::all_of(node.outputs, isFloat)) return MapRole::None;
    if (role == MapRole::Elements) return role;
    auto const &shape = graph.value(node.outputs[0]).shape;
    return !shape.empty() && node.attrs.integer("axis") == static_cast<std::int64_t>(shape.size()) - 1 ? role : MapRole::None;
}

Result<Prepared> prepareMapGroup(std::span<MapNode const> nodes) { return GroupBuilder<float>(nodes).build(); }

} // namespace tilewright::kernels

// Constants, identities, broadcasts that an elementwise operation does by itself.
#include "engine/graph/checkpoint.h"
#include "engine/graph/node_kind.h"
#include "engine/passes/graph_edit.h"
#include "engine/passes/pass.h"

#include "engine/graph/axes.h"
#include "engine/graph/expr.h"
#include "engine/graph/written.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

namespace tilewright::passes {

using namespace graph;

namespace {

constexpr std::int64_t kMostFolded = 4096; ///< elements of a constant list that is computed here
constexpr int kMostRounds = 16;
constexpr std::array<std::string_view, 2> kTransposes{"transpose_a", "transpose_b"}; ///< flags of a product, by operand

/// Of what is exact: parameters are floats, as in the kernels.
std::optional<double> evaluate(Instr const &instr, double x, double y)
{
    if (!has(instr.prim, kExact)) return std::nullopt;
    return info(instr.prim).formula(x, y, 0.0, static_cast<float>(instr.p0), static_cast<float>(instr.p1));
}

/// 1 / c where the product with it has the bits of the quotient: c is a power of two, and 1 / c is no denormal.
std::optional<double> exactInverse(double c)
{
    int exponent = 0;
    bool const powerOfTwo = std::isfinite(c) && std::fabs(std::frexp(c, &exponent)) == 0.5;
    auto const inverse = static_cast<float>(1.0 / c);
    return powerOfTwo && std::isnormal(inverse) ? std::optional<double>(inverse) : std::nullopt;
}

/// Rewrites keep every bit of the results unless `fast` (optimizations.math.fast) allows others.
class Folder {
public:
    Folder(Graph &graph, OpLookup const &ops, bool fast) : g(graph), m_ops(ops), m_fast(fast) {}

    bool round()
    {
        m_changed = false;
        m_called.clear();
        region(RegionId(0));
        return m_changed;
    }

private:
    void region(RegionId id)
    {
        auto const nodes = g.region(id).nodes;
        m_out.emplace_back();
        for (auto nodeId : nodes) {
            m_replaced.applyTo(g.node(nodeId));
            if (!rewrite(nodeId)) m_out.back().push_back(nodeId);
            auto const regions = g.node(nodeId).regions;
            for (auto sub : regions)
                if (!is(g.node(nodeId), NodeKind::Call) || m_called.insert(sub).second) region(sub);
        }
        g.region(id).nodes = std::move(m_out.back());
        m_out.pop_back();
    }

    Shape const &shapeOf(ValueId v) const { return g.value(v).shape; }

    /// True when the node is not needed any more.
    bool rewrite(NodeId id)
    {
        Node const node = g.node(id); // a copy: rewriting appends nodes
        if (node.outputs.size() != 1 || !node.regions.empty() || node.inputs.empty()) return false;
        if (auto const *spec = m_ops(node.op); spec && spec->scalarOperand) scalarOperand(id, *spec->scalarOperand);
        foldTransposes(id);
        auto const out = node.outputs[0];
        Value const type = g.value(out);
        auto const in = node.inputs[0];
        bool const sameType = shapeOf(in) == type.shape && g.value(in).dtype == type.dtype;
        if (isCheckpoint(node)) return false;
        if (is(node, NodeKind::Reshape, NodeKind::Cast, NodeKind::Broadcast, NodeKind::ReduceTo) && sameType) return replace(out, in);
        if (is(node, NodeKind::Reshape)) {
            auto source = in; // through views, except the mark of a checkpoint
            for (auto const *view = &g.node(g.value(source).producer); is(*view, NodeKind::Reshape) && !isCheckpoint(*view);
                 view = &g.node(g.value(source).producer))
                source = view->inputs[0];
            if (source != in) {
                g.node(id).inputs[0] = source;
                m_changed = true;
                if (shapeOf(source) == type.shape) return replace(out, source);
            }
        }
        if (is(node, NodeKind::Cast)) {
            // Whole numbers that both types hold exactly.
            auto const c = uniformConstant(g, in);
            if (c && std::nearbyint(*c) == *c && std::fabs(*c) <= 2048) return becomeConstant(id, *c);
            return false;
        }
        if (is(node, NodeKind::Reshape) && foldedList(id)) return false;
        if (type.dtype != DType::F32) return false;
        if (is(node, NodeKind::Reshape, NodeKind::Broadcast, NodeKind::Copy)) {
            // A `copy` is there to keep a value apart: only of a constant it is not needed.
            if (auto const c = uniformConstant(g, in)) return becomeConstant(id, *c);
            return false;
        }
        if (!isElementwise(node.op)) return false;
        if (foldElementwise(id) || simplify(id)) return true;
        if (isElementwise(g.node(id).op)) {
            liftBroadcast(id);
            if (isElementwise(g.node(id).op)) implicitBroadcasts(id);
        }
        return false;
    }

    /// A product reads a matrix and its transpose alike: transposes of operands become its flags.
    void foldTransposes(NodeId id)
    {
        auto &node = g.node(id);
        auto const *spec = m_ops(node.op);
        for (std::size_t i = 0; i < node.inputs.size() && i < kTransposes.size(); ++i) {
            auto const flag = kTransposes[i];
            if (!spec || std::ranges::find(spec->attributes, flag, &AttrSpec::name) == spec->attributes.end()) continue;
            auto const &producer = g.node(g.value(node.inputs[i]).producer);
            // Further axes of a left operand are rows of one matrix: then it is no transpose of a matrix.
            if (!swapsLastAxes(producer) || shapeOf(node.inputs[i]).size() != shapeOf(node.outputs[0]).size()) continue;
            node.inputs[i] = producer.inputs[0];
            node.attrs.set(std::string(flag), !node.attrs.flag(flag));
            m_changed = true;
        }
    }

    static bool swapsLastAxes(Node const &node)
    {
        auto perm = node.attrs.integers("perm"); // of a transpose; no other operation has it
        if (perm.size() < 2) return false;
        std::swap(perm[perm.size() - 1], perm[perm.size() - 2]);
        return std::ranges::is_sorted(perm);
    }

    bool replace(ValueId from, ValueId to)
    {
        m_replaced.set(from, to);
        m_changed = true;
        return true;
    }

    bool becomeConstant(NodeId id, double value)
    {
        auto &node = g.node(id);
        node.op = toText(NodeKind::Constant);
        node.inputs.clear();
        node.attrs = Attrs{{"value", value}};
        g.value(node.outputs[0]).role = Role::Constant;
        m_changed = true;
        return false;
    }

    /// A reshape of a list of numbers is that list.
    bool foldedList(NodeId id)
    {
        Node const source = g.node(g.value(g.node(id).inputs[0]).producer);
        if (!is(source, NodeKind::Constant) || !source.attrs.has("values")) return false;
        auto &node = g.node(id);
        node.op = toText(NodeKind::Constant);
        node.inputs.clear();
        node.attrs = source.attrs;
        g.value(node.outputs[0]).role = Role::Constant;
        m_changed = true;
        return true;
    }

    bool foldElementwise(NodeId id)
    {
        auto const node = g.node(id);
        auto const expr = exprOf(node);
        bool uniform = true;
        std::vector<double> values;
        for (auto input : node.inputs) {
            auto const c = uniformConstant(g, input);
            if (!c) {
                uniform = false;
                break;
            }
            values.push_back(static_cast<float>(*c));
        }
        if (uniform) {
            if (auto const value = run(expr, values)) becomeConstant(id, *value);
            return false;
        }
        // Small lists of numbers.
        auto const count = elementCount(g.value(node.outputs[0]).shape);
        if (count > kMostFolded) return false;
        std::vector<std::vector<double>> lists;
        for (auto input : node.inputs) {
            auto const &producer = g.node(g.value(input).producer);
            if (!is(producer, NodeKind::Constant) || isWritten(producer)) return false;
            auto list = producer.attrs.has("values") ? producer.attrs.reals("values") : std::vector<double>{producer.attrs.real("value")};
            auto const loops = broadcastLoops(shapeOf(input), g.value(node.outputs[0]).shape);
            std::vector<double> full;
            for (std::int64_t i = 0; i < count; ++i)
                full.push_back(static_cast<float>(list.size() == 1 ? list[0] : list[static_cast<std::size_t>(elementOf(loops, i))]));
            lists.push_back(std::move(full));
        }
        std::vector<double> results;
        for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) {
            std::vector<double> operands;
            for (auto const &list : lists) operands.push_back(list[i]);
            auto const value = run(expr, operands);
            if (!value) return false;
            results.push_back(*value);
        }
        auto &folded = g.node(id);
        folded.op = toText(NodeKind::Constant);
        folded.inputs.clear();
        folded.attrs = Attrs{{"values", results}};
        g.value(folded.outputs[0]).role = Role::Constant;
        m_changed = true;
        return false;
    }

    static std::optional<double> run(Expr const &expr, std::vector<double> values)
    {
        for (auto const &instr : expr.instrs) {
            if (info(instr.prim).arity > 2) return std::nullopt;
            double const x = values[static_cast<std::size_t>(instr.args[0])];
            double const y = instr.args[1] >= 0 ? values[static_cast<std::size_t>(instr.args[1])] : 0.0;
            auto const value = evaluate(instr, x, y);
            if (!value) return std::nullopt;
            values.push_back(static_cast<float>(*value));
        }
        return values.back();
    }

    /// Whether x + c is x for every x: only negative zero keeps the sign of a zero.
    bool addsNothing(double c) const { return c == 0.0 && (m_fast || std::signbit(c)); }

    /// Identities and constant operands. True when the node is not needed any more.
    bool simplify(NodeId id)
    {
        auto const node = g.node(id);
        auto const out = node.outputs[0];
        auto const prim = findPrimitive(node.op);
        if (!prim) return false;
        auto const x = node.inputs[0];
        if ((prim->prim == Prim::MulScalar && node.attrs.real("p0") == 1.0)
            || (prim->prim == Prim::AddScalar && addsNothing(node.attrs.real("p0"))))
            return replace(out, x);
        if (prim->arity != 2) return false;
        // The operand that is a number and the one that is not.
        auto const right = uniformConstant(g, node.inputs[1]);
        auto const left = uniformConstant(g, x);
        bool const commutes = prim->prim == Prim::Add || prim->prim == Prim::Mul || prim->prim == Prim::Max;
        if (!right && !(left && commutes)) return false;
        double const c = right ? *right : *left;
        auto const other = right ? x : node.inputs[1];
        if (shapeOf(other) != shapeOf(out)) return false;
        char const *op = nullptr;
        double p = c;
        switch (prim->prim) {
        case Prim::Add: op = "add_scalar"; break;
        case Prim::Sub: op = "add_scalar", p = -c; break;
        case Prim::Mul: op = "mul_scalar"; break;
        case Prim::Div: {
            auto const inverse = m_fast ? std::optional(1.0 / c) : exactInverse(c);
            if (!inverse) return false;
            op = "mul_scalar", p = *inverse;
            break;
        }
        case Prim::Max:
            if (!right && c == 0.0 && !m_fast) return false; // of two zeros the result is the second
            op = "max_scalar";
            break;
        default: return false;
        }
        if (!std::isfinite(p)) return false;
        if ((std::string_view(op) == "add_scalar" && addsNothing(p)) || (std::string_view(op) == "mul_scalar" && p == 1.0))
            return replace(out, other);
        auto &changed = g.node(id);
        changed.op = op;
        changed.inputs = {other};
        changed.attrs = Attrs{{"p0", p}};
        m_changed = true;
        return false;
    }

    /// f(broadcast(x)) = broadcast(f(x)) for one operand: the work is done on the small tensor.
    void liftBroadcast(NodeId id)
    {
        auto const node = g.node(id);
        if (node.inputs.size() != 1) return;
        auto const &producer = g.node(g.value(node.inputs[0]).producer);
        if (!is(producer, NodeKind::Broadcast)) return;
        auto const small = producer.inputs[0];
        auto const type = g.value(small);
        Node inner = node;
        inner.inputs = {small};
        auto const value = append(std::move(inner), type.shape, type.dtype, g.value(node.outputs[0]).role);
        auto &outer = g.node(id);
        outer.op = toText(NodeKind::Broadcast);
        outer.attrs = {};
        outer.inputs = {value};
        m_changed = true;
    }

    /// Operands that are broadcasts (or uniform constants) of the kind the operation understands are used as
    /// they were before, as long as another operand fixes the shape of the result.
    void implicitBroadcasts(NodeId id)
    {
        auto const output = g.value(g.node(id).outputs[0]).shape;
        if (elementCount(output) == 1) return; // an operand [] in front of one [1] would give the result its shape
        for (std::size_t i = 0; i < g.node(id).inputs.size(); ++i) {
            auto const input = g.node(id).inputs[i];
            auto const &producer = g.node(g.value(input).producer);
            bool const fixed = anotherFixesShape(g.node(id), i, output);
            if (!fixed) continue;
            if (is(producer, NodeKind::Broadcast)) {
                auto const small = producer.inputs[0];
                if (!findBroadcast(shapeOf(small), output)) continue;
                g.node(id).inputs[i] = small;
                m_changed = true;
            } else if (uniformConstant(g, input) && !shapeOf(input).empty()) {
                scalarOperand(id, i);
            }
        }
    }

    bool anotherFixesShape(Node const &node, std::size_t except, Shape const &output) const
    {
        for (std::size_t k = 0; k < node.inputs.size(); ++k)
            if (k != except && shapeOf(node.inputs[k]) == output) return true;
        return false;
    }

    /// Replaces operand `index` by a scalar when it is a larger uniform constant.
    void scalarOperand(NodeId id, std::size_t index)
    {
        auto const input = g.node(id).inputs[index];
        auto const c = uniformConstant(g, input);
        if (!c || shapeOf(input).empty()) return;
        Node constant = g.node(id);
        constant.op = toText(NodeKind::Constant);
        constant.inputs.clear();
        constant.attrs = Attrs{{"value", *c}};
        constant.name = constant.layer.empty() ? "constant" : constant.layer + "/constant";
        auto const dtype = g.value(input).dtype;
        auto const value = append(std::move(constant), {}, dtype, Role::Constant);
        g.node(id).inputs[index] = value;
        m_changed = true;
    }

    /// A new node in front of the one at hand.
    ValueId append(Node node, Shape shape, DType dtype, Role role)
    {
        NodeId const id(g.nodes.size());
        ValueId const value(g.values.size());
        node.outputs = {value};
        node.inPlace.clear();
        g.values.push_back({node.name, std::move(shape), dtype, role, id});
        g.nodes.push_back(std::move(node));
        m_out.back().push_back(id);
        return value;
    }

    Graph &g;
    OpLookup const &m_ops;
    bool m_fast;
    Replacements m_replaced;
    std::vector<std::vector<NodeId>> m_out; ///< node lists of the open regions
    std::set<RegionId> m_called;            ///< bodies of calls that this round has been through
    bool m_changed = false;
};

} // namespace

Result<Graph> foldConstants(Graph graph, PassContext const &context)
{
    Folder folder(graph, context.ops, context.options.fastMath);
    for (int round = 0; round < kMostRounds && folder.round(); ++round)
        if (context.job.cancelled()) return cancelledError(graph.name);
    return graph;
}

} // namespace tilewright::passes

// Text form of a program, for dumps, golden files and tests; parse.cpp reads it. In the order of the text, […] where something
// is not the default:
//   program "name" ipus 1 replicas 1 tiles 8 [io-tiles 2]
//   codelets Map ReduceAdd …
//   op "dense/MatMul" graph matmul [in dense] [pass forward] [stage 1] [flops 9] [cycles 9] [ideal 9] [plan '{…}']
//   var "dense/kernel" f32[784, 256] weight variable [always-live] [interleaved] [streaming | shards] [of dense/MatMul] LAYOUT [ipu 1]
//   sequence "main" {                           steps with children; the first is the program, what follows is in no step
//     repeat "update" x4 {                      while "wait" at most x4 ?predicate {
//       execute "x" [slot 1] [micro-batch 1] [stage 1] [pass forward] [lane 0..5] [of dense/MatMul] [runs #3 as "y" of z] [sums 7 x]
//           Map x8 <a <>b#2 >c~12.0+all+tile [lead 1] [{1: relu a0}] [(0.5, 2)]
//       exchange "y"
//           a[0]#1 -> b[4] 4(1,2) row-major     4 elements, in steps of 1 in a and of 2 in b
//           ring a -> b chunk 1 [in-chunk]
//       stream_copy "z"
//           host[0] -> a [continues]            a -> host[1] synthetic
//       remote_copy "load"
//           remote m -> a                       a -> remote m, which is streaming
//           remote m slot c -> a                slot (counter c mod slots) of m
// A vertex reads (<), writes (>), updates (<>) or regroups (%) its fields; ~12.0 is StoredRounding. Of things with one name the
// second is name@2. Steps, compute sets, exchanges and streams are numbered from 0, each kind in the order of the text. Where
// one has another number, or is used again, it says so (#3): a step comes again as `again #3`, what a step runs as
// `runs again #3`. Behind all steps stands what none runs, as `unused exchange "y"`.
#include "engine/program/text_words.h"

#include "engine/core/text.h"
#include "engine/core/text_reader.h"

#include <unordered_map>

namespace tilewright::program {

namespace {

std::string nameText(std::string_view name) { return isPlainName(name) ? std::string(name) : quotedText(name); }

/// Labels by which other objects refer to each of these.
template <typename T> std::vector<std::string> labelsOf(std::vector<T> const &items)
{
    std::vector<std::string> labels;
    labels.reserve(items.size());
    std::unordered_map<std::string_view, int> count;
    for (auto const &item : items) {
        int const number = ++count[item.name];
        labels.push_back(nameText(item.name) + (number > 1 ? "@" + std::to_string(number) : ""));
    }
    return labels;
}

std::string numbered(char const *word, std::int64_t value, std::int64_t standard)
{
    return value == standard ? std::string() : " " + std::string(word) + " " + std::to_string(value);
}

/// Numbers of objects that are written at their first use.
class Numbers {
public:
    explicit Numbers(std::size_t count) : m_uses(count, 0), m_written(count, false) {}

    void use(std::uint32_t index) { ++m_uses[index]; }
    bool written(std::uint32_t index) const { return m_written[index]; }
    /// The number of the current object; "" if the reader can derive it.
    std::string write(std::uint32_t index)
    {
        bool const known = index == m_next && m_uses[index] < 2;
        m_written[index] = true;
        m_next = index + 1;
        return known ? std::string() : " #" + std::to_string(index);
    }

private:
    std::vector<std::uint32_t> m_uses;
    std::vector<bool> m_written;
    std::uint32_t m_next = 0;
};

class Printer {
public:
    explicit Printer(Program const &program)
        : m_program(program), m_vars(labelsOf(program.variables)), m_ops(labelsOf(program.ops)), m_steps(program.steps.size()),
          m_sets(program.computeSets.size()), m_exchanges(program.exchanges.size()), m_streams(program.streams.size())
    {
        for (auto const &step : program.steps) {
            for (auto child : step.children) m_steps.use(child.index);
            if (step.kind == StepKind::Execute && step.computeSet.valid()) m_sets.use(step.computeSet.index);
            if (isExchange(step.kind) && step.exchange.valid()) m_exchanges.use(step.exchange.index);
            if (isStream(step.kind) && step.stream.valid()) m_streams.use(step.stream.index);
        }
    }

    std::string print()
    {
        m_out = "program " + quotedText(m_program.name) + " ipus " + std::to_string(m_program.ipus) + " replicas "
            + std::to_string(m_program.replicas) + " tiles " + std::to_string(m_program.tilesPerIpu)
            + numbered("io-tiles", m_program.ioTilesPerIpu, 0) + "\n";
        if (!m_program.entries.empty()) {
            m_out += "entries";
            for (auto const &entry : m_program.entries) m_out += " " + quotedText(entry);
            m_out += "\n";
        }
        if (!m_program.codelets.empty()) {
            m_out += "codelets";
            for (auto const &codelet : m_program.codelets) m_out += " " + nameText(codelet);
            m_out += "\n";
        }
        for (auto const &op : m_program.ops) printOp(op);
        for (auto const &variable : m_program.variables) printVariable(variable);
        printStep(m_program.main, "");
        printUnused();
        return std::move(m_out);
    }

private:
    static bool isExchange(StepKind kind) { return kind == StepKind::Exchange || kind == StepKind::GlobalExchange; }
    static bool isStream(StepKind kind) { return kind == StepKind::StreamCopy || kind == StepKind::RemoteCopy; }
    std::string const &label(VarId var) const
    {
        static std::string const none = "none";
        return var.valid() ? m_vars[var.index] : none;
    }
    /// The origin, if it is not `standard`.
    std::string origin(int op, int standard = -1) const
    {
        if (op == standard) return {};
        return " of " + (op < 0 ? std::string("none") : m_ops[static_cast<std::size_t>(op)]);
    }

    void printOp(Op const &op)
    {
        m_out += "op " + quotedText(op.name) + " " + nameText(op.level) + " " + nameText(op.kind);
        if (op.parent >= 0) m_out += " in " + m_ops[static_cast<std::size_t>(op.parent)];
        if (op.pass != Op().pass) m_out += " pass " + nameText(op.pass);
        m_out += numbered("stage", op.stage, 0) + numbered("flops", op.flops, 0) + numbered("cycles", op.estimatedCycles, 0)
            + numbered("ideal", op.idealCycles, 0) + (op.plan.empty() ? "" : "\n    plan " + quotedText(op.plan, '\'')) + "\n";
    }

    void printVariable(Variable const &variable)
    {
        auto const &on = variable.layout.on;
        m_out += "var " + quotedText(variable.name) + " " + std::string(tilewright::toText(variable.dtype))
            + tilewright::toText(variable.shape) + " " + nameText(variable.role) + " " + std::string(toText(variable.category))
            + (variable.alwaysLive ? " always-live" : "") + (variable.interleaved ? " interleaved" : "")
            + (variable.home == Home::Tiles ? "" : " " + std::string(tilewright::toText(variable.home))) + origin(variable.op) + " "
            + toText(variable.layout) + (on.ipu == on.begin / m_program.tilesPerIpu ? "" : " ipu " + std::to_string(on.ipu)) + "\n";
    }

    // -- contents of leaf steps

    void printFamily(VertexFamily const &family, std::string const &indent)
    {
        m_out += indent + nameText(m_program.codelets[static_cast<std::size_t>(family.codelet)]) + " x"
            + std::to_string(blocksInText(m_program.var(family.fields[static_cast<std::size_t>(family.lead)].var).layout));
        for (auto const &field : family.fields) {
            m_out += " " + std::string(kAccessMarks[static_cast<int>(field.access)]) + label(field.var);
            if (field.slice >= 0) m_out += "#" + std::to_string(field.slice);
            if (auto const &r = field.rounding; r != StoredRounding())
                m_out += "~" + std::to_string(r.node) + "." + std::to_string(r.number) + (r.onEveryReplica ? "+all" : "")
                    + (r.byTile ? "+tile" : "");
        }
        m_out += numbered("lead", family.lead, 0);
        if (!family.expr.empty()) m_out += " {" + (isPlainExpr(family.expr) ? family.expr : quotedText(family.expr)) + "}";
        for (std::size_t i = 0; i < family.scalars.size(); ++i) m_out += (i ? ", " : " (") + numberText(family.scalars[i]);
        m_out += family.scalars.empty() ? "\n" : ")\n";
    }
    static bool isPlainExpr(std::string_view expr)
    {
        return expr[0] != ' ' && expr.find_first_of("}\"'\n") == std::string_view::npos && expr.find("//") == std::string_view::npos;
    }

    void printTransfer(Transfer const &t, std::string const &indent)
    {
        bool const nest = !t.loops.empty();
        auto const end = [&](VarId var, std::int64_t start, std::int32_t part) {
            return label(var) + (nest || start != 0 ? "[" + std::to_string(start) + "]" : "")
                + (part >= 0 ? "#" + std::to_string(part) : "");
        };
        m_out += indent + end(t.src, t.src0, t.srcPart) + " -> " + end(t.dst, t.dst0, t.dstPart);
        for (auto const &loop : t.loops)
            m_out += " " + std::to_string(loop.count) + "(" + std::to_string(loop.src) + "," + std::to_string(loop.dst) + ")";
        m_out += t.rowMajor ? " row-major\n" : "\n";
    }

    void printLines(ComputeSet const &set, std::string const &indent)
    {
        for (auto const &family : set.families) printFamily(family, indent);
    }
    void printLines(Exchange const &exchange, std::string const &indent)
    {
        for (auto const &t : exchange.transfers) printTransfer(t, indent);
        for (auto const &ring : exchange.ring)
            m_out += indent + "ring " + label(ring.src) + " -> " + label(ring.dst) + " chunk " + std::to_string(ring.chunk)
                + (ring.inChunk ? " in-chunk\n" : "\n");
    }
    void printLines(Stream const &stream, std::string const &indent)
    {
        auto const slot = stream.counter.valid() ? " slot " + label(stream.counter) : std::string();
        auto const host =
            stream.remote.valid() ? "remote " + label(stream.remote) + slot : "host[" + std::to_string(stream.queueIndex) + "]";
        m_out += indent + (stream.toDevice ? host + " -> " + label(stream.var) : label(stream.var) + " -> " + host)
            + (stream.synthetic ? " synthetic" : "") + (stream.continues ? " continues\n" : "\n");
    }
    std::string sums(FinishedSums const &finished) const
    {
        return finished == FinishedSums() ? std::string() : " sums " + std::to_string(finished.node) + " " + label(finished.var);
    }
    std::string sums(ComputeSet const &set) const { return sums(set.finished); }
    std::string sums(Exchange const &exchange) const { return sums(exchange.finished); }
    static std::string sums(Stream const &) { return {}; }
    static int opOf(ComputeSet const &set, int) { return set.op; }
    static int opOf(Exchange const &exchange, int) { return exchange.op; }
    static int opOf(Stream const &, int ofStep) { return ofStep; } // a stream has no op of its own

    /// The contents of a step: the end of its line and the lines below.
    template <typename T>
    void printRun(Step const &step, std::uint32_t index, std::vector<T> const &all, Numbers &numbers, std::string const &indent)
    {
        if (index == VarId::kNone) {
            m_out += " runs none\n";
            return;
        }
        if (numbers.written(index)) {
            m_out += " runs again #" + std::to_string(index) + "\n";
            return;
        }
        auto const &one = all[index];
        auto const other =
            numbers.write(index) + (one.name == step.name ? "" : " as " + quotedText(one.name)) + origin(opOf(one, step.op), step.op);
        m_out += (other.empty() ? "" : " runs" + other) + sums(one) + "\n";
        printLines(one, indent + "    ");
    }

    // -- control

    void printStep(StepId id, std::string const &indent)
    {
        auto const &step = m_program.step(id);
        if (m_steps.written(id.index)) {
            m_out += indent + "again #" + std::to_string(id.index) + "\n";
            return;
        }
        m_out += indent + std::string(toText(step.kind)) + " " + quotedText(step.name) + m_steps.write(id.index);
        if (step.kind == StepKind::While) m_out += " at most";
        if (step.count != 1 || step.kind == StepKind::While || step.kind == StepKind::Repeat) m_out += " x" + std::to_string(step.count);
        if (step.predicate.valid()) m_out += " ?" + label(step.predicate);
        m_out += numbered("slot", step.slot, -1) + numbered("ipu", step.ipu, -1) + numbered("micro-batch", step.microBatch, -1)
            + numbered("stage", step.stage, -1) + (step.pass.empty() ? "" : " pass " + nameText(step.pass)) + laneText(step)
            + origin(step.op);
        switch (step.kind) {
        case StepKind::Execute: printRun(step, step.computeSet.index, m_program.computeSets, m_sets, indent); break;
        case StepKind::Exchange:
        case StepKind::GlobalExchange: printRun(step, step.exchange.index, m_program.exchanges, m_exchanges, indent); break;
        case StepKind::StreamCopy:
        case StepKind::RemoteCopy: printRun(step, step.stream.index, m_program.streams, m_streams, indent); break;
        case StepKind::Sequence:
        case StepKind::Repeat:
        case StepKind::Parallel:
        case StepKind::Call:
        case StepKind::If:
        case StepKind::While:
        case StepKind::SyncExternal: printChildren(step, indent); break;
        }
    }
    static std::string laneText(Step const &step)
    {
        if (!step.isLane()) return {};
        return " lane " + std::to_string(step.lane.begin) + ".." + std::to_string(step.lane.begin + step.lane.count - 1)
            + numbered("ipu", step.lane.ipu, 0);
    }
    void printChildren(Step const &step, std::string const &indent)
    {
        m_out += step.children.empty() ? "\n" : " {\n";
        for (auto child : step.children) printStep(child, indent + "  ");
        if (!step.children.empty()) m_out += indent + "}\n";
    }

    /// Objects that no step of the program uses.
    void printUnused()
    {
        for (std::size_t i = 0; i < m_program.steps.size(); ++i)
            if (!m_steps.written(static_cast<std::uint32_t>(i))) printStep(StepId(i), "");
        printUnused(m_program.computeSets, m_sets, StepKind::Execute);
        printUnused(m_program.exchanges, m_exchanges, StepKind::Exchange);
        printUnused(m_program.streams, m_streams, StepKind::StreamCopy);
    }
    template <typename T> void printUnused(std::vector<T> const &all, Numbers &numbers, StepKind kind)
    {
        for (std::uint32_t i = 0; i < all.size(); ++i) {
            if (numbers.written(i)) continue;
            m_out += "unused " + std::string(toText(kind)) + " " + quotedText(all[i].name) + numbers.write(i) + origin(opOf(all[i], -1))
                + sums(all[i]) + "\n";
            printLines(all[i], "    ");
        }
    }

    Program const &m_program;
    std::vector<std::string> m_vars, m_ops; ///< labels
    Numbers m_steps, m_sets, m_exchanges, m_streams;
    std::string m_out;
};

} // namespace

std::string print(Program const &program) { return Printer(program).print(); }

} // namespace tilewright::program

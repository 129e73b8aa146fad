#pragma once

#include "tests/engine/program/random_layout.h"

#include <string>
#include <vector>

/// Random programs with everything that a program can contain, runnable or not; only the ids are valid. Names repeat, are keywords of the
/// text, or
/// no words at all. Steps, compute sets, exchanges and streams are used once, repeatedly or never.
namespace tilewright::tests {

class RandomProgram {
public:
    explicit RandomProgram(std::uint64_t seed) : m_random(deriveSeed(61, seed)) {}

    program::Program make()
    {
        using namespace program;
        m_program = emptyProgram(static_cast<int>(20 + m_random.below(300)), static_cast<int>(1 + m_random.below(3)),
                                 static_cast<int>(1 + m_random.below(3)));
        m_program.steps.clear();
        m_program.name = name();
        for (auto n = 1 + m_random.below(3); n > 0; --n) m_program.codelets.push_back(name() + std::to_string(n));
        for (auto n = m_random.below(6); n > 0; --n) addOp();
        for (auto n = 1 + m_random.below(6); n > 0; --n) addVar();
        for (auto n = m_random.below(4); n > 0; --n) addSet();
        for (auto n = m_random.below(4); n > 0; --n) addExchange();
        for (auto n = m_random.below(3); n > 0; --n)
            if (coin()) m_program.streams.push_back({name(), var(), coin(), static_cast<int>(m_random.below(4)), coin()});
            else m_program.streams.push_back({name(), var(), coin(), 0, coin(), var()});
        for (auto &stream : m_program.streams) stream.continues = coin();
        for (auto n = 1 + m_random.below(12); n > 0; --n) addStep();
        // Children have been there before; the number of each is any.
        for (std::size_t i = m_program.steps.size(); i > 1; --i)
            if (coin()) swapSteps(i - 1, m_random.below(i));
        m_program.main = step();
        if (coin())
            for (auto n = 1 + m_random.below(3); n > 0; --n) m_program.entries.push_back(name());
        return std::move(m_program);
    }

private:
    bool coin() { return m_random.below(2) == 0; }
    std::int64_t number() { return static_cast<std::int64_t>(m_random.next() >> m_random.below(64) >> 1) * (coin() ? 1 : -1); }
    std::string name()
    {
        static char const *const kNames[] = {
            "a",    "a",    "dense/kernel", "x:1", "ipu-1", "a-",    "x8", "ring",  "again",  "execute",    "host",  "lead", "of",
            "",     " ",    "a b",          "1st", "a@2",   "a->b",  "\"", "'",     "\\",     "line\nline", "//",    "{",    "ä",
            "none", "pass", "runs",         "as",  "sums",  "stage", "in", "order", "remote", "streaming",  "shards"};
        return kNames[m_random.below(std::size(kNames))];
    }
    int op() { return static_cast<int>(m_random.below(m_program.ops.size() + 1)) - 1; }
    program::VarId var() { return program::VarId(m_random.below(m_program.variables.size())); }
    program::StepId step() { return program::StepId(m_random.below(m_program.steps.size())); }

    void addOp()
    {
        program::Op one;
        one.name = name();
        one.kind = name();
        one.level = name();
        one.parent = op();
        if (coin()) one.pass = name();
        if (coin()) one.stage = static_cast<int>(m_random.below(5)) - 1;
        if (coin()) one.flops = number();
        if (coin()) one.estimatedCycles = number();
        if (coin()) one.idealCycles = number();
        if (coin()) one.plan = "{\"a\": [1, '2', \"\\\"\"]}";
        m_program.ops.push_back(std::move(one));
    }
    void addVar()
    {
        using namespace program;
        LayoutTraits traits;
        traits.several = upTo(m_random, 3);
        traits.copies = coin();
        traits.addends = coin();
        traits.fifo = !traits.addends && coin();
        traits.halo = coin();
        traits.ordered = coin();
        traits.grouped = coin();
        std::vector<std::int64_t> extents;
        for (auto dims = upTo(m_random, 3); dims > 0; --dims) extents.push_back(upTo(m_random, 9));
        Variable v;
        v.name = name();
        v.role = name();
        v.dtype = static_cast<DType>(m_random.below(5));
        v.shape.assign(extents.begin(), extents.begin() + from0(m_random, static_cast<std::int64_t>(extents.size())));
        v.layout = randomLayout(m_random, extents, traits, m_program.tilesPerIpu,
                                static_cast<int>(m_random.below(static_cast<std::uint64_t>(m_program.ipus))));
        if (m_random.below(8) == 0) v.layout.on.ipu = 5; // of another IPU than its tiles
        v.category = static_cast<Category>(m_random.below(5));
        v.alwaysLive = coin();
        v.interleaved = coin();
        v.op = op();
        v.home = static_cast<Home>(m_random.below(3));
        m_program.variables.push_back(std::move(v));
    }
    void addSet()
    {
        using namespace program;
        ComputeSet set;
        set.name = name();
        set.op = op();
        for (auto n = m_random.below(3); n > 0; --n) {
            VertexFamily family;
            family.codelet = static_cast<int>(m_random.below(m_program.codelets.size()));
            for (auto fields = 1 + m_random.below(3); fields > 0; --fields) {
                Field field;
                field.var = var();
                field.access = static_cast<Access>(m_random.below(4));
                if (coin()) field.slice = static_cast<std::int32_t>(m_random.below(9));
                if (coin())
                    field.rounding = {static_cast<std::int32_t>(m_random.below(99)) - 1, static_cast<std::int32_t>(m_random.below(20)),
                                      coin(), coin()};
                family.fields.push_back(field);
            }
            family.lead = static_cast<int>(m_random.below(family.fields.size()));
            for (auto scalars = m_random.below(3); scalars > 0; --scalars)
                family.scalars.push_back(coin() ? static_cast<double>(number()) : m_random.uniform() * 1e-9);
            static char const *const kExprs[] = {"",          "2: add a0 a1; relu t0", "1: mul_scalar(0.5) a0", " a", "}", "\"", "a // b",
                                                 "line\nline"};
            family.expr = kExprs[m_random.below(std::size(kExprs))];
            set.families.push_back(std::move(family));
        }
        if (coin()) set.finished = {static_cast<std::int32_t>(m_random.below(99)) - 1, coin() ? var() : VarId()};
        m_program.computeSets.push_back(std::move(set));
    }
    void addExchange()
    {
        using namespace program;
        Exchange exchange;
        exchange.name = name();
        exchange.op = op();
        for (auto n = m_random.below(3); n > 0; --n) {
            Transfer t;
            t.src = var();
            t.dst = var();
            if (coin()) t.src0 = number();
            if (coin()) t.dst0 = number();
            for (auto loops = m_random.below(3); loops > 0; --loops) t.loops.push_back({std::abs(number()), number(), number()});
            t.srcPart = static_cast<std::int32_t>(m_random.below(4)) - 1;
            t.dstPart = static_cast<std::int32_t>(m_random.below(4)) - 1;
            t.rowMajor = coin();
            exchange.transfers.push_back(std::move(t));
        }
        for (auto n = m_random.below(3); n > 0; --n)
            exchange.ring.push_back({var(), var(), static_cast<int>(m_random.below(9)) - 4, coin()});
        m_program.exchanges.push_back(std::move(exchange));
    }
    void addStep()
    {
        using namespace program;
        Step one;
        one.kind = static_cast<StepKind>(m_random.below(12));
        one.name = name();
        if (one.kind == StepKind::Execute) one.computeSet = oneOf<ComputeSetId>(m_program.computeSets.size());
        if (one.kind == StepKind::Exchange || one.kind == StepKind::GlobalExchange)
            one.exchange = oneOf<ExchangeId>(m_program.exchanges.size());
        if (one.kind == StepKind::StreamCopy || one.kind == StepKind::RemoteCopy) one.stream = oneOf<StreamId>(m_program.streams.size());
        if (isControl(one.kind) && !m_program.steps.empty())
            for (auto n = m_random.below(4); n > 0; --n) one.children.push_back(step());
        if (coin()) one.count = std::abs(number());
        if (coin()) one.predicate = var();
        one.op = op();
        one.slot = static_cast<int>(m_random.below(3)) - 1;
        one.ipu = static_cast<int>(m_random.below(3)) - 1;
        one.microBatch = static_cast<int>(m_random.below(3)) - 1;
        one.stage = static_cast<int>(m_random.below(3)) - 1;
        if (coin()) one.pass = name();
        m_program.steps.push_back(std::move(one));
    }
    template <typename AnyId> AnyId oneOf(std::size_t count) { return count == 0 ? AnyId() : AnyId(m_random.below(count)); }
    void swapSteps(std::size_t a, std::size_t b)
    {
        std::swap(m_program.steps[a], m_program.steps[b]);
        for (auto &one : m_program.steps)
            for (auto &child : one.children) {
                if (child.index == a) child = program::StepId(b);
                else if (child.index == b) child = program::StepId(a);
            }
    }

    RandomStream m_random;
    program::Program m_program;
};

} // namespace tilewright::tests

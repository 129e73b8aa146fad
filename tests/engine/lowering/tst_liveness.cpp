// Where variables are live, against values that flow back through random programs.
#include "engine/core/random.h"
#include "engine/lowering/liveness.h"
#include "tests/support/test_registry.h"

#include <QtTest>

#include <set>

using namespace tilewright;
using namespace tilewright::program;

namespace {

class RandomProgram {
public:
    explicit RandomProgram(std::uint64_t seed) : m_random(seed)
    {
        for (int v = 0; v < 6; ++v) {
            Variable variable;
            variable.name = "v" + std::to_string(v);
            p.variables.push_back(variable);
        }
        for (int f = 0; f < 2; ++f) {
            auto const function = block(StepKind::Sequence, 4); // can call earlier ones
            m_functions.push_back(function);
        }
        p.main = block(StepKind::Sequence, 0);
    }

    Program p;

    int below(int n) { return static_cast<int>(m_random.uniform() * n); }

private:
    StepId add(Step step)
    {
        p.steps.push_back(std::move(step));
        return StepId(p.steps.size() - 1);
    }

    StepId leaf()
    {
        ComputeSet set;
        VertexFamily family;
        int const fields = 1 + below(3);
        for (int f = 0; f < fields; ++f) {
            Access const access =
                std::array{Access::Read, Access::Write, Access::Write, Access::Update}[static_cast<std::size_t>(below(4))];
            family.fields.push_back({VarId(static_cast<std::size_t>(below(static_cast<int>(p.variables.size())))), access, -1});
        }
        set.families.push_back(std::move(family));
        p.computeSets.push_back(std::move(set));
        Step step;
        step.kind = StepKind::Execute;
        step.computeSet = ComputeSetId(p.computeSets.size() - 1);
        return add(std::move(step));
    }

    StepId block(StepKind kind, int depth)
    {
        Step step;
        step.kind = kind;
        step.count = kind == StepKind::Repeat || kind == StepKind::While ? 1 + below(3) : 1;
        int const children = kind == StepKind::If || kind == StepKind::While ? 2 : below(5);
        for (int i = 0; i < children; ++i) {
            bool const decides = kind == StepKind::If || kind == StepKind::While;
            static constexpr std::array kKinds{StepKind::Sequence, StepKind::Repeat, StepKind::If, StepKind::While, StepKind::If};
            if (!decides && !m_functions.empty() && below(8) == 0) {
                Step call;
                call.kind = StepKind::Call;
                call.children = {m_functions[static_cast<std::size_t>(below(static_cast<int>(m_functions.size())))]};
                step.children.push_back(add(std::move(call)));
                continue;
            }
            if (decides) step.children.push_back(block(StepKind::Sequence, depth + 1));
            else if (depth < 6 && below(2) == 0) step.children.push_back(block(kKinds[static_cast<std::size_t>(below(5))], depth + 1));
            else step.children.push_back(leaf());
        }
        return add(std::move(step));
    }

    RandomStream m_random;
    std::vector<StepId> m_functions;
};

/// Textbook analysis: possible successors of each leaf, and backward flow along them until nothing changes.
class Flow {
public:
    explicit Flow(Program const &program) : p(program)
    {
        part(p.main);
        solve();
    }

    std::size_t size() const { return m_leaves.size(); }
    bool isLive(VarId var, std::size_t leaf) const { return m_touched[leaf].contains(var) || m_out[leaf].contains(var); }

private:
    /// Possible first and last leaves of a step, and whether it can be empty.
    struct Part {
        std::set<std::size_t> entries, exits;
        bool empty = true;
    };

    void link(std::set<std::size_t> const &from, std::set<std::size_t> const &to)
    {
        for (auto a : from) m_next[a].insert(to.begin(), to.end());
    }
    Part inTurn(Part a, Part const &b)
    {
        link(a.exits, b.entries);
        if (a.empty) a.entries.insert(b.entries.begin(), b.entries.end());
        if (b.empty) a.exits.insert(b.exits.begin(), b.exits.end());
        else a.exits = b.exits;
        a.empty = a.empty && b.empty;
        return a;
    }
    Part all(std::vector<StepId> const &children)
    {
        Part whole;
        for (auto child : children) whole = inTurn(std::move(whole), part(child));
        return whole;
    }
    Part part(StepId id)
    {
        auto const &step = p.step(id);
        if (step.kind == StepKind::Execute) {
            m_leaves.push_back(id);
            m_next.emplace_back();
            std::size_t const leaf = m_leaves.size() - 1;
            return {{leaf}, {leaf}, false};
        }
        if (step.kind == StepKind::If) {
            auto a = part(step.children[0]);
            auto const b = part(step.children[1]);
            a.entries.insert(b.entries.begin(), b.entries.end());
            a.exits.insert(b.exits.begin(), b.exits.end());
            a.empty = a.empty || b.empty;
            return a;
        }
        if (step.kind == StepKind::While) {
            auto const test = part(step.children[0]);
            auto body = part(step.children[1]);
            body.empty = true; // it can run zero times
            auto const round = inTurn(test, body);
            if (step.count > 1) link(round.exits, round.entries);
            return round;
        }
        auto const whole = all(step.children);
        if (step.kind == StepKind::Repeat && step.count > 1) link(whole.exits, whole.entries);
        return whole;
    }
    void solve()
    {
        std::vector<std::set<VarId>> in(m_leaves.size()), reads(m_leaves.size()), writes(m_leaves.size());
        m_out.resize(m_leaves.size());
        m_touched.resize(m_leaves.size());
        for (std::size_t leaf = 0; leaf < m_leaves.size(); ++leaf)
            for (auto const &access : accesses(p, p.step(m_leaves[leaf]))) {
                m_touched[leaf].insert(access.var);
                (access.access == Access::Write ? writes : reads)[leaf].insert(access.var);
            }
        for (bool changed = true; changed;) {
            changed = false;
            for (std::size_t leaf = m_leaves.size(); leaf-- > 0;) {
                auto &out = m_out[leaf];
                for (auto next : m_next[leaf]) out.insert(in[next].begin(), in[next].end());
                auto before = reads[leaf];
                for (auto var : out)
                    if (!writes[leaf].contains(var)) before.insert(var);
                if (before != in[leaf]) {
                    in[leaf] = std::move(before);
                    changed = true;
                }
            }
        }
    }

    Program const &p;
    std::vector<StepId> m_leaves; ///< each place of a leaf, in the order of the program
    std::vector<std::set<std::size_t>> m_next;
    std::vector<std::set<VarId>> m_out, m_touched;
};

} // namespace

class TstLiveness : public QObject {
    Q_OBJECT

private slots:
    void livenessEqualsTheBackwardFlow_data()
    {
        QTest::addColumn<int>("seed");
        for (int seed = 1; seed <= 40; ++seed) QTest::addRow("%d", seed) << seed;
    }
    void livenessEqualsTheBackwardFlow()
    {
        QFETCH(int, seed);
        int live = 0, dead = 0;
        for (int variant = 0; variant < 25; ++variant) {
            RandomProgram random(static_cast<std::uint64_t>(seed * 100 + variant));
            auto const liveness = lowering::analyseLiveness(random.p);
            Flow const flow(random.p);
            QCOMPARE(liveness.steps.size(), flow.size());
            for (std::size_t v = 0; v < random.p.variables.size(); ++v) {
                if (liveness.classOf[v] == 0) continue; // live at all steps: there may be no place where it is dead
                for (std::size_t s = 0; s < flow.size(); ++s) {
                    auto const step = static_cast<int>(s);
                    bool const got =
                        std::ranges::any_of(liveness.intervals[v], [&](auto const &i) { return i.first <= step && step < i.end; });
                    QVERIFY2(got == flow.isLive(VarId(v), s),
                             (random.p.variables[v].name + " at step " + std::to_string(s) + ": " + std::to_string(got)).c_str());
                    ++(got ? live : dead);
                }
            }
        }
        QVERIFY(live > 0 && dead > 0);
    }

    /// A variable that is written part by part begins with the first of them, in each round of a loop, if they are all of it.
    void partsBeginAnew_data()
    {
        QTest::addColumn<bool>("sends");
        QTest::addColumn<QList<int>>("parts");
        QTest::addColumn<int>("first");
        for (bool sends : {false, true}) {
            auto const *how = sends ? "sent" : "written";
            QTest::addRow("%s, all", how) << sends << QList<int>{0, 1, 2} << 1;
            QTest::addRow("%s, one is missing", how) << sends << QList<int>{0, 1} << 0;
            QTest::addRow("%s, one twice", how) << sends << QList<int>{0, 1, 1} << 0;
            QTest::addRow("%s, all but not from the first on", how) << sends << QList<int>{1, 2, 0} << 0;
        }
    }
    void partsBeginAnew()
    {
        QFETCH(bool, sends);
        QFETCH(QList<int>, parts);
        QFETCH(int, first);
        Program p;
        auto const variable = [&](char const *name, std::int64_t rows) {
            Variable v;
            v.name = name;
            v.shape = {rows, 4};
            v.layout.add(cut(rows, rows, 0));
            v.layout.add(cut(4, 4, 0));
            p.variables.push_back(v);
            return VarId(p.variables.size() - 1);
        };
        auto const whole = variable("whole", 3), part = variable("part", 1);
        Step body;
        body.kind = StepKind::Repeat;
        body.count = 2;
        auto const execute = [&](Field field) {
            ComputeSet set;
            set.families.emplace_back();
            set.families[0].fields = {field};
            p.computeSets.push_back(set);
            Step step;
            step.kind = StepKind::Execute;
            step.computeSet = ComputeSetId(p.computeSets.size() - 1);
            p.steps.push_back(step);
            body.children.push_back(StepId(p.steps.size() - 1));
        };
        execute({part, Access::Write});
        for (int number : parts) {
            if (!sends) {
                execute({whole, Access::Write, number});
                continue;
            }
            Exchange exchange;
            exchange.transfers.push_back({part, whole, 0, 4 * number, {{4, 1, 1}}});
            p.exchanges.push_back(exchange);
            Step step;
            step.kind = StepKind::Exchange;
            step.exchange = ExchangeId(p.exchanges.size() - 1);
            p.steps.push_back(step);
            body.children.push_back(StepId(p.steps.size() - 1));
        }
        execute({whole, Access::Read});
        p.steps.push_back(body);
        p.main = StepId(p.steps.size() - 1);
        QCOMPARE(lowering::analyseLiveness(p).intervals[whole.index].front().first, first);
    }

    /// Values of only one side can share addresses with those of the other.
    void sidesShareMemory()
    {
        Program p;
        for (auto const *name : {"predicate", "first", "second", "result"}) {
            Variable variable;
            variable.name = name;
            p.variables.push_back(variable);
        }
        auto const leaf = [&](std::vector<Field> fields) {
            ComputeSet set;
            set.families.emplace_back();
            set.families[0].fields = std::move(fields);
            p.computeSets.push_back(std::move(set));
            Step step;
            step.kind = StepKind::Execute;
            step.computeSet = ComputeSetId(p.computeSets.size() - 1);
            p.steps.push_back(step);
            return StepId(p.steps.size() - 1);
        };
        auto const group = [&](StepKind kind, std::vector<StepId> children) {
            Step step;
            step.kind = kind;
            step.children = std::move(children);
            p.steps.push_back(step);
            return StepId(p.steps.size() - 1);
        };
        auto const side = [&](std::size_t own) {
            return group(StepKind::Sequence,
                         {leaf({{VarId(own), Access::Write, -1}}), leaf({{VarId(3), Access::Write, -1}, {VarId(own), Access::Read, -1}})});
        };
        auto const one = side(1), other = side(2);
        p.main = group(StepKind::Sequence, {group(StepKind::If, {one, other}), leaf({{VarId(3), Access::Read, -1}})});
        auto const liveness = lowering::analyseLiveness(p);
        QVERIFY(!lowering::intersects(liveness.intervals[1], liveness.intervals[2]));
        QVERIFY(lowering::intersects(liveness.intervals[1], liveness.intervals[3])); // read while it is written
        QCOMPARE(liveness.intervals[3].size(), std::size_t(2)); // from each side's writing on, not in the other side before it
    }
};

TW_REGISTER_TEST(TstLiveness);
#include "tst_liveness.moc"

// Where variables are live, against what random courses through random programs need: what was written stays until it is read.
#include "engine/core/random.h"
#include "engine/lowering/liveness.h"
#include "tests/support/test_registry.h"

#include <QtTest>

#include <map>

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
        p.main = block(StepKind::Sequence, 0);
    }

    Program p;

    int below(int n) { return static_cast<int>(m_random.uniform() * n); }

    /// Leaves in the order of one run in which chance decides.
    void course(StepId id, std::vector<StepId> &path)
    {
        auto const &step = p.step(id);
        auto const all = [&] {
            for (auto child : step.children) course(child, path);
        };
        switch (step.kind) {
        case StepKind::Repeat:
            for (int i = 0; i < step.count; ++i) all();
            return;
        case StepKind::If: course(step.children[static_cast<std::size_t>(below(2))], path); return;
        case StepKind::While:
            for (int i = 0; i < step.count; ++i) {
                course(step.children[0], path);
                if (below(3) == 0) return;
                course(step.children[1], path);
            }
            return;
        case StepKind::Execute: path.push_back(id); return;
        default: all();
        }
    }

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
            Access const access = std::array{Access::Read, Access::Write, Access::Write, Access::Update}[static_cast<std::size_t>(below(4))];
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
            if (decides) step.children.push_back(block(StepKind::Sequence, depth + 1));
            else if (depth < 6 && below(2) == 0) step.children.push_back(block(kKinds[static_cast<std::size_t>(below(5))], depth + 1));
            else step.children.push_back(leaf());
        }
        return add(std::move(step));
    }

    RandomStream m_random;
};

} // namespace

class TstLiveness : public QObject {
    Q_OBJECT

private slots:
    void whatIsReadWasKept_data()
    {
        QTest::addColumn<int>("seed");
        for (int seed = 1; seed <= 40; ++seed) QTest::addRow("%d", seed) << seed;
    }
    void whatIsReadWasKept()
    {
        QFETCH(int, seed);
        int checked = 0;
        for (int variant = 0; variant < 10; ++variant) {
            RandomProgram random(static_cast<std::uint64_t>(seed * 100 + variant));
            auto const liveness = lowering::analyseLiveness(random.p);
            std::map<StepId, int> place;
            for (std::size_t s = 0; s < liveness.steps.size(); ++s) place[liveness.steps[s]] = static_cast<int>(s);
            auto const isLive = [&](VarId var, int step) {
                return std::ranges::any_of(liveness.intervals[var.index], [&](auto const &i) { return i.first <= step && step < i.end; });
            };
            for (int run = 0; run < 30; ++run) {
                std::vector<StepId> path;
                random.course(random.p.main, path);
                // Back from each read to what wrote it; without a writer, to the beginning.
                std::vector<std::size_t> writer(random.p.variables.size(), 0);
                for (std::size_t at = 0; at < path.size(); ++at) {
                    auto const touched = accesses(random.p, random.p.step(path[at]));
                    for (auto const &access : touched) {
                        QVERIFY(isLive(access.var, place.at(path[at]))); // at each touch
                        if (access.access == Access::Write) continue;
                        for (std::size_t k = writer[access.var.index]; k <= at; ++k, ++checked)
                            QVERIFY2(isLive(access.var, place.at(path[k])),
                                     (random.p.var(access.var).name + " is gone at step " + std::to_string(place.at(path[k]))).c_str());
                    }
                    for (auto const &access : touched)
                        if (access.access != Access::Read) writer[access.var.index] = at;
                }
            }
        }
        QVERIFY(checked > 0);
    }

    /// What one side alone uses may lie where the other side's own lies.
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
            return group(StepKind::Sequence, {leaf({{VarId(own), Access::Write, -1}}), leaf({{VarId(3), Access::Write, -1}, {VarId(own), Access::Read, -1}})});
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

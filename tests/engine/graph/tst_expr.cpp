#include "engine/core/random.h"
#include "engine/graph/expr.h"
#include "engine/graph/graph.h"
#include "tests/support/test_registry.h"

#include <QtTest>

#include <set>

using namespace tilewright;
using namespace tilewright::graph;

extern "C" int fuzzExpr(std::uint8_t const *bytes, std::size_t size);

namespace {

Expr randomExpr(RandomStream &random)
{
    Expr expr;
    expr.operands = 1 + static_cast<int>(random.below(6));
    auto const all = primitives();
    for (auto n = 1 + random.below(8); n > 0; --n) {
        Instr instr;
        auto const &prim = all[random.below(all.size())];
        instr.prim = prim.prim;
        for (int a = 0; a < prim.arity; ++a)
            instr.args[a] = static_cast<int>(random.below(static_cast<std::uint64_t>(expr.operands) + expr.instrs.size()));
        if (prim.parameters > 0) instr.p0 = random.uniform() * 10 - 5;
        if (prim.parameters > 1) instr.p1 = random.uniform() * 1e-7;
        expr.instrs.push_back(instr);
    }
    return expr;
}

} // namespace

class TstExpr : public QObject {
    Q_OBJECT
private slots:
    void printedTextParsesBack()
    {
        std::set<Prim> seen;
        for (std::uint64_t seed = 1; seed <= 1000; ++seed) {
            RandomStream random(seed);
            auto const expr = randomExpr(random);
            auto const parsed = parseExpr(toText(expr));
            QVERIFY2(parsed.ok() && *parsed == expr, qPrintable(QString("seed %1: ").arg(seed) + QString::fromStdString(toText(expr))));
            for (auto const &instr : expr.instrs) seen.insert(instr.prim);
        }
        QCOMPARE(seen.size(), primitives().size());
    }
    void theTableIsInTheOrderOfTheEnumeration()
    {
        std::set<std::string_view> names;
        for (auto const &prim : primitives()) {
            QVERIFY(&info(prim.prim) == &prim);
            QVERIFY(findPrimitive(prim.name) == &prim);
            QVERIFY(isElementwise(prim.name));
            QVERIFY(names.insert(prim.name).second);
            QVERIFY(prim.arity >= 1 && prim.arity <= 3 && prim.parameters >= 0 && prim.parameters <= 2 && prim.flops >= 1);
        }
        QVERIFY(isElementwise("map"));
        QVERIFY(!isElementwise("matmul"));
    }
    void wrongTextIsRefused_data()
    {
        QTest::addColumn<QString>("text");
        for (auto const *text : {"",
                                 ":",
                                 "1",
                                 "1:",
                                 "x: relu a0",
                                 "-1: relu a0",
                                 "65: relu a0",
                                 "1: nothing a0",
                                 "1: relu",
                                 "1: relu a1",
                                 "1: relu a0 a0",
                                 "1: relu t0",
                                 "1: relu b0",
                                 "1: relu a-1",
                                 "1: relu(1) a0",
                                 "1: leaky_relu a0",
                                 "1: leaky_relu() a0",
                                 "1: leaky_relu(x) a0",
                                 "1: leaky_relu(1,2) a0",
                                 "1: leaky_relu(1 a0",
                                 "1: clip(1) a0",
                                 "2: add a0 a1;",
                                 "2: add a0 a1; ; relu t0",
                                 "1: relu a99999999999"})
            QTest::newRow(text) << QString(text);
    }
    void wrongTextIsRefused()
    {
        QFETCH(QString, text);
        auto const parsed = parseExpr(text.toStdString());
        QVERIFY(!parsed.ok());
        QCOMPARE(parsed.error().code, std::string("graph.expression"));
    }
    void moreInstructionsThanAVertexHoldsAreRefused()
    {
        std::string text = "1: relu a0";
        for (int i = 0; i < 63; ++i) text += "; relu t" + std::to_string(i);
        QVERIFY(parseExpr(text).ok());
        QVERIFY(!parseExpr(text + "; relu t63").ok());
    }
    void mutatedTextNeverCrashes()
    {
        int accepted = 0;
        for (std::uint64_t seed = 1; seed <= 20000; ++seed) {
            RandomStream random(deriveSeed(3, seed));
            auto text = toText(randomExpr(random));
            for (auto n = 1 + random.below(3); n > 0; --n) {
                auto const at = random.below(text.size());
                if (random.below(2)) text[at] = static_cast<char>(random.next());
                else text.insert(at, text.substr(random.below(text.size()), random.below(9)));
            }
            auto const parsed = parseExpr(text);
            if (!parsed.ok()) continue;
            ++accepted;
            auto const again = parseExpr(toText(*parsed));
            QVERIFY2(again.ok(), qPrintable(QString("seed %1").arg(seed)));
            for (std::size_t i = 0; i < parsed->instrs.size(); ++i)
                for (int a = 0; a < info(parsed->instrs[i].prim).arity; ++a)
                    QVERIFY(parsed->instrs[i].args[a] >= 0 && parsed->instrs[i].args[a] < parsed->operands + static_cast<int>(i));
            QCOMPARE(fuzzExpr(reinterpret_cast<std::uint8_t const *>(text.data()), text.size()), 0);
        }
        QVERIFY(accepted > 500);
    }
    void operandsMeetTheOutputByTheirShape()
    {
        auto const how = [](Shape const &operand, Shape const &output) { return findBroadcast(operand, output); };
        QVERIFY(how({4, 5}, {4, 5}) == Broadcast::Full);
        QVERIFY(how({5}, {1, 5}) == Broadcast::Full);
        QVERIFY(how({}, {4, 5}) == Broadcast::Scalar);
        QVERIFY(how({1, 1}, {4, 5}) == Broadcast::Scalar);
        QVERIFY(how({5}, {4, 5}) == Broadcast::Row);
        QVERIFY(how({4, 1}, {4, 5}) == Broadcast::Column);
        QVERIFY(how({5}, {5, 5}) == Broadcast::Row);
        QVERIFY(how({5, 1}, {5, 5}) == Broadcast::Column);
        QVERIFY(how({3, 1}, {3, 1}) == Broadcast::Full);
        QVERIFY(how({2, 3, 1}, {2, 3, 4}) == Broadcast::Column);
        // As many elements, but not as numpy aligns them.
        QVERIFY(!how({20}, {4, 5}));
        QVERIFY(!how({4}, {4, 5}));
        QVERIFY(!how({6, 1}, {2, 3, 4}));
        // Repeated along other axes: read by no executor in place.
        QVERIFY(!how({2, 1, 4}, {2, 3, 4}));
        QVERIFY(!how({3, 4}, {2, 3, 4}));
        QVERIFY(!how({1, 3, 1}, {2, 3, 4}));
    }
    void blocksMeetByTheirRowsAndColumns()
    {
        using Extent = RowsCols;
        QVERIFY(findBroadcast(Extent{4, 5}, Extent{4, 5}) == Broadcast::Full);
        QVERIFY(findBroadcast(Extent{1, 20}, Extent{4, 5}) == Broadcast::Full);
        QVERIFY(findBroadcast(Extent{1, 1}, Extent{4, 5}) == Broadcast::Scalar);
        QVERIFY(findBroadcast(Extent{1, 5}, Extent{4, 5}) == Broadcast::Row);
        QVERIFY(findBroadcast(Extent{4, 1}, Extent{4, 5}) == Broadcast::Column);
        QVERIFY(findBroadcast(Extent{1, 4}, Extent{4, 5}) == Broadcast::Column);
        QVERIFY(findBroadcast(Extent{1, 5}, Extent{5, 5}) == Broadcast::Row);
        QVERIFY(findBroadcast(Extent{5, 1}, Extent{5, 5}) == Broadcast::Column);
        QVERIFY(!findBroadcast(Extent{1, 3}, Extent{4, 5}));
        QVERIFY(!findBroadcast(Extent{2, 5}, Extent{4, 5}));
        QVERIFY(!findBroadcast(Shape{2, 1}, Shape{4, 5}));
    }
    void aNodeOfOnePrimitiveIsAnExpression()
    {
        Node node;
        node.op = "clip";
        node.attrs = {{"p0", -1.0}, {"p1", 2.0}};
        QCOMPARE(toText(exprOf(node)), std::string("1: clip(-1,2) a0"));
        node.op = "map";
        node.attrs = {{"expr", std::string("2: add a0 a1; relu t0")}};
        QCOMPARE(toText(exprOf(node)), std::string("2: add a0 a1; relu t0"));
    }
};

TW_REGISTER_TEST(TstExpr);
#include "tst_expr.moc"

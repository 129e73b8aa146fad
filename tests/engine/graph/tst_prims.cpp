// The table of primitives against itself: its gradients are those of its formulas.
#include "engine/graph/expr.h"
#include "tests/support/test_registry.h"

#include <QtTest>

#include <array>
#include <cmath>

using namespace tilewright;
using namespace tilewright::graph;

namespace {

constexpr double kP = 0.3, kQ = 0.8;

/// Away from the kinks of all primitives (0, p, q, 2.5) and from one another.
constexpr std::array kPoints{-3.1, -1.7, -0.6, 0.45, 1.2, 2.9};

struct Point {
    double x, y, z;
};
std::vector<Point> points()
{
    std::vector<Point> all;
    for (double x : kPoints)
        for (double y : kPoints) all.push_back({x, y + 0.07, 0.5 * x - y});
    return all;
}

double valueAt(PrimInfo const &prim, Point const &at) { return prim.formula(at.x, at.y, at.z, kP, kQ); }

double difference(PrimInfo const &prim, Point at, int operand)
{
    double const h = 1e-5;
    auto &moved = operand == 0 ? at.x : operand == 1 ? at.y : at.z;
    moved += h;
    double const up = valueAt(prim, at);
    moved -= 2 * h;
    return (up - valueAt(prim, at)) / (2 * h);
}

/// A chain of the table, by the table's formulas.
double chainAt(Expr const &expr, PrimInfo const &prim, Point const &at, double d)
{
    std::vector<double> values{at.x, at.y, at.z, valueAt(prim, at), d, 0.0};
    for (auto const &instr : expr.instrs) {
        double args[3] = {0, 0, 0};
        for (int a = 0; a < arityOf(instr.prim); ++a) args[a] = values[static_cast<std::size_t>(instr.args[a])];
        values.push_back(info(instr.prim).formula(args[0], args[1], args[2], instr.p0, instr.p1));
    }
    return expr.instrs.empty() ? d : values.back();
}

} // namespace

class TstPrims : public QObject {
    Q_OBJECT
private slots:
    void everyPrimitiveIsDeclaredWhole_data() { rows(); }
    void everyPrimitiveIsDeclaredWhole()
    {
        QFETCH(int, index);
        auto const &prim = primitives()[static_cast<std::size_t>(index)];
        QCOMPARE(static_cast<int>(prim.prim), index);
        QCOMPARE(arityOf(prim.prim), prim.arity);
        for (auto trait : {kExact, kWhole, kHeavy}) QCOMPARE(has(prim.prim, trait), (prim.traits & trait) != 0);
        std::vector<std::string_view> ops;
        appendLibraryOps({prim.prim, {}, kP, kQ}, ops);
        QVERIFY(!ops.empty());
        for (auto const &op : ops) QVERIFY(!op.empty());
        bool defined = false;
        for (auto const &at : points()) defined = defined || std::isfinite(valueAt(prim, at));
        QVERIFY(defined);
        // A gradient, or the reason why there is none.
        for (int operand = 0; operand < prim.arity; ++operand) {
            bool const none = prim.gradient == "once" || prim.gradient.find("flat") != std::string_view::npos;
            QVERIFY(gradientExpr(prim.prim, operand, kP, kQ).has_value() || none);
        }
        // The others are differentiated to them: there is no second order.
        QCOMPARE(prim.gradient == "once", prim.name.ends_with("_grad"));
    }
    void gradientsAreTheSlopesOfTheFormulas_data() { rows(); }
    void gradientsAreTheSlopesOfTheFormulas()
    {
        QFETCH(int, index);
        auto const &prim = primitives()[static_cast<std::size_t>(index)];
        if (prim.gradient == "once") return; // gradients themselves: checked where they stand in a chain
        double const d = 1.7;
        for (int operand = 0; operand < prim.arity; ++operand) {
            auto const expr = gradientExpr(prim.prim, operand, kP, kQ);
            int checked = 0;
            for (auto const &at : points()) {
                if (!std::isfinite(valueAt(prim, at))) continue;
                double const measured = d * difference(prim, at, operand), stated = expr ? chainAt(*expr, prim, at, d) : 0.0;
                QVERIFY2(std::abs(measured - stated) <= 1e-7 * std::max(1.0, std::abs(measured)),
                         qPrintable(QString("operand %1 at %2, %3, %4: %5, differences say %6")
                                        .arg(operand)
                                        .arg(at.x)
                                        .arg(at.y)
                                        .arg(at.z)
                                        .arg(stated)
                                        .arg(measured)));
                ++checked;
            }
            QVERIFY(checked >= 12);
        }
    }
    void aFactorOfOneIsFree()
    {
        auto const opsOf = [](double p, double q) {
            std::vector<std::string_view> ops;
            appendLibraryOps({Prim::Axpby, {0, 1}, p, q}, ops);
            return ops;
        };
        using Ops = std::vector<std::string_view>;
        QCOMPARE(opsOf(2, 3), (Ops{"multiply", "multiply", "add"}));
        QCOMPARE(opsOf(1, 3), (Ops{"multiply", "add"}));
        QCOMPARE(opsOf(2, 1), (Ops{"multiply", "add"}));
        QCOMPARE(opsOf(1, 1), (Ops{"add"}));
    }
    void parametersGoIntoTheGradient()
    {
        QCOMPARE(toText(*gradientExpr(Prim::Clip, 0, -0.1, 1e-30)), std::string("6: clip_grad(-0.1,1e-30) a0 a4"));
        QCOMPARE(toText(*gradientExpr(Prim::Axpby, 1, 2, -3)), std::string("6: mul_scalar(-3) a4"));
        QCOMPARE(toText(*gradientExpr(Prim::Select, 2, 0, 0)), std::string("6: select a0 a5 a4"));
    }

private:
    static void rows()
    {
        QTest::addColumn<int>("index");
        for (auto const &prim : primitives()) QTest::newRow(std::string(prim.name).c_str()) << static_cast<int>(prim.prim);
    }
};

TW_REGISTER_TEST(TstPrims);
#include "tst_prims.moc"

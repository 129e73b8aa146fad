#include "engine/graph/expr.h"
#include "engine/kernels/half.h"
#include "engine/program/cost/map_cost.h"
#include "engine/program/cost/nn_cost.h"
#include "tests/engine/program/codelet_cases.h"
#include "tests/support/test_registry.h"

#include <QtTest>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <numeric>
#include <set>

using namespace tilewright;
using namespace tilewright::program;
using namespace tilewright::tests;

namespace {

double readElement(std::byte const *at, DType type, std::size_t i)
{
    switch (type) {
    case DType::F32: return reinterpret_cast<float const *>(at)[i];
    case DType::F16: return kernels::halfToFloat(reinterpret_cast<std::uint16_t const *>(at)[i]);
    case DType::I32: return reinterpret_cast<std::int32_t const *>(at)[i];
    case DType::U8:
    case DType::Bool: return reinterpret_cast<std::uint8_t const *>(at)[i];
    }
    return 0;
}

void writeElement(std::byte *at, DType type, std::size_t i, double value)
{
    switch (type) {
    case DType::F32: reinterpret_cast<float *>(at)[i] = static_cast<float>(value); return;
    case DType::F16: reinterpret_cast<std::uint16_t *>(at)[i] = kernels::floatToHalf(static_cast<float>(value)); return;
    case DType::I32: reinterpret_cast<std::int32_t *>(at)[i] = static_cast<std::int32_t>(value); return;
    case DType::U8:
    case DType::Bool: reinterpret_cast<std::uint8_t *>(at)[i] = static_cast<std::uint8_t>(value); return;
    }
}

/// The memory of one tile with the fields of one vertex on it, guard bytes between them.
struct Tile {
    std::vector<std::uint64_t> words; ///< eight-byte aligned, as tile memory is
    std::vector<VertexState::Ref> refs;
    std::vector<FieldShape> shapes;
    std::vector<FieldBlock> blocks;

    std::byte *memory() { return reinterpret_cast<std::byte *>(words.data()); }

    Tile(CodeletCase const &c, RandomStream &random)
    {
        std::uint32_t at = 64;
        for (auto const &field : c.fields) {
            VertexState::Ref ref;
            ref.address = at;
            ref.dtype = field.dtype;
            ref.groups = static_cast<std::int32_t>(field.groups);
            ref.rows = static_cast<std::int32_t>(field.rows);
            ref.cols = static_cast<std::int32_t>(field.cols);
            ref.row0 = field.row0;
            ref.col0 = field.col0;
            ref.rowGroup = field.rowGroup;
            ref.colGroup = field.colGroup;
            refs.push_back(ref);
            shapes.push_back({field.dtype, field.groups, field.rows, field.cols, field.block.rank, {}});
            for (int d = 0; d < field.block.rank; ++d) shapes.back().size[static_cast<std::size_t>(d)] = field.block.size(d);
            blocks.push_back(field.block);
            at = static_cast<std::uint32_t>(roundUp(at + field.elements() * sizeOf(field.dtype), 8)
                                            + 8 * (1 + static_cast<std::int64_t>(random.below(4))));
        }
        words.resize(at / 8 + 8);
        for (auto &word : words) word = random.next();
        for (std::size_t f = 0; f < refs.size(); ++f) {
            auto const &field = c.fields[f];
            bool const whole = !isFloating(field.dtype) || (field.high - field.low >= 3 && std::trunc(field.low) == field.low);
            for (std::size_t i = 0; i < static_cast<std::size_t>(field.elements()); ++i) {
                double const value = whole
                    ? field.low + static_cast<double>(random.below(static_cast<std::uint64_t>(field.high - field.low) + 1))
                    : field.low + random.uniform() * (field.high - field.low);
                writeElement(memory() + refs[f].address, field.dtype, i, value);
            }
        }
    }
    /// Row-major for any order of the bytes. `before` the vertex runs, a regrouped field is still row-major.
    Contents contents(CodeletCase const &c, bool before = false)
    {
        Contents all;
        for (std::size_t f = 0; f < refs.size(); ++f) {
            auto const &field = c.fields[f];
            auto &values = all.emplace_back(static_cast<std::size_t>(field.elements()));
            auto const order = field.regrouped && before ? std::vector<std::size_t>() : bytesOrder(field);
            for (std::size_t i = 0; i < values.size(); ++i)
                values[order.empty() ? i : order[i]] = readElement(memory() + refs[f].address, field.dtype, i);
        }
        return all;
    }
    /// By position in the bytes: the row-major number of the element (groups, then positions inside them).
    static std::vector<std::size_t> bytesOrder(CaseField const &field)
    {
        std::vector<std::size_t> order(static_cast<std::size_t>(field.elements()));
        std::iota(order.begin(), order.end(), std::size_t{0});
        auto const key = [&](std::size_t i) {
            auto const n = static_cast<std::int64_t>(i);
            auto const c = n % field.cols, r = n / field.cols % field.rows, g = n / (field.cols * field.rows);
            return field.colGroup > 1 ? std::array{g, c / field.colGroup, r, c % field.colGroup}
                                      : std::array{g, r / field.rowGroup, c, r % field.rowGroup};
        };
        if (field.colGroup > 1 || field.rowGroup > 1) std::ranges::sort(order, {}, key);
        return order;
    }
};

} // namespace

class TstCodelets : public QObject {
    Q_OBJECT

    static void run(Codelet const &codelet, CodeletCase const &c, Tile &tile, Workers workers)
    {
        VertexState state;
        state.fields = tile.refs;
        if (codelet.wantsBlocks) state.blocks = tile.blocks;
        state.scalars = c.scalars;
        auto const prepared = codelet.prepare ? codelet.prepare(c.expr) : nullptr;
        state.prepared = prepared.get();
        state.replica = c.replica;
        state.replicas = c.replicas;
        state.seed = c.seed;
        codelet.run(tile.memory(), state, workers);
    }

private slots:
    void everyCodeletHasACase()
    {
        std::set<std::string> names;
        for (auto const &codelet : builtinCodelets()) {
            if (!codelet.run) continue; // tst_codelet_prices
            QVERIFY2(names.insert(codelet.name).second, codelet.name.c_str());
            QVERIFY(findCodelet(codelet.name) == &codelet);
            QVERIFY2(codelet.run && codelet.cycles && codelet.stateBytes && codelet.codeBytes > 0, codelet.name.c_str());
        }
        auto const cases = codeletsWithCases();
        QCOMPARE(std::set<std::string>(cases.begin(), cases.end()), names);
        QVERIFY(!findCodelet("NoSuch"));
    }
    void eachGivesTheNumbersOfNaiveLoops_data()
    {
        QTest::addColumn<QString>("codelet");
        for (auto const &name : codeletsWithCases()) QTest::newRow(name.c_str()) << QString::fromStdString(name);
    }
    void eachGivesTheNumbersOfNaiveLoops()
    {
        QFETCH(QString, codelet);
        auto const &c0 = *findCodelet(codelet.toStdString());
        auto const machine = target::parseMachine("gc200").value();
        for (std::uint64_t seed = 1; seed <= 60; ++seed) {
            RandomStream random(deriveSeed(29, seed));
            auto const c = makeCase(codelet.toStdString(), random);
            auto const where = [&](QString const &what) { return QString("seed %1: %2").arg(seed).arg(what); };
            Tile const before(c, random);
            Tile together = before, apart = before;
            run(c0, c, together, Workers{});
            // Workers one at a time in any order. (A worker never reads data written by another.)
            int order[6] = {0, 1, 2, 3, 4, 5};
            for (std::size_t i = 6; i > 1; --i) std::swap(order[i - 1], order[random.below(i)]);
            for (int w : order) run(c0, c, apart, Workers{w, w + 1});
            QVERIFY2(together.words == apart.words, qPrintable(where("workers one at a time give something else")));

            Tile first = before;
            auto expected = first.contents(c, true);
            c.naive(expected);
            auto const got = together.contents(c);
            for (std::size_t f = 0; f < c.fields.size(); ++f) {
                double scale = 0;
                for (double v : expected[f]) scale = std::max(scale, std::abs(v));
                for (std::size_t i = 0; i < expected[f].size(); ++i)
                    QVERIFY2(std::abs(got[f][i] - expected[f][i]) <= c.tolerance * std::max(scale, 1e-3),
                             qPrintable(where(
                                 QString("field %1 element %2 is %3, expected %4").arg(f).arg(i).arg(got[f][i]).arg(expected[f][i]))));
            }
            // Only its own results are touched: no guard byte, no operand.
            Tile restored = together;
            for (std::size_t f = 0; f < c.fields.size(); ++f)
                if (c.fields[f].written)
                    std::memcpy(restored.memory() + restored.refs[f].address, first.memory() + first.refs[f].address,
                                static_cast<std::size_t>(c.fields[f].elements() * sizeOf(c.fields[f].dtype)));
            QVERIFY2(restored.words == before.words, qPrintable(where("writes outside its results")));

            VertexShape const shape{before.shapes, c.scalars, c.expr};
            QVERIFY2(c0.cycles(shape, machine.chip) > 0, qPrintable(where("costs no cycles")));
            QVERIFY2(c0.stateBytes(shape) > 0, qPrintable(where("has no state")));
            if (c0.generatedCodeBytes) QVERIFY(c0.generatedCodeBytes(c.expr) > 0);
        }
    }
    void moreWorkCostsNoFewerCycles_data() { eachGivesTheNumbersOfNaiveLoops_data(); }
    void moreWorkCostsNoFewerCycles()
    {
        QFETCH(QString, codelet);
        auto const &c0 = *findCodelet(codelet.toStdString());
        auto const machine = target::parseMachine("gc200").value();
        for (std::uint64_t seed = 1; seed <= 30; ++seed) {
            RandomStream random(deriveSeed(31, seed));
            auto const c = makeCase(codelet.toStdString(), random);
            Tile const tile(c, random);
            auto wide = tile.shapes;
            // Eight times the columns everywhere: the same kind of vertex on more data.
            for (auto &field : wide)
                if (field.elements() > 1) {
                    // Of a block in its own dimensions: eight times the outermost.
                    (field.rank > 0 ? field.rows : field.cols) *= 8;
                    if (field.rank > 0) field.size[0] *= 8;
                }
            auto const more = c0.cycles({wide, c.scalars, c.expr}, machine.chip),
                       fewer = c0.cycles({tile.shapes, c.scalars, c.expr}, machine.chip);
            // An odd number of channels takes these vertices' unaligned paths, which eight times as many leave.
            bool const byAlignment = codelet.startsWith("Norm") || codelet.startsWith("ConvPartialHorizontalMac");
            // Columns at an odd stride are combined one by one; eight times as many, in vectors of up to four.
            bool const byVectors = codelet.startsWith("Column");
            QVERIFY2(byVectors         ? 4 * more >= fewer
                         : byAlignment ? 5 * more >= 4 * fewer
                                       : more >= fewer,
                     qPrintable(QString("seed %1: %2 after %3").arg(seed).arg(more).arg(fewer)));
        }
    }
    void everyPrimitiveIsPricedAndSized()
    {
        auto const &map = *findCodelet("Map");
        auto const machine = target::parseMachine("gc200").value();
        for (auto const type : {DType::F32, DType::F16})
            for (auto const &prim : graph::primitives()) {
                graph::Instr instr;
                instr.prim = prim.prim;
                for (int i = 0; i < prim.arity; ++i) instr.args[i] = i;
                auto const text = graph::toText(graph::Expr{prim.arity, {instr}});
                std::vector<FieldShape> const shapes(static_cast<std::size_t>(prim.arity) + 1, {type, 1, 4, 50});
                QVERIFY2(map.cycles({shapes, {}, text}, machine.chip) > 0, std::string(prim.name).c_str());
                QVERIFY(map.generatedCodeBytes(text) > 0);
                // All names of the table are in the library's tables.
                std::vector<std::string_view> ops;
                graph::appendLibraryOps(instr, ops);
                QVERIFY2(!ops.empty(), std::string(prim.name).c_str());
                for (auto const &op : ops) QVERIFY2(cost::isPricedOp(op, type), std::string(op).c_str());
                auto const activation = prim.price.activation;
                QVERIFY2(activation.empty() || cost::parseActivation(activation), std::string(prim.name).c_str());
            }
    }
};

TW_REGISTER_TEST(TstCodelets);
#include "tst_codelets.moc"

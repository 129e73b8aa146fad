#include "engine/core/random.h"
#include "engine/lowering/traffic.h"
#include "engine/program/fragments.h"
#include "tests/support/test_registry.h"

#include <QtTest>

#include <map>

using namespace tilewright;
using namespace tilewright::program;

namespace {

/// Where element (row, col) of a group of the tensor lies: the definition of a layout, one element at a time.
std::pair<int, std::int64_t> place(Layout const &l, std::int64_t group, std::int64_t row, std::int64_t col)
{
    if (l.kind == Groups::Columns) {
        group = col / l.extent[2];
        col %= l.extent[2];
    }
    std::int64_t const i = group / l.block[0], j = row / l.block[1], k = col / l.block[2];
    Box const box = l.boxOf(i, j, k);
    return {l.tileOf(i, j, k), ((group - box.g0) * box.rows() + row - box.r0) * box.cols() + col - box.c0};
}

constexpr int kTiles = 64;

Layout randomLayout(RandomStream &random, std::int64_t rows, std::int64_t cols, bool mayCopy)
{
    for (;;) {
        Layout l;
        l.tiles = kTiles;
        l.first = static_cast<std::int32_t>(random.below(kTiles));
        l.extent = {1, rows, cols};
        auto const kind = random.below(4);
        if (kind == 1 && mayCopy) {
            l.kind = Groups::Copies;
            l.extent[0] = 1 + static_cast<std::int64_t>(random.below(4));
        } else if (kind == 2 && cols % 3 == 0) {
            l.kind = Groups::Columns;
            l.extent = {3, rows, cols / 3};
            l.block[0] = 3;
        }
        l.block[1] = 1 + static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(rows)));
        l.block[2] = 1 + static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(l.extent[2])));
        l.stride = {static_cast<std::int32_t>(l.count(1) * l.count(2)), static_cast<std::int32_t>(l.count(2)), 1};
        if (random.below(2)) l.stride = {1, static_cast<std::int32_t>(l.count(0) * l.count(2)), static_cast<std::int32_t>(l.count(0))};
        if (isInjective(l)) return l;
    }
}

struct Moved { Program program; Transfer transfer; };

Moved randomTransfer(RandomStream &random)
{
    Moved m;
    m.program.tilesPerIpu = kTiles;
    std::int64_t const srcRows = 1 + static_cast<std::int64_t>(random.below(20)), srcCols = 1 + static_cast<std::int64_t>(random.below(40));
    std::int64_t dstRows = srcRows, dstCols = srcCols;
    auto const shape = random.below(3);
    auto &t = m.transfer;
    t.src = VarId(0);
    t.dst = VarId(1);
    if (shape == 0) {
        // The whole, perhaps seen in another shape.
        if (random.below(2)) dstRows = srcRows * srcCols, dstCols = 1;
        t.rows = dstRows;
        t.cols = dstCols;
        t.srcStride = t.dstStride = dstCols;
    } else {
        // A window of one into a window of the other.
        dstRows += static_cast<std::int64_t>(random.below(5));
        dstCols += static_cast<std::int64_t>(random.below(5));
        t.rows = 1 + static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(srcRows)));
        t.cols = 1 + static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(srcCols)));
        auto const at = [&](std::int64_t room) { return static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(room + 1))); };
        t.src0 = at(srcRows - t.rows) * srcCols + at(srcCols - t.cols);
        t.dst0 = at(dstRows - t.rows) * dstCols + at(dstCols - t.cols);
        t.srcStride = srcCols;
        t.dstStride = dstCols;
    }
    for (int side = 0; side < 2; ++side) {
        std::int64_t const rows = side ? dstRows : srcRows, cols = side ? dstCols : srcCols;
        Variable v;
        v.name = side ? "dst" : "src";
        v.dtype = random.below(2) ? DType::F32 : DType::F32;
        v.shape = {rows, cols};
        v.layout = randomLayout(random, rows, cols, side == 1);
        m.program.variables.push_back(v);
    }
    return m;
}

} // namespace

class TstTransfers : public QObject {
    Q_OBJECT
private slots:
    void fragmentsMoveEachElementToItsPlace()
    {
        for (std::uint64_t seed = 0; seed < 400; ++seed) {
            RandomStream random(deriveSeed(21, seed));
            auto const m = randomTransfer(random);
            auto const &t = m.transfer;
            Layout const &src = m.program.var(t.src).layout, &dst = m.program.var(t.dst).layout;
            std::map<std::pair<int, std::int64_t>, std::pair<int, std::int64_t>> expected, got;
            std::int64_t const copies = dst.kind == Groups::Copies ? dst.extent[0] : 1;
            for (std::int64_t g = 0; g < copies; ++g)
                for (std::int64_t r = 0; r < t.rows; ++r)
                    for (std::int64_t c = 0; c < t.cols; ++c) {
                        auto const from = t.src0 + r * t.srcStride + c, to = t.dst0 + r * t.dstStride + c;
                        expected[place(dst, g, to / dst.tensorCols(), to % dst.tensorCols())]
                            = place(src, 0, from / src.tensorCols(), from % src.tensorCols());
                    }
            std::int64_t elements = 0;
            forEachFragment(m.program, t, [&](Fragment const &f) {
                for (std::int64_t i = 0; i < f.elements; ++i) got[{f.dstTile, f.dstOffset + i}] = {f.srcTile, f.srcOffset + i};
                elements += f.elements;
            });
            QVERIFY2(got == expected, qPrintable(QString("seed %1").arg(seed)));
            QCOMPARE(elements, copies * t.rows * t.cols); // nothing twice
        }
    }

    void trafficCountsEveryFragment()
    {
        auto const machine = target::parseMachine("gc200:tiles=64").value();
        for (std::uint64_t seed = 0; seed < 200; ++seed) {
            RandomStream random(deriveSeed(22, seed));
            auto m = randomTransfer(random);
            Exchange exchange;
            exchange.transfers = {m.transfer};
            auto const traffic = lowering::analyseTraffic(m.program, exchange, machine, true);
            std::vector<Bytes> sent(kTiles, 0), received(kTiles, 0);
            std::vector<std::int64_t> messages(kTiles, 0), fragments(kTiles, 0);
            Bytes total = 0;
            forEachFragment(m.program, m.transfer, [&](Fragment const &f) {
                Bytes const bytes = f.elements * 4;
                if (f.firstCopy) {
                    sent[static_cast<std::size_t>(f.srcTile)] += bytes;
                    ++messages[static_cast<std::size_t>(f.srcTile)];
                }
                received[static_cast<std::size_t>(f.dstTile)] += bytes;
                ++fragments[static_cast<std::size_t>(f.dstTile)];
                total += bytes;
            });
            QVERIFY2(traffic.sent == sent && traffic.received == received && traffic.messages == messages
                         && traffic.fragments == fragments, qPrintable(QString("seed %1").arg(seed)));
            QCOMPARE(traffic.totalReceived, total);
            Bytes paired = 0;
            for (auto const &pair : traffic.pairs) paired += pair.bytes;
            QCOMPARE(paired, total);
            for (std::size_t tile = 0; tile < kTiles; ++tile) {
                // Never faster than a shared bus, never slower than alone with every message.
                QVERIFY(traffic.cycles[tile] * 8 >= received[tile]);
                QVERIFY(traffic.cycles[tile] <= std::max(received[tile], sent[tile]) / 4 + 3 * std::max(messages[tile], fragments[tile]) + 2);
            }
        }
    }

    void neighboursShareTheirBusOnlyForTheSameBlocks()
    {
        auto const machine = target::parseMachine("gc200:tiles=64").value();
        auto const cyclesOf = [&](std::int32_t strideOfCopies, std::int32_t strideOfRows) {
            Program program;
            program.tilesPerIpu = kTiles;
            Variable src, dst;
            src.name = "src";
            dst.name = "dst";
            src.shape = dst.shape = {8, 100};
            src.layout = rowLayout(8, 100, kTiles, 0, 40);
            dst.layout.tiles = kTiles;
            dst.layout.kind = Groups::Copies;
            dst.layout.extent = {4, 8, 100};
            dst.layout.block = {1, 1, 100};
            dst.layout.stride = {strideOfCopies, strideOfRows, 0};
            program.variables = {src, dst};
            Transfer t;
            t.src = VarId(0);
            t.dst = VarId(1);
            t.rows = 8;
            t.cols = t.srcStride = t.dstStride = 100;
            Exchange exchange;
            exchange.transfers = {t};
            auto const traffic = lowering::analyseTraffic(program, exchange, machine, false);
            Cycles slowest = 0;
            for (std::size_t tile = 0; tile < 32; ++tile) slowest = std::max(slowest, traffic.cycles[tile]);
            return slowest;
        };
        QCOMPARE(cyclesOf(1, 4), Cycles{100 / 2 + 3}); // copies side by side
        QCOMPARE(cyclesOf(8, 1), Cycles{100 + 3});     // different rows side by side
    }
};

TW_REGISTER_TEST(TstTransfers);
#include "tst_transfers.moc"

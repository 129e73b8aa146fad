#include "engine/core/random.h"
#include "engine/lowering/tile_placer.h"
#include "tests/support/test_registry.h"

#include <QtTest>

using namespace tilewright;
using namespace tilewright::lowering;

namespace {

bool together(Liveness const &liveness, Placement const &a, Placement const &b)
{
    return a.livenessClass == 0 || b.livenessClass == 0
        || intersects(liveness.classes[static_cast<std::size_t>(a.livenessClass)],
                      liveness.classes[static_cast<std::size_t>(b.livenessClass)]);
}

/// Every address in turn.
Bytes firstRoom(Liveness const &liveness, std::vector<Placement> const &placed, Placement const &item, Bytes from, Bytes to)
{
    for (Bytes at = roundUp(from, item.alignment); at + item.bytes <= to; at += item.alignment) {
        bool free = true;
        for (auto const &other : placed)
            free = free && (other.offset >= at + item.bytes || other.offset + other.bytes <= at || !together(liveness, item, other));
        if (free) return at;
    }
    return -1;
}

} // namespace

/// Addresses on a tile, against looking at every address and everything that is there.
class TstTilePlacer : public QObject {
    Q_OBJECT

private slots:
    void placesEachItemAtTheFirstRoom()
    {
        int shared = 0, scattered = 0, crossed = 0;
        for (std::uint64_t seed = 1; seed <= 60; ++seed) {
            RandomStream random(seed);
            int const steps = 1 + static_cast<int>(random.below(150));
            Liveness liveness;
            liveness.steps.resize(static_cast<std::size_t>(steps));
            liveness.classes.push_back({{0, steps}});
            for (int c = 0; c < 40; ++c) {
                std::vector<LiveInterval> intervals;
                int at = 0;
                for (auto n = 1 + random.below(3); n > 0 && at < steps; --n) {
                    int const first = at + static_cast<int>(random.below(static_cast<std::uint64_t>(steps - at)));
                    int const most = random.below(2) ? steps - first : std::min(5, steps - first);
                    int const end = first + 1 + static_cast<int>(random.below(static_cast<std::uint64_t>(most)));
                    intervals.push_back({first, end});
                    at = end + 1;
                }
                scattered += intervals.size() > 1;
                liveness.classes.push_back(intervals);
            }
            target::Chip chip;
            chip.bytesPerTile = 1536;
            chip.nonInterleavedBytes = 768;
            std::vector<Placement> items;
            auto const put = [&](Bytes bytes, std::int32_t lives, MemoryRegion region) {
                Placement p;
                p.variable = static_cast<int>(items.size());
                p.bytes = bytes;
                p.livenessClass = lives;
                p.alignment = 8;
                p.region = region;
                items.push_back(p);
            };
            if (seed % 3 == 0 && steps > 1) { // room on either side of the border that only together is enough
                auto const early = static_cast<std::int32_t>(liveness.classes.size());
                liveness.classes.push_back({{0, 1}});
                liveness.classes.push_back({{1, steps}});
                put(400, 0, MemoryRegion{});
                put(136, early, MemoryRegion::Interleaved);
                put(560, 0, MemoryRegion::Interleaved);
                put(448, early + 1, MemoryRegion{});
            }
            for (int i = static_cast<int>(items.size()); i < 80; ++i) {
                Placement p;
                p.variable = i;
                p.bytes = 4 * (1 + static_cast<Bytes>(random.below(i < 5 ? 60 : 20)));
                p.livenessClass = i < 8 ? 0 : 1 + static_cast<std::int32_t>(random.below(40));
                p.alignment = random.below(4) ? 8 : 16;
                if (random.below(5) == 0) p.region = MemoryRegion::Interleaved;
                items.push_back(p);
            }
            std::vector<Placement> wanted;
            for (auto item : items) {
                Bytes const border = chip.nonInterleavedBytes, top = chip.bytesPerTile;
                bool const high = item.region == MemoryRegion::Interleaved;
                Bytes at = firstRoom(liveness, wanted, item, high ? border : 0, high ? top : border);
                if (at < 0) at = firstRoom(liveness, wanted, item, high ? 0 : border, high ? border : top);
                if (at < 0 && !high) at = firstRoom(liveness, wanted, item, 0, top);
                if (at < 0) at = firstRoom(liveness, wanted, item, top, 1 << 20);
                item.offset = at;
                crossed += at < border && at + item.bytes > border;
                wanted.push_back(item);
            }
            auto const got = TilePlacer(liveness, chip).place(items);
            QCOMPARE(got.items.size(), wanted.size());
            for (auto const &item : got.items) {
                auto const &other = wanted[static_cast<std::size_t>(item.variable)];
                QVERIFY2(item.offset == other.offset,
                         qPrintable(
                             QString("seed %1 item %2: %3 instead of %4").arg(seed).arg(item.variable).arg(item.offset).arg(other.offset)));
                for (auto const &beside : wanted) shared += beside.variable < item.variable && beside.offset == item.offset;
            }
        }
        QVERIFY2(shared > 100 && scattered > 100 && crossed > 0, qPrintable(QString("%1 %2 %3").arg(shared).arg(scattered).arg(crossed)));
    }
    /// Beside looking for room again: tiles with the same variables and other bytes of the compiler's own.
    void movesItemsAboveItsOwnBytes()
    {
        int moved = 0, crossed = 0;
        for (std::uint64_t seed = 1; seed <= 200; ++seed) {
            RandomStream random(seed);
            auto const below = [&random](int most) { return static_cast<int>(random.below(static_cast<std::uint64_t>(most))); };
            Liveness liveness;
            liveness.steps.resize(60);
            liveness.classes.push_back({{0, 60}});
            for (int c = 1; c < 12; ++c) {
                int const first = below(50), second = first + 1 + below(5);
                if (c % 3) liveness.classes.push_back({{first, second}});
                else liveness.classes.push_back({{first, second}, {second + 2, second + 4}});
            }
            target::Chip chip;
            chip.bytesPerTile = 2048;
            chip.nonInterleavedBytes = 832;
            std::vector<Placement> variables;
            for (int i = 0; i < 30; ++i) {
                Placement p;
                p.variable = i;
                p.bytes = 4 * (1 + below(20));
                p.livenessClass = i < 4 ? 0 : below(12);
                if (seed % 2 && below(4) == 0) p.region = MemoryRegion::Interleaved, p.alignment = 16;
                variables.push_back(p);
            }
            auto const tile = [&](int own) {
                std::vector<Placement> items;
                for (int i = 0; i < own; ++i) {
                    Placement p;
                    p.kind = static_cast<MemoryCategory>(1 + i);
                    p.bytes = 4 * (1 + below(30));
                    p.executable = i % 2;
                    items.push_back(p);
                }
                return items;
            };
            auto const whole = [&](std::vector<Placement> items) {
                items.insert(items.end(), variables.begin(), variables.end());
                return items;
            };
            TilePlacer placer(liveness, chip);
            auto const first = placer.place(whole(tile(below(5))));
            auto const own = tile(below(5));
            auto const wanted = placer.place(whole(own));
            auto const got = placer.moved(first, own);
            if (got) QVERIFY2(*got == wanted, qPrintable(QString("seed %1").arg(seed)));
            ++(got ? moved : crossed);
        }
        QVERIFY2(moved > 50 && crossed > 20, qPrintable(QString("%1 %2").arg(moved).arg(crossed)));
    }
    /// A placer is used for one tile after the other.
    void forgetsTheTileBefore()
    {
        Liveness liveness;
        liveness.steps.resize(40);
        liveness.classes = {{{0, 40}}, {{0, 40}}, {{3, 5}}};
        target::Chip chip;
        TilePlacer placer(liveness, chip);
        std::vector<Placement> items(3);
        for (int i = 0; i < 3; ++i) {
            items[static_cast<std::size_t>(i)].variable = i;
            items[static_cast<std::size_t>(i)].bytes = 16;
            items[static_cast<std::size_t>(i)].livenessClass = i;
        }
        QVERIFY(placer.place(items) == placer.place(items));
    }
};

TW_REGISTER_TEST(TstTilePlacer);
#include "tst_tile_placer.moc"

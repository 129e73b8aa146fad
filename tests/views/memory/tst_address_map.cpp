#include "tests/support/test_registry.h"
#include "tests/views/memory/compiled_report.h"
#include "views/memory/address_map_widget.h"
#include "views/memory/address_scene.h"
#include "views/session/selection.h"

#include <QSignalSpy>
#include <QtTest>

#include <map>

using namespace tilewright;
using namespace tilewright::views;

class TstAddressMap : public QObject {
    Q_OBJECT
    std::shared_ptr<ReportSnapshot const> m_report;
    std::shared_ptr<TileContents const> m_contents;

private slots:
    void initTestCase()
    {
        m_report = tests::compiledReport();
        m_contents = readContents(*m_report, {});
    }

    // Invariant 5 as a picture: rectangles of steps and addresses never cover each other.
    void blocksDoNotOverlap()
    {
        for (auto const &group : m_contents->groups) {
            auto const blocks = addressBlocks(group.items, m_contents->lives);
            for (int step = 0; step < m_contents->lives.steps(); ++step) {
                std::map<Bytes, Bytes> live;
                for (auto const &block : blocks)
                    if (step >= block.first && step < block.end) {
                        auto const [it, fresh] = live.emplace(block.offset, block.offset + block.bytes);
                        QVERIFY2(fresh, "two live items begin at one address");
                        Q_UNUSED(it);
                    }
                Bytes top = 0;
                for (auto const &[from, to] : live) {
                    QVERIFY2(from >= top, "live items share an address");
                    top = to;
                }
            }
        }
    }

    void blocksCoverEveryPlacedByteWhileItIsLive()
    {
        for (auto const &group : m_contents->groups)
            for (int step = 0; step < m_contents->lives.steps(); step += 5) {
                Bytes drawn = 0, live = 0;
                for (auto const &block : addressBlocks(group.items, m_contents->lives))
                    if (step >= block.first && step < block.end) drawn += block.bytes;
                for (auto const &item : group.items)
                    if (m_contents->lives.isLive(item.livenessClass, step)) live += item.bytes;
                QCOMPARE(drawn, live);
            }
    }

    // Invariant 6: gaps and used addresses are all there is.
    void gapsAndBytesFillTheTile()
    {
        auto const &with = m_report->tileMetric("with_gaps"), &without = m_report->tileMetric("without_gaps");
        Bytes const capacity = m_report->data().target.bytesPerTile;
        for (int tile = 0; tile < m_report->tiles(); ++tile) {
            auto const gaps = addressGaps(m_contents->of(tile)->items, capacity);
            Bytes inside = 0, behind = 0;
            for (auto const &gap : gaps) (gap.offset < with[static_cast<std::size_t>(tile)] ? inside : behind) += gap.bytes;
            QCOMPARE(inside, with[static_cast<std::size_t>(tile)] - without[static_cast<std::size_t>(tile)]);
            QCOMPARE(behind, capacity - with[static_cast<std::size_t>(tile)]);
        }
    }

    void addressesAreFoundWhereTheyAreDrawn()
    {
        auto const &items = m_contents->groups.front().items;
        Bytes const end = m_report->data().target.bytesPerTile;
        for (bool const toScale : {false, true}) {
            AddressAxis const axis(addressGaps(items, end), end, 5000, 30, toScale);
            double before = -1;
            for (Bytes address = 0; address < end; address += 97) {
                double const y = axis.yOf(address);
                QVERIFY(y >= before && y <= 5000.0001);
                before = y;
                if (toScale) QVERIFY(std::abs(axis.addressAt(y) - address) <= 1);
            }
            QVERIFY(std::abs(axis.yOf(end) - 5000) < 1e-6);
        }
        // Folded gaps leave more room for the used addresses.
        auto const &item = items[0];
        AddressAxis const folded(addressGaps(items, end), end, 400, 20, false), scaled(addressGaps(items, end), end, 400, 20, true);
        QVERIFY(folded.yOf(item.offset + item.bytes) - folded.yOf(item.offset)
                > scaled.yOf(item.offset + item.bytes) - scaled.yOf(item.offset));
    }

    void clicksNameTheItemThatIsDrawnThere()
    {
        Lineage const none;
        AddressMapWidget map;
        map.resize(900, 600);
        map.setScene(addressScene(*m_report, m_contents, 0, none));
        map.show();
        QVERIFY(QTest::qWaitForWindowExposed(&map));
        QSignalSpy items(&map, &AddressMapWidget::itemPicked), steps(&map, &AddressMapWidget::stepPicked);
        int tried = 0;
        for (auto const &block : map.blocks()) {
            auto const box = map.rectOf(block);
            if (box.width() < 6 || box.height() < 3) continue;
            QPoint const middle = box.center().toPoint();
            QCOMPARE(map.itemAtPoint(middle), block.item);
            QTest::mouseClick(&map, Qt::LeftButton, {}, middle);
            QCOMPARE(items.last()[0].toInt(), block.item);
            QVERIFY(map.step() >= block.first && map.step() < block.end);
            ++tried;
        }
        QVERIFY(tried > 10);
        int const before = map.step();
        QTest::keyClick(&map, Qt::Key_Home);
        QCOMPARE(map.step(), 0);
        QTest::keyClick(&map, Qt::Key_Right);
        QCOMPARE(steps.last()[0].toInt(), 1);
        Q_UNUSED(before);
    }
};

TW_REGISTER_TEST(TstAddressMap);
#include "tst_address_map.moc"

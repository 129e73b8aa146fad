#include "tests/support/test_registry.h"
#include "tests/views/execution/small_report.h"
#include "views/execution/event_sums.h"
#include "views/execution/nesting.h"

#include <QTest>

#include <random>

using namespace tilewright::views;
using namespace tilewright;

class TstNesting : public QObject {
    Q_OBJECT
private slots:
    /// One bar per parent: layer a runs forward, then b, then a again backward; barriers without a parent divide nothing.
    void everyParentHasOneBarForEachVisit()
    {
        report::ReportData data;
        data.ops.resize(5);
        data.ops[0] = {.level = "keras", .name = "a", .kind = "Layer", .pass = "forward"};
        data.ops[1] = {.level = "keras", .name = "b", .kind = "Layer", .pass = "forward"};
        data.ops[2] = {.parent = 0, .level = "graph", .name = "a/MatMul", .kind = "matmul", .pass = "forward"};
        data.ops[3] = {.parent = 1, .level = "graph", .name = "b/MatMul", .kind = "matmul", .pass = "forward"};
        data.ops[4] = {.parent = 0, .level = "graph", .name = "a/MatMul_Backward", .kind = "matmul", .pass = "backward"};
        Nesting const nesting(data);
        std::vector<int> const opOfType{2, 3, 4, report::kNone};
        report::EventColumns events;
        events.add(0, 10, 0);
        events.add(10, 2, 3); // a barrier
        events.add(12, 8, 0);
        events.add(20, 10, 1);
        events.add(30, 2, 3);
        events.add(32, 18, 2);
        auto const levels = nesting.spans(events, opOfType);
        QCOMPARE(levels.size(), std::size_t(2));
        auto const named = [&](std::vector<NestedSpan> const &spans) {
            QStringList names;
            for (auto const &span : spans) {
                auto const &type = nesting.types()[static_cast<std::size_t>(span.type)];
                names << QStringLiteral("%1 %2 %3-%4")
                             .arg(QString::fromStdString(data.ops[static_cast<std::size_t>(type.op)].name),
                                  QString::fromStdString(type.pass))
                             .arg(span.begin)
                             .arg(span.end);
            }
            return names;
        };
        QCOMPARE(named(levels[Nesting::Layer]),
                 (QStringList{QStringLiteral("a forward 0-20"), QStringLiteral("b forward 20-30"), QStringLiteral("a backward 32-50")}));
        QCOMPARE(named(levels[Nesting::Operation]),
                 (QStringList{QStringLiteral("a/MatMul forward 0-20"), QStringLiteral("b/MatMul forward 20-30"),
                              QStringLiteral("a/MatMul_Backward backward 32-50")}));
        // Each child is inside its parent.
        for (auto const &span : levels[Nesting::Operation])
            QVERIFY(std::ranges::any_of(levels[Nesting::Layer],
                                        [&](auto const &layer) { return layer.begin <= span.begin && span.end <= layer.end; }));
    }
    void aReportWithoutOperationsHasNoBarsAboveItsSteps()
    {
        auto const data = tests::smallReport();
        auto const levels = Nesting(data).spans(data.events[0].events, std::vector<int>(4, report::kNone));
        QVERIFY(levels[Nesting::Layer].empty() && levels[Nesting::Operation].empty());
    }

    void runningTotalsEqualPlainSums()
    {
        std::mt19937_64 random(4);
        report::EventColumns events;
        for (int i = 0; i < 1000; ++i)
            events.add(i * 10, 5, static_cast<std::int64_t>(random() % 3), 0, static_cast<int>(random() % 4) - 1);
        EventSums const sums(std::make_shared<report::EventColumns const>(events), {{10, 20, 30}, {1, 2, 3}, {100, 200, 300}}, {1, 0, 1});
        EventSums::Totals naive{};
        for (std::int64_t e = 0; e < 1000; ++e) {
            QVERIFY(sums.before(e) == naive);
            auto const type = events.type[static_cast<std::size_t>(e)], vec = events.vec[static_cast<std::size_t>(e)];
            naive[EventSums::BytesIn] += (type + 1) * 10;
            naive[EventSums::BytesOut] += type + 1;
            if (type != 1 && vec >= 0) naive[EventSums::TileCycles] += (vec + 1) * 100;
        }
    }
};

TW_REGISTER_TEST(TstNesting);
#include "tst_nesting.moc"

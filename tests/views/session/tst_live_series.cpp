#include "tests/support/test_registry.h"
#include "views/diagnostics/console.h"
#include "views/runcontrol/run_worker.h"

#include <QtTest>

#include <algorithm>

using namespace tilewright::views;

class TstLiveSeries : public QObject {
    Q_OBJECT
private slots:
    void itStaysBoundedAndKeepsItsExtremes()
    {
        LiveSeries series;
        for (int i = 0; i < 400000; ++i) appendPoint(series, i, i == 123457 ? 99.0 : i == 50001 ? -99.0 : static_cast<double>(i % 7));
        QVERIFY(static_cast<int>(series.x.size()) < kLivePoints);
        QVERIFY(static_cast<int>(series.x.size()) > kLivePoints / 3);
        QVERIFY(std::is_sorted(series.x.begin(), series.x.end()));
        QCOMPARE(*std::max_element(series.y.begin(), series.y.end()), 99.0);
        QCOMPARE(*std::min_element(series.y.begin(), series.y.end()), -99.0);
        QCOMPARE(series.x.back(), 399999.0);
    }
    /// For a run of any length, the beginning is not thinned further than other old parts.
    void allOfALongRunIsThinnedAlike()
    {
        LiveSeries series;
        for (int i = 0; i < 1000000; ++i) appendPoint(series, i, i % 10);
        auto const before = std::lower_bound(series.x.begin(), series.x.end(), 250000.0) - series.x.begin();
        QVERIFY2(before > 1000, qPrintable(QString::number(before)));
        double all = 0;
        for (double const count : series.counts) all += count;
        QCOMPARE(all, 1000000.0); // each value is part of one point
    }
    void theConsoleCountsRepeatsAndForgetsTheOldest()
    {
        Console console;
        for (int i = 0; i < 3; ++i) console.add(1, QStringLiteral("a"), QStringLiteral("same"));
        QCOMPARE(console.lines().size(), std::size_t(1));
        QCOMPARE(console.lines().back().repeats, 3);
        for (int i = 0; i < kConsoleLines + 10; ++i) console.add(1, QStringLiteral("a"), QString::number(i));
        QCOMPARE(static_cast<int>(console.lines().size()), kConsoleLines);
        QCOMPARE(console.dropped(), qint64(11));
    }
};

TW_REGISTER_TEST(TstLiveSeries);
#include "tst_live_series.moc"

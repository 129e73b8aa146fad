// Common parts of the views of a report: costs of a run, bars, links.
#include "tests/support/test_registry.h"
#include "tests/views/memory/compiled_report.h"
#include "views/common/flow_layout.h"
#include "views/widgets/stacked_bar.h"
#include "views/wording/insight_text.h"
#include "views/wording/labels.h"
#include "views/wording/run_costs.h"

#include "engine/report/insights/insights.h"

#include <QBoxLayout>
#include <QLabel>
#include <QtTest>

using namespace tilewright;
using namespace tilewright::views;

class TstFigures : public QObject {
    Q_OBJECT
private slots:
    void aLegendOfTwoRowsHasTheirHeight()
    {
        QWidget side;
        auto *column = new QVBoxLayout(&side);
        auto *above = new QWidget;
        auto *bars = new StackedBars(QStringLiteral("Cycles"));
        column->addWidget(above, 1);
        column->addWidget(bars);
        bars->setBars({{QStringLiteral("Shown"),
                        {{Token::Compute, QStringLiteral("Compute"), 35, {}},
                         {Token::InternalExchange, QStringLiteral("Exchange in the IPU"), 16, {}},
                         {Token::Stream, QStringLiteral("Streams"), 43, {}},
                         {Token::Sync, QStringLiteral("Sync"), 5, {}}},
                        0}});
        side.resize(260, 400);
        side.show();
        QVERIFY(bars->heightForWidth(bars->width()) > bars->sizeHint().height()); // more rows than where it is wide
        QTRY_COMPARE(bars->height(), bars->heightForWidth(bars->width()));
    }

    void costsOfProgramsAddUpToTheSplitOfEachIpu()
    {
        auto const report = tests::compiledReport("pod4:tiles=8,ipus=2");
        auto const &d = report->data();
        auto const frame = runFrame(d);
        QVERIFY(frame.run >= 0);
        QVERIFY(!frame.ipus.empty());
        for (int const ipu : frame.ipus) {
            auto const costs = costsByProgram(d, frame.run, ipu);
            std::array<Cycles, kPhases> sum{};
            for (auto const &cost : costs)
                for (std::size_t p = 0; p < sum.size(); ++p) sum[p] += cost.byPhase[p];
            auto const split = splitOf(d, frame.run, ipu);
            for (int p = 0; p < kPhases - 1; ++p) QCOMPARE(sum[static_cast<std::size_t>(p)], split[static_cast<std::size_t>(p)]);
            Cycles all = 0;
            for (auto const cycles : split) all += cycles;
            QCOMPARE(all, frame.cycles);
        }
        // All IPUs together are the sum of each.
        auto const together = costsByProgram(d, frame.run);
        for (std::size_t program = 0; program < together.size(); ++program) {
            Cycles sum = 0;
            for (int const ipu : frame.ipus) sum += costsByProgram(d, frame.run, ipu)[program].cycles;
            QCOMPARE(together[program].cycles, sum);
        }
    }

    void everyRuleOfTheEngineHasItsOwnSentence()
    {
        // A rule without a text here would show its bare figures.
        InsightNumbers const none{QJsonObject{}};
        for (auto const &rule : report::builtinInsightRules()) {
            InsightText out;
            QVERIFY2(fillRuleText(rule.name, none, out), rule.name.c_str());
            QVERIFY2(!out.title.isEmpty() && !out.message().isEmpty(), rule.name.c_str());
        }
        InsightText out;
        QVERIFY(!fillRuleText("memory.of-tomorrow", none, out));
    }

    void insightsOfCompiledReportsShowTheirNumbers()
    {
        int shown = 0;
        for (char const *target : {"gc200:tiles=8", "gc200:tiles=4", "pod4:tiles=8,ipus=4"}) {
            auto const report = tests::compiledReport(target);
            for (auto const &row : report->data().insights) {
                auto const words = insightText(row);
                QVERIFY2(words.known, row.rule.c_str());
                QVERIFY2(!words.title.contains(QLatin1Char('%')) || words.title.contains(QLatin1String(" %")), qPrintable(words.title));
                QVERIFY2(!words.message().contains(QRegularExpression(QStringLiteral("%[0-9]"))), qPrintable(words.message()));
                QVERIFY(!insightSubject(row, report->data()).isEmpty());
                ++shown;
            }
        }
        QVERIFY(shown > 0);
    }

    void programsThatDoNotFitSeparateNeedAndGaps()
    {
        report::InsightRow row;
        row.rule = "memory.does-not-fit";
        row.numbers =
            R"({"ipu":0,"tile":3,"bytes":839680,"need":751680,"capacity":638976,"cause":"total","tiles_over":4,"tiles":4,"largest":[]})";
        QCOMPARE(insightText(row).title,
                 QStringLiteral("Does not fit: tile 3 of IPU 0 needs 734 KiB, has 820 KiB placed, and its limit is 624 KiB"));
        row.numbers = R"({"ipu":0,"tile":3,"bytes":839680,"need":839680,"capacity":638976,"cause":"total","largest":[]})";
        QCOMPARE(insightText(row).title, QStringLiteral("Does not fit: tile 3 of IPU 0 has 820 KiB placed, and its limit is 624 KiB"));
    }

    void insightsWithoutNumbersShowThePlainFigures()
    {
        report::InsightRow row;
        row.rule = "sync.bound";
        row.numbers = "{\"share\":0.5}";
        auto const words = insightText(row);
        QVERIFY(!words.known);
        QVERIFY(words.title.contains(QLatin1String("sync.bound")));
        QVERIFY(words.message().contains(QLatin1String("share = 0.5")));
        row.numbers = "no json";
        QVERIFY(!insightText(row).title.isEmpty());
    }

    void barsKeepTheirProportionsAndNothingVanishes()
    {
        Bar const bar{QStringLiteral("IPU 0"),
                      {{Token::Compute, QStringLiteral("a"), 600, {}},
                       {Token::Sync, QStringLiteral("b"), 0, {}},
                       {Token::Stream, QStringLiteral("c"), 1, {}},
                       {Token::Idle, QStringLiteral("d"), 399, {}}},
                      0};
        auto const spans = barSpans(bar, 2000, 200);
        QCOMPARE(spans[0], std::pair(0.0, 60.0));
        QCOMPARE(spans[1].first, spans[1].second);
        QVERIFY(spans[2].second - spans[2].first >= 1);
        QCOMPARE(spans[3].second, 100.0);
    }

    void barsReportExactValuesAndClicks()
    {
        StackedBars bars(QStringLiteral("bars"));
        bars.setBars({Bar{QStringLiteral("IPU 0"),
                          {{Token::Compute, QStringLiteral("Compute"), 3, QStringLiteral("3 cycles")},
                           {Token::Sync, QStringLiteral("Sync"), 1, QStringLiteral("1 cycle")}},
                          0},
                      Bar{QStringLiteral("IPU 7"), {{Token::Compute, QStringLiteral("Compute"), 4, QStringLiteral("4 cycles")}}, 7}});
        bars.resize(400, bars.heightForWidth(400));
        bars.show();
        auto const rect = bars.barRect(0);
        QCOMPARE(bars.tipAt({rect.x() + rect.width() * 0.5, rect.center().y()}), QStringLiteral("IPU 0\nCompute: 3 cycles"));
        QCOMPARE(bars.tipAt({rect.x() + rect.width() * 0.8, rect.center().y()}), QStringLiteral("IPU 0\nSync: 1 cycle"));
        QSignalSpy clicked(&bars, &StackedBars::barClicked);
        QTest::mouseClick(&bars, Qt::LeftButton, {}, bars.barRect(1).center().toPoint());
        QCOMPARE(clicked.size(), 1);
        QCOMPARE(clicked.first().first().toInt(), 7);
        bars.setMarked(0);
        QTest::keyClick(&bars, Qt::Key_Down);
        QCOMPARE(clicked.last().first().toInt(), 7);
    }

    void flowBreaksRowsWhereTheWidthEnds()
    {
        QWidget box;
        auto *flow = new FlowLayout(&box, kGap, FlowLayout::Keep);
        for (int i = 0; i < 4; ++i) {
            auto *item = new QWidget(&box);
            item->setFixedSize(100, 20);
            flow->addWidget(item);
        }
        QCOMPARE(flow->heightForWidth(450), 20);
        QCOMPARE(flow->heightForWidth(220), 40 + flow->spacing());
        QCOMPARE(flow->heightForWidth(50), 80 + 3 * flow->spacing());
    }

    void unknownCodesStayReadable()
    {
        QCOMPARE(partLabel("hologram"), QStringLiteral("hologram"));
        QCOMPARE(programKindToken("repeat"), Token::SecondaryText);
        QCOMPARE(programKindToken("exchange"), Token::InternalExchange);
    }
};

TW_REGISTER_TEST(TstFigures);
#include "tst_figures.moc"

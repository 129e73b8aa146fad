#include "engine/store/report_reader.h"
#include "tests/support/test_registry.h"
#include "tests/views/execution/small_report.h"
#include "tests/views/memory/compiled_report.h"
#include "views/common/export.h"
#include "views/common/format.h"
#include "views/summary/summary_facts.h"
#include "views/wording/bubble_words.h"

#include <QtTest>

using namespace tilewright;
using namespace tilewright::views;

namespace {

/// One number by SQL over the report's file: the other way to the same figure.
double sql(ReportSnapshot const &report, char const *query)
{
    auto const rows = report.query(QString::fromLatin1(query));
    if (!rows.ok() || rows->rows.isEmpty()) return -1;
    return rows->rows.first().first().toDouble();
}

double valueOf(SummaryFacts const &facts, char const *id)
{
    auto const *figure = findFigure(facts, QString::fromLatin1(id));
    return figure && figure->value ? *figure->value : -2;
}

} // namespace

class TstSummaryFacts : public QObject {
    Q_OBJECT
private slots:
    /// Facts of a run that goes on, when a report without its run has just taken the place of theirs.
    void factsDoNotReadBehindTheRunsOfAnotherReport()
    {
        auto const report = tests::compiledReport();
        RunSoFar const soFar{10, 1.0};
        auto facts = summaryFacts(report->data(), true, &soFar);
        facts.head << Figure();
        facts.head.last().id = QStringLiteral("host_step");
        QVERIFY(!facts.splits.isEmpty());
        auto const caption = facts.splitCaption;
        auto other = report->data();
        other.runs.clear();
        QVERIFY(advanceFacts(facts, other, soFar));
        QCOMPARE(facts.splitCaption, caption);
    }

    void everyFigureEqualsASeparateQuery()
    {
        auto const report = tests::compiledReport();
        auto const facts = summaryFacts(report->data(), true);
        QVERIFY(facts.fits);
        QCOMPARE(valueOf(facts, "worst_tile"), sql(*report, "SELECT 1.0 * bytes / capacity FROM verdict WHERE scope = 'all'"));
        QCOMPARE(valueOf(facts, "step_time"),
                 sql(*report, "SELECT (SELECT value FROM figure WHERE name = 'cycles_per_step') / (SELECT clock_hz FROM target)"));
        QCOMPARE(valueOf(facts, "samples_per_second"), sql(*report, "SELECT value FROM figure WHERE name = 'samples_per_second'"));
        QCOMPARE(valueOf(facts, "utilisation"),
                 sql(*report, "SELECT 1.0 * sum(s.compute) / sum(r.cycles) FROM ipu_split s JOIN run r ON r.id = s.run"));
        QCOMPARE(valueOf(facts, "compute_sets"), sql(*report, "SELECT count(*) FROM compute_set"));
        QCOMPARE(valueOf(facts, "vertices"), sql(*report, "SELECT sum(vertices) FROM compute_set"));
        QCOMPARE(valueOf(facts, "exchanges"), sql(*report, "SELECT count(*) FROM exchange WHERE kind IN ('internal', 'global')"));
        QCOMPARE(valueOf(facts, "programs"),
                 sql(*report,
                     "SELECT count(*) FROM program WHERE kind NOT IN ('sequence', 'repeat', 'repeat_while', 'if', 'switch', "
                     "'switch_per_tile', 'call')"));
        QCOMPARE(valueOf(facts, "layers"), sql(*report, "SELECT value FROM figure WHERE name = 'layers'"));
        QCOMPARE(valueOf(facts, "variables"), sql(*report, "SELECT count(*) FROM variable"));
        QCOMPARE(valueOf(facts, "operations"), sql(*report, "SELECT count(*) FROM op WHERE level = 'graph'"));
        QCOMPARE(valueOf(facts, "code_bytes"), sql(*report, "SELECT round(sum(code_attributed)) FROM op WHERE parent IS NULL"));
        QCOMPARE(valueOf(facts, "tiles_per_ipu"), sql(*report, "SELECT tiles_per_ipu FROM target"));
        QVERIFY(valueOf(facts, "vertices") > 0);
        QVERIFY(valueOf(facts, "code_bytes") > 0);
    }

    /// Causes of waiting in a pipeline, in the words of the pipeline view, from the same engine function.
    void bubblesNameTheirCause()
    {
        auto data = tests::smallReport();
        auto const shares = report::bubbleShares(data.stageTasks, data.bubbles);
        data.figures = {{"bubble_share", shares.all, "fraction"}, {"bubble_share_theory", 0.25, "fraction"}};
        auto const facts = summaryFacts(data, true);
        auto const *bubbles = findFigure(facts, QStringLiteral("bubble_share"));
        QVERIFY(bubbles && bubbles->note.contains(bubbleCauses(shares)) && bubbleCauses(shares).contains(QStringLiteral("ramp")));
        for (auto const &bar : facts.splits)
            for (auto const &part : bar.parts)
                if (part.token == Token::Idle) QCOMPARE(part.label, QStringLiteral("Idle (in no program)"));
        QVERIFY(!facts.splits.isEmpty());
    }

    /// More samples need more memory, which is no verdict.
    void memoryOfAnotherBatchIsNotJudged()
    {
        auto const a = summaryFacts(tests::compiledReport()->data(), true);
        auto const b =
            summaryFacts(tests::compiledReport("gc200:tiles=8", tests::smallModel({{"training.batch_size", "64"}}))->data(), true);
        auto const *before = findFigure(a, QStringLiteral("worst_tile")), *now = findFigure(b, QStringLiteral("worst_tile"));
        QVERIFY(before && now && *before->value != *now->value);
        auto const change = changeOf(*now, *before);
        QCOMPARE(change.direction, 0);
        QVERIFY2(change.text.contains(QStringLiteral("another batch")), qPrintable(change.text));
    }

    void theHeadAloneGivesTheSameHeadline()
    {
        auto const report = tests::compiledReport();
        auto const head = ReportSnapshot::openHead(report->path());
        QVERIFY(head.ok());
        QVERIFY(!(*head)->isWhole());
        auto const early = summaryFacts((*head)->data(), false), whole = summaryFacts(report->data(), true);
        QCOMPARE(summaryHeadline(early), summaryHeadline(whole));
        QCOMPARE(early.splits, whole.splits);
        QVERIFY(!findFigure(early, QStringLiteral("programs"))->isKnown());
        // Facts of the whole report are not guessed from its head.
        QCOMPARE(quantityText(*findFigure(early, QStringLiteral("programs"))), QStringLiteral("…"));
    }

    void barsHoldTheSplitOfEachIpu()
    {
        auto const report = tests::compiledReport("pod4:tiles=8,ipus=2");
        auto const facts = summaryFacts(report->data(), true);
        QCOMPARE(facts.splits.size(), static_cast<qsizetype>(report->data().ipuSplits.size()));
        for (int i = 0; i < facts.splits.size(); ++i) {
            auto const &split = report->data().ipuSplits[static_cast<std::size_t>(i)];
            QCOMPARE(facts.splits[i].id, split.ipu);
            QCOMPARE(facts.splits[i].parts[0].amount, split.compute);
            QCOMPARE(facts.splits[i].parts[5].amount, split.idle);
            std::int64_t sum = 0;
            for (auto const &part : facts.splits[i].parts) sum += part.amount;
            QCOMPARE(sum, report->data().runs[static_cast<std::size_t>(split.run)].cycles);
        }
    }

    void programsThatDoNotFitAreReportedWithSizeAndLargestVariables()
    {
        auto const report = tests::compiledReport("gc200:tiles=4", {{"data.path", "mnist"}, {"model.layers.dense.units", "4000"}});
        auto const facts = summaryFacts(report->data(), true);
        QVERIFY(facts.hasVerdict);
        QVERIFY(!facts.fits);
        QVERIFY(!facts.overflow.isEmpty());
        auto const &worst = facts.overflow.first();
        QCOMPARE(*worst.value, sql(*report, "SELECT max(bytes - capacity) FROM verdict WHERE scope = 'ipu'"));
        QCOMPARE(worst.target.selected.kind, SelectionKind::Tile);
        QVERIFY(facts.overflow.size() > 1);
        QCOMPARE(facts.overflow[1].target.selected.kind, SelectionKind::Variable);
        QVERIFY(summaryHeadline(facts).startsWith(QLatin1String("Does not fit")));
    }

    /// The same compile takes more of the host when it is the process' first: that is no worse program.
    void memoryOfTheHostIsNotJudged()
    {
        for (char const *name : {"host_compile_bytes", "peak_host_bytes"}) {
            report::ReportData data;
            data.figures.push_back({name, 1e6, "bytes", "measured"});
            auto const facts = summaryFacts(data, true);
            auto const it = std::ranges::find_if(facts.counts, [&](auto const &f) { return f.id == QLatin1String(name); });
            QVERIFY2(it != facts.counts.end(), name);
            QCOMPARE(it->better, Better::Neither);
        }
    }
    /// Text and tooltip of a figure come from its quantity: the origin is never without its source.
    void figuresNameTheirOriginAndSource()
    {
        auto const report = tests::compiledReport();
        auto const facts = summaryFacts(report->data(), true);
        int derived = 0;
        for (auto const *list : {&facts.head, &facts.counts, &facts.provenance})
            for (auto const &figure : *list) {
                QCOMPARE(figure.origin == Origin::Fact, figure.source.isEmpty());
                if (figure.origin == Origin::Fact) continue;
                ++derived;
                QVERIFY2(quantityTip(figure, figure.tip).endsWith(QStringLiteral("%1: %2").arg(originText(figure.origin), figure.source)),
                         qPrintable(figure.id));
            }
        QVERIFY(derived > 5);
        Quantity const bytes{QuantityKind::Bytes, 20275.0, {}, Origin::Modelled, QStringLiteral("the placement")};
        QCOMPARE(quantityText(bytes), QStringLiteral("19.8 KiB"));
        QCOMPARE(withOrigin(quantityText(bytes), bytes.origin), QStringLiteral("19.8 KiB (modelled)"));
        QCOMPARE(quantityExact(bytes), QStringLiteral("20275"));
        QVERIFY(quantityTip(bytes).startsWith(bytesExact(20275)));
        QCOMPARE(quantityTip({QuantityKind::Words, std::nullopt, QStringLiteral("937ac9fd"), Origin::Fact, {}}),
                 QStringLiteral("937ac9fd")); // a hash may be cut where it is shown
        QCOMPARE(quantityTip({QuantityKind::Count, 3.0, {}, Origin::Fact, {}}), QString());
        QCOMPARE(quantityText({QuantityKind::Seconds, std::nullopt, {}, Origin::Measured, {}}), QStringLiteral("…"));
    }
    /// Times and hashes are short on the page, and exact in tooltips, exports and comparisons.
    void provenanceIsForPeople()
    {
        report::ReportData data;
        data.meta = {{"time_created_utc", "2026-11-28T16:30:50Z"}, {"model_hash", "39a7852e810286feea8df2e901e9198a"}};
        auto const facts = summaryFacts(data, true);
        auto const *made = findFigure(facts, QStringLiteral("time_created_utc")), *model = findFigure(facts, QStringLiteral("model_hash"));
        QVERIFY(made && model);
        QVERIFY2(!quantityText(*made).contains(QLatin1Char('T')) && !quantityText(*made).contains(QLatin1Char('Z'))
                     && quantityText(*made).contains(QStringLiteral("2026")),
                 qPrintable(quantityText(*made)));
        QCOMPARE(exactText(*made), QStringLiteral("2026-11-28T16:30:50Z"));
        QCOMPARE(quantityText(*model), QStringLiteral("39a7852e"));
        QCOMPARE(quantityTip(*model, model->tip), QStringLiteral("39a7852e810286feea8df2e901e9198a"));
        data.meta["model_hash"] = "39a7852e0000000000000000000000ff";
        QVERIFY(!changeOf(*model, *findFigure(summaryFacts(data, true), QStringLiteral("model_hash"))).same);
    }
    void changesShowTheBetterDirection()
    {
        Figure now, before;
        now.kind = before.kind = QuantityKind::Seconds;
        before.value = 2.0;
        now.value = 1.0;
        now.better = Better::Lower;
        QCOMPARE(changeOf(now, before).direction, 1);
        QVERIFY(changeOf(now, before).text.contains(QLatin1String("50")));
        now.better = Better::Higher;
        QCOMPARE(changeOf(now, before).direction, -1);
        now.value = 2.0;
        QCOMPARE(changeOf(now, before).direction, 0);
        now.value.reset();
        QCOMPARE(changeOf(now, before).direction, 0);
        // A step of twice the samples takes longer and is no worse.
        now.value = 3.0;
        now.samples = 64;
        before.samples = 32;
        QCOMPARE(changeOf(now, before).direction, 0);
        now.kind = before.kind = QuantityKind::Share;
        now.samples = before.samples;
        before.value = 0.3388;
        now.value = 0.3384995;
        QCOMPARE(changeOf(now, before).text, QStringLiteral("−0.03 points (worse)"));
    }

    void markdownHoldsEveryFigureAndTheBaseline()
    {
        auto const report = tests::compiledReport(), other = tests::compiledReport("gc200:tiles=16");
        auto const facts = summaryFacts(report->data(), true), old = summaryFacts(other->data(), true);
        auto const markdown = summaryMarkdown(report->title(), facts, &old, report->data());
        for (auto const *list : {&facts.head, &facts.machine, &facts.counts})
            for (auto const &figure : *list) QVERIFY2(markdown.contains(figure.label), qPrintable(figure.label));
        QVERIFY(markdown.startsWith(QLatin1String("# ")));
        QVERIFY(markdown.contains(QLatin1String("| 16 |")));
    }

    void emptyReportsAreNotErrors()
    {
        auto const facts = summaryFacts({}, true);
        QVERIFY(!facts.hasVerdict);
        QVERIFY(facts.splits.isEmpty());
        QVERIFY(!summaryHeadline(facts).isEmpty());
    }
};

TW_REGISTER_TEST(TstSummaryFacts);
#include "tst_summary_facts.moc"

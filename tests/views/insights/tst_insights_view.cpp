#include "engine/store/report_reader.h"
#include "engine/store/report_writer.h"
#include "tests/support/test_registry.h"
#include "tests/views/memory/compiled_report.h"
#include "views/common/table_model.h"
#include "views/common/theme.h"
#include "views/document/document.h"
#include "views/insights/evidence_pane.h"
#include "views/insights/insight_card.h"
#include "views/insights/insights_view.h"
#include "views/session/selection.h"
#include "views/session/view.h"
#include "views/subjects/links.h"
#include "views/wording/insight_text.h"

#include <QAbstractItemModelTester>
#include <QCheckBox>
#include <QLabel>
#include <QLineEdit>
#include <QTemporaryDir>
#include <QToolButton>
#include <QtTest>

#include <memory>

using namespace tilewright;
using namespace tilewright::views;

namespace {

/// Bound by the handshakes of its streams: a larger batch helps, and other insights have nothing to offer.
constexpr char kTarget[] = "gc200:tiles=256";
tests::Fields handshakes() { return tests::smallModel({{"training.batch_size", "2"}}); }

struct Bench {
    Session session;
    std::unique_ptr<View> view;
    explicit Bench(std::shared_ptr<ReportSnapshot const> const &report = tests::compiledReport(kTarget, handshakes()))
    {
        session.document().openProject(tests::mnist(kTarget, handshakes()), {}, false);
        view.reset(insightsView().create(session, nullptr));
        view->resize(900, 800);
        view->show();
        session.showReport(report);
        view->refreshNow();
        QCoreApplication::processEvents(); // layouts show their new children
    }
    QList<InsightCard *> cards() const
    {
        QList<InsightCard *> shown;
        for (auto *card : view->findChildren<InsightCard *>())
            if (card->isVisible()) shown << card;
        return shown;
    }
    InsightCard *withAction() const
    {
        for (auto *card : cards())
            if (!session_insight(card).action.empty()) return card;
        return nullptr;
    }
    report::InsightRow const &session_insight(InsightCard const *card) const
    {
        return session.report()->data().insights[static_cast<std::size_t>(card->item().row)];
    }
};

/// The text of a label without the marks that say where a line may break.
QString plain(QString text) { return text.remove(QChar(0x200B)).remove(QChar(0x2060)).replace(QChar(QChar::Nbsp), QLatin1Char(' ')); }
QString plain(QLabel const &label) { return plain(label.text()); }

} // namespace

class TstInsightsView : public QObject {
    Q_OBJECT
private slots:
    void everyInsightHasACardWithItsText()
    {
        Bench bench;
        auto const cards = bench.cards();
        QCOMPARE(cards.size(), static_cast<qsizetype>(bench.session.report()->data().insights.size()));
        QVERIFY(!cards.isEmpty());
        for (auto *card : cards) {
            QVERIFY(!card->titleText().isEmpty());
            QVERIFY(!card->messageText().isEmpty());
            QVERIFY(!card->accessibleName().isEmpty());
        }
        QVERIFY(bench.view->headline().contains(QLatin1String("insight")));
    }

    /// From top to bottom: headline, one sentence, the figures with a line each, the change, the buttons; with air between them.
    void aCardHasOneThingALine()
    {
        Bench bench;
        bench.view->resize(700, 900);
        int withDetails = 0;
        for (auto *card : bench.cards()) {
            auto const words = insightText(bench.session_insight(card));
            withDetails += !words.details.isEmpty();
            card->setAction(QStringLiteral("Change a: 1 → 2"), true);
            // The layout only: other events may bring the change that the view itself has tried meanwhile.
            QCoreApplication::sendPostedEvents(nullptr, QEvent::LayoutRequest);
            auto const place = [card](QWidget const *widget) { return QRect(widget->mapTo(card, QPoint()), widget->size()); };
            auto const labelOf = [card](QString const &text) -> QLabel * {
                for (auto *label : card->findChildren<QLabel *>())
                    if (label->isVisible() && plain(*label) == plain(text)) return label;
                return nullptr;
            };
            auto const *title = labelOf(words.title), *sentence = labelOf(words.sentence);
            auto const *change = labelOf(QStringLiteral("Change a: 1 → 2"));
            auto const *subject = card->findChild<LinkLabel *>();
            QVERIFY2(title && sentence && change && subject,
                     qPrintable(QStringLiteral("%1 %2 %3 %4 ").arg(!!title).arg(!!sentence).arg(!!change).arg(!!subject) + words.title));
            QVERIFY(place(sentence).top() >= place(title).bottom() + kGap);
            QVERIFY(place(subject).top() >= place(sentence).bottom() + kGap);
            int below = place(subject).bottom();
            for (auto const &detail : words.details) {
                auto const *line = labelOf(detail);
                QVERIFY2(line, qPrintable(detail)); // by itself
                QVERIFY(place(line).top() > below);
                below = place(line).bottom();
            }
            QVERIFY(place(change).top() >= below + kGap);
            for (auto const *button : card->findChildren<QToolButton *>())
                if (button->isVisible()) QVERIFY(place(button).top() >= place(change).bottom() + kGap);
        }
        QVERIFY(withDetails > 0);
    }

    void aTriedChangeReplacesTheBoundOfItsRule()
    {
        Bench bench;
        auto *card = bench.withAction();
        QVERIFY(card);
        auto const words = [&] {
            QString all;
            for (auto const *label : card->findChildren<QLabel *>())
                if (label->isVisible()) all += plain(*label) + QLatin1Char('\n');
            return all;
        };
        QVERIFY(words().contains(QLatin1String("up to")));
        QTRY_VERIFY_WITH_TIMEOUT(bench.view->isSettled(), 60000);
        QVERIFY2(words().contains(QLatin1String("Tried by a compile")), qPrintable(words()));
        QVERIFY2(!words().contains(QLatin1String("up to")), qPrintable(words()));
        // What gains nothing is named as such, not offered.
        auto const also = words().section(QLatin1String("Also tried:"), 1).section(QLatin1String("Tried without a gain"), 0, 0);
        QVERIFY2(!also.contains(QLatin1String(" 0 % more")) && !also.contains(QLatin1String("less")), qPrintable(words()));
        for (auto const *label : bench.view->findChildren<QLabel *>())
            if (label->isVisible() && label->text().contains(QLatin1String("largest gain")))
                QVERIFY2(plain(*label).contains(QLatin1String("more samples/s")), qPrintable(label->text()));
    }

    void whatCannotBeAppliedSaysWhy()
    {
        // Streams take a third of a step there. Without their change it is a report of a run that offers none.
        auto data = *store::ReportReader::open(tests::compiledReport("gc200", {})->path().toStdString()).value()->readAll();
        for (auto &row : data.insights)
            if (row.rule == "host.stream-bound") row.action.clear();
        QTemporaryDir folder;
        QString const path = folder.filePath(QStringLiteral("bare.twreport"));
        QVERIFY(store::writeReport(path.toStdString(), data).ok());
        Bench bench(ReportSnapshot::open(path, {}).value());
        QTRY_VERIFY_WITH_TIMEOUT(bench.view->isSettled(), 60000);
        int without = 0;
        for (auto *card : bench.cards()) {
            auto const &row = bench.session_insight(card);
            if (!row.action.empty() || row.severity == "note" || row.rule == "memory.does-not-fit") continue;
            ++without;
            bool told = false;
            for (auto const *label : card->findChildren<QLabel *>())
                told = told || (label->isVisible() && label->text().startsWith(QStringLiteral("No setting of the project changes this")));
            QVERIFY2(told, row.rule.c_str());
        }
        QVERIFY(without > 0);
    }

    /// In the dock of a window of 1280 pixels.
    void aCardIsNarrowerThanTheNamesOfOptions()
    {
        Bench bench;
        auto *card = bench.cards().front();
        card->setAction(QStringLiteral("Change ipu_config.optimizations.enable_graph_outlining_of_everything: false → true"), true);
        QCoreApplication::processEvents();
        QVERIFY2(card->minimumSizeHint().width() <= 270, qPrintable(QString::number(card->minimumSizeHint().width())));
        QVERIFY(!card->titleText().contains(QChar(0x200B)));
    }
    /// Each change that makes it fit has a button of its own.
    void everyRemedyHasItsButton()
    {
        Bench bench;
        auto *card = bench.cards().front();
        QSignalSpy const asked(card, &InsightCard::remedyAsked);
        card->setRemedies({QStringLiteral("32 tiles: fits, 95 %"), QStringLiteral("batch size 125: fits, 94 %")});
        QToolButton *second = nullptr;
        for (auto *button : card->findChildren<QToolButton *>())
            if (button->text() == QStringLiteral("batch size 125: fits, 94 %")) second = button;
        QVERIFY(second && second->isVisible());
        QTest::mouseClick(second, Qt::LeftButton);
        QCOMPARE(asked.count(), 1);
        QCOMPARE(asked[0][0].toInt(), 1);
        card->setRemedies({});
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
        for (auto *button : card->findChildren<QToolButton *>()) QVERIFY(!button->text().contains(QStringLiteral("fits")));
    }

    void arrowsWalkAndEnterShowsTheEvidence()
    {
        Bench bench;
        auto const cards = bench.cards();
        QVERIFY(cards.size() >= 2);
        cards[0]->setFocus();
        QTest::keyClick(cards[0], Qt::Key_Down);
        QCOMPARE(bench.session.selection().current().kind, SelectionKind::Insight);
        QCOMPARE(bench.session.selection().current().ids, std::vector<int>{cards[1]->item().row});
        QVERIFY(cards[1]->hasFocus());
        auto *evidence = bench.view->findChild<EvidencePane *>();
        QVERIFY(!evidence->isVisible());
        QTest::keyClick(cards[1], Qt::Key_Return);
        QVERIFY(evidence->isVisible());
        QTRY_VERIFY(evidence->isSettled());
        QAbstractItemModelTester const tester(&evidence->table().model());
        auto const direct = bench.session.report()->query(QString::fromStdString(bench.session_insight(cards[1]).evidence));
        QVERIFY(direct.ok());
        QVERIFY(!direct->rows.isEmpty());
        QCOMPARE(evidence->table().model().rowsInAll(), static_cast<int>(direct->rows.size()));
    }

    void everyEvidenceQueryRuns()
    {
        for (char const *target : {"gc200:tiles=8", "pod4:tiles=8,ipus=4"}) {
            auto const report = tests::compiledReport(target);
            for (auto const &row : report->data().insights)
                QVERIFY2(report->query(QString::fromStdString(row.evidence)).ok(), row.evidence.c_str());
        }
    }

    void applyIsOneStepThatUndoTakesBackToTheSameBytes()
    {
        Bench bench;
        auto &document = bench.session.document();
        auto const before = project::projectParts(document.project());
        auto *card = bench.withAction();
        QVERIFY(card);
        QTest::keyClick(card, Qt::Key_A); // not tried yet: nothing is offered
        QCOMPARE(document.undoStack().count(), 0);
        QTRY_VERIFY_WITH_TIMEOUT(bench.view->isSettled(), 60000);
        card->setFocus();
        QTest::keyClick(card, Qt::Key_A);
        QVERIFY(project::projectParts(document.project()) != before);
        QCOMPARE(document.undoStack().count(), 1);
        document.undoStack().undo();
        QCOMPARE(project::projectParts(document.project()), before);
    }

    /// A report of an earlier version still proposes it; a trial shows that nothing is gained.
    void aChangeThatBringsNothingIsNotOffered()
    {
        auto const whole = tests::compiledReport(kTarget, handshakes());
        auto const reader = store::ReportReader::open(whole->path().toStdString());
        QVERIFY(reader.ok());
        auto data = (*reader)->readAll();
        QVERIFY(data.ok());
        report::InsightRow row;
        row.rule = "host.short-executions";
        row.severity = "advice";
        row.subjectKind = "option";
        row.numbers = R"({"steps_per_execution": 1, "seconds_per_step": 0.0001, "steps": 200})";
        row.evidence = "SELECT name FROM option";
        row.action = R"({"set": [{"path": "training.steps_per_execution", "value": 5}]})";
        data->insights = {row};
        QTemporaryDir folder;
        QString const path = folder.filePath(QStringLiteral("old.twreport"));
        QVERIFY(store::writeReport(path.toStdString(), *data).ok());
        auto const old = ReportSnapshot::open(path, {});
        QVERIFY(old.ok());
        Bench bench(*old);
        auto *card = bench.withAction();
        QVERIFY(card);
        QTRY_VERIFY_WITH_TIMEOUT(bench.view->isSettled(), 60000);
        bool said = false;
        for (auto *label : card->findChildren<QLabel *>()) said = said || label->text().contains(QLatin1String("without a gain"));
        QVERIFY(said);
        card->setFocus();
        QTest::keyClick(card, Qt::Key_A);
        QCOMPARE(bench.session.document().undoStack().count(), 0);
    }

    void theNextReportShowsPredictedAgainstAchieved()
    {
        Bench bench;
        auto *card = bench.withAction();
        QVERIFY(card);
        QTRY_VERIFY_WITH_TIMEOUT(bench.view->isSettled(), 60000);
        QTest::keyClick(card, Qt::Key_A);
        bench.session.showReport(tests::compiledReport("gc200:tiles=16"));
        bench.view->refreshNow();
        bool said = false;
        for (auto *label : bench.view->findChildren<QLabel *>())
            said = said || (label->isVisible() && label->text().contains(QLatin1String("achieved:")));
        QVERIFY(said);
    }

    void suppressNeedsAReasonAndIsKeptInTheProject()
    {
        Bench bench;
        auto const cards = bench.cards();
        auto *card = cards[0];
        QString const key = card->item().key;
        card->setFocus();
        QTest::keyClick(card, Qt::Key_S);
        auto *reason = card->findChild<QLineEdit *>();
        QVERIFY(reason->isVisible());
        QTest::keyClick(reason, Qt::Key_Return);
        QCOMPARE(bench.cards().size(), cards.size()); // no reason, no suppression
        QTest::keyClicks(reason, QStringLiteral("as wanted"));
        QTest::keyClick(reason, Qt::Key_Return);
        QTRY_COMPARE(bench.cards().size(), cards.size() - 1);
        QCOMPARE(suppressedInsights(bench.session.document().project().notes).value(key), QStringLiteral("as wanted"));
        // It survives storing the project.
        auto const again = project::projectFromParts(project::projectParts(bench.session.document().project()), nullptr);
        QVERIFY(again.ok());
        QCOMPARE(suppressedInsights(again->notes).value(key), QStringLiteral("as wanted"));
        QVERIFY(!bench.session.document().undoStack().canUndo());
        // What the canvas keeps of its drawing is another matter: it is written anew whenever a layer is pinned.
        bench.session.document().setLayout(R"({"pins":{"dense":[1,2]}})");
        QCOMPARE(suppressedInsights(bench.session.document().project().notes).value(key), QStringLiteral("as wanted"));
        // Shown again on demand, and open again by S.
        bench.view->findChild<QCheckBox *>()->setChecked(true);
        QTRY_COMPARE(bench.cards().size(), cards.size());
        QTest::keyClick(bench.cards().last(), Qt::Key_S);
        QTRY_VERIFY(suppressedInsights(bench.session.document().project().notes).isEmpty());
    }

    void aCardIsOutlinedWhenItIsSelectedAndNotBefore()
    {
        Bench bench;
        auto const cards = bench.cards();
        QVERIFY(cards.size() >= 2);
        auto const outlined = [](InsightCard *card) {
            QImage const image = card->grab().toImage();
            return image.pixelColor(1, image.height() / 2) == theme()[Token::Accent];
        };
        for (auto *card : cards) QVERIFY(!outlined(card));
        QTest::mouseClick(cards[1], Qt::LeftButton, {}, QPoint(2, 2));
        QVERIFY(outlined(cards[1]));
        QVERIFY(!outlined(cards[0]));
    }

    void theHeadlineHasTheWidthOfTheDock()
    {
        Bench bench;
        auto notes = bench.session.document().project().notes;
        notes.setSuppressed(bench.cards()[0]->item().key.toStdString(), "as wanted");
        bench.session.document().setNotes(std::move(notes));
        bench.view->resize(290, 700);
        bench.view->refreshNow();
        QCoreApplication::processEvents();
        auto *box = bench.view->findChild<QCheckBox *>();
        QVERIFY(box->isVisible());
        QLabel *headline = nullptr;
        for (auto *label : bench.view->findChildren<QLabel *>())
            if (label->accessibleName() == QLatin1String("Headline")) headline = label;
        QVERIFY(headline);
        QVERIFY2(headline->width() > 250, qPrintable(QString::number(headline->width())));
        QVERIFY(box->mapTo(bench.view.get(), QPoint()).y() >= headline->mapTo(bench.view.get(), QPoint(0, headline->height())).y());
    }

    void theSelectionOfOthersMarksWhatItTouches()
    {
        Bench bench;
        auto const &insights = bench.session.report()->data().insights;
        int variable = -1;
        for (auto const &row : insights)
            if (row.subjectKind == "variable") variable = row.subjectId;
        QVERIFY(variable >= 0);
        bench.session.selection().selectIds(SelectionKind::Variable, {variable});
        bool said = false;
        QTRY_VERIFY([&] {
            for (auto *label : bench.view->findChildren<QLabel *>())
                said = said || (label->isVisible() && label->text().contains(QLatin1String(" insights concern ")));
            return said;
        }());
    }
};

TW_REGISTER_TEST(TstInsightsView);
#include "tst_insights_view.moc"

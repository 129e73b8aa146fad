#include "tests/support/test_registry.h"

#include "engine/project/project.h"
#include "engine/runtime/session.h"
#include "tests/views/execution/small_report.h"
#include "views/plots/curve_math.h"
#include "views/reports/report_snapshot.h"
#include "views/runcontrol/predictions.h"
#include "views/runcontrol/run_worker.h"
#include "views/session/session.h"
#include "views/training/confusion_matrix.h"
#include "views/training/machine_panels.h"
#include "views/training/panel_grid.h"
#include "views/document/document.h"
#include "views/training/run_controls.h"
#include "views/training/sample_grid.h"
#include "views/training/training_curves.h"
#include "views/wording/bubble_words.h"

#include <QLabel>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QToolButton>
#include <QtTest>

#include <algorithm>
#include <cmath>

using namespace tilewright;
using namespace tilewright::views;

class TstTrainingParts : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { QLocale::setDefault(QLocale(QStringLiteral("en_US"))); }

    void aClickOnTheMatrixPicksTheCellUnderIt()
    {
        ConfusionMatrix matrix;
        matrix.resize(400, 400);
        matrix.setCounts({{50, 2, 0}, {1, 40, 9}, {0, 0, 60}});
        QSignalSpy picked(&matrix, &ConfusionMatrix::cellPicked);
        for (int label = 0; label < 3; ++label)
            for (int predicted = 0; predicted < 3; ++predicted)
                QCOMPARE(matrix.cellAt(matrix.cellRect({label, predicted}).center()), std::optional(std::pair(label, predicted)));
        QTest::mouseClick(&matrix, Qt::LeftButton, {}, matrix.cellRect({1, 2}).center().toPoint());
        QCOMPARE(matrix.picked(), std::optional(std::pair(1, 2)));
        QTest::keyClick(&matrix, Qt::Key_Down);
        QCOMPARE(matrix.picked(), std::optional(std::pair(2, 2)));
        QTest::keyClick(&matrix, Qt::Key_Escape);
        QVERIFY(!matrix.picked());
        QCOMPARE(picked.count(), 3);
        QCOMPARE(matrix.tipOf({1, 2}), QStringLiteral("9 of the 50 samples of class 1 taken for class 2 (18 %)"));
        QVERIFY(!matrix.cellAt(QPointF(399, 1)));
    }
    void samplesOfACellAreShownAlone()
    {
        auto info = std::make_shared<PredictionInfo>();
        info->sampleShape = {4, 4};
        for (int i = 0; i < 10; ++i) {
            SamplePrediction sample;
            sample.record = i;
            sample.label = i % 3;
            sample.predicted = i < 2 ? 2 : i % 3;
            sample.values.assign(16, static_cast<float>(i));
            info->samples.push_back(sample);
        }
        PredictionGrid grid;
        grid.resize(300, 300);
        grid.setSamples(info);
        QCOMPARE(grid.shownSamples(), 10);
        grid.setCell(std::pair(1, 2));
        QCOMPARE(grid.shownSamples(), 1);
        QVERIFY(grid.tipOf(0).startsWith(QStringLiteral("Sample 1: predicted class 2")));
        grid.setCell(std::nullopt);
        QCOMPARE(grid.shownSamples(), 10);
        QVERIFY(grid.heightForWidth(100) > grid.heightForWidth(800));
    }
    void sequencesAreJudgedPositionByPosition()
    {
        auto project = *project::fromTemplate("transformer-sort");
        project.target = "cpu";
        project.data.limit = 640;
        runtime::RunRequest request;
        request.threads = 1;
        request.steps = 4;
        auto const trained = runtime::train(project, request, {}, {});
        QVERIFY2(trained.ok(), trained.ok() ? "" : toText(trained.error()).c_str());
        auto const info = predictTestData(project, trained->state, {}, {});
        QVERIFY2(info.ok(), info.ok() ? "" : toText(info.error()).c_str());
        QCOMPARE(info->positions, std::int64_t{16});
        QCOMPARE(info->confusion.size(), std::size_t(16)); // symbols, not symbols times positions
        std::int64_t all = 0, right = 0;
        for (std::size_t i = 0; i < 16; ++i)
            for (std::size_t k = 0; k < 16; ++k) {
                all += info->confusion[i][k];
                if (i == k) right += info->confusion[i][k];
            }
        QCOMPARE(all, info->count * 16);
        QCOMPARE(right, info->rightPositions);
        // Equal to the evaluation.
        auto const judged = runtime::evaluate(project, request, &trained->state, {});
        QVERIFY(judged.ok());
        for (auto const &[name, value] : judged->metrics)
            if (name == "accuracy" && judged->samples == info->count)
                QCOMPARE_LE(std::abs(value - static_cast<double>(right) / static_cast<double>(all)), 1e-4);
        PredictionGrid grid;
        grid.resize(600, 300);
        grid.setSamples(std::make_shared<PredictionInfo const>(*info));
        QVERIFY2(grid.tipOf(0).contains(QStringLiteral(" of 16 positions right")), qPrintable(grid.tipOf(0)));
    }
    void shapesDetermineThePictureOfASample()
    {
        QVERIFY(sampleForm({28, 28}) == SampleForm::Gray);
        QVERIFY(sampleForm({28, 28, 1}) == SampleForm::Gray);
        QVERIFY(sampleForm({32, 32, 3}) == SampleForm::Color);
        QVERIFY(sampleForm({64}) == SampleForm::Curve);
        QVERIFY(sampleForm({64, 1}) == SampleForm::Curve);
        auto const image = sampleImage({0, 1, 0.5F, 0.25F}, {2, 2});
        QCOMPARE(image.size(), QSize(2, 2));
        QCOMPARE(qRed(image.pixel(1, 0)), 255);
        QCOMPARE(qRed(image.pixel(0, 0)), 0);
        QVERIFY(sampleImage({0, 1}, {28, 28}).isNull()); // fewer values than pixels
    }
    void utilisationNamesTheCauseOfWaiting()
    {
        Session session;
        QWidget parent;
        MachinePanels panels(session, &parent);
        auto const data = tests::smallReport();
        panels.setReport(ReportSnapshot::ofData(data, QStringLiteral("small")));
        QTRY_VERIFY(panels.isSettled());
        auto const shares = report::bubbleShares(data.stageTasks, data.bubbles); // also shown by Pipeline and Summary
        auto const labels = panels.panel()->findChildren<QLabel *>();
        QVERIFY(std::ranges::any_of(labels, [&](QLabel const *label) { return label->text().contains(bubbleText(shares)); }));
    }
    /// A run brings a new report, which is read for a while: lines and bars stay where they are.
    void aNewReportMovesNothingWhileItIsRead()
    {
        Session session;
        QWidget parent;
        MachinePanels panels(session, &parent);
        parent.resize(300, 500);
        panels.panel()->resize(300, 500);
        parent.show();
        auto const data = tests::smallReport();
        panels.setReport(ReportSnapshot::ofData(data, QStringLiteral("small")));
        QTRY_VERIFY(panels.isSettled() && !panels.load().ipus.empty());
        auto const *scroll = panels.panel()->findChild<QScrollArea *>();
        auto const settled = [&] { return QRect(scroll->pos(), QSize(scroll->minimumHeight(), scroll->maximumHeight())); };
        QRect before = settled();
        QTRY_VERIFY(std::exchange(before, (QTest::qWait(20), settled())) == settled() && scroll->y() > 0);
        panels.setReport(ReportSnapshot::ofData(data, QStringLiteral("again")));
        QVERIFY(!panels.isSettled());
        QCOMPARE(settled(), before);
        QCoreApplication::sendPostedEvents(panels.panel(), QEvent::LayoutRequest);
        QCOMPARE(settled(), before);
        QTRY_VERIFY(panels.isSettled());
        QCOMPARE(settled(), before);
        panels.setReport({});
        QVERIFY(panels.load().ipus.empty());
    }
    /// Of older steps a live run keeps extremes: its smooth curve is that of all the values all the same.
    void theSmoothCurveOfALongRunIsThatOfAllItsValues()
    {
        constexpr int kSteps = 60000, kBlock = 64;
        constexpr double kWeight = 0.9;
        LiveSeries series{.name = QStringLiteral("loss")};
        std::vector<double> x, y;
        for (int i = 1; i <= kSteps; ++i) {
            x.push_back(i);
            y.push_back(0.02 + 0.9 * std::exp(-i / 3000.0) + (i % 18 == 7 ? 0.9 : 0)); // a batch now and then is far off
            appendPoint(series, x.back(), y.back());
        }
        QVERIFY(static_cast<int>(series.x.size()) < kLivePoints);
        auto const curves = trainingCurves({series}, 0, CurveGroup::Loss);
        QCOMPARE(curves.size(), std::size_t(1));
        CurvePanel panel(QStringLiteral("Loss"));
        panel.setSmoothing(kWeight);
        panel.setCurves(curves);
        auto const exact = smoothed(x, y, kWeight);
        for (std::size_t i = 0; i < series.x.size(); i += 50) {
            auto const step = static_cast<std::ptrdiff_t>(series.x[i]) - 1;
            auto const from = exact.begin() + std::max<std::ptrdiff_t>(0, step - kBlock),
                       to = exact.begin() + std::min<std::ptrdiff_t>(kSteps, step + kBlock);
            auto const [least, greatest] = std::minmax_element(from, to);
            QString const text = panel.readout(series.x[i]);
            auto const found = QRegularExpression(QStringLiteral("smoothed ([0-9.]+)")).match(text);
            QVERIFY2(found.hasMatch(), qPrintable(text));
            double const soft = found.captured(1).toDouble();
            QVERIFY2(soft >= *least - 0.001 && soft <= *greatest + 0.001,
                     qPrintable(QStringLiteral("%1, but %2 … %3").arg(text).arg(*least).arg(*greatest)));
        }
    }
    void controlsFitTheState()
    {
        LiveRun live;
        auto const offered = [&](RunState state, RunMode mode, bool open = true) {
            live.state = state;
            live.mode = mode;
            QStringList ids;
            for (auto const &info : runCommands())
                if (canDo(info.command, live, open)) ids << QLatin1String(info.id);
            return ids.join(QLatin1Char(' '));
        };
        QCOMPARE(offered(RunState::Idle, RunMode::Fused), QStringLiteral("compile train tile evaluate predict verify tune"));
        QCOMPARE(offered(RunState::Idle, RunMode::Fused, false), QString());
        for (auto const state : {RunState::Idle, RunState::Running, RunState::Paused}) {
            live.state = state;
            QCOMPARE(canDo(RunCommand::Continue, live, true, true), state == RunState::Idle);
        }
        QCOMPARE(offered(RunState::Compiling, RunMode::Fused), QStringLiteral("stop"));
        QCOMPARE(offered(RunState::Running, RunMode::Fused), QStringLiteral("pause stop detach"));
        QCOMPARE(offered(RunState::Paused, RunMode::Fused), QStringLiteral("resume step stop detach"));
        QCOMPARE(offered(RunState::Paused, RunMode::Tile), QStringLiteral("resume step superstep step_back superstep_back stop detach"));
        QCOMPARE(offered(RunState::Stopping, RunMode::Tile), QString());
    }
    void panelsFormAsManyColumnsAsFit()
    {
        QCOMPARE(PanelGrid::columnsFor(300), 1);
        QCOMPARE(PanelGrid::columnsFor(700), 2);
        QCOMPARE(PanelGrid::columnsFor(5000), 3);
        // For any set of panels, no cell of the grid is empty or used twice.
        for (int columns = 1; columns <= 3; ++columns)
            for (auto const &spans :
                 {QList<int>{1, 1, 1, 2, 1, 1}, QList<int>{1, 1, 1, 1}, QList<int>{1, 1, 2, 1, 1}, QList<int>{1}, QList<int>{2, 2, 1}}) {
                QList<int> limited;
                for (int const span : spans) limited << std::min(span, columns);
                QSet<std::pair<int, int>> taken;
                int rows = 0;
                for (auto const &place : PanelGrid::placesFor(limited, columns)) {
                    rows = std::max(rows, place.row + 1);
                    for (int i = 0; i < place.span; ++i) {
                        QVERIFY(place.column + i < columns);
                        QVERIFY(!taken.contains({place.row, place.column + i}));
                        taken.insert({place.row, place.column + i});
                    }
                }
                QCOMPARE(static_cast<int>(taken.size()), rows * columns);
            }
        // Loss and metrics are side by side wherever there are two columns, and loss takes a spare cell.
        for (int const columns : {2, 3})
            for (auto const &spans : {QList<int>{1, 1, 1, 2, 1, 1}, QList<int>{1, 1, 1, 1, 1}, QList<int>{1, 1, 1}}) {
                auto const places = PanelGrid::placesFor(spans, columns);
                QCOMPARE(places[0].row, 0);
                QCOMPARE(places[1].row, 0);
            }
        QCOMPARE(PanelGrid::placesFor({1, 1, 1, 2, 1, 1}, 3)[0].span, 2);
        PanelGrid grid;
        QLabel a, b, c;
        for (auto *label : {&a, &b, &c}) grid.addPanel(label, 50);
        grid.resize(700, 400);
        grid.show();
        // Two columns and three panels: the last one takes the spare cell.
        QTRY_COMPARE(a.mapTo(&grid, QPoint()).y(), b.mapTo(&grid, QPoint()).y());
        QVERIFY(c.mapTo(&grid, QPoint()).y() > b.mapTo(&grid, QPoint()).y());
        QVERIFY(c.width() > b.width());
        grid.setPanelShown(&a, false);
        QTRY_COMPARE(b.mapTo(&grid, QPoint()).y(), c.mapTo(&grid, QPoint()).y()); // no gap is left
        QVERIFY(!a.isVisible());
    }
    /// A click on Pause just after the end of a run hits Pause, not a command that starts another training.
    void pauseAndStopKeepTheirPlaceWithoutARun()
    {
        Session session;
        RunControls controls(session);
        QVERIFY(controls.isHidden());
        QVERIFY(session.document().openTemplate(QStringLiteral("mnist-mlp")).ok());
        controls.refresh();
        auto const button = [&](RunCommand command) { return controls.findChild<QToolButton *>(QLatin1String(infoOf(command).icon)); };
        for (auto const command : {RunCommand::Pause, RunCommand::Stop}) {
            QVERIFY(button(command) && !button(command)->isHidden());
            QVERIFY(!button(command)->isEnabled());
        }
        QVERIFY(button(RunCommand::Run)->isEnabled() && button(RunCommand::Continue)->isHidden());
    }
};

TW_REGISTER_TEST(TstTrainingParts);
#include "tst_training_parts.moc"

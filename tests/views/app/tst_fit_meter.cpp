#include "app/gui/fit_meter.h"
#include "resources/resources.h"
#include "tests/support/test_registry.h"
#include "views/advice/fit_watch.h"
#include "views/canvas/canvas_view.h"
#include "views/canvas/canvas_widget.h"
#include "views/common/theme.h"
#include "views/document/document.h"
#include "views/inspector/inspector_view.h"
#include "views/session/selection.h"
#include "views/session/session.h"

#include <QApplication>
#include <QImage>
#include <QLabel>
#include <QSignalSpy>
#include <QUndoStack>
#include <QtTest>

using namespace tilewright;
using namespace tilewright::app;

class TstFitMeter : public QObject {
    Q_OBJECT
    static void open(views::Session &session, QString const &target)
    {
        auto project = project::fromTemplate("mnist-mlp").value();
        project.data.limit = 4096;
        session.document().openProject(project::withField(project, "system.target", target.toStdString(), nullptr).value(), {}, false);
    }
private slots:
    void initTestCase()
    {
        initResources();
        views::applyTheme(*qApp, views::ThemeKind::Light);
    }
    void everyIpuHasABarOfItsOwn_data()
    {
        QTest::addColumn<QString>("target");
        QTest::addColumn<int>("count");
        QTest::newRow("one") << QStringLiteral("gc200:tiles=8") << 1;
        QTest::newRow("replicas") << QStringLiteral("pod4:tiles=8") << 4;
        QTest::newRow("pod64") << QStringLiteral("pod64:tiles=8") << 64;
    }
    void everyIpuHasABarOfItsOwn()
    {
        QFETCH(QString, target);
        QFETCH(int, count);
        views::Session session;
        FitMeter meter(session);
        open(session, target);
        meter.resize(meter.sizeHint());
        QTRY_COMPARE(meter.bars().size(), count);
        auto const bars = meter.bars();
        for (qsizetype i = 0; i < bars.size(); ++i) {
            QVERIFY(QRectF(meter.rect()).contains(bars[i]));
            QVERIFY(bars[i].width() >= 1 && bars[i].height() >= 4);
            for (qsizetype j = 0; j < i; ++j) QVERIFY(!bars[i].intersects(bars[j]));
        }
    }
    void estimatesAreMarkedAndReplacedByCompiledValues()
    {
        views::Session session;
        FitMeter meter(session);
        open(session, QStringLiteral("gc200:tiles=4"));
        QTRY_VERIFY(meter.text().startsWith(QStringLiteral("estimated ")));
        QTRY_VERIFY_WITH_TIMEOUT(meter.text().startsWith(QStringLiteral("does not fit: ")), 60000);
        QVERIFY(meter.toolTip().contains(QStringLiteral("need ")) && meter.toolTip().contains(QStringLiteral("placed ")));
        // It names the way out, and leads there.
        QVERIFY(meter.text().endsWith(QStringLiteral("remedies")));
        QSignalSpy asked(&session, &views::Session::viewRequested);
        QTest::keyClick(&meter, Qt::Key_Return);
        QCOMPARE(asked.size(), 1);
        QCOMPARE(asked.front().front().toString(), QStringLiteral("problems"));
        // Only the part above the limit has the colour of errors.
        meter.resize(meter.sizeHint());
        auto const painted = meter.grab().toImage();
        QCOMPARE(painted.pixelColor((meter.bars().front().center() * meter.devicePixelRatioF()).toPoint()),
                 views::theme()[views::Token::Bad]);
        open(session, QStringLiteral("gc200:tiles=64"));
        QTRY_VERIFY_WITH_TIMEOUT(meter.text().startsWith(QStringLiteral("fits: ")), 60000);
        QCOMPARE(meter.grab().toImage().pixelColor((meter.bars().front().topLeft() * meter.devicePixelRatioF()).toPoint() + QPoint(2, 4)),
                 views::theme()[views::Token::Good]);
    }
    /// The boxes of the layers that fill the fullest tile are marked, with the reason.
    void layersThatFillATileAreMarked()
    {
        views::Session session;
        auto &watch = views::FitWatch::of(session);
        open(session, QStringLiteral("gc200:tiles=16"));
        QVERIFY(session.document().setField(QStringLiteral("model.layers.dense.units"), QStringLiteral("4000")).ok());
        QTRY_VERIFY_WITH_TIMEOUT(watch.source() == views::FitSource::Trial && !watch.fits(), 60000);
        QVERIFY(!watch.layerProblems().empty());
        QCOMPARE(watch.layerProblems().front().subject, std::string("dense"));
        std::unique_ptr<views::View> canvas(views::canvasView().create(session, nullptr)),
            inspector(views::inspectorView().create(session, nullptr));
        canvas->resize(900, 700);
        inspector->resize(320, 700);
        canvas->show();
        inspector->show();
        auto *drawing = canvas->findChild<views::CanvasWidget *>();
        QVERIFY(drawing);
        auto const marked = [&](char const *layer) {
            auto const &scene = drawing->scene();
            int const node = scene.nodeOf(layer);
            return node >= 0 && scene.nodes[static_cast<std::size_t>(node)].problem >= static_cast<int>(Severity::Error)
                && scene.nodes[static_cast<std::size_t>(node)].problemText.contains(QStringLiteral("does not fit"));
        };
        QTRY_VERIFY(marked("dense"));
        QVERIFY(!marked("flatten"));
        session.selection().selectLayer(QStringLiteral("dense"));
        auto const told = [&] {
            for (auto *label : inspector->findChildren<QLabel *>())
                if (label->isVisible() && label->text().contains(QStringLiteral("does not fit"))) return true;
            return false;
        };
        QTRY_VERIFY(told());
        QVERIFY(session.document().setField(QStringLiteral("model.layers.dense.units"), QStringLiteral("16")).ok());
        QTRY_VERIFY_WITH_TIMEOUT(watch.source() == views::FitSource::Trial && watch.fits(), 60000);
        QTRY_VERIFY(!marked("dense") && !told());
    }
    /// A project with errors has no fit: the meter says so instead of vanishing.
    void errorsLeaveTheFitUnknown()
    {
        views::Session session;
        FitMeter meter(session);
        open(session, QStringLiteral("gc200:tiles=64"));
        QTRY_VERIFY_WITH_TIMEOUT(meter.text().startsWith(QStringLiteral("fits: ")), 60000);
        auto const broken = session.document().edit(QStringLiteral("break"), [](project::Project &project) -> Status {
            project.model.layers.back().className = "Conv2D"; // behind a Dense layer: its input has no rows and columns
            project.model.layers.back().config = {{"filters", 8}, {"kernel_size", 3}};
            return {};
        });
        QVERIFY(broken.ok());
        QTRY_COMPARE_WITH_TIMEOUT(meter.text(), QStringLiteral("fit unknown: errors"), 20000);
        QVERIFY(meter.bars().isEmpty() && !meter.toolTip().isEmpty());
        QSignalSpy asked(&session, &views::Session::viewRequested);
        QTest::keyClick(&meter, Qt::Key_Space);
        QCOMPARE(asked.front().front().toString(), QStringLiteral("problems"));
        session.document().undoStack().undo();
        QTRY_VERIFY_WITH_TIMEOUT(meter.text().startsWith(QStringLiteral("fits: ")), 60000);
    }
    void aClickAndTheSpaceBarShowTheMemory()
    {
        views::Session session;
        FitMeter meter(session);
        open(session, QStringLiteral("gc200:tiles=8"));
        QSignalSpy asked(&session, &views::Session::viewRequested);
        meter.show();
        QTest::mouseClick(&meter, Qt::LeftButton);
        QTest::keyClick(&meter, Qt::Key_Space);
        QCOMPARE(asked.size(), 2);
        QCOMPARE(asked.front().front().toString(), QStringLiteral("memory"));
    }
};

TW_REGISTER_TEST(TstFitMeter);
#include "tst_fit_meter.moc"

#include "views/canvas/add_box.h"
#include "views/canvas/canvas_view.h"
#include "views/canvas/canvas_widget.h"
#include "views/canvas/find_bar.h"

#include "views/diagnostics/console.h"
#include "views/document/document.h"
#include "views/modeledit/document_edits.h"
#include "views/reports/report_snapshot.h"
#include "views/session/layer_selection.h"
#include "views/session/selection.h"

#include "engine/model/keras_json.h"
#include "engine/model/layer_spec.h"
#include "tests/support/test_registry.h"

#include <QAction>
#include <QClipboard>
#include <QDropEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMimeData>
#include <QtTest>

#include <memory>

using namespace tilewright;
using namespace tilewright::views;

/// The canvas in a window of its own on the tutorial's model, driven by events.
class TstCanvasView : public QObject {
    Q_OBJECT
private slots:
    void init()
    {
        m_session = std::make_unique<Session>();
        QVERIFY(m_session->document().openTemplate(QStringLiteral("mnist-mlp")).ok());
        m_view.reset(canvasView().create(*m_session, nullptr));
        m_view->resize(900, 1000);
        m_view->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_view.get()));
        m_view->refreshNow();
        m_canvas = m_view->findChild<CanvasWidget *>();
        m_line = &m_view->findChild<AddBox *>()->edit();
        m_canvas->setFocus();
        QTRY_VERIFY(!m_canvas->scene().nodes.empty());
        m_canvas->fitAll();
    }
    void cleanup()
    {
        m_view.reset();
        m_session.reset();
    }

    void theHeadlineShowsParametersAndFit()
    {
        QTRY_VERIFY2(m_view->headline().contains(QStringLiteral("estimated")), qPrintable(m_view->headline()));
        QVERIFY(m_view->headline().contains(QStringLiteral("235")));
    }
    void typingAndEnterAppendsBehindTheSelectedLayer()
    {
        click("dense");
        QCOMPARE(m_session->selection().current().name, QStringLiteral("dense"));
        QTest::keyClick(m_canvas, Qt::Key_Tab);
        QTRY_VERIFY(m_line->hasFocus());
        QTest::keyClicks(m_line, QStringLiteral("dense 64 relu"));
        auto *box = m_view->findChild<AddBox *>();
        QVERIFY2(box->status().contains(QStringLiteral("64")), qPrintable(box->status()));
        QTest::keyClick(m_line, Qt::Key_Return);
        QCOMPARE(names(), QStringLiteral("flatten_input flatten dense dense_3 dense_1 dense_2"));
        QCOMPARE(m_session->selection().current().name, QStringLiteral("dense_3"));
        QVERIFY(m_line->text().isEmpty() && m_line->hasFocus());
        QTest::keyClicks(m_line, QStringLiteral("dropout 0.5"));
        QTest::keyClick(m_line, Qt::Key_Return);
        QCOMPARE(names(), QStringLiteral("flatten_input flatten dense dense_3 dropout dense_1 dense_2"));
        m_session->document().undoStack().undo();
        m_session->document().undoStack().undo();
        QCOMPARE(names(), QStringLiteral("flatten_input flatten dense dense_1 dense_2"));
    }
    void unreadableLayersAreReportedAndKept()
    {
        m_line->setFocus();
        QTest::keyClicks(m_line, QStringLiteral("random_fourier_features 64"));
        QTest::keyClick(m_line, Qt::Key_Return);
        QVERIFY(m_view->findChild<AddBox *>()->status().contains(QStringLiteral("RandomFourierFeatures")));
        QCOMPARE(m_line->text(), QStringLiteral("random_fourier_features 64"));
        QVERIFY(!m_session->document().undoStack().canUndo());
    }
    void tabCompletes()
    {
        m_line->setFocus();
        QTest::keyClicks(m_line, QStringLiteral("dro"));
        QTest::keyClick(m_line, Qt::Key_Tab);
        QCOMPARE(m_line->text(), QStringLiteral("dropout "));
    }
    void deleteHealsAndUndoBringsBack()
    {
        auto const before = project::projectParts(m_session->document().project());
        click("dense_1");
        QTest::keyClick(m_canvas, Qt::Key_Delete);
        QCOMPARE(names(), QStringLiteral("flatten_input flatten dense dense_2"));
        QTRY_COMPARE(m_canvas->scene().nodeOf("dense_1"), -1);
        m_session->document().undoStack().undo();
        QVERIFY(project::projectParts(m_session->document().project()) == before);
        QTRY_VERIFY(m_canvas->scene().nodeOf("dense_1") >= 0);
    }
    void dropOnAnEdgeInsertsAndOnTheCanvasAppends()
    {
        auto const &route = m_canvas->scene().edges[2].route; // dense -> dense_1
        drop("Dropout", (route[0] + route[1]) / 2);
        QCOMPARE(names(), QStringLiteral("flatten_input flatten dense dropout dense_1 dense_2"));
        QTRY_VERIFY(m_canvas->scene().nodeOf("dropout") >= 0);
        drop("Softmax", m_canvas->scene().bounds.bottomRight() + QPointF(60, 0));
        QCOMPARE(names(), QStringLiteral("flatten_input flatten dense dropout dense_1 dense_2 softmax"));
    }
    void draggingFromAPortConnectsAndRefusesWithTheReason()
    {
        drag(port("dense_1"), centre("flatten"));
        QVERIFY(m_session->document().project().model.kind == model::ModelKind::Sequential);
        QVERIFY2(said().contains(QStringLiteral("cycle")), qPrintable(said()));
        drag(port("flatten"), centre("dense_1"));
        QVERIFY2(said().contains(QStringLiteral("takes")), qPrintable(said()));
        click("dense_1");
        auto const edit = editModel(
            *m_session, QStringLiteral("Add"),
            [](model::Model const &m) { return appendLayers(m, {model::makeLayer("Add", "add")}, "dense_1"); }, nullptr);
        QVERIFY(edit.done());
        QTRY_VERIFY(m_canvas->scene().nodeOf("add") >= 0);
        m_canvas->fitAll();
        drag(port("flatten"), centre("add"));
        auto const &calls = m_session->document().project().model.find("add")->calls;
        QCOMPARE(calls.back().inputs.size(), std::size_t(2));
    }
    void draggingToEmptySpaceOffersMatchingLayers()
    {
        QPointF const empty = m_canvas->toWidget(m_canvas->scene().bounds.topRight()) + QPointF(60, 30);
        drag(port("dense_2"), m_canvas->toScene(empty));
        QMenu *menu = nullptr;
        QTRY_VERIFY((menu = m_canvas->findChild<QMenu *>(QStringLiteral("fitting"))) != nullptr);
        QAction *softmax = nullptr;
        for (auto *action : menu->actions()) {
            QVERIFY(action->text() != QStringLiteral("InputLayer"));
            if (action->text() == QStringLiteral("Softmax")) softmax = action;
        }
        QVERIFY(softmax);
        softmax->trigger();
        menu->close();
        QVERIFY(names().endsWith(QStringLiteral("dense_2 softmax")));
    }
    void arrowsWalkAndSelectionTravels()
    {
        click("flatten");
        QTest::keyClick(m_canvas, Qt::Key_Down);
        QCOMPARE(m_session->selection().current().name, QStringLiteral("dense"));
        QTest::keyClick(m_canvas, Qt::Key_Down, Qt::ShiftModifier);
        QCOMPARE(m_canvas->selected().size(), std::size_t(2));
        // All views have both layers as the selection, with the current one last.
        QCOMPARE(layersOf(m_session->selection().current()), QStringList({QStringLiteral("dense"), QStringLiteral("dense_1")}));
        QVERIFY(m_canvas->accessibleDescription().contains(QStringLiteral("dense_1")));
        click("dense"); // one of several: it alone
        QCOMPARE(m_canvas->selected().size(), std::size_t(1));
        m_session->selection().selectLayer(QStringLiteral("dense_2"));
        QTRY_COMPARE(m_canvas->current(), std::string("dense_2"));
        QCOMPARE(m_canvas->selected().size(), std::size_t(1));
    }
    void severalLayersSelectedElsewhereAreSeveralHere()
    {
        selectLayers(m_session->selection(), {QStringLiteral("dense_2"), QStringLiteral("flatten")}, nullptr);
        QTRY_COMPARE(m_canvas->current(), std::string("flatten"));
        QVERIFY((m_canvas->selected() == std::set<std::string>{"dense_2", "flatten"}));
        QTest::keyClick(m_canvas, Qt::Key_Delete);
        QCOMPARE(names(), QStringLiteral("flatten_input dense dense_1"));
        QVERIFY(!layersOf(m_session->selection().current()).contains(QStringLiteral("flatten")));
    }
    void pastedLayersAreScrolledIntoView()
    {
        m_view->resize(500, 320);
        click("dense_2");
        m_canvas->actualSize();
        m_canvas->reveal("flatten_input");
        QTest::keyClick(m_canvas, Qt::Key_C, Qt::ControlModifier);
        for (int i = 0; i < 4; ++i) QTest::keyClick(m_canvas, Qt::Key_V, Qt::ControlModifier);
        QVERIFY(m_canvas->current() != std::string("dense_2"));
        QVERIFY(m_canvas->visibleScene().contains(rectOf(m_canvas->current().c_str())));
    }
    void pastingManyLayersIsOneMessageAndOneUndoStep()
    {
        auto &document = m_session->document();
        QStringList layers;
        for (int i = 0; i < 20; ++i) layers << QStringLiteral(R"({"class_name": "Dense", "config": {"name": "p%1", "units": 8}})").arg(i);
        QGuiApplication::clipboard()->setText(
            QStringLiteral(R"({"class_name": "Sequential", "config": {"name": "m", "layers": [%1]}})").arg(layers.join(QLatin1Char(','))));
        auto const before = names();
        int const steps = document.undoStack().count();
        QSignalSpy const raised(m_session.get(), &Session::errorRaised);
        QSignalSpy const spoken(&m_session->console(), &Console::changed);
        click("dense_2");
        QTest::keyClick(m_canvas, Qt::Key_V, Qt::ControlModifier);
        QCOMPARE(document.project().model.layers.size(), std::size_t(25));
        QCOMPARE(document.undoStack().count(), steps + 1);
        QCOMPARE(raised.count(), 0);
        QVERIFY2(spoken.count() <= 1, qPrintable(QString::number(spoken.count())));
        QVERIFY2(said().count(QLatin1Char('\n')) == 0, qPrintable(said()));
        document.undoStack().undo();
        QCOMPARE(names(), before);
    }
    void selectionsElsewhereHighlightTheirLayers()
    {
        report::ReportData data;
        for (char const *name : {"dense", "dense_1", "gone"}) {
            report::OpRow op;
            op.level = "keras";
            op.name = name;
            op.kind = "Dense";
            data.ops.push_back(op);
        }
        m_session->showReport(ReportSnapshot::ofData(data, QStringLiteral("r")));
        m_session->selection().selectIds(SelectionKind::Op, {0, 2});
        QTRY_VERIFY2(said().contains(QStringLiteral("1 of 5 layers")), qPrintable(said()));
    }
    void theBandSelectsAndGroupsFold()
    {
        QRectF const a = rectOf("flatten"), b = rectOf("dense");
        drag(a.united(b).topLeft() - QPointF(20, 10), a.united(b).bottomRight() + QPointF(20, 3));
        QCOMPARE(m_canvas->selected().size(), std::size_t(2));
        QTest::keyClick(m_canvas, Qt::Key_G, Qt::ControlModifier);
        QCOMPARE(m_canvas->scene().frames.size(), std::size_t(1));
        QPointF const title = frameTitleRect(m_canvas->scene().frames[0]).center();
        QTest::mouseDClick(m_canvas, Qt::LeftButton, {}, m_canvas->toWidget(title).toPoint());
        QCOMPARE(m_canvas->scene().nodes.size(), std::size_t(4));
        QVERIFY(!m_session->document().undoStack().canUndo()); // moving a node is not an edit
        QTest::mouseDClick(m_canvas, Qt::LeftButton, {}, m_canvas->toWidget(rectOf("flatten").center()).toPoint());
        QCOMPARE(m_canvas->scene().nodes.size(), std::size_t(5));
    }
    void draggingPinsANode()
    {
        QPointF const from = centre("dense_1");
        drag(from, from + QPointF(240, 0));
        auto const layout = canvasLayoutOf(*m_session);
        QCOMPARE(layout.pins.size(), std::size_t(1));
        QVERIFY(std::abs(layout.pins.at("dense_1").x() - from.x() - 240) <= kGrid);
        QVERIFY(std::abs(centre("dense_1").x() - from.x() - 240) <= kGrid);
    }
    void movingAndUnpinningCanBeUndone()
    {
        QPointF const from = centre("dense_1"), other = centre("dense_2");
        auto &stack = m_session->document().undoStack();
        drag(from, from + QPointF(240, 0));
        QVERIFY(stack.canUndo());
        QVERIFY2(stack.undoText().contains(QStringLiteral("dense_1")), qPrintable(stack.undoText()));
        QPointF const moved = centre("dense_1");
        stack.undo();
        QVERIFY(canvasLayoutOf(*m_session).pins.empty());
        QCOMPARE(centre("dense_1"), from);
        QCOMPARE(centre("dense_2"), other);
        // A group added in between is not an undo step and stays.
        stack.redo();
        QCOMPARE(centre("dense_1"), moved);
        setCanvasLayout(*m_session, grouped(canvasLayoutOf(*m_session), {"dense", "dense_2"}));
        stack.undo();
        QCOMPARE(canvasLayoutOf(*m_session).groups.size(), std::size_t(1));
        QVERIFY(canvasLayoutOf(*m_session).pins.empty());
    }
    void copyPasteAndDuplicate()
    {
        click("dense");
        QTest::keyClick(m_canvas, Qt::Key_C, Qt::ControlModifier);
        QVERIFY(model::parseKerasJson(QGuiApplication::clipboard()->text().toStdString()).ok());
        QTest::keyClick(m_canvas, Qt::Key_V, Qt::ControlModifier);
        QCOMPARE(names(), QStringLiteral("flatten_input flatten dense dense_3 dense_1 dense_2"));
        QTRY_COMPARE(m_canvas->current(), std::string("dense_3"));
        QTest::keyClick(m_canvas, Qt::Key_D, Qt::ControlModifier);
        QCOMPARE(names(), QStringLiteral("flatten_input flatten dense dense_3 dense_4 dense_1 dense_2"));
    }
    void renamesInPlace()
    {
        click("dense");
        QTest::keyClick(m_canvas, Qt::Key_F2);
        auto *field = m_canvas->findChild<QLineEdit *>();
        QVERIFY(field);
        field->selectAll();
        QTest::keyClicks(field, QStringLiteral("hidden"));
        QTest::keyClick(field, Qt::Key_Return);
        QCOMPARE(names(), QStringLiteral("flatten_input flatten hidden dense_1 dense_2"));
        QCOMPARE(m_session->selection().current().name, QStringLiteral("hidden"));
    }
    /// A model of 120 layers opens at a size at which names can be read, and a layer chosen elsewhere is brought up at it.
    void largeModelsOpenReadableAndChosenLayersAreBroughtUp()
    {
        auto const status = m_session->document().edit(QStringLiteral("deep"), [](project::Project &p) -> Status {
            for (int i = 0; i < 120; ++i) p.model.layers.push_back(model::makeLayer("ReLU", "r" + std::to_string(i)));
            return {};
        });
        QVERIFY(status.ok());
        m_view->refreshNow();
        QTRY_VERIFY(m_canvas->scene().node("r119") >= 0);
        m_canvas->firstLook();
        QVERIFY2(m_canvas->zoom() >= 0.69, qPrintable(QString::number(m_canvas->zoom())));
        m_canvas->fitAll();
        QVERIFY(m_canvas->zoom() < 0.3);
        m_session->selection().selectLayer(QStringLiteral("r60")); // by the outline
        m_view->refreshNow();
        QTRY_VERIFY(m_canvas->zoom() >= 0.69);
        auto const &scene = m_canvas->scene();
        QVERIFY(m_canvas->visibleScene().contains(scene.nodes[static_cast<std::size_t>(scene.node("r60"))].rect));
    }
    void zoomKeysWheelAndPan()
    {
        QTest::keyClick(m_canvas, Qt::Key_1);
        QCOMPARE(m_canvas->zoom(), 1.0);
        QPointF const at(200, 150), under = m_canvas->toScene(at);
        QWheelEvent wheel(at, m_canvas->mapToGlobal(at), {}, {0, 120}, Qt::NoButton, Qt::ControlModifier, Qt::NoScrollPhase, false);
        QCoreApplication::sendEvent(m_canvas, &wheel);
        QVERIFY(m_canvas->zoom() > 1.1);
        QVERIFY((m_canvas->toWidget(under) - at).manhattanLength() <= 1 + 1e-6); // places are whole pixels
        QPointF const before = m_canvas->visibleScene().topLeft();
        QTest::mousePress(m_canvas, Qt::MiddleButton, {}, {100, 100});
        QTest::mouseMove(m_canvas, {130, 100});
        QTest::mouseRelease(m_canvas, Qt::MiddleButton, {}, {130, 100});
        QVERIFY(m_canvas->visibleScene().left() < before.x());
        QTest::keyClick(m_canvas, Qt::Key_0);
        QVERIFY(m_canvas->visibleScene().contains(m_canvas->scene().bounds));
    }
    void findsAndSteps()
    {
        m_view->startSearch();
        auto &edit = m_view->findChild<FindBar *>()->edit();
        QTRY_VERIFY(edit.hasFocus());
        QTest::keyClicks(&edit, QStringLiteral("dense"));
        QCOMPARE(edit.accessibleDescription(), QStringLiteral("1 of 3"));
        QTest::keyClick(&edit, Qt::Key_Return);
        QCOMPARE(m_session->selection().current().name, QStringLiteral("dense_1"));
        QTest::keyClick(&edit, Qt::Key_Return, Qt::ShiftModifier);
        QCOMPARE(m_session->selection().current().name, QStringLiteral("dense"));
    }
    void aProblemsBadgeOffersItsFix()
    {
        auto const done = m_session->document().edit(QStringLiteral("break"), [](project::Project &p) -> Status {
            p.model.layers[2].className = "Dence";
            return {};
        });
        QVERIFY(done.ok());
        QTRY_COMPARE(m_canvas->scene().nodes[2].problem, static_cast<int>(Severity::Error));
        QVERIFY(m_view->headline().contains(QStringLiteral("Dence")));
        QTest::mouseClick(m_canvas, Qt::LeftButton, {}, m_canvas->toWidget(badgeRect(m_canvas->scene().nodes[2]).center()).toPoint());
        QMenu *menu = nullptr;
        QTRY_VERIFY((menu = m_canvas->findChild<QMenu *>(QStringLiteral("fixes"))) != nullptr);
        for (auto *action : menu->actions())
            if (action->text().contains(QStringLiteral("Dense"))) {
                action->trigger();
                break;
            }
        menu->close();
        QCOMPARE(m_session->document().project().model.layers[2].className, std::string("Dense"));
        QTRY_COMPARE(m_canvas->scene().nodes[2].problem, -1);
    }
    void editingKeepsOtherNodesInPlace()
    {
        QPointF const before = centre("dense_2");
        drop("Dense", m_canvas->scene().bounds.bottomRight() + QPointF(60, 0));
        QTRY_VERIFY(m_canvas->scene().nodeOf("dense_3") >= 0);
        QVERIFY((centre("dense_2") - before).manhattanLength() < 1);
    }
    void aFrameOfTwoThousandNodes()
    {
        auto const status = m_session->document().edit(QStringLiteral("large"), [](project::Project &p) -> Status {
            p.model = toFunctional(p.model);
            for (int i = 0; i < 2000; ++i) {
                model::Layer layer = model::makeLayer("ReLU", "r" + std::to_string(i));
                layer.calls = {model::Call{{{i < 20 ? std::string("dense") : "r" + std::to_string(i - 20), 0, 0}}}};
                p.model.layers.push_back(std::move(layer));
            }
            return {};
        });
        QVERIFY(status.ok());
        QElapsedTimer timer;
        timer.start();
        m_view->refreshNow();
        auto const built = timer.restart();
        m_canvas->fitAll();
        QStringList times;
        for (double const zoom : {0.0, 0.2, 0.41, 1.0}) {
            if (zoom > 0) m_canvas->setZoom(zoom, {450, 400});
            QImage image(m_canvas->size(), QImage::Format_ARGB32_Premultiplied);
            m_canvas->render(&image);
            timer.restart();
            for (int i = 0; i < 5; ++i) m_canvas->render(&image);
            times << QStringLiteral("%1 %: %2 ms").arg(m_canvas->zoom() * 100, 0, 'f', 0).arg(timer.nsecsElapsed() / 5e6, 0, 'f', 1);
        }
        qInfo("2,000 layers: %lld ms from edit to scene; a frame at %s", built, qPrintable(times.join(QStringLiteral(", "))));
        QCOMPARE(m_canvas->scene().nodes.size(), std::size_t(2005));
    }

private:
    QString names() const
    {
        QStringList all;
        for (auto const &layer : m_session->document().project().model.layers) all << QString::fromStdString(layer.name);
        return all.join(u' ');
    }
    CanvasNode const &node(char const *layer) const
    {
        return m_canvas->scene().nodes[static_cast<std::size_t>(m_canvas->scene().nodeOf(layer))];
    }
    QRectF rectOf(char const *layer) const { return node(layer).rect; }
    QPointF centre(char const *layer) const { return node(layer).rect.center(); }
    QPointF port(char const *layer) const { return outputPort(m_canvas->scene(), node(layer)); }
    QString said() const
    {
        for (auto *label : m_view->findChildren<QLabel *>())
            if (label->accessibleName() == QStringLiteral("What happened")) return label->text();
        return {};
    }
    void click(char const *layer) { QTest::mouseClick(m_canvas, Qt::LeftButton, {}, m_canvas->toWidget(centre(layer)).toPoint()); }
    void drag(QPointF const &from, QPointF const &to)
    {
        QPoint const a = m_canvas->toWidget(from).toPoint(), b = m_canvas->toWidget(to).toPoint();
        QTest::mousePress(m_canvas, Qt::LeftButton, {}, a);
        QTest::mouseMove(m_canvas, (a + b) / 2);
        QTest::mouseMove(m_canvas, b);
        QTest::mouseRelease(m_canvas, Qt::LeftButton, {}, b);
    }
    void drop(char const *className, QPointF const &at)
    {
        QMimeData mime;
        mime.setData(QString::fromLatin1(kLayerMime), className);
        QPointF const where = m_canvas->toWidget(at);
        QDragEnterEvent enter(where.toPoint(), Qt::CopyAction, &mime, Qt::LeftButton, {});
        QCoreApplication::sendEvent(m_canvas, &enter);
        QVERIFY(enter.isAccepted());
        QDragMoveEvent move(where.toPoint(), Qt::CopyAction, &mime, Qt::LeftButton, {});
        QCoreApplication::sendEvent(m_canvas, &move);
        QDropEvent event(where, Qt::CopyAction, &mime, Qt::LeftButton, {});
        QCoreApplication::sendEvent(m_canvas, &event);
    }

    std::unique_ptr<Session> m_session;
    std::unique_ptr<View> m_view;
    CanvasWidget *m_canvas = nullptr;
    QLineEdit *m_line = nullptr;
};

TW_REGISTER_TEST(TstCanvasView);
#include "tst_canvas_view.moc"

#include "views/outline/json_pane.h"
#include "views/outline/json_text.h"
#include "views/outline/outline_tree.h"
#include "views/outline/outline_view.h"

#include "views/document/document.h"
#include "views/session/layer_selection.h"
#include "views/session/selection.h"

#include "engine/model/keras_json.h"
#include "tests/support/test_registry.h"

#include <QLineEdit>
#include <QPlainTextEdit>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTabWidget>
#include <QtTest>

#include <memory>

using namespace tilewright;
using namespace tilewright::views;

class TstOutlineView : public QObject {
    Q_OBJECT
private slots:
    void init()
    {
        m_session = std::make_unique<Session>();
        QVERIFY(m_session->document().openTemplate(QStringLiteral("mnist-mlp")).ok());
        m_view.reset(outlineView().create(*m_session, nullptr));
        m_view->resize(360, 600);
        m_view->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_view.get()));
        m_view->refreshNow();
        m_tree = m_view->findChild<OutlineTree *>();
        m_tree->setFocus();
    }
    void cleanup()
    {
        m_view.reset();
        m_session.reset();
    }
    void followsAndSetsTheSelection()
    {
        m_session->selection().selectLayer(QStringLiteral("dense_1"));
        QTRY_COMPARE(m_tree->currentLayer(), QStringLiteral("dense_1"));
        QTest::keyClick(m_tree, Qt::Key_Down);
        QCOMPARE(m_session->selection().current().name, QStringLiteral("dense_2"));
    }
    void severalRowsAreOneSelection()
    {
        m_session->selection().selectLayer(QStringLiteral("dense"));
        QTRY_COMPARE(m_tree->currentLayer(), QStringLiteral("dense"));
        QTest::keyClick(m_tree, Qt::Key_Down, Qt::ShiftModifier);
        QCOMPARE(layersOf(m_session->selection().current()), QStringList({QStringLiteral("dense"), QStringLiteral("dense_1")}));
        QCoreApplication::processEvents();
        QCOMPARE(m_tree->selectedLayers().size(), 2); // following its own choice leaves it as it is
        selectLayers(m_session->selection(), {QStringLiteral("flatten"), QStringLiteral("dense_2"), QStringLiteral("dense")}, nullptr);
        QTRY_COMPARE(m_tree->selectedLayers().size(), 3);
        QCOMPARE(m_tree->currentLayer(), QStringLiteral("dense"));
        QTest::keyClick(m_tree, Qt::Key_Delete);
        QCOMPARE(names(), QStringLiteral("flatten_input dense_1"));
    }
    void nothingScrollsSideways_data()
    {
        QTest::addColumn<int>("width");
        for (int const width : {180, 250, 360, 700}) QTest::addRow("%d", width) << width;
    }
    void nothingScrollsSideways()
    {
        QFETCH(int, width);
        m_view->resize(width, 600);
        QCoreApplication::processEvents();
        int used = 0;
        for (int column = 0; column < m_tree->columnCount(); ++column)
            if (!m_tree->isColumnHidden(column)) used += m_tree->columnWidth(column);
        QVERIFY2(used <= m_tree->viewport()->width(), qPrintable(QStringLiteral("%1 of %2").arg(used).arg(m_tree->viewport()->width())));
        QVERIFY(m_tree->columnWidth(OutlineTree::NameColumn) >= 40);
        QCOMPARE(m_tree->isColumnHidden(OutlineTree::ParameterColumn), width < 250);
        // Columns do not take each other's place when a number gets longer.
        if (m_tree->isColumnHidden(OutlineTree::ParameterColumn))
            for (int column = 0; column < OutlineTree::ColumnCount; ++column)
                if (column != OutlineTree::NameColumn) QVERIFY(m_tree->isColumnHidden(column));
        if (width == 700) QVERIFY(!m_tree->isColumnHidden(OutlineTree::ClassColumn));
    }
    void parametersStayWhereAScrollBarTakesRoom()
    {
        m_view->resize(250, 600);
        QCoreApplication::processEvents();
        auto const shown = [&] { return !m_tree->isColumnHidden(OutlineTree::ParameterColumn); };
        QVERIFY(shown());
        m_view->resize(250, 200);
        QCoreApplication::processEvents();
        QVERIFY(m_tree->verticalScrollBar()->isVisible());
        QVERIFY(shown());
    }
    /// A number that gets one digit longer than there is room for is shortened; the tool tip has all digits.
    void aLongNumberKeepsItsColumn()
    {
        m_view->resize(235, 600);
        QVERIFY(m_session->document().setField(QStringLiteral("model.layers.dense.units"), QStringLiteral("465000")).ok());
        auto const text = [&] { return m_tree->topLevelItem(0)->text(OutlineTree::ParameterColumn); };
        QTRY_VERIFY2(text().endsWith(u'M'), qPrintable(text()));
        QVERIFY(!m_tree->isColumnHidden(OutlineTree::ParameterColumn));
        m_view->resize(360, 600);
        QTRY_VERIFY2(!text().contains(u'M') && text().size() > 9, qPrintable(text()));
    }
    void f2RenamesAsOneUndoStep()
    {
        m_session->selection().selectLayer(QStringLiteral("dense_1"));
        QTRY_COMPARE(m_tree->currentLayer(), QStringLiteral("dense_1"));
        QTest::keyClick(m_tree, Qt::Key_F2);
        QLineEdit *field = nullptr;
        QTRY_VERIFY((field = m_tree->findChild<QLineEdit *>()) != nullptr);
        field->selectAll();
        QTest::keyClicks(field, QStringLiteral("middle"));
        QTest::keyClick(field, Qt::Key_Return);
        QTRY_VERIFY(m_session->document().project().model.find("middle") != nullptr);
        QTRY_COMPARE(m_tree->currentLayer(), QStringLiteral("middle"));
        QCOMPARE(m_session->document().undoStack().count(), 1);
        m_session->document().undoStack().undo();
        QVERIFY(m_session->document().project().model.find("dense_1") != nullptr);
    }
    void altArrowsMoveAndDeleteRemoves()
    {
        m_session->selection().selectLayer(QStringLiteral("dense_1"));
        QTRY_COMPARE(m_tree->currentLayer(), QStringLiteral("dense_1"));
        QTest::keyClick(m_tree, Qt::Key_Up, Qt::AltModifier);
        QCOMPARE(names(), QStringLiteral("flatten_input flatten dense_1 dense dense_2"));
        QTRY_COMPARE(m_tree->currentLayer(), QStringLiteral("dense_1"));
        QTest::keyClick(m_tree, Qt::Key_Delete);
        QCOMPARE(names(), QStringLiteral("flatten_input flatten dense dense_2"));
    }
    void otherPartsJumpToTheirViews()
    {
        QSignalSpy spy(m_session.get(), &Session::viewRequested);
        for (int i = 1; i < m_tree->topLevelItemCount(); ++i) {
            auto const rect = m_tree->visualItemRect(m_tree->topLevelItem(i));
            QTest::mouseClick(m_tree->viewport(), Qt::LeftButton, {}, rect.center());
        }
        QStringList views;
        for (auto const &call : spy) views << call.front().toString();
        QCOMPARE(views, (QStringList{"plan", "data", "config", "config"}));
    }
    void jsonTextIsTheModel()
    {
        auto const &model = m_session->document().project().model;
        auto const back = model::parseKerasJson(modelJsonText(model).toStdString());
        QVERIFY(back.ok());
        QCOMPARE(*back, model);
    }
    void jsonAppliesAsOneUndoStep()
    {
        auto &pane = json();
        QString const text = pane.editor().toPlainText();
        QVERIFY(text.contains(QStringLiteral("\"units\": 256")));
        pane.editor().setPlainText(QString(text).replace(QStringLiteral("\"units\": 256"), QStringLiteral("\"units\": 300")));
        pane.apply();
        QCOMPARE(m_session->document().project().model.find("dense")->integer("units"), std::int64_t(300));
        m_session->document().undoStack().undo();
        QTRY_COMPARE(pane.editor().toPlainText(), text);
    }
    void jsonErrorsStateLineAndColumn()
    {
        auto &pane = json();
        QString text = pane.editor().toPlainText();
        QStringList lines = text.split(u'\n');
        lines[4] = QStringLiteral("      ä ") + lines[4]; // not JSON, and not one byte per letter
        pane.editor().setPlainText(lines.join(u'\n'));
        pane.apply();
        QVERIFY2(pane.message().contains(QStringLiteral("Line 5, column 7")), qPrintable(pane.message()));
        QCOMPARE(pane.editor().textCursor().blockNumber(), 4);
        QVERIFY(!m_session->document().undoStack().canUndo());
        pane.editor().setPlainText(text.replace(QStringLiteral("\"name\": \"dense_2\""), QStringLiteral("\"name\": \"dense_1\"")));
        pane.apply();
        QVERIFY2(pane.message().contains(QStringLiteral("dense_1")) && pane.message().contains(QStringLiteral("Line")),
                 qPrintable(pane.message()));
    }
    void editedJsonSurvivesAChangeElsewhere()
    {
        auto &pane = json();
        pane.editor().setPlainText(QStringLiteral("{}"));
        QVERIFY(m_session->document().setField(QStringLiteral("model.layers.dense.units"), QStringLiteral("99")).ok());
        QTRY_VERIFY(!pane.message().isEmpty());
        QCOMPARE(pane.editor().toPlainText(), QStringLiteral("{}"));
    }
    void placesCountLinesColumnsAndBytes()
    {
        QString const text = QStringLiteral("a\näb\nc");
        QCOMPARE(placeOfByte(text, 1), (TextPlace{0, 1, 1}));
        QCOMPARE(placeOfByte(text, 5), (TextPlace{3, 2, 2})); // after the two bytes of ä
        QCOMPARE(placeOfByte(text, 7), (TextPlace{5, 3, 1}));
        QCOMPARE(placeOfPosition(text, 99).position, 6);
    }

private:
    JsonPane &json()
    {
        m_view->findChild<QTabWidget *>()->setCurrentIndex(1);
        return *m_view->findChild<JsonPane *>();
    }
    QString names() const
    {
        QStringList all;
        for (auto const &layer : m_session->document().project().model.layers) all << QString::fromStdString(layer.name);
        return all.join(u' ');
    }
    std::unique_ptr<Session> m_session;
    std::unique_ptr<View> m_view;
    OutlineTree *m_tree = nullptr;
};

TW_REGISTER_TEST(TstOutlineView);
#include "tst_outline_view.moc"

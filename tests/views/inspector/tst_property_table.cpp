#include "tests/support/test_registry.h"

#include "views/document/document.h"
#include "views/properties/field_note.h"
#include "views/properties/property_editor.h"
#include "views/properties/property_row.h"
#include "views/properties/property_table.h"
#include "views/session/session.h"

#include <QAbstractScrollArea>
#include <QAbstractSpinBox>
#include <QCheckBox>
#include <QComboBox>
#include <QLineEdit>
#include <QLocale>
#include <QtTest>

using namespace tilewright;
using namespace tilewright::views;

namespace {

QString const kRate = QStringLiteral("training.optimizer.learning_rate");
QString const kBatch = QStringLiteral("training.batch_size");

struct Bench {
    Session session;
    std::unique_ptr<PropertyTable> table;
    Bench()
    {
        if (!session.document().openTemplate(QStringLiteral("mnist-mlp")).ok()) qFatal("no template");
        table = std::make_unique<PropertyTable>(session.document(), QStringLiteral("fields"));
        auto const &plan = session.document().project().training;
        table->setSpecs({trainingSpec(plan, QStringLiteral("batch_size")), trainingSpec(plan, QStringLiteral("epochs")),
                         trainingSpec(plan, QStringLiteral("shuffle")), trainingSpec(plan, QStringLiteral("optimizer.learning_rate")),
                         trainingSpec(plan, QStringLiteral("pipeline_schedule"))});
        table->resize(500, 400);
        table->show();
        table->activateWindow();
        if (!QTest::qWaitForWindowActive(table.get())) qFatal("no active window");
    }
    PropertyRow &row(QString const &path) { return *table->row(path); }
    QWidget *input(QString const &path) { return row(path).editor().input(); }
    void type(QString const &path, QString const &text)
    {
        auto *widget = input(path);
        widget->setFocus();
        if (auto *spin = qobject_cast<QAbstractSpinBox *>(widget)) spin->selectAll();
        if (auto *line = qobject_cast<QLineEdit *>(widget)) line->selectAll();
        QTest::keyClicks(widget, text);
    }
};

} // namespace

class TstPropertyTable : public QObject {
    Q_OBJECT
private slots:
    void init() { QLocale::setDefault(QLocale(QStringLiteral("en_US"))); }

    void anotherLayerOfTheSameClassKeepsTheEditors()
    {
        Bench bench;
        auto &document = bench.session.document();
        auto const specsOf = [&](char const *name) { return layerSpecs(*document.project().model.find(name), true); };
        QString const first = QStringLiteral("model.layers.dense.units"), second = QStringLiteral("model.layers.dense_1.units");
        bench.table->setSpecs(specsOf("dense"));
        auto *row = bench.table->row(first);
        auto *editor = bench.input(first);
        QVERIFY(row && editor);
        QCOMPARE(row->editor().text(), document.field(first));
        bench.type(first, QStringLiteral("0")); // refused, and then left alone
        bench.table->setSpecs(specsOf("dense_1"));
        QVERIFY(!bench.table->row(first));
        QCOMPARE(bench.table->row(second), row);
        QCOMPARE(bench.input(second), editor);
        QVERIFY(!row->isRefused() && !row->isPending());
        QCOMPARE(row->editor().text(), document.field(second));
        QVERIFY(row->toolTip().contains(second));
        bench.table->apply(second, QStringLiteral("77"));
        QCOMPARE(document.field(second), QStringLiteral("77"));
        QVERIFY(document.field(first) != QLatin1String("77"));
        bench.table->setSpecs(specsOf("flatten"));
        QVERIFY(!bench.table->row(second));
        bench.table->setSpecs(specsOf("dense_1"));
        QCOMPARE(bench.table->row(second)->editor().text(), QStringLiteral("77"));
    }
    void typingIsTriedAndEnterApplies()
    {
        Bench bench;
        QSignalSpy tried(bench.table.get(), &PropertyTable::tried);
        auto const before = bench.session.document().project().training.batchSize;
        bench.type(kBatch, QStringLiteral("48"));
        QCOMPARE(bench.session.document().project().training.batchSize, before);
        auto const trial = tried.back().at(1).value<std::shared_ptr<project::Project const>>();
        QVERIFY(trial && trial->training.batchSize == 48);
        QTest::keyClick(bench.input(kBatch), Qt::Key_Return);
        QCOMPARE(bench.session.document().project().training.batchSize, 48);
        QVERIFY(bench.row(kBatch).isChanged());
    }
    /// An editor with the keyboard goes with the table, and speaks to it no more.
    void unfinishedTextIsDiscardedWithTheTable()
    {
        Bench bench;
        auto const before = bench.session.document().project();
        bench.type(kBatch, QStringLiteral("48"));
        bench.table.reset();
        QCOMPARE(bench.session.document().project() == before, true);
    }
    void aRefusedValueStaysInItsFieldWithTheReason()
    {
        Bench bench;
        auto const before = bench.session.document().project();
        bench.type(kBatch, QStringLiteral("0"));
        QTest::keyClick(bench.input(kBatch), Qt::Key_Return);
        QCOMPARE(bench.session.document().project() == before, true);
        QVERIFY(bench.row(kBatch).isRefused());
        QCOMPARE(bench.row(kBatch).pendingText(), QStringLiteral("0"));
        QVERIFY2(bench.row(kBatch).message().contains(QStringLiteral("at least"))
                     || bench.row(kBatch).message().contains(QStringLiteral("from 1")),
                 qPrintable(bench.row(kBatch).message()));
        bench.table->reload(); // another edit elsewhere does not take it away
        QCOMPARE(bench.row(kBatch).pendingText(), QStringLiteral("0"));
        QTest::keyClick(bench.input(kBatch), Qt::Key_Escape);
        QVERIFY(!bench.row(kBatch).isRefused());
        QCOMPARE(bench.row(kBatch).pendingText(), QString::number(before.training.batchSize));
        QVERIFY(bench.row(kBatch).message().isEmpty());
    }
    /// The reason of a refusal lies over the page while somebody types: no field moves under the pointer.
    void aReasonMovesNoField()
    {
        Bench bench;
        QTest::qWait(50); // the last layout of the table
        QHash<PropertyRow *, QRect> before;
        for (auto *row : bench.table->findChildren<PropertyRow *>()) before.insert(row, row->geometry());
        QCOMPARE(before.size(), 5);
        bench.type(kBatch, QStringLiteral("0"));
        QVERIFY(bench.row(kBatch).isRefused());
        auto const shown = [&]() -> FieldNote * {
            for (auto *each : bench.table->findChildren<FieldNote *>())
                if (each->isVisible()) return each;
            return nullptr;
        };
        QTRY_VERIFY(shown());
        QVERIFY(shown()->height() > 0);
        bench.table->setHint(kRate, QStringLiteral("what if"));
        QTest::qWait(50);
        for (auto it = before.begin(); it != before.end(); ++it)
            QVERIFY2(it.key()->geometry() == it.value(), qPrintable(it.key()->spec().path));
        QTest::keyClick(bench.input(kBatch), Qt::Key_Escape);
        QTRY_VERIFY(!shown());
        bench.table->setSpecs({}); // the notes go with their rows
        QTRY_VERIFY(bench.table->findChildren<FieldNote *>().isEmpty());
    }
    void oneVisitOfAFieldIsOneUndoStep()
    {
        Bench bench;
        auto &stack = bench.session.document().undoStack();
        auto const before = bench.session.document().project();
        auto *spin = bench.input(kBatch);
        spin->setFocus();
        for (int i = 0; i < 5; ++i) QTest::keyClick(spin, Qt::Key_Up);
        QCOMPARE(bench.session.document().project().training.batchSize, before.training.batchSize + 5);
        QCOMPARE(stack.count(), 1);
        bench.input(kRate)->setFocus();
        spin->setFocus(); // another visit
        QTest::keyClick(spin, Qt::Key_Up);
        QCOMPARE(stack.count(), 2);
        stack.undo();
        stack.undo();
        QCOMPARE(bench.session.document().project() == before, true);
    }
    void leavingTheFieldApplies()
    {
        Bench bench;
        bench.type(kRate, QStringLiteral("0.02"));
        bench.input(kBatch)->setFocus();
        QCOMPARE(bench.session.document().project().training.optimizer.learningRate(), 0.02);
    }
    void aCommaIsADecimalMarkWhereItIsOne()
    {
        QLocale::setDefault(QLocale(QStringLiteral("de_DE")));
        Bench bench;
        bench.type(kRate, QStringLiteral("0,05"));
        QTest::keyClick(bench.input(kRate), Qt::Key_Return);
        QCOMPARE(bench.session.document().project().training.optimizer.learningRate(), 0.05);
        QCOMPARE(qobject_cast<QAbstractSpinBox *>(bench.input(kRate))->text(), QStringLiteral("0,05"));
    }
    void aCommaIsRefusedElsewhere()
    {
        Bench bench;
        auto const before = bench.session.document().project();
        bench.type(kRate, QStringLiteral("0,05"));
        QTest::keyClick(bench.input(kRate), Qt::Key_Return);
        QVERIFY(bench.row(kRate).isRefused());
        QCOMPARE(bench.session.document().project() == before, true);
    }
    void resetGivesTheDefaultBack()
    {
        Bench bench;
        bench.table->apply(kBatch, QStringLiteral("7"));
        QVERIFY(bench.row(kBatch).isChanged());
        bench.table->reset(kBatch);
        QCOMPARE(bench.session.document().project().training.batchSize, model::TrainingPlan().batchSize);
        QVERIFY(!bench.row(kBatch).isChanged());
    }
    void clicksAndChoicesApplyAtOnce()
    {
        Bench bench;
        QTest::mouseClick(bench.input(QStringLiteral("training.shuffle")), Qt::LeftButton, {},
                          {5, bench.input(QStringLiteral("training.shuffle"))->height() / 2});
        QCOMPARE(bench.session.document().project().training.shuffle, false);
        auto *box = qobject_cast<QComboBox *>(bench.input(QStringLiteral("training.pipeline_schedule")));
        box->setFocus();
        QTest::keyClick(box, Qt::Key_Down);
        QCOMPARE(bench.session.document().project().training.pipelineSchedule, std::string("interleaved"));
    }
    void searchAndChangedOnlyNarrow()
    {
        Bench bench;
        QCOMPARE(bench.table->shownCount(), 5);
        bench.table->setFilterText(QStringLiteral("batch size"));
        QVERIFY(bench.table->shownCount() >= 1 && bench.table->shownCount() < 5);
        bench.table->setFilterText({});
        for (auto const *path : {"training.epochs", "training.batch_size", "training.optimizer.learning_rate", "training.shuffle",
                                 "training.pipeline_schedule"})
            bench.table->reset(QLatin1String(path));
        bench.table->setChangedOnly(true);
        QCOMPARE(bench.table->shownCount(), 0);
        bench.table->apply(QStringLiteral("training.epochs"), QStringLiteral("9"));
        QCOMPARE(bench.table->shownCount(), 1);
    }
    void differentValuesVaryUntilOneIsGiven()
    {
        Session session;
        project::Project project;
        project.model.layers = {model::makeInput("in", {16}), model::makeLayer("Dense", "a", {{"units", 4}}),
                                model::makeLayer("Dense", "b", {{"units", 8}, {"use_bias", false}})};
        session.document().openProject(project, {}, true);
        PropertyTable table(session.document(), QStringLiteral("fields"));
        auto const &layers = session.document().project().model.layers;
        table.setSpecs(commonLayerSpecs({&layers[1], &layers[2]}));
        table.show();
        auto *units = qobject_cast<QAbstractSpinBox *>(table.row(QStringLiteral("model.layers.a.units"))->editor().input());
        QCOMPARE(units->text(), QString());
        auto *bias = qobject_cast<QCheckBox *>(table.row(QStringLiteral("model.layers.a.use_bias"))->editor().input());
        QCOMPARE(bias->checkState(), Qt::PartiallyChecked);
        QVERIFY(bias->text().contains(QStringLiteral("varies")));
        units->setFocus();
        QTest::keyClicks(units, QStringLiteral("64"));
        QTest::keyClick(units, Qt::Key_Return);
        for (auto const *path : {"model.layers.a.units", "model.layers.b.units"})
            QCOMPARE(session.document().field(QLatin1String(path)), QStringLiteral("64"));
        QCOMPARE(session.document().undoStack().count(), 1);
    }
    void valuesTravelFromLayerToLayerAsOneStep()
    {
        Session session;
        project::Project project;
        project.model.layers = {model::makeInput("in", {16}),
                                model::makeLayer("Dense", "a", {{"units", 4}, {"activation", "relu"}, {"use_bias", false}}),
                                model::makeLayer("Dense", "b", {{"units", 8}})};
        session.document().openProject(project, {}, true);
        PropertyTable from(session.document(), QStringLiteral("from")), to(session.document(), QStringLiteral("to"));
        auto const &layers = session.document().project().model.layers;
        from.setSpecs(layerSpecs(layers[1], true));
        to.setSpecs(layerSpecs(layers[2], true));
        QVERIFY(to.pasteValues(from.valuesText()) >= 8);
        auto const &pasted = session.document().project().model.layers[2];
        QCOMPARE(pasted.text("activation"), std::string("relu"));
        QCOMPARE(pasted.flag("use_bias"), false);
        QCOMPARE(pasted.integer("units"), std::int64_t{8}); // sizes and names are the layer's own
        QCOMPARE(session.document().undoStack().count(), 1);
        QCOMPARE(to.pasteValues(QStringLiteral("no JSON")), 0);
        QCOMPARE(session.document().undoStack().count(), 1);
    }
    void everyEditorHasANameAndADescription()
    {
        Session session;
        QVERIFY(session.document().openTemplate(QStringLiteral("mnist-mlp")).ok());
        std::vector<PropertySpec> specs;
        for (auto const &option : config::ipuConfigOptions()) specs.push_back(specOf(option));
        for (auto const &option : config::engineOptions()) specs.push_back(specOf(option));
        for (auto const &layer : session.document().project().model.layers)
            for (auto &spec : layerSpecs(layer, true)) specs.push_back(std::move(spec));
        PropertyTable table(session.document(), QStringLiteral("fields"));
        table.setSpecs(specs);
        QCOMPARE(table.rowCount(), static_cast<int>(specs.size()));
        for (auto const &spec : specs) {
            auto *input = table.row(spec.path)->editor().input();
            QVERIFY2(!input->accessibleName().isEmpty(), qPrintable(spec.path));
            QVERIFY2(!input->accessibleDescription().isEmpty(), qPrintable(spec.path));
            QVERIFY2(input->focusPolicy() & Qt::TabFocus, qPrintable(spec.path));
        }
        for (auto const *widget : table.findChildren<QWidget *>())
            if (widget->focusPolicy() & Qt::TabFocus && !qobject_cast<QAbstractScrollArea const *>(widget)
                && widget->metaObject()->className() != QByteArray("QLineEdit"))
                QVERIFY2(!widget->accessibleName().isEmpty(), widget->metaObject()->className());
    }
};

TW_REGISTER_TEST(TstPropertyTable);
#include "tst_property_table.moc"

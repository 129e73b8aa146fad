#include "tests/views/memory/compiled_report.h"

#include "tests/support/test_registry.h"

#include "views/common/format.h"
#include "views/document/document.h"
#include "views/inspector/describe.h"
#include "views/inspector/inspector_view.h"
#include "views/inspector/layer_facts.h"
#include "views/inspector/silicon.h"
#include "views/inspector/what_if.h"
#include "views/properties/property_editor.h"
#include "views/properties/property_row.h"
#include "views/properties/property_table.h"
#include "views/session/layer_selection.h"
#include "views/figures/fact_list.h"

#include "engine/model/resolve.h"
#include "engine/report/quantities.h"

#include <QAbstractSpinBox>
#include <QLabel>
#include <QLineEdit>
#include <QScrollArea>
#include <QScrollBar>
#include <QTabWidget>
#include <QtTest>

#include <algorithm>
#include <functional>
#include <map>

using namespace tilewright;
using namespace tilewright::views;

namespace {

std::shared_ptr<ReportSnapshot const> snapshotOfTest()
{
    static auto const made = tests::compiledReport();
    return made;
}

Selected selected(SelectionKind kind, int id)
{
    Selected result;
    result.kind = kind;
    result.ids = {id};
    return result;
}

QString firstLayer(ReportSnapshot const &of)
{
    for (auto const &variable : of.data().variables)
        if (variable.role == "weight" && variable.op >= 0 && !of.layerOf(variable.op).isEmpty()) return of.layerOf(variable.op);
    return {};
}

struct Window {
    Session session;
    std::unique_ptr<View> view;
    Window()
    {
        if (!session.document().openTemplate(QStringLiteral("mnist-mlp")).ok()) qFatal("no template");
        view.reset(inspectorView().create(session, nullptr));
        view->resize(320, 640);
        view->show();
    }
    PropertyTable &table() const { return *view->findChild<PropertyTable *>(); }
    void select(QString const &layer)
    {
        session.selection().selectLayer(layer);
        view->refreshNow();
    }
};

} // namespace

class TstInspector : public QObject {
    Q_OBJECT
private slots:
    void derivedValuesHaveTheHeightTheyTake()
    {
        Window window;
        window.select(QStringLiteral("dense"));
        FactList *derived = nullptr;
        for (auto *list : window.view->findChildren<FactList *>())
            if (list->accessibleName() == QLatin1String("Derived values")) derived = list;
        QVERIFY(derived);
        QScrollArea *area = nullptr;
        for (QWidget *up = derived; up && !area; up = up->parentWidget()) area = qobject_cast<QScrollArea *>(up);
        QVERIFY(area);
        for (int const height : {640, 520}) {
            window.view->resize(320, height);
            QTRY_VERIFY2(
                area->verticalScrollBar()->maximum() == 0,
                qPrintable(QStringLiteral("%1: %2 of %3").arg(height).arg(area->height()).arg(area->widget()->sizeHint().height())));
        }
        window.view->resize(320, 240); // half of it at most
        QTRY_VERIFY(window.table().height() > 60);
    }
    void everyKindOfSelectionIsDescribedAndItsLinksLead()
    {
        auto const snapshot = snapshotOfTest();
        std::vector<Selected> const all{selected(SelectionKind::Op, 1),         selected(SelectionKind::ComputeSet, 0),
                                        selected(SelectionKind::Program, 3),    selected(SelectionKind::Variable, 0),
                                        selected(SelectionKind::VertexType, 0), selected(SelectionKind::Tile, 2),
                                        selected(SelectionKind::Ipu, 0),        selected(SelectionKind::LivenessStep, 5)};
        for (auto const &each : all) {
            auto const description = describe(*snapshot, each);
            QVERIFY2(!description.headline.isEmpty(), qPrintable(QString::number(static_cast<int>(each.kind))));
            int facts = 0;
            for (auto const &section : description.sections)
                for (auto const &fact : section.facts) {
                    ++facts;
                    QVERIFY(!fact.value.isEmpty());
                    if (!fact.to.selected.ids.empty()) QVERIFY(!describe(*snapshot, fact.to.selected).sections.isEmpty());
                }
            QVERIFY(facts >= 2);
        }
    }
    void severalLayersAreEditedAtOnce()
    {
        Window w;
        selectLayers(w.session.selection(), {QStringLiteral("dense"), QStringLiteral("dense_1")}, nullptr);
        w.view->refreshNow();
        w.table().apply(QStringLiteral("model.layers.dense.units"), QStringLiteral("77"));
        QCOMPARE(w.session.document().field(QStringLiteral("model.layers.dense.units")), QStringLiteral("77"));
        QCOMPARE(w.session.document().field(QStringLiteral("model.layers.dense_1.units")), QStringLiteral("77"));
        QCOMPARE(w.session.document().undoStack().count(), 1);
    }
    void anOptimizerIsShownByItsArgumentsNotAsJson()
    {
        Window w;
        Selected option;
        option.kind = SelectionKind::Option;
        option.name = QStringLiteral("training.optimizer");
        w.session.selection().select(option);
        w.view->refreshNow();
        QVERIFY(w.table().row(QStringLiteral("training.optimizer")));
        QVERIFY(w.table().row(QStringLiteral("training.optimizer.learning_rate")));
        for (auto const *line : w.view->findChildren<QLineEdit *>())
            QVERIFY2(!line->text().contains(QLatin1Char('{')), qPrintable(line->text()));
        for (auto const *label : w.view->findChildren<QLabel *>())
            QVERIFY2(!label->text().contains(QLatin1String("{\"")), qPrintable(label->text()));
    }
    void missingReportPartsAreNamed()
    {
        for (int const id : {-1, 1000000}) {
            auto const description = describe(*snapshotOfTest(), selected(SelectionKind::Variable, id));
            QCOMPARE(description.sections.size(), 1);
            QVERIFY(description.sections.front().facts.front().value.contains(QStringLiteral("does not contain")));
        }
    }
    /// The largest contents of a tile are those that are live at its peak, as in the report's own table; together they are its need.
    void aTilesContentsAreThoseOfItsPeak()
    {
        auto const snapshot = snapshotOfTest();
        auto const steps = snapshot->tileMetric("peak_step"), need = snapshot->tileMetric("need");
        QVERIFY(!steps.empty());
        bool smaller = false; // than with everything placed
        for (int const tile : {0, 2, snapshot->tiles() - 1}) {
            std::map<std::pair<int, report::MemoryCategory>, Bytes> live, placed;
            auto const keyOf = [](int variable, report::MemoryCategory category) {
                return std::pair(variable, variable >= 0 ? report::MemoryCategory::Variable : category);
            };
            for (auto const &item : snapshot->liveAt(static_cast<int>(steps[static_cast<std::size_t>(tile)]), tile))
                live[keyOf(item.variable, item.category)] += item.bytes;
            for (auto const &item : snapshot->placedOn(tile)) placed[keyOf(item.item.variable, item.item.category)] += item.item.bytes;
            Bytes sum = 0;
            std::vector<Bytes> largest;
            for (auto const &[key, bytes] : live) {
                sum += bytes;
                largest.push_back(bytes);
            }
            std::ranges::sort(largest, std::greater());
            QCOMPARE(sum, need[static_cast<std::size_t>(tile)]);
            smaller = smaller || live.size() < placed.size();
            auto const description = describe(*snapshot, selected(SelectionKind::Tile, tile));
            auto const &contents = description.sections.back();
            QCOMPARE(contents.title, QStringLiteral("Largest at its peak"));
            QVERIFY(!contents.facts.isEmpty());
            for (qsizetype i = 0; i < contents.facts.size(); ++i)
                QCOMPARE(contents.facts[i].tip, bytesExact(largest[static_cast<std::size_t>(i)]));
        }
        QVERIFY(smaller);
    }
    void severalVariablesAddUp()
    {
        auto const &rows = snapshotOfTest()->data().variables;
        Selected both;
        both.kind = SelectionKind::Variable;
        both.ids = {0, 1, 2};
        auto const description = describe(*snapshotOfTest(), both);
        Bytes const sum = rows[0].bytes + rows[1].bytes + rows[2].bytes;
        QCOMPARE(description.sections.front().facts.front().tip, bytesExact(sum));
    }
    void siliconSumsAgreeWithTheReport()
    {
        auto const snapshot = snapshotOfTest();
        auto const facts = siliconOf(*snapshot, {firstLayer(*snapshot)}, {});
        QVERIFY(facts.ok() && facts->found);
        Bytes byTile = 0, byVariable = 0;
        for (auto const bytes : facts->tileBytes) byTile += bytes;
        for (int const id : facts->variables) byVariable += snapshot->data().variables[static_cast<std::size_t>(id)].bytes;
        QCOMPARE(facts->variableBytes, byVariable);
        QCOMPARE(byTile, byVariable);
        QVERIFY(facts->tilesUsed > 0 && facts->tilesUsed <= snapshot->tiles());
        Cycles cycles = 0;
        for (auto const &[pass, each] : facts->passCycles) cycles += each;
        QVERIFY(facts->cycles > 0 && std::abs(cycles - facts->cycles) <= static_cast<Cycles>(facts->passCycles.size()));
        QVERIFY(!siliconOf(*snapshot, {QStringLiteral("no such layer")}, {})->found);
    }
    /// The panel agrees with Operations on a layer's rows: graph operations, their code, bytes moved.
    void siliconCountsAsOperationsDo()
    {
        auto const snapshot = snapshotOfTest();
        auto const &data = snapshot->data();
        auto const layer = firstLayer(*snapshot);
        auto const facts = siliconOf(*snapshot, {layer}, {});
        QVERIFY(facts.ok() && !facts->ops.empty());
        Bytes code = 0;
        for (int const id : facts->ops) {
            QVERIFY(report::isOperation(data.ops[static_cast<std::size_t>(id)]));
            code += report::codeOf(data.ops[static_cast<std::size_t>(id)]);
        }
        QCOMPARE(facts->opCodeBytes, code);
        QVERIFY(facts->codeBytes >= code);
        QVERIFY(facts->alwaysBytes > 0 && facts->alwaysBytes <= facts->variableBytes);
        auto const frame = report::runFrame(data);
        Bytes moved = 0;
        if (frame.run >= 0) {
            auto const costs = report::costsByOp(data, report::costsByProgram(data, frame.run));
            for (std::size_t op = 0; op < data.ops.size(); ++op)
                if (report::isLayer(data.ops[op]) && QString::fromStdString(data.ops[op].name) == layer)
                    moved += report::bytesPerStep(frame, costs[op].bytesMoved);
        } else {
            for (auto const &exchange : data.exchanges)
                if (snapshot->layerOf(data.programs[static_cast<std::size_t>(exchange.program)].op) == layer)
                    moved += report::bytesMoved(exchange);
        }
        QVERIFY(moved > 0);
        QCOMPARE(facts->movedBytes, moved);
    }
    /// With a report alone: the same sizes as in its summary.
    void aReportAloneHasTheSizesOfItsSummary()
    {
        Session session;
        session.showReport(snapshotOfTest());
        std::unique_ptr<View> view(inspectorView().create(session, nullptr));
        view->refreshNow();
        auto const &data = snapshotOfTest()->data();
        QVERIFY(report::operationCount(data) < static_cast<std::int64_t>(data.ops.size()));
        auto const said = [&](QString const &text) {
            return std::ranges::any_of(view->findChildren<QLabel *>(), [&](QLabel *label) { return label->text() == text; });
        };
        QVERIFY(said(countText(report::operationCount(data))));
        QVERIFY(!said(QString::number(data.ops.size())));
    }
    void whatIfNamesTheChange()
    {
        auto const now = *project::fromTemplate("mnist-mlp");
        auto const layer = std::ranges::find(now.model.layers, std::string("Dense"), &model::Layer::className)->name;
        auto const then = *project::withField(now, "model.layers." + layer + ".units", "1024", nullptr);
        auto const a = whatIf(now, {}), b = whatIf(then, {});
        QVERIFY(a.resolves && b.parameters > a.parameters);
        QVERIFY2(whatIfText(a, b).startsWith(QStringLiteral("+") + countText(b.parameters - a.parameters)), qPrintable(whatIfText(a, b)));
        QCOMPARE(whatIfText(a, a), QString());
    }
    /// Several inputs are told apart by their names; a single one needs none.
    void theInputsOfAModelHaveTheirNames()
    {
        auto const inputs = [](char const *name) {
            QStringList texts;
            for (auto const &section : projectFacts(project::fromTemplate(name).value(), {}).sections)
                for (auto const &fact : section.facts)
                    if (fact.label == QLatin1String("Input")) texts << fact.value;
            return texts;
        };
        QCOMPARE(inputs("mnist-mlp"), QStringList{QStringLiteral("28 × 28")});
        auto const two = inputs("transformer-sort");
        QCOMPARE(two.size(), 2);
        QVERIFY2(two[0].contains(QStringLiteral(": ")) && two[0] != two[1], qPrintable(two.join(QLatin1Char('|'))));
    }
    void aLayersDerivedValuesAreThoseOfTheResolvedModel()
    {
        auto const project = *project::fromTemplate("mnist-mlp");
        auto const resolved = model::resolve(project.model);
        for (auto const &layer : resolved->layers) {
            auto const facts = layerFacts(project, {QString::fromStdString(layer.layer.name)}, {});
            if (!project.model.find(layer.layer.name)) continue; // a Sequential's own input
            QVERIFY2(facts.headline.contains(countText(layer.parameters())), qPrintable(facts.headline));
        }
    }
    void editsTheSelectedLayerAndPreviewsTheChange()
    {
        Window window;
        auto const &layers = window.session.document().project().model.layers;
        auto const layer = QString::fromStdString(std::ranges::find(layers, std::string("Dense"), &model::Layer::className)->name);
        window.select(layer);
        QVERIFY2(window.view->headline().contains(layer), qPrintable(window.view->headline()));
        QString const path = QStringLiteral("model.layers.%1.units").arg(layer);
        auto *row = window.table().row(path);
        QVERIFY(row);
        auto *spin = qobject_cast<QAbstractSpinBox *>(row->editor().input());
        spin->setFocus();
        spin->selectAll();
        QTest::keyClicks(spin, QStringLiteral("777"));
        QTRY_VERIFY(row->hint().contains(QStringLiteral("parameter(s)")));
        QCOMPARE(window.session.document().field(path) == QStringLiteral("777"), false);
        QTest::keyClick(spin, Qt::Key_Return);
        QCOMPARE(window.session.document().field(path), QStringLiteral("777"));
        QTRY_VERIFY(row->hint().isEmpty());
    }
    void aRenamedLayerStaysSelected()
    {
        Window window;
        auto const &layers = window.session.document().project().model.layers;
        auto const layer = QString::fromStdString(std::ranges::find(layers, std::string("Dense"), &model::Layer::className)->name);
        window.select(layer);
        window.table().apply(QStringLiteral("model.layers.%1.name").arg(layer), QStringLiteral("hidden"));
        QCOMPARE(window.session.selection().current().name, QStringLiteral("hidden"));
        QTRY_VERIFY(window.table().row(QStringLiteral("model.layers.hidden.units")));
    }
    void nothingSelectedShowsTheProject()
    {
        Window window;
        window.session.selection().clear();
        window.view->refreshNow();
        QVERIFY2(window.view->headline().contains(QStringLiteral("Nothing selected")), qPrintable(window.view->headline()));
        auto const tables = window.view->exportTables();
        QVERIFY(!tables.isEmpty() && tables.last().rows.size() >= 6);
    }
};

TW_REGISTER_TEST(TstInspector);
#include "tst_inspector.moc"

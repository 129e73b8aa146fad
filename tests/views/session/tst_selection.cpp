#include "tests/support/test_registry.h"
#include "views/document/document.h"
#include "views/reports/report_snapshot.h"
#include "views/session/layer_selection.h"
#include "views/session/selection.h"
#include "views/session/session.h"

#include "engine/compiler/compile.h"
#include "engine/project/project.h"
#include "engine/runtime/run_report.h"

#include <QElapsedTimer>
#include <QTemporaryDir>
#include <QtTest>

using namespace tilewright;
using namespace tilewright::views;

class TstSelection : public QObject {
    Q_OBJECT
    QTemporaryDir m_folder;
    std::shared_ptr<ReportSnapshot const> m_report;

    /// With other ids than those of m_report.
    static ReportPtr otherReport() { return ReportSnapshot::ofData({}, QStringLiteral("other")); }

private slots:
    void initTestCase()
    {
        auto project = project::fromTemplate("mnist-mlp");
        project = project::withField(*project, "system.target", "gc200:tiles=32", nullptr);
        QVERIFY(project.ok());
        compiler::CompileRequest request;
        request.forReport = true;
        request.useCache = false;
        auto const compiled = compiler::compile(*project, request, {});
        QVERIFY(compiled.ok());
        auto const path = m_folder.filePath(QStringLiteral("r.twreport"));
        QVERIFY(runtime::writeCompileReport(path.toStdString(), *project, *compiled).ok());
        auto const report = ReportSnapshot::open(path, {});
        QVERIFY(report.ok());
        m_report = *report;
    }
    void historyKeepsNamesAndNoRowsOfAnotherReport()
    {
        Selection selection;
        selection.setReport(m_report);
        selection.selectLayer(QStringLiteral("dense"));
        selection.selectIds(SelectionKind::Tile, {3});
        Selected range;
        range.kind = SelectionKind::TimeRange;
        range.end = 100;
        selection.select(range);
        selection.selectLayer(QStringLiteral("dense_1"));
        selection.setReport(otherReport());
        QCOMPARE(selection.current().name, QStringLiteral("dense_1"));
        selection.back();
        QCOMPARE(selection.current().name, QStringLiteral("dense")); // neither the tile nor the cycles between
        QVERIFY(!selection.canGoBack());
        selection.forward();
        QCOMPARE(selection.current().name, QStringLiteral("dense_1"));
        // What is selected goes, too; what was selected before it is one step back.
        selection.selectIds(SelectionKind::Variable, {1});
        selection.setReport(m_report);
        QCOMPARE(selection.current().kind, SelectionKind::None);
        selection.back();
        QCOMPARE(selection.current().name, QStringLiteral("dense_1"));
    }
    void layersThatAnUndoTakesAwayAreSelectedNoMore()
    {
        Session session;
        auto &document = session.document();
        QVERIFY(document.openTemplate(QStringLiteral("mnist-mlp")).ok());
        QCoreApplication::processEvents();
        auto const added = QStringLiteral("dense_9");
        QVERIFY(document
                    .edit(QStringLiteral("Add"),
                          [&](project::Project &project) -> Status {
                              project.model.layers.push_back(project.model.layers.back());
                              project.model.layers.back().name = added.toStdString();
                              return {};
                          })
                    .ok());
        selectLayers(session.selection(), {QStringLiteral("dense"), added}, nullptr);
        QCoreApplication::processEvents();
        QCOMPARE(layersOf(session.selection().current()).size(), 2);
        document.undoStack().undo();
        QTRY_COMPARE(layersOf(session.selection().current()), QStringList{QStringLiteral("dense")});
        // A layer that only a report knows stays.
        session.selection().selectLayer(QStringLiteral("elsewhere"));
        QVERIFY(document.setField(QStringLiteral("training.batch_size"), QStringLiteral("16")).ok());
        QCoreApplication::processEvents();
        QCOMPARE(session.selection().current().name, QStringLiteral("elsewhere"));
    }
    void fromALayerToItsTilesAndCyclesAndBack()
    {
        Selected layer;
        layer.kind = SelectionKind::Layer;
        layer.name = QStringLiteral("dense");
        auto const lineage = lineageOf(*m_report, layer);
        auto const &d = m_report->data();
        QVERIFY(Lineage::count(lineage.ops) > 0);
        QVERIFY(Lineage::count(lineage.computeSets) > 0);
        QVERIFY(Lineage::count(lineage.tiles) > 0);
        QVERIFY(lineage.layers.size() == 1 && lineage.layers[0] == QLatin1String("dense"));
        for (std::size_t i = 0; i < d.variables.size(); ++i)
            if (lineage.variables[i]) QVERIFY(m_report->layerOf(d.variables[i].op) == QLatin1String("dense"));
        // Every variable of it leads back to it.
        for (std::size_t i = 0; i < d.variables.size(); ++i) {
            if (!lineage.variables[i]) continue;
            Selected variable;
            variable.kind = SelectionKind::Variable;
            variable.ids = {static_cast<int>(i)};
            auto const back = lineageOf(*m_report, variable);
            QVERIFY(std::find(back.layers.begin(), back.layers.end(), QStringLiteral("dense")) != back.layers.end());
        }
    }
    /// A tile has a part of almost every variable and step. Colouring all of them colours half of every page.
    void onlyWhatLiesOnFewTilesBelongsToATile()
    {
        Selected tile;
        tile.kind = SelectionKind::Tile;
        tile.ids = {7};
        auto const lineage = lineageOf(*m_report, tile);
        auto const &d = m_report->data();
        int const few = m_report->tilesPerIpu() / 8;
        auto const tilesOf = [&](int vec) {
            auto const &values = m_report->tileVec(vec);
            return std::ranges::count_if(values, [](auto value) { return value != 0; });
        };
        int spread = 0;
        for (auto const &placed : m_report->placedOn(7)) {
            if (placed.item.variable < 0) continue;
            bool const concentrated = tilesOf(d.variables[static_cast<std::size_t>(placed.item.variable)].bytesVec) <= few;
            QCOMPARE(bool(lineage.variables[static_cast<std::size_t>(placed.item.variable)]), concentrated);
            spread += !concentrated;
        }
        QVERIFY(spread > 0);
        for (std::size_t i = 0; i < d.computeSets.size(); ++i)
            if (lineage.computeSets[i]) QVERIFY(tilesOf(d.computeSets[i].cyclesVec) <= few);
        QCOMPARE(Lineage::count(lineage.tiles), 1);
        QCOMPARE(Lineage::count(lineage.ipus), 1);
        QCOMPARE(Lineage::count(lineage.ops), 0); // nor the layers and operations
        QVERIFY(lineage.layers.empty());
    }
    void everyKindOfEveryIdIsMappedInTime()
    {
        auto const &d = m_report->data();
        qint64 worst = 0;
        auto const tryAll = [&](SelectionKind kind, std::size_t rows) {
            for (std::size_t i = 0; i < rows; ++i) {
                Selected s;
                s.kind = kind;
                s.ids = {static_cast<int>(i)};
                QElapsedTimer clock;
                clock.start();
                (void)lineageOf(*m_report, s);
                worst = std::max(worst, clock.elapsed());
            }
        };
        tryAll(SelectionKind::Op, d.ops.size());
        tryAll(SelectionKind::ComputeSet, d.computeSets.size());
        tryAll(SelectionKind::Program, d.programs.size());
        tryAll(SelectionKind::Variable, d.variables.size());
        tryAll(SelectionKind::VertexType, d.vertexTypes.size());
        tryAll(SelectionKind::Tile, 32);
        tryAll(SelectionKind::Ipu, 1);
        tryAll(SelectionKind::LivenessStep, d.livenessSteps.size());
        qInfo("slowest lineage: %lld ms", static_cast<long long>(worst));
        Selected beyond;
        beyond.kind = SelectionKind::Op;
        beyond.ids = {1 << 20, -1};
        QVERIFY(lineageOf(*m_report, beyond).empty());
    }
    void backAndForward()
    {
        Selection selection;
        selection.setReport(m_report);
        selection.selectLayer(QStringLiteral("dense"));
        selection.selectIds(SelectionKind::Tile, {3});
        QVERIFY(selection.canGoBack());
        selection.back();
        QCOMPARE(selection.current().name, QStringLiteral("dense"));
        selection.forward();
        QCOMPARE(selection.current().ids, std::vector<int>{3});
        QCOMPARE(selection.text(), QStringLiteral("Tile 3"));
        selection.back();
        selection.selectIds(SelectionKind::Tile, {4});
        QVERIFY(!selection.canGoForward());
    }
    void idsDoNotOutliveTheirReport()
    {
        Selection selection;
        selection.setReport(m_report);
        selection.selectIds(SelectionKind::Variable, {1});
        selection.setReport(nullptr);
        QVERIFY(selection.current().ids.empty());
        selection.selectLayer(QStringLiteral("dense"));
        selection.setReport(m_report);
        QCOMPARE(selection.current().name, QStringLiteral("dense"));
    }
    void theHeadOfAReportIsEnoughForItsSummary()
    {
        QElapsedTimer clock;
        clock.start();
        auto const head = ReportSnapshot::openHead(m_report->path());
        qInfo("head: %lld ms", static_cast<long long>(clock.elapsed()));
        QVERIFY(head.ok());
        QVERIFY(!(*head)->isWhole());
        QCOMPARE((*head)->data().figures, m_report->data().figures);
        QCOMPARE((*head)->data().verdicts, m_report->data().verdicts);
    }
};

TW_REGISTER_TEST(TstSelection);
#include "tst_selection.moc"

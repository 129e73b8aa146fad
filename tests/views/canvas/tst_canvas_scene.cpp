#include "views/canvas/canvas_headline.h"
#include "views/canvas/canvas_metrics.h"
#include "views/canvas/canvas_scene.h"
#include "views/canvas/overlay.h"
#include "views/modeledit/layer_phrase.h"

#include "views/advice/fit_watch.h"
#include "views/common/format.h"
#include "views/document/document.h"
#include "views/reports/report_snapshot.h"
#include "views/session/session.h"

#include "engine/model/resolve.h"
#include "tests/support/test_registry.h"

#include <QFontMetricsF>
#include <QtTest>

#include <algorithm>

using namespace tilewright;
using namespace tilewright::views;

namespace {

project::Project typedProject(char const *text)
{
    project::Project project;
    auto const edit = appendLayers({}, *parseLayerPhrase(QString::fromUtf8(text)), {});
    project.model = edit->model;
    return project;
}

CanvasScene sceneOf(project::Project const &project, CanvasLayout const &layout = {}, std::vector<Diagnostic> const &problems = {})
{
    return buildScene(modelGraph(project), layout, problems, nullptr);
}

project::Project residual()
{
    project::Project project = typedProject("input 8 > dense 8 name=a > dense 8 name=b > dense 8 name=c");
    project.model = appendLayers(project.model, {model::makeLayer("Add", "add")}, "c")->model;
    project.model = connectLayers(project.model, "a", "add")->model;
    return project;
}

} // namespace

class TstCanvasScene : public QObject {
    Q_OBJECT
private slots:
    void textsTooWideForANodeLoseWholeParts()
    {
        ModelGraph graph;
        LayerInfo layer;
        layer.name = "conv2d";
        layer.className = "Conv2D";
        layer.arguments = QStringLiteral("a long list of arguments that no node is wide enough for, 3 × 3, valid, relu");
        layer.shape = {-1, 1026, 1026, 3200};
        layer.parameters = 32000;
        layer.weightBytes = 2768240;
        graph.layers.push_back(layer);
        CanvasScene const scene = buildScene(graph, {}, {}, nullptr);
        auto const &node = scene.nodes.front();
        QFontMetricsF const metrics(uiFont(TextSize::Caption));
        double const room = node.rect.width() - canvas::kTextLeft - canvas::kTextRight;
        QVERIFY(metrics.horizontalAdvance(node.facts) <= room && metrics.horizontalAdvance(node.subtitle) <= room);
        QVERIFY2(!node.facts.contains(QStringLiteral("…")) && node.facts.endsWith(node.factParts.last()), qPrintable(node.facts));
        QVERIFY(node.facts != node.factParts.join(QStringLiteral(" · ")));
        QVERIFY2(node.subtitle.contains(QStringLiteral("…")) && !node.subtitle.endsWith(QStringLiteral("…")), qPrintable(node.subtitle));
        QVERIFY2(node.shape.contains(QLocale().toString(1026)), qPrintable(node.shape));
    }
    void theGraphShowsTheEnginesProblems()
    {
        auto project = project::fromTemplate("mnist-mlp");
        QVERIFY(project.ok());
        for (auto const &each : {*project, residual()}) {
            auto const graph = modelGraph(each);
            auto const resolved = model::resolve(each.model);
            QVERIFY(resolved.ok());
            QCOMPARE(graph.parameters, resolved->parameters());
            for (auto const &call : resolved->calls) {
                auto const &layer = graph.layers[static_cast<std::size_t>(graph.row(resolved->layers[call.layer].layer.name))];
                QVERIFY(layer.shape == call.shape);
                QCOMPARE(layer.parameters, resolved->layers[call.layer].parameters());
                QCOMPARE(layer.multiplyAdds, call.multiplyAdds);
            }
        }
    }
    void brokenModelsAreShownPartially()
    {
        auto project = typedProject("input 8 > dense 4 > dense 2");
        project.model.layers[1].className = "Densest";
        auto const graph = modelGraph(project);
        QVERIFY(graph.layers[1].placeholder);
        QCOMPARE(graph.layers[0].shape, (Shape{-1, 8}));
        QVERIFY(graph.layers[2].shape.empty());
        auto const problems = model::modelProblems(project.model);
        auto const scene = sceneOf(project, {}, problems);
        auto const &node = scene.nodes[static_cast<std::size_t>(scene.nodeOf("dense"))];
        QCOMPARE(node.problem, static_cast<int>(Severity::Error));
        QVERIFY(node.problemText.contains(QStringLiteral("Densest")));
        QVERIFY(badgeAt(scene, badgeRect(node).center()) >= 0);
    }
    void foldedGroupsAreOneNodeWithTheirConnections()
    {
        auto const project = residual();
        CanvasLayout layout = grouped({}, {"b", "c"}, "block");
        auto const open = sceneOf(project, layout);
        QCOMPARE(open.frames.size(), std::size_t(1));
        for (char const *member : {"b", "c"})
            QVERIFY(open.frames[0].rect.contains(open.nodes[static_cast<std::size_t>(open.nodeOf(member))].rect));
        layout.groups[0].folded = true;
        auto const folded = sceneOf(project, layout);
        QCOMPARE(folded.nodes.size(), open.nodes.size() - 1);
        int const group = folded.node("group:block");
        QVERIFY(group >= 0 && folded.nodeOf("b") == group && folded.nodeOf("c") == group);
        QCOMPARE(folded.layersOf(group), (std::vector<std::string>{"b", "c"}));
        int in = 0, out = 0;
        for (auto const &edge : folded.edges) {
            in += edge.to == group;
            out += edge.from == group;
        }
        QCOMPARE(in, 1);
        QCOMPARE(out, 1);
    }
    void arrowsWalkAlongConnectionsAndFindSkipsNothing()
    {
        auto const scene = sceneOf(residual());
        int const a = scene.nodeOf("a");
        QCOMPARE(neighbour(scene, a, Qt::Key_Up), scene.nodeOf("input_1"));
        QCOMPARE(neighbour(scene, a, Qt::Key_Down), scene.nodeOf("b"));
        QCOMPARE(neighbour(scene, -1, Qt::Key_Down), 0);
        QCOMPARE(traced(scene, scene.nodeOf("add"), false).size(), std::size_t(5));
        QCOMPARE(traced(scene, scene.nodeOf("b"), true).size(), std::size_t(3));
        QCOMPARE(findNodes(scene, QStringLiteral("dense 8")).size(), std::size_t(3));
        QCOMPARE(findNodes(scene, QStringLiteral("add")).size(), std::size_t(1));
        QVERIFY(findNodes(scene, QStringLiteral("  ")).empty());
    }
    void hitTestsFindTheElements()
    {
        auto const scene = sceneOf(residual());
        for (std::size_t i = 0; i < scene.nodes.size(); ++i) {
            QCOMPARE(nodeAt(scene, scene.nodes[i].rect.center()), static_cast<int>(i));
            QCOMPARE(outputPortAt(scene, outputPort(scene, scene.nodes[i]) + QPointF(2, 2), 6), static_cast<int>(i));
        }
        for (std::size_t e = 0; e < scene.edges.size(); ++e) {
            auto const &route = scene.edges[e].route;
            QCOMPARE(edgeAt(scene, route[0] + (route[1] - route[0]) * 0.6, 3), static_cast<int>(e));
        }
        QCOMPARE(nodeAt(scene, scene.bounds.bottomRight() + QPointF(50, 50)), -1);
    }
    void overlaysTakeTheirValuesFromTheReport()
    {
        auto const project = typedProject("input 8 > dense 4 > dense 2");
        report::ReportData data;
        for (char const *name : {"dense", "dense_1"}) {
            report::OpRow op;
            op.level = "keras";
            op.name = name;
            op.kind = "Dense";
            op.variableBytes = 1000;
            op.codeAttributed = 24;
            data.ops.push_back(op);
        }
        report::OpRow child;
        child.level = "graph";
        child.name = "dense/matmul";
        child.parent = 0;
        data.ops.push_back(child);
        report::ProgramRow program;
        program.op = 2;
        data.programs.push_back(program);
        data.runs.push_back({});
        data.runs[0].steps = 10;
        report::StepStatRow stat;
        stat.run = 0;
        stat.program = 0;
        stat.ipu = 0;
        stat.executions = 10;
        stat.cycles = 5000;
        data.stepStats.push_back(stat);
        report::IpuSplitRow split;
        split.run = 0;
        split.ipu = 0;
        data.ipuSplits.push_back(split);
        auto const report = ReportSnapshot::ofData(data, QStringLiteral("r"));
        auto const graph = modelGraph(project);
        auto const cycles = makeOverlay(OverlayKind::ReportCycles, graph, report.get());
        QCOMPARE(cycles.values.at("dense"), 500.0);
        QCOMPARE(cycles.values.at("dense_1"), 0.0);
        QCOMPARE(cycles.shareOf("dense"), 1.0);
        QCOMPARE(cycles.shareOf("input_1"), -1.0);
        QCOMPARE(makeOverlay(OverlayKind::ReportBytes, graph, report.get()).values.at("dense"), 1024.0);
        QVERIFY(!makeOverlay(OverlayKind::ReportCycles, graph, nullptr).why.isEmpty());
        QCOMPARE(makeOverlay(OverlayKind::Parameters, graph, nullptr).values.at("dense"), 36.0);
    }
    void theHeadlineShowsErrorsFirstThenTheOriginOfFigures()
    {
        auto project = typedProject("input 8 > dense 4");
        project.data.limit = 320;
        auto const graph = modelGraph(project);
        Session session;
        auto &fit = FitWatch::of(session);
        session.document().openProject(project::withField(project, "system.target", "pod4:tiles=4", nullptr).value(), {}, false);
        QTRY_COMPARE(fit.source(), FitSource::Estimate);
        QString const before = canvasHeadline(graph, fit, {}, 1);
        QVERIFY2(before.contains(QStringLiteral("36 parameters")) && before.contains(QStringLiteral("estimated"))
                     && before.contains(QStringLiteral(" 4 IPU")),
                 qPrintable(before));
        // The figure of the meter and of the headline are one.
        QTRY_COMPARE_WITH_TIMEOUT(fit.source(), FitSource::Trial, 60000);
        QString const after = canvasHeadline(graph, fit, {}, 1);
        QVERIFY2(after.contains(QStringLiteral("fits: worst tile ") + shareText(fit.ipus().front().placed))
                     && !after.contains(QStringLiteral("estimated")),
                 qPrintable(after));
        std::vector<Diagnostic> const problems{makeError(ErrorKind::Invalid, "model.shape", "dense", "broken")};
        QVERIFY(canvasHeadline(graph, fit, problems, 1).startsWith(QStringLiteral("1 error")));
        QVERIFY(canvasHeadline(graph, fit, problems, 1).contains(QStringLiteral("dense: broken")));
        // A long sentence ends at a word, outside of brackets. A sum over the layers that happen to be known is no number of parameters.
        std::string words = "needs an input of rank 4 of some kind or other";
        while (words.size() < 118) words += " word";
        auto partly = graph;
        partly.layers.back().shape.clear();
        std::vector<Diagnostic> const wrong{makeError(ErrorKind::Invalid, "model.shape", "dense", words + " [batch, height]")};
        QString const cut = canvasHeadline(partly, fit, wrong, 1);
        QVERIFY2(cut.contains(QStringLiteral("word …")) && !cut.contains(QLatin1Char('[')), qPrintable(cut));
        QVERIFY2(!cut.contains(QStringLiteral("parameters")), qPrintable(cut));
    }
    void stagesAreLanes()
    {
        auto project = typedProject("input 8 > dense 8 > dense 8 > dense 2");
        project.model = withProposedStages(project.model, 2)->model;
        auto const scene = sceneOf(project);
        QCOMPARE(scene.lanes.size(), std::size_t(2));
        for (auto const &node : scene.nodes) QVERIFY(scene.lanes[static_cast<std::size_t>(node.stage)].rect.contains(node.rect));
    }
};

TW_REGISTER_TEST(TstCanvasScene);
#include "tst_canvas_scene.moc"

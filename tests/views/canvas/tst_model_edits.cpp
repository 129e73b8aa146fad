#include "views/modeledit/canvas_layout.h"
#include "views/modeledit/layer_phrase.h"
#include "views/modeledit/model_edits.h"
#include "views/modeledit/problem_fixes.h"

#include "views/document/document.h"
#include "views/session/session.h"

#include "engine/core/random.h"
#include "engine/model/keras_json.h"
#include "engine/model/resolve.h"
#include "tests/support/test_registry.h"

#include <QtTest>

#include <algorithm>

using namespace tilewright;
using namespace tilewright::views;
using model::Model;

namespace {

std::vector<model::Layer> typed(char const *text)
{
    auto const layers = parseLayerPhrase(QString::fromUtf8(text));
    return layers.ok() ? *layers : std::vector<model::Layer>{};
}

Model sequential(char const *text)
{
    auto const edit = appendLayers({}, typed(text), {});
    return edit.ok() ? edit->model : Model{};
}

/// x -> a -> add <- b <- x: input_1, dense (a), dense_1 (b), add, dense_2 (output).
Model diamond()
{
    Model m = toFunctional(sequential("input 8 > dense 8 name=a"));
    m = appendLayers(m, typed("dense 8 name=b"), "input_1")->model;
    m = appendLayers(m, {model::makeLayer("Add", "add")}, "a")->model;
    m = connectLayers(m, "b", "add")->model;
    return appendLayers(m, typed("dense 2 name=top"), "add")->model;
}

QString edgeText(Model const &m)
{
    QStringList all;
    for (auto const &edge : edgesOf(m)) all << QString::fromStdString(edge.from + ">" + edge.to);
    return all.join(u' ');
}

QString layerNames(Model const &m)
{
    QStringList all;
    for (auto const &layer : m.layers) all << QString::fromStdString(layer.name);
    return all.join(u' ');
}

} // namespace

class TstModelEdits : public QObject {
    Q_OBJECT
private slots:
    void appendsBehindTheSelectedLayer()
    {
        Model const m = sequential("input 28 28 > flatten > dense 10");
        QVERIFY(model::resolve(m).ok());
        auto const edit = appendLayers(m, typed("dense 64 relu > dropout 0.5"), "flatten");
        QVERIFY(edit.ok());
        QCOMPARE(layerNames(edit->model), QStringLiteral("input_1 flatten dense_1 dropout dense"));
        QCOMPARE(edit->layers, (std::vector<std::string>{"dense_1", "dropout"}));
        QVERIFY(model::resolve(edit->model).ok());
        QCOMPARE(layerNames(appendLayers(m, typed("softmax"), {})->model), QStringLiteral("input_1 flatten dense softmax"));
        QCOMPARE(appendLayers(m, typed("softmax"), "nobody").error().code, std::string("edit.no-layer"));
    }
    void anInputGoesFirstAndASecondOneMakesTheModelFunctional()
    {
        Model const m = sequential("dense 10");
        auto const first = appendLayers(m, typed("input 5"), {});
        QCOMPARE(first->model.layers.front().className, std::string("InputLayer"));
        QVERIFY(first->note.isEmpty());
        auto const second = appendLayers(first->model, typed("input 5"), {});
        QVERIFY(second->model.kind == model::ModelKind::Functional);
        QVERIFY(!second->note.isEmpty());
        QCOMPARE(second->model.inputs.size(), std::size_t(2));
    }
    void appendingMovesTheOutputButBranchingDoesNot()
    {
        Model const m = toFunctional(sequential("input 8 > dense 8"));
        auto const end = appendLayers(m, typed("softmax"), "dense");
        QVERIFY(isOutput(end->model, "softmax") && !isOutput(end->model, "dense"));
        auto const branch = appendLayers(m, typed("softmax"), "input_1");
        QVERIFY(!isOutput(branch->model, "softmax") && isOutput(branch->model, "dense"));
    }
    void insertsOnAnEdge()
    {
        auto const edit = insertOnEdge(diamond(), model::makeLayer("ReLU", "act"), {"b", "add", 0, 1});
        QVERIFY(edit.ok());
        QCOMPARE(edgeText(edit->model), QStringLiteral("input_1>a input_1>b b>act a>add act>add add>top"));
        QVERIFY(model::resolve(edit->model).ok());
        QCOMPARE(insertOnEdge(diamond(), model::makeLayer("ReLU", "act"), {"a", "top", 0, 0}).error().code, std::string("edit.no-edge"));
        QCOMPARE(insertOnEdge(diamond(), model::makeInput("in", {3}), {"a", "add", 0, 0}).error().code, std::string("edit.input-target"));
        Model const m = sequential("input 8 > dense 8 > softmax");
        QCOMPARE(layerNames(insertOnEdge(m, model::makeLayer("ReLU", {}), {"dense", "softmax", 0, 0})->model),
                 QStringLiteral("input_1 dense re_lu softmax"));
    }
    void insertAfterTakesOverAllUsers()
    {
        auto const edit = insertAfter(diamond(), model::makeLayer("ReLU", "act"), "input_1");
        QCOMPARE(edgeText(edit->model), QStringLiteral("act>a act>b a>add b>add add>top input_1>act"));
        QVERIFY(model::resolve(edit->model).ok());
    }
    void connectingRefusesWithTheReason()
    {
        Model const m = diamond();
        QCOMPARE(connectLayers(m, "top", "a").error().code, std::string("edit.cycle"));
        QCOMPARE(connectLayers(m, "a", "a").error().code, std::string("edit.cycle"));
        QCOMPARE(connectLayers(m, "a", "add").error().code, std::string("edit.connected"));
        QCOMPARE(connectLayers(m, "a", "top").error().code, std::string("edit.too-many-inputs"));
        QCOMPARE(connectLayers(m, "a", "input_1").error().code, std::string("edit.input-target"));
        QCOMPARE(connectLayers(m, "a", "nobody").error().code, std::string("edit.no-layer"));
        QVERIFY(QString::fromStdString(connectLayers(m, "a", "top").error().message).contains(QStringLiteral("Dense")));
        auto const third = connectLayers(m, "input_1", "add"); // a merge takes any number
        QVERIFY(third.ok());
        QVERIFY(model::resolve(third->model).ok());
    }
    void aLooseLayerConnectedToTheOutputBecomesTheOutput()
    {
        Model m = addLoose(sequential("input 8 > dense 8"), model::makeLayer("Softmax", "soft"))->model;
        QVERIFY(m.kind == model::ModelKind::Functional);
        m = connectLayers(m, "dense", "soft")->model;
        QVERIFY(isOutput(m, "soft") && !isOutput(m, "dense"));
        QVERIFY(model::resolve(m).ok());
    }
    void connectingInASequentialConvertsWithANote()
    {
        Model m = sequential("input 8 > dense 8");
        auto const merged = appendLayers(m, {model::makeLayer("Add", {})}, "dense");
        QVERIFY(merged->model.kind == model::ModelKind::Functional && merged->note.contains(QStringLiteral("functional")));
        auto const skip = connectLayers(merged->model, "input_1", "add");
        QVERIFY(skip.ok());
        QVERIFY(model::resolve(skip->model).ok());
    }
    void removingHealsTheEdge()
    {
        Model const m = sequential("input 8 > dense 8 > relu > dense 2");
        QCOMPARE(edgeText(removeHealing(m, {"re_lu"})->model), QStringLiteral("input_1>dense dense>dense_1"));
        auto const a = removeHealing(diamond(), {"a"});
        QCOMPARE(edgeText(a->model), QStringLiteral("input_1>b input_1>add b>add add>top"));
        QVERIFY(a->note.isEmpty());
        QVERIFY(model::resolve(a->model).ok());
        auto const add = removeHealing(diamond(), {"add"}); // two inputs: no single layer takes its place
        QVERIFY(!add->note.isEmpty());
        QCOMPARE(edgeText(add->model), QStringLiteral("input_1>a input_1>b"));
        auto const top = removeHealing(diamond(), {"top"});
        QVERIFY(isOutput(top->model, "add"));
        auto const all = removeHealing(diamond(), {"a", "b", "add", "top", "input_1"});
        QVERIFY(all->model.layers.empty() && all->model.outputs.empty());
    }
    void removingKeepsTheStagesOfTheOthers()
    {
        Model m = sequential("input 8 > dense 8 > dense 8 > dense 2");
        m = withStage(m, {"dense"}, 0)->model;
        m = withStage(m, {"dense_1", "dense_2"}, 1)->model;
        m = removeHealing(m, {"dense_1"})->model;
        QCOMPARE(stageOf(m, "dense_2"), 1);
        QCOMPARE(stageOf(appendLayers(m, typed("softmax"), "dense_2")->model, "softmax"), 1);
    }
    void disconnectsOneEdge()
    {
        auto const edit = disconnectLayers(diamond(), {"b", "add", 0, 1});
        QCOMPARE(edgeText(edit->model), QStringLiteral("input_1>a input_1>b a>add add>top"));
        QCOMPARE(disconnectLayers(edit->model, {"b", "add", 0, 1}).error().code, std::string("edit.no-edge"));
    }
    void duplicatesKeepTheirConnectionsAmongThemselves()
    {
        auto const edit = duplicateLayers(diamond(), {"a", "b", "add"});
        QCOMPARE(edit->layers, (std::vector<std::string>{"dense", "dense_1", "add_1"}));
        QVERIFY(edgeText(edit->model).contains(QStringLiteral("dense>add_1 dense_1>add_1")));
        QVERIFY(edgeText(edit->model).contains(QStringLiteral("input_1>dense input_1>dense_1")));
        Model const m = sequential("input 8 > dense 8 > relu");
        QCOMPARE(layerNames(duplicateLayers(m, {"dense", "re_lu"})->model), QStringLiteral("input_1 dense re_lu dense_1 re_lu_1"));
        QVERIFY(!duplicateLayers(m, {"input_1"}).ok());
    }
    void copiesSurviveTheClipboard()
    {
        auto const part = extractLayers(diamond(), {"a", "b", "add"});
        QVERIFY(part.ok());
        auto const back = model::parseKerasJson(model::printKerasJson(*part));
        QVERIFY(back.ok());
        auto const pasted = pasteLayers(sequential("input 8 > dense 8"), *back, "dense");
        QVERIFY(pasted.ok());
        QCOMPARE(pasted->layers.size(), std::size_t(3));
        QVERIFY(edgeText(pasted->model).contains(QStringLiteral("dense>a")));
        auto const chained = extractLayers(sequential("input 8 > dense 8 > relu > dense 2"), {"dense", "re_lu"});
        QVERIFY(chained->kind == model::ModelKind::Sequential);
        QCOMPARE(layerNames(pasteLayers(sequential("input 8 > dense 4"), *chained, "dense")->model),
                 QStringLiteral("input_1 dense dense_1 re_lu"));
    }
    void pastingBesideALayerOfTheSameNameMakesNoCycle()
    {
        Model const m = diamond();
        auto const part = extractLayers(m, {"a", "b", "add"});
        auto const pasted = pasteLayers(m, *part, "a");
        QVERIFY(pasted.ok());
        for (auto const &edge : edgesOf(pasted->model)) QVERIFY(!reaches(pasted->model, edge.to, edge.from));
    }
    void movesLayersOfASequentialOnly()
    {
        Model const m = sequential("input 8 > dense 8 > relu > dense 2");
        QCOMPARE(layerNames(moveLayer(m, "re_lu", 1)->model), QStringLiteral("input_1 dense dense_1 re_lu"));
        QVERIFY(!moveLayer(m, "dense", -1).ok()); // not before the input
        QVERIFY(!moveLayer(m, "dense_1", 1).ok());
        QVERIFY(!moveLayer(m, "input_1", 1).ok());
        QCOMPARE(moveLayer(diamond(), "a", 1).error().code, std::string("edit.no-order"));
    }
    void convertsThereAndBack()
    {
        Model const m = sequential("input 8 > dense 8 relu > dense 2");
        auto const back = toSequential(toFunctional(m));
        QVERIFY(back.ok());
        QCOMPARE(back->model, m);
        QCOMPARE(toSequential(diamond()).error().code, std::string("edit.no-chain"));
        QVERIFY(model::resolve(toFunctional(m)).ok());
    }
    void fixesSolveTheirProblems()
    {
        // A branch that leads nowhere.
        Model const branch = appendLayers(diamond(), typed("dense 3 name=loose"), "a")->model;
        // A Dense with two inputs, put together by hand.
        Model twice = diamond();
        twice.find("top")->calls[0].inputs.push_back({"a", 0, 0});
        Model spelt = sequential("input 8 > dense 8");
        spelt.layers[1].className = "Dence";
        Model odd = sequential("input 8 > dense 8");
        odd.layers[1].config["unitz"] = 3;
        for (Model const &broken : {branch, twice, spelt, odd}) {
            auto const problems = model::modelProblems(broken);
            QVERIFY(!problems.empty());
            auto const fixes = fixesFor(broken, problems.front());
            QVERIFY2(!fixes.empty() && fixes.front().apply, problems.front().code.c_str());
            auto const fixed = fixes.front().apply(broken);
            QVERIFY(fixed.ok());
            QVERIFY2(model::modelProblems(fixed->model).empty(), problems.front().code.c_str());
        }
        auto const none = fixesFor({}, makeError(ErrorKind::Invalid, "model.empty", "m", "the model has no layers"));
        QCOMPARE(none.front().phrase, QStringLiteral("input "));
    }
    void layoutJsonRoundTripsAndForgivesDamage()
    {
        CanvasLayout layout;
        layout.leftToRight = true;
        layout.pins["a"] = {3, -4.5};
        layout = grouped(layout, {"a", "b"});
        layout = grouped(layout, {"b", "c"}, "block");
        QCOMPARE(layout.groups.size(), std::size_t(2));
        QCOMPARE(layout.groupOf("b")->name, std::string("block"));
        QVERIFY(parseCanvasLayout(printCanvasLayout(layout)) == layout);
        QCOMPARE(printCanvasLayout({}), std::string("{}"));
        for (char const *damaged : {"", "[]", "{\"pins\": 3}", "{\"pins\": {\"a\": [1]}}", "{\"groups\": [{\"name\": 1}, 7]}", "{"})
            QVERIFY(parseCanvasLayout(damaged) == CanvasLayout{});
        QCOMPARE(pruned(layout, {"c"}).groups.size(), std::size_t(1));
        QVERIFY(layoutRenamed(layout, "a", "z").pins.contains("z"));
        QCOMPARE(groupedByScope({}, {"block1/a", "block1/b", "c", "block2/d"}).groups.size(), std::size_t(1));
    }
    void twoThousandRandomEditsUndoneLeaveTheSameBytes()
    {
        constexpr std::uint64_t kSeed = 20261121;
        qInfo("seed %llu", static_cast<unsigned long long>(kSeed));
        Session session;
        auto &document = session.document();
        QVERIFY(document.openTemplate(QStringLiteral("mnist-mlp")).ok());
        auto const before = project::projectParts(document.project());
        RandomStream random(kSeed);
        int done = 0, refused = 0;
        for (int i = 0; i < 2000; ++i) {
            auto const status = document.edit(QStringLiteral("edit"), [&](project::Project &project) -> Status {
                TW_ASSIGN(ModelEdit edit, randomEdit(project.model, random));
                project.model = std::move(edit.model);
                return {};
            });
            ++(status.ok() ? done : refused);
            QVERIFY(document.project().model.layers.size() < 400);
        }
        QVERIFY2(done > 800 && refused > 50, qPrintable(QStringLiteral("%1 done, %2 refused").arg(done).arg(refused)));
        auto const changed = project::projectParts(document.project());
        QVERIFY(changed != before);
        while (document.undoStack().canUndo()) document.undoStack().undo();
        QVERIFY(project::projectParts(document.project()) == before);
        while (document.undoStack().canRedo()) document.undoStack().redo();
        QVERIFY(project::projectParts(document.project()) == changed);
    }

private:
    static Result<ModelEdit> randomEdit(Model const &m, RandomStream &random)
    {
        auto const pick = [&]() -> std::string { return m.layers.empty() ? "none" : m.layers[random.below(m.layers.size())].name; };
        auto const edges = edgesOf(m);
        ModelEdge const edge = edges.empty() ? ModelEdge{} : edges[random.below(edges.size())];
        auto const &specs = model::builtinLayers();
        model::Layer const layer = starterLayer(specs[random.below(specs.size())], {-1, 8}, {8});
        bool const crowded = m.layers.size() > 30;
        switch (crowded ? 4 + random.below(2) : random.below(15)) {
        case 0: return appendLayers(m, {layer}, pick());
        case 1: return insertOnEdge(m, layer, edge);
        case 2: return insertAfter(m, layer, pick());
        case 3: return addLoose(m, layer);
        case 4: return removeHealing(m, {pick()});
        case 5: return m.layers.size() > 3 ? removeHealing(m, {m.layers[0].name, m.layers[2].name}) : removeHealing(m, {pick()});
        case 6: return connectLayers(m, pick(), pick());
        case 7: return disconnectLayers(m, edge);
        case 8: return renamed(m, pick(), "n" + std::to_string(random.below(40)));
        case 9: return moveLayer(m, pick(), random.below(2) ? 1 : -1);
        case 10: return duplicateLayers(m, {pick()});
        case 11: {
            TW_ASSIGN(Model const part, extractLayers(m, {pick()}));
            return pasteLayers(m, part, pick());
        }
        case 12: return withOutput(m, pick(), random.below(2) == 0);
        case 13: return withStage(m, {pick()}, static_cast<int>(random.below(4)) - 1);
        default: return toSequential(m);
        }
    }
};

TW_REGISTER_TEST(TstModelEdits);
#include "tst_model_edits.moc"

// ONNX: the module, the models and nodes of others against their reference outputs, and what is refused.
#include "engine/core/safe_text.h"
#include "tests/engine/interop/onnx_case.h"
#include "tests/support/test_registry.h"

#include <QDir>
#include <QTemporaryDir>
#include <QtTest>

#include <fstream>
#include <set>

using namespace tilewright;
using namespace tilewright::interop;
using namespace tilewright::tests;

namespace {

QString const kOnnxModels = TILEWRIGHT_SOURCE_DIR "/../shared/conformance/onnx_models";
QString const kOnnxNodes = "/usr/share/libonnx-testdata/data/node";
QString const kNodesNotYet = TILEWRIGHT_SOURCE_DIR "/tests/corpus/interop/onnx_nodes_not_yet.txt";

/// A graph of one node with the inputs x (float32 of these extents) and initializers.
OnnxGraph oneNode(OnnxNode node, std::vector<OnnxExtent> const &extents)
{
    OnnxGraph graph;
    graph.name = "g";
    graph.producer = "test";
    graph.inputs = {{"x", OnnxType::Float, true, extents}};
    graph.outputs = {{"y", OnnxType::Float, true, extents}};
    node.inputs.insert(node.inputs.begin(), "x");
    node.outputs = {"y"};
    graph.nodes = {std::move(node)};
    return graph;
}

Result<Imported> imported(OnnxGraph const &graph, OpenSizes const &sizes = {}) { return modelFromOnnx(graph, sizes, "m.onnx", {}); }

std::vector<std::string> classesOf(model::Model const &model)
{
    std::vector<std::string> classes;
    for (auto const &layer : model.layers) classes.push_back(layer.className);
    return classes;
}

} // namespace

class TstOnnx : public QObject {
    Q_OBJECT
private slots:
    void initTestCase()
    {
        if (!hasOnnx()) QSKIP("this build has no module for ONNX");
    }
    void modelsGiveTheirOutputs_data();
    void modelsGiveTheirOutputs();
    void nodesGiveTheirOutputs();
    void graphsReadBackAsWritten();
    void damagedFilesAreRefused();
    void refusedNodesAreListedTogether();
    void openExtentsNeedASize();
    void transpositionsOfKerasExportersVanish();
};

void TstOnnx::modelsGiveTheirOutputs_data()
{
    QTest::addColumn<QString>("folder");
    auto const folders = QDir(kOnnxModels).entryList(QDir::Dirs | QDir::NoDotAndDotDot);
    if (folders.isEmpty()) QSKIP("the folder of models is not there");
    for (auto const &name : folders) QTest::newRow(qPrintable(name)) << kOnnxModels + "/" + name;
}

void TstOnnx::modelsGiveTheirOutputs()
{
    QFETCH(QString, folder);
    auto const test = readOnnxCase(folder);
    QVERIFY2(test.ok(), test.ok() ? "" : toText(test.error()).c_str());
    auto const wrong = runOnnxCase(*test, 1e-5);
    QVERIFY2(wrong.isEmpty(), qPrintable(wrong));
}

/// Each case agrees but those of the list, one a line: name, tab, reason. TILEWRIGHT_RENEW_ONNX_NODES writes the list.
void TstOnnx::nodesGiveTheirOutputs()
{
    auto const folders = QDir(kOnnxNodes).entryList(QDir::Dirs | QDir::NoDotAndDotDot, QDir::Name);
    if (folders.isEmpty()) QSKIP("libonnx-testdata is not installed");
    std::map<QString, QString> notYet;
    QFile list(kNodesNotYet);
    if (list.open(QIODevice::ReadOnly))
        for (auto const &line : QString::fromUtf8(list.readAll()).split('\n', Qt::SkipEmptyParts)) notYet[line.section('\t', 0, 0)] = line;
    QStringList wrong, lines;
    int passed = 0;
    for (auto const &name : folders) {
        auto const test = readOnnxCase(kOnnxNodes + "/" + name);
        auto reason = test.ok() ? runNodeCase(*test) : QString::fromStdString("file: " + test.error().message.text());
        if (reason.isEmpty()) {
            ++passed;
            if (notYet.contains(name)) wrong << name + " agrees: take it off the list";
            continue;
        }
        lines << name + "\t" + reason.replace('\n', ' ');
        if (!notYet.contains(name)) wrong << name + ": " + reason;
    }
    qInfo("%d of %d cases agree", passed, static_cast<int>(folders.size()));
    if (qEnvironmentVariableIsSet("TILEWRIGHT_RENEW_ONNX_NODES")) {
        QFile file(kNodesNotYet);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write((lines.join('\n') + '\n').toUtf8());
        return;
    }
    QVERIFY2(wrong.isEmpty(), qPrintable("\n" + wrong.join("\n")));
}

void TstOnnx::graphsReadBackAsWritten()
{
    OnnxNode node{"Gemm", "", "dense/Gemm", {"w", "b"}, {}, {}};
    node.with("alpha", 0.5F).with("transB", std::int64_t{1});
    auto graph = oneNode(node, {{-1, "batch"}, {3, ""}});
    graph.initializers = {{"w", OnnxType::Float, {2, 3}, {1, -2, 3.5F, 1e-42F, 5, 6}, {}}, {"b", OnnxType::Float, {2}, {0, -0.0F}, {}}};
    graph.outputs[0] = {"y", OnnxType::Float, true, {{-1, "batch"}, {2, ""}}};
    auto const image = onnxImage(graph, "m.onnx", {});
    QVERIFY2(image.ok(), image.ok() ? "" : toText(image.error()).c_str());
    QTemporaryDir folder;
    auto const path = folder.filePath("m.onnx").toStdString();
    std::ofstream(path, std::ios::binary) << *image;
    auto const back = readOnnx(path, {});
    QVERIFY2(back.ok(), back.ok() ? "" : toText(back.error()).c_str());
    QVERIFY(*back == graph);
}

void TstOnnx::damagedFilesAreRefused()
{
    OnnxNode const node{"Relu", "", "a", {}, {}, {}};
    auto const image = onnxImage(oneNode(node, {{2, ""}, {3, ""}}), "m.onnx", {});
    QVERIFY(image.ok());
    QTemporaryDir folder;
    auto const path = folder.filePath("m.onnx").toStdString();
    auto const readOf = [&](std::string const &bytes) {
        std::ofstream(path, std::ios::binary) << bytes;
        return readOnnx(path, {});
    };
    auto const cut = readOf(image->substr(0, image->size() / 2));
    QVERIFY(!cut.ok());
    QCOMPARE(cut.error().code, std::string("import.onnx"));
    QVERIFY(!cut.error().remedy.empty());
    for (std::size_t at = 0; at < image->size(); ++at) { // each byte inverted: an error or a graph, never an end of the program
        auto bytes = *image;
        bytes[at] = static_cast<char>(~bytes[at]);
        auto const got = readOf(bytes);
        if (got.ok()) QVERIFY(isUtf8(got->name) && std::ranges::all_of(got->nodes, [](auto const &one) { return isUtf8(one.name); }));
        else QVERIFY(got.error().code == "import.onnx" || got.error().code == "import.too-large");
    }
}

void TstOnnx::refusedNodesAreListedTogether()
{
    OnnxGraph graph = oneNode({"Det", "", "first", {}, {}, {}}, {{-1, "n"}, {3, ""}});
    graph.nodes[0].outputs = {"m"};
    graph.nodes.push_back({"NonMaxSuppression", "", "second", {"m"}, {"o"}, {}});
    graph.nodes.push_back({"Fancy", "com.maker", "third", {"x"}, {"y"}, {}});
    auto const got = imported(graph);
    QVERIFY(!got.ok());
    QCOMPARE(got.error().code, std::string("import.onnx-operators"));
    for (auto const *part : {"first (Det)", "second (NonMaxSuppression)", "third (com.maker.Fancy)"})
        QVERIFY2(got.error().message.find(part) != std::string::npos, got.error().message.text().c_str());
}

void TstOnnx::openExtentsNeedASize()
{
    auto const graph = oneNode({"Relu", "", "", {}, {}, {}}, {{-1, "n"}, {-1, "steps"}, {4, ""}});
    auto const open = imported(graph);
    QVERIFY(!open.ok());
    QCOMPARE(open.error().code, std::string("import.open-shape"));
    QVERIFY(open.error().message.find("steps") != std::string::npos);
    QVERIFY(open.error().remedy.find("--size x=") != std::string::npos);
    auto const closed = imported(graph, {{"x", {7}}});
    QVERIFY2(closed.ok(), closed.ok() ? "" : toText(closed.error()).c_str());
    QCOMPARE(closed->project.model.layers[0].config["batch_input_shape"], model::Json({nullptr, 7, 4}));
    QVERIFY(closed->closedInputs.contains("x"));
}

void TstOnnx::transpositionsOfKerasExportersVanish()
{
    OnnxGraph graph = oneNode({"Transpose", "", "model/conv/Transpose", {}, {}, {}}, {{-1, "n"}, {6, ""}, {6, ""}, {2, ""}});
    graph.nodes[0].with("perm", std::vector<std::int64_t>{0, 3, 1, 2});
    graph.nodes[0].outputs = {"t"};
    graph.nodes.push_back({"Conv", "", "model/conv/Conv", {"t", "w"}, {"c"}, {}});
    graph.nodes.push_back({"Relu", "", "model/conv/Relu", {"c"}, {"r"}, {}});
    OnnxNode back{"Transpose", "", "model/conv/Back", {"r"}, {"y"}, {}};
    graph.nodes.push_back(back.with("perm", std::vector<std::int64_t>{0, 2, 3, 1}));
    graph.initializers = {{"w", OnnxType::Float, {3, 2, 3, 3}, std::vector<float>(54, 0.5F), {}}};
    auto const got = imported(graph);
    QVERIFY2(got.ok(), got.ok() ? "" : toText(got.error()).c_str());
    QCOMPARE(classesOf(got->project.model), (std::vector<std::string>{"InputLayer", "Conv2D"}));
    auto const &conv = got->project.model.layers[1];
    QCOMPARE(conv.name, std::string("conv"));
    QCOMPARE(conv.text("data_format"), std::string("channels_last"));
    QCOMPARE(conv.text("activation"), std::string("relu"));
}

TW_REGISTER_TEST(TstOnnx);
#include "tst_onnx.moc"

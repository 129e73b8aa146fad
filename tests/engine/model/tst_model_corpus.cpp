#include "engine/core/random.h"
#include "engine/model/keras_json.h"
#include "engine/model/stage_cut.h"
#include "engine/model/stages.h"
#include "engine/model/summary.h"
#include "engine/model/templates.h"
#include "engine/model/training_plan.h"
#include "tests/engine/model/model_samples.h"
#include "tests/support/test_registry.h"

#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QtTest>

#include <algorithm>
#include <map>

using namespace tilewright;
using namespace tilewright::model;

namespace {

QString const kCases = QStringLiteral(TILEWRIGHT_SOURCE_DIR "/../shared/conformance/cases");

std::string contents(QString const &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll().toStdString() : std::string();
}

/// The reference cases, without those of real Keras, which have a form of their own.
QStringList caseFiles()
{
    QStringList files;
    QDirIterator it(kCases, {"*.json"}, QDir::Files, QDirIterator::Subdirectories);
    while (it.hasNext()) {
        QString const path = it.next();
        if (!path.contains("keras_real") && !path.endsWith("index.json")) files << path;
    }
    files.sort();
    return files;
}

/// Cases in which all layers are supported.
bool mustResolve(QString const &id)
{
    for (char const *folder : {"layer/dense/", "layer/activation/", "layer/flatten/", "layer/reshape/", "layer/relu/", "layer/leaky_relu/",
                               "layer/elu/", "layer/softmax/", "training/small_", "training/mlp784", "training/accumulate", "fit/",
                               "model/siamese", "model/two_outputs", "model/wide_and_deep", "training/two_outputs", "training/frozen"})
        if (id.startsWith(folder)) return true;
    return id.startsWith("layer/merge/") && !id.contains("dot_");
}

/// The first place where two models differ, for the failure's message.
QString difference(Model const &a, Model const &b)
{
    if (a.name != b.name || a.kind != b.kind) return "name or kind";
    if (!(a.inputs == b.inputs && a.outputs == b.outputs)) return "inputs or outputs";
    for (std::size_t i = 0; i < std::min(a.layers.size(), b.layers.size()); ++i) {
        auto const &x = a.layers[i];
        auto const &y = b.layers[i];
        if (x == y) continue;
        QString const place = QString::fromStdString("layer " + x.name + " / " + y.name + ": ");
        if (x.config != y.config) return place + QString::fromStdString(Json::diff(x.config, y.config).dump());
        if (x.calls != y.calls) return place + "calls";
        return place + "class or stage";
    }
    return "number of layers";
}

/// Runs all readers of a model on an external text. Returns the failed ones.
QString exercise(std::string const &text)
{
    auto const parsed = parseKerasJson(text);
    if (!parsed.ok()) return {};
    std::string const printed = printKerasJson(*parsed);
    auto const again = parseKerasJson(printed);
    if (!again.ok()) return QString::fromStdString("does not read back: " + toText(again.error()) + "\n" + printed);
    if (!(*again == *parsed)) return "reads back differently: " + difference(*parsed, *again);
    auto const problems = modelProblems(*parsed);
    auto const resolved = resolve(*parsed);
    bool const errors = std::any_of(problems.begin(), problems.end(), [](auto const &p) { return p.severity == Severity::Error; });
    if (resolved.ok() == errors) return "resolve and modelProblems disagree";
    (void)stageAssignment(*parsed).ok();
    if (resolved.ok()) {
        (void)summaryText(summarize(*resolved));
        (void)adviseStages(*resolved, multiplyAddCosts(*resolved), 2).ok();
        (void)checkTrainingPlan(TrainingPlan(), *resolved).ok();
    }
    return {};
}

std::string mutated(std::string text, RandomStream &random)
{
    static char const *const kBits[] = {"null",
                                        "-1",
                                        "0",
                                        "1e30",
                                        "\"\"",
                                        "[]",
                                        "{}",
                                        "true",
                                        "99999999999999999999",
                                        "\"relu\"",
                                        "[[]]",
                                        "\"layers\"",
                                        "\"inbound_nodes\"",
                                        "\"units\"",
                                        "3.5",
                                        "\"dense\"",
                                        "\"axis\"",
                                        "[\"tower\", 0, 0]",
                                        "\"pipeline_stage\"",
                                        "\xc3"};
    auto const count = 1 + random.below(4);
    for (std::uint64_t i = 0; i < count && !text.empty(); ++i) {
        auto const at = random.below(text.size());
        switch (random.below(5)) {
        case 0: text[at] = static_cast<char>(random.below(256)); break;
        case 1: text.erase(at, 1 + random.below(12)); break;
        case 2: text.insert(at, text.substr(random.below(text.size()), random.below(60))); break;
        case 3: text.insert(at, kBits[random.below(std::size(kBits))]); break;
        default: { // one JSON scalar for another: keeps the text readable more often
            auto const begin = text.find(": ", at);
            if (begin == std::string::npos) break;
            auto const end = text.find_first_of(",}]", begin);
            if (end == std::string::npos) break;
            text.replace(begin + 2, end - begin - 2, kBits[random.below(std::size(kBits))]);
        }
        }
    }
    return text;
}

/// Replaces, drops or copies one value somewhere in the tree: always readable as JSON.
void mutateTree(Json &json, RandomStream &random)
{
    static char const *const kValues[] = {"null",
                                          "-1",
                                          "0",
                                          "1",
                                          "7",
                                          "1e300",
                                          "-0.5",
                                          "true",
                                          "\"\"",
                                          "\"relu\"",
                                          "\"softmax\"",
                                          "\"left\"",
                                          "\"kind\"",
                                          "[]",
                                          "{}",
                                          "[[]]",
                                          "[null]",
                                          "[0]",
                                          "[2, -1]",
                                          "[[[\"join\", 0, 0, {}]]]",
                                          "9223372036854775807",
                                          "\"InputLayer\"",
                                          "\"Dense\"",
                                          "\"Add\"",
                                          "\"Reshape\"",
                                          "{\"class_name\": \"Ones\", \"config\": {}}",
                                          "{\"config\": {\"name\": 3}}"};
    Json *at = &json;
    if (random.below(4) != 0 && json.is_object() && json.contains("config") && json["config"].is_object()
        && json["config"].contains("layers"))
        at = &json["config"]["layers"];
    while (at->is_structured() && !at->empty() && random.below(12) != 0) {
        auto it = at->begin();
        std::advance(it, static_cast<std::ptrdiff_t>(random.below(at->size())));
        at = &*it;
    }
    auto const choice = random.below(8);
    if (choice == 0 && at->is_array() && !at->empty()) at->push_back(at->front());
    else if (choice == 1 && at->is_structured() && !at->empty()) at->erase(at->begin());
    else if (choice == 2 && at->is_object()) (*at)["extra"] = 1;
    else *at = Json::parse(kValues[random.below(std::size(kValues))]);
}

} // namespace

class TstModelCorpus : public QObject {
    Q_OBJECT
private slots:
    void badModelsAreRefusedForTheRightReason()
    {
        // Files are named CODE--what.json, with the code's dots as in the Diagnostic.
        QDir const folder(QStringLiteral(TILEWRIGHT_SOURCE_DIR "/tests/corpus/model"));
        auto const files = folder.entryList({"*.json"}, QDir::Files, QDir::Name);
        QVERIFY(files.size() >= 8);
        for (auto const &name : files) {
            std::string const text = contents(folder.filePath(name));
            QVERIFY2(exercise(text).isEmpty(), qPrintable(name));
            auto const parsed = parseKerasJson(text);
            Diagnostic const error = !parsed.ok() ? parsed.error() : resolve(*parsed).ok() ? Diagnostic{} : resolve(*parsed).error();
            QCOMPARE(QString::fromStdString(error.code), name.section("--", 0, 0));
            QVERIFY2(!error.message.empty() && !error.remedy.empty() && !error.subject.empty(), qPrintable(name));
        }
    }
    void randomMutationsNeverCrash()
    {
        bool given = false;
        int const wanted = qEnvironmentVariableIntValue("TILEWRIGHT_FUZZ_SEED", &given);
        auto const seed = static_cast<std::uint64_t>(given ? wanted : 20240611);
        qInfo("seed %llu", static_cast<unsigned long long>(seed));
        RandomStream random(seed);
        Model staged = tests::sampleGraph();
        staged.find("tower")->stage = 0;
        std::string const sources[] = {printKerasJson(findTemplate("mnist-mlp")->model()), printKerasJson(tests::sampleGraph()),
                                       printKerasJson(staged)};
        for (int i = 0; i < 3000; ++i) {
            std::string const text = mutated(sources[random.below(std::size(sources))], random);
            QString const problem = exercise(text);
            QVERIFY2(problem.isEmpty(), qPrintable(problem + "\nfrom " + QString::fromStdString(text)));
        }
        int readable = 0, sound = 0;
        for (int i = 0; i < 5000; ++i) {
            Json json = Json::parse(sources[random.below(std::size(sources))]);
            for (auto changes = 1 + random.below(3); changes > 0; --changes) mutateTree(json, random);
            QString const problem = exercise(json.dump());
            QVERIFY2(problem.isEmpty(), qPrintable(problem + "\nfrom " + QString::fromStdString(json.dump())));
            auto const parsed = parseKerasJson(json.dump());
            if (parsed.ok()) ++readable;
            if (parsed.ok() && resolve(*parsed).ok()) ++sound;
        }
        qInfo("of 5000 changed trees %d were still models, %d of them sound", readable, sound);
        QVERIFY(readable > 1500 && sound > 200 && readable - sound > 500); // otherwise one side would not be tested
    }
    void randomPlansNeverCrash()
    {
        RandomStream random(99);
        std::string const source = trainingPlanJson(findTemplate("mnist-mlp")->plan()).dump();
        for (int i = 0; i < 3000; ++i) {
            auto const json = parseJson(mutated(source, random), "plan");
            if (!json.ok()) continue;
            auto const plan = trainingPlanFromJson(*json);
            if (!plan.ok()) continue;
            auto const again = trainingPlanFromJson(Json::parse(trainingPlanJson(*plan).dump()));
            QVERIFY(again.ok() && *again == *plan);
        }
    }
    void readsEveryReferenceModel()
    {
        int same = 0, unsupported = 0;
        for (auto const &path : caseFiles()) {
            std::string const text = contents(path);
            Json const c = Json::parse(text);
            if (!c.contains("model")) continue;
            QString const id = QString::fromStdString(c["id"].get<std::string>());
            QVERIFY2(exercise(c["model"].dump()).isEmpty(), qPrintable(id));
            auto const parsed = modelFromKeras(c["model"]);
            QVERIFY2(parsed.ok(), qPrintable(id));
            auto const resolved = resolve(*parsed);
            if (!resolved.ok()) {
                QVERIFY2(!mustResolve(id), qPrintable(id + ": " + QString::fromStdString(toText(resolved.error()))));
                QVERIFY2(resolved.error().code == "model.unsupported",
                         qPrintable(id + ": " + QString::fromStdString(toText(resolved.error()))));
                ++unsupported;
                continue;
            }
            // The very text, order of layers and keys included; of a model with models as layers, which are unfolded, the same model.
            bool const unfolded = std::ranges::any_of(parsed->layers, [](Layer const &layer) { return !layer.within.empty(); });
            auto const printed = printKerasJson(*parsed),
                       expected = unfolded ? printKerasJson(modelFromKeras(Json::parse(printed)).value())
                                           : pythonText(OrderedJson::parse(text)["model"]);
            auto const at = static_cast<std::size_t>(std::ranges::mismatch(printed, expected).in1 - printed.begin());
            QVERIFY2(printed == expected,
                     qPrintable(id + ": …" + QString::fromStdString(printed.substr(at > 60 ? at - 60 : 0, 160)) + "… for …"
                                + QString::fromStdString(expected.substr(at > 60 ? at - 60 : 0, 160)) + "…"));
            compareSummary(c, *resolved, id);
            compareWeights(c.contains("weights") ? c["weights"] : c["init_weights"], *resolved, id);
            ++same;
        }
        if (same == 0) QSKIP("reference cases are not here: all skipped");
        qInfo("%d models read and compared, %d not supported yet", same, unsupported);
        QVERIFY(same >= 60);
    }
    void readsEveryReferenceLossOptimizerAndMetric()
    {
        std::map<std::string, int> outcome;
        for (auto const &path : caseFiles()) {
            Json const c = Json::parse(contents(path));
            auto const judge = [&](auto const &result, Json const &given, auto const &writer) {
                if (!result.ok()) {
                    QVERIFY2(result.error().code == "model.unsupported",
                             qPrintable(path + ": " + QString::fromStdString(toText(result.error()))));
                    ++outcome["unsupported"];
                    return;
                }
                // Everything written by Keras is there again (numbers by value).
                Json const written = writer(*result);
                QCOMPARE(written["class_name"], given["class_name"]);
                for (auto const &[key, value] : given["config"].items())
                    QVERIFY2(written["config"][key] == value, qPrintable(path + " " + key.c_str()));
                ++outcome["read"];
            };
            if (c.contains("loss") && c["loss"].is_object()) judge(parseLoss(c["loss"]), c["loss"], lossJson);
            if (c.contains("losses"))
                for (auto const &loss : c["losses"]) judge(parseLoss(loss), loss, lossJson);
            if (c.contains("optimizer")) judge(parseOptimizer(c["optimizer"]), c["optimizer"], optimizerJson);
            if (c.contains("metric")) judge(parseMetric(c["metric"]), c["metric"], metricJson);
            if (c.contains("metrics"))
                for (auto const &metric : c["metrics"]) QVERIFY2(parseMetric(metric).ok(), qPrintable(path));
        }
        if (outcome.empty()) QSKIP("reference cases are not here: all skipped");
        qInfo("%d read, %d not supported yet", outcome["read"], outcome["unsupported"]);
        QVERIFY(outcome["read"] > 60);
    }

private:
    static void compareSummary(Json const &c, ResolvedModel const &model, QString const &id)
    {
        if (!c.contains("summary")) return;
        auto const summary = summarize(model);
        std::vector<SummaryRow> rows; // the cases leave input layers out
        // A model used as a layer is one row of Keras's.
        for (auto const &row : summary.models)
            if (row.within.empty()) rows.push_back(row);
        for (auto const &row : summary.rows)
            if (row.type != "InputLayer" && row.within.empty()) rows.push_back(row);
        QCOMPARE(rows.size(), c["summary"].size());
        for (std::size_t i = 0; i < rows.size(); ++i) {
            Json const &e = c["summary"][i];
            Shape shape;
            bool const several = e["output_shape"].is_array() && !e["output_shape"].empty() && e["output_shape"][0].is_array();
            if (several) QCOMPARE(rows[i].furtherShapes.size() + 1, e["output_shape"].size());
            for (auto const &extent : several ? e["output_shape"][0] : e["output_shape"])
                shape.push_back(extent.is_null() ? -1 : extent.get<std::int64_t>());
            QVERIFY2(rows[i].name == e["name"].get<std::string>() && rows[i].type == e["class_name"].get<std::string>(), qPrintable(id));
            // An extent that is open in the case can be known here.
            QVERIFY2(std::ranges::equal(shape, rows[i].outputShape,
                                        [](std::int64_t wanted, std::int64_t given) { return wanted == given || wanted < 0; }),
                     qPrintable(id));
            QCOMPARE(rows[i].parameters, e["params"].get<std::int64_t>());
        }
        QCOMPARE(summary.totalParameters, c["total_params"].get<std::int64_t>());
    }
    static void compareWeights(Json const &weights, ResolvedModel const &model, QString const &id)
    {
        auto const order = weightOrder(model);
        QCOMPARE(order.size(), weights.size());
        for (std::size_t i = 0; i < order.size(); ++i) {
            QCOMPARE(weightPath(model, order[i]), weights[i]["layer"].get<std::string>() + "/" + weights[i]["name"].get<std::string>());
            QVERIFY2(model.layers[order[i].layer].weights[order[i].weight].shape == weights[i]["shape"].get<Shape>(), qPrintable(id));
        }
    }
};

TW_REGISTER_TEST(TstModelCorpus);
#include "tst_model_corpus.moc"

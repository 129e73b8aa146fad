#include "engine/conformance/case_file.h"
#include "engine/conformance/comparison.h"
#include "engine/data/npy.h"
#include "tests/engine/conformance/conformance_test_tools.h"
#include "tests/support/test_registry.h"

#include <cmath>
#include <limits>

using namespace tilewright;
using namespace tilewright::conformance;

namespace {

Tensor vectorOf(std::vector<double> values) { return {DType::F32, {static_cast<std::int64_t>(values.size())}, std::move(values)}; }

/// A case of the corpus, changed, on its own.
CaseResult changed(QTemporaryDir const &folder, QString const &id, std::function<void(nlohmann::json &)> const &change,
                   Mode mode = Mode::Fused)
{
    auto json = readJson(kCorpus + "/" + id + ".json");
    change(json);
    QString const path = folder.filePath("case.json");
    writeJson(path, json);
    auto const run = runOn(path, mode);
    if (!run.ok()) return {"", CaseStatus::Failed, {}, {}, "run: " + toText(run.error())};
    return run->cases.at(0);
}

/// Base64 of float32 zeros (16 * 3 bytes encode without padding).
std::string zeros(int count) { return QByteArray(count * 4, '\0').toBase64().toStdString(); }

} // namespace

class TstConformanceRules : public QObject {
    Q_OBJECT

private slots:
    void aDifferenceBeyondTheToleranceFails()
    {
        Comparison inside, outside;
        inside.values("v", vectorOf({1.0, 100.009}), vectorOf({1.0, 100.0}), {1e-4, 0});
        QVERIFY(!inside.failed() && inside.compared());
        QVERIFY(std::abs(inside.worstError() - 0.009) < 1e-9);
        QVERIFY(std::abs(inside.worstLimit() - 0.01) < 1e-9);
        outside.values("v", vectorOf({1.0, 100.011}), vectorOf({1.0, 100.0}), {1e-4, 0});
        QVERIFY(outside.failed());
        QVERIFY2(outside.reason().find("element 1") != std::string::npos, outside.reason().c_str());
    }

    void theElementNearestToItsLimitIsReported()
    {
        Comparison check;
        check.values("v", vectorOf({1000.05, 0.0011}), vectorOf({1000.0, 0.0010}), {1e-4, 1e-4}); // 0.5 and 1.0 of the limit
        QVERIFY(std::abs(check.worstError() - 1e-4) < 1e-9);
    }

    void nothingThatIsNotANumberPasses()
    {
        double const nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();
        Comparison a, b, c, d;
        a.values("v", vectorOf({nan}), vectorOf({1.0}), {1, 1});
        b.values("v", vectorOf({inf}), vectorOf({1.0}), {1, 1});
        c.relativeToMax("v", vectorOf({nan}), vectorOf({1.0}), 1);
        d.add("loss", nan, 1);
        QVERIFY(a.failed() && b.failed() && c.failed() && d.failed());
    }

    void shapesMustBeEqual()
    {
        Comparison check;
        check.values("v", {DType::F32, {2, 1}, {1, 2}}, vectorOf({1, 2}), {1, 1});
        QVERIFY(check.failed());
        QVERIFY2(check.reason().find("[2, 1]") != std::string::npos, check.reason().c_str());
    }

    void generatorsGiveTheNumbersOfTheFormat()
    {
        CaseFile const file;
        auto const tensor = [&](char const *gen, char const *shape) {
            auto const json = Json::parse(std::string(R"({"dtype":"float32","shape":)") + shape + R"(,"gen":)" + gen + "}");
            return tensorOf(file, json, "t", {});
        };
        auto const uniform = tensor(R"({"kind":"uniform","seed":1,"lo":-1,"hi":1})", "[3]");
        QVERIFY(uniform.ok());
        QCOMPARE(uniform->v, (std::vector<double>{0.13312304019927979, 0.49156343936920166, 0.9420053958892822}));
        auto const ints = tensor(R"({"kind":"int","seed":1,"lo":0,"hi":10})", "[5]");
        QVERIFY(ints.ok());
        QCOMPARE(ints->v, (std::vector<double>{8, 8, 5, 2, 0}));
        auto const rows = tensor(R"({"kind":"onehot","seed":1,"classes":10})", "[2,10]");
        QVERIFY(rows.ok());
        QCOMPARE(rows->v, (std::vector<double>{0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0}));
    }

    void damagedTensorsAreRefused_data()
    {
        QTest::addColumn<QString>("json");
        QTest::newRow("no base64") << R"({"dtype":"float32","shape":[1],"data":"!!!!!!=="})";
        QTest::newRow("too short") << R"({"dtype":"float32","shape":[2],"data":"AAAAAA=="})";
        QTest::newRow("cut") << R"({"dtype":"float32","shape":[1],"data":"AAAAAA"})";
        QTest::newRow("padding inside") << R"({"dtype":"float32","shape":[2],"data":"AAAA=AAAAAA="})";
        QTest::newRow("negative extent") << R"({"dtype":"float32","shape":[-1],"data":""})";
        QTest::newRow("huge") << R"({"dtype":"float32","shape":[1000000000,1000000000],"gen":{"kind":"uniform","seed":1}})";
        QTest::newRow("unknown type") << R"({"dtype":"complex64","shape":[1],"data":"AAAAAA=="})";
        QTest::newRow("unknown generator") << R"({"dtype":"float32","shape":[1],"gen":{"kind":"normal","seed":1}})";
        QTest::newRow("empty range") << R"({"dtype":"int32","shape":[1],"gen":{"kind":"int","seed":1,"lo":3,"hi":3}})";
        QTest::newRow("first4 differs") << R"({"dtype":"int32","shape":[1],"gen":{"kind":"int","seed":1,"lo":0,"hi":10},"first4":[7]})";
        QTest::newRow("no data") << R"({"dtype":"float32","shape":[1]})";
        QTest::newRow("no object") << R"([1])";
        QTest::newRow("no such MNIST file") << R"({"dtype":"float32","shape":[1],"mnist":{"file":"none.gz","start":0,"count":1}})";
    }
    void damagedTensorsAreRefused()
    {
        QFETCH(QString, json);
        CaseFile file;
        QTemporaryDir const folder;
        file.path = folder.filePath("none/case.json").toStdString();
        QVERIFY(!tensorOf(file, Json::parse(json.toStdString()), "t", {}).ok());
    }

    void aWrongExpectationFailsInEveryKind_data()
    {
        QTest::addColumn<QString>("id");
        QTest::addColumn<QString>("pointer");
        QTest::addColumn<int>("zeroes"); // 0: a number, set to 7
        QTest::newRow("outputs") << "layer/dense/basic"
                                 << "/expected/outputs/0/data" << 12;
        QTest::newRow("gradients of inputs") << "layer/dense/basic"
                                             << "/expected/grad_inputs/0/data" << 20;
        QTest::newRow("gradients of weights") << "layer/dense/basic"
                                              << "/expected/grad_weights/1/data" << 3;
        QTest::newRow("parameter count") << "layer/dense/basic"
                                         << "/total_params" << 0;
        QTest::newRow("summary") << "layer/dense/basic"
                                 << "/summary/0/params" << 0;
        QTest::newRow("output shape") << "layer/dense/basic"
                                      << "/summary/0/output_shape/1" << 0;
        QTest::newRow("loss of a sample") << "loss/mean_absolute_error/basic"
                                          << "/expected/per_sample/data" << 5;
        QTest::newRow("loss value") << "loss/mean_absolute_error/basic"
                                    << "/expected/value" << 0;
        QTest::newRow("loss gradient") << "loss/mean_absolute_error/basic"
                                       << "/expected/grad_y_pred/data" << 20;
        QTest::newRow("metric") << "metric/BinaryAccuracy/plain"
                                << "/updates/2/result_after" << 0;
        QTest::newRow("optimizer") << "optimizer/Adam/amsgrad"
                                   << "/expected/1/weights/1/data" << 4;
        QTest::newRow("training loss") << "training/accumulate_sum_4x8"
                                       << "/expected/loss/3" << 0;
        QTest::newRow("training accuracy") << "training/accumulate_sum_4x8"
                                           << "/expected/accuracy/3" << 0;
        QTest::newRow("training weights") << "training/accumulate_sum_4x8"
                                          << "/expected/final_weights/1/data" << 9;
        QTest::newRow("fit history") << "fit/classify_validation_split"
                                     << "/expected/history/val_loss/1" << 0;
        QTest::newRow("fit accuracy") << "fit/classify_validation_split"
                                      << "/expected/history/accuracy/0" << 0;
        QTest::newRow("fit weights") << "fit/classify_partial_batch"
                                     << "/expected/final_weights/3/data" << 0;
        QTest::newRow("initializer") << "initializer/GlorotNormal/300x200"
                                     << "/expected/variance" << 0;
    }
    void aWrongExpectationFailsInEveryKind()
    {
        QFETCH(QString, id);
        QFETCH(QString, pointer);
        QFETCH(int, zeroes);
        QTemporaryDir const folder;
        auto const result = changed(folder, id, [&](nlohmann::json &json) {
            auto &value = json[nlohmann::json::json_pointer(pointer.toStdString())];
            QVERIFY2(!value.is_null(), "the case has no such member");
            if (value.is_string()) {
                auto const bytes = QByteArray::fromBase64(QByteArray::fromStdString(value.get<std::string>())).size();
                value = zeros(static_cast<int>(bytes / 4));
                if (zeroes) QCOMPARE(bytes / 4, zeroes);
            } else {
                value = 7;
            }
        });
        QVERIFY2(result.status == CaseStatus::Failed, result.reason.c_str());
        QVERIFY(!result.reason.empty());
    }

    void whatNobodyReadsMakesACaseUnsupported()
    {
        QTemporaryDir const folder;
        auto const result = changed(folder, "training/frozen_first_layer", [](nlohmann::json &json) {
            json["sample_weight"] = {1.0, 2.0};
        });
        QCOMPARE(result.status, CaseStatus::Unsupported);
        auto const kind = changed(folder, "layer/dense/basic", [](nlohmann::json &json) { json["kind"] = "galaxy"; });
        QCOMPARE(kind.status, CaseStatus::Unsupported);
        auto const layer = changed(folder, "layer/dense/basic", [](nlohmann::json &json) {
            json["model"]["config"]["layers"][1]["class_name"] = "RandomFourierFeatures";
        });
        QCOMPARE(layer.status, CaseStatus::Unsupported);
    }

    void brokenCasesFailWithAReason_data()
    {
        QTest::addColumn<QString>("id");
        QTest::addColumn<QString>("pointer");
        QTest::newRow("weights") << "layer/dense/basic"
                                 << "/weights/0/shape/0";
        QTest::newRow("inputs") << "layer/dense/basic"
                                << "/inputs/0/shape/0";
        QTest::newRow("no inputs") << "layer/dense/basic"
                                   << "/inputs";
        QTest::newRow("model") << "layer/dense/basic"
                               << "/model";
        QTest::newRow("grads") << "optimizer/Adam/amsgrad"
                               << "/grads/1";
        QTest::newRow("labels") << "loss/mean_absolute_error/basic"
                                << "/y_true";
        QTest::newRow("batch") << "training/accumulate_sum_4x8"
                               << "/batch_size";
        QTest::newRow("data") << "training/accumulate_sum_4x8"
                              << "/x/0/shape/1";
        QTest::newRow("losses") << "fit/classify_partial_batch"
                                << "/losses";
        QTest::newRow("shape") << "initializer/GlorotNormal/300x200"
                               << "/shape";
        QTest::newRow("expected") << "layer/dense/basic"
                                  << "/expected";
    }
    void brokenCasesFailWithAReason()
    {
        QFETCH(QString, id);
        QFETCH(QString, pointer);
        QTemporaryDir const folder;
        for (nlohmann::json const &value :
             {nlohmann::json(), nlohmann::json(3), nlohmann::json("x"), nlohmann::json::array(), nlohmann::json::object()}) {
            auto const result =
                changed(folder, id, [&](nlohmann::json &json) { json[nlohmann::json::json_pointer(pointer.toStdString())] = value; });
            QVERIFY2(result.status == CaseStatus::Failed, value.dump().c_str());
            QVERIFY(!result.reason.empty());
        }
    }

    void tensorsThatDoNotFitTheTilesFail()
    {
        QTemporaryDir const folder;
        auto const result = changed(
            folder, "initializer/GlorotNormal/300x200",
            [](nlohmann::json &json) {
                auto const tensor =
                    nlohmann::json{{"dtype", "float32"}, {"shape", {4096, 4096}}, {"gen", {{"kind", "uniform"}, {"seed", 1}}}};
                json = {{"format", "keras-conformance-1"},
                        {"id", "huge"},
                        {"kind", "optimizer"},
                        {"optimizer", {{"class_name", "SGD"}, {"config", nlohmann::json::object()}}},
                        {"init_weights", nlohmann::json::array({tensor})},
                        {"grads", nlohmann::json::array({nlohmann::json::array({tensor})})},
                        {"expected", nlohmann::json::array()}};
            },
            Mode::Tile);
        QCOMPARE(result.status, CaseStatus::Failed);
        QVERIFY2(result.reason.find("fit") != std::string::npos, result.reason.c_str());
    }

    void dumpsHoldWhatWasComputed()
    {
        QTemporaryDir const folder;
        ConformanceOptions options;
        options.dumpDir = folder.filePath("dump").toStdString();
        auto const run = runOn(kCorpus + "/layer/dense/basic.json", Mode::Tile, options);
        QVERIFY(run.ok());
        auto const arrays = data::readNpz(folder.filePath("dump/layer/dense/basic.npz").toStdString(), {});
        QVERIFY2(arrays.ok(), arrays.ok() ? "" : toText(arrays.error()).c_str());
        auto const json = readJson(kCorpus + "/layer/dense/basic.json");
        CaseFile const file;
        auto const expected = tensorOf(file, json["expected"]["outputs"][0], "t", {});
        auto const it = std::ranges::find(*arrays, "outputs_0", &data::NamedArray::name);
        QVERIFY(it != arrays->end());
        QCOMPARE(it->array.shape, (Shape{4, 3}));
        auto const values = it->array.as<float>();
        for (std::size_t i = 0; i < values.size(); ++i) QVERIFY(std::abs(static_cast<double>(values[i]) - expected->v[i]) < 1e-4);
        for (char const *name : {"grad_inputs_0", "grad_weights_0", "grad_weights_1"})
            QVERIFY2(std::ranges::find(*arrays, name, &data::NamedArray::name) != arrays->end(), name);
    }

    void dumpsStayInTheirFolder()
    {
        QTemporaryDir const folder;
        auto json = readJson(kCorpus + "/layer/dense/basic.json");
        json["id"] = "../../../outside/../x";
        QDir(folder.path()).mkpath("a/b/c");
        writeJson(folder.filePath("case.json"), json);
        ConformanceOptions options;
        options.dumpDir = folder.filePath("a/b/c").toStdString();
        QVERIFY(runOn(folder.filePath("case.json"), Mode::Fused, options).ok());
        QVERIFY(QFile::exists(folder.filePath("a/b/c/outside/x.npz")));
    }

    void pathsWithoutCasesAreErrors()
    {
        QTemporaryDir const folder;
        QCOMPARE(runOn(folder.filePath("none"), Mode::Fused).error().code, std::string("conformance.path"));
        QCOMPARE(runOn(folder.path(), Mode::Fused).error().code, std::string("conformance.path"));
        writeJson(folder.filePath("other.json"), {{"format", "something"}});
        QCOMPARE(runOn(folder.filePath("other.json"), Mode::Fused).error().code, std::string("conformance.path"));
        QCOMPARE(runConformance({}, {}, {}).error().code, std::string("conformance.path"));
        ConformanceOptions cpu;
        cpu.target = "cpu";
        QCOMPARE(runOn(kCorpus, Mode::Tile, cpu).error().code, std::string("conformance.target"));
        ConformanceOptions nowhere;
        nowhere.target = "gc300";
        QVERIFY(!runOn(kCorpus, Mode::Tile, nowhere).ok());
    }

    void aFileThatIsNoJsonIsAFailedCase()
    {
        QTemporaryDir const folder;
        QFile::copy(kCorpus + "/layer/dense/basic.json", folder.filePath("good.json"));
        QFile bad(folder.filePath("bad.json"));
        QVERIFY(bad.open(QIODevice::WriteOnly));
        bad.write("{\"format\": ");
        bad.close();
        auto const run = runOn(folder.path(), Mode::Fused);
        QVERIFY(run.ok());
        QCOMPARE(run->passed, 1);
        QCOMPARE(run->failed, 1);
    }

    void aCancelledRunSaysSo()
    {
        std::stop_source source;
        source.request_stop();
        JobContext job;
        job.stop = source.get_token();
        std::vector<std::filesystem::path> const paths{kCorpus.toStdString()};
        QCOMPARE(runConformance(paths, {}, job).error().kind, ErrorKind::Cancelled);
    }
};

TW_REGISTER_TEST(TstConformanceRules);
#include "tst_conformance_rules.moc"

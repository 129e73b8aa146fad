#include "tests/engine/conformance/conformance_test_tools.h"
#include "tests/support/test_registry.h"

using namespace tilewright;
using namespace tilewright::conformance;

namespace {

/// Cases of the corpus that need features that do not exist yet.
std::vector<std::string> const kUnsupported{"layer/random_fourier_features/small"};

} // namespace

class TstConformanceCorpus : public QObject {
    Q_OBJECT

private slots:
    void everyCasePassesInEachMode_data() { modeRows(); }
    void everyCasePassesInEachMode()
    {
        QFETCH(int, mode);
        auto const run = runOn(kCorpus, static_cast<Mode>(mode));
        QVERIFY2(run.ok(), run.ok() ? "" : toText(run.error()).c_str());
        for (auto const &result : run->cases) {
            bool const expected = std::ranges::find(kUnsupported, result.id) == kUnsupported.end();
            QVERIFY2((result.status == CaseStatus::Passed) == expected, (result.id + ": " + result.reason).c_str());
            if (result.status != CaseStatus::Passed) continue;
            QVERIFY2(result.maxError && result.tolerance && *result.maxError <= *result.tolerance, result.id.c_str());
            QVERIFY2(result.reason.empty(), result.id.c_str());
        }
        QVERIFY(run->cases.size() >= 69);
        QCOMPARE(run->passed + run->failed + run->unsupported, static_cast<int>(run->cases.size()));
        QCOMPARE(run->unsupported, static_cast<int>(kUnsupported.size()));
    }

    void unsupportedCasesAreNamed()
    {
        auto const run = runOn(kCorpus, Mode::Fused);
        QVERIFY(run.ok());
        for (auto const &id : kUnsupported) {
            auto const *result = resultOf(*run, id);
            QVERIFY2(result, id.c_str());
            QCOMPARE(result->status, CaseStatus::Unsupported);
            QVERIFY(!result->maxError);
            QVERIFY2(result->reason.find("not supported yet") != std::string::npos, result->reason.c_str());
        }
    }

    void threadsChangeNothing()
    {
        ConformanceOptions one, four;
        one.threads = 1;
        four.threads = 4;
        auto const a = runOn(kCorpus, Mode::Tile, one), b = runOn(kCorpus, Mode::Tile, four);
        QVERIFY(a.ok() && b.ok());
        QCOMPARE(toJson(*a).dump(), toJson(*b).dump());
    }

    void replicasGiveWhatAccumulationGives_data() { modeRows(); }
    void replicasGiveWhatAccumulationGives()
    {
        QFETCH(int, mode);
        QTemporaryDir const folder;
        for (char const *name : {"accumulate_sum_4x8", "accumulate_mean_4x8"}) {
            auto json = readJson(kCorpus + "/training/" + name + ".json");
            json["replicas"] = 4;
            writeJson(folder.filePath(QString(name) + ".json"), json);
        }
        ConformanceOptions options;
        options.target = "m2000:tiles=8";
        auto const run = runOn(folder.path(), static_cast<Mode>(mode), options);
        QVERIFY(run.ok());
        for (auto const &result : run->cases) QVERIFY2(result.status == CaseStatus::Passed, (result.id + ": " + result.reason).c_str());
        QCOMPARE(run->passed, 2);
    }
};

TW_REGISTER_TEST(TstConformanceCorpus);
#include "tst_conformance_corpus.moc"

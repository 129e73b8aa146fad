#include "tests/engine/cli/program_run.h"
#include "tests/support/test_registry.h"

#include <QtTest>

#include <algorithm>

using namespace tilewright::tests;

/// `tune`: trial compiles, ranked.
class TstCliTune : public QObject {
    Q_OBJECT
private slots:
    void tuningRanksCompiledCandidates()
    {
        Sandbox const box;
        box.project("p.tilewright", {"system.target=gc200:tiles=64"});
        auto const before = box.read("p.tilewright");
        auto const ran = box.run({"tune", "p.tilewright", "--set", "training.batch_size=16,32,64", "--set",
                                  R"(system.target=["gc200:tiles=64", "gc200:tiles=64,ipus=2"])", "--set",
                                  "training.optimizer=rmsprop,nonsense", "--json"});
        QVERIFY2(ran.code == 0, ran.all());
        QCOMPARE(box.read("p.tilewright"), before);
        auto const document = ran.object();
        QCOMPARE(missingKeys(document, {"trials", "refused", "tried", "complete"}), QStringList());
        QCOMPARE(document["trials"].toArray().size(), 6);
        QCOMPARE(document["refused"].toArray().size(), 6);
        double fastest = -1;
        for (auto const &value : document["trials"].toArray()) {
            auto const trial = value.toObject();
            QCOMPARE(
                missingKeys(trial, {"set", "fits", "max_tile_bytes", "max_tile_bytes_with_gaps", "max_tile_need", "samples_per_second"}),
                QStringList());
            if (fastest < 0) fastest = trial["samples_per_second"].toDouble();
            QVERIFY(trial["samples_per_second"].toDouble() <= fastest);
        }
        // The first result equals a compile of the project with these settings.
        QStringList set{"set", "p.tilewright"};
        auto const best = document["trials"].toArray().first().toObject()["set"].toObject();
        for (auto it = best.begin(); it != best.end(); ++it) set << it.key() + "=" + it.value().toString();
        QVERIFY(set.size() > 2);
        QCOMPARE(box.run(set).code, 0);
        auto const compiled = box.run({"compile", "p.tilewright", "--report", "r.twreport", "--json"}).object();
        QCOMPARE(compiled["samples_per_second"].toDouble(), fastest);
        // The same name is the same quantity everywhere.
        auto const first = document["trials"].toArray().first().toObject();
        auto const values = box.run({"report", "r.twreport", "summary", "--json"}).object()["values"].toObject();
        for (auto const *name : {"max_tile_bytes", "max_tile_bytes_with_gaps", "max_tile_need"}) {
            QCOMPARE(first[name], values[name]);
            double most = 0;
            for (auto const &ipu : compiled["ipus"].toArray()) most = std::max(most, ipu.toObject()[name].toDouble());
            QCOMPARE(most, values[name].toDouble());
        }
        auto const people = box.run({"tune", "p.tilewright", "--set", "training.batch_size=16"});
        QVERIFY2(people.code == 0 && people.out.contains("as it is") && people.out.contains("  batch_size=16 *"), people.all());
        QVERIFY2(people.out.startsWith("worst tile "), people.all()); // the name that compile, report and the window have for it
    }

    void valuesThatAreAskedForAreTriedOrRefused()
    {
        Sandbox const box;
        box.project("p.json", {"system.target=gc200:tiles=64", "data.limit=0"}); // 60,000 samples
        auto const tried = box.run({"tune", "p.json", "--set", "training.batch_size=64", "--json"});
        QVERIFY2(tried.code == 0 && tried.object()["complete"].toBool(), tried.all());
        bool found = false;
        for (auto const &trial : tried.object()["trials"].toArray()) {
            auto const set = trial.toObject()["set"].toObject();
            found = found || (set["training.batch_size"].toString() == "64" && set["data.limit"].toString() == "59968");
        }
        QVERIFY2(found, tried.all());
        auto const refused = box.run({"tune", "p.json", "--set", "training.batch_size=64", "--set", "data.limit=60000", "--json"});
        QVERIFY2(refused.code == 5 && !refused.object()["complete"].toBool(), refused.all());
        QCOMPARE(refused.object()["refused"].toArray().size(), 1);
        QCOMPARE(refused.object()["error"].toObject()["code"].toString(), QString("data.batch"));
        // An entry of a dictionary that is not set yet can be tried.
        auto const entry =
            box.run({"tune", "p.json", "--set", "ipu_config.matmuls.poplar_options.availableMemoryProportion=0.3", "--json"});
        QVERIFY2(entry.code == 0 && entry.object()["tried"].toInt() == 2, entry.all());
    }

    void tuningRefusesInvalidCandidates()
    {
        Sandbox const box;
        box.project("p.json", {"system.target=gc200:tiles=64"});
        QCOMPARE(box.run({"tune", "p.json", "--set", "training.nothing=1,2"}).code, 3);
        QCOMPARE(box.run({"tune", "p.json", "--set", "training.batch_size"}).code, 2);
        QCOMPARE(box.run({"tune", "p.json", "--set", "training.batch_size="}).code, 2);
        QCOMPARE(box.run({"tune", "p.json", "--set", "training.batch_size=[16"}).code, 2);
        QCOMPARE(box.run({"tune", "p.json", "--set", "training.batch_size=16", "--set", "training.batch_size=32"}).code, 2);
        auto const small =
            box.run({"tune", "p.json", "--set", "system.target=gc200:tiles=2,gc200:tiles=3", "--target", "gc200:tiles=4", "--json"});
        QVERIFY2(small.code == 4 && small.object()["trials"].toArray().size() == 3, small.all());
        for (auto const &value : small.object()["trials"].toArray()) {
            auto const trial = value.toObject();
            QVERIFY(!trial["fits"].toBool() && trial["max_tile_bytes"].toInt() > 638976 && trial["max_tile_bytes_with_gaps"].isNull());
        }
    }

    void commandLineSettingsArePartOfTheFastest()
    {
        Sandbox const box;
        box.project("p.json", {"system.target=gc200:tiles=32"});
        QStringList const tune{"tune", "p.json", "--target", "gc200:tiles=64"};
        auto const ran = box.run(tune + QStringList{"--set", "training.batch_size=64"});
        QVERIFY2(ran.code == 0, ran.all());
        auto const at = ran.out.indexOf("Fastest: ");
        QVERIFY2(at > 0 && ran.out.mid(at).contains(" system.target=gc200:tiles=64"), ran.all());
        auto const json = box.run(tune + QStringList{"--set", "training.batch_size=32", "--json"});
        QCOMPARE(json.object()["given"].toObject()["system.target"].toString(), QString("gc200:tiles=64"));
        // The target that the file has is no change.
        auto const own = box.run({"tune", "p.json", "--target", "gc200:tiles=32", "--set", "training.batch_size=64"});
        QVERIFY2(own.code == 0 && !own.out.contains("system.target"), own.all());
    }
};

TW_REGISTER_TEST(TstCliTune);
#include "tst_cli_tune.moc"

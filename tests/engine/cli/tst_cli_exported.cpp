#include "engine/data/npy.h"
#include "tests/engine/cli/program_run.h"
#include "tests/support/test_registry.h"

#include <QtTest>

using namespace tilewright;
using namespace tilewright::tests;

/// Executables of several entries on the command line: exported ones, and those in the cache.
class TstCliExported : public QObject {
    Q_OBJECT

private slots:
    void anExportedExecutableRunsAlone()
    {
        Sandbox const box;
        box.project("p.json", {"system.target=gc200:tiles=16"});
        QCOMPARE(box.run({"export", "p.json", "e.twexe", "--to", "executable", "--json"}).object()["path"].toString(), QString("e.twexe"));
        QCOMPARE(box.run({"export", "p.json", "e.twexe", "--to", "executable"}).code, 0); // replaces the former one
        // The weights of a file: other results than with the initial ones.
        QCOMPARE(box.run({"train", "p.json", "--steps", "4", "--checkpoint", "w.npz"}).code, 0);
        QCOMPARE(box.run({"export", "p.json", "t.twexe", "--to", "executable", "--checkpoint", "w.npz", "--json"}).object()["checkpoint"],
                 QJsonValue("w.npz"));
        QVERIFY(QFile::remove(box.path("p.json")));
        auto const listed = box.run({"run", "e.twexe", "--list", "--json"}).object();
        QCOMPARE(missingKeys(listed, {"target", "model", "version", "entries"}), QStringList());
        QCOMPARE(listed["entries"].toArray()[0].toObject()["name"].toString(), QString("predict"));
        auto const npz = [&](char const *name, Shape const &shape) {
            std::vector<float> const values(static_cast<std::size_t>(elementCount(shape)), 0.25f);
            auto const array = data::makeArray<float>(shape, values);
            return data::writeNpz(box.path(name).toStdString(), std::vector<data::NamedArray>{{"x", array}}, false, {}).ok();
        };
        QVERIFY(npz("x.npz", {3, 28, 28}) && npz("wide.npz", {3, 28, 29}));
        auto const ran = box.run({"run", "e.twexe", "--input", "x.npz", "--out", "y.npz", "--json"});
        QVERIFY2(ran.code == 0, ran.all());
        QCOMPARE(ran.object()["samples"].toInt(), 3);
        auto const results = data::readNpz(box.path("y.npz").toStdString(), {});
        QVERIFY(results.ok() && results->size() == 1);
        QCOMPARE(results->front().name, std::string("predictions"));
        QCOMPARE(results->front().array.shape, Shape({3, 10}));
        QCOMPARE(box.run({"run", "t.twexe", "--input", "x.npz", "--out", "trained.npz"}).code, 0);
        QVERIFY(box.read("trained.npz") != box.read("y.npz"));
        auto const wide = box.run({"run", "e.twexe", "--input", "wide.npz", "--out", "z.npz", "--json"});
        QVERIFY2(wide.code == 5 && wide.errorCode() == "executable.feed", wide.all());
        auto const other = box.run({"run", "e.twexe", "--input", "x.npz", "--out", "z.npz", "--target", "gc2", "--json"});
        QVERIFY2(other.code == 3 && other.errorCode() == "executable.target", other.all());
        // Only earlier predictions are replaced, and the name says what the file is.
        QCOMPARE(box.run({"run", "e.twexe", "--input", "x.npz", "--out", "y.npz"}).code, 0);
        auto const foreign = box.run({"run", "e.twexe", "--input", "x.npz", "--out", "wide.npz", "--json"});
        QVERIFY2(foreign.code == 2 && foreign.errorCode() == "cli.exists", foreign.all());
        QCOMPARE(box.run({"run", "e.twexe", "--input", "x.npz", "--out", "wide.npz", "--force"}).code, 0);
        auto const named = box.run({"run", "e.twexe", "--input", "x.npz", "--out", "z.txt", "--json"});
        QVERIFY2(named.code == 2 && named.errorCode() == "cli.suffix", named.all());
        // Messages are those of this command, not of a project's data or of the cache.
        auto const absent = box.run({"run", "e.twexe", "--input", "none.npz", "--out", "z.npz"});
        QVERIFY2(absent.code == 5 && !absent.all().contains("data.path"), absent.all());
        auto const project = box.run({"run", "x.npz", "--input", "x.npz", "--out", "z.npz"});
        QVERIFY2(project.code != 0 && !QString(project.all()).contains("cache")
                     && QString(project.all()).contains("export --to executable"),
                 project.all());
        QCOMPARE(box.run({"run", "e.twexe", "--entry", "train", "--input", "x.npz", "--out", "z.npz"}).code, 2);
        QCOMPARE(box.run({"run", "e.twexe"}).code, 2);
    }

    /// Weights out of one executable and into another, which then predicts as the first one.
    void weightsGoOutAndInThroughEntries()
    {
        Sandbox const box;
        box.project("p.json", {"system.target=gc200:tiles=16"});
        QCOMPARE(box.run({"train", "p.json", "--steps", "4", "--checkpoint", "w.npz"}).code, 0);
        std::vector<float> const values(3 * 28 * 28, 0.25f);
        auto const array = data::makeArray<float>({3, 28, 28}, values);
        QVERIFY(data::writeNpz(box.path("x.npz").toStdString(), std::vector<data::NamedArray>{{"x", array}}, false, {}).ok());
        auto const *const entries = "predict,weights_in,weights_out,initialise";
        QCOMPARE(box.run({"export", "p.json", "f.twexe", "--to", "executable", "--entries", entries}).code, 0);
        QCOMPARE(box.run({"export", "p.json", "g.twexe", "--to", "executable", "--entries", entries, "--checkpoint", "w.npz"}).code, 0);
        auto const out = box.run({"run", "g.twexe", "--entry", "weights_out", "--out", "o.npz", "--json"});
        QVERIFY2(out.code == 0 && out.object()["path"].toString() == "o.npz", out.all());
        auto const in = box.run({"run", "f.twexe", "--entry", "weights_in", "--input", "o.npz", "--save", "h.twexe", "--json"});
        QVERIFY2(in.code == 0 && in.object()["executable"].toString() == "h.twexe", in.all());
        QCOMPARE(box.run({"run", "h.twexe", "--input", "x.npz", "--out", "h.npz"}).code, 0);
        QCOMPARE(box.run({"run", "g.twexe", "--input", "x.npz", "--out", "g.npz"}).code, 0);
        QCOMPARE(box.read("h.npz"), box.read("g.npz"));
        QCOMPARE(box.run({"run", "f.twexe", "--entry", "initialise", "--out", "i.npz"}).code, 0);
        QCOMPARE(box.run({"run", "f.twexe", "--entry", "weights_in", "--out", "j.npz"}).code, 2); // no --input
        QCOMPARE(box.run({"run", "f.twexe", "--entry", "weights_out"}).code, 2);
        QCOMPARE(box.run({"run", "f.twexe", "--input", "x.npz", "--out", "k.npz", "--save", "k.twexe"}).code, 2);
    }

    void anExportedExecutableEvaluatesAndTrains()
    {
        Sandbox const box;
        box.project("p.json", {"system.target=gc200:tiles=16", "training.batch_size=8"});
        auto const exported = box.run({"export", "p.json", "e.twexe", "--to", "executable", "--entries", "train,evaluate", "--json"});
        QVERIFY2(exported.code == 0, exported.all());
        QCOMPARE(exported.object()["entries"].toArray().size(), 2);
        QVERIFY(QFile::remove(box.path("p.json")));
        std::vector<float> const pixels(16 * 28 * 28, 0.25f);
        std::vector<std::int32_t> const digits(16, 7);
        QVERIFY(data::writeNpz(box.path("xy.npz").toStdString(),
                               std::vector<data::NamedArray>{{"flatten_input", data::makeArray<float>({16, 28, 28}, pixels)},
                                                             {"labels", data::makeArray<std::int32_t>({16}, digits)}},
                               false, {})
                    .ok());
        auto const before = box.run({"run", "e.twexe", "--entry", "evaluate", "--input", "xy.npz", "--json"}).object();
        QCOMPARE(before["samples"].toInt(), 16);
        auto const ran = box.run({"run", "e.twexe", "--entry", "train", "--input", "xy.npz", "--out", "w.npz", "--json"});
        QVERIFY2(ran.code == 0, ran.all());
        QCOMPARE(ran.object()["entry"].toString(), QString("train"));
        QCOMPARE(missingKeys(ran.object(), {"loss", "metrics", "samples", "emulated_seconds", "path"}), QStringList());
        // The trained weights are a checkpoint of the project.
        box.project("q.json", {"system.target=gc200:tiles=16", "training.batch_size=8"});
        QCOMPARE(box.run({"export", "q.json", "t.twexe", "--to", "executable", "--entries", "evaluate", "--checkpoint", "w.npz"}).code, 0);
        auto const after = box.run({"run", "t.twexe", "--input", "xy.npz", "--entry", "evaluate", "--json"}).object();
        QVERIFY(after["loss"].toDouble() < before["loss"].toDouble());
        QCOMPARE(box.run({"export", "q.json", "u.twexe", "--to", "executable", "--entries", "forecast"}).code, 2);
        QCOMPARE(box.run({"export", "q.json", "u.twexe", "--to", "executable", "--output-names", "a,b"}).code, 2);
        QCOMPARE(box.run({"run", "e.twexe", "--entry", "train", "--input", "xy.npz"}).code, 2); // no place for the weights
    }

    void trainEvaluateAndPredictCompileOnce()
    {
        Sandbox const box;
        box.project("p.json", {"system.target=gc200:tiles=16", "training.validation_executable=shared"});
        auto const trained = box.run({"train", "p.json", "--steps", "2", "--checkpoint", "w.npz", "--json"});
        QVERIFY2(trained.code == 0, trained.all());
        QCOMPARE(trained.events("compile")[0]["cache"].toString(), QString("miss"));
        auto const evaluated = box.run({"evaluate", "p.json", "--checkpoint", "w.npz", "--json"});
        QVERIFY2(evaluated.code == 0, evaluated.all());
        QCOMPARE(evaluated.object()["cache"].toString(), QString("hit"));
        auto const predicted = box.run({"predict", "p.json", "--checkpoint", "w.npz", "--out", "y.npz", "--json"});
        QVERIFY2(predicted.code == 0, predicted.all());
        QCOMPARE(predicted.object()["cache"].toString(), QString("hit"));
    }
};

TW_REGISTER_TEST(TstCliExported);
#include "tst_cli_exported.moc"

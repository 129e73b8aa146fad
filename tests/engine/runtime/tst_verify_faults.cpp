#include "engine/runtime/lockstep.h"
#include "engine/runtime/session_parts.h"
#include "tests/engine/runtime/program_faults.h"
#include "tests/engine/runtime/session_tools.h"
#include "tests/support/test_registry.h"

#include <map>

using namespace tilewright;
using namespace tilewright::tests;

/// verify finds faults of the lowered program, also in models whose numbers cancel, and raises no alarm without a fault.
class TstVerifyFaults : public QObject {
    Q_OBJECT
    SessionFolder m_folder;

    static project::Project model(std::string const &name)
    {
        auto p = mnist("gc200:tiles=16", {{"data.limit", "24"}, {"training.batch_size", "8"}, {"training.optimizer", "sgd"}});
        p.model = {};
        p.model.name = name;
        auto const layer = [&](char const *type, model::Json config = model::Json::object()) {
            if (p.model.layers.empty()) config["batch_input_shape"] = {nullptr, 28, 28};
            if (name == "half") config["dtype"] = "mixed_float16";
            p.model.layers.push_back(model::makeLayer(type, model::uniqueLayerName(p.model, type), std::move(config)));
        };
        if (name == "image" || name == "half") {
            layer("Reshape", {{"target_shape", {28, 28, 1}}});
            layer("AveragePooling2D", {{"pool_size", 2}});
            layer("Conv2D", {{"filters", 4}, {"kernel_size", 3}, {"padding", "same"}, {"activation", "relu"}});
            layer("MaxPooling2D", {{"pool_size", 3}, {"strides", 2}});
        } else if (name == "sequence") {
            layer("AveragePooling1D", {{"pool_size", 4}});
            layer("LSTM", {{"units", 6}, {"return_sequences", true}});
            layer("GRU", {{"units", 5}});
        } else {
            layer("AveragePooling1D", {{"pool_size", 4}});
        }
        layer("Flatten");
        layer("Dense", {{"units", 12}});
        if (name == "cancelling") {
            layer("BatchNormalization"); // takes the bias in front of it away
            layer("Softmax");
            layer("LayerNormalization");
        }
        layer("Dense", {{"units", 10}, {"activation", "softmax"}});
        return p;
    }

    static data::Dataset dataOf(project::Project const &p) { return runtime::openData(p, runtime::RunRequest(), {}).value(); }

    /// What one update of the tiles leaves: variables and outfeeds, as floats.
    static std::optional<std::vector<std::vector<float>>> oneUpdate(project::Project const &p, compiler::CompileOutcome const &compiled,
                                                                    data::Dataset const &dataset)
    {
        auto const entry = compiled.entry();
        ThreadPool pool(1);
        auto tile = runtime::makeTileExecutor(entry, compiled.machine, 1, pool);
        if (!tile.ok()) return {};
        auto const initial = runtime::initialState(p, entry).value();
        if (!runtime::loadState(**tile, entry, initial).ok()) return {};
        runtime::Infeed infeed(dataset.x, dataset.y, static_cast<float>(dataset.scale), entry->infeed, entry->batchSize, entry.replicas(),
                               0);
        infeed.begin(data::epochOrder(dataset.x.count(), 1, 0, false), 0, entry->microBatchesPerUpdate);
        std::vector<std::vector<float>> values;
        runtime::StreamHandlers streams;
        streams.toDevice = [&](int r, int index, std::byte *to, std::size_t bytes) { return infeed.next(r, index, to, bytes); };
        streams.fromDevice = [&](int, int index, std::byte const *from, std::size_t bytes) -> Status {
            runtime::appendFloats(values.emplace_back(), entry->outfeed[static_cast<std::size_t>(index)].dtype, {from, bytes});
            return {};
        };
        if (!(*tile)->runUpdate(streams, {}).ok()) return {};
        for (std::size_t v = 0; v < entry->graph.variables.size(); ++v)
            if (graph::VariableId const id(v); (*tile)->has(id) && entry->graph.variables[v].role != graph::Role::Accumulator) {
                auto &left = values.emplace_back();
                runtime::appendFloats(left, entry->graph.variables[v].dtype, (*tile)->read(id, 0));
                // Of a weight, what the update changed.
                std::vector<float> before;
                if (auto const *tensor = initial.find(entry->graph.variables[v].name))
                    runtime::appendFloats(before, tensor->dtype, tensor->bytes);
                for (std::size_t i = 0; i < left.size() && before.size() == left.size(); ++i) left[i] -= before[i];
            }
        return values;
    }
    /// The largest difference over the largest magnitude of its tensor; of tensors that are next to nothing: none.
    static double difference(std::vector<std::vector<float>> const &a, std::vector<std::vector<float>> const &b)
    {
        double worst = 0;
        for (std::size_t t = 0; t < a.size(); ++t) {
            double largest = 0, differs = 0;
            for (std::size_t i = 0; i < a[t].size(); ++i) {
                largest = std::max(largest, static_cast<double>(std::abs(a[t][i])));
                double const d = std::abs(static_cast<double>(a[t][i]) - static_cast<double>(b[t][i]));
                differs = std::isfinite(d) ? std::max(differs, d) : 1e30;
            }
            if (largest > 1e-6) worst = std::max(worst, differs / largest);
        }
        return worst;
    }

private slots:
    void faultsOfTheProgramAreFound_data()
    {
        QTest::addColumn<QString>("name");
        for (char const *name : {"dense", "image", "half", "sequence", "cancelling"}) QTest::newRow(name) << name;
    }
    void faultsOfTheProgramAreFound()
    {
        QFETCH(QString, name);
        auto const p = model(name.toStdString());
        auto request = requestIn(m_folder, runtime::Mode::Tile);
        auto compiled = compiler::compile(p, request.compile, {}).value();
        auto const dataset = dataOf(p);
        auto const right = runtime::compareModes(p, compiled, dataset, request, 2, {});
        QVERIFY2(right.ok() && right->agrees, qPrintable(QString::number(right.ok() ? right->maxRelativeError : -1)));

        auto const good = *compiled.executable;
        auto const expected = oneUpdate(p, compiled, dataset).value();
        std::map<std::string, std::vector<ProgramFault>> byKind;
        for (auto &fault : faultsOf(good.program)) byKind[fault.kind].push_back(std::move(fault));
        int found = 0, without = 0;
        std::map<std::string, int> foundOf;
        for (auto const &[kind, faults] : byKind) {
            std::size_t const step = std::max<std::size_t>(1, faults.size() / 12);
            for (std::size_t i = 0; i < faults.size(); i += step) {
                auto bad = std::make_shared<executable::Executable>(good);
                faults[i].apply(bad->program);
                if (!program::verify(bad->program).ok()) continue; // the compiler would have refused it
                compiled.executable = bad;
                auto const left = oneUpdate(p, compiled, dataset);
                if (!left || left->size() != expected.size()) continue;
                auto const outcome = runtime::compareModes(p, compiled, dataset, request, 1, {});
                bool const agrees = outcome.ok() && outcome->agrees;
                // Some change nothing: an operand that holds the same numbers, a gradient that nobody reads.
                if (difference(*left, expected) < 0.02) {
                    ++without;
                    continue;
                }
                QVERIFY2(!agrees,
                         qPrintable(QString::fromStdString(kind + " is not found: " + faults[i].where) + ", changes "
                                    + QString::number(difference(*left, expected))));
                ++found;
                ++foundOf[kind];
            }
        }
        for (auto const &[kind, count] : foundOf) qInfo("%s: %d found", kind.c_str(), count);
        qInfo("%d of no effect", without);
        QVERIFY2(found >= 15, qPrintable(QString::number(found)));
        QVERIFY(foundOf["wrong operand"] > 0 && foundOf["lost transfer"] > 0);
        if (name == "image") QVERIFY(foundOf["stale halo"] > 0);
    }
    void withoutAnUpdateTheDataAreNamed()
    {
        auto p = mnist("gc200:tiles=16", smallModel({{"data.limit", "20"}, {"training.batch_size", "64"}}));
        auto const outcome = runtime::verify(p, requestIn(m_folder, runtime::Mode::Tile), 2, {});
        QVERIFY(!outcome.ok());
        QCOMPARE(outcome.error().kind, ErrorKind::Invalid);
        QCOMPARE(outcome.error().code, std::string("verify.no-update"));
        QVERIFY(outcome.error().message.find("20 samples") != std::string::npos && outcome.error().message.find("64") != std::string::npos);
    }
};

TW_REGISTER_TEST(TstVerifyFaults);
#include "tst_verify_faults.moc"

// Models with several inputs and outputs: each is fed what the data source names for it, in every kind of run and in both modes.
#include "engine/data/npy.h"
#include "tests/engine/runtime/functional_models.h"
#include "tests/engine/runtime/session_tools.h"
#include "tests/support/test_registry.h"

using namespace tilewright;
using namespace tilewright::tests;

namespace {

/// Two whole numbers a sample, looked up, beside three features: three classes.
model::Model lookUpAndFeatures()
{
    return functional({inputLayer("features", {3}, "float32"), inputLayer("symbols", {2}, "int32"),
                       layerOf("Embedding", "look_up", {{"input_dim", 7}, {"output_dim", 4}}, {"symbols"}),
                       layerOf("Flatten", "flat", Json::object(), {"look_up"}),
                       layerOf("Concatenate", "join", Json::object(), {"features", "flat"}),
                       layerOf("Dense", "out", {{"units", 3}, {"activation", "softmax"}}, {"join"})},
                      {"features", "symbols"}, {"out"});
}

/// Three features, from which a class and two numbers are to be told.
model::Model classAndNumbers()
{
    return functional({inputLayer("features", {3}, "float32"),
                       layerOf("Dense", "hidden", {{"units", 8}, {"activation", "relu"}}, {"features"}),
                       layerOf("Dense", "kind", {{"units", 3}, {"activation", "softmax"}}, {"hidden"}),
                       layerOf("Dense", "size", {{"units", 2}}, {"hidden"})},
                      {"features"}, {"kind", "size"});
}

constexpr std::int64_t kSamples = 48;

float featureAt(std::int64_t sample, std::int64_t i) { return static_cast<float>((sample * 5 + i * 3) % 11) / 11; }
std::int32_t symbolAt(std::int64_t sample, std::int64_t i) { return static_cast<std::int32_t>((sample * 3 + i) % 7); }

} // namespace

class TstSeveralInputs : public QObject {
    Q_OBJECT
    SessionFolder m_folder;

    project::Project projectFor(model::Model model, std::string const &target, Fields const &fields = {})
    {
        std::vector<float> features, sizes, weights;
        std::vector<std::int32_t> symbols, labels;
        for (std::int64_t s = 0; s < kSamples; ++s) {
            for (std::int64_t i = 0; i < 3; ++i) features.push_back(featureAt(s, i));
            for (std::int64_t i = 0; i < 2; ++i) sizes.push_back(2 * featureAt(s, i) - featureAt(s, 2));
            for (std::int64_t i = 0; i < 2; ++i) symbols.push_back(symbolAt(s, i));
            labels.push_back(symbolAt(s, 0) % 3); // only the further input tells them
            weights.push_back(labels.back() == 0 ? 1.0f : labels.back() == 1 ? 0.0f : 3.0f);
        }
        std::vector<data::NamedArray> const arrays{{"x", data::makeArray({kSamples, 3}, features)},
                                                   {"y", data::makeArray({kSamples}, labels)},
                                                   {"numbers", data::makeArray({kSamples, 2}, symbols)},
                                                   {"sizes", data::makeArray({kSamples, 2}, sizes)},
                                                   {"weights", data::makeArray({kSamples}, weights)}};
        if (!data::writeNpz(m_folder.path() / "set.npz", arrays, false, {}).ok()) qFatal("no data");
        Fields all{{"data.path", (m_folder.path() / "set.npz").string()},
                   {"data.limit", "0"},
                   {"data.inputs", R"({"symbols": "numbers"})"},
                   {"training.batch_size", "8"}};
        all.insert(all.end(), fields.begin(), fields.end());
        auto p = mnist(target, all);
        p.model = std::move(model);
        return p;
    }

private slots:
    void trainsEvaluatesAndPredicts()
    {
        auto const p =
            projectFor(lookUpAndFeatures(), "gc200:tiles=8", {{"training.epochs", "40"}, {"training.optimizer.learning_rate", "0.02"}});
        std::vector<double> losses;
        auto const outcome = trained(p, requestIn(m_folder), &losses);
        QVERIFY2(losses.back() < 0.3 * losses.front(), qPrintable(QString("%1 after %2").arg(losses.back()).arg(losses.front())));
        auto const evaluated = runtime::evaluate(p, requestIn(m_folder), &outcome.state, {});
        QVERIFY2(evaluated.ok(), evaluated.ok() ? "" : toText(evaluated.error()).c_str());
        QCOMPARE(evaluated->samples, kSamples);
        QVERIFY(evaluated->loss < 0.5 * losses.front());
        auto const predicted = runtime::predict(p, requestIn(m_folder), &outcome.state, {});
        QVERIFY2(predicted.ok(), predicted.ok() ? "" : toText(predicted.error()).c_str());
        int right = 0;
        for (std::int64_t s = 0; s < kSamples; ++s) {
            auto const row = predicted->outputs.at(0).values.begin() + s * 3;
            right += std::max_element(row, row + 3) - row == symbolAt(s, 0) % 3;
        }
        QVERIFY2(right >= kSamples * 9 / 10, qPrintable(QString::number(right)));
    }
    void bothModesAgree()
    {
        auto const p = projectFor(lookUpAndFeatures(), "gc200:tiles=8");
        auto const verified = runtime::verify(p, requestIn(m_folder), 3, {});
        QVERIFY2(verified.ok(), verified.ok() ? "" : toText(verified.error()).c_str());
        QVERIFY2(verified->agrees, qPrintable(QString::number(verified->maxRelativeError)));
    }
    void eachInputIsFedItsOwnArrayInWhateverOrderTheyAre()
    {
        // What goes in comes out. The samples feed the input that no name is given for, be it the first or the last.
        for (bool samplesFirst : {true, false}) {
            std::vector<char const *> const order =
                samplesFirst ? std::vector<char const *>{"features", "symbols"} : std::vector<char const *>{"symbols", "features"};
            auto const model = functional({inputLayer("features", {3}, "float32"), inputLayer("symbols", {2}, "float32"),
                                           layerOf("Concatenate", "join", Json::object(), {"features", "symbols"})},
                                          order, {"join"});
            auto const predicted = runtime::predict(projectFor(model, "gc200:tiles=8"), requestIn(m_folder), nullptr, {});
            QVERIFY2(predicted.ok(), predicted.ok() ? "" : toText(predicted.error()).c_str());
            auto const &values = predicted->outputs.at(0).values;
            QCOMPARE(values.size(), static_cast<std::size_t>(kSamples * 5));
            for (std::int64_t s = 0; s < kSamples; ++s)
                for (std::int64_t i = 0; i < 5; ++i)
                    QCOMPARE(values[static_cast<std::size_t>(s * 5 + i)], i < 3 ? featureAt(s, i) : static_cast<float>(symbolAt(s, i - 3)));
        }
    }
    void theTransformerBeginsToSort()
    {
        auto p = project::fromTemplate("transformer-sort").value();
        p = project::withField(p, "data.limit", "2048", nullptr).value();
        std::vector<double> losses;
        auto request = requestIn(m_folder);
        request.steps = 60;
        (void)trained(p, request, &losses);
        QVERIFY(losses.front() > 2.5); // log 16 is 2.77
        QVERIFY2(losses.back() < 1.9, qPrintable(QString::number(losses.back())));
        // The gradient of a key's bias is nothing but rounding: what it differs by is no finding.
        p = project::withField(p, "system.target", "gc200:tiles=16", nullptr).value();
        p = project::withField(p, "training.batch_size", "4", nullptr).value();
        auto const verified = runtime::verify(p, requestIn(m_folder), 1, {});
        QVERIFY2(verified.ok(), verified.ok() ? "" : toText(verified.error()).c_str());
        QVERIFY2(verified->agrees, qPrintable(QString::number(verified->maxRelativeError)));
    }
    /// Before, one array of labels served every output: a class and two numbers could not be trained together.
    void eachOutputHasLabelsOfItsOwn()
    {
        Fields const heads{{"data.inputs", "{}"},
                           {"data.labels", R"({"size": "sizes"})"},
                           {"training.loss", R"(["sparse_categorical_crossentropy", "mse"])"},
                           {"training.metrics", "[]"},
                           {"training.epochs", "60"},
                           {"training.optimizer.learning_rate", "0.01"}};
        auto const p = projectFor(classAndNumbers(), "gc200:tiles=8", heads);
        auto const outcome = trained(p, requestIn(m_folder));
        auto const predicted = runtime::predict(p, requestIn(m_folder), &outcome.state, {});
        QVERIFY2(predicted.ok(), predicted.ok() ? "" : toText(predicted.error()).c_str());
        double worst = 0;
        for (std::int64_t s = 0; s < kSamples; ++s)
            for (std::int64_t i = 0; i < 2; ++i)
                worst = std::max(worst,
                                 std::abs(static_cast<double>(predicted->outputs.at(1).values[static_cast<std::size_t>(2 * s + i)])
                                          - (2 * featureAt(s, i) - featureAt(s, 2))));
        QVERIFY2(worst < 0.3, qPrintable(QString::number(worst))); // they lie between -1 and 2
        auto const verified = runtime::verify(p, requestIn(m_folder), 2, {});
        QVERIFY2(verified.ok() && verified->agrees,
                 verified.ok() ? qPrintable(QString::number(verified->maxRelativeError)) : toText(verified.error()).c_str());

        auto const refusal = [&](char const *labels) {
            auto fields = heads;
            fields[1].second = labels;
            return runtime::train(projectFor(classAndNumbers(), "gc200:tiles=8", fields), requestIn(m_folder), {}, {}).error();
        };
        auto const shared = refusal("{}");
        QCOMPARE(shared.code, std::string("data.labels.shape"));
        QVERIFY2(shared.message.find("output 'size'") != std::string::npos && shared.remedy.find("data.labels") != std::string::npos,
                 toText(shared).c_str());
        QCOMPARE(refusal(R"({"size": "sizes", "colour": "y"})").code, std::string("data.labels"));
        QCOMPARE(refusal(R"({"size": "no such array"})").code, std::string("data.npz.name"));
    }
    /// A sample of weight 0 is as if it were not there; one of weight 2 as if it were there twice. Weights of classes do the same.
    void samplesCountAsTheyWeigh()
    {
        Fields const plain{{"data.inputs", "{}"},
                           {"training.metrics", "[]"},
                           {"training.epochs", "3"},
                           {"training.optimizer", "SGD"},
                           {"training.optimizer.learning_rate", "0.1"},
                           {"training.shuffle", "false"}};
        auto const with = [&](Fields more) {
            Fields all = plain;
            all.insert(all.end(), more.begin(), more.end());
            auto model = functional(
                {inputLayer("features", {3}, "float32"), layerOf("Dense", "kind", {{"units", 3}, {"activation", "softmax"}}, {"features"})},
                {"features"}, {"kind"});
            return projectFor(std::move(model), "gc200:tiles=8", all);
        };
        auto const weights = [](runtime::TrainOutcome const &outcome) { return floatsOf(*outcome.state.find("kind/kernel")); };
        auto const none = weights(trained(with({}), requestIn(m_folder)));
        // The loss is a mean over all samples: twice the weight of everything is twice the rate.
        auto const twice =
            weights(trained(with({{"training.class_weight", "2,2,2"}, {"training.optimizer.learning_rate", "0.05"}}), requestIn(m_folder)));
        for (std::size_t i = 0; i < none.size(); ++i)
            QVERIFY2(std::abs(none[i] - twice[i]) < 1e-5, qPrintable(QString::number(none[i] - twice[i])));
        // A class that weighs nothing, or its samples.
        auto const byClass = weights(trained(with({{"training.class_weight", "1,0,3"}}), requestIn(m_folder)));
        auto const bySample = weights(trained(with({{"data.sample_weight", "weights"}}), requestIn(m_folder)));
        double moved = 0;
        for (std::size_t i = 0; i < none.size(); ++i) {
            QVERIFY2(std::abs(byClass[i] - bySample[i]) < 1e-6, qPrintable(QString::number(byClass[i] - bySample[i])));
            moved = std::max(moved, static_cast<double>(std::abs(byClass[i] - none[i])));
        }
        QVERIFY(moved > 1e-3);
        for (auto const &more : {Fields{{"training.class_weight", "1,0,3"}}, Fields{{"data.sample_weight", "weights"}}}) {
            auto const verified = runtime::verify(with(more), requestIn(m_folder), 2, {});
            QVERIFY2(verified.ok() && verified->agrees,
                     verified.ok() ? qPrintable(QString::number(verified->maxRelativeError)) : toText(verified.error()).c_str());
        }
        QCOMPARE(runtime::train(with({{"training.class_weight", "1,2"}}), requestIn(m_folder), {}, {}).error().code,
                 std::string("training.class-weight"));
        QCOMPARE(runtime::train(with({{"data.sample_weight", "x"}}), requestIn(m_folder), {}, {}).error().code,
                 std::string("data.shape.weights"));
    }
    /// Every input may be named, and every output, as Keras's fit takes dictionaries; no array needs the usual name then.
    void dictionariesMayNameEveryInputAndOutput()
    {
        auto const byPlace = projectFor(lookUpAndFeatures(), "gc200:tiles=8");
        auto const lossOf = [&](project::Project const &p) { return trained(p, requestIn(m_folder)).epochs.at(0).loss; };
        double const wanted = lossOf(byPlace);
        auto const named =
            projectFor(lookUpAndFeatures(), "gc200:tiles=8", {{"data.inputs", R"({"symbols": "numbers", "features": "x"})"}});
        QCOMPARE(lossOf(named), wanted);
        auto const read = data::readNpz(m_folder.path() / "set.npz", {});
        QVERIFY(read.ok());
        std::vector<data::NamedArray> renamed;
        for (auto const &[name, array] : *read) renamed.push_back({"the_" + name, array});
        QVERIFY(data::writeNpz(m_folder.path() / "named.npz", renamed, false, {}).ok());
        Fields const own{{"data.path", (m_folder.path() / "named.npz").string()},
                         {"data.inputs", R"({"symbols": "the_numbers", "features": "the_x"})"},
                         {"data.labels", R"({"out": "the_y"})"}};
        QCOMPARE(lossOf(projectFor(lookUpAndFeatures(), "gc200:tiles=8", own)), wanted);
        auto wrong = own;
        wrong[2].second = R"({"outs": "the_y"})";
        auto const refused = runtime::train(projectFor(lookUpAndFeatures(), "gc200:tiles=8", wrong), requestIn(m_folder), {}, {});
        QVERIFY(!refused.ok());
        QCOMPARE(refused.error().code, std::string("data.labels"));

        Fields const heads{{"data.inputs", "{}"}, {"training.metrics", "[]"}};
        auto const with = [&](Fields more) {
            Fields all = heads;
            all.insert(all.end(), more.begin(), more.end());
            return projectFor(classAndNumbers(), "gc200:tiles=8", all);
        };
        std::pair<std::string, std::string> const labels{"data.labels", R"({"kind": "y", "size": "sizes"})"};
        double const two = lossOf(with({{"data.labels", R"({"size": "sizes"})"},
                                        {"training.loss", R"(["sparse_categorical_crossentropy", "mse"])"},
                                        {"training.loss_weights", "0.5,2"}}));
        QCOMPARE(lossOf(with({labels,
                              {"training.loss", R"({"size": "mse", "kind": "sparse_categorical_crossentropy"})"},
                              {"training.loss_weights", R"({"size": 2, "kind": 0.5})"}})),
                 two);
    }
    void inputsAndArraysThatDoNotMatchAreRefusedByName()
    {
        auto const refusal = [&](std::string const &inputs) {
            auto const p = projectFor(lookUpAndFeatures(), "gc200:tiles=8", {{"data.inputs", inputs}});
            return runtime::train(p, requestIn(m_folder), {}, {}).error();
        };
        auto const missing = refusal("{}");
        QCOMPARE(missing.code, std::string("data.inputs"));
        QCOMPARE(missing.subject, std::string("symbols"));
        auto const unknown = refusal(R"({"symbols": "numbers", "colours": "x"})");
        QCOMPARE(unknown.code, std::string("data.inputs"));
        QCOMPARE(unknown.subject, std::string("colours"));
        QCOMPARE(refusal(R"({"symbols": "x"})").code, std::string("data.shape.model"));
    }
};

TW_REGISTER_TEST(TstSeveralInputs);
#include "tst_several_inputs.moc"

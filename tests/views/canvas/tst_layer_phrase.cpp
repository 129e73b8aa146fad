#include "views/modeledit/layer_phrase.h"

#include "tests/support/test_registry.h"

#include <QtTest>

using namespace tilewright;
using namespace tilewright::views;

class TstLayerPhrase : public QObject {
    Q_OBJECT
private slots:
    void reads_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("className");
        QTest::addColumn<QString>("argument");
        QTest::addColumn<QString>("value");
        QTest::newRow("number") << "dense 128"
                                << "Dense"
                                << "units"
                                << "128";
        QTest::newRow("activation") << "dense 128 relu"
                                    << "Dense"
                                    << "activation"
                                    << "\"relu\"";
        QTest::newRow("order does not matter") << "dense relu 128"
                                               << "Dense"
                                               << "units"
                                               << "128";
        QTest::newRow("case") << "DENSE 10 Softmax"
                              << "Dense"
                              << "activation"
                              << "\"softmax\"";
        QTest::newRow("named") << "dense units=7 use_bias=false"
                               << "Dense"
                               << "use_bias"
                               << "false";
        QTest::newRow("python word") << "dense 3 use_bias=False"
                                     << "Dense"
                                     << "use_bias"
                                     << "false";
        QTest::newRow("fraction") << "dropout 0.5"
                                  << "Dropout"
                                  << "rate"
                                  << "0.5";
        QTest::newRow("shape") << "input 28 28"
                               << "InputLayer"
                               << "batch_input_shape"
                               << "[null,28,28]";
        QTest::newRow("type") << "input 28 28 float16"
                              << "InputLayer"
                              << "dtype"
                              << "\"float16\"";
        QTest::newRow("list") << "reshape 7 112"
                              << "Reshape"
                              << "target_shape"
                              << "[7,112]";
        QTest::newRow("list as python") << "reshape target_shape=(4,2)"
                                        << "Reshape"
                                        << "target_shape"
                                        << "[4,2]";
        QTest::newRow("class beats activation") << "relu 6"
                                                << "ReLU"
                                                << "max_value"
                                                << "6.0";
        QTest::newRow("activation as class") << "tanh"
                                             << "Activation"
                                             << "activation"
                                             << "\"tanh\"";
        QTest::newRow("prefix") << "concat"
                                << "Concatenate"
                                << "axis"
                                << "-1";
        QTest::newRow("underscores") << "leaky_re_lu 0.2"
                                     << "LeakyReLU"
                                     << "alpha"
                                     << "0.2";
        QTest::newRow("without them") << "leakyrelu 0.2"
                                      << "LeakyReLU"
                                      << "alpha"
                                      << "0.2";
        QTest::newRow("one number for every axis") << "conv2d 64 3 relu"
                                                   << "Conv2D"
                                                   << "kernel_size"
                                                   << "[3,3]";
        QTest::newRow("a number for each axis") << "conv2d 64 3 5"
                                                << "Conv2D"
                                                << "kernel_size"
                                                << "[3,5]";
        QTest::newRow("window") << "max_pooling2d 2"
                                << "MaxPooling2D"
                                << "pool_size"
                                << "[2,2]";
        QTest::newRow("letters") << "lstm 5"
                                 << "LSTM"
                                 << "units"
                                 << "5";
        QTest::newRow("spaces") << "   dense    5  "
                                << "Dense"
                                << "units"
                                << "5";
    }
    void reads()
    {
        QFETCH(QString, text);
        QFETCH(QString, className);
        QFETCH(QString, argument);
        QFETCH(QString, value);
        auto const layers = parseLayerPhrase(text);
        QVERIFY2(layers.ok(), layers.ok() ? "" : qPrintable(QString::fromStdString(layers.error().message)));
        QCOMPARE(layers->size(), std::size_t(1));
        QCOMPARE(QString::fromStdString(layers->front().className), className);
        QCOMPARE(QString::fromStdString(layers->front().config[argument.toStdString()].dump()), value);
        QVERIFY(model::checkLayer(layers->front()).ok() || layers->front().name.empty());
    }
    void refuses_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("code");
        QTest::addColumn<QString>("said"); // part of message and remedy
        QTest::newRow("nothing") << ""
                                 << "edit.empty"
                                 << "missing";
        QTest::newRow("not supported") << "random_fourier_features 64"
                                       << "edit.unsupported"
                                       << "RandomFourierFeatures is not supported yet";
        QTest::newRow("not supported, long") << "random_flip 2"
                                             << "edit.unsupported"
                                             << "RandomFlip";
        QTest::newRow("not supported, letters") << "CTCLoss 5"
                                                << "edit.unsupported"
                                                << "CTCLoss";
        QTest::newRow("misspelt") << "dence 5"
                                  << "edit.unknown-layer"
                                  << "dense";
        QTest::newRow("ambiguous") << "s"
                                   << "edit.ambiguous"
                                   << "Softmax";
        QTest::newRow("missing") << "dense relu"
                                 << "edit.missing-argument"
                                 << "units";
        QTest::newRow("too many numbers") << "dense 5 6"
                                          << "edit.extra-number"
                                          << "6";
        QTest::newRow("unknown word") << "dense 5 rellu"
                                      << "edit.unknown-word"
                                      << "relu";
        QTest::newRow("unknown argument") << "dense unitz=5"
                                          << "edit.no-argument"
                                          << "units";
        QTest::newRow("out of range") << "dense 0"
                                      << "model.bad-argument"
                                      << "units";
        QTest::newRow("checked by the class") << "dropout 1"
                                              << "model.bad-argument"
                                              << "rate";
        QTest::newRow("second layer") << "dense 5 > "
                                      << "edit.empty"
                                      << "missing";
        QTest::newRow("text for a number") << "dense units=many"
                                           << "model.bad-argument"
                                           << "units";
    }
    void refuses()
    {
        QFETCH(QString, text);
        QFETCH(QString, code);
        QFETCH(QString, said);
        auto const layers = parseLayerPhrase(text);
        QVERIFY(!layers.ok());
        QCOMPARE(QString::fromStdString(layers.error().code), code);
        QString const whole = QString::fromStdString(layers.error().message + ' ' + layers.error().remedy + ' ' + layers.error().subject);
        QVERIFY2(whole.contains(said, Qt::CaseInsensitive), qPrintable(whole));
    }
    void readsChainsAndRepeats()
    {
        auto const layers = parseLayerPhrase(QStringLiteral("dense 64 relu x3 > dropout 0.2 > dense 10 softmax name=top"));
        QVERIFY(layers.ok());
        QCOMPARE(layers->size(), std::size_t(5));
        QCOMPARE((*layers)[2].integer("units"), std::int64_t(64));
        QCOMPARE((*layers)[3].className, std::string("Dropout"));
        QCOMPARE((*layers)[4].name, std::string("top"));
    }
    void offersWhatFits()
    {
        auto const classes = completeLayerPhrase(QStringLiteral("den"));
        QVERIFY(!classes.empty());
        QCOMPARE(classes.front().line, QStringLiteral("dense "));
        auto const activations = completeLayerPhrase(QStringLiteral("dense 5 re"));
        QVERIFY(std::any_of(activations.begin(), activations.end(),
                            [](auto const &each) { return each.line == QStringLiteral("dense 5 relu "); }));
        auto const second = completeLayerPhrase(QStringLiteral("dense 5 > drop"));
        QCOMPARE(second.front().line, QStringLiteral("dense 5 > dropout "));
        QVERIFY(phraseSignature(QStringLiteral("dense 5")).contains(QStringLiteral("units")));
    }
    void everyClassHasAStarterThatIsSound()
    {
        for (auto const &spec : model::builtinLayers()) {
            // Of a shape that the class takes: vectors, sequences, images, volumes, sequences of volumes.
            bool takesOne = spec.minInputs > 1 || spec.maxInputs < 1;
            for (Shape const &shape :
                 {Shape{-1, 28, 28}, Shape{-1, 28}, Shape{-1, 28, 28, 3}, Shape{-1, 8, 8, 8, 3}, Shape{-1, 4, 8, 8, 8, 3}}) {
                auto layer = starterLayer(spec, shape, {28, 28});
                layer.name = "x";
                auto const status = model::checkLayer(layer);
                QVERIFY2(status.ok(),
                         qPrintable(QString::fromStdString(spec.className + ": " + (status.ok() ? "" : status.error().message))));
                std::vector<Shape> const inputs{shape};
                takesOne = takesOne || spec.outputShape(layer, inputs).ok();
            }
            QVERIFY2(takesOne, spec.className.c_str());
        }
    }
    void offersLayersThatTakeTheShape()
    {
        auto const names = [](Shape const &shape) {
            QStringList list;
            for (auto const *spec : fittingLayers(shape)) list << QString::fromStdString(spec->className);
            return list;
        };
        QVERIFY(names({-1, 10}).contains(QStringLiteral("Dense")));
        QVERIFY(!names({-1, 10}).contains(QStringLiteral("InputLayer")));
        QVERIFY(!names({-1}).contains(QStringLiteral("Dense"))); // needs an axis besides the batch
    }
    void numbersOfAFileAreShort()
    {
        auto const penalty = nlohmann::json{{"class_name", "L2"}, {"config", {{"l2", 0.009999999776482582}}}};
        auto const layer = model::makeLayer("Dense", "d", {{"units", 4}, {"kernel_regularizer", penalty}});
        QString const text = argumentSummary(layer);
        QVERIFY2(text.contains(QLatin1String("0.01")) && !text.contains(QLatin1String("0.0099")), qPrintable(text));
    }
};

TW_REGISTER_TEST(TstLayerPhrase);
#include "tst_layer_phrase.moc"

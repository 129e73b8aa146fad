#include "engine/config/ipu_config.h"
#include "engine/config/option_value.h"
#include "engine/core/random.h"
#include "tests/support/test_registry.h"

#include <nlohmann/json.hpp>

#include <QtTest>

using namespace tilewright;
using namespace tilewright::config;
using Json = nlohmann::json;

namespace {

/// Any value `option` allows, other than the default where there is one.
OptionValue randomValue(OptionInfo const &option, RandomStream &random)
{
    if (!option.allowed.empty()) return option.allowed[random.below(option.allowed.size())];
    auto const low = static_cast<std::int64_t>(option.min.value_or(-1000));
    auto const high = static_cast<std::int64_t>(option.max.value_or(static_cast<double>(low) + 1000));
    auto integer = [&] { return low + static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(high - low + 1))); };
    switch (option.type) {
    case OptionType::Bool: return random.below(2) == 1;
    case OptionType::Int: return integer();
    case OptionType::Float: return random.uniform();
    case OptionType::Text:
    case OptionType::Path:
    case OptionType::Enum: return std::string("/some/ü \"path\" ") + std::to_string(random.below(100));
    case OptionType::Dict: {
        OptionDict dict;
        for (std::uint64_t i = random.below(3); i > 0; --i)
            if (option.path == "compilation_poplar_options") dict["opt.maxCompilationThreads"] = std::to_string(random.below(9));
            else dict["key." + std::to_string(i)] = std::to_string(random.below(9));
        return dict;
    }
    case OptionType::IntList: {
        std::vector<std::int64_t> list;
        for (std::uint64_t i = random.below(4); i > 0; --i) list.push_back(integer());
        return list;
    }
    }
    return {};
}

IpuConfig randomConfig(RandomStream &random)
{
    IpuConfig config;
    for (auto const &option : ipuConfigOptions())
        if (random.below(2)) {
            auto const status = config.set(option.path, randomValue(option, random));
            if (!status.ok()) qFatal("%s", toText(status.error()).c_str());
        }
    return config;
}

Json randomJson(RandomStream &random, int depth)
{
    switch (random.below(depth > 3 ? 7 : 9)) {
    case 0: return nullptr;
    case 1: return random.below(2) == 1;
    case 2: return static_cast<std::int64_t>(random.next());
    case 3: return random.next();
    case 4: return random.uniform() * 2;
    case 5: return std::string(random.below(5), static_cast<char>('a' + random.below(26)));
    case 6: return static_cast<std::int64_t>(random.below(300)) - 20;
    case 7: {
        auto array = Json::array();
        for (std::uint64_t i = random.below(4); i > 0; --i) array.push_back(randomJson(random, depth + 1));
        return array;
    }
    default: {
        auto object = Json::object();
        for (std::uint64_t i = random.below(5); i > 0; --i) {
            auto const &option = ipuConfigOptions()[random.below(ipuConfigOptions().size())];
            std::string key = option.path;
            if (random.below(3) == 0) key = key.substr(0, key.find('.'));
            if (random.below(8) == 0) key[random.below(key.size())] = 'x';
            object[key] = randomJson(random, depth + 1);
        }
        return object;
    }
    }
}

} // namespace

class TstConfigJson : public QObject {
    Q_OBJECT
private slots:
    void roundTripsFlatAndNested()
    {
        constexpr std::uint64_t kSeed = 20240501;
        qInfo("seed %llu", static_cast<unsigned long long>(kSeed));
        RandomStream random(kSeed);
        for (int i = 0; i < 200; ++i) {
            auto const config = randomConfig(random);
            for (auto const &json : {config.toFlatJson(), config.toNestedJson()}) {
                IpuConfig read;
                DiagnosticSink sink;
                QVERIFY(read.fromJsonText(json.dump(), &sink).ok());
                QVERIFY(read == config);
                for (auto const &warning : sink.all()) QVERIFY(warning.code != "config.missing-options");
            }
            for (auto const &json : {config.toFlatJson(true), config.toNestedJson(true)}) {
                IpuConfig read;
                QVERIFY(read.fromJson(json).ok());
                QVERIFY(read == config);
            }
        }
    }
    void flatKeysAreFullPathsAndNestedOnesAreObjects()
    {
        IpuConfig config;
        QVERIFY(config.setFromText("io_tiles.num_io_tiles", "32").ok());
        QCOMPARE(config.toFlatJson(true).dump(), std::string(R"({"io_tiles.num_io_tiles":32})"));
        QCOMPARE(config.toNestedJson(true).dump(), std::string(R"({"io_tiles":{"num_io_tiles":32}})"));
        QCOMPARE(config.toFlatJson().size(), ipuConfigOptions().size());
    }
    void missingOptionsKeepTheirValues()
    {
        IpuConfig config;
        QVERIFY(config.setFromText("io_tiles.num_io_tiles", "32").ok());
        DiagnosticSink sink;
        QVERIFY(config.fromJsonText(R"({"allow_recompute": true})", &sink).ok());
        QCOMPARE(config.integer("io_tiles.num_io_tiles"), std::int64_t(32));
        QVERIFY(config.boolean("allow_recompute"));
        bool told = false;
        for (auto const &warning : sink.all())
            told = told || (warning.code == "config.missing-options" && warning.message.find("io_tiles.num_io_tiles") != std::string::npos);
        QVERIFY(told);
        DiagnosticSink quiet;
        QVERIFY(config.fromJsonText("{}", &quiet, MissingOptions::Keep).ok());
        QVERIFY(quiet.all().empty());
    }
    void unknownKeysAreIgnoredWithTheNearestName()
    {
        IpuConfig config;
        DiagnosticSink sink;
        QVERIFY(config.fromJsonText(R"({"io_tiles": {"num_io_tilse": 32}, "qqqq": {"a": 1}})", &sink, MissingOptions::Keep).ok());
        QVERIFY(config == IpuConfig());
        QCOMPARE(sink.all().size(), std::size_t(2));
        QCOMPARE(sink.all()[0].subject, std::string("ipu_config.io_tiles.num_io_tilse"));
        QVERIFY(sink.all()[0].remedy.find("io_tiles.num_io_tiles") != std::string::npos);
        QVERIFY(sink.all()[0].severity == Severity::Warning);
    }
    void enumsMayBeTheNumbersOfTheOriginal()
    {
        IpuConfig config;
        QVERIFY(config.fromJsonText(R"({"selection_order": 2, "scheduling.algorithm": 4})", nullptr, MissingOptions::Keep).ok());
        QCOMPARE(config.text("selection_order"), std::string("SNAKE"));
        QCOMPARE(config.text("scheduling.algorithm"), std::string("SHORTEST_PATH"));
        QVERIFY(!config.fromJsonText(R"({"selection_order": 4})").ok());
        QVERIFY(!config.setFromJson("selection_order", Json(2)).ok());
    }
    void aRefusedDocumentChangesNothing_data()
    {
        QTest::addColumn<QString>("document");
        QTest::addColumn<QString>("code");
        QTest::newRow("type") << R"({"allow_recompute": true, "io_tiles": {"num_io_tiles": true}})"
                              << "config.wrong-type";
        QTest::newRow("range") << R"({"allow_recompute": true, "io_tiles.num_io_tiles": 500})"
                               << "config.out-of-range";
        QTest::newRow("int for float") << R"({"allow_recompute": true, "io_tiles.available_memory_proportion": 1})"
                                       << "config.wrong-type";
        QTest::newRow("category") << R"({"allow_recompute": true, "io_tiles": 3})"
                                  << "config.is-category";
        QTest::newRow("too large") << R"({"io_tiles.num_io_tiles": 18446744073709551615})"
                                   << "config.wrong-type";
        QTest::newRow("dict in dict") << R"({"gcl_poplar_options": {"a": {}}})"
                                      << "config.wrong-type";
        QTest::newRow("float32") << R"({"matmuls": {"poplar_options": {"partialsType": "float32"}}})"
                                 << "config.not-allowed";
        QTest::newRow("array") << "[]"
                               << "config.bad-json";
        QTest::newRow("no JSON") << "{"
                                 << "config.bad-json";
        QTest::newRow("deep") << QString(100000, '[') << "config.bad-json";
    }
    void aRefusedDocumentChangesNothing()
    {
        QFETCH(QString, document);
        QFETCH(QString, code);
        IpuConfig config;
        DiagnosticSink sink;
        auto const status = config.fromJsonText(document.toStdString(), &sink);
        QVERIFY(!status.ok());
        QCOMPARE(status.error().code, code.toStdString());
        QVERIFY(config == IpuConfig());
        QVERIFY(sink.all().empty());
    }
    void dictValuesMayBeNumbersAndBools()
    {
        IpuConfig config;
        QVERIFY(config
                    .setFromJson("matmuls.poplar_options",
                                 Json{{"availableMemoryProportion", 0.25}, {"enableFastReduce", true}, {"numIPUs", 2}})
                    .ok());
        QVERIFY((config.dict("matmuls.poplar_options")
                 == OptionDict{{"availableMemoryProportion", "0.25"}, {"enableFastReduce", "true"}, {"numIPUs", "2"}}));
        QVERIFY(config.setFromJson("matmuls.poplar_options.availableMemoryProportion", Json(0.5)).ok());
        QCOMPARE(config.dict("matmuls.poplar_options").at("availableMemoryProportion"), std::string("0.5"));
        QVERIFY(!config.setFromJson("matmuls.poplar_options.availableMemoryProportion", Json::array()).ok());
    }
    void loadingWarnsOnlyAboutDifferences()
    {
        IpuConfig config, read;
        DiagnosticSink sink;
        QVERIFY(read.fromJson(config.toFlatJson(), &sink).ok());
        QVERIFY(sink.all().empty());
        QVERIFY(config.setFromText("optimizations.math.dot_strength", "false").ok());
        QVERIFY(config.setFromText("optimizations.enable_fast_math", "true").ok());
        QVERIFY(read.fromJson(config.toFlatJson(), &sink).ok());
        QCOMPARE(sink.all().size(), std::size_t(2)); // one option without effect, one deprecated name
    }
    void randomDocumentsAreReadOrRefusedWhole()
    {
        constexpr std::uint64_t kSeed = 7;
        qInfo("seed %llu", static_cast<unsigned long long>(kSeed));
        RandomStream random(kSeed);
        int accepted = 0, refused = 0;
        for (int i = 0; i < 6000; ++i) {
            auto const json = randomJson(random, 0);
            IpuConfig config;
            DiagnosticSink sink;
            if (config.fromJson(json, &sink).ok()) {
                ++accepted;
                IpuConfig again;
                QVERIFY(again.fromJson(config.toNestedJson()).ok());
                QVERIFY(again == config);
            } else {
                ++refused;
                QVERIFY(config == IpuConfig());
            }
        }
        QVERIFY(accepted > 100 && refused > 100);
    }
    void randomTextNeverCrashes()
    {
        constexpr std::uint64_t kSeed = 11;
        qInfo("seed %llu", static_cast<unsigned long long>(kSeed));
        RandomStream random(kSeed);
        static constexpr std::string_view kPieces[] = {"{",  "}",    "[",   "]",        "\"",   ":",  ",", "1",    "-", ".5",
                                                       "e9", "true", "\\u", "io_tiles", "\xff", "\n", " ", "half", "(", ")"};
        for (int i = 0; i < 6000; ++i) {
            std::string text;
            for (std::uint64_t n = random.below(12); n > 0; --n) text += kPieces[random.below(std::size(kPieces))];
            IpuConfig config;
            (void)config.fromJsonText(text);
            auto const &option = ipuConfigOptions()[random.below(ipuConfigOptions().size())];
            if (config.setFromText(option.path, text).ok()) {
                IpuConfig read;
                QVERIFY(read.setFromText(option.path, toText(*config.get(option.path))).ok());
                QVERIFY(*read.get(option.path) == *config.get(option.path));
            }
            (void)config.setFromText(text, text);
        }
    }
};

TW_REGISTER_TEST(TstConfigJson);
#include "tst_config_json.moc"

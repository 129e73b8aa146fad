#include "engine/config/flags.h"
#include "engine/core/random.h"
#include "tests/support/test_registry.h"

#include <QtTest>

using namespace tilewright;
using namespace tilewright::config;

class TstPoplarFlags : public QObject {
    Q_OBJECT
private slots:
    void readsItemsBetweenSpaces()
    {
        auto const flags = PoplarFlags::parse("  --use_ipu_model --ipu_model_tiles=8\t--show_progress_bar=false --allow_nans=1 ");
        QVERIFY(flags.ok());
        QVERIFY(flags->boolean("use_ipu_model"));
        QVERIFY(flags->boolean("allow_nans"));
        QCOMPARE(flags->integer("ipu_model_tiles"), std::int64_t(8));
        QCOMPARE(flags->text("show_progress_bar"), std::string("false"));
        QCOMPARE(flags->integer("while_loop_brute_force_max_trip_count"), std::int64_t(128));
        QVERIFY(!flags->isSet("while_loop_brute_force_max_trip_count"));
        QVERIFY(PoplarFlags::parse("")->empty());
        QVERIFY(!flags->helpRequested());
        QVERIFY(PoplarFlags::parse("--help")->helpRequested());
    }
    void quotesKeepSpacesTogether()
    {
        QCOMPARE(PoplarFlags::parse("--executable_cache_path='/a b/c'")->text("executable_cache_path"), std::string("/a b/c"));
        QCOMPARE(PoplarFlags::parse("--executable_cache_path=\"/a \\\" b\"")->text("executable_cache_path"), std::string("/a \" b"));
        QVERIFY(!PoplarFlags::parse("--executable_cache_path='/a").ok());
    }
    void refusesWithAPlaceAndARemedy_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("code");
        QTest::addColumn<QString>("part"); // of subject, message or remedy
        QTest::newRow("misspelt") << "--use_ipu_modle"
                                  << "config.unknown-option"
                                  << "--use_ipu_model?";
        QTest::newRow("removed") << "--save_oom_profiler"
                                 << "config.unknown-option"
                                 << "removed";
        QTest::newRow("no dashes") << "use_ipu_model"
                                   << "config.flag-syntax"
                                   << "--";
        QTest::newRow("no value") << "--log_cycle_count"
                                  << "config.flag-syntax"
                                  << "--log_cycle_count=VALUE";
        QTest::newRow("type") << "--log_cycle_count=x"
                              << "config.wrong-type"
                              << "integer";
        QTest::newRow("bool") << "--use_ipu_model=maybe"
                              << "config.wrong-type"
                              << "true or false";
        QTest::newRow("range") << "--on_demand_device_poll_time=99"
                               << "config.out-of-range"
                               << "100";
        QTest::newRow("enum") << "--show_progress_bar=yes"
                              << "config.not-allowed"
                              << "auto";
        QTest::newRow("category") << "--synthetic_data_categories=infed"
                                  << "config.not-allowed"
                                  << "infeed";
        QTest::newRow("initializer alone") << "--synthetic_data_initializer=normal"
                                           << "config.conflict"
                                           << "--use_synthetic_data";
        QTest::newRow("initializer") << "--use_synthetic_data --synthetic_data_initializer=uniformly"
                                     << "config.not-allowed"
                                     << "uniform";
        QTest::newRow("empty name") << "--"
                                    << "config.unknown-option"
                                    << "options";
        QTest::newRow("equals only") << "--=1"
                                     << "config.unknown-option"
                                     << "options";
    }
    void refusesWithAPlaceAndARemedy()
    {
        QFETCH(QString, text);
        QFETCH(QString, code);
        QFETCH(QString, part);
        auto const flags = PoplarFlags::parse(text.toStdString());
        QVERIFY(!flags.ok());
        QCOMPARE(flags.error().code, code.toStdString());
        QVERIFY(flags.error().kind == ErrorKind::Invalid);
        QVERIFY(flags.error().subject.starts_with("TF_POPLAR_FLAGS"));
        QVERIFY2(toText(flags.error()).find(part.toStdString()) != std::string::npos, toText(flags.error()).c_str());
    }
    void everyFlagIsReadAndPrintedBack()
    {
        for (auto const &option : poplarFlags()) {
            PoplarFlags flags;
            QVERIFY(flags.set(option.path, option.defaultValue).ok());
            auto const again = PoplarFlags::parse(flags.itemsText());
            QVERIFY2(again.ok(), option.path.c_str());
            QVERIFY2(*again == flags, option.path.c_str());
        }
        PoplarFlags flags;
        QVERIFY(flags.set("executable_cache_path", std::string("/a \"b\" 'c' \\d")).ok());
        QVERIFY(*PoplarFlags::parse(flags.itemsText()) == flags);
    }
    void theDeadFlagWarnsWithItsReplacement()
    {
        DiagnosticSink sink;
        QVERIFY(PoplarFlags::parse("--save_vertex_graph=/tmp", &sink).ok());
        bool told = false;
        for (auto const &warning : sink.all()) told = told || warning.remedy.find("target.saveOutputVertexGraph") != std::string::npos;
        QVERIFY(told);
    }
    void helpNamesEveryFlag()
    {
        auto const help = flagsHelp();
        for (auto const &option : poplarFlags()) {
            QVERIFY2(help.find("--" + option.path) != std::string::npos, option.path.c_str());
            QVERIFY2(help.find(fullHelp(option)) != std::string::npos, option.path.c_str());
        }
    }
    void categoriesLimitSyntheticData()
    {
        auto of = [](char const *text) { return *syntheticData(*PoplarFlags::parse(text)); };
        QVERIFY(!of("").any());
        QVERIFY((of("--use_synthetic_data") == SyntheticData{true, true, true, true, true, SyntheticData::Fill::None, 0}));
        QVERIFY((of("--use_synthetic_data --synthetic_data_categories=infeed,seed")
                 == SyntheticData{true, false, true, false, false, SyntheticData::Fill::None, 0}));
        QVERIFY((of("--synthetic_data_categories='hostembedding, parameters' "
                    "--synthetic_data_initializer=uniform")
                 == SyntheticData{false, false, false, true, true, SyntheticData::Fill::Uniform, 0}));
        QVERIFY((of("--synthetic_data_categories=outfeed --synthetic_data_initializer=-2.5")
                 == SyntheticData{false, true, false, false, false, SyntheticData::Fill::Constant, -2.5}));
        QVERIFY(of("--use_synthetic_data --synthetic_data_initializer=random").fill == SyntheticData::Fill::Uniform);
        QVERIFY(of("--use_synthetic_data --synthetic_data_initializer=normal").fill == SyntheticData::Fill::Normal);
    }
    void randomTextNeverCrashes()
    {
        constexpr std::uint64_t kSeed = 3;
        qInfo("seed %llu", static_cast<unsigned long long>(kSeed));
        RandomStream random(kSeed);
        static constexpr std::string_view kPieces[] = {
            "--", "=", "'", "\"", "\\", " ", "use_ipu_model", "synthetic_data_categories", "infeed", ",", "1", "\xff", "log_cycle_count",
            "\n"};
        int accepted = 0;
        for (int i = 0; i < 20000; ++i) {
            std::string text;
            for (std::uint64_t n = random.below(8); n > 0; --n) text += kPieces[random.below(std::size(kPieces))];
            auto const flags = PoplarFlags::parse(text);
            if (!flags.ok()) continue;
            ++accepted;
            QVERIFY(*PoplarFlags::parse(flags->itemsText()) == *flags);
        }
        QVERIFY(accepted > 100);
    }
};

TW_REGISTER_TEST(TstPoplarFlags);
#include "tst_poplar_flags.moc"

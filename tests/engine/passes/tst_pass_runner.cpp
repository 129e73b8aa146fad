#include "engine/config/ipu_config.h"
#include "tests/engine/passes/pass_tools.h"
#include "tests/support/test_registry.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QtTest>

using namespace tilewright;
using namespace tilewright::tests;

namespace {

char const *const kGraph = R"(
    %0:f32[4] = infeed()
    %1:f32[4] = tanh(%0)
    %2:f32[4] = tanh(%0)
    %3:f32[4] = add(%1, %2)
    %4:f32[4] = exp(%3)
    outfeed(%3))";

} // namespace

class TstPassRunner : public QObject {
    Q_OBJECT
private slots:
    void runsAllPassesAndCountsNodes()
    {
        Context context;
        double last = -1;
        context.job.progress = [&](std::string_view phase, double fraction) {
            QCOMPARE(phase, std::string_view("Passes"));
            QVERIFY(fraction >= last);
            last = fraction;
        };
        auto const outcome = passes::runPasses(passes::graphPasses(), tiny(kGraph), context.pass);
        QVERIFY(outcome.ok());
        QCOMPARE(outcome->stats.size(), passes::graphPasses().size());
        QCOMPARE(outcome->stats.front().nodesBefore, 6);
        QCOMPARE(outcome->stats.back().nodesAfter, passes::nodeCount(outcome->graph));
        QVERIFY(!outcome->stopped);
        QCOMPARE(last, 1.0);
        QCOMPARE(shortText(outcome->graph), lines(R"(
            %0:f32[4] = infeed()
            %1:f32[4] = map(%0) {expr="1: tanh a0; add t0 t0"}
            outfeed(%1))"));
    }
    void stopsAfterThePassAsked()
    {
        Context context;
        passes::RunOptions options;
        options.stopAfter = "cse";
        auto const outcome = passes::runPasses(passes::graphPasses(), tiny(kGraph), context.pass, options);
        QVERIFY(outcome.ok());
        QVERIFY(outcome->stopped);
        QCOMPARE(outcome->stats.back().name, std::string("cse"));
        QVERIFY(shortText(outcome->graph).contains("add(%1, %1)"));
    }
    void dumpsEveryPassWhenAsked()
    {
        QTemporaryDir folder;
        Context context;
        passes::RunOptions options;
        options.dumpAfter = "all";
        options.dumpFolder = folder.filePath("dumps").toStdString();
        auto const outcome = passes::runPasses(passes::graphPasses(), tiny(kGraph), context.pass, options);
        QVERIFY(outcome.ok());
        QDir const dumps(folder.filePath("dumps"));
        auto const names = dumps.entryList(QDir::Files, QDir::Name);
        QCOMPARE(names.size(), static_cast<qsizetype>(passes::graphPasses().size()));
        QCOMPARE(names.first(), QString("00_fold.txt"));
        QFile file(dumps.filePath(names.last()));
        QVERIFY(file.open(QIODevice::ReadOnly));
        auto const parsed = graph::parse(file.readAll().toStdString());
        QVERIFY(parsed.ok());
        QCOMPARE(shortText(*parsed), shortText(outcome->graph));
    }
    void dumpsOnlyThePassAsked()
    {
        QTemporaryDir folder;
        Context context;
        passes::RunOptions options;
        options.dumpAfter = "fuse";
        options.dumpFolder = folder.path().toStdString();
        QVERIFY(passes::runPasses(passes::graphPasses(), tiny(kGraph), context.pass, options).ok());
        QCOMPARE(QDir(folder.path()).entryList(QDir::Files), QStringList{"04_fuse.txt"});
    }
    void anUnknownPassNameIsRefusedWithTheNearest()
    {
        Context context;
        passes::RunOptions options;
        options.stopAfter = "schedul";
        auto const outcome = passes::runPasses(passes::graphPasses(), tiny(kGraph), context.pass, options);
        QVERIFY(!outcome.ok());
        QCOMPARE(outcome.error().code, std::string("passes.unknown"));
        QVERIFY(outcome.error().remedy.find("'schedule'") != std::string::npos);
    }
    void stopsAtThePassThatBreaksTheGraph()
    {
        Context context;
        bool ranOn = false;
        std::vector<passes::Pass> const list{
            {"good", "", [](graph::Graph g, passes::PassContext const &) -> Result<graph::Graph> { return g; }},
            {"bad", "",
             [](graph::Graph g, passes::PassContext const &) -> Result<graph::Graph> {
                 g.value(graph::ValueId(1)).shape = {5};
                 return g;
             }},
            {"never", "",
             [&](graph::Graph g, passes::PassContext const &) -> Result<graph::Graph> {
                 ranOn = true;
                 return g;
             }},
        };
        auto const outcome = passes::runPasses(list, tiny(kGraph), context.pass);
        QVERIFY(!outcome.ok());
        QVERIFY2(outcome.error().message.starts_with("after pass bad"), outcome.error().message.c_str());
        QVERIFY(!ranOn);
    }
    void aCancelledJobStops()
    {
        Context context;
        std::stop_source source;
        context.job.stop = source.get_token();
        source.request_stop();
        auto const outcome = passes::runPasses(passes::graphPasses(), tiny(kGraph), context.pass);
        QVERIFY(!outcome.ok());
        QCOMPARE(outcome.error().kind, ErrorKind::Cancelled);
    }
    void theSchedulerComesFromTheConfiguration()
    {
        config::IpuConfig configuration;
        QCOMPARE(passes::passOptions(configuration).scheduler, std::string("CHOOSE_BEST"));
        QVERIFY(configuration.setFromText("scheduling.algorithm", "POST_ORDER").ok());
        QCOMPARE(passes::passOptions(configuration).scheduler, std::string("POST_ORDER"));
    }
};

TW_REGISTER_TEST(TstPassRunner);
#include "tst_pass_runner.moc"

#include "engine/config/log_levels.h"
#include "tests/support/test_registry.h"

#include <QtTest>

#include <map>
#include <string>

using namespace tilewright;
using namespace tilewright::config;

namespace {
Result<LogLevels> read(std::map<std::string, std::string> const &variables, DiagnosticSink *sink = nullptr)
{
    return readLogLevels(
        [&](char const *name) {
            auto const found = variables.find(name);
            return found == variables.end() ? nullptr : found->second.c_str();
        },
        sink);
}
} // namespace

class TstLogLevels : public QObject {
    Q_OBJECT
private slots:
    void namesReadBack()
    {
        for (int i = 0; i < 6; ++i) QVERIFY(*parseLogLevel(toText(static_cast<LogLevel>(i))) == static_cast<LogLevel>(i));
        for (std::size_t i = 0; i < kLogComponents; ++i)
            QVERIFY(*parseLogComponent(toText(static_cast<LogComponent>(i))) == static_cast<LogComponent>(i));
        QVERIFY(*parseLogLevel("debug") == LogLevel::Debug);
    }
    void warnsUnlessSet()
    {
        LogLevels levels;
        QVERIFY(levels.level(LogComponent::Compiler) == LogLevel::Warn);
        QVERIFY(levels.logs(LogComponent::Compiler, LogLevel::Err));
        QVERIFY(!levels.logs(LogComponent::Compiler, LogLevel::Info));
        QVERIFY(!levels.isSet(LogComponent::Compiler));
        levels.set(LogComponent::Compiler, LogLevel::Off);
        QVERIFY(!levels.logs(LogComponent::Compiler, LogLevel::Err));
    }
    void readsTheCommandLinesForm()
    {
        LogLevels levels;
        QVERIFY(levels.setFromText("compiler=DEBUG").ok());
        QVERIFY(levels.setFromText("planner=TRACE,cache=OFF").ok());
        QCOMPARE(levels.text(), std::string("compiler=DEBUG,planner=TRACE,cache=OFF"));
        LogLevels again;
        QVERIFY(again.setFromText(levels.text()).ok());
        QVERIFY(again == levels);
        QVERIFY(levels.setFromText("all=INFO").ok());
        QVERIFY(levels.level(LogComponent::Store) == LogLevel::Info);
    }
    void refusesAsAWholeWithTheNearestName_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("part");
        QTest::newRow("component") << "data=INFO,compilr=DEBUG"
                                   << "compiler";
        QTest::newRow("level") << "data=INFO,compiler=DEBGU"
                               << "DEBUG";
        QTest::newRow("no level") << "compiler"
                                  << "COMPONENT=LEVEL";
        QTest::newRow("empty") << ""
                               << "COMPONENT=LEVEL";
    }
    void refusesAsAWholeWithTheNearestName()
    {
        QFETCH(QString, text);
        QFETCH(QString, part);
        LogLevels levels;
        auto const status = levels.setFromText(text.toStdString());
        QVERIFY(!status.ok());
        QVERIFY(status.error().remedy.find(part.toStdString()) != std::string::npos);
        QVERIFY(levels == LogLevels());
    }
    void readsTheVariablesOfTheOriginal()
    {
        using enum LogComponent;
        auto const levels = read({{"TF_CPP_MIN_VLOG_LEVEL", "1"},
                                  {"POPLAR_LOG_LEVEL", "TRACE"},
                                  {"POPLIBS_LOG_LEVEL", "ERR"},
                                  {"TF_POPLAR_VLOG_LEVEL", "2"},
                                  {"TF_CPP_VMODULE", "poplar_compiler=0,poplar_executable=1,store=9"}});
        QVERIFY(levels.ok());
        std::pair<LogComponent, LogLevel> const expected[] = {
            {Compiler, LogLevel::Warn}, {Planner, LogLevel::Err}, {Allocator, LogLevel::Trace}, {Runtime, LogLevel::Info},
            {Device, LogLevel::Trace},  {Cache, LogLevel::Debug}, {Data, LogLevel::Debug},      {Store, LogLevel::Trace}};
        for (auto const &[component, level] : expected) QVERIFY(levels->level(component) == level);
    }
    void refusesBadVariables()
    {
        for (auto const &[name, text] : std::map<std::string, std::string>{{"POPLAR_LOG_LEVEL", "VERBOSE"},
                                                                           {"POPLIBS_LOG_LEVEL", "5"},
                                                                           {"TF_POPLAR_VLOG_LEVEL", "-1"},
                                                                           {"TF_CPP_MIN_VLOG_LEVEL", "high"},
                                                                           {"TF_CPP_VMODULE", "poplar_compiler"}}) {
            auto const levels = read({{name, text}});
            QVERIFY2(!levels.ok(), name.c_str());
            QCOMPARE(levels.error().subject, name);
        }
    }
    void unknownSourceFilesWarn()
    {
        DiagnosticSink sink;
        auto const levels = read({{"TF_CPP_VMODULE", "some_file=3"}}, &sink);
        QVERIFY(levels.ok());
        QVERIFY(*levels == LogLevels());
        QCOMPARE(sink.all().size(), std::size_t(1));
    }
    void theWinnerReplacesOnlyWhatItSets()
    {
        LogLevels project, winner;
        QVERIFY(project.setFromText("compiler=INFO,data=INFO").ok());
        QVERIFY(winner.setFromText("data=ERR").ok());
        project.overlay(winner);
        QCOMPARE(project.text(), std::string("compiler=INFO,data=ERR"));
    }
};

TW_REGISTER_TEST(TstLogLevels);
#include "tst_log_levels.moc"

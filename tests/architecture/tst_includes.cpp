#include "tests/architecture/include_check.h"
#include "tests/support/test_registry.h"

#include <QTemporaryDir>
#include <QtTest>

#include <fstream>
#include <sstream>

using namespace tilewright::tests;

class TstIncludes : public QObject {
    Q_OBJECT

    static std::string content(std::filesystem::path const &path)
    {
        std::ostringstream text;
        text << std::ifstream(path).rdbuf();
        return text.str();
    }
    static void write(std::filesystem::path const &path, std::string const &text)
    {
        std::filesystem::create_directories(path.parent_path());
        std::ofstream(path) << text;
    }
    static IncludeTable table() { return parseIncludeTable(content(TILEWRIGHT_SOURCE_DIR "/tests/architecture/includes.txt")); }
    /// The violations of a tree with these files, joined by line ends.
    static std::string violations(std::vector<std::pair<std::string, std::string>> const &files, IncludeTable const &rules)
    {
        QTemporaryDir dir;
        std::filesystem::path const root = dir.path().toStdString();
        for (auto const &[path, text] : files) write(root / path, text);
        std::string all;
        for (auto const &violation : checkIncludes(root, rules).violations) all += violation + "\n";
        return all;
    }

private slots:
    void theTableIsWholeAndLayered()
    {
        auto const rules = table();
        for (auto const &problem : rules.problems) qWarning("%s", problem.c_str());
        QVERIFY(rules.problems.empty());
        auto const cycles = cyclesOf(rules);
        for (auto const &cycle : cycles) qWarning("%s", cycle.c_str());
        QVERIFY(cycles.empty());
        QVERIFY(rules.rows.size() >= 28);
    }
    void everyIncludeOfTheTreeIsAllowed()
    {
        auto const report = checkIncludes(TILEWRIGHT_SOURCE_DIR, table());
        for (auto const &violation : report.violations) qWarning("%s", violation.c_str());
        qInfo("%d files, %d includes of our own", report.files, report.includes);
        QVERIFY(report.files > 20); // an empty walk would allow everything
        QVERIFY(report.includes > 20);
        QCOMPARE(report.violations.size(), std::size_t(0));
    }
    void badTreesAreRefused_data()
    {
        using Row = QPair<QByteArray, QByteArray>;
        QTest::addColumn<QByteArray>("path");
        QTest::addColumn<QByteArray>("line");
        QTest::addColumn<QByteArray>("violation");
        auto const row = [](char const *name, Row file, char const *violation) {
            QTest::newRow(name) << file.first << file.second << QByteArray(violation);
        };
        row("upwards", {"engine/model/a.h", "#include \"engine/graph/graph.h\""},
            "engine/model/a.h:2: engine/model may not include engine/graph");
        row("indented", {"engine/core/a.h", "  #  include \"engine/graph/graph.h\""}, "engine/core may not include engine/graph");
        row("Qt class", {"engine/graph/a.cpp", "#include <QString>"}, "engine/graph/a.cpp:2: engine includes Qt: QString");
        row("Qt module", {"engine/graph/a.cpp", "#include <QtCore/qglobal.h>"}, "engine includes Qt");
        row("plot", {"engine/cli/a.cpp", "#include <qcustomplot.h>"}, "engine includes Qt");
        row("views from engine", {"engine/cli/a.cpp", "#include \"views/common/c.h\""}, "engine/cli may not include views/common");
        row("view to view", {"views/memory/a.cpp", "#include \"views/timeline/t.h\""}, "views/memory may not include views/timeline");
        row("view past the session", {"views/memory/a.cpp", "#include \"engine/runtime/r.h\""},
            "views/memory may not include engine/runtime");
        row("part of a folder", {"engine/program/cost.h", "#include \"engine/program/program.h\""},
            "engine/program/cost may not include engine/program");
        row("the app", {"views/session/a.h", "#include \"app/main.h\""}, "views/session may not include app");
        row("missing file", {"engine/passes/a.h", "#include \"engine/graph/gone.h\""}, "engine/graph/gone.h does not exist");
        row("folder without a row", {"engine/strange/a.h", "int a;"}, "engine/strange/a.h:0: the folder has no row");
    }
    void badTreesAreRefused()
    {
        QFETCH(QByteArray, path);
        QFETCH(QByteArray, line);
        QFETCH(QByteArray, violation);
        auto const found = violations({{"engine/graph/graph.h", ""},
                                       {"engine/program/program.h", ""},
                                       {"engine/runtime/r.h", ""},
                                       {"views/common/c.h", ""},
                                       {"views/timeline/t.h", ""},
                                       {"app/main.h", ""},
                                       {path.toStdString(), "#pragma once\n" + line.toStdString() + "\n"}},
                                      table());
        QVERIFY2(found.find(violation.toStdString()) != std::string::npos, found.c_str());
        QCOMPARE(std::count(found.begin(), found.end(), '\n'), 1);
    }
    void goodTreesAreAccepted()
    {
        auto const found = violations(
            {{"engine/core/c.h", "#include <queue>\n#include <quill/x>\n// #include <QString>\n"},
             {"engine/graph/graph.h", "#include \"engine/core/c.h\"\n#include \"engine/graph/node.h\"\n"},
             {"engine/graph/node.h", ""},
             {"engine/program/cost.h", ""},
             {"engine/program/codelets/gemm.cpp", "#include \"engine/program/cost.h\"\n"},
             {"engine/report/tables.h", ""},
             {"views/memory/view.h", "#include <QWidget>\n#include \"engine/report/tables.h\"\n#include \"views/memory/model.h\"\n"},
             {"views/memory/model.h", ""},
             {"app/gui/main.cpp", "#include \"views/memory/view.h\"\n"},
             {"tests/engine/x.cpp", "#include \"engine/graph/graph.h\"\n"}},
            table());
        QVERIFY2(found.empty(), found.c_str());
    }
    void cyclesInTheTableAreFound()
    {
        QVERIFY(cyclesOf(parseIncludeTable("a: b\nb: c\nc:\n")).empty());
        auto const found = cyclesOf(parseIncludeTable("a: b\nb: c\nc: a\n"));
        QCOMPARE(found.size(), std::size_t(1));
        QCOMPARE(found[0], std::string("a -> b -> c -> a"));
        QVERIFY(!cyclesOf(parseIncludeTable("engine/core: engine/graph\nengine/graph:\n")).empty());
        QVERIFY(!cyclesOf(parseIncludeTable("x/a: x/*\nx/b: x/a\n")).empty());
    }
    void brokenTablesAreReported()
    {
        QCOMPARE(parseIncludeTable("a: b\n").problems.size(), std::size_t(1));
        QCOMPARE(parseIncludeTable("a:\na:\n").problems.size(), std::size_t(1));
        QCOMPARE(parseIncludeTable("just words\n").problems.size(), std::size_t(1));
    }
};

TW_REGISTER_TEST(TstIncludes);
#include "tst_includes.moc"

#include "engine/cli/argument_parser.h"
#include "engine/target/machine.h"
#include "packaging/desktop/docs/command_docs.h"
#include "tests/packaging/tool.h"
#include "tests/support/test_registry.h"

#include <QTemporaryDir>
#include <QtTest>

using namespace tilewright;

namespace {

QString q(std::string const &text) { return QString::fromStdString(text); }

/// The manual as it is read: escapes gone.
QString readable(std::string const &page) { return q(page).replace("\\-", "-").remove("\\fB").remove("\\fI").remove("\\fR").remove("\\&"); }

} // namespace

/// Man pages and completions agree with the command table.
class TstCommandDocs : public QObject {
    Q_OBJECT
private slots:
    void initTestCase();
    void theManualNamesEveryCommandAndOption();
    void theManualNamesEveryExitCode();
    void theManualsAreCleanTroff_data();
    void theManualsAreCleanTroff();
    void theWorkbenchsOptionsAreThoseOfItsHelp();
    void theScriptsParse_data();
    void theScriptsParse();
    void bashCompletionOffersMatches_data();
    void bashCompletionOffersMatches();
    void valuesFollowThePlaceholder();

private:
    QString write(QString const &name, std::string const &text);
    QTemporaryDir m_folder;
};

void TstCommandDocs::initTestCase() { QVERIFY(m_folder.isValid()); }

QString TstCommandDocs::write(QString const &name, std::string const &text)
{
    QFile file(m_folder.filePath(name));
    if (!file.open(QIODevice::WriteOnly)) return {};
    file.write(QByteArray::fromStdString(text));
    return file.fileName();
}

void TstCommandDocs::theManualNamesEveryCommandAndOption()
{
    auto const page = readable(docs::manPage("1.2.3", "2026-01-02"));
    QVERIFY(page.contains("Tilewright 1.2.3") && page.contains("2026-01-02"));
    QVERIFY(cli::commandTable().size() > 20);
    for (auto const &command : cli::commandTable()) {
        QVERIFY2(page.contains(".TP\n" + q(command.name)), command.name.c_str());
        for (auto const &p : command.parameters) QVERIFY2(page.contains(".TP\n" + q(p.name)), (command.name + " " + p.name).c_str());
    }
    for (auto const &p : cli::globalParameters()) QVERIFY2(page.contains(q(p.name)), p.name.c_str());
    for (auto const &machine : target::builtinMachines()) QVERIFY2(page.contains(".B " + q(machine.name)), machine.name.c_str());
}

void TstCommandDocs::theManualNamesEveryExitCode()
{
    auto const codes = docs::exitCodes();
    QCOMPARE(codes.size(), std::size_t(11)); // 0 … 10, a contract
    for (std::size_t i = 0; i < codes.size(); ++i) {
        QCOMPARE(q(codes[i].first), QString::number(i));
        QVERIFY2(!codes[i].second.empty(), codes[i].first.c_str());
    }
    QCOMPARE(q(codes[3].second), QString("invalid or missing model, project or configuration, or a damaged report"));
}

void TstCommandDocs::theManualsAreCleanTroff_data()
{
    QTest::addColumn<QString>("page");
    QTest::newRow("tilewright") << q(docs::manPage("0.1.0", "2026-01-02"));
    QTest::newRow("tilewright-gui") << q(docs::workbenchManPage("0.1.0", "2026-01-02"));
}

void TstCommandDocs::theManualsAreCleanTroff()
{
    QFETCH(QString, page);
    for (auto const c : page) QVERIFY2(c.unicode() < 0x80, "a character that is no ASCII");
    auto const result = tests::runTool("groff", {"-man", "-Tutf8", "-ww", "-z", write("page.1", page.toStdString())});
    if (!result.installed) QSKIP("groff is not installed");
    QVERIFY2(result.code == 0 && result.output.isEmpty(), qPrintable(result.output));
}

void TstCommandDocs::theWorkbenchsOptionsAreThoseOfItsHelp()
{
    QFile file(QStringLiteral(TILEWRIGHT_SOURCE_DIR "/app/gui/main.cpp"));
    if (!file.open(QIODevice::ReadOnly)) QSKIP("the workbench is not part of this tree");
    auto source = QString::fromUtf8(file.readAll());
    auto const begin = source.indexOf("kUsage[]");
    QVERIFY(begin > 0);
    auto const usage = source.mid(begin, source.indexOf("\";", begin) - begin);
    for (auto const &p : docs::workbenchCommand().parameters)
        if (p.isOption() && p.name != "--help") QVERIFY2(usage.contains(q(p.name)), (p.name + " is documented and not in --help").c_str());
    static QRegularExpression const option("--[a-z-]+");
    auto const window = usage.section("render", 0, 0); // the line of `render` belongs to the command table
    auto matches = option.globalMatch(window);
    while (matches.hasNext()) {
        auto const name = matches.next().captured();
        auto const &parameters = docs::workbenchCommand().parameters;
        QVERIFY2(std::ranges::any_of(parameters, [&](auto const &p) { return q(p.name) == name; }),
                 qPrintable(name + " is not documented"));
    }
}

void TstCommandDocs::theScriptsParse_data()
{
    QTest::addColumn<QString>("shell");
    QTest::addColumn<QString>("script");
    QTest::newRow("bash") << "bash" << q(docs::bashCompletion());
    QTest::newRow("zsh") << "zsh" << q(docs::zshCompletion());
    QTest::newRow("fish") << "fish" << q(docs::fishCompletion());
}

void TstCommandDocs::theScriptsParse()
{
    QFETCH(QString, shell);
    QFETCH(QString, script);
    for (auto const &command : cli::commandTable()) QVERIFY2(script.contains(q(command.name)), command.name.c_str());
    auto const result = tests::runTool(shell, {"-n", write("script." + shell, script.toStdString())});
    if (!result.installed) QSKIP(qPrintable(shell + " is not installed"));
    QVERIFY2(result.code == 0 && result.output.isEmpty(), qPrintable(result.output));
}

void TstCommandDocs::bashCompletionOffersMatches_data()
{
    QTest::addColumn<QString>("line"); ///< words so far; the last one is being typed
    QTest::addColumn<QStringList>("has");
    QTest::addColumn<QStringList>("hasNot");
    QTest::newRow("commands") << "tilewright co" << QStringList{"compile", "conformance"} << QStringList{"train"};
    QTest::newRow("options") << "tilewright train a.tilewright --e" << QStringList{"--epochs", "--every"} << QStringList{"--report"};
    QTest::newRow("choices") << "tilewright train --mode ." << QStringList{"fused", "tile"} << QStringList{"--report"};
    QTest::newRow("targets") << "tilewright compile --target pod" << QStringList{"pod4", "pod16", "pod64"} << QStringList{"gc200"};
    QTest::newRow("files") << "tilewright compile ." << QStringList{"a.tilewright", "folder"} << QStringList{"b.twreport", "c.txt"};
    QTest::newRow("reports") << "tilewright report ." << QStringList{"b.twreport"} << QStringList{"a.tilewright"};
    QTest::newRow("second word") << "tilewright stages a.tilewright ." << QStringList{"get", "set", "print", "advise"}
                                 << QStringList{"b.twreport"};
    QTest::newRow("value is no word") << "tilewright train --report b.twreport ." << QStringList{"a.tilewright"}
                                      << QStringList{"b.twreport"};
    QTest::newRow("workbench") << "tilewright-gui ." << QStringList{"a.tilewright", "b.twreport"} << QStringList{"c.txt"};
}

void TstCommandDocs::bashCompletionOffersMatches()
{
    QFETCH(QString, line);
    QFETCH(QStringList, has);
    QFETCH(QStringList, hasNot);
    QDir(m_folder.path()).mkpath("work/folder");
    for (auto const *name : {"work/a.tilewright", "work/b.twreport", "work/c.txt"}) QVERIFY(!write(name, "").isEmpty());
    auto const script = write("completion.bash", docs::bashCompletion());
    auto words = line.split(' ');
    if (words.last() == ".") words.last() = QString(); // nothing typed yet
    auto const function = words.first() == "tilewright" ? "_tilewright" : "_tilewright_gui";
    QString quoted;
    for (auto const &word : words) quoted += "'" + word + "' ";
    auto const result = tests::runTool("bash",
                                       {"-c",
                                        QString("source '%1'; COMP_WORDS=(%2); COMP_CWORD=%3; %4; printf '%s\\n' \"${COMPREPLY[@]}\"")
                                            .arg(script, quoted)
                                            .arg(words.size() - 1)
                                            .arg(function)},
                                       m_folder.filePath("work"));
    if (!result.installed) QSKIP("bash is not installed");
    QCOMPARE(result.code, 0);
    auto const offered = result.output.split('\n', Qt::SkipEmptyParts);
    for (auto const &word : has) QVERIFY2(offered.contains(word), qPrintable(word + " is not offered: " + result.output));
    for (auto const &word : hasNot) QVERIFY2(!offered.contains(word), qPrintable(word + " is offered"));
}

void TstCommandDocs::valuesFollowThePlaceholder()
{
    cli::Command command;
    command.name = "x";
    QCOMPARE(docs::valuesOf(command, cli::option("--form", "json|keras-json", "")).choices,
             (std::vector<std::string>{"json", "keras-json"}));
    QVERIFY(docs::valuesOf(command, cli::option("--dump", "DIR", "")).kind == docs::Values::Folders);
    QVERIFY(docs::valuesOf(command, cli::option("--n", "N", "")).kind == docs::Values::None);
    QCOMPARE(docs::valuesOf(command, cli::word("PROJECT", "")).suffixes.size(), std::size_t(2));
    QVERIFY(docs::valuesOf(command, cli::option("--expr", "A|B", "")).kind == docs::Values::None); // capitals: placeholders
}

TW_REGISTER_TEST(TstCommandDocs);
#include "tst_command_docs.moc"

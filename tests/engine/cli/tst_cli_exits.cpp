#include "tests/engine/cli/program_run.h"
#include "tests/support/test_registry.h"

#include <QDir>
#include <QSet>
#include <QtTest>

using namespace tilewright::tests;

namespace {

/// One row of the exit table: a command line and the code it ends with.
struct Row {
    char const *name;
    QStringList arguments;
    int code;
    QString error = {}; ///< the stable code of the error, where it matters
};

/// Files for all rows: p.tilewright, p.json, r.twreport, w.npz, damaged ones, an empty folder.
Sandbox const &workplace()
{
    static Sandbox box;
    static bool const made = [] {
        box.setVariable("QT_QPA_PLATFORM", "");
        box.project("p.tilewright", {"system.target=gc200:tiles=64"});
        auto const expect = [](QStringList const &arguments) {
            auto const ran = box.run(arguments);
            if (ran.code != 0) qFatal("%s", ran.all().constData());
        };
        expect({"export", "p.tilewright", "p.json", "--to", "json"});
        expect({"train", "p.tilewright", "--steps", "2", "--report", "r.twreport", "--checkpoint", "w.npz", "--quiet"});
        expect({"new", "mnist-mlp", "nodata.tilewright", "data.path=missing-folder", "system.target=gc200:tiles=64"});
        box.write("garbage.tilewright", QByteArray(5000, '\x07'));
        box.write("garbage.twreport", QByteArray(5000, '\x07'));
        box.write("garbage.json", "{\"format\": \"tilewright-project\", ");
        box.write("garbage.npz", QByteArray(5000, '\x07'));
        box.write("empty.npz", "");
        box.write("note.txt", "dear diary, nobody may read this\n");
        QDir().mkpath(box.path("folder"));
        return true;
    }();
    Q_UNUSED(made)
    return box;
}

constexpr char kNoFolder[] = "no/such/folder/";

QList<Row> allRows()
{
    QList<Row> rows;
    QStringList const projects{"missing.tilewright", "missing.json", "folder",   "garbage.tilewright",
                               "garbage.json",       "r.twreport",   "note.txt", "w.npz"};
    struct Reader {
        char const *command;
        QStringList more;
    };
    // 3: a project that is missing, damaged or something else.
    for (auto const &reader : QList<Reader>{{"set", {"title=x"}},
                                            {"get", {}},
                                            {"summary", {}},
                                            {"stages", {"get"}},
                                            {"export", {"o.json", "--to", "json"}},
                                            {"compile", {}},
                                            {"train", {}},
                                            {"evaluate", {}},
                                            {"predict", {"--out", "o.npz"}},
                                            {"verify", {}},
                                            {"tune", {}}})
        for (auto const &project : projects) rows.append({reader.command, QStringList{reader.command, project} + reader.more, 3});
    // 3: other models and configurations.
    rows.append({"new", {"new", "no-such-template", "o.tilewright"}, 3});
    rows.append({"new", {"new", "mnist-mlp", "o.tilewright", "training.epochs=-1"}, 3});
    rows.append({"new", {"new", "mnist-mlp", "o.tilewright", "no.such.field=1"}, 3, "project.no-field"});
    rows.append({"set", {"set", "p.tilewright", "training.epochs=many"}, 3});
    rows.append({"set", {"set", "p.tilewright", "system.target=gc300"}, 3});
    rows.append({"get", {"get", "p.tilewright", "no.such"}, 3});
    rows.append({"compile", {"compile", "p.tilewright", "--target", "gc300"}, 3});
    rows.append({"train", {"train", "p.tilewright", "--target", "gc300"}, 3});
    rows.append({"evaluate", {"evaluate", "p.tilewright", "--target", "gc300"}, 3});
    rows.append({"predict", {"predict", "p.tilewright", "--out", "o.npz", "--target", "gc300"}, 3});
    rows.append({"verify", {"verify", "p.tilewright", "--target", "gc300"}, 3});
    rows.append({"tune", {"tune", "p.tilewright", "--target", "gc300"}, 3});
    rows.append({"tune", {"tune", "p.tilewright", "--set", "no.such.field=1,2"}, 3, "project.no-field"});
    rows.append({"op", {"op", "matmul", "--m", "8", "--k", "8", "--n", "8", "--target", "gc300"}, 3});
    rows.append({"vertex", {"vertex", "BinaryOp1D", "op=add", "n=8", "--target", "gc300"}, 3});
    rows.append({"options", {"options", "no.such.option"}, 3});
    for (auto const *file : {"missing.json", "garbage.json", "note.txt", "folder", "r.twreport", "garbage.npz"})
        rows.append({"import", {"import", file, "o.tilewright"}, 3});
    rows.append({"report", {"report", "garbage.twreport"}, 3});
    rows.append({"report", {"report", "p.tilewright"}, 3});
    rows.append({"report", {"report", "r.twreport", "sql", "SELECT"}, 2});
    rows.append({"check-report", {"check-report", "garbage.twreport"}, 3});
    rows.append({"check-report", {"check-report", "p.tilewright"}, 3});
    // 5: data and reports that are missing, damaged or of no use.
    rows.append({"report", {"report", "missing.twreport"}, 5});
    rows.append({"report", {"report", "folder"}, 5});
    rows.append({"report", {"report", "r.twreport", "compare", "missing.twreport"}, 5});
    rows.append({"check-report", {"check-report", "missing.twreport"}, 5});
    for (auto const *command : {"train", "evaluate", "predict"}) {
        auto const out = QString(command) == "predict" ? QStringList{"--out", "o.npz"} : QStringList();
        auto const option = QString(command) == "train" ? "--resume" : "--checkpoint";
        rows.append({command, QStringList{command, "nodata.tilewright"} + out, 5});
        for (auto const *file : {"missing.npz", "garbage.npz", "empty.npz", "folder", "note.txt"})
            rows.append({command, QStringList{command, "p.tilewright", option, file} + out, 5});
    }
    rows.append({"conformance", {"conformance", "missing"}, 5, "conformance.path"});
    rows.append({"conformance", {"conformance", "folder"}, 5, "conformance.path"});
    rows.append({"conformance", {"conformance", "p.json"}, 5, "conformance.path"});
    // 5: output that cannot be written.
    auto const place = [](char const *name) { return kNoFolder + QString(name); };
    rows.append({"new", {"new", "mnist-mlp", place("o.tilewright")}, 5});
    rows.append({"new", {"new", "mnist-mlp", place("o.json")}, 5});
    rows.append({"export", {"export", "p.tilewright", place("o.json"), "--to", "json"}, 5});
    rows.append({"import", {"import", "p.json", place("o.tilewright")}, 5});
    rows.append({"compile", {"compile", "p.tilewright", "--report", place("o.twreport")}, 5});
    rows.append({"train", {"train", "p.tilewright", "--steps", "1", "--report", place("o.twreport")}, 5});
    rows.append({"train", {"train", "p.tilewright", "--steps", "1", "--checkpoint", place("o.npz")}, 5});
    rows.append({"predict", {"predict", "p.tilewright", "--out", place("o.npz")}, 5});
    rows.append({"op", {"op", "matmul", "--m", "8", "--k", "8", "--n", "8", "--report", place("o.twreport")}, 5});
    for (auto const *format : {"json", "csv", "html", "perfetto"})
        rows.append({"report", {"report", "r.twreport", "export", "--to", format, place("o")}, 5});
    // 2: wrong use, and features that do not exist yet.
    for (auto const *command :
         {"templates", "devices", "monitor", "targets", "layers", "callbacks", "ops", "check-report", "gui", "render", "cache", "run"})
        rows.append({command, {command, "one", "too", "many", "--no-such-option"}, 2});
    rows.append({"cache", {"cache", "remove"}, 2});
    rows.append({"bench", {"bench", "no-such-benchmark"}, 2});
    rows.append({"python", {"python", "--no-such-option"}, 2});
    rows.append({"stages", {"stages", "p.tilewright", "gett"}, 2});
    rows.append({"vertex", {"vertex", "NoSuchCodelet"}, 2});
    rows.append({"tune", {"tune", "p.tilewright", "--set", "training.batch_size="}, 2, "cli.values"});
    rows.append({"op", {"op", "no-such-operation"}, 2});
    rows.append({"run", {"run", "p.tilewright"}, 3, "blob.not-one"});
    rows.append({"export", {"export", "p.tilewright", "o", "--to", "nonsense"}, 2, "cli.argument"});
    rows.append({"new", {"new", "mnist-mlp", "p.tilewright"}, 2, "project.exists"});
    rows.append({"render", {"render", "r.twreport", "--view", "memory"}, 2, "cli.missing"});
    rows.append({"gui", {"gui", "p.tilewright"}, 2, "gui.no-display"});
    rows.append({"report", {"report", "r.twreport", "no-such-part"}, 2});
    rows.append({"report", {"report", "r.twreport", "--assert", "max_tile_bytes<"}, 2});
    // 4 and 8.
    for (auto const *command : {"compile", "train", "evaluate", "verify"})
        rows.append({command, {command, "p.tilewright", "--target", "gc200:tiles=2"}, 4});
    rows.append({"tune", {"tune", "p.tilewright", "--target", "gc200:tiles=2", "--set", "training.batch_size=32"}, 4});
    rows.append({"report", {"report", "r.twreport", "--assert", "max_tile_bytes<6"}, 8});
    return rows;
}

QJsonObject errorOf(ProgramRun const &ran)
{
    if (auto const events = ran.events(); !events.isEmpty()) return events.last()["error"].toObject();
    return ran.object()["error"].toObject();
}

} // namespace

/// The table of exit codes, over all commands.
class TstCliExits : public QObject {
    Q_OBJECT
private slots:
    void everyCommandHasARow()
    {
        QSet<QString> rows, commands;
        for (auto const &row : allRows()) rows.insert(row.name);
        for (auto const &line : QString::fromUtf8(workplace().run({"--help"}).out).split('\n')) {
            if (line.startsWith("Options")) break;
            if (line.startsWith("  ") && line[2].isLower()) commands.insert(line.mid(2).section(' ', 0, 0));
        }
        QVERIFY(commands.size() > 25);
        QCOMPARE(commands - rows, QSet<QString>());
    }

    void followsTheTable_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<int>("code");
        QTest::addColumn<QString>("error");
        for (auto const &row : allRows()) QTest::newRow(qPrintable(row.arguments.join(' '))) << row.arguments << row.code << row.error;
    }
    void followsTheTable()
    {
        QFETCH(QStringList, arguments);
        QFETCH(int, code);
        QFETCH(QString, error);
        auto const &box = workplace();
        auto const ran = box.run(arguments + QStringList{"--json"});
        QVERIFY2(ran.code == code, ran.all());
        auto const said = errorOf(ran);
        QVERIFY2(!said["code"].toString().isEmpty() && !said["message"].toString().isEmpty(), ran.all());
        for (auto const *key : {"subject", "remedy"}) QVERIFY2(said[key].isString(), ran.all());
        QVERIFY2(said["arguments"].isArray(), ran.all());
        if (!error.isEmpty()) QCOMPARE(said["code"].toString(), error);
        auto const everything = ran.out + ran.err;
        QVERIFY2(!everything.contains(".tilewright-"), everything); // names of temporary files
        QVERIFY2(!everything.contains("diary"), everything);
        auto const human = box.run(arguments);
        QVERIFY2(human.code == code, human.all());
        QVERIFY2(human.err.contains("tilewright: error: "), human.all());
        QVERIFY2(!QDir(box.path("no")).exists(), "a folder was made");
    }

    void bytesThatAreNoUtf8AreNamed()
    {
        // QProcess would encode them; the shell passes them unchanged.
        auto const &box = workplace();
        for (auto const *line : {"set p.tilewright $'title=caf\\xe9'", "new mnist-mlp $'caf\\xe9.tilewright'", "$'\\xff'",
                                 "get p.tilewright $'\\xc0\\xaf'", "report r.twreport sql $'SELECT \\x80'", "targets --log $'\\xfe=INFO'"})
            for (auto const *json : {"", " --json"}) {
                QProcess shell;
                shell.setWorkingDirectory(box.path("."));
                shell.start("bash", {"-c", QString("\"%1\" %2%3").arg(TILEWRIGHT_PROGRAM, line, json)});
                auto const ran = Sandbox::finish(shell);
                QVERIFY2(ran.code == 2, ran.all());
                QVERIFY2((ran.out + ran.err).contains("UTF-8") && (ran.out + ran.err).contains("argument "), ran.all());
                if (*json) QCOMPARE(ran.errorCode(), QString("cli.encoding"));
            }
    }

    void guiWithoutADisplayExplainsTheError()
    {
        Sandbox box;
        box.setVariable("QT_QPA_PLATFORM", "");
        for (auto const &file : {QStringList(), QStringList{"p.tilewright"}}) {
            auto const ran = box.run(QStringList{"gui"} + file);
            QVERIFY2(ran.code == 2, ran.all());
            QVERIFY2(ran.err.contains("no display") && ran.err.contains("DISPLAY") && ran.err.count('\n') == 1, ran.all());
            auto const json = box.run(QStringList{"gui", "--json"} + file);
            QCOMPARE(json.code, 2);
            QCOMPARE(json.errorCode(), QString("gui.no-display"));
        }
    }

    void limitsAreReadFromTheCommandLine()
    {
        auto const &box = workplace();
        box.write("deep.json", QByteArray(5'000'000, '['));
        box.write("deep.tilewright", "{\"model\": " + QByteArray(600, '[') + QByteArray(600, ']') + "}");
        for (auto const *file : {"deep.json", "deep.tilewright"}) {
            auto const ran = box.run({"summary", file, "--json"});
            QVERIFY2(ran.code == 3, ran.all());
            if (QString(file) == "deep.json") continue; // no project by its first sign
            QCOMPARE(ran.errorCode(), QString("json.limit"));
            QVERIFY2(ran.out.contains("--limit json_depth="), ran.all());
            auto const raised = box.run({"summary", file, "--json", "--limit", "json_depth=1000"});
            QVERIFY2(raised.code == 3 && raised.errorCode() != "json.limit", raised.all());
        }
        auto const imported = box.run({"import", "deep.json", "o.tilewright", "--json"});
        QCOMPARE(imported.errorCode(), QString("json.limit"));
        auto const small = box.run({"summary", "p.json", "--limit=json_bytes=100", "--json"});
        QVERIFY2(small.code == 3 && small.errorCode() == "json.limit", small.all());
        for (auto const *wrong : {"depth=3", "json_depth", "json_depth=0", "json_depth=1e3"}) {
            auto const ran = box.run({"targets", "--limit", wrong, "--json"});
            QVERIFY2(ran.code == 2 && ran.errorCode() == "cli.limit", ran.all());
        }
        QVERIFY(box.run({"--help"}).out.contains("inflated_bytes=1073741824"));
    }

    void namesFromFilesReachTheTerminalAsText()
    {
        // A title and a layer that recolour, retitle the window, and write lines of their own.
        Sandbox const box;
        QString const evil = QString::fromUtf8("a\x1b[31mred\x1b]0;owned\x07\xc2\x9b"
                                               "1m\xe2\x80\xae")
            + "\r\nTotal params: 0";
        box.project("evil.tilewright", {"system.target=gc200:tiles=64", "title=" + evil, "--set", "model.layers.dense.name=" + evil});
        auto const train =
            box.run({"train", "evil.tilewright", "--steps", "2", "--report", "evil.twreport", "--log", "all=DEBUG", "--color", "never"});
        QList<ProgramRun> runs{train};
        for (auto const &arguments : QList<QStringList>{{"summary", "evil.tilewright"},
                                                        {"get", "evil.tilewright"},
                                                        {"get", "evil.tilewright", "title"},
                                                        {"stages", "evil.tilewright", "get"},
                                                        {"compile", "evil.tilewright", "--color", "never"},
                                                        {"report", "evil.twreport"},
                                                        {"report", "evil.twreport", "memory"},
                                                        {"report", "evil.twreport", "program"},
                                                        {"report", "evil.twreport", "operations"},
                                                        {"report", "evil.twreport", "operations", "--json"},
                                                        {"report", "evil.twreport", "export", "--to", "html", "evil.html"},
                                                        {"check-report", "evil.twreport"},
                                                        {"get", "evil.tilewright", "model.layers." + evil + ".no_such_field"},
                                                        {"summary", evil},
                                                        {evil},
                                                        {"report", "evil.twreport", "sql", "SELECT '" + evil + "'"}})
            runs << box.run(arguments);
        for (auto const &ran : runs)
            for (auto const &text : {ran.out, ran.err})
                for (auto const *sign : {"\x1b", "\x07", "\xc2\x9b", "\xe2\x80\xae"}) QVERIFY2(!text.contains(sign), ran.all());
        auto const page = box.read("evil.html");
        QVERIFY(!page.isEmpty());
        for (auto const *sign : {"\x1b", "\x07", "\xc2\x9b", "\xe2\x80\xae"}) QVERIFY(!page.contains(sign));
    }
};

TW_REGISTER_TEST(TstCliExits);
#include "tst_cli_exits.moc"

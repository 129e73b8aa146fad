#include "engine/project/project.h"
#include "tests/support/test_registry.h"
#include "translations/translations.h"
#include "views/diagnostics/diagnostic_text.h"
#include "views/diagnostics/diagnostic_words.h"
#include "views/document/document.h"

#include <QApplication>
#include <QDirIterator>
#include <QRegularExpression>
#include <QtTest>

#include <algorithm>
#include <set>

using namespace tilewright;
using namespace tilewright::views;

namespace {

/// The folders whose diagnostics a window can meet. The commands speak to a terminal, and the dictionary does not count.
bool isMet(QString const &path)
{
    return !path.contains(QLatin1String("/engine/cli/")) && !path.contains(QLatin1String("/views/diagnostics/"));
}
/// Those whose every message the dictionary holds; what lies deeper is met by developers and has the titles of its codes.
bool isWholly(QString const &path)
{
    if (path.contains(QLatin1String("/views/"))) return true;
    static QStringList const folders{QStringLiteral("config"), QStringLiteral("layers"), QStringLiteral("model"), QStringLiteral("project"),
                                     QStringLiteral("target")};
    return std::ranges::any_of(folders, [&](auto const &folder) { return path.contains(QStringLiteral("/engine/%1/").arg(folder)); });
}

struct Source {
    QString path, text;
};

/// The engine's and the window's own.
std::vector<Source> sourcesOfDiagnostics()
{
    std::vector<Source> sources;
    static QRegularExpression const comment(QStringLiteral("^\\s*//[^\\n]*$"), QRegularExpression::MultilineOption);
    for (auto const *folder : {"/engine", "/views"}) {
        QDirIterator it(QStringLiteral(TILEWRIGHT_SOURCE_DIR) + QLatin1String(folder), {QStringLiteral("*.cpp"), QStringLiteral("*.h")},
                        QDir::Files, QDirIterator::Subdirectories);
        while (it.hasNext()) {
            QString const path = it.next();
            QFile file(path);
            if (!file.open(QIODevice::ReadOnly)) return {};
            if (isMet(path)) sources.push_back({path, QString::fromUtf8(file.readAll()).remove(comment)});
        }
    }
    return sources;
}

/// String literals from `at` to the end of the brackets that are open there; neighbours are one.
QStringList literalsOfCall(QString const &text, qsizetype at)
{
    QStringList literals;
    bool joins = false;
    int depth = 1;
    for (; at < text.size() && depth > 0; ++at) {
        QChar const c = text[at];
        if (c == QLatin1Char('\'') && at + 2 < text.size() && (text[at + 2] == QLatin1Char('\'') || text[at + 1] == QLatin1Char('\\'))) {
            at = text.indexOf(QLatin1Char('\''), at + 2);
            joins = false;
        } else if (c == QLatin1Char('"')) {
            QString literal;
            for (++at; at < text.size() && text[at] != QLatin1Char('"'); ++at) {
                if (text[at] == QLatin1Char('\\')) ++at;
                literal += text[at];
            }
            if (joins) literals.last() += literal;
            else literals << literal;
            joins = true;
        } else if (!c.isSpace()) {
            joins = false;
            depth += c == QLatin1Char('(') || c == QLatin1Char('{') ? 1 : c == QLatin1Char(')') || c == QLatin1Char('}') ? -1 : 0;
        }
    }
    return literals;
}

/// Calls that make a diagnostic: of the two functions of engine/core, and of what files have to shorten them.
QRegularExpression const &makers()
{
    static QRegularExpression const call(QStringLiteral("\\b(makeError|makeWarning|dataError|fieldError|buildError|malformed|layerError|"
                                                        "stageError|planError|jsonError|conflict|note|invalid|corrupt)\\("));
    return call;
}

/// Whether `text` stands in `all`, at most in four parts that the engine puts together.
bool isSaid(QString text, QString const &all)
{
    constexpr qsizetype kLeast = 4;
    for (int part = 0; part < 4; ++part) {
        qsizetype some = 0, most = text.size() + 1;
        while (most - some > 1) {
            qsizetype const middle = (some + most) / 2;
            (all.contains(text.left(middle)) ? some : most) = middle;
        }
        if (some == text.size()) return true;
        if (some < kLeast) return false;
        text = text.mid(some);
    }
    return false;
}

bool isCode(QString const &text)
{
    static QRegularExpression const code(QStringLiteral("^[a-z]+(\\.[a-z][a-z0-9-]*)+$"));
    return code.match(text).hasMatch();
}

QStringList quotedAndNumbers(QString const &text)
{
    static QRegularExpression const part(QStringLiteral("\\d+(?:[.,]\\d+)*|(?<=['\"])[\\w.]+(?=['\"])"));
    QStringList parts;
    auto found = part.globalMatch(text);
    while (found.hasNext()) parts << found.next().captured();
    parts.sort();
    return parts;
}

} // namespace

class TstDiagnosticText : public QObject {
    Q_OBJECT
    std::vector<Source> m_sources;

    static void german() { installTranslation(*qApp, QStringLiteral("de")); }

private slots:
    void initTestCase()
    {
        m_sources = sourcesOfDiagnostics();
        QVERIFY(m_sources.size() > 200);
    }
    void cleanup() { installTranslation(*qApp, QStringLiteral("en")); }

    void everyCodeOfTheEngineHasItsEntry()
    {
        std::set<QString> codes, missing;
        for (auto const &source : m_sources) {
            auto calls = makers().globalMatch(source.text);
            while (calls.hasNext())
                for (auto const &literal : literalsOfCall(source.text, calls.next().capturedEnd()))
                    if (isCode(literal) && !literal.startsWith(QLatin1String("ipu_config."))
                        && !literal.startsWith(QLatin1String("system.")))
                        codes.insert(literal);
        }
        QVERIFY(codes.size() > 120);
        static QStringList const fields{QStringLiteral("training.loss"), QStringLiteral("training.metrics"),
                                        QStringLiteral("training.replicas"), QStringLiteral("data.path")}; // subjects that look like codes
        for (auto const &code : codes)
            if (!wordsOf(code.toStdString()) && !fields.contains(code)) missing.insert(code);
        QVERIFY2(missing.empty(), qPrintable(QStringList(missing.begin(), missing.end()).join(QLatin1Char(' '))));
    }
    void everyEntryIsOfACodeOfTheEngine()
    {
        QString all;
        for (auto const &source : m_sources) all += source.text;
        std::set<std::string> seen;
        for (auto const *entry : diagnosticWords()) {
            QVERIFY2(seen.insert(entry->code).second, entry->code);
            QVERIFY2(std::string(entry->code) == "*" || all.contains(QStringLiteral("\"%1\"").arg(QLatin1String(entry->code))),
                     entry->code);
        }
    }
    /// What a model, an option or a target can be refused for: every literal of a message or remedy is in the dictionary.
    void everyMessageOfTheModelAndItsOptionsIsThere()
    {
        QStringList texts, missing;
        for (auto const *entry : diagnosticWords())
            for (char const *text : entry->texts) texts << QString::fromUtf8(text);
        int looked = 0;
        for (auto const &source : m_sources) {
            if (!isWholly(source.path)) continue;
            auto calls = makers().globalMatch(source.text);
            while (calls.hasNext())
                for (auto literal : literalsOfCall(source.text, calls.next().capturedEnd())) {
                    if (literal.size() < 12 || !literal.contains(QLatin1Char(' '))) continue;
                    ++looked;
                    // Where it begins or ends within a name ("'tiles=" + …) the pattern has a value.
                    QString const core = literal.trimmed().remove(QRegularExpression(QStringLiteral("\\.$")));
                    if (std::ranges::none_of(texts, [&](auto const &text) { return text.contains(core); }))
                        missing << source.path.section(QLatin1Char('/'), -2) + QStringLiteral(": ") + literal;
                }
        }
        QVERIFY(looked > 200);
        QVERIFY2(missing.isEmpty(), qPrintable(missing.join(QLatin1Char('\n'))));
    }
    /// An entry that the engine no longer says is of no use to anybody.
    void everyTranslatedTextIsInTheEngine()
    {
        QString all;
        for (auto const &source : m_sources) {
            static QRegularExpression const seam(QStringLiteral("\"\\s*\\n\\s*\""));
            all += QString(source.text).remove(seam).replace(QLatin1String("\\\""), QLatin1String("\""));
        }
        static QRegularExpression const place(QStringLiteral("%[1-9]"));
        QStringList lost;
        for (auto const *entry : diagnosticWords())
            for (char const *text : entry->texts)
                for (auto const &piece : QString::fromUtf8(text).split(place)) {
                    QString core = piece.trimmed();
                    while (core.endsWith(QLatin1Char('.')) || core.endsWith(QLatin1Char('?'))) core.chop(1);
                    if (core.size() > 14 && !isSaid(core, all)) lost << QStringLiteral("%1: %2").arg(QLatin1String(entry->code), core);
                }
        QVERIFY2(lost.isEmpty(), qPrintable(lost.join(QLatin1Char('\n'))));
    }

    void everyTextIsGermanWithItsValues()
    {
        german();
        for (auto const *entry : diagnosticWords()) {
            QVERIFY2(QCoreApplication::translate("diagnostics", entry->title) != QLatin1String(entry->title), entry->title);
            for (char const *text : entry->texts) {
                QString const form = QString::fromUtf8(text);
                if (!form.contains(QLatin1Char(' '))) continue;
                QString said = form;
                for (int i = 1; i <= 9; ++i) said.replace(QStringLiteral("%%1").arg(i), QStringLiteral("v%1v").arg(i));
                Diagnostic const diagnostic = makeError(ErrorKind::Invalid, entry->code, "s", said.toStdString(), said.toStdString());
                auto const result = diagnosticText(diagnostic);
                QVERIFY2(result.message != said && result.remedy != said, text);
                for (int i = 1; i <= 9; ++i)
                    QCOMPARE(result.message.contains(QStringLiteral("v%1v").arg(i)), said.contains(QStringLiteral("v%1v").arg(i)));
            }
        }
    }
    void numbersAreGroupedAsTheReaderDoes()
    {
        auto const *entry =
            *std::ranges::find_if(diagnosticWords(), [](auto const *one) { return std::string_view(one->code) == "memory.out-of-memory"; });
        QString said = QString::fromUtf8(entry->texts.front());
        for (int i = 1; i <= 9; ++i) said.replace(QStringLiteral("%%1").arg(i), QStringLiteral("kernel 1,024 B, bias 12,345,678 B [1,2]"));
        auto const oom = makeError(ErrorKind::DoesNotFit, entry->code, "IPU 0", said.toStdString(), "");
        auto const before = QLocale();
        QLocale::setDefault(QLocale(QLocale::German));
        german();
        QString const text = diagnosticText(oom).message;
        QLocale::setDefault(QLocale(QLocale::English));
        installTranslation(*qApp, QStringLiteral("en"));
        QCOMPARE(diagnosticText(oom).message, said);
        QLocale::setDefault(before);
        QVERIFY2(text.contains(QStringLiteral("kernel 1.024 B, bias 12.345.678 B [1,2]")), qPrintable(text));
        QVERIFY2(!text.contains(QStringLiteral("1,024")), qPrintable(text));
    }
    void decimalsHaveTheReadersPointUnlessTheyAreTyped()
    {
        auto const memory = makeError(
            ErrorKind::Device, "host.memory", "",
            "training does not fit in the host's memory: it needs about 19.8 GiB, and 3.4 GiB can be had (/tmp/v1.2 at 1.5).", "");
        auto const before = QLocale();
        QLocale::setDefault(QLocale(QLocale::German));
        german();
        QString const text = diagnosticText(memory).message;
        QLocale::setDefault(QLocale(QLocale::English));
        installTranslation(*qApp, QStringLiteral("en"));
        QLocale::setDefault(before);
        QVERIFY2(text.contains(QStringLiteral("19,8 GiB")) && text.contains(QStringLiteral("3,4 GiB")), qPrintable(text));
        QVERIFY2(text.contains(QStringLiteral("/tmp/v1.2 at 1.5")), qPrintable(text));
    }
    void englishTextsAreThoseOfTheEngine()
    {
        for (auto const *entry : diagnosticWords())
            for (char const *text : entry->texts) {
                QString said = QString::fromUtf8(text);
                for (int i = 1; i <= 9; ++i) said.replace(QStringLiteral("%%1").arg(i), QStringLiteral("x%1").arg(i));
                auto const result = diagnosticText(makeError(ErrorKind::Invalid, entry->code, "s", said.toStdString(), said.toStdString()));
                QCOMPARE(result.message, said);
                QCOMPARE(result.remedy, said);
            }
    }
    /// Real refusals, of a template's project with one field changed.
    void realRefusalsAreGerman_data()
    {
        QTest::addColumn<QString>("field");
        QTest::addColumn<QString>("value");
        struct Edit {
            char const *field, *value;
        };
        for (auto const &[field, value] :
             {Edit{"model.layers.dense.units", "-3"}, Edit{"model.layers.dense.units", "\"many\""},
              Edit{"model.layers.dense.activation", "\"rellu\""}, Edit{"model.layers.nobody.units", "3"}, Edit{"training.batch_size", "0"},
              Edit{"training.optimizer", "\"sgdd\""}, Edit{"training.loss", "\"mse2\""}, Edit{"system.target", "gc2000"},
              Edit{"system.target", "gc200:tiles=99999"}, Edit{"system.target", "gc200:rows=3"},
              Edit{"ipu_config.auto_select_ipus", "\"x\""}, Edit{"ipu_config.no_such_option", "1"}, Edit{"data.format", "parquet"},
              Edit{"data.limit", "-1"}, Edit{"data.validation_split", "7"}, Edit{"nothing.at.all", "1"}, Edit{"training.epoch", "3"},
              Edit{"model.layers.dropout.rate", "1"}})
            QTest::addRow("%s=%s", field, value) << QString::fromLatin1(field) << QString::fromLatin1(value);
    }
    void realRefusalsAreGerman()
    {
        QFETCH(QString, field);
        QFETCH(QString, value);
        auto const project = project::fromTemplate("mnist-mlp");
        QVERIFY(project.ok());
        auto const changed = project::withField(*project, field.toStdString(), value.toStdString(), nullptr);
        Diagnostic error;
        if (!changed.ok()) error = changed.error();
        else {
            auto const problems = projectProblems(*changed);
            QVERIFY(!problems.empty());
            error = problems.front();
        }
        QString const message = QString::fromStdString(error.message), remedy = QString::fromStdString(error.remedy);
        auto const english = diagnosticText(error);
        QCOMPARE(english.message, message);
        QCOMPARE(english.remedy, remedy);
        german();
        auto const text = diagnosticText(error);
        QVERIFY2(text.message != message, qPrintable(message));
        QVERIFY2(!text.message.endsWith(message), qPrintable(text.message)); // not only by the title of its code
        QVERIFY2(remedy.isEmpty() || text.remedy != remedy, qPrintable(remedy));
        QCOMPARE(quotedAndNumbers(QString(text.message).replace(QRegularExpression(QStringLiteral("[„“]")), QStringLiteral("'"))),
                 quotedAndNumbers(message));
    }
    void unknownMessagesHaveTheTitleOfTheirCode()
    {
        auto const error = makeError(ErrorKind::Invalid, "graph.shape", "matmul_3", "the inner extents are 4 and 5");
        QCOMPARE(diagnosticText(error).message, QStringLiteral("the inner extents are 4 and 5"));
        german();
        QCOMPARE(diagnosticText(error).message, QStringLiteral("Formen passen nicht zusammen: the inner extents are 4 and 5"));
        auto const own = makeError(ErrorKind::Invalid, "action", "", "Das Programm läuft schon");
        QCOMPARE(diagnosticText(own).message, QStringLiteral("Das Programm läuft schon"));
    }
    void aMessageWithinAMessageIsTranslatedToo()
    {
        german();
        auto const error = makeError(ErrorKind::Invalid, "model.bad-argument", "dense",
                                     "argument 'units' is -3, which is not an integer of at least 1", "give an integer of at least 1");
        QCOMPARE(diagnosticLine(error),
                 QStringLiteral("dense: Argument „units“ ist -3; erlaubt ist: eine ganze Zahl ab 1. Geben Sie an: eine ganze Zahl ab 1."));
        auto const weights =
            makeWarning("checkpoint.project", "p.tilewright",
                        "the project keeps no weights of this run: there is no room left to write the file", "They go to w.npz.");
        QCOMPARE(diagnosticLine(weights),
                 QStringLiteral("p.tilewright: Das Projekt behält keine Gewichte dieses Laufs: zum Schreiben der Datei ist kein Platz "
                                "mehr. Sie kommen nach w.npz."));
    }
    void aScalarIsAWordInAMessage()
    {
        german();
        auto const label = makeError(ErrorKind::Data, "data.labels.shape", "y.npy", "a label is one value but the loss takes 10.");
        QCOMPARE(diagnosticLine(label), QStringLiteral("y.npy: Ein Label ist ein Wert, aber der Loss nimmt 10."));
        auto const labels = makeError(ErrorKind::Data, "data.labels.shape", "y.npy", "a label is [2, 3] (6 values) but the loss takes 10.");
        QCOMPARE(diagnosticLine(labels), QStringLiteral("y.npy: Ein Label ist [2, 3] (6 Werte), aber der Loss nimmt 10."));
    }
    void otherTextsAreTranslatedToo()
    {
        german();
        QCOMPARE(engineText(QStringLiteral("Embedded generator of handwritten-looking digits, seed 1.")),
                 QStringLiteral("Eingebauter Generator für Ziffern wie von Hand, Startwert 1."));
        QVERIFY(engineText(QStringLiteral("differs from entry 4fe47206… in target: 'gc200' there, 'bow' here"))
                    .contains(QStringLiteral("dort 'gc200', hier 'bow'")));
        QCOMPARE(engineText(QStringLiteral("Table digits.csv")), QStringLiteral("Table digits.csv"));
    }
    void sentencesBeginLargeAndEnd()
    {
        QCOMPARE(sentence(QStringLiteral("a layer has no name")), QStringLiteral("A layer has no name."));
        QCOMPARE(sentence(QStringLiteral("steps_per_execution 3 is odd")), QStringLiteral("steps_per_execution 3 is odd."));
        QCOMPARE(sentence(QStringLiteral("did you mean 'relu'?")), QStringLiteral("Did you mean 'relu'?"));
        QCOMPARE(sentence(QString()), QString());
    }
    void valuesAreTakenWhole()
    {
        QCOMPARE(valuesIn(QStringLiteral("no layer is named 'a b'."), QStringLiteral("no layer is named '%1'")),
                 std::optional(QStringList{QStringLiteral("a b")}));
        QCOMPARE(valuesIn(QStringLiteral("3 of 4 (x+y)"), QStringLiteral("%2 of %1 (%3)")),
                 std::optional(QStringList{QStringLiteral("4"), QStringLiteral("3"), QStringLiteral("x+y")}));
        QVERIFY(!valuesIn(QStringLiteral("other"), QStringLiteral("no layer is named '%1'")));
    }
};

TW_REGISTER_TEST(TstDiagnosticText);
#include "tst_diagnostic_text.moc"

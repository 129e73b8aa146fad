#include "engine/project/project.h"
#include "engine/runtime/run_facts.h"
#include "tests/support/test_registry.h"
#include "translations/translations.h"
#include "views/diagnostics/diagnostic_text.h"
#include "views/document/document.h"
#include "views/session/run_project.h"
#include "views/session/session.h"

#include <nlohmann/json.hpp>

#include <QApplication>
#include <QDirIterator>
#include <QRegularExpression>
#include <QTranslator>
#include <QtTest>

#include <algorithm>
#include <set>

using namespace tilewright;
using namespace tilewright::views;

namespace {

struct Source {
    QString path, text;
};

/// The folders whose messages a window can show: the commands speak to a terminal.
std::vector<Source> sources()
{
    std::vector<Source> found;
    static QRegularExpression const comment(QStringLiteral("^\\s*//[^\\n]*$"), QRegularExpression::MultilineOption);
    static QRegularExpression const terminal(QStringLiteral("/engine/(cli|conformance|reference)/|/app/gui/render\\.cpp$"));
    for (auto const *folder : {"/engine", "/views", "/app"}) {
        QDirIterator it(QStringLiteral(TILEWRIGHT_SOURCE_DIR) + QLatin1String(folder), {QStringLiteral("*.cpp"), QStringLiteral("*.h")},
                        QDir::Files, QDirIterator::Subdirectories);
        while (it.hasNext()) {
            QString const path = it.next();
            if (terminal.match(path).hasMatch()) continue;
            QFile file(path);
            if (file.open(QIODevice::ReadOnly)) found.push_back({path, QString::fromUtf8(file.readAll()).remove(comment)});
        }
    }
    return found;
}

/// Neighbouring string literals as one text.
QString joinedLiterals(QString const &code)
{
    static QRegularExpression const literal(QStringLiteral("\"((?:[^\"\\\\]|\\\\.)*)\""));
    QString text;
    auto parts = literal.globalMatch(code);
    while (parts.hasNext()) text += parts.next().captured(1);
    return text.replace(QStringLiteral("\\\""), QStringLiteral("\"")).replace(QStringLiteral("\\\\"), QStringLiteral("\\"));
}

QRegularExpression const &patternCall()
{
    static QRegularExpression const call(QStringLiteral("\\bMessage::of\\(\\s*((?:\"(?:[^\"\\\\]|\\\\.)*\"\\s*)+)"));
    return call;
}

/// The code from `at` to the end of the brackets that are open there.
QString restOfCall(QString const &text, qsizetype at)
{
    qsizetype const begin = at;
    for (int depth = 1; at < text.size() && depth > 0; ++at) {
        QChar const c = text[at];
        if (c == QLatin1Char('"'))
            for (++at; at < text.size() && text[at] != QLatin1Char('"'); ++at) at += text[at] == QLatin1Char('\\');
        else if (c == QLatin1Char('\'') && at + 2 < text.size() && (text[at + 2] == QLatin1Char('\'') || text[at + 1] == QLatin1Char('\\')))
            at = text.indexOf(QLatin1Char('\''), at + 2);
        else depth += c == QLatin1Char('(') || c == QLatin1Char('{') ? 1 : c == QLatin1Char(')') || c == QLatin1Char('}') ? -1 : 0;
    }
    return text.mid(begin, at - begin);
}

std::set<QString> placesOf(QString const &text)
{
    static QRegularExpression const place(QStringLiteral("%[1-9]"));
    std::set<QString> places;
    auto found = place.globalMatch(text);
    while (found.hasNext()) places.insert(found.next().captured());
    return places;
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
    static QString inGerman(Message const &message)
    {
        auto const before = QLocale();
        german();
        QLocale::setDefault(QLocale(QLocale::German));
        QString const text = messageText(message);
        QLocale::setDefault(before);
        installTranslation(*qApp, QStringLiteral("en"));
        return text;
    }

private slots:
    void initTestCase()
    {
        m_sources = sources();
        QVERIFY(m_sources.size() > 200);
    }
    void cleanup() { installTranslation(*qApp, QStringLiteral("en")); }

    /// The compiler has checked the English; here each language has a translation with the same places.
    void everyPatternIsTranslatedWithItsPlaces()
    {
        installTranslation(*qApp, QStringLiteral("en")); // makes the files available
        for (auto const &language : translatedLanguages()) {
            if (language == QLatin1String("en")) continue;
            QTranslator words;
            QVERIFY(words.load(QStringLiteral(":/i18n/tilewright_%1.qm").arg(language)));
            QStringList missing;
            int looked = 0;
            for (auto const &source : m_sources) {
                auto calls = patternCall().globalMatch(source.text);
                while (calls.hasNext()) {
                    QString const english = joinedLiterals(calls.next().captured(1));
                    QString text = words.translate("tilewright::Message", english.toUtf8().constData());
                    if (text.isEmpty()) text = words.translate("Message", english.toUtf8().constData());
                    ++looked;
                    if (text.isEmpty() || placesOf(text) != placesOf(english))
                        missing << source.path.section(QLatin1Char('/'), -2) + QStringLiteral(": ") + english;
                }
            }
            QVERIFY(looked > 1000);
            QVERIFY2(missing.isEmpty(),
                     qPrintable(language + QStringLiteral(": run update_translations and translate\n") + missing.join(QLatin1Char('\n'))));
        }
    }
    /// A sentence without a pattern cannot be translated.
    void everyMessageOfADiagnosticHasAPattern()
    {
        static QRegularExpression const maker(
            QStringLiteral("\\b(makeError|makeWarning|dataError|fieldError|buildError|malformed|layerError|"
                           "stageError|planError|jsonError|conflict|note|invalid|corrupt)\\("));
        static QRegularExpression const sentence(QStringLiteral("\"(?:[^\"\\\\]|\\\\.)*\\w{2} \\w+ \\w+ (?:[^\"\\\\]|\\\\.)*\""));
        QStringList plain;
        int looked = 0;
        for (auto const &source : m_sources) {
            auto calls = maker.globalMatch(source.text);
            while (calls.hasNext()) {
                QString call = restOfCall(source.text, calls.next().capturedEnd());
                ++looked;
                // what a tr() has translated is a finished text
                static QRegularExpression const translated(
                    QStringLiteral("\\b(tr|translate|words)\\(\\s*(?:\"\\w+\", )?\"(?:[^\"\\\\]|\\\\.)*\""));
                call.remove(patternCall()).remove(translated);
                if (auto const found = sentence.match(call); found.hasMatch())
                    plain << source.path.section(QLatin1Char('/'), -2) + QStringLiteral(": ") + found.captured();
            }
        }
        QVERIFY(looked > 500);
        QVERIFY2(plain.isEmpty(), qPrintable(plain.join(QLatin1Char('\n'))));
    }

    void numbersAreWrittenAsTheReaderDoes()
    {
        auto const message = Message::of("%1 samples are not a multiple of the batch size %2: the last batch would have %3 samples, and "
                                         "shapes on the device are fixed.",
                                         60000, std::to_string(7000), Argument::figure("0.5"));
        QVERIFY2(message.text().starts_with("60,000 samples") && message.text().find("size 7000:") != std::string::npos, message.c_str());
        QString const text = inGerman(message);
        QVERIFY2(text.contains(QStringLiteral("60.000")) && text.contains(QStringLiteral("7000")) && text.contains(QStringLiteral("0,5")),
                 qPrintable(text));
        QCOMPARE(messageText(message), QString::fromStdString(message));
    }
    void unitsStayAndPathsStay()
    {
        auto const message =
            Message::of("%1 does not fit in the host's memory: it needs about %2, and %3 are available (%4).", Message::of("training"),
                        Argument::figure("19.8 GiB"), Argument::figure("1,023.4 MiB"), "/tmp/v1.2");
        QString const text = inGerman(message);
        QVERIFY2(text.contains(QStringLiteral("19,8 GiB")) && text.contains(QStringLiteral("1.023,4 MiB")), qPrintable(text));
        QVERIFY2(text.contains(QStringLiteral("/tmp/v1.2")) && !text.contains(QStringLiteral("training")), qPrintable(text));
    }
    void valuesThatLookLikePlacesAreKept()
    {
        auto const message = Message::of("the model has no layer named '%1'", "50 %2");
        QVERIFY2(inGerman(message).contains(QStringLiteral("50 %2")), qPrintable(inGerman(message)));
    }
    void finishedTextsStay()
    {
        german();
        auto const own = makeError(ErrorKind::Invalid, "action", "", "Das Programm läuft schon");
        QCOMPARE(diagnosticText(own).message, QStringLiteral("Das Programm läuft schon"));
        QCOMPARE(diagnosticText(own).remedy, QString());
    }
    void partsOfAMessageAreTranslatedOnTheirOwn()
    {
        auto error =
            makeError(ErrorKind::Invalid, "model.bad-argument", "dense",
                      Message::of("argument '%1' is %2, which is not %3", "units", "-3", Message::of("an integer of at least %1", "1")),
                      Message::of("give %1", Message::of("an integer of at least %1", "1")));
        error.message = Message::of("after pass %1: %2", "fuse", error.message);
        error.message += ' ';
        error.message += Message::of("The weights are kept in %1.", "w.npz");
        german();
        QCOMPARE(diagnosticLine(error),
                 QStringLiteral("dense: Nach dem Durchgang fuse: Argument „units“ ist -3; erlaubt ist: eine ganze Zahl ab 1 Die "
                                "Gewichte liegen in w.npz. Geben Sie an: eine ganze Zahl ab 1."));
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
        QVERIFY2(remedy.isEmpty() || text.remedy != remedy, qPrintable(remedy));
        QLocale::setDefault(QLocale(QLocale::English));
        QString const plain = diagnosticText(error).message;
        QCOMPARE(quotedAndNumbers(QString(plain).replace(QRegularExpression(QStringLiteral("[„“]")), QStringLiteral("'"))),
                 quotedAndNumbers(message));
    }
    /// The reason of a run that failed in another session, and perhaps in another language.
    void storedReasonsOfRunsAreTranslated()
    {
        auto const project = project::fromTemplate("mnist-mlp");
        QVERIFY(project.ok());
        auto const error =
            makeError(ErrorKind::Invalid, "model.layer", "model", Message::of("the model has no layer named '%1'", "dense_7"));
        Run run;
        run.state = QStringLiteral("failed");
        run.json = QString::fromStdString(runtime::failureFacts(error, *project).dump());
        QString const english = reasonOfRun(run);
        QVERIFY2(english.contains(QStringLiteral("no layer named 'dense_7'")), qPrintable(english));
        german();
        QString const text = reasonOfRun(run);
        QVERIFY2(text.contains(QStringLiteral("dense_7")) && !text.contains(QStringLiteral("no layer named")), qPrintable(text));
        // A pattern that says something else is not believed.
        auto forged = nlohmann::ordered_json::parse(run.json.toStdString());
        forged["error_message"]["arguments"][0]["text"] = "other";
        run.json = QString::fromStdString(forged.dump());
        QVERIFY2(reasonOfRun(run).contains(QStringLiteral("no layer named 'dense_7'")), qPrintable(reasonOfRun(run)));
    }
    void sentencesBeginLargeAndEnd()
    {
        QCOMPARE(sentence(QStringLiteral("a layer has no name")), QStringLiteral("A layer has no name."));
        QCOMPARE(sentence(QStringLiteral("steps_per_execution 3 is odd")), QStringLiteral("steps_per_execution 3 is odd."));
        QCOMPARE(sentence(QStringLiteral("did you mean 'relu'?")), QStringLiteral("Did you mean 'relu'?"));
        QCOMPARE(sentence(QString()), QString());
    }
};

TW_REGISTER_TEST(TstDiagnosticText);
#include "tst_diagnostic_text.moc"

#include "tests/support/test_registry.h"
#include "translations/translations.h"

#include <QApplication>
#include <QProcess>
#include <QXmlStreamReader>
#include <QDirIterator>
#include <QtTest>

using namespace tilewright;

namespace {

struct Message {
    QString context, source, comment, type;
    QStringList translations; ///< several for plural forms
    bool numerus = false;
    QString key() const { return context + QLatin1Char('\n') + source + QLatin1Char('\n') + comment; }
};

QList<Message> readMessages(QString const &path, QString *error)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly)) {
        *error = path + ": " + file.errorString();
        return {};
    }
    QList<Message> messages;
    QString context;
    QXmlStreamReader xml(&file);
    while (!xml.atEnd()) {
        if (xml.readNext() != QXmlStreamReader::StartElement) continue;
        auto const name = xml.name();
        if (name == QLatin1String("name")) context = xml.readElementText();
        else if (name == QLatin1String("message"))
            messages.append({context, {}, {}, {}, {}, xml.attributes().value("numerus") == QLatin1String("yes")});
        else if (name == QLatin1String("source")) messages.last().source = xml.readElementText();
        else if (name == QLatin1String("comment")) messages.last().comment = xml.readElementText();
        else if (name == QLatin1String("translation")) {
            messages.last().type = xml.attributes().value("type").toString();
            if (!messages.last().numerus) messages.last().translations.append(xml.readElementText());
        } else if (name == QLatin1String("numerusform")) {
            messages.last().translations.append(xml.readElementText());
        }
    }
    if (xml.hasError()) *error = path + ": " + xml.errorString();
    return messages;
}

QStringList marks(QString const &text)
{
    static QRegularExpression const placeholder(QStringLiteral("%L?\\d{1,2}|%L?n"));
    QStringList found;
    auto matches = placeholder.globalMatch(text);
    while (matches.hasNext()) {
        auto const mark = matches.next().captured().remove(QLatin1Char('L'));
        if (!found.contains(mark)) found.append(mark);
    }
    found.sort();
    return found;
}

QString tsPath() { return QStringLiteral(TILEWRIGHT_SOURCE_DIR "/translations/tilewright_de.ts"); }

} // namespace

class TstTranslations : public QObject {
    Q_OBJECT
private slots:
    void initTestCase();
    void cleanup();
    void everyTextIsTranslated();
    void placeholdersAreTheSame();
    void endingsAndMnemonicsAreTheSame();
    void everyTextHasAContextThatIsAskedFor();
    void everyTextOfTheSourcesIsThere();
    void aLanguageIsAFileAndItsNameInTheList();
    void germanIsInstalledAndTakenBack();
    void pseudoTextKeepsMarksAndGrows_data();
    void pseudoTextKeepsMarksAndGrows();
    void theMirroredLocaleMirrors();

private:
    QList<Message> m_messages;
};

void TstTranslations::initTestCase()
{
    QString error;
    m_messages = readMessages(tsPath(), &error);
    QVERIFY2(error.isEmpty(), qPrintable(error));
    QVERIFY(m_messages.size() > 300);
}

void TstTranslations::cleanup() { installTranslation(*qApp, QStringLiteral("en")); }

void TstTranslations::everyTextIsTranslated()
{
    QStringList missing;
    for (auto const &message : m_messages)
        if (!message.type.isEmpty() || message.translations.isEmpty() || message.translations.contains(QString()))
            missing.append(message.context + ": " + message.source);
    QVERIFY2(missing.isEmpty(),
             qPrintable(QStringLiteral("%1 texts are not translated:\n%2").arg(missing.size()).arg(missing.mid(0, 20).join('\n'))));
}

void TstTranslations::placeholdersAreTheSame()
{
    for (auto const &message : m_messages)
        for (auto const &translation : message.translations) {
            auto expected = marks(message.source), found = marks(translation);
            if (message.numerus) { // "one run" may leave the number out
                expected.removeAll("%n");
                found.removeAll("%n");
            }
            QVERIFY2(translation.isEmpty() || found == expected, qPrintable(message.source + " -> " + translation));
        }
}

void TstTranslations::endingsAndMnemonicsAreTheSame()
{
    static QRegularExpression const mnemonic(QStringLiteral("&(?=\\w)(?!\\w+;)"), QRegularExpression::UseUnicodePropertiesOption);
    for (auto const &message : m_messages)
        for (auto const &translation : message.translations) {
            if (translation.isEmpty()) continue;
            auto const both = qPrintable(message.source + " -> " + translation);
            QVERIFY2(message.source.endsWith("…") == translation.endsWith("…"), both);
            QVERIFY2(message.source.endsWith('\n') == translation.endsWith('\n'), both);
            QVERIFY2(message.source.startsWith(' ') == translation.startsWith(' '), both);
            QVERIFY2(message.source.contains(mnemonic) == translation.contains(mnemonic), both);
        }
}

/// A free function of its own named tr() looks like a translation to lupdate, which then takes the namespace for the
/// context; at run time nobody finds it there. Such files want Text::tr() or QCoreApplication::translate().
void TstTranslations::everyTextHasAContextThatIsAskedFor()
{
    QStringList lost;
    for (auto const &message : m_messages)
        if (message.context.isEmpty() || message.context == QLatin1String("tilewright")
            || message.context == QLatin1String("tilewright::views") || message.context == QLatin1String("tilewright::app"))
            lost.append(message.source);
    QVERIFY2(lost.isEmpty(), qPrintable("never found at run time:\n" + lost.join('\n')));
}

void TstTranslations::everyTextOfTheSourcesIsThere()
{
    auto const lupdate = QStandardPaths::findExecutable("lupdate", {QLibraryInfo::path(QLibraryInfo::BinariesPath), "/usr/lib/qt6/bin"});
    if (lupdate.isEmpty()) QSKIP("lupdate is not installed");
    QTemporaryDir folder;
    QProcess process;
    process.setWorkingDirectory(TILEWRIGHT_SOURCE_DIR);
    // As the target update_translations: without the rooms of the engine that are read in a terminal only.
    QStringList arguments{"-silent", "-locations",         "none",   "-no-obsolete", "-extensions",
                          "cpp,h",   "-tr-function-alias", "tr+=of", "-I",           "."};
    arguments << "app"
              << "views"
              << "translations";
    for (auto const &room : QDir(TILEWRIGHT_SOURCE_DIR "/engine").entryList(QDir::Dirs | QDir::NoDotAndDotDot))
        if (room != QLatin1String("cli") && room != QLatin1String("conformance") && room != QLatin1String("reference"))
            arguments << "engine/" + room;
    arguments << "-source-language"
              << "en"
              << "-target-language"
              << "de_DE"
              << "-ts" << folder.filePath("fresh.ts");
    process.start(lupdate, arguments);
    QVERIFY(process.waitForFinished(60'000));
    QVERIFY2(process.exitCode() == 0, process.readAllStandardError().constData());
    QString error;
    auto const fresh = readMessages(folder.filePath("fresh.ts"), &error);
    QVERIFY2(error.isEmpty(), qPrintable(error));
    QSet<QString> known;
    for (auto const &message : m_messages) known.insert(message.key());
    QStringList missing;
    for (auto const &message : fresh)
        if (!known.contains(message.key())) missing.append(message.context + ": " + message.source);
    // "1 IPU(s)": English has words for one and for many as well.
    QSet<QString> english;
    for (auto const &message : readMessages(QStringLiteral(TILEWRIGHT_SOURCE_DIR "/translations/tilewright_en.ts"), &error))
        english.insert(message.key());
    QVERIFY2(error.isEmpty(), qPrintable(error));
    for (auto const &message : fresh)
        if (message.numerus && !english.contains(message.key())) missing.append("English: " + message.context + ": " + message.source);
    // lupdate misses a text whose number is an expression with commas in it: whatever the sources say of a number is there.
    QSet<QString> numbered;
    for (auto const &message : m_messages)
        if (message.numerus) numbered.insert(message.source);
    static QRegularExpression const withNumber(
        QStringLiteral("(?:\\btr|translate|NOOP)\\((?:\"\\w+\", )?\"((?:[^\"\\\\\\n]|\\\\.)*%L?n(?:[^\"\\\\\\n]|\\\\.)*)\""));
    int counted = 0;
    for (auto const *part : {"views", "app"}) {
        QDirIterator files(QStringLiteral(TILEWRIGHT_SOURCE_DIR "/") + QLatin1String(part), {"*.cpp"}, QDir::Files,
                           QDirIterator::Subdirectories);
        while (files.hasNext()) {
            QFile file(files.next());
            QVERIFY(file.open(QIODevice::ReadOnly));
            auto texts = withNumber.globalMatch(QString::fromUtf8(file.readAll()));
            while (texts.hasNext()) {
                QString const text = texts.next()
                                         .captured(1)
                                         .replace(QStringLiteral("\\\""), QStringLiteral("\""))
                                         .replace(QStringLiteral("\\n"), QStringLiteral("\n"));
                ++counted;
                if (!numbered.contains(text)) missing.append(file.fileName() + ", put the number into a variable: " + text);
            }
        }
    }
    QVERIFY2(counted > 100, qPrintable(QString::number(counted)));
    QVERIFY2(missing.isEmpty(),
             qPrintable(QStringLiteral("run the target update_translations and translate %1 new texts:\n%2")
                            .arg(missing.size())
                            .arg(missing.mid(0, 20).join('\n'))));
}

/// What translations/README.md says of a new language: the .ts file and the list of CMakeLists.txt are all there is to change.
void TstTranslations::aLanguageIsAFileAndItsNameInTheList()
{
    QStringList files;
    for (auto const &name : QDir(QStringLiteral(TILEWRIGHT_SOURCE_DIR "/translations")).entryList({QStringLiteral("tilewright_*.ts")}))
        files.append(name.section(QLatin1Char('_'), 1).chopped(3));
    auto languages = translatedLanguages();
    QCOMPARE(languages.value(0), QStringLiteral("en"));
    languages.sort();
    files.sort();
    QCOMPARE(languages, files);
    for (auto const &language : languages) {
        installTranslation(*qApp, language);
        QVERIFY2(QFile::exists(QStringLiteral(":/i18n/tilewright_%1.qm").arg(language)), qPrintable(language));
        QCOMPARE(QCoreApplication::translate("tilewright::Message", "a path") == QLatin1String("a path"), language == QLatin1String("en"));
    }
}

void TstTranslations::germanIsInstalledAndTakenBack()
{
    auto const cancel = [] { return QCoreApplication::translate("QPlatformTheme", "Cancel"); };
    QCOMPARE(cancel(), QString("Cancel"));
    installTranslation(*qApp, QStringLiteral("de"));
    QCOMPARE(cancel(), QString("Abbrechen"));
    QCOMPARE(QLocale().decimalPoint(), QString(","));
    installTranslation(*qApp, QStringLiteral("sw")); // neither by us nor by Qt: numbers follow, texts stay
    QCOMPARE(cancel(), QString("Cancel"));
    installTranslation(*qApp, QStringLiteral("en"));
    QCOMPARE(QLocale().decimalPoint(), QString("."));
    QCOMPARE(qApp->layoutDirection(), Qt::LeftToRight);
    // Back to the desktop's, which may be none at all: plurals and separators are English then.
    installTranslation(*qApp, QStringLiteral("de"));
    installTranslation(*qApp, QStringLiteral("C"));
    QCOMPARE(QLocale().toString(271120), QString("271,120"));
    QCOMPARE(QCoreApplication::translate("views", "%n layer(s)", nullptr, 1), QString("1 layer"));
    QCOMPARE(QCoreApplication::translate("views", "%n layer(s)", nullptr, 3), QString("3 layers"));
}

void TstTranslations::pseudoTextKeepsMarksAndGrows_data()
{
    QTest::addColumn<QString>("text");
    QTest::newRow("word") << "Save";
    QTest::newRow("placeholders") << "%1 of %2 rows, %n tiles";
    QTest::newRow("number") << "%Ln difference(s)";
    QTest::newRow("files") << "All files there are (*);;Reports that somebody keeps (*.twreport)";
    QTest::newRow("mnemonic") << "&Open";
    QTest::newRow("tags") << "<b>bold</b> &amp; <a href=\"view:memory\">link</a>";
}

void TstTranslations::pseudoTextKeepsMarksAndGrows()
{
    QFETCH(QString, text);
    auto const pseudo = pseudoText(text);
    QCOMPARE(marks(pseudo), marks(text));
    QCOMPARE(pseudo.count('&'), text.count('&'));
    QCOMPARE(pseudo.count('<'), text.count('<'));
    QCOMPARE(pseudo.contains("href=\"view:memory\""), text.contains("href=\"view:memory\""));
    if (text.endsWith(QStringLiteral("(*.twreport)")))
        QVERIFY2(pseudo.endsWith(QStringLiteral("(*.twreport)")) && pseudo.contains(QStringLiteral(" (*);;[")),
                 qPrintable(pseudo)); // what a dialog of files reads
    QVERIFY(pseudo.size() >= text.size() * 13 / 10);
    QVERIFY(pseudo != text);
}

void TstTranslations::theMirroredLocaleMirrors()
{
    installTranslation(*qApp, QStringLiteral("xr"));
    QCOMPARE(qApp->layoutDirection(), Qt::RightToLeft);
    QCOMPARE(QCoreApplication::translate("views", "Memory"), pseudoText("Memory"));
    QCOMPARE(QCoreApplication::translate("QPlatformTheme", "Cancel"), QString("Cancel"));
    installTranslation(*qApp, QStringLiteral("xx"));
    QCOMPARE(qApp->layoutDirection(), Qt::LeftToRight);
}

TW_REGISTER_TEST(TstTranslations);
#include "tst_translations.moc"

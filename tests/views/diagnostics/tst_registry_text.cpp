#include "tests/support/test_registry.h"
#include "tests/views/diagnostics/registry_texts.h"
#include "translations/translations.h"
#include "views/diagnostics/diagnostic_text.h"
#include "views/diagnostics/registry_text.h"

#include <QApplication>
#include <QtTest>

using namespace tilewright;
using namespace tilewright::views;

namespace {

QString literal(std::string const &text)
{
    return QLatin1Char('"')
        + QString::fromStdString(text).replace(QLatin1Char('\\'), QLatin1String("\\\\")).replace(QLatin1Char('"'), QLatin1String("\\\""))
        + QLatin1Char('"');
}

/// The header that shows a part to lupdate.
QString headerOf(RegistryPart const &part)
{
    QString name = QString::fromStdString(part.name);
    name[0] = name[0].toUpper();
    QString text = QStringLiteral("#pragma once\n\n#include <QtCore/qtranslator.h>\n\n"
                                  "// Texts of the engine's registries, for lupdate; nothing else reads this file. Not written by hand: "
                                  "tst_registry_text makes it\n"
                                  "// (the target update_translations calls it).\n"
                                  "namespace tilewright {\n\n[[maybe_unused]] constexpr char const *kRegistry%1[] = {\n")
                       .arg(name);
    for (auto const &each : part.texts) text += QStringLiteral("    QT_TRANSLATE_NOOP(\"registry\", %1),\n").arg(literal(each.text));
    return text + QStringLiteral("};\n\n} // namespace tilewright\n");
}

QByteArray contentOf(QString const &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

} // namespace

class TstRegistryText : public QObject {
    Q_OBJECT

    static void german() { installTranslation(*qApp, QStringLiteral("de")); }

private slots:
    void cleanup() { installTranslation(*qApp, QStringLiteral("en")); }

    /// A text that is new or changed in the engine is missing here until somebody renews the list and its translation.
    void listsAreThoseOfTheRegistries()
    {
        for (auto const &part : registryParts()) {
            QString const path = QStringLiteral(TILEWRIGHT_SOURCE_DIR "/translations/registry_%1.h").arg(QString::fromStdString(part.name));
            QByteArray const wanted = headerOf(part).toUtf8();
            if (qEnvironmentVariableIsSet("TILEWRIGHT_RENEW_REGISTRY_TEXTS") && contentOf(path) != wanted) {
                QFile file(path);
                QVERIFY2(file.open(QIODevice::WriteOnly) && file.write(wanted) == wanted.size(), qPrintable(path));
            }
            QVERIFY2(
                contentOf(path) == wanted,
                qPrintable(path
                           + QStringLiteral(
                               " is not what the engine says: build the target update_translations, then translate what is unfinished")));
        }
    }
    void everyTextIsGerman()
    {
        german();
        QStringList missing;
        for (auto const &each : registryTexts()) {
            auto const english = QString::fromStdString(each.text), german = registryText(each.text);
            if (each.prose && german == english) missing << QString::fromStdString(each.place) + QStringLiteral(": ") + english;
        }
        QVERIFY2(missing.isEmpty(), qPrintable(missing.join(QLatin1Char('\n'))));
    }
    /// Names of options, arguments and values are what a person types: they are the same in every language.
    void namesStayAsTheyAre()
    {
        german();
        static QRegularExpression const name(
            QStringLiteral("\\b\\w*(?:_\\w+)+\\b|\\b[a-z]+[A-Z]\\w*\\b|\\b[A-Z]{3,}\\b|--\\w+|\\{[^}]*\\}"));
        QStringList lost;
        for (auto const &each : registryTexts()) {
            auto const english = QString::fromStdString(each.text), german = registryText(each.text);
            auto found = name.globalMatch(english);
            while (found.hasNext())
                if (auto const one = found.next().captured(); !german.contains(one))
                    lost << QStringLiteral("%1: %2 -> %3").arg(one, english, german);
        }
        QVERIFY2(lost.isEmpty(), qPrintable(lost.join(QLatin1Char('\n'))));
    }
    /// Several fields of one registry mean the same and are one text; where German says one thing twice, English said two.
    void differentTextsDiffer()
    {
        german();
        QHash<QString, QString> seen;
        QStringList same;
        for (auto const &each : registryTexts()) {
            auto const english = QString::fromStdString(each.text), german = registryText(each.text);
            if (each.prose && seen.contains(german)) same << QStringLiteral("%1 = %2").arg(english, seen[german]);
            seen.insert(german, english);
        }
        QVERIFY2(same.isEmpty(), qPrintable(same.join(QLatin1Char('\n'))));
    }
    void valuesStandInTheirPlaces()
    {
        QCOMPARE(registryText("Keys with effect: %1.", "partialsType"), QStringLiteral("Keys with effect: partialsType."));
        QCOMPARE(registryText("No effect yet in this version.", ""), QStringLiteral("No effect yet in this version."));
        QCOMPARE(registryText(""), QString());
        german();
        QVERIFY(registryText("Deprecated. %1", "Use optimizations.math.fast instead.")
                    .contains(registryText("Use optimizations.math.fast instead.")));
        QCOMPARE(registryText("no text of a registry"), QStringLiteral("no text of a registry"));
        QCOMPARE(registryText(""), QString());
    }
    /// The remedy of a missing argument has the argument's help in it.
    void helpInADiagnosticIsGermanToo()
    {
        german();
        auto const text = diagnosticText(makeError(ErrorKind::Invalid, "model.missing-argument", "dense",
                                                   Message::of("argument '%1' is missing", "units"),
                                                   Message::of("give %1 (%2)", "units", Message("number of outputs"))));
        QVERIFY2(text.remedy.contains(registryText("number of outputs")), qPrintable(text.remedy));
        QVERIFY(!text.remedy.contains(QStringLiteral("number of")));
    }
};

TW_REGISTER_TEST(TstRegistryText);
#include "tst_registry_text.moc"

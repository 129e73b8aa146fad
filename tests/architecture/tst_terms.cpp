#include "tests/support/test_registry.h"

#include <QDirIterator>
#include <QFile>
#include <QRegularExpression>
#include <QtTest>

/// One name per thing in everything that is shown: texts of the program and the help.
class TstTerms : public QObject {
    Q_OBJECT

    /// A name that is no longer used, and the one in use.
    struct Retired {
        QRegularExpression name;
        QString use;
    };
    static QList<Retired> const &retired()
    {
        static QList<Retired> const all{
            {QRegularExpression(QStringLiteral(R"(\b[Ff]ullest tile)")), QStringLiteral("worst tile")},
            {QRegularExpression(
                 QStringLiteral(R"((?m)^(?!.*\bthere\b).*(\bmeasured here\b|\(here\)|(%\d|time|seconds|per second) here\b|\*here\*))")),
             QStringLiteral("on this computer, measured")},
        };
        return all;
    }
    /// String literals of C++, or the whole of another text.
    static QString shownText(QString const &path, QString const &text)
    {
        if (!path.endsWith(QLatin1String(".cpp")) && !path.endsWith(QLatin1String(".h"))) return text;
        static QRegularExpression const comment(QStringLiteral(R"((^|\s)//[^\n]*)"));
        static QRegularExpression const literal(QStringLiteral("\"((?:[^\"\\\\\\n]|\\\\.)*)\""));
        QString const code = QString(text).remove(comment);
        QStringList literals;
        for (auto it = literal.globalMatch(code); it.hasNext();) literals << it.next().captured(1);
        return literals.join(QLatin1Char('\n'));
    }
    static QStringList foundIn(QString const &path, QString const &text)
    {
        QStringList found;
        for (auto const &[name, use] : retired())
            if (auto const match = name.match(shownText(path, text)); match.hasMatch())
                found << QStringLiteral("%1: “%2”, use “%3”").arg(path, match.captured(0), use);
        return found;
    }

private slots:
    void oneNamePerThing()
    {
        QString const root = QStringLiteral(TILEWRIGHT_SOURCE_DIR "/");
        QStringList found;
        int files = 0;
        for (auto const *folder : {"engine", "views", "app", "resources/help/en"}) {
            QDirIterator it(root + QLatin1String(folder), {QStringLiteral("*.cpp"), QStringLiteral("*.h"), QStringLiteral("*.md")},
                            QDir::Files, QDirIterator::Subdirectories);
            while (it.hasNext()) {
                QFile file(it.next());
                QVERIFY2(file.open(QIODevice::ReadOnly), qPrintable(file.fileName()));
                found << foundIn(file.fileName().mid(root.size()), QString::fromUtf8(file.readAll()));
                ++files;
            }
        }
        QVERIFY(files > 500);
        QVERIFY2(found.isEmpty(), qPrintable(found.join(QLatin1Char('\n'))));
    }
    void aRetiredNameIsSeen()
    {
        QCOMPARE(foundIn(QStringLiteral("a.cpp"), QStringLiteral("// the fullest tile\ntr(\"%1 here\")")).size(), 1);
        QCOMPARE(foundIn(QStringLiteral("a.md"), QStringLiteral("The fullest tile ends at 3 bytes.")).size(), 1);
        QCOMPARE(foundIn(QStringLiteral("a.cpp"), QStringLiteral("tr(\"Insert here\"); // %1 here")).size(), 0);
    }
};

TW_REGISTER_TEST(TstTerms);
#include "tst_terms.moc"

#include "engine/core/result.h"
#include "tests/support/test_registry.h"
#include "translations/translations.h"
#include "views/diagnostics/diagnostic_text.h"
#include "views/diagnostics/phase_text.h"

#include <QApplication>
#include <QDirIterator>
#include <QFile>
#include <QRegularExpression>
#include <QtTest>

using namespace tilewright;
using namespace tilewright::views;

/// What jobs, compiles and threads of the host say of themselves, in the language of the window.
class TstPhaseText : public QObject {
    Q_OBJECT
private slots:
    void cleanup() { installTranslation(*qApp, QStringLiteral("en")); }

    void phasesAreWordsOfTheWindow()
    {
        QCOMPARE(phaseText(QStringLiteral("Compiling: graph optimisations")), QStringLiteral("Graph optimisations"));
        QCOMPARE(phaseText(QStringLiteral("generating data")), QStringLiteral("Generating data"));
        QCOMPARE(phaseText(QStringLiteral("fuse-bias")), QStringLiteral("fuse-bias")); // a pass: a name
        installTranslation(*qApp, QStringLiteral("de"));
        QCOMPARE(phaseText(QStringLiteral("Train")), QCoreApplication::translate("views", "Train"));
        QVERIFY(phaseText(QStringLiteral("Compiling: graph compilation")) != QStringLiteral("Graph compilation"));
    }
    /// Whatever the sources report has its word.
    void everyPhaseOfTheSourcesIsTranslated()
    {
        installTranslation(*qApp, QStringLiteral("de"));
        static QRegularExpression const reported(
            QStringLiteral("(?:\\btimer\\.done\\(|\\bdone\\(|\\bprogress\\(|\\.report\\(|share < 1 \\? |HostRecord::\\w+, |\\bkExecute = "
                           "|\\bkCopy = |\\bkGather = )\"([A-Za-z -]{4,})\""));
        QStringList missing;
        int found = 0;
        for (auto const *folder : {"engine", "views"}) {
            QDirIterator files(QStringLiteral(TILEWRIGHT_SOURCE_DIR "/") + QLatin1String(folder),
                               {QStringLiteral("*.cpp"), QStringLiteral("*.h")}, QDir::Files, QDirIterator::Subdirectories);
            while (files.hasNext()) {
                QFile file(files.next());
                if (file.fileName().contains(QStringLiteral("/engine/cli/"))) continue; // the commands speak English
                QVERIFY(file.open(QIODevice::ReadOnly));
                auto matches = reported.globalMatch(QString::fromUtf8(file.readAll()));
                while (matches.hasNext()) {
                    QString const phase = matches.next().captured(1);
                    ++found;
                    if (QString const text = phaseText(phase); text.compare(phase, Qt::CaseInsensitive) == 0)
                        missing << phase + QStringLiteral(" in ") + file.fileName();
                }
            }
        }
        QVERIFY2(found > 25, qPrintable(QString::number(found)));
        QVERIFY2(missing.isEmpty(), qPrintable(missing.join(QLatin1Char('\n'))));
    }
    void tilesAsSubjectsAreDescribedInWords()
    {
        auto error = makeError(ErrorKind::DoesNotFit, "none", "IPU 0 tile 17", "too much.", "");
        QCOMPARE(subjectText(error), QStringLiteral("IPU 0 tile 17"));
        installTranslation(*qApp, QStringLiteral("de"));
        QCOMPARE(subjectText(error), QStringLiteral("IPU 0, Tile 17"));
        QVERIFY(diagnosticLine(error).startsWith(QStringLiteral("IPU 0, Tile 17: ")));
        error.subject = "dense";
        QCOMPARE(subjectText(error), QStringLiteral("dense"));
    }
};

TW_REGISTER_TEST(TstPhaseText);
#include "tst_phase_text.moc"

#include "tests/support/test_registry.h"

#include <QDirIterator>
#include <QFile>
#include <QRegularExpression>
#include <QtTest>

/// What the whole program does in one place, it does nowhere else.
class TstSingleDoors : public QObject {
    Q_OBJECT
private slots:
    void jsonIsReadInOneFile()
    {
        // A second way to read JSON is one without the limits on nesting and size.
        static QRegularExpression const reads(QStringLiteral("\\b(json|Json|OrderedJson|ordered_json)::(parse|accept|sax_parse)\\s*\\("));
        QString const root = QStringLiteral(TILEWRIGHT_SOURCE_DIR "/");
        QStringList found;
        int files = 0;
        for (auto const *folder : {"engine", "views", "app"}) {
            QDirIterator it(root + QLatin1String(folder), {QStringLiteral("*.cpp"), QStringLiteral("*.h")}, QDir::Files, QDirIterator::Subdirectories);
            while (it.hasNext()) {
                QString const path = it.next();
                QFile file(path);
                QVERIFY2(file.open(QIODevice::ReadOnly), qPrintable(path));
                ++files;
                if (reads.match(QString::fromUtf8(file.readAll())).hasMatch()) found << path.mid(root.size());
            }
        }
        QVERIFY(files > 300); // an empty walk would find nothing
        QCOMPARE(found, QStringList{QStringLiteral("engine/core/json_text.cpp")});
    }
};

TW_REGISTER_TEST(TstSingleDoors);
#include "tst_single_doors.moc"

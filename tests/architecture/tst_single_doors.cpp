#include "tests/support/test_registry.h"

#include <QDirIterator>
#include <QFile>
#include <QRegularExpression>
#include <QtTest>

/// What the whole program does in one place, it does nowhere else.
class TstSingleDoors : public QObject {
    Q_OBJECT

    /// Files below the folders in which the pattern is found, from the root on.
    static QStringList filesWith(QRegularExpression const &pattern, std::initializer_list<char const *> folders, int *seen)
    {
        QString const root = QStringLiteral(TILEWRIGHT_SOURCE_DIR "/");
        QStringList found;
        for (auto const *folder : folders) {
            QDirIterator it(root + QLatin1String(folder), {QStringLiteral("*.cpp"), QStringLiteral("*.h")}, QDir::Files,
                            QDirIterator::Subdirectories);
            while (it.hasNext()) {
                QString const path = it.next();
                QFile file(path);
                if (!file.open(QIODevice::ReadOnly)) qFatal("%s", qPrintable(path));
                ++*seen;
                if (pattern.match(QString::fromUtf8(file.readAll())).hasMatch()) found << path.mid(root.size());
            }
        }
        return found;
    }

private slots:
    void jsonIsReadInOneFile()
    {
        // A second way to read JSON is one without the limits on nesting and size.
        static QRegularExpression const reads(QStringLiteral("\\b(json|Json|OrderedJson|ordered_json)::(parse|accept|sax_parse)\\s*\\("));
        int files = 0;
        QCOMPARE(filesWith(reads, {"engine", "views", "app"}, &files), QStringList{QStringLiteral("engine/core/json_text.cpp")});
        QVERIFY(files > 300); // an empty walk would find nothing
    }
    /// The fuzzers' compiler (Clang 14) cannot compile GCC 12's views of ranges.
    void theEngineUsesNoViewsOfRanges()
    {
        static QRegularExpression const uses(QStringLiteral("#include <ranges>|std::views::|ranges::views|ranges::\\w+_view\\b"));
        int files = 0;
        QCOMPARE(filesWith(uses, {"engine", "tests/fuzz"}, &files), QStringList());
        QVERIFY(files > 300);
    }
};

TW_REGISTER_TEST(TstSingleDoors);
#include "tst_single_doors.moc"

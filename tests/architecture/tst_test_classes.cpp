#include "tests/support/test_registry.h"

#include <QDirIterator>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QtTest>

/// Every file of a test class is built: a target names it. A line of a CMakeLists.txt that became a comment would leave out its classes
/// in silence.
class TstTestClasses : public QObject {
    Q_OBJECT

    static QString root() { return QStringLiteral(TILEWRIGHT_SOURCE_DIR "/tests"); }
    /// The words of a folder's CMakeLists.txt without its comments.
    static QSet<QString> words(QString const &folder)
    {
        QFile file(folder + QStringLiteral("/CMakeLists.txt"));
        if (!file.open(QIODevice::ReadOnly)) return {};
        static QRegularExpression const comment(QStringLiteral("#[^\n]*")), gaps(QStringLiteral("[\\s()]+"));
        auto const list = QString::fromUtf8(file.readAll()).remove(comment).split(gaps, Qt::SkipEmptyParts);
        return {list.begin(), list.end()};
    }
    /// Whether a list of the file's folder, or of one above it, names the class.
    static bool isListed(QFileInfo const &file)
    {
        for (auto folder = file.absolutePath(); folder.startsWith(root()); folder = QFileInfo(folder).absolutePath())
            if (words(folder).contains(file.completeBaseName())) return true;
        return false;
    }
private slots:
    void commentsNameNoClass()
    {
        QTemporaryDir const folder;
        QFile file(folder.filePath("CMakeLists.txt"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("# tw_tests(tests_x CLASSES tst_a)\ntw_tests(tests_y CLASSES tst_b\n  tst_c)\n");
        file.close();
        auto const found = words(folder.path());
        QVERIFY(!found.contains("tst_a") && found.contains("tst_b") && found.contains("tst_c"));
    }
    void everyFileOfATestIsBuilt()
    {
        int files = 0;
        for (QDirIterator it(root(), {"tst_*.cpp"}, QDir::Files, QDirIterator::Subdirectories); it.hasNext(); ++files) {
            QFileInfo const file(it.next());
            QVERIFY2(isListed(file), qPrintable(file.filePath() + QStringLiteral(": no CMakeLists.txt names it")));
        }
        QVERIFY(files > 300);
    }
};

TW_REGISTER_TEST(TstTestClasses);
#include "tst_test_classes.moc"

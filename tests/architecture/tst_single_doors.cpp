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
    void numbersDoNotFollowTheLocale()
    {
        // Under German rules std::stod("0.3") is 0 and printf writes "0,3"; under Turkish rules the capital of "i" is not "I".
        static QRegularExpression const follows(
            QStringLiteral("\\b(std::)?(sto[dfil]|stold|stou?ll?|strto(d|f|ld|u?ll?)|ato[fil]|f?scanf|sscanf|localeconv)\\s*\\("
                           "|printf\\s*\\([^;]*%[-+ #0-9.*]*[aefgAEFG]"
                           "|std::(tolower|toupper|isalpha|isdigit|isspace|isalnum|isupper|islower|isprint|ispunct|isxdigit)\\b"
                           "|\\bstr(n)?casecmp\\s*\\(|to_string\\s*\\(\\s*(static_cast<(double|float)>|[0-9]+\\.[0-9])"));
        int files = 0;
        QCOMPARE(filesWith(follows, {"engine", "views", "app"}, &files), QStringList());
        QVERIFY(files > 300);
    }
    void wholeNumbersAreParsedInOneFile()
    {
        // The others scan a number at the front of a longer text.
        static QRegularExpression const parses(QStringLiteral("\\bfrom_chars\\s*\\("));
        int files = 0;
        auto found = filesWith(parses, {"engine", "views", "app"}, &files);
        found.sort();
        QCOMPARE(found,
                 (QStringList{QStringLiteral("engine/core/numbers.cpp"), QStringLiteral("engine/core/replace_file.cpp"),
                              QStringLiteral("engine/core/text_reader.cpp"), QStringLiteral("engine/data/npy.cpp"),
                              QStringLiteral("engine/store/assert_expr.cpp"), QStringLiteral("engine/store/row_reader.h")}));
    }
    /// A shape has axes. Only tiles see a matrix of rows and columns.
    void matricesOfRowsAndColumnsAreOfTheLowering()
    {
        static QRegularExpression const folds(QStringLiteral("\\browsCols\\s*\\("));
        int files = 0;
        auto found = filesWith(folds, {"engine", "views", "app"}, &files);
        found.removeIf([](QString const &path) {
            return path.startsWith(QLatin1String("engine/lowering/")) || path.startsWith(QLatin1String("engine/ops/"));
        });
        found.sort();
        QCOMPARE(found, (QStringList{QStringLiteral("engine/graph/graph.cpp"), QStringLiteral("engine/graph/graph.h")}));
        QVERIFY(files > 300);
    }
    /// Its file with the update as a formula, and its line in optimizers.def; two more may know of it.
    void optimizersWithoutLoopsOfTheirOwnAreInAtMostFourFiles()
    {
        for (auto const *name : {"Adagrad", "Nadam", "Ftrl", "LAMB", "LARS"}) {
            QRegularExpression const names(QStringLiteral("(?<![a-z])%1(Optimizer)?(?![a-z])").arg(QLatin1String(name)),
                                           QRegularExpression::CaseInsensitiveOption);
            int files = 0;
            auto const found = filesWith(names, {"engine"}, &files);
            QVERIFY2(found.contains(QStringLiteral("engine/model/optimizers/%1.cpp").arg(QString::fromLatin1(name).toLower())), name);
            QVERIFY2(found.size() + 1 <= 4, qPrintable(QLatin1String(name) + ": " + found.join(' ')));
            QVERIFY(files > 300);
        }
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

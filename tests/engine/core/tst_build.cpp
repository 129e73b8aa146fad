#include "engine/core/build.h"
#include "tests/support/test_registry.h"

#include <QFile>
#include <QtTest>

using namespace tilewright;

/// Identity of a build of the program.
class TstBuild : public QObject {
    Q_OBJECT

private slots:
    void theIdIsTheNoteInTheProgramsFile()
    {
        QFile program(QStringLiteral("/proc/self/exe"));
        QVERIFY(program.open(QIODevice::ReadOnly));
        auto const bytes = program.readAll();
        QByteArray const name("\x04\0\0\0\x14\0\0\0\x03\0\0\0GNU\0", 16); // sizes of the name and of the id, the type, the name
        auto const at = bytes.indexOf(name);
        QVERIFY2(at >= 0, "the linker wrote no build id of 20 bytes");
        QCOMPARE(QByteArray::fromStdString(buildId()), bytes.mid(at + name.size(), 20).toHex());
        QVERIFY(!version().empty());
    }
};

TW_REGISTER_TEST(TstBuild);
#include "tst_build.moc"

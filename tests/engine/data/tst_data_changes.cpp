#include "engine/data/npy.h"
#include "engine/data/source.h"
#include "tests/support/test_registry.h"

#include <QTemporaryDir>
#include <QtTest>

#include <algorithm>
#include <fstream>

#include <unistd.h>

using namespace tilewright;
using namespace tilewright::data;

/// Files that become shorter during reading: at most an error, never the end of the program.
class TstDataChanges : public QObject {
    Q_OBJECT
    QTemporaryDir m_dir;

    std::string file(std::size_t bytes) const
    {
        auto const path = m_dir.path().toStdString() + "/data";
        std::ofstream(path, std::ios::binary | std::ios::trunc) << std::string(bytes, 'x');
        return path;
    }
    static bool allAre(Source const &source, std::size_t from, char wanted)
    {
        auto const bytes = source.all().subspan(from);
        return std::ranges::all_of(bytes, [&](std::byte b) { return b == static_cast<std::byte>(wanted); });
    }

private slots:
    void copiesIgnoreChangesOfTheFile()
    {
        auto const path = file(100'000);
        auto const source = openSource(path);
        QVERIFY(source.ok());
        QCOMPARE(::truncate(path.c_str(), 0), 0);
        QVERIFY(allAre(*source, 0, 'x'));
        QVERIFY(requireUnchanged(source->bytes.get()).ok());
    }
    void mappingsReportChangesOfTheFile()
    {
        auto const path = file(100'000);
        auto const source = openSource(path, 0);
        QVERIFY(source.ok());
        QVERIFY(allAre(*source, 0, 'x'));
        QVERIFY(requireUnchanged(source->bytes.get()).ok());
        QCOMPARE(::truncate(path.c_str(), 5000), 0);
        QVERIFY(allAre(*source, 8192, '\0')); // here was SIGBUS
        QVERIFY(std::to_integer<int>(source->bytes.get()[4000]) == 'x');
        auto const changed = requireUnchanged(source->bytes.get() + 50);
        QVERIFY(!changed.ok());
        QCOMPARE(changed.error().code, std::string("data.changed"));
        QCOMPARE(changed.error().subject, path);
    }
    void mappingsShortenedWithinAPageAreReported()
    {
        auto const path = file(100'000);
        auto const source = openSource(path, 0);
        QCOMPARE(::truncate(path.c_str(), 99'990), 0);
        QVERIFY(!requireUnchanged(source->bytes.get()).ok());
    }
    void mappingsAreGivenBack()
    {
        auto const path = file(10'000);
        for (int i = 0; i < 300; ++i) QVERIFY(openSource(path, 0).ok());
    }
    void anArrayOfAMappingIsGuarded()
    {
        auto const path = m_dir.path().toStdString() + "/a.npy";
        QVERIFY(writeNpy(path, makeArray<float>({3000, 4}, std::vector<float>(12'000, 1.0f))).ok());
        auto const source = openSource(path, 0);
        auto const array = parseNpy(*source, {});
        QVERIFY(array.ok());
        QVERIFY(requireUnchanged(array->slice(100, 5).bytes.get()).ok());
        QCOMPARE(::truncate(path.c_str(), 200), 0);
        QCOMPARE(array->valueAt(11'999), 0.0);
        QVERIFY(!requireUnchanged(array->slice(100, 5).bytes.get()).ok());
    }
};

TW_REGISTER_TEST(TstDataChanges);
#include "tst_data_changes.moc"

// Windows of tables, texts for models of characters, the binary files of CIFAR.
#include "engine/data/characters.h"
#include "engine/data/data_source.h"
#include "tests/engine/data/data_test_support.h"
#include "tests/support/test_registry.h"

#include <QTemporaryDir>
#include <QtTest>

#include <algorithm>

using namespace tilewright;
using namespace tilewright::data;
using namespace tilewright::tests;

namespace {

namespace fs = std::filesystem;

class Folder {
public:
    std::string write(std::string const &name, std::string const &content) const
    {
        writeBytes(path() / name, content);
        return (path() / name).string();
    }
    fs::path path() const { return m_dir.path().toStdString(); }

private:
    QTemporaryDir m_dir;
};

Result<Dataset> open(DataSourceSpec const &spec, std::vector<Diagnostic> *warnings = nullptr)
{
    DiagnosticSink sink;
    JobContext job;
    job.warnings = &sink;
    auto dataset = openDataset(spec, {}, job);
    if (warnings) *warnings = sink.all();
    return dataset;
}

/// A record of CIFAR: the label bytes, then planes of the values 1, 2 and 3.
std::string cifarRecord(std::string const &labels)
{
    return labels + std::string(1024, '\1') + std::string(1024, '\2') + std::string(1024, '\3');
}

} // namespace

class TstDataSeries : public QObject {
    Q_OBJECT
private slots:
    /// Rows 0 to 9 of hour and load = 10 × hour: a window of three rows, and the load two rows after it.
    void windowsOfATable()
    {
        std::string table = "hour,load\n";
        for (int i = 0; i < 10; ++i) table += std::to_string(i) + "," + std::to_string(10 * i) + ".5\n";
        Folder const folder;
        DataSourceSpec spec;
        spec.path = folder.write("series.csv", table);
        spec.labelColumn = "load";
        spec.window = 3;
        spec.horizon = 2;
        auto const dataset = open(spec);
        QVERIFY2(dataset.ok(), dataset.ok() ? "" : toText(dataset.error()).c_str());
        QVERIFY((dataset->x.shape == Shape{6, 3, 2}));
        QVERIFY((dataset->y.shape == Shape{6}));
        for (int i = 0; i < 6; ++i) {
            for (int step = 0; step < 3; ++step) {
                QCOMPARE(dataset->x.valueAt(6 * i + 2 * step), double(i + step));
                QCOMPARE(dataset->x.valueAt(6 * i + 2 * step + 1), 10.0 * (i + step) + 0.5);
            }
            QCOMPARE(dataset->y.valueAt(i), 10.0 * (i + 4) + 0.5);
        }
        spec.stride = 4;
        auto const apart = open(spec);
        QVERIFY((apart->x.shape == Shape{2, 3, 2}));
        QCOMPARE(apart->y.valueAt(1), 80.5);
        spec.window = 9;
        QVERIFY(tells(open(spec), {"needs 11"}));
    }
    void fieldsOfOtherFormatsAreNamed()
    {
        Folder const folder;
        DataSourceSpec spec;
        spec.path = folder.write("rows.csv", "a,b,label\n1,2,0\n3,4,1\n");
        spec.imageSize = {8, 8};
        spec.stride = 1;
        std::vector<Diagnostic> warnings;
        QVERIFY(open(spec, &warnings).ok());
        QCOMPARE(warnings.size(), std::size_t{1});
        QCOMPARE(warnings[0].subject, std::string("data.image_size"));
    }
    void damagedRowsAreSkippedOnlyIfAsked()
    {
        Folder const folder;
        DataSourceSpec spec;
        spec.path = folder.write("rows.csv", "a,b,label\n1,2,0\n1,x,1\n3,4\n5,6,1\n");
        QCOMPARE(codeOf(open(spec)), std::string("data.csv.number"));
        spec.damaged = "skip";
        std::vector<Diagnostic> warnings;
        auto const dataset = open(spec, &warnings);
        QVERIFY2(dataset.ok(), dataset.ok() ? "" : toText(dataset.error()).c_str());
        QVERIFY((dataset->x.shape == Shape{2, 2}));
        QCOMPARE(dataset->x.valueAt(2), 5.0);
        QCOMPARE(warnings.size(), std::size_t{1});
        QVERIFY(toText(warnings[0]).find("2 damaged records") != std::string::npos);
    }
    void aTextBecomesCharactersAndTheirNextOnes()
    {
        Folder const folder;
        DataSourceSpec spec;
        spec.path = folder.write("text.txt", "bañana\r\nab");
        spec.format = "characters";
        QVERIFY(tells(open(spec), {"data.window"}));
        spec.window = 4;
        auto const dataset = open(spec);
        QVERIFY2(dataset.ok(), dataset.ok() ? "" : toText(dataset.error()).c_str());
        // \n, a, b, n, ñ
        QVERIFY((dataset->classNames == std::vector<std::string>{"\n", "a", "b", "n", "ñ"}));
        QVERIFY((dataset->x.shape == Shape{2, 4} && dataset->y.shape == Shape{2, 4}));
        QVERIFY(std::ranges::equal(dataset->x.as<std::int32_t>(), std::vector<std::int32_t>{2, 1, 4, 1, 3, 1, 0, 1}));
        QVERIFY(std::ranges::equal(dataset->y.as<std::int32_t>(), std::vector<std::int32_t>{1, 4, 1, 3, 1, 0, 1, 2}));
        spec.stride = 1;
        QCOMPARE(open(spec)->x.count(), std::int64_t{5});
        spec.testX = "other.txt";
        folder.write("other.txt", "zebra");
        QVERIFY(tells(open(spec), {"'z'"}));
        spec.testX.clear();
        spec.path = folder.write("latin.txt",
                                 "ba\xf1"
                                 "ana ban");
        QVERIFY(tells(open(spec), {"byte 2"}));
    }
    void cifarFilesBecomePictures()
    {
        Folder const ten;
        ten.write("data_batch_1.bin", cifarRecord("\x07") + cifarRecord("\x02"));
        ten.write("data_batch_2.bin", cifarRecord("\x09"));
        ten.write("test_batch.bin", cifarRecord("\x01"));
        DataSourceSpec spec;
        spec.path = ten.path().string();
        auto const dataset = open(spec);
        QVERIFY2(dataset.ok(), dataset.ok() ? "" : toText(dataset.error()).c_str());
        QVERIFY((dataset->x.shape == Shape{3, 32, 32, 3}) && dataset->x.dtype == DType::U8);
        QVERIFY(std::ranges::equal(dataset->y.as<std::int32_t>(), std::vector<std::int32_t>{7, 2, 9}));
        QCOMPARE(dataset->testX.count(), std::int64_t{1});
        for (int c = 0; c < 3; ++c) QCOMPARE(dataset->x.valueAt(3072 + 5 * 3 + c), 1.0 + c);
        ten.write("data_batch_2.bin", cifarRecord("\x0a") + cifarRecord("\x03").substr(0, 100));
        QVERIFY(!open(spec).ok());
        spec.damaged = "skip";
        std::vector<Diagnostic> warnings;
        QCOMPARE(open(spec, &warnings)->x.count(), std::int64_t{2});
        QVERIFY(toText(warnings.at(0)).find("2 damaged records") != std::string::npos);

        Folder const hundred;
        hundred.write("train.bin", cifarRecord("\x03\x42"));
        hundred.write("test.bin", cifarRecord("\x04\x43"));
        spec = {};
        spec.path = hundred.path().string();
        QCOMPARE(open(spec)->y.valueAt(0), 66.0);
        spec.y = "coarse";
        QCOMPARE(open(spec)->y.valueAt(0), 3.0);
        spec.y = "middle";
        QVERIFY(tells(open(spec), {"data.y", "fine"}));
    }
};

TW_REGISTER_TEST(TstDataSeries);
#include "tst_data_series.moc"

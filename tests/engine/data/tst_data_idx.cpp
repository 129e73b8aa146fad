#include "engine/core/limits.h"
#include "engine/data/dataset.h"
#include "engine/data/idx.h"
#include "tests/engine/data/data_test_support.h"
#include "tests/support/test_registry.h"

#include <QTemporaryDir>
#include <QtTest>

#include <numeric>

using namespace tilewright;
using namespace tilewright::data;
using namespace tilewright::tests;

class TstDataIdx : public QObject {
    Q_OBJECT
private slots:
    void readsBytesPlainAndGzippedAlike()
    {
        std::string pixels(2 * 3 * 4, '\0');
        std::iota(pixels.begin(), pixels.end(), '\x01');
        auto const file = idxHeader(8, {2, 3, 4}) + pixels;
        for (auto const &content : {file, gzipped(file)}) {
            auto const array = parseIdx(sourceOf(content), {});
            QVERIFY(array.ok());
            QVERIFY(array->dtype == DType::U8);
            QVERIFY((array->shape == Shape{2, 3, 4}));
            QCOMPARE(std::memcmp(array->bytes.get(), pixels.data(), pixels.size()), 0);
            QCOMPARE(array->origin.byteOf(1).value_or(-1), std::int64_t{16 + 12});
        }
    }
    void mapsAPlainFileWithoutCopying()
    {
        QTemporaryDir const folder;
        auto const path = std::filesystem::path(folder.path().toStdString()) / "labels";
        writeBytes(path, idxHeader(8, {3}) + "\x05\x01\x09");
        auto const source = openSource(path);
        QVERIFY(source.ok());
        auto const array = parseIdx(*source, {});
        QVERIFY(array.ok());
        QVERIFY(array->bytes.get() == source->bytes.get() + 8);
        QCOMPARE(array->valueAt(2), 9.0);
    }
    void convertsBigEndianNumbers()
    {
        auto const shorts = parseIdx(sourceOf(idxHeader(0x0B, {2}) + bigEndian(0xfffe, 2) + bigEndian(300, 2)), {});
        QVERIFY(shorts.ok());
        QVERIFY(shorts->dtype == DType::I32);
        QCOMPARE(shorts->as<std::int32_t>()[0], -2);
        QCOMPARE(shorts->as<std::int32_t>()[1], 300);
        auto const floats = parseIdx(sourceOf(idxHeader(0x0D, {1, 1}) + bigEndian(0x40490fdb, 4)), {});
        QVERIFY(floats.ok());
        QCOMPARE(floats->as<float>()[0], 3.14159274f);
        auto const doubles = parseIdx(sourceOf(idxHeader(0x0E, {1}) + bigEndian(0x3ff8000000000000, 8)), {});
        QVERIFY(doubles.ok());
        QCOMPARE(doubles->as<float>()[0], 1.5f);
        auto const bytes = parseIdx(sourceOf(idxHeader(0x09, {1}) + "\xff"), {});
        QVERIFY(bytes.ok());
        QCOMPARE(bytes->as<std::int32_t>()[0], -1);
    }
    void namesTheNumberThatFloatCannotHold()
    {
        auto const array = parseIdx(sourceOf(idxHeader(0x0E, {2}) + bigEndian(0, 8) + bigEndian(0x7fe0000000000000, 8)), {});
        QCOMPARE(codeOf(array), std::string("data.value"));
        QVERIFY(tells(array, {"record 1", "byte 16"}));
    }
    void refusesAWrongMagic()
    {
        auto const array = parseIdx(sourceOf("PNG, not IDX", "images"), {});
        QCOMPARE(codeOf(array), std::string("data.idx.magic"));
        QVERIFY(tells(array, {"images byte 0", "50 4e 47 2c", "00 00 08 03"}));
        QVERIFY(array.error().kind == ErrorKind::Data);
        QCOMPARE(codeOf(parseIdx(sourceOf(idxHeader(7, {1}) + "x"), {})), std::string("data.idx.type"));
        QCOMPARE(codeOf(parseIdx(sourceOf(idxHeader(8, {})), {})), std::string("data.idx.magic"));
    }
    void namesRecordAndByteWhereATruncatedFileEnds()
    {
        auto const whole = idxHeader(8, {10, 28, 28}) + std::string(7840, 'x');
        auto const cut = whole.substr(0, 16 + 784 * 3 + 5);
        for (auto const &content : {cut, gzipped(cut)}) {
            auto const array = parseIdx(sourceOf(content, "t"), {});
            QCOMPARE(codeOf(array), std::string("data.idx.truncated"));
            QVERIFY(tells(array, {"record 3", "byte 2373", "[10, 28, 28]", "7,840"}));
        }
        for (std::size_t n = 0; n < 16; ++n) QVERIFY(codeOf(parseIdx(sourceOf(whole.substr(0, n)), {})).starts_with("data.idx."));
    }
    void noticesATruncatedOrDamagedGzipStream()
    {
        std::string noise;
        for (int i = 0; i < 5000; ++i) noise += static_cast<char>(i * i * 7 + i / 3);
        auto const packed = gzipped(idxHeader(8, {5000}) + noise);
        auto const truncated = parseIdx(sourceOf(packed.substr(0, packed.size() / 2)), {});
        QCOMPARE(codeOf(truncated), std::string("data.idx.truncated"));
        QVERIFY(tells(truncated, {"record", "(decompressed)"}));
        auto const noSum = parseIdx(sourceOf(packed.substr(0, packed.size() - 4)), {});
        QCOMPARE(codeOf(noSum), std::string("data.gzip"));
        auto damaged = packed;
        damaged[packed.size() - 6] ^= 1; // in the CRC
        QCOMPARE(codeOf(parseIdx(sourceOf(damaged), {})), std::string("data.gzip"));
        QCOMPARE(codeOf(parseIdx(sourceOf(packed + "garbage"), {})), std::string("data.gzip"));
    }
    void readsAGzipFileOfSeveralMembers()
    {
        auto const file = idxHeader(8, {4}) + "abcd";
        auto const array = parseIdx(sourceOf(gzipped(file.substr(0, 9)) + gzipped(file.substr(9))), {});
        QVERIFY(array.ok());
        QCOMPARE(array->valueAt(3), double('d'));
    }
    void refusesSmallFilesThatUnpackToMuch()
    {
        auto const packed = gzipped(idxHeader(8, {2'000'000}) + std::string(2'000'000, '\0'));
        QVERIFY(packed.size() < 10'000);
        QVERIFY(parseIdx(sourceOf(packed), {}).ok());
        QVERIFY(setLimit("inflated_bytes=1000000").ok());
        auto const refused = parseIdx(sourceOf(packed, "bomb.gz"), {});
        QVERIFY(setLimit("inflated_bytes=1073741824").ok());
        QCOMPARE(codeOf(refused), std::string("data.limit"));
        QVERIFY(tells(refused, {"bomb.gz", "2,000,000", "--limit inflated_bytes="}));
    }
    void refusesBytesAfterTheLastRecord()
    {
        auto const file = idxHeader(8, {2}) + "abc";
        for (auto const &content : {file, gzipped(file)}) {
            auto const array = parseIdx(sourceOf(content), {});
            QCOMPARE(codeOf(array), std::string("data.idx.trailing"));
            QVERIFY(tells(array, {"byte 10"}));
        }
    }
    void refusesExtentsThatOverflow()
    {
        auto const array = parseIdx(sourceOf(idxHeader(8, {0xffffffff, 0xffffffff, 0xffffffff})), {});
        QCOMPARE(codeOf(array), std::string("data.shape"));
        QCOMPARE(codeOf(parseIdx(sourceOf(idxHeader(8, {0, 0xffffffff, 0xffffffff, 0xffffffff})), {})), std::string("data.shape"));
        // Fits in 62 bits, but not in the data of a small gzip file: refused before memory is allocated.
        auto const bomb = parseIdx(sourceOf(gzipped(idxHeader(8, {0xffffffff, 0x0fffffff}))), {});
        QCOMPARE(codeOf(bomb), std::string("data.idx.truncated"));
    }
    void saysThatAFileIsMissing()
    {
        QCOMPARE(codeOf(readIdx("/nowhere/train", {})), std::string("data.missing"));
        QCOMPARE(codeOf(readIdx(TILEWRIGHT_SOURCE_DIR, {})), std::string("data.file"));
    }
    void stopsWhenCancelled()
    {
        std::stop_source stop;
        stop.request_stop();
        JobContext job;
        job.stop = stop.get_token();
        QCOMPARE(codeOf(parseIdx(sourceOf(gzipped(idxHeader(8, {1}) + "x")), job)), std::string("job.cancelled"));
        QCOMPARE(codeOf(parseIdx(sourceOf(idxHeader(0x0B, {1}) + "xy"), job)), std::string("job.cancelled"));
    }
    void readsTheRealMnist()
    {
        auto const folder = sharedFolder() / "data" / "mnist";
        if (!std::filesystem::exists(folder / "train-images-idx3-ubyte.gz")) QSKIP("skipped 4 files: no MNIST beside the sources");
        auto const images = readIdx(folder / "train-images-idx3-ubyte.gz", {});
        auto const labels = readIdx(folder / "train-labels-idx1-ubyte.gz", {});
        auto const testImages = readIdx(folder / "t10k-images-idx3-ubyte.gz", {});
        auto const testLabels = readIdx(folder / "t10k-labels-idx1-ubyte.gz", {});
        QVERIFY(images.ok() && labels.ok() && testImages.ok() && testLabels.ok());
        QVERIFY((images->shape == Shape{60000, 28, 28}));
        QVERIFY((labels->shape == Shape{60000}));
        QVERIFY((testImages->shape == Shape{10000, 28, 28}));
        QCOMPARE(labels->valueAt(0), 5.0);
        QCOMPARE(testLabels->valueAt(0), 7.0);
        QVERIFY(checkLabels(*labels, 10).ok());
        QVERIFY(checkCounts(*images, *labels).ok());
    }
};

TW_REGISTER_TEST(TstDataIdx);
#include "tst_data_idx.moc"

// Pictures: PNG and JPEG files, and folders of them.
#include "engine/core/random.h"
#include "engine/data/data_source.h"
#include "engine/data/image.h"
#include "engine/data/preview.h"
#include "tests/engine/data/picture_files.h"
#include "tests/support/test_registry.h"

#include <QTemporaryDir>
#include <QtTest>

#include <algorithm>
#include <cmath>

using namespace tilewright;
using namespace tilewright::data;
using namespace tilewright::tests;

namespace {

namespace fs = std::filesystem;

std::vector<std::uint8_t> ramp(int height, int width, int channels)
{
    std::vector<std::uint8_t> pixels;
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x)
            for (int c = 0; c < channels; ++c) pixels.push_back(static_cast<std::uint8_t>(10 * y + 5 * x + 60 * c));
    return pixels;
}

/// All pixels of one value.
std::string plainPng(int side, std::uint8_t value, int channels = 1)
{
    return pngBytes(side, side, channels, std::vector<std::uint8_t>(static_cast<std::size_t>(side * side * channels), value));
}

struct Folder {
    QTemporaryDir dir;
    fs::path path = dir.path().toStdString();

    void add(std::string const &name, std::string const &content) const
    {
        fs::create_directories((path / name).parent_path());
        writeBytes(path / name, content);
    }
};

/// Two classes, "ant" with values 10, 11, 12 and "bee" with 20, 21, 22.
void addTwoClasses(Folder const &folder, std::string const &below = {})
{
    for (int i = 0; i < 3; ++i) {
        folder.add(below + "bee/" + std::to_string(i) + ".png", plainPng(4, static_cast<std::uint8_t>(20 + i)));
        folder.add(below + "ant/" + std::to_string(i) + ".PNG", plainPng(4, static_cast<std::uint8_t>(10 + i)));
    }
}

Result<Dataset> open(Folder const &folder, std::vector<Diagnostic> *warnings = nullptr, DataSourceSpec spec = {})
{
    DiagnosticSink sink;
    JobContext job;
    job.warnings = &sink;
    spec.path = folder.path.string();
    auto dataset = openDataset(spec, {}, job);
    if (warnings) *warnings = sink.all();
    return dataset;
}

} // namespace

class TstDataImages : public QObject {
    Q_OBJECT
private slots:
    void readsPngOfEachForm_data()
    {
        QTest::addColumn<int>("stored");
        for (int const channels : {1, 2, 3, 4}) QTest::newRow(std::to_string(channels).c_str()) << channels;
    }
    void readsPngOfEachForm()
    {
        QFETCH(int, stored);
        auto const pixels = ramp(3, 5, stored);
        auto const source = sourceOf(pngBytes(3, 5, stored, pixels), "a.png");
        auto const size = readImageSize(source);
        QVERIFY(size.ok());
        QCOMPARE(size->height, std::int64_t{3});
        QCOMPARE(size->width, std::int64_t{5});
        QCOMPARE(size->coloured, stored >= 3);
        for (int const channels : {1, 3}) {
            auto const image = decodeImage(source, channels);
            QVERIFY2(image.ok(), image.ok() ? "" : toText(image.error()).c_str());
            QCOMPARE(image->pixels.size(), static_cast<std::size_t>(15 * channels));
            for (std::size_t i = 0; i < 15; ++i) {
                auto const *from = &pixels[i * static_cast<std::size_t>(stored)];
                if (channels == 3) QVERIFY(std::equal(&image->pixels[3 * i], &image->pixels[3 * i] + (stored >= 3 ? 3 : 1), from));
                else if (stored < 3) QCOMPARE(image->pixels[i], from[0]);
                else QVERIFY(std::abs(image->pixels[i] - (0.299 * from[0] + 0.587 * from[1] + 0.114 * from[2])) < 0.51);
            }
        }
    }
    void readsJpegNearly()
    {
        for (int const channels : {1, 3})
            for (bool const progressive : {false, true}) {
                auto const pixels = ramp(9, 11, channels);
                auto const image = decodeImage(sourceOf(jpegBytes(9, 11, channels, pixels, progressive), "a.jpg"), channels);
                QVERIFY2(image.ok(), image.ok() ? "" : toText(image.error()).c_str());
                QCOMPARE(image->pixels.size(), pixels.size());
                for (std::size_t i = 0; i < pixels.size(); ++i) QVERIFY(std::abs(image->pixels[i] - pixels[i]) <= 6);
            }
    }
    /// The same places as tf.image.resize(…, "bilinear"): 0, 10, 20, 30 to eight values.
    void scalesBetweenTheCentresOfPixels()
    {
        Image const row{1, 4, 1, {0, 10, 20, 30}};
        auto const wide = resized(row, 1, 8);
        QCOMPARE(wide.pixels, (std::vector<std::uint8_t>{0, 3, 8, 13, 18, 23, 28, 30}));
        QCOMPARE(resized(row, 1, 2).pixels, (std::vector<std::uint8_t>{5, 25}));
        QCOMPARE(resized(Image{2, 1, 1, {0, 100}}, 3, 1).pixels, (std::vector<std::uint8_t>{0, 50, 100}));
    }
    void refusesDamagedPictures()
    {
        auto const png = pngBytes(8, 8, 3, ramp(8, 8, 3));
        auto const jpeg = jpegBytes(16, 16, 3, ramp(16, 16, 3));
        auto wrong = png;
        wrong[png.size() - 20] = static_cast<char>(wrong[png.size() - 20] ^ 1); // in the pixels: the checksum differs
        for (auto const &content :
             {png.substr(0, png.size() - 30), jpeg.substr(0, jpeg.size() * 2 / 3), wrong, std::string("GIF89a"), std::string()}) {
            auto const image = decodeImage(sourceOf(content, "some/name.png"), 3);
            QVERIFY(!image.ok());
            QCOMPARE(image.error().code, std::string("data.image"));
            QCOMPARE(image.error().subject, std::string("some/name.png"));
        }
        // A size that so few bytes cannot hold takes no memory.
        auto huge = png;
        huge.replace(16, 8, bigEndian(60000, 4) + bigEndian(60000, 4));
        auto const header = huge.substr(12, 17);
        huge.replace(29, 4, bigEndian(crc32(0, reinterpret_cast<Bytef const *>(header.data()), 17), 4));
        QVERIFY(tells(decodeImage(sourceOf(huge, "huge.png"), 3), {"cannot hold"}));
    }
    /// Damaged in any way: an error or a picture, and nothing else happens.
    void survivesRandomDamage()
    {
        RandomStream random(11);
        auto const valid = {pngBytes(8, 8, 4, ramp(8, 8, 4)), jpegBytes(16, 16, 3, ramp(16, 16, 3)),
                            jpegBytes(16, 16, 3, ramp(16, 16, 3), true)};
        for (auto const &content : valid)
            for (int i = 0; i < 2000; ++i) {
                auto damaged = content;
                for (auto times = 1 + random.below(4); times-- > 0;) {
                    auto const at = random.below(damaged.size());
                    if (random.below(8) == 0) damaged.resize(at + 1);
                    else damaged[at] = static_cast<char>(random.next());
                }
                auto const image = decodeImage(sourceOf(damaged, "damaged"), 3);
                if (image.ok()) QCOMPARE(image->pixels.size(), static_cast<std::size_t>(3 * image->height * image->width));
                else QVERIFY(image.error().kind == ErrorKind::Data);
            }
    }
    void aFolderForEachClassIsADataset()
    {
        Folder const folder;
        addTwoClasses(folder);
        folder.add("bee/notes.txt", "text");
        std::vector<Diagnostic> warnings;
        auto const dataset = open(folder, &warnings);
        QVERIFY2(dataset.ok(), dataset.ok() ? "" : toText(dataset.error()).c_str());
        QVERIFY((dataset->x.shape == Shape{6, 4, 4, 1}));
        QVERIFY(dataset->x.dtype == DType::U8);
        QCOMPARE(dataset->scale, 1.0 / 255);
        QVERIFY((dataset->classNames == std::vector<std::string>{"ant", "bee"}));
        // The classes take turns.
        QVERIFY(std::ranges::equal(dataset->y.as<std::int32_t>(), std::vector<std::int32_t>{0, 1, 0, 1, 0, 1}));
        for (int i = 0; i < 6; ++i) QCOMPARE(dataset->x.valueAt(16 * i), 10.0 + 10 * (i % 2) + i / 2);
        QCOMPARE(warnings.size(), std::size_t{1});
        QCOMPARE(warnings[0].code, std::string("data.images.others"));
        QCOMPARE(summarize(*dataset).first[1].label, std::string("bee"));
        DataSourceSpec spec;
        spec.limit = 2;
        spec.imageSize = {2, 3};
        spec.imageChannels = 3;
        auto const few = open(folder, nullptr, spec);
        QVERIFY((few->x.shape == Shape{2, 2, 3, 3}));
        QVERIFY(few->contentHash != dataset->contentHash);
    }
    void trainAndTestFoldersAreParts()
    {
        Folder const folder;
        addTwoClasses(folder, "train/");
        folder.add("test/bee/x.png", plainPng(4, 99));
        auto const dataset = open(folder);
        QVERIFY2(dataset.ok(), dataset.ok() ? "" : toText(dataset.error()).c_str());
        QCOMPARE(dataset->x.count(), std::int64_t{6});
        QVERIFY((dataset->testX.shape == Shape{1, 4, 4, 1}));
        QCOMPARE(dataset->testY.as<std::int32_t>()[0], 1);
        folder.add("test/cat/x.png", plainPng(4, 99));
        QVERIFY(tells(open(folder), {"'cat'", "ant, bee"}));
    }
    void picturesOfOtherSizesAreNamed()
    {
        Folder const folder;
        addTwoClasses(folder);
        folder.add("bee/large.png", plainPng(6, 1));
        QVERIFY(tells(open(folder), {"bee/large.png", "data.image_size"}));
        DataSourceSpec spec;
        spec.imageSize = {4, 4};
        QVERIFY(open(folder, nullptr, spec).ok());
    }
    void aDamagedPictureIsSkippedOnlyIfAsked()
    {
        Folder const folder;
        addTwoClasses(folder);
        folder.add("bee/cut.png", plainPng(4, 50).substr(0, 60));
        QVERIFY(tells(open(folder), {"bee/cut.png"}));
        DataSourceSpec spec;
        spec.damaged = "skip";
        std::vector<Diagnostic> warnings;
        auto const dataset = open(folder, &warnings, spec);
        QVERIFY2(dataset.ok(), dataset.ok() ? "" : toText(dataset.error()).c_str());
        QCOMPARE(dataset->x.count(), std::int64_t{6});
        QCOMPARE(std::ranges::count(dataset->y.as<std::int32_t>(), 1), std::ptrdiff_t{3});
        for (int i = 0; i < 6; ++i)
            QCOMPARE(dataset->x.valueAt(16 * i) >= 20, dataset->y.as<std::int32_t>()[static_cast<std::size_t>(i)] == 1);
        QCOMPARE(warnings.size(), std::size_t{1});
        QVERIFY(toText(warnings[0]).find("1 damaged") != std::string::npos && toText(warnings[0]).find("cut.png") != std::string::npos);
    }
    void validationFoldersHaveTheSameClasses()
    {
        Folder const folder;
        addTwoClasses(folder, "a/");
        addTwoClasses(folder, "b/");
        folder.add("c/bee/0.png", plainPng(4, 1));
        DataSourceSpec spec;
        spec.path = (folder.path / "a").string();
        spec.validationPath = (folder.path / "b").string();
        QCOMPARE(openDataset(spec, {}, {})->validationX.count(), std::int64_t{6});
        spec.validationPath = (folder.path / "c").string();
        QCOMPARE(codeOf(openDataset(spec, {}, {})), std::string("data.labels.validation"));
    }
};

TW_REGISTER_TEST(TstDataImages);
#include "tst_data_images.moc"

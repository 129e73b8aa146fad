#include "engine/data/data_counts.h"
#include "engine/data/data_source.h"
#include "engine/data/npy.h"
#include "engine/data/tensor_data.h"
#include "tests/engine/data/data_test_support.h"
#include "tests/support/test_registry.h"

#include <QTemporaryDir>
#include <QtTest>

#include <nlohmann/json.hpp>

#include <set>

using namespace tilewright;
using namespace tilewright::data;
using namespace tilewright::tests;

namespace {

namespace fs = std::filesystem;

std::string images(std::uint32_t count, std::uint32_t side = 2)
{
    return idxHeader(8, {count, side, side}) + std::string(count * side * side, '\x33');
}

std::string labels(std::string const &values) { return idxHeader(8, {static_cast<std::uint32_t>(values.size())}) + values; }

DataArray floats(Shape shape)
{
    std::vector<float> values(static_cast<std::size_t>(elementCount(shape)));
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i);
    return makeArray(std::move(shape), std::move(values));
}

DataArray classes(std::vector<std::int32_t> values)
{
    Shape const shape{static_cast<std::int64_t>(values.size())};
    return makeArray(shape, std::move(values));
}

} // namespace

class TstDataSource : public QObject {
    Q_OBJECT
    QTemporaryDir m_temporary;

    /// A new empty folder.
    fs::path folder()
    {
        static int number = 0;
        auto const path = fs::path(m_temporary.path().toStdString()) / ("set" + std::to_string(number++));
        fs::create_directory(path);
        return path;
    }
    static Result<Dataset> open(fs::path const &base, DataSourceSpec const &spec) { return openDataset(spec, base, {}); }

private slots:
    /// A lack of memory on the host is not an error of the data.
    void lackOfMemoryIsNotADataError()
    {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
        QSKIP("a sanitizer ends the program where new finds no memory");
#endif
        auto const memory = allocateBytes(std::int64_t{1} << 60, "set.npz");
        QVERIFY(!memory.ok());
        QCOMPARE(memory.error().code, std::string("data.memory"));
        QCOMPARE(memory.error().kind, ErrorKind::DoesNotFit);
    }
    void furtherInputsGoWithTheirSamples()
    {
        auto const base = folder();
        std::vector<NamedArray> const arrays{
            {"x", floats({6, 2})},      {"y", classes({0, 1, 2, 3, 4, 5})}, {"place", classes({10, 11, 12, 13, 14, 15})},
            {"x_test", floats({2, 2})}, {"y_test", classes({1, 2})},        {"place_test", classes({8, 9})},
            {"few", classes({1})}};
        QVERIFY(writeNpz(base / "set.npz", arrays, false, {}).ok());
        DataSourceSpec spec;
        spec.path = "set.npz";
        auto const without = open(base, spec);
        QVERIFY(without.ok());
        QVERIFY(without->x.beside.empty());
        spec.inputs["positions"] = "place";
        QCOMPARE(codeOf(open(base, spec)), std::string("data.field")); // nothing for the test samples
        spec.testInputs["positions"] = "place_test";
        spec.limit = 4;
        spec.validationSplit = 0.25;
        auto const set = open(base, spec);
        QVERIFY2(set.ok(), set.ok() ? "" : toText(set.error()).c_str());
        auto const places = [](DataArray const &samples) {
            auto const values = samples.forInput("positions").as<std::int32_t>();
            return std::vector<std::int32_t>(values.begin(), values.end());
        };
        QCOMPARE(places(set->x), (std::vector<std::int32_t>{10, 11, 12}));
        QCOMPARE(places(set->validationX), (std::vector<std::int32_t>{13}));
        QCOMPARE(places(set->testX), (std::vector<std::int32_t>{8, 9}));
        QVERIFY(&set->x.forInput("another") == &set->x);
        QVERIFY(set->contentHash != without->contentHash);
        auto other = spec;
        other.inputs["positions"] = "few";
        QCOMPARE(codeOf(open(base, other)), std::string("data.shape.count"));
        other.inputs["positions"] = "no such array";
        QCOMPARE(codeOf(open(base, other)), std::string("data.npz.name"));
        spec.labels["second"] = "place";
        QCOMPARE(codeOf(open(base, spec)), std::string("data.field")); // nothing for the test samples
        spec.testLabels["second"] = "place_test";
        auto const labelled = open(base, spec);
        QVERIFY2(labelled.ok(), labelled.ok() ? "" : toText(labelled.error()).c_str());
        QCOMPARE(labelled->y.forInput("second").as<std::int32_t>()[2], 12);
        QCOMPARE(labelled->validationY.forInput("second").as<std::int32_t>()[0], 13);
        QCOMPARE(labelled->testY.forInput("second").as<std::int32_t>()[1], 9);
        QVERIFY(&labelled->y.forInput("first") == &labelled->y);
        QVERIFY(labelled->contentHash != set->contentHash);
        spec.sampleWeight = "place"; // any numbers do
        auto const weighed = open(base, spec);
        QVERIFY2(weighed.ok(), weighed.ok() ? "" : toText(weighed.error()).c_str());
        QCOMPARE(weighed->y.forInput(std::string(kSampleWeights)).as<std::int32_t>()[1], 11);
        QVERIFY(weighed->contentHash != labelled->contentHash);
        other = spec;
        other.sampleWeight = "x";
        QCOMPARE(codeOf(open(base, other)), std::string("data.shape.weights"));
        other = spec;
        other.labels["second"] = "few";
        QCOMPARE(codeOf(open(base, other)), std::string("data.shape.count"));
        QCOMPARE(dataSourceFromJson(toJson(spec)).value(), spec);
        for (auto const *wrong : {R"({"inputs": ["place"]})", R"({"inputs": {"positions": 3}})", R"({"inputs": {"positions": ""}})"})
            QCOMPARE(codeOf(dataSourceFromJson(nlohmann::json::parse(wrong))), std::string("data.field"));
    }
    void validationSamplesHaveAFileOfTheirOwn()
    {
        auto const base = folder();
        DataSourceSpec spec;
        spec.path = "train.npz";
        spec.validationPath = "held.npz";
        spec.validationSplit = 0.5; // holds out nothing beside a file
        spec.labels["second"] = "more";
        std::vector<NamedArray> training{{"x", floats({6, 2})}, {"y", classes({0, 1, 2, 3, 4, 5})}, {"more", classes({9, 8, 7, 6, 5, 4})}};
        std::vector<NamedArray> held{{"x", floats({3, 2})}, {"y", classes({5, 4, 3})}, {"more", classes({1, 2, 3})}};
        auto const opened = [&]() -> Result<Dataset> {
            TW_TRY(writeNpz(base / "train.npz", training, false, {}));
            TW_TRY(writeNpz(base / "held.npz", held, false, {}));
            return open(base, spec);
        };
        auto const set = opened();
        QVERIFY2(set.ok(), set.ok() ? "" : toText(set.error()).c_str());
        QCOMPARE(set->x.count(), std::int64_t(6));
        QCOMPARE(set->validationX.count(), std::int64_t(3));
        QCOMPARE(set->validationY.as<std::int32_t>()[0], 5);
        QCOMPARE(set->validationY.forInput("second").as<std::int32_t>()[2], 3);
        QVERIFY(set->testX.empty());
        QVERIFY2(set->describe.text().find("3 validation samples of held") != std::string::npos, set->describe.text().c_str());
        QVERIFY(spec.validates());
        QCOMPARE(dataSourceFromJson(toJson(spec)).value(), spec);
        spec.limit = 2;
        QCOMPARE(open(base, spec)->validationX.count(), std::int64_t(2));
        spec.limit = 0;
        auto const before = set->contentHash;
        held[1].array = classes({5, 4, 4});
        QVERIFY(opened()->contentHash != before);
        // Weights of the training samples ask for none of the others.
        training.push_back({"w", floats({6})});
        spec.sampleWeight = "w";
        auto const weighed = opened();
        QVERIFY2(weighed.ok(), weighed.ok() ? "" : toText(weighed.error()).c_str());
        QVERIFY(weighed->y.hasOwn(std::string(kSampleWeights)) && !weighed->validationY.hasOwn(std::string(kSampleWeights)));
        // What does not fit the training samples.
        held[0].array = floats({3, 4});
        QVERIFY(tells(opened(), {"[4]", "[2]", "train.npz:x", "held.npz:x"}));
        QCOMPARE(codeOf(opened()), std::string("data.shape.validation"));
        held[0].array = floats({4, 2});
        QCOMPARE(codeOf(opened()), std::string("data.shape.count"));
        held[0].array = makeArray(Shape{3, 2}, std::vector<std::uint8_t>(6, 7));
        QCOMPARE(codeOf(opened()), std::string("data.type.validation"));
        held[0].array = floats({0, 2});
        QVERIFY(tells(opened(), {"no validation samples"}));
        held[0].array = floats({3, 2});
        held[2].array = makeArray(Shape{3, 2}, std::vector<std::int32_t>(6, 1));
        QCOMPARE(codeOf(opened()), std::string("data.shape.validation"));
        held.pop_back();
        QCOMPARE(codeOf(opened()), std::string("data.npz.name"));
        spec.labels.clear();
        held.pop_back();
        QVERIFY(tells(opened(), {"validation samples have no labels"}));
        spec.validationPath = "nothing.npz";
        spec.format = "npz";
        QVERIFY(tells(open(base, spec), {"nothing.npz", "data.validation_path"}));
        spec.format = "auto";
        spec.validationPath = "nothing";
        QVERIFY(tells(open(base, spec), {"data.validation_path"}));
    }
    /// The embedded digits are trained on, a file validates.
    void generatedSamplesAreValidatedWithAFile()
    {
        auto const base = folder();
        writeBytes(base / "train-images-idx3-ubyte", images(5, 28));
        writeBytes(base / "train-labels-idx1-ubyte", labels(std::string("\1\2\3\4\5", 5)));
        DataSourceSpec spec;
        spec.format = "digits";
        spec.limit = 20;
        spec.validationPath = ".";
        auto const set = open(base, spec);
        QVERIFY2(set.ok(), set.ok() ? "" : toText(set.error()).c_str());
        QCOMPARE(set->x.count(), std::int64_t(20));
        QCOMPARE(set->validationX.count(), std::int64_t(5));
        QVERIFY(!countsAtOnce(spec));
        QCOMPARE(*countData(spec, base, {}), (DataCounts{20, 5, 20, {28, 28}}));
    }
    void oneArrayOfSamplesFeedsOneInput()
    {
        auto const base = folder();
        writeBytes(base / "t.csv", "1,2,0\n3,4,1\n");
        DataSourceSpec spec;
        spec.path = "t.csv";
        spec.inputs["positions"] = "place";
        QCOMPARE(codeOf(open(base, spec)), std::string("data.field"));
        spec.path.clear();
        QCOMPARE(codeOf(open(base, spec)), std::string("data.field"));
    }
    void furtherInputsComeFromFilesOfAFolder()
    {
        auto const base = folder();
        auto const put = [&](char const *name, DataArray const &array) { return writeNpy(base / name, array).ok(); };
        QVERIFY(put("x.npy", floats({3, 2})) && put("y.npy", classes({0, 1, 2})) && put("place.npy", classes({7, 8, 9})));
        DataSourceSpec spec;
        spec.path = base.string();
        spec.inputs["positions"] = "place.npy";
        auto const set = open(base, spec);
        QVERIFY2(set.ok(), set.ok() ? "" : toText(set.error()).c_str());
        QCOMPARE(set->x.forInput("positions").valueAt(2), 9.0);
    }
    void generatesSequencesToSort()
    {
        DataSourceSpec spec;
        spec.format = "sorting";
        spec.inputs["places"] = "positions";
        spec.limit = 300;
        auto const set = open("/nowhere", spec);
        QVERIFY2(set.ok(), set.ok() ? "" : toText(set.error()).c_str());
        QCOMPARE(set->x.shape, (Shape{300, 16}));
        auto const x = set->x.as<std::int32_t>(), y = set->y.as<std::int32_t>(), places = set->x.forInput("places").as<std::int32_t>();
        std::set<std::int32_t> seen(x.begin(), x.end());
        QCOMPARE(seen.size(), std::size_t{16});
        QVERIFY(*seen.begin() == 0 && *seen.rbegin() == 15);
        for (std::size_t s = 0; s < 300; ++s) {
            std::vector<std::int32_t> sequence(x.begin() + static_cast<std::ptrdiff_t>(s * 16),
                                               x.begin() + static_cast<std::ptrdiff_t>(s * 16 + 16));
            std::ranges::sort(sequence);
            for (std::size_t i = 0; i < 16; ++i) {
                QCOMPARE(y[s * 16 + i], sequence[i]);
                QCOMPARE(places[s * 16 + i], static_cast<std::int32_t>(i));
            }
        }
        auto other = spec;
        other.limit = 20;
        auto const fewer = open("/nowhere", other);
        QVERIFY(std::ranges::equal(fewer->x.as<std::int32_t>(), x.first(320)));
        QVERIFY(!std::ranges::equal(set->testX.as<std::int32_t>(), x));
        other.seed = 2;
        QVERIFY(open("/nowhere", other)->contentHash != fewer->contentHash);
        other.inputs["places"] = "colours";
        QCOMPARE(codeOf(open("/nowhere", other)), std::string("data.field"));
    }
    void generatesDigitsWithoutAPath()
    {
        DataSourceSpec spec;
        spec.limit = 50;
        spec.seed = 9;
        auto const set = open("/nowhere", spec);
        QVERIFY(set.ok());
        QCOMPARE(set->name, std::string("digits"));
        QCOMPARE(set->x.count(), std::int64_t{50});
        QCOMPARE(set->testX.count(), std::int64_t{50});
        QCOMPARE(set->scale, 1.0 / 255);
    }
    void opensAFolderOfIdxFilesPlainOrGzipped()
    {
        for (bool const gzip : {false, true}) {
            auto const base = folder();
            fs::create_directory(base / "mnist");
            auto const put = [&](std::string const &name, std::string const &content) {
                writeBytes(base / "mnist" / (gzip ? name + ".gz" : name), gzip ? gzipped(content) : content);
            };
            put("train-images-idx3-ubyte", images(5));
            put("train-labels-idx1-ubyte", labels(std::string("\0\1\2\3\4", 5)));
            put("t10k-images-idx3-ubyte", images(2));
            put("t10k-labels-idx1-ubyte", labels("\1\1"));
            DataSourceSpec spec;
            spec.path = "mnist";
            auto const set = open(base, spec);
            QVERIFY(set.ok());
            QCOMPARE(set->name, std::string("mnist"));
            QVERIFY((set->x.shape == Shape{5, 2, 2}));
            QCOMPARE(set->y.valueAt(4), 4.0);
            QCOMPARE(set->testY.count(), std::int64_t{2});
            QCOMPARE(set->scale, 1.0 / 255);
            QVERIFY(set->describe.find("5 training and 2 test") != std::string::npos);
        }
    }
    void namesTheRecordOfALabelOutsideTheClasses()
    {
        auto const base = folder();
        writeBytes(base / "train-images-idx3-ubyte", images(4));
        writeBytes(base / "train-labels-idx1-ubyte", labels("\1\2\x0a\3"));
        DataSourceSpec spec;
        spec.path = ".";
        auto const set = open(base, spec);
        QVERIFY(set.ok());
        auto const status = checkLabels(set->y, 10);
        QCOMPARE(codeOf(status), std::string("data.labels.range"));
        QVERIFY(tells(status, {"train-labels-idx1-ubyte record 2 byte 10", "label 10", "0 to 9"}));
        QVERIFY(checkLabels(set->y, 11).ok());
    }
    void checksLabelsOfEveryType()
    {
        QVERIFY(checkLabels(classes({0, 1, 2}), 3).ok());
        QVERIFY(tells(checkLabels(classes({0, -1}), 3), {"record 1", "label -1"}));
        QVERIFY(checkLabels(makeArray(Shape{2, 1}, std::vector<float>{0, 2}), 3).ok());
        QVERIFY(tells(checkLabels(makeArray(Shape{2}, std::vector<float>{0, 0.5f}), 3), {"label 0.5"}));
        QCOMPARE(codeOf(checkLabels(floats({2, 3}), 3)), std::string("data.labels.shape"));
        QCOMPARE(codeOf(checkLabels({}, 3)), std::string("data.labels.shape"));
    }
    void keepsRecordNumbersOfTheFileInSlices()
    {
        auto const base = folder();
        writeBytes(base / "train-images-idx3-ubyte", images(8));
        writeBytes(base / "train-labels-idx1-ubyte", labels("\1\1\1\1\1\1\1\x63"));
        DataSourceSpec spec;
        spec.path = ".";
        spec.validationSplit = 0.25;
        auto const set = open(base, spec);
        QVERIFY(set.ok());
        QCOMPARE(set->x.count(), std::int64_t{6});
        QCOMPARE(set->validationX.count(), std::int64_t{2});
        QVERIFY(set->validationX.bytes.get() == set->x.bytes.get() + 6 * 4);
        QVERIFY(tells(checkLabels(set->validationY, 10), {"record 7 byte 15"}));
    }
    void opensArchivesUnderTheirUsualAndOtherNames()
    {
        auto const base = folder();
        std::vector<NamedArray> arrays{
            {"x_train", floats({4, 3})}, {"y_train", classes({0, 1, 0, 1})}, {"x_test", floats({2, 3})}, {"y_test", classes({1, 1})}};
        QVERIFY(writeNpz(base / "set.npz", arrays, true, {}).ok());
        DataSourceSpec spec;
        spec.path = "set.npz";
        auto const set = open(base, spec);
        QVERIFY(set.ok());
        QCOMPARE(set->scale, 1.0);
        QCOMPARE(set->testY.count(), std::int64_t{2});
        spec.x = "x_test";
        spec.y = "y_test";
        auto const other = open(base, spec);
        QVERIFY(other.ok());
        QCOMPARE(other->x.count(), std::int64_t{2});
        spec.x = "images";
        QCOMPARE(codeOf(open(base, spec)), std::string("data.npz.name"));
        std::vector<NamedArray> const unusual{{"a", floats({4, 3})}};
        QVERIFY(writeNpz(base / "odd.npz", unusual, false, {}).ok());
        DataSourceSpec odd;
        odd.path = (base / "odd.npz").string(); // absolute
        QVERIFY(tells(open("/", odd), {"It holds: a"}));
        odd.x = "a";
        auto const bare = open("/", odd);
        QVERIFY(bare.ok());
        QVERIFY(bare->y.empty());
    }
    void opensNpyPairs()
    {
        auto const base = folder();
        QVERIFY(writeNpy(base / "x_train.npy", floats({4, 3})).ok());
        QVERIFY(writeNpy(base / "y_train.npy", classes({0, 1, 0, 1})).ok());
        DataSourceSpec spec;
        spec.path = "x_train.npy";
        for (auto const *path : {"x_train.npy", "."}) {
            spec.path = path;
            auto const set = open(base, spec);
            QVERIFY(set.ok());
            QCOMPARE(set->y.count(), std::int64_t{4});
        }
        spec.y = "elsewhere.npy";
        QCOMPARE(codeOf(open(base, spec)), std::string("data.missing"));
    }
    void opensTablesWithATestTable()
    {
        auto const base = folder();
        writeBytes(base / "train.csv", "a,b,species\n1,2,0\n3,4,1\n");
        writeBytes(base / "test.csv", "a,b,species\n5,6,1\n");
        DataSourceSpec spec;
        spec.path = "train.csv";
        spec.labelColumn = "species";
        spec.testX = "test.csv";
        auto const set = open(base, spec);
        QVERIFY(set.ok());
        QVERIFY((set->x.shape == Shape{2, 2}));
        QCOMPARE(set->testY.valueAt(0), 1.0);
        QCOMPARE(set->scale, 1.0);
        spec.scale = 0.5;
        QCOMPARE(open(base, spec)->scale, 0.5);
    }
    void refusesCountsAndShapesThatDisagree()
    {
        auto const base = folder();
        std::vector<NamedArray> arrays{{"x", floats({4, 3})}, {"y", classes({0, 1, 0})}};
        DataSourceSpec spec;
        spec.path = "s.npz";
        auto const write = [&] { return writeNpz(base / "s.npz", arrays, false, {}).ok(); };
        QVERIFY(write());
        auto const set = open(base, spec);
        QCOMPARE(codeOf(set), std::string("data.shape.count"));
        QVERIFY(tells(set, {"4 samples", "3 labels", "s.npz:y"}));
        QVERIFY(set.error().kind == ErrorKind::Data);
        arrays = {{"x", floats({4, 3})}, {"x_test", floats({4, 2})}};
        QVERIFY(write());
        QCOMPARE(codeOf(open(base, spec)), std::string("data.shape.test"));
        arrays = {{"x", floats({0, 3})}};
        QVERIFY(write());
        QCOMPARE(codeOf(open(base, spec)), std::string("data.shape.empty"));
        arrays = {{"x", floats({3, 0})}};
        QVERIFY(write());
        QCOMPARE(codeOf(open(base, spec)), std::string("data.shape.empty"));
        arrays = {{"x", floats({})}};
        QVERIFY(write());
        QCOMPARE(codeOf(open(base, spec)), std::string("data.shape.empty"));
    }
    void namesMissingAndUnknownParts()
    {
        auto const base = folder();
        DataSourceSpec spec;
        spec.path = "nothing-here";
        QCOMPARE(codeOf(open(base, spec)), std::string("data.missing"));
        writeBytes(base / "file.bin", "x");
        spec.path = "file.bin";
        QCOMPARE(codeOf(open(base, spec)), std::string("data.format"));
        spec.format = "npz";
        QCOMPARE(codeOf(open(base, spec)), std::string("data.zip.directory"));
        spec.path = ".";
        spec.format = "idx";
        QCOMPARE(codeOf(open(base, spec)), std::string("data.missing"));
        spec.format = "nzp";
        QVERIFY(tells(open(base, spec), {"Did you mean 'npz'"}));
        spec = {};
        spec.validationSplit = 1;
        QCOMPARE(codeOf(open(base, spec)), std::string("data.field"));
        spec.validationSplit = 0.9;
        spec.limit = 3;
        QCOMPARE(codeOf(open(base, spec)), std::string("data.shape.empty"));
    }
    void hashesTheContent()
    {
        auto const base = folder();
        DataSourceSpec spec;
        spec.path = "a.npz";
        std::vector<NamedArray> arrays{{"x", floats({4, 3})}};
        QVERIFY(writeNpz(base / "a.npz", arrays, false, {}).ok());
        auto const stored = open(base, spec)->contentHash;
        QVERIFY(writeNpz(base / "a.npz", arrays, true, {}).ok());
        QCOMPARE(open(base, spec)->contentHash, stored);
        arrays[0].array.shape = {3, 4};
        QVERIFY(writeNpz(base / "a.npz", arrays, false, {}).ok());
        QVERIFY(open(base, spec)->contentHash != stored);
        std::vector<float> values(12, 0);
        std::set<std::uint64_t> seen;
        for (std::size_t i = 0; i < 12; ++i) { // one bit anywhere
            auto changed = values;
            changed[i] = 1;
            arrays[0].array = makeArray(Shape{4, 3}, changed);
            QVERIFY(writeNpz(base / "a.npz", arrays, false, {}).ok());
            seen.insert(open(base, spec)->contentHash);
        }
        QCOMPARE(seen.size(), std::size_t{12});
    }
    void specSurvivesJson()
    {
        DataSourceSpec spec;
        spec.path = "sets/täst.csv";
        spec.format = "csv";
        spec.x = "a";
        spec.y = "b";
        spec.testX = "c";
        spec.testY = "d";
        spec.labelColumn = "-1";
        spec.scale = 0.25;
        spec.validationPath = "e";
        spec.validationSplit = 0.125;
        spec.shuffle = false;
        spec.seed = 0xffffffffffffffffull;
        spec.limit = 77;
        auto const back = dataSourceFromJson(toJson(spec));
        QVERIFY(back.ok());
        QVERIFY(*back == spec);
        QVERIFY(*dataSourceFromJson(toJson(DataSourceSpec{})) == DataSourceSpec{});
        QVERIFY(*dataSourceFromJson(nlohmann::json::object()) == DataSourceSpec{});
        QCOMPARE(dataSourceFromJson(nlohmann::json{{"label_column", 3}})->labelColumn, std::string("3"));
    }
    void refusesWrongJson_data()
    {
        QTest::addColumn<QString>("json");
        QTest::addColumn<QString>("subject");
        QTest::newRow("list") << "[]"
                              << "data";
        QTest::newRow("unknown") << R"({"pth": ""})"
                                 << "data.pth";
        QTest::newRow("path") << R"({"path": 3})"
                              << "data.path";
        QTest::newRow("seed") << R"({"seed": -3})"
                              << "data.seed";
        QTest::newRow("fraction of seed") << R"({"seed": 1.5})"
                                          << "data.seed";
        QTest::newRow("split") << R"({"validation_split": 1.5})"
                               << "data.validation_split";
        QTest::newRow("shuffle") << R"({"shuffle": "yes"})"
                                 << "data.shuffle";
        QTest::newRow("limit") << R"({"limit": -1})"
                               << "data.limit";
        QTest::newRow("huge limit") << R"({"limit": 18446744073709551615})"
                                    << "data.limit";
        QTest::newRow("format") << R"({"format": "zip"})"
                                << "data.format";
        QTest::newRow("scale") << R"({"scale": "small"})"
                               << "data.scale";
    }
    void refusesWrongJson()
    {
        QFETCH(QString, json);
        QFETCH(QString, subject);
        auto const spec = dataSourceFromJson(nlohmann::json::parse(json.toStdString()));
        QCOMPARE(codeOf(spec), std::string("data.field"));
        QCOMPARE(spec.error().subject, subject.toStdString());
        QVERIFY(spec.error().kind == ErrorKind::Invalid);
    }
    void suggestsTheNearestField() { QVERIFY(tells(dataSourceFromJson(nlohmann::json{{"shufle", true}}), {"Did you mean 'shuffle'"})); }
    void opensTheRealMnist()
    {
        auto const shared = sharedFolder() / "data";
        if (!fs::exists(shared / "mnist")) QSKIP("skipped 1 folder: no MNIST beside the sources");
        DataSourceSpec spec;
        spec.path = "mnist";
        spec.limit = 1000;
        auto const set = open(shared, spec);
        QVERIFY(set.ok());
        QCOMPARE(set->name, std::string("mnist"));
        QCOMPARE(set->x.count(), std::int64_t{1000});
        QCOMPARE(set->testX.count(), std::int64_t{1000});
        QCOMPARE(set->y.valueAt(0), 5.0);
    }
};

TW_REGISTER_TEST(TstDataSource);
#include "tst_data_source.moc"

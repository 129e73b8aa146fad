#include "engine/core/limits.h"
#include "engine/core/random.h"
#include "engine/data/npy.h"
#include "engine/data/zip.h"
#include "tests/engine/data/data_test_support.h"
#include "tests/support/test_registry.h"

#include <QTemporaryDir>
#include <QtTest>

#include <cmath>

using namespace tilewright;
using namespace tilewright::data;
using namespace tilewright::tests;

namespace {

std::string fileText(std::filesystem::path const &path)
{
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

Result<DataArray> parse(std::string const &dictionary, std::string const &payload, int version = 1)
{
    return parseNpy(sourceOf(npyBytes(dictionary, payload, version)), {});
}

std::vector<NamedArray> someArrays()
{
    std::vector<float> weights;
    for (int i = 0; i < 700; ++i) weights.push_back(static_cast<float>(i % 13) * 0.25f);
    std::vector<NamedArray> all;
    all.push_back({"dense/kernel", makeArray(Shape{70, 10}, weights)});
    all.push_back({"labels", makeArray(Shape{3}, std::vector<std::int32_t>{5, -1, 2000000000})});
    all.push_back({"images", makeArray(Shape{1, 2, 2}, std::vector<std::uint8_t>{0, 128, 255, 7})});
    all.push_back({"empty", makeArray(Shape{0, 4}, std::vector<float>{})});
    all.push_back({"scalar", makeArray(Shape{}, std::vector<float>{2.5f})});
    return all;
}

bool same(DataArray const &a, DataArray const &b)
{
    return a.dtype == b.dtype && a.shape == b.shape
        && std::memcmp(a.bytes.get(), b.bytes.get(), static_cast<std::size_t>(a.totalBytes())) == 0;
}

} // namespace

class TstDataNpy : public QObject {
    Q_OBJECT
    QTemporaryDir m_folder;
    std::filesystem::path file(char const *name) const { return std::filesystem::path(m_folder.path().toStdString()) / name; }

private slots:
    void readsEveryVersion()
    {
        for (int const version : {1, 2, 3}) {
            auto const array = parse("{'descr': '<f4', 'fortran_order': False, 'shape': (2, 1), }\n", rawBytes<float>({1.5f, -2}), version);
            QVERIFY(array.ok());
            QVERIFY((array->shape == Shape{2, 1}));
            QCOMPARE(array->valueAt(1), -2.0);
        }
        QCOMPARE(codeOf(parse("{}", "", 4)), std::string("data.npy.header"));
    }
    void readsDictionariesAsOthersWriteThem()
    {
        QVERIFY(parse("{\"shape\":(3,),\"fortran_order\":False,\"descr\":\"|u1\"}", "abc").ok());
        QVERIFY(parse("{'descr':'<i4','fortran_order':True,'shape':(1L,)}   \n", rawBytes<std::int32_t>({4})).ok());
        auto const scalar = parse("{'descr': '<f4', 'fortran_order': False, 'shape': ()}", rawBytes<float>({4}));
        QVERIFY(scalar.ok());
        QVERIFY(scalar->shape.empty());
        QCOMPARE(scalar->elements(), std::int64_t{1});
    }
    void turnsFortranOrderIntoRows()
    {
        // Element (i, j, k) of shape (2, 3, 2) is stored at i + 2 j + 6 k; its value is 100 i + 10 j + k.
        std::string payload;
        for (int k = 0; k < 2; ++k)
            for (int j = 0; j < 3; ++j)
                for (int i = 0; i < 2; ++i) payload += rawBytes<std::int32_t>({100 * i + 10 * j + k});
        auto const array = parse("{'descr': '<i4', 'fortran_order': True, 'shape': (2, 3, 2)}", payload);
        QVERIFY(array.ok());
        std::size_t at = 0;
        for (int i = 0; i < 2; ++i)
            for (int j = 0; j < 3; ++j)
                for (int k = 0; k < 2; ++k) QCOMPARE(array->as<std::int32_t>()[at++], 100 * i + 10 * j + k);
        QVERIFY(!array->origin.byteOf(1));
    }
    void convertsTypesMissingOnTheDevice()
    {
        auto const longs = parse("{'descr': '<i8', 'fortran_order': False, 'shape': (2,)}", rawBytes<std::int64_t>({-7, 1 << 30}));
        QVERIFY(longs.ok());
        QVERIFY(longs->dtype == DType::I32);
        QCOMPARE(longs->valueAt(0), -7.0);
        QCOMPARE(longs->valueAt(1), double(1 << 30));
        auto const doubles = parse("{'descr': '>f8', 'fortran_order': False, 'shape': (1,)}", bigEndian(0x3fd5555555555555, 8));
        QVERIFY(doubles.ok());
        QCOMPARE(doubles->as<float>()[0], static_cast<float>(1.0 / 3));
        auto const halves =
            parse("{'descr': '<f2', 'fortran_order': False, 'shape': (4,)}", rawBytes<std::uint16_t>({0x3c00, 0xc100, 0x0001, 0x7c00}));
        QVERIFY(halves.ok());
        QVERIFY(halves->dtype == DType::F16);
        QCOMPARE(halves->valueAt(0), 1.0);
        QCOMPARE(halves->valueAt(1), -2.5);
        QCOMPARE(halves->valueAt(2), std::ldexp(1.0, -24));
        QVERIFY(std::isinf(halves->valueAt(3)));
        auto const flags = parse("{'descr': '|b1', 'fortran_order': False, 'shape': (2,)}", std::string("\0\1", 2));
        QVERIFY(flags.ok());
        QVERIFY(flags->dtype == DType::Bool);
        QCOMPARE(flags->valueAt(1), 1.0);
        auto const words = parse("{'descr': '<u2', 'fortran_order': False, 'shape': (1,)}", rawBytes<std::uint16_t>({65535}));
        QVERIFY(words.ok());
        QCOMPARE(words->as<std::int32_t>()[0], 65535);
    }
    void refusesNumbersThatDoNotFit()
    {
        auto const longs = parse("{'descr': '<i8', 'fortran_order': False, 'shape': (2, 2)}", rawBytes<std::int64_t>({0, 1, 2, 1ll << 40}));
        QCOMPARE(codeOf(longs), std::string("data.value"));
        QVERIFY(tells(longs, {"record 1", "1099511627776", "i32", "byte"}));
        QCOMPARE(codeOf(parse("{'descr': '<u4', 'fortran_order': False, 'shape': (1,)}", rawBytes<std::uint32_t>({0x80000000u}))),
                 std::string("data.value"));
        QCOMPARE(codeOf(parse("{'descr': '<f8', 'fortran_order': False, 'shape': (1,)}", rawBytes<double>({1e300}))),
                 std::string("data.value"));
    }
    void namesUnsupportedTypes()
    {
        auto const objects = parse("{'descr': '|O', 'fortran_order': False, 'shape': (1,)}", "x");
        QCOMPARE(codeOf(objects), std::string("data.npy.dtype"));
        QVERIFY(tells(objects, {"never loaded"}));
        QCOMPARE(codeOf(parse("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (1,)}", "xxxx")), std::string("data.npy.dtype"));
        QCOMPARE(codeOf(parse("{'descr': '<c8', 'fortran_order': False, 'shape': (1,)}", "xxxxxxxx")), std::string("data.npy.dtype"));
        QCOMPARE(codeOf(parse("{'descr': '<f1', 'fortran_order': False, 'shape': (1,)}", "x")), std::string("data.npy.dtype"));
    }
    void refusesDamagedHeaders_data()
    {
        QTest::addColumn<QString>("dictionary");
        QTest::addColumn<QString>("code");
        QTest::newRow("no brace") << "'descr'"
                                  << "data.npy.header";
        QTest::newRow("missing key") << "{'descr': '<f4', 'shape': (1,)}"
                                     << "data.npy.header";
        QTest::newRow("unknown key") << "{'descr': '<f4', 'fortran_order': False, 'shape': (1,), 'x': 1}"
                                     << "data.npy.header";
        QTest::newRow("key twice") << "{'descr': '<f4', 'descr': '<f4', 'fortran_order': False, 'shape': (1,)}"
                                   << "data.npy.header";
        QTest::newRow("negative") << "{'descr': '<f4', 'fortran_order': False, 'shape': (-1,)}"
                                  << "data.npy.header";
        QTest::newRow("open tuple") << "{'descr': '<f4', 'fortran_order': False, 'shape': (1,"
                                    << "data.npy.header";
        QTest::newRow("open quote") << "{'descr': '<f4"
                                    << "data.npy.header";
        QTest::newRow("after it") << "{'descr': '<f4', 'fortran_order': False, 'shape': (1,)} x"
                                  << "data.npy.header";
        QTest::newRow("overflow") << "{'descr': '<f4', 'fortran_order': False, 'shape': (4611686018427387904, 8)}"
                                  << "data.shape";
        QTest::newRow("hidden overflow") << "{'descr': '<f4', 'fortran_order': False, 'shape': (0, 4611686018427387904, 8)}"
                                         << "data.shape";
        QTest::newRow("extent overflow") << "{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999999999999,)}"
                                         << "data.npy.header";
    }
    void refusesDamagedHeaders()
    {
        QFETCH(QString, dictionary);
        QFETCH(QString, code);
        QCOMPARE(codeOf(parse(dictionary.toStdString(), rawBytes<float>({1}))), code.toStdString());
    }
    void namesRecordAndByteWhereTheFileEnds()
    {
        std::string const dictionary = "{'descr': '<f4', 'fortran_order': False, 'shape': (4, 2)}";
        auto const cut = parse(dictionary, std::string(19, 'x'));
        QCOMPARE(codeOf(cut), std::string("data.npy.truncated"));
        QVERIFY(tells(cut, {"record 2", "byte " + std::to_string(10 + dictionary.size() + 19), "32 bytes"}));
        QCOMPARE(codeOf(parse(dictionary, std::string(33, 'x'))), std::string("data.npy.trailing"));
        QCOMPARE(codeOf(parseNpy(sourceOf("\x93NUMP"), {})), std::string("data.npy.magic"));
        QCOMPARE(codeOf(parseNpy(sourceOf(std::string("\x93NUMPY\1\0\xff\xff{}", 12)), {})), std::string("data.npy.truncated"));
    }
    void writesTheHeaderThatNumpyWrites()
    {
        auto const array = makeArray(Shape{2, 3}, std::vector<float>(6, 1));
        auto const header = npyHeader(array);
        QCOMPARE(header.size() % 64, std::size_t{0});
        QVERIFY(header.find("{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }") == 10);
        QCOMPARE(header.back(), '\n');
        QVERIFY(npyHeader(makeArray(Shape{5}, std::vector<std::uint8_t>(5))).find("'|u1', 'fortran_order': False, 'shape': (5,), }")
                != std::string::npos);
    }
    void writtenFilesAreReadBack()
    {
        for (auto const &[name, array] : someArrays()) {
            QVERIFY(writeNpy(file("a.npy"), array).ok());
            auto const back = readNpy(file("a.npy"), {});
            QVERIFY(back.ok());
            QVERIFY(same(*back, array));
        }
        for (bool const deflate : {false, true}) {
            auto const arrays = someArrays();
            QVERIFY(writeNpz(file("a.npz"), arrays, deflate, {}).ok());
            auto const back = readNpz(file("a.npz"), {});
            QVERIFY(back.ok());
            QCOMPARE(back->size(), arrays.size());
            for (std::size_t i = 0; i < arrays.size(); ++i) {
                QCOMPARE((*back)[i].name, arrays[i].name);
                QVERIFY(same((*back)[i].array, arrays[i].array));
            }
        }
    }
    void writesTheSameBytesForTheSameArrays()
    {
        QVERIFY(writeNpz(file("one.npz"), someArrays(), true, {}).ok());
        QVERIFY(writeNpz(file("two.npz"), someArrays(), true, {}).ok());
        QCOMPARE(fileText(file("one.npz")), fileText(file("two.npz")));
        QVERIFY(fileText(file("one.npz")).size() > 100);
    }
    void mapsStoredArraysOfAnArchive()
    {
        QVERIFY(writeNpz(file("m.npz"), someArrays(), false, {}).ok());
        auto const archive = openSource(file("m.npz"));
        QVERIFY(archive.ok());
        auto const array = parseNpzArray(*archive, "dense/kernel", {});
        QVERIFY(array.ok());
        QVERIFY(array->bytes.get() >= archive->bytes.get() && array->bytes.get() < archive->bytes.get() + archive->size);
        QCOMPARE(array->origin.byteOf(0).value_or(-1), static_cast<std::int64_t>(array->bytes.get() - archive->bytes.get()));
        QCOMPARE(*array->origin.byteOf(0) % 64, std::int64_t{0});
        auto const missing = parseNpzArray(*archive, "kernel", {});
        QCOMPARE(codeOf(missing), std::string("data.npz.name"));
        QVERIFY(tells(missing, {"dense/kernel", "labels"}));
    }
    void readsAnArchiveWithZip64Fields()
    {
        std::string const first = npyHeader(makeArray(Shape{4}, std::vector<std::uint8_t>(4))) + "abcd",
                          second = npyHeader(makeArray(Shape{1}, std::vector<std::uint8_t>(1))) + "e";
        std::vector<ZipInput> const files{{"x.npy", {std::as_bytes(std::span(first))}}, {"y.npy", {std::as_bytes(std::span(second))}}};
        for (bool const deflate : {false, true}) {
            QVERIFY(writeZip(file("64.npz"), files, {.deflate = deflate, .forceZip64 = true}, {}).ok());
            auto const back = readNpz(file("64.npz"), {});
            QVERIFY(back.ok());
            QCOMPARE(back->size(), std::size_t{2});
            QCOMPARE((*back)[0].array.valueAt(3), double('d'));
            QCOMPARE((*back)[1].name, std::string("y"));
        }
    }
    void findsDamageByTheChecksum()
    {
        QVERIFY(writeNpz(file("d.npz"), someArrays(), false, {}).ok());
        auto text = fileText(file("d.npz"));
        auto const at = text.find("'shape': (70, 10)") + 200; // inside the data of the first array
        text[at] ^= 4;
        auto const broken = parseNpz(sourceOf(text), {});
        QCOMPARE(codeOf(broken), std::string("data.zip.entry"));
        QVERIFY(tells(broken, {"dense/kernel.npy", "CRC"}));
    }
    void refusesBrokenArchives()
    {
        QVERIFY(writeNpz(file("b.npz"), someArrays(), true, {}).ok());
        auto const text = fileText(file("b.npz"));
        for (auto const size : {std::size_t{0}, std::size_t{10}, text.size() / 2, text.size() - 1}) {
            auto const cut = parseNpz(sourceOf(text.substr(0, size), "cut.npz"), {});
            QCOMPARE(codeOf(cut), std::string("data.zip.directory"));
            QVERIFY(tells(cut, {"cut.npz byte " + std::to_string(size)}));
        }
        auto bomb = text; // declares 2 GiB for the first entry: refused before memory is taken
        auto const central = bomb.find("PK\x01\x02");
        bomb.replace(central + 24, 4, rawBytes<std::uint32_t>({0x7fffffffu}));
        auto const refused = parseNpz(sourceOf(bomb), {});
        QCOMPARE(codeOf(refused), std::string("data.zip.entry"));
        QVERIFY(tells(refused, {"2,147,483,647"}));
        auto overlapping = text; // two entries share one place
        auto const next = overlapping.find("PK\x01\x02", central + 4);
        overlapping.replace(next + 42, 4, overlapping.substr(central + 42, 4));
        QVERIFY(tells(parseNpz(sourceOf(overlapping), {}), {"overlap"}));
    }
    void refusesSmallArchivesThatUnpackToMuch()
    {
        // 100 MB of zeros in some 100 kB, and a limit below: the limit itself has the same effect at a gibibyte.
        std::vector<NamedArray> arrays;
        for (auto const *name : {"a", "b"}) arrays.push_back({name, makeArray(Shape{50'000'000}, std::vector<std::uint8_t>(50'000'000))});
        QVERIFY(writeNpz(file("bomb.npz"), arrays, true, {}).ok());
        QVERIFY(std::filesystem::file_size(file("bomb.npz")) < 200'000);
        QVERIFY(readNpz(file("bomb.npz"), {}).ok());
        QVERIFY(setLimit("inflated_bytes=90000000").ok());
        auto const refused = readNpz(file("bomb.npz"), {});
        auto const one = parseNpzArray(*openSource(file("bomb.npz")), "a", {});
        QVERIFY(setLimit("inflated_bytes=1073741824").ok());
        QCOMPARE(codeOf(refused), std::string("data.limit"));
        QVERIFY(tells(refused, {"bomb.npz", "100,000,", "90,000,000", "--limit inflated_bytes="}));
        QCOMPARE(codeOf(one), std::string("data.limit"));
        // Uncompressed members need no memory beyond the file.
        QVERIFY(setLimit("inflated_bytes=1000").ok());
        QVERIFY(writeNpz(file("plain.npz"), arrays, false, {}).ok());
        auto const plain = readNpz(file("plain.npz"), {});
        QVERIFY(setLimit("inflated_bytes=1073741824").ok());
        QVERIFY(plain.ok());
    }
    void refusesArraysOfTooManyElements()
    {
        auto const content = npyBytes("{'descr': '|u1', 'fortran_order': False, 'shape': (3, 5), }", std::string(15, 'x'));
        QVERIFY(parseNpy(sourceOf(content), {}).ok());
        QVERIFY(setLimit("elements=14").ok());
        auto const refused = parseNpy(sourceOf(content, "wide.npy"), {});
        QVERIFY(setLimit("elements=4294967296").ok());
        QCOMPARE(codeOf(refused), std::string("data.limit"));
        QVERIFY(tells(refused, {"wide.npy", "15 elements", "more than 14", "--limit elements="}));
    }
    void quotesLittleOfAStrangersNames()
    {
        auto arrays = someArrays();
        arrays[0].name = "\x1b[31m" + std::string(3000, 'n');
        QVERIFY(writeNpz(file("s.npz"), arrays, false, {}).ok());
        auto const missing = parseNpzArray(*openSource(file("s.npz")), "x", {});
        QVERIFY(!missing.ok());
        QVERIFY(missing.error().remedy.find('\x1b') == std::string::npos && missing.error().remedy.size() < 600);
    }
    void refusesAmbiguousNames()
    {
        auto arrays = someArrays();
        arrays[1].name = arrays[0].name;
        QCOMPARE(codeOf(writeNpz(file("n.npz"), arrays, false, {})), std::string("data.npz.name"));
    }
    void keepsRandomArrays()
    {
        for (std::uint64_t seed = 1; seed <= 30; ++seed) {
            RandomStream random(seed);
            Shape shape;
            for (auto rank = random.below(5); rank-- > 0;) shape.push_back(static_cast<std::int64_t>(random.below(6)));
            std::vector<float> values;
            for (std::int64_t i = 0; i < elementCount(shape); ++i) values.push_back(static_cast<float>(random.uniform()));
            std::vector<NamedArray> const arrays{{"a", makeArray(shape, values)}};
            QVERIFY(writeNpz(file("r.npz"), arrays, seed % 2 == 0, {}).ok());
            auto const back = readNpz(file("r.npz"), {});
            QVERIFY2(back.ok() && same(back->front().array, arrays[0].array), std::to_string(seed).c_str());
        }
    }
};

TW_REGISTER_TEST(TstDataNpy);
#include "tst_data_npy.moc"

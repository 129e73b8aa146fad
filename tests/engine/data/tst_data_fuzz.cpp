#include "engine/core/random.h"
#include "engine/data/npy.h"
#include "tests/engine/data/allocation_watch.h"
#include "tests/engine/data/data_test_support.h"
#include "tests/support/test_registry.h"

#include <QTemporaryDir>
#include <QtTest>

#include <algorithm>
#include <vector>

using namespace tilewright;
using namespace tilewright::data;
using namespace tilewright::tests;

// The entries of tests/fuzz, renamed by CMake so that all of them fit in one program.
extern "C" int fuzzIdx(std::uint8_t const *, std::size_t);
extern "C" int fuzzNpy(std::uint8_t const *, std::size_t);
extern "C" int fuzzNpz(std::uint8_t const *, std::size_t);
extern "C" int fuzzCsv(std::uint8_t const *, std::size_t);
extern "C" int fuzzImage(std::uint8_t const *, std::size_t);

namespace {

/// Runs all parsers on the bytes; true if none of them requested more memory at once than deflate can need.
bool feedAll(std::string const &content)
{
    auto const *const bytes = reinterpret_cast<std::uint8_t const *>(content.data());
    resetLargestAllocation();
    for (auto *const entry : {fuzzIdx, fuzzNpy, fuzzNpz, fuzzCsv, fuzzImage}) entry(bytes, content.size());
    auto const limit = content.size() * 1100 + (std::size_t{1} << 20);
    if (largestAllocation() <= limit) return true;
    qWarning("%zu bytes asked for, the input has %zu", largestAllocation(), content.size());
    return false;
}

std::string mutated(std::string content, RandomStream &random)
{
    constexpr std::uint8_t kTelling[] = {0, 1, 0x7f, 0x80, 0xff, 8, 'P', 'K', '(', ',', '"'};
    for (auto times = 1 + random.below(6); times-- > 0;) {
        auto const at = content.empty() ? 0 : random.below(content.size());
        switch (content.empty() ? 4 : random.below(6)) {
        case 0: content[at] = static_cast<char>(random.next()); break;
        case 1: content[at] = static_cast<char>(kTelling[random.below(std::size(kTelling))]); break;
        case 2: content.resize(at); break;
        case 3: content.erase(at, 1 + random.below(16)); break;
        case 4: content.insert(at, 1 + random.below(8), static_cast<char>(kTelling[random.below(std::size(kTelling))])); break;
        case 5: content.insert(at, content.substr(random.below(content.size()), random.below(64))); break;
        }
    }
    return content;
}

} // namespace

class TstDataFuzz : public QObject {
    Q_OBJECT
private slots:
    void seesLargeAllocations()
    {
        resetLargestAllocation();
        QVERIFY(allocateBytes(5000000, "test").ok());
        QVERIFY(largestAllocation() >= 5000000);
    }
    void survivesTheCorpus()
    {
        std::vector<std::filesystem::path> files;
        for (auto const &entry :
             std::filesystem::directory_iterator(std::filesystem::path(TILEWRIGHT_SOURCE_DIR) / "tests" / "corpus" / "data"))
            files.push_back(entry.path());
        std::sort(files.begin(), files.end());
        QVERIFY(files.size() >= 10);
        for (auto const &path : files) {
            std::ifstream in(path, std::ios::binary);
            QVERIFY2(feedAll({std::istreambuf_iterator<char>(in), {}}), path.c_str());
        }
    }
    void survivesEveryTruncationAndRandomDamage()
    {
        QTemporaryDir const folder;
        auto const path = std::filesystem::path(folder.path().toStdString()) / "a.npz";
        auto const fileOf = [&](bool deflate) {
            std::vector<NamedArray> const arrays{{"x", makeArray(Shape{6, 4}, std::vector<float>(24, 1.5f))},
                                                 {"y", makeArray(Shape{6}, std::vector<std::int32_t>{1, 2, 3, 4, 5, 6})}};
            if (!writeNpz(path, arrays, deflate, {}).ok()) return std::string();
            std::ifstream in(path, std::ios::binary);
            return std::string(std::istreambuf_iterator<char>(in), {});
        };
        auto const idx = idxHeader(8, {3, 4, 4}) + std::string(48, 'x');
        std::vector<std::string> const valid{
            idx,
            gzipped(idx),
            fileOf(false),
            fileOf(true),
            npyBytes("{'descr': '<f8', 'fortran_order': True, 'shape': (2, 2), }\n", rawBytes<double>({1, 2, 3, 4})),
            "a,\"b\",label\n1,2,0\n3.5,-4e-2,1\n"};
        constexpr std::uint64_t kSeed = 20240611;
        int const rounds = std::max(3000, qEnvironmentVariableIntValue("TILEWRIGHT_FUZZ_ROUNDS")); // more by hand
        qInfo("seed %llu", static_cast<unsigned long long>(kSeed));
        for (std::size_t file = 0; file < valid.size(); ++file) {
            QVERIFY(!valid[file].empty());
            for (std::size_t n = 0; n <= valid[file].size(); ++n) QVERIFY(feedAll(valid[file].substr(0, n)));
            RandomStream random(deriveSeed(kSeed, file));
            for (int round = 0; round < rounds; ++round)
                QVERIFY2(feedAll(mutated(valid[file], random)),
                         ("file " + std::to_string(file) + " round " + std::to_string(round)).c_str());
        }
    }
};

TW_REGISTER_TEST(TstDataFuzz);
#include "tst_data_fuzz.moc"

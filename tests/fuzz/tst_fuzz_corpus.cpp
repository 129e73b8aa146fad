#include "tests/support/test_registry.h"

#include <QtTest>

#include <filesystem>
#include <fstream>
#include <vector>

#define TW_FUZZ_ENTRY(name, folder) extern "C" int fuzz_##name(std::uint8_t const *, std::size_t);
#include "fuzz_entries.inc"
#undef TW_FUZZ_ENTRY

namespace fs = std::filesystem;

namespace {

struct Entry {
    char const *name, *folder; ///< in tests/corpus, "" without one
    int (*run)(std::uint8_t const *, std::size_t);
};
constexpr Entry kEntries[] = {
#define TW_FUZZ_ENTRY(name, folder) {#name, folder, fuzz_##name},
#include "fuzz_entries.inc"
#undef TW_FUZZ_ENTRY
};

std::vector<std::uint8_t> bytesOf(fs::path const &path)
{
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

} // namespace

/// Inputs kept by fuzzers and hand-damaged files are read or refused, without a crash or a broken invariant.
class TstFuzzCorpus : public QObject {
    Q_OBJECT
private slots:
    void replays_data()
    {
        QTest::addColumn<int>("entry");
        for (std::size_t i = 0; i < std::size(kEntries); ++i) QTest::newRow(kEntries[i].name) << static_cast<int>(i);
    }
    void replays()
    {
        QFETCH(int, entry);
        auto const &fuzzer = kEntries[entry];
        fs::path const corpus = TILEWRIGHT_SOURCE_DIR "/tests/corpus";
        std::vector<fs::path> folders{corpus / "fuzz" / fuzzer.name};
        QVERIFY2(fs::is_directory(folders.front()), folders.front().c_str());
        if (*fuzzer.folder) folders.push_back(corpus / fuzzer.folder);
        int files = 0;
        for (auto const &folder : folders) {
            for (auto const &file : fs::directory_iterator(folder)) {
                auto const bytes = bytesOf(file.path());
                QCOMPARE(fuzzer.run(bytes.data(), bytes.size()), 0);
                ++files;
            }
        }
        QVERIFY(files >= 3);
    }
};

TW_REGISTER_TEST(TstFuzzCorpus);
#include "tst_fuzz_corpus.moc"

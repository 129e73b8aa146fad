#include "engine/core/files.h"
#include "engine/core/random.h"
#include "engine/executable/blob.h"
#include "tests/support/test_registry.h"

#include <QTemporaryDir>
#include <QtTest>

#include <cstring>
#include <filesystem>

using namespace tilewright;
using namespace tilewright::executable;

class TstBlob : public QObject {
    Q_OBJECT

    static std::span<std::byte const> bytesOf(std::string const &text) { return std::as_bytes(std::span(text)); }
    static std::string textOf(std::span<std::byte const> bytes) { return {reinterpret_cast<char const *>(bytes.data()), bytes.size()}; }
    static std::string sample()
    {
        std::string const payload = "payload of the executable";
        return makeBlobHeader("0.1.0", "graph=12\ntarget=gc200\n", bytesOf(payload)) + payload;
    }
    /// The code of the error, "" when the bytes open.
    static std::string codeOf(QTemporaryDir const &dir, std::string const &bytes)
    {
        auto const path = dir.path().toStdString() + "/x.twexe";
        if (!writeFileAtomically(path, bytes).ok()) qFatal("write");
        auto const blob = StoredBlob::open(path);
        return blob.ok() ? "" : blob.error().code;
    }

private slots:
    void writtenFilesReadBack()
    {
        QTemporaryDir dir;
        auto const path = dir.path().toStdString() + "/a.twexe";
        for (std::size_t size : {0u, 1u, 63u, 64u, 100000u}) {
            std::string payload(size, 'x');
            for (std::size_t i = 0; i < size; ++i) payload[i] = static_cast<char>(randomBits(size, i));
            std::string const key(size % 777, 'k');
            QVERIFY(writeBlob(path, "9.8.7", key, bytesOf(payload)).ok());
            auto const blob = StoredBlob::open(path);
            QVERIFY(blob.ok());
            QCOMPARE(textOf(blob->payload()), payload);
            QCOMPARE(blob->header().writer, std::string("9.8.7"));
            QCOMPARE(blob->header().key, key);
            QCOMPARE(reinterpret_cast<std::uintptr_t>(blob->payload().data()) % 64, std::uintptr_t(0));
        }
    }
    void thePayloadOutlivesTheFile()
    {
        QTemporaryDir dir;
        auto const path = dir.path().toStdString() + "/a.twexe";
        std::string const payload(100000, 'p');
        QVERIFY(writeBlob(path, "1", "k", bytesOf(payload)).ok());
        auto const blob = StoredBlob::open(path);
        QVERIFY(writeBlob(path, "1", "k", bytesOf(std::string(10, 'q'))).ok());
        std::filesystem::remove(path);
        QCOMPARE(textOf(blob->payload()), payload);
    }
    void anyFlippedByteIsNoticed()
    {
        QTemporaryDir dir;
        auto const good = sample();
        QCOMPARE(codeOf(dir, good), std::string());
        for (std::size_t i = 0; i < good.size(); ++i) {
            auto bad = good;
            bad[i] = static_cast<char>(bad[i] ^ (1 << (i % 8)));
            QVERIFY2(!codeOf(dir, bad).empty(), std::to_string(i).c_str());
        }
    }
    void anyTruncationIsNoticed()
    {
        QTemporaryDir dir;
        auto const good = sample();
        for (std::size_t size = 0; size < good.size(); ++size)
            QVERIFY2(!codeOf(dir, good.substr(0, size)).empty(), std::to_string(size).c_str());
        QCOMPARE(codeOf(dir, good + "x"), std::string("blob.damaged"));
    }
    void randomBytesNeverOpen()
    {
        QTemporaryDir dir;
        auto const good = sample();
        for (std::uint64_t round = 0; round < 300; ++round) {
            RandomStream random(20240501 + round);
            auto bad = good;
            // The magic stays, so that the following lengths are read.
            for (int n = 0; n < 8; ++n) bad[8 + random.below(48)] = static_cast<char>(random.next());
            if (bad == good) continue;
            QVERIFY2(!codeOf(dir, bad).empty(), std::to_string(20240501 + round).c_str());
        }
    }
    void aNewerFormatIsRefusedPolitely()
    {
        QTemporaryDir dir;
        auto bytes = sample();
        bytes[8] = 2;
        QCOMPARE(codeOf(dir, bytes), std::string("blob.newer"));
        auto const error = parseBlobHeader(bytesOf(bytes), bytes.size(), "f").error();
        QVERIFY(error.message.find("newer version") != std::string::npos);
        QCOMPARE(error.subject, std::string("f"));
    }
    void theCorpusIsReplayed()
    {
        // good-* open; all others are refused with the code before the first dot.
        std::filesystem::path const folder = TILEWRIGHT_SOURCE_DIR "/tests/corpus/executable";
        int seen = 0;
        for (auto const &file : std::filesystem::directory_iterator(folder)) {
            auto const name = file.path().filename().string();
            if (file.path().extension() != ".twexe") continue;
            ++seen;
            auto const blob = StoredBlob::open(file.path());
            auto const code = blob.ok() ? std::string("good") : blob.error().code.substr(5);
            QVERIFY2(name.starts_with(code + "."), (name + " gives " + code).c_str());
        }
        QVERIFY(seen >= 8);
    }
    void aMissingFileAndAFolderAreErrors()
    {
        QTemporaryDir dir;
        QCOMPARE(StoredBlob::open(dir.path().toStdString()).error().code, std::string("file.read"));
        QCOMPARE(StoredBlob::open(dir.path().toStdString() + "/no").error().code, std::string("file.read"));
        QCOMPARE(writeBlob(dir.path().toStdString() + "/no/a.twexe", "1", "k", {}).error().code, std::string("file.write"));
    }
    void hashesAreTheLibrarysAndReadBack()
    {
        // XXH3-128 of nothing with seed 0, as the xxHash specification gives it.
        QCOMPARE(toText(contentHash(std::string_view())), std::string("99aa06d3014798d86001c324468d497f"));
        auto const hash = contentHash(std::string_view("tilewright"));
        QVERIFY(parseHash(toText(hash)) == hash);
        QVERIFY(!parseHash("99aa06d3014798d86001c324468d497"));
        QVERIFY(!parseHash("99aa06d3014798d86001c324468d497G"));
    }
    void fiveMegabytesOpenInMilliseconds()
    {
        QTemporaryDir dir;
        auto const path = dir.path().toStdString() + "/a.twexe";
        std::string payload(5'000'000, '\0');
        for (std::size_t i = 0; i + 8 <= payload.size(); i += 8) {
            auto const bits = randomBits(1, i);
            std::memcpy(payload.data() + i, &bits, 8);
        }
        QVERIFY(writeBlob(path, "1", "k", bytesOf(payload)).ok());
        QElapsedTimer timer;
        timer.start();
        int constexpr kRounds = 20;
        for (int i = 0; i < kRounds; ++i) QVERIFY(StoredBlob::open(path).ok());
        // Measured about 1 ms; the bound is wide for sanitizers and loaded machines.
        QVERIFY2(timer.elapsed() < kRounds * 200, std::to_string(timer.elapsed()).c_str());
        qInfo("5 MB opened and checked in %.2f ms", static_cast<double>(timer.nsecsElapsed()) / 1e6 / kRounds);
    }
};

TW_REGISTER_TEST(TstBlob);
#include "tst_blob.moc"

// Conversions between float16 and float32 in runs, and the wide copies that kernels of float32 compute on.
#include "engine/kernels/half.h"
#include "engine/kernels/half_storage.h"
#include "tests/support/test_registry.h"

#include <QtTest>

#include <bit>
#include <cstdint>
#include <set>
#include <vector>

using namespace tilewright;
using namespace tilewright::kernels;

class TstHalfStorage : public QObject {
    Q_OBJECT
private slots:
    /// However a run is cut, each element is what it is alone.
    void runsConvertAsSingleElementsDo()
    {
        std::vector<std::uint16_t> halves(65536), back(65536);
        for (std::size_t i = 0; i < halves.size(); ++i) halves[i] = static_cast<std::uint16_t>(i);
        for (std::int64_t const piece : {std::int64_t(65536), std::int64_t(8), std::int64_t(7), std::int64_t(1)}) {
            std::vector<float> floats(65536, -1.0f);
            for (std::int64_t at = 0; at < 65536; at += piece)
                widenHalves(halves.data() + at, std::min<std::int64_t>(piece, 65536 - at), floats.data() + at);
            for (std::size_t i = 0; i < halves.size(); ++i)
                QCOMPARE(std::bit_cast<std::uint32_t>(floats[i]), std::bit_cast<std::uint32_t>(halfToFloat(halves[i])));
            for (std::int64_t at = 0; at < 65536; at += piece)
                narrowFloats(floats.data() + at, std::min<std::int64_t>(piece, 65536 - at), back.data() + at);
            for (std::size_t i = 0; i < halves.size(); ++i) QCOMPARE(back[i], floatToHalf(floats[i]));
        }
        // Every exponent, with mantissas about the places where rounding turns.
        std::vector<float> floats;
        for (std::uint32_t exponent = 0; exponent < 256; ++exponent)
            for (std::uint32_t const mantissa :
                 {0x0u, 0x1u, 0xFFFu, 0x1000u, 0x1001u, 0x2FFFu, 0x3000u, 0x3001u, 0x400000u, 0x7FEFFFu, 0x7FFFFFu})
                for (std::uint32_t const sign : {0x0u, 0x80000000u})
                    floats.push_back(std::bit_cast<float>(sign | exponent << 23 | mantissa));
        std::vector<std::uint16_t> narrow(floats.size());
        narrowFloats(floats.data(), static_cast<std::int64_t>(floats.size()), narrow.data());
        for (std::size_t i = 0; i < floats.size(); ++i) QCOMPARE(narrow[i], floatToHalf(floats[i]));
    }
    void kernelsShareWideCopiesInAScope()
    {
        QVERIFY(!SharedWideCopies::current());
        {
            SharedWideCopies copies;
            QCOMPARE(SharedWideCopies::current(), &copies);
            SharedWideCopies::Taken first, second;
            auto const a = copies.take(1000, first), b = copies.take(900, first), other = copies.take(10, first);
            QCOMPARE((std::set<float *>{a.get(), b.get(), other.get()}).size(), std::size_t(3)); // one kernel never shares with itself
            QCOMPARE(copies.take(1024, second), a);
            QCOMPARE(copies.take(513, second), b);
            QVERIFY(copies.take(1025, second) != a);
        }
        QVERIFY(!SharedWideCopies::current());
    }
    void bytesOfSharedCopiesAreThoseOfTheLargestUser()
    {
        WideCopiesBytes bytes;
        bytes.addKernel({4 * 1000, 4 * 1024, 0});
        bytes.addKernel({4 * 700});
        bytes.addKernel({4 * 10});
        QCOMPARE(bytes.total(), Bytes(2 * 4 * 1024 + 4 * 16));
    }
};

TW_REGISTER_TEST(TstHalfStorage);
#include "tst_half_storage.moc"

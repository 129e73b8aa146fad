#include "engine/data/npy.h"
#include "engine/data/source.h"
#include "engine/runtime/infeed.h"
#include "tests/support/test_registry.h"

#include <QTemporaryDir>
#include <QtTest>

#include <numeric>

#include <unistd.h>

using namespace tilewright;

/// A data file that goes away while a run reads it ends the run with an error.
class TstInfeedFaults : public QObject {
    Q_OBJECT
    QTemporaryDir m_dir;
private slots:
    void aShortenedFileIsAnError_data()
    {
        QTest::addColumn<int>("depth");
        QTest::newRow("gathered when asked for") << 0;
        QTest::newRow("gathered ahead") << 3;
    }
    void aShortenedFileIsAnError()
    {
        QFETCH(int, depth);
        constexpr std::int64_t kSamples = 4000, kBatch = 40, kWidth = 64;
        auto const path = m_dir.path().toStdString() + "/x.npy";
        QVERIFY(data::writeNpy(path, data::makeArray<float>({kSamples, kWidth}, std::vector<float>(kSamples * kWidth, 2.0f))).ok());
        auto const source = data::openSource(path, 0); // mapped, as files are that are too large to be copied
        auto const x = data::parseNpy(*source, {});
        auto const y = data::makeArray<std::int32_t>({kSamples}, std::vector<std::int32_t>(kSamples, 1));
        QVERIFY(x.ok());
        runtime::Infeed infeed(*x, y, 1.0f, {{"x", {kBatch, kWidth}, DType::F32}, {"y", {kBatch}, DType::I32}}, kBatch, 1,
                               static_cast<std::size_t>(depth));
        std::vector<std::uint32_t> order(kSamples);
        std::iota(order.begin(), order.end(), 0u);
        infeed.begin(order, 0, kSamples / kBatch);
        std::vector<float> batch(kBatch * kWidth);
        QVERIFY(infeed.next(0, 0, reinterpret_cast<std::byte *>(batch.data()), batch.size() * sizeof(float)).ok());
        QCOMPARE(batch.back(), 2.0f);
        QCOMPARE(::truncate(path.c_str(), 1000), 0);
        Status status;
        for (int i = 1; status.ok() && i < kSamples / kBatch; ++i) {
            status = infeed.next(0, 0, reinterpret_cast<std::byte *>(batch.data()), batch.size() * sizeof(float));
            // Batches gathered before the change of the file are correct; zeros never get through.
            if (status.ok()) QCOMPARE(batch.back(), 2.0f);
        }
        QVERIFY(!status.ok());
        QCOMPARE(status.error().code, std::string("data.changed"));
        QVERIFY(status.error().kind == ErrorKind::Data);
    }
};

TW_REGISTER_TEST(TstInfeedFaults);
#include "tst_infeed_faults.moc"

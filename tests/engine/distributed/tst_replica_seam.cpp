#include "engine/core/random.h"
#include "engine/distributed/thread_link.h"
#include "engine/kernels/rounding.h"
#include "engine/runtime/replica_seam.h"
#include "engine/runtime/replica_sums.h"
#include "tests/support/test_registry.h"

#include <QtTest>

#include <thread>

using namespace tilewright;
using runtime::ReplicaSeam;

namespace {

/// Runs the body on a thread for each worker.
template <typename Body> void onWorkers(int workers, int replicas, Body const &body)
{
    auto links = distributed::threadLinks(workers);
    std::vector<std::thread> threads;
    for (auto &link : links)
        threads.emplace_back([&] {
            ReplicaSeam seam(*link, replicas, {});
            body(seam);
            link.reset();
        });
    for (auto &thread : threads) thread.join();
}

struct Tensors {
    std::vector<std::vector<std::vector<std::byte>>> bytes; ///< [tensor][replica]
    std::vector<DType> dtypes;
    std::vector<std::int64_t> elements;

    std::vector<std::vector<kernels::HostTensor>> of(int first, int count)
    {
        std::vector<std::vector<kernels::HostTensor>> all(bytes.size());
        for (std::size_t t = 0; t < bytes.size(); ++t)
            for (int r = first; r < first + count; ++r)
                all[t].push_back({dtypes[t], {elements[t]}, bytes[t][static_cast<std::size_t>(r)].data()});
        return all;
    }
};

/// Values of very different size, so that another order of the sums gives other bits.
Tensors drawn(int replicas)
{
    Tensors tensors;
    tensors.dtypes = {DType::F32, DType::F16, DType::F32, DType::F32};
    tensors.elements = {1000, 77, 1, 3};
    RandomStream random(7);
    for (std::size_t t = 0; t < tensors.dtypes.size(); ++t)
        for (auto &replica : tensors.bytes.emplace_back(static_cast<std::size_t>(replicas))) {
            std::vector<float> values(static_cast<std::size_t>(tensors.elements[t]));
            for (auto &value : values)
                value = static_cast<float>(random.uniform() - 0.5) * std::ldexp(1.0f, static_cast<int>(random.below(12)));
            replica.resize(values.size() * static_cast<std::size_t>(sizeOf(tensors.dtypes[t])));
            if (tensors.dtypes[t] == DType::F32) std::memcpy(replica.data(), values.data(), replica.size());
            else
                kernels::narrow(values.data(), static_cast<std::int64_t>(values.size()), reinterpret_cast<std::uint16_t *>(replica.data()));
        }
    return tensors;
}

} // namespace

class TstReplicaSeam : public QObject {
    Q_OBJECT
private slots:
    void sumsAreThoseOfOneProcessForEveryNumberOfWorkers_data()
    {
        QTest::addColumn<int>("workers");
        for (int const workers : {1, 2, 3, 4, 6, 12}) QTest::addRow("%d workers", workers) << workers;
    }
    void sumsAreThoseOfOneProcessForEveryNumberOfWorkers()
    {
        QFETCH(int, workers);
        constexpr int kReplicas = 12;
        auto expected = drawn(kReplicas), summed = expected;
        for (auto const &copies : expected.of(0, kReplicas)) runtime::sumReplicas(copies);
        onWorkers(workers, kReplicas, [&](ReplicaSeam &seam) {
            auto const own = summed.of(seam.first(), seam.count());
            if (!seam.reduce(own).ok()) qFatal("the reduction failed");
        });
        for (std::size_t t = 0; t < expected.bytes.size(); ++t)
            for (auto const &replica : summed.bytes[t]) QVERIFY(replica == expected.bytes[t][0]);
    }
    void allWorkersSeeAllBytesInOrder()
    {
        std::atomic<int> right = 0;
        onWorkers(3, 6, [&](ReplicaSeam &seam) {
            for (int round = 0; round < 200; ++round) {
                std::vector<std::byte> const mine(5, static_cast<std::byte>(10 * seam.worker() + round % 10));
                auto const all = seam.exchange(mine).value();
                bool good = all.size() == 15 && seam.agree(seam.worker() * round).value() == 2 * round;
                for (std::size_t i = 0; i < all.size(); ++i)
                    good = good && static_cast<std::size_t>(all[i]) == 10 * (i / 5) + static_cast<std::size_t>(round % 10);
                std::vector<std::byte> first(4, static_cast<std::byte>(seam.worker() + 1));
                good = good && seam.broadcast(first).ok() && first[3] == std::byte{1};
                right += good;
            }
        });
        QCOMPARE(right.load(), 600);
    }
    void workersOwnTheReplicasInOrder()
    {
        std::array<std::atomic<int>, 6> owners{};
        onWorkers(3, 6, [&](ReplicaSeam &seam) {
            for (int r = seam.first(); r < seam.first() + seam.count(); ++r) owners[static_cast<std::size_t>(r)] = 1 + seam.worker();
        });
        for (std::size_t r = 0; r < owners.size(); ++r) QCOMPARE(owners[r].load(), static_cast<int>(r) / 2 + 1);
    }
    void aLostWorkerFailsTheOthers()
    {
        std::atomic<int> lost = 0;
        onWorkers(3, 3, [&](ReplicaSeam &seam) {
            if (!seam.agree(0).ok()) qFatal("nobody is lost yet");
            if (seam.worker() == 1) return; // its link is destroyed without an end
            auto const agreed = seam.agree(0);
            lost += !agreed.ok() && agreed.error().code == runtime::kWorkerLost && !seam.agree(0).ok();
        });
        QCOMPARE(lost.load(), 2);
    }
    void theCostOfTheSumsIsCounted()
    {
        auto tensors = drawn(4);
        onWorkers(2, 4, [&](ReplicaSeam &seam) {
            auto const own = tensors.of(seam.first(), seam.count());
            for (int i = 0; i < 3; ++i) (void)seam.reduce(own).ok();
            // float32: 1,004 elements; half of two replicas and half of the sum. float16: 77, halves of 39.
            if (seam.cost().reductions != 3 || seam.cost().bytes != 3 * (3 * 502 * 4 + 3 * 39 * 2)) qFatal("another cost");
        });
    }
};

TW_REGISTER_TEST(TstReplicaSeam);
#include "tst_replica_seam.moc"

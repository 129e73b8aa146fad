#include "engine/runtime/replica_seam.h"

#include "engine/core/parallel.h"
#include "engine/runtime/replica_sums.h"

#include <algorithm>
#include <chrono>
#include <cstring>

namespace tilewright::runtime {

using kernels::HostTensor;

namespace {

/// Calls `visit` with the runs of a tensor that lie in one part: the part, the element within it, the element of the tensor, and their
/// number. `at`: place of the tensor in the concatenation of all.
template <typename Visit> void forEachRun(std::int64_t at, std::int64_t elements, std::int64_t chunk, Visit const &visit)
{
    for (std::int64_t done = 0; done < elements;) {
        std::int64_t const place = at + done, run = std::min(elements - done, chunk - place % chunk);
        visit(place / chunk, place % chunk, done, run);
        done += run;
    }
}

} // namespace

Diagnostic workerLost()
{
    return makeError(ErrorKind::Device, std::string(kWorkerLost), "training", Message::of("a worker of the run is lost."),
                     Message::of("Train again with --resume to continue from the last checkpoint."));
}

ReplicaSeam::ReplicaSeam(WorkerLink &link, int replicas, std::stop_token stop)
    : m_link(link), m_worker(link.worker()), m_workers(link.workers()), m_count(replicas / link.workers())
{
    TW_CHECK(m_count * m_workers == replicas, "workers that do not divide the replicas");
    m_link.watch(std::move(stop));
}

/// Each worker sums a part of all elements over all replicas, then all workers get all parts. So each element is sent twice, whatever the
/// number of workers, and its addends are in the order of the replicas.
Status ReplicaSeam::reduce(std::span<std::vector<HostTensor> const> all)
{
    auto const start = std::chrono::steady_clock::now();
    DenormalGuard const guard;
    for (DType const dtype : {DType::F32, DType::F16}) {
        std::vector<std::vector<HostTensor> const *> tensors;
        std::int64_t elements = 0;
        for (auto const &copies : all)
            if (copies[0].dtype == dtype) {
                tensors.push_back(&copies);
                elements += copies[0].elements();
            }
        if (elements == 0) continue;
        auto const size = static_cast<std::int64_t>(sizeOf(dtype));
        std::int64_t const chunk = ceilDiv(elements, m_workers);
        auto const replicaPart = static_cast<std::size_t>(chunk * size), part = replicaPart * static_cast<std::size_t>(m_count);
        m_parts.assign(part * static_cast<std::size_t>(m_workers), {});
        m_received.resize(m_parts.size());
        std::int64_t at = 0;
        for (auto const *copies : tensors) {
            for (int r = 0; r < m_count; ++r)
                forEachRun(at, (*copies)[0].elements(), chunk,
                           [&](std::int64_t to, std::int64_t offset, std::int64_t from, std::int64_t n) {
                               std::memcpy(m_parts.data() + ((to * m_count + r) * chunk + offset) * size,
                                           (*copies)[static_cast<std::size_t>(r)].data + from * size, static_cast<std::size_t>(n * size));
                           });
            at += (*copies)[0].elements();
        }
        if (!m_link.transpose(m_parts.data(), part, m_received.data())) return workerLost();
        std::vector<HostTensor> copies;
        for (std::size_t r = 0; r < static_cast<std::size_t>(m_count * m_workers); ++r)
            copies.push_back({dtype, {chunk}, m_received.data() + r * replicaPart});
        sumReplicas(copies);
        if (!m_link.gather(m_received.data(), replicaPart, m_parts.data())) return workerLost();
        at = 0;
        for (auto const *tensor : tensors) {
            for (auto const &copy : *tensor)
                std::memcpy(copy.data, m_parts.data() + at * size, static_cast<std::size_t>(copy.elements() * size));
            at += (*tensor)[0].elements();
        }
        m_cost.bytes += static_cast<std::int64_t>(part + replicaPart) * (m_workers - 1);
    }
    ++m_cost.reductions;
    m_cost.seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return {};
}

Result<std::vector<std::byte>> ReplicaSeam::exchange(std::span<std::byte const> mine)
{
    std::vector<std::byte> all(mine.size() * static_cast<std::size_t>(m_workers));
    if (!m_link.gather(mine.data(), mine.size(), all.data())) return workerLost();
    return all;
}

Result<std::int64_t> ReplicaSeam::agree(std::int64_t mine)
{
    std::vector<std::int64_t> all(static_cast<std::size_t>(m_workers));
    if (!m_link.gather(&mine, sizeof mine, all.data())) return workerLost();
    return *std::ranges::max_element(all);
}

Status ReplicaSeam::broadcast(std::span<std::byte> bytes)
{
    if (!m_link.broadcast(bytes.data(), bytes.size())) return workerLost();
    return {};
}

Status ReplicaSeam::broadcast(TrainingState &state)
{
    for (auto &tensor : state.tensors) TW_TRY(broadcast(tensor.bytes));
    return {};
}

} // namespace tilewright::runtime

#include "engine/runtime/infeed.h"

#include "engine/core/host_memory.h"
#include "engine/core/internal_error.h"
#include "engine/core/parallel.h"
#include "engine/data/source.h"
#include "engine/kernels/rounding.h"
#include "engine/runtime/host_record.h"

#include <algorithm>
#include <cstring>
#include <exception>
#include <new>
#include <optional>

namespace tilewright::runtime {

Infeed::Infeed(data::DataArray const &x, data::DataArray const &y, float scale, std::vector<graph::FeedSpec> specs, std::int64_t batch,
               int replicas, std::size_t depth, HostRecord *record, std::vector<double> classWeights, FedReplicas own)
    : m_labels(y), m_classWeights(std::move(classWeights)), m_specs(std::move(specs)), m_batch(batch), m_all(replicas), m_first(own.first),
      m_replicas(own.count > 0 ? own.count : replicas), m_depth(depth), m_record(record), m_current(static_cast<std::size_t>(m_replicas)),
      m_turns(static_cast<std::size_t>(m_replicas))
{
    bool taken = false;
    for (auto const &spec : m_specs) {
        if (graph::isSampleWeights(spec)) {
            m_feeds.push_back({y, 1.0f});
            continue;
        }
        auto const &array = x.forInput(spec.name);
        bool const beside = &array != &x, samples = !beside && !taken;
        taken = taken || samples;
        m_feeds.push_back({beside || samples ? array : y.forInput(graph::outputOfLabels(spec)),
                           samples                                  ? scale
                               : beside && array.dtype == DType::U8 ? 1.0f / 255
                                                                    : 1.0f});
    }
    if (m_depth > 0) m_thread = tryStartThread([this] { work(); });
    if (!m_thread.joinable()) m_depth = 0;
}

Infeed::~Infeed()
{
    {
        std::lock_guard lock(m_mutex);
        m_stop = true;
    }
    m_wake.notify_all();
    if (m_thread.joinable()) m_thread.join();
}

void Infeed::begin(std::vector<std::uint32_t> const &order, std::int64_t firstTurn, std::int64_t turns)
{
    auto copy = std::make_shared<std::vector<std::uint32_t> const>(order);
    std::lock_guard lock(m_mutex);
    while (!m_ready.empty()) {
        m_free.push_back(std::move(m_ready.front()));
        m_ready.pop_front();
    }
    m_order = std::move(copy);
    m_gathering = false;
    m_nextTurn = firstTurn;
    m_endTurn = firstTurn + turns;
    m_nextReplica = 0;
    ++m_generation;
    m_wake.notify_all();
}

std::size_t Infeed::bytesOf(std::size_t index) const
{
    auto const &spec = m_specs[index];
    return static_cast<std::size_t>(elementCount(spec.shape) * sizeOf(spec.dtype));
}

Status Infeed::gather(std::vector<std::uint32_t> const &order, std::int64_t turn, int replica, std::size_t index, std::byte *to) const
{
    auto const indices = data::replicaBatch(order, m_batch, turn, m_first + replica, m_all);
    auto const &spec = m_specs[index];
    auto const &feed = m_feeds[index];
    if (graph::isSampleWeights(spec)) {
        gatherWeights(indices, reinterpret_cast<float *>(to));
    } else if (spec.dtype == DType::I32) {
        data::gatherLabels(feed.array, indices, reinterpret_cast<std::int32_t *>(to)); // whole numbers have no scale
    } else if (spec.dtype == DType::U8) {
        data::gatherBytes(feed.array, indices, reinterpret_cast<std::uint8_t *>(to)); // the device converts and scales
    } else if (spec.dtype == DType::F16) {
        std::vector<float> wide(static_cast<std::size_t>(elementCount(spec.shape)));
        data::gatherBatch(feed.array, indices, feed.scale, wide.data());
        kernels::narrow(wide.data(), static_cast<std::int64_t>(wide.size()), reinterpret_cast<std::uint16_t *>(to));
    } else {
        data::gatherBatch(feed.array, indices, feed.scale, reinterpret_cast<float *>(to));
    }
    return data::requireUnchanged(feed.array.bytes.get());
}

void Infeed::gatherWeights(std::span<std::uint32_t const> indices, float *to) const
{
    auto const &given = m_labels.forInput(std::string(data::kSampleWeights));
    if (&given != &m_labels) data::gatherBatch(given, indices, 1.0f, to);
    else std::fill_n(to, indices.size(), 1.0f);
    if (m_classWeights.empty()) return;
    // One-hot labels are of the class where they are largest; as Keras's, what is one number is its class.
    auto const each = static_cast<std::size_t>(m_labels.sampleElements());
    std::vector<float> labels(indices.size() * each);
    data::gatherBatch(m_labels, indices, 1.0f, labels.data());
    for (std::size_t i = 0; i < indices.size(); ++i) {
        auto const first = labels.begin() + static_cast<std::ptrdiff_t>(i * each);
        auto const label =
            each == 1 ? static_cast<std::ptrdiff_t>(*first) : std::max_element(first, first + static_cast<std::ptrdiff_t>(each)) - first;
        if (label >= 0 && label < static_cast<std::ptrdiff_t>(m_classWeights.size()))
            to[i] *= static_cast<float>(m_classWeights[static_cast<std::size_t>(label)]);
    }
}

Status Infeed::gather(std::vector<std::uint32_t> const &order, std::int64_t turn, int replica, Element &element) const
{
    element.resize(m_specs.size());
    for (std::size_t i = 0; i < m_specs.size(); ++i) {
        element[i].resize(bytesOf(i));
        TW_TRY(gather(order, turn, replica, i, element[i].data()));
    }
    return {};
}

void Infeed::work()
{
    try {
        gatherAhead();
    } catch (std::bad_alloc const &) {
        std::lock_guard const lock(m_mutex);
        m_outOfMemory = true;
        m_filled.notify_all();
    } catch (std::exception const &) {
        auto failure = currentException("infeed", Message::of("the next micro-batch"));
        std::lock_guard const lock(m_mutex);
        m_failure = std::move(failure);
        m_filled.notify_all();
    }
}

void Infeed::gatherAhead()
{
    std::unique_lock lock(m_mutex);
    for (;;) {
        m_wake.wait(lock, [&] { return m_stop || (m_order && m_nextTurn < m_endTurn && m_ready.size() < m_depth); });
        if (m_stop) return;
        Element element;
        if (!m_free.empty()) {
            element = std::move(m_free.back());
            m_free.pop_back();
        }
        auto const turn = m_nextTurn;
        auto const replica = m_nextReplica;
        if (++m_nextReplica == m_replicas) {
            m_nextReplica = 0;
            ++m_nextTurn;
        }
        auto const generation = m_generation;
        Order const order = m_order;
        m_gathering = true;
        lock.unlock();
        Status gathered;
        {
            std::optional<HostRecord::Span> span;
            if (m_record) span.emplace(*m_record, HostRecord::Infeed, HostRecord::kGather, turn);
            gathered = gather(*order, turn, replica, element);
        }
        lock.lock();
        if (!gathered.ok()) {
            m_failure = gathered.error();
            m_filled.notify_one();
            return;
        }
        if (generation == m_generation) {
            m_gathering = false;
            m_ready.push_back(std::move(element));
            m_filled.notify_one();
        } else {
            m_free.push_back(std::move(element)); // begin() was called meanwhile: stale
        }
    }
}

Status Infeed::nextElement(int replica, Element &current)
{
    auto const end = [] {
        return makeError(ErrorKind::Data, "infeed.end", "infeed", Message::of("the data set has no more elements."),
                         Message::of("Use fewer steps, or a larger data set."));
    };
    if (m_depth == 0) {
        if (m_nextTurn >= m_endTurn) return end();
        m_turns[static_cast<std::size_t>(replica)] = m_nextTurn;
        if (replica == m_replicas - 1) ++m_nextTurn;
        return {};
    }
    std::unique_lock lock(m_mutex);
    if (m_ready.empty() && !m_gathering && m_nextTurn >= m_endTurn) return end();
    m_filled.wait(lock, [&] { return !m_ready.empty() || m_outOfMemory || m_failure; });
    if (m_ready.empty() && m_failure) return *m_failure;
    if (m_ready.empty()) return outOfHostMemory("infeed", Message::of("the next micro-batch"));
    std::swap(current, m_ready.front());
    m_free.push_back(std::move(m_ready.front()));
    m_ready.pop_front();
    m_wake.notify_one();
    return {};
}

Status Infeed::next(int replica, int index, std::byte *to, std::size_t bytes)
{
    auto &current = m_current[static_cast<std::size_t>(replica)];
    if (index == 0) TW_TRY(nextElement(replica, current));
    auto const at = static_cast<std::size_t>(index);
    if (m_depth == 0) {
        // Right where it is wanted.
        auto const turn = m_turns[static_cast<std::size_t>(replica)];
        if (bytes >= bytesOf(at)) return gather(*m_order, turn, replica, at, to);
        current.resize(m_specs.size());
        current[at].resize(bytesOf(at));
        TW_TRY(gather(*m_order, turn, replica, at, current[at].data()));
    }
    auto const &from = current[at];
    std::memcpy(to, from.data(), std::min(bytes, from.size()));
    return {};
}

} // namespace tilewright::runtime

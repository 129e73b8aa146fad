#pragma once

#include "engine/core/result.h"
#include "engine/data/batcher.h"
#include "engine/data/dataset.h"
#include "engine/executable/executable.h"

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <memory>
#include <mutex>
#include <span>
#include <optional>
#include <thread>
#include <vector>

namespace tilewright::runtime {

class HostRecord;

/// Of all replicas, those that an infeed feeds. Count 0: all.
struct FedReplicas {
    int first = 0, count = 0;
};

/// The infeed queue: a separate thread gathers the next micro-batches (converted from the stored type and scaled) while the device runs.
/// Elements come in epoch order: replica 0, 1, … of each turn. Without a thread, elements are gathered on request.
class Infeed {
public:
    /// Keeps `depth` elements ready (keras_on_ipu 5.1: 3). Without prefetch (0), elements are gathered on request. An input reads the array
    /// of `x.beside` that names it; the first remaining input reads x; all others are labels. `scale` applies to x; uint8 arrays in
    /// `x.beside` are scaled to 0 … 1. The weight of a sample is that in `y.beside` times the weight of its class. `record` may be null; it
    /// receives an event for each element that the thread gathers.
    Infeed(data::DataArray const &x, data::DataArray const &y, float scale, std::vector<graph::FeedSpec> specs, std::int64_t batch,
           int replicas, std::size_t depth, HostRecord *record = nullptr, std::vector<double> classWeights = {}, FedReplicas own = {});
    ~Infeed();
    Infeed(Infeed const &) = delete;
    Infeed &operator=(Infeed const &) = delete;

    /// Starts an epoch at turn `firstTurn`. Keeps a copy of `order`.
    void begin(std::vector<std::uint32_t> const &order, std::int64_t firstTurn, std::int64_t turns);
    /// Copies tensor `index` of the current element of a replica (from 0, of those that it feeds); index 0 advances to the next element
    /// first. Errors: Data "infeed.end" if the epoch has no more elements, "data.changed"; DoesNotFit "host.memory".
    Status next(int replica, int index, std::byte *to, std::size_t bytes);

private:
    using Element = std::vector<std::vector<std::byte>>;
    using Order = std::shared_ptr<std::vector<std::uint32_t> const>;
    Status nextElement(int replica, Element &current);
    Status gather(std::vector<std::uint32_t> const &order, std::int64_t turn, int replica, Element &element) const;
    Status gather(std::vector<std::uint32_t> const &order, std::int64_t turn, int replica, std::size_t index, std::byte *to) const;
    void gatherWeights(std::span<std::uint32_t const> indices, float *to) const;
    std::size_t bytesOf(std::size_t index) const; ///< bytes of a tensor of an element
    void work();
    void gatherAhead();

    struct Feed {
        data::DataArray array;
        float scale = 1;
    };
    std::vector<Feed> m_feeds; ///< by spec
    data::DataArray m_labels;
    std::vector<double> m_classWeights;
    std::vector<graph::FeedSpec> m_specs;
    std::int64_t m_batch;
    int m_all, m_first, m_replicas; ///< all replicas; the first and the number of those that it feeds
    std::size_t m_depth;
    HostRecord *m_record;
    Order m_order;                              ///< shared with the thread, which may still use the previous one
    bool m_gathering = false;                   ///< the thread is gathering an element of this epoch
    std::int64_t m_nextTurn = 0, m_endTurn = 0; ///< of the producer
    int m_nextReplica = 0;
    std::vector<Element> m_current;    ///< by replica: tile mode reads tensor by tensor, replicas in the inner loop
    std::vector<std::int64_t> m_turns; ///< the same without prefetch: turn of the current element
    std::deque<Element> m_ready;
    std::vector<Element> m_free;
    std::mutex m_mutex;
    std::condition_variable m_wake, m_filled;
    bool m_stop = false, m_outOfMemory = false;
    std::optional<Diagnostic> m_failure; ///< of the thread, which ended with it
    std::uint64_t m_generation = 0;
    std::thread m_thread;
};

} // namespace tilewright::runtime

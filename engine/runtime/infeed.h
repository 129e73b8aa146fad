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

/// The infeed queue: a thread of its own gathers the next micro-batches (stored type to the device's, scaled)
/// while the device runs. Elements come in the order of the epoch: replica 0, 1, … of each turn. Where the system gives
/// no thread, elements are gathered when asked for.
class Infeed {
public:
    /// `depth` elements are kept ready (keras_on_ipu 5.1: 3). Without prefetch (0) elements are gathered when asked for.
    /// An input that something beside x feeds takes that, the first other one x; what is left are labels. `scale` is for x; of
    /// what is beside it whole bytes are scaled to 0 … 1. Weights of samples are those beside y, times those of their class.
    /// `record`, when given, hears of each gathering by the thread.
    Infeed(data::DataArray const &x, data::DataArray const &y, float scale, std::vector<executable::FeedSpec> specs, std::int64_t batch,
           int replicas, std::size_t depth, HostRecord *record = nullptr, std::vector<double> classWeights = {});
    ~Infeed();
    Infeed(Infeed const &) = delete;
    Infeed &operator=(Infeed const &) = delete;

    /// Starts an epoch at turn `firstTurn`; keeps a copy of `order`.
    void begin(std::vector<std::uint32_t> const &order, std::int64_t firstTurn, std::int64_t turns);
    /// Copies tensor `index` of the present element of a replica; index 0 takes the next element first.
    /// Errors: Data "infeed.end" when the epoch has no more elements, "data.changed"; DoesNotFit "host.memory".
    Status next(int replica, int index, std::byte *to, std::size_t bytes);

private:
    using Element = std::vector<std::vector<std::byte>>;
    using Order = std::shared_ptr<std::vector<std::uint32_t> const>;
    Status nextElement(int replica, Element &current);
    Status gather(std::vector<std::uint32_t> const &order, std::int64_t turn, int replica, Element &element) const;
    Status gather(std::vector<std::uint32_t> const &order, std::int64_t turn, int replica, std::size_t index, std::byte *to) const;
    void gatherWeights(std::span<std::uint32_t const> indices, float *to) const;
    std::size_t bytesOf(std::size_t index) const; ///< of a tensor of an element
    void work();
    void gatherAhead();

    struct Feed {
        data::DataArray array;
        float scale = 1;
    };
    std::vector<Feed> m_feeds; ///< by spec
    data::DataArray m_labels;
    std::vector<double> m_classWeights;
    std::vector<executable::FeedSpec> m_specs;
    std::int64_t m_batch;
    int m_replicas;
    std::size_t m_depth;
    HostRecord *m_record;
    Order m_order;                              ///< shared with the thread, which may still gather from the one before
    bool m_gathering = false;                   ///< an element of this epoch is under way
    std::int64_t m_nextTurn = 0, m_endTurn = 0; ///< of the producer
    int m_nextReplica = 0;
    std::vector<Element> m_current;    ///< by replica: tile mode asks tensor by tensor, replicas inside
    std::vector<std::int64_t> m_turns; ///< the same without prefetch: of the present element
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

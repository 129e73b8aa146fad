#pragma once

#include <cstddef>
#include <stop_token>

namespace tilewright::runtime {

/// Connects the workers of one run. All workers make the same calls in the same order, each from one thread. A call returns false when a
/// worker is lost; every later call then returns false as well. The implementations are in engine/distributed: threads of one process,
/// and processes under Open MPI. This header includes the standard library only, because the MPI module is built from it alone.
class WorkerLink {
public:
    virtual ~WorkerLink() = default;
    virtual int worker() const = 0; ///< from 0
    virtual int workers() const = 0;
    /// A stop request shortens the wait for a worker that is lost.
    virtual void watch(std::stop_token stop) = 0;
    /// Copies `bytes` bytes of each worker to all, in the order of the workers.
    virtual bool gather(void const *mine, std::size_t bytes, void *all) = 0;
    /// Sends part v of `parts` to worker v and receives a part of each, in the order of the workers. `bytes`: of one part.
    virtual bool transpose(void const *parts, std::size_t bytes, void *received) = 0;
    /// Copies the bytes of worker 0 to all.
    virtual bool broadcast(void *data, std::size_t bytes) = 0;
    /// Ends the connection in order. Without it, the destructor tells the others that this worker is lost.
    virtual void close() = 0;
};

} // namespace tilewright::runtime

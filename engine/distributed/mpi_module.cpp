// The module that links Open MPI. It is loaded only under mpirun and includes nothing of the engine but the interface.
#include "engine/runtime/worker_link.h"

#include <mpi.h>

#include <chrono>
#include <optional>
#include <thread>

namespace {

using Clock = std::chrono::steady_clock;

/// After a stop request, workers that are alive come to the next meeting within this time. mpirun stops the others when one process
/// has ended without leaving MPI, and kills them a second later.
constexpr std::chrono::milliseconds kPatience{400};
/// Waits without sleeping for so long: the other worker is usually almost there.
constexpr std::chrono::milliseconds kSpin{1};

/// A type of so many bytes. Counts of MPI are of type int, which ends at 2 GiB.
class Block {
public:
    explicit Block(std::size_t bytes)
    {
        constexpr std::size_t kUnit = std::size_t{1} << 20;
        MPI_Datatype unit;
        MPI_Type_contiguous(static_cast<int>(kUnit), MPI_BYTE, &unit);
        int const lengths[] = {static_cast<int>(bytes / kUnit), static_cast<int>(bytes % kUnit)};
        MPI_Aint const places[] = {0, static_cast<MPI_Aint>(bytes / kUnit * kUnit)};
        MPI_Datatype const types[] = {unit, MPI_BYTE};
        MPI_Type_create_struct(2, lengths, places, types, &m_type);
        MPI_Type_commit(&m_type);
        MPI_Type_free(&unit);
    }
    ~Block() { MPI_Type_free(&m_type); }
    Block(Block const &) = delete;
    Block &operator=(Block const &) = delete;
    MPI_Datatype type() const { return m_type; }

private:
    MPI_Datatype m_type;
};

class MpiLink final : public tilewright::runtime::WorkerLink {
public:
    MpiLink()
    {
        MPI_Comm_rank(MPI_COMM_WORLD, &m_worker);
        MPI_Comm_size(MPI_COMM_WORLD, &m_workers);
        MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    }
    int worker() const override { return m_worker; }
    int workers() const override { return m_workers; }
    void watch(std::stop_token stop) override { m_stop = std::move(stop); }

    bool gather(void const *mine, std::size_t bytes, void *all) override
    {
        Block const block(bytes);
        MPI_Request request;
        return finish(MPI_Iallgather(mine, 1, block.type(), all, 1, block.type(), MPI_COMM_WORLD, &request), request);
    }
    bool transpose(void const *parts, std::size_t bytes, void *received) override
    {
        Block const block(bytes);
        MPI_Request request;
        return finish(MPI_Ialltoall(parts, 1, block.type(), received, 1, block.type(), MPI_COMM_WORLD, &request), request);
    }
    bool broadcast(void *data, std::size_t bytes) override
    {
        Block const block(bytes);
        MPI_Request request;
        return finish(MPI_Ibcast(data, 1, block.type(), 0, MPI_COMM_WORLD, &request), request);
    }
    void close() override
    {
        if (!m_lost) MPI_Finalize();
        m_lost = true;
    }

private:
    /// Waits for a collective; not in MPI itself, where the loss of a worker would keep this one for ever.
    bool finish(int begun, MPI_Request &request)
    {
        if (m_lost || begun != MPI_SUCCESS) return !(m_lost = true);
        auto const start = Clock::now();
        std::optional<Clock::time_point> asked;
        for (;;) {
            int done = 0;
            if (MPI_Test(&request, &done, MPI_STATUS_IGNORE) != MPI_SUCCESS) return !(m_lost = true);
            if (done) return true;
            auto const now = Clock::now();
            if (!asked && m_stop.stop_requested()) asked = now;
            if (asked && now - *asked > kPatience) return !(m_lost = true);
            if (now - start < kSpin) std::this_thread::yield();
            else std::this_thread::sleep_for(std::chrono::microseconds(50));
        }
    }

    int m_worker = 0, m_workers = 1;
    bool m_lost = false;
    std::stop_token m_stop;
};

} // namespace

extern "C" __attribute__((visibility("default"))) tilewright::runtime::WorkerLink *tilewrightOpenMpi()
{
    int provided = 0;
    if (MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided) != MPI_SUCCESS) return nullptr;
    return new MpiLink;
}

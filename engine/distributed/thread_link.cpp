#include "engine/distributed/thread_link.h"

#include <condition_variable>
#include <cstring>
#include <functional>
#include <mutex>

namespace tilewright::distributed {

namespace {

/// What the threads share. A call of all workers has two phases: each enters with its bytes; when all have entered, each copies what it
/// needs and leaves. The next call begins when all have left.
struct Meeting {
    explicit Meeting(int all) : workers(all), data(static_cast<std::size_t>(all)) {}

    bool run(int worker, void const *mine, std::function<void()> const &copy)
    {
        std::unique_lock lock(mutex);
        changed.wait(lock, [&] { return lost || !leaving; });
        if (lost) return false;
        data[static_cast<std::size_t>(worker)] = mine;
        if (++inside == workers) {
            leaving = true;
            changed.notify_all();
        }
        changed.wait(lock, [&] { return lost || leaving; });
        if (!leaving) return false;
        lock.unlock();
        copy();
        lock.lock();
        auto const round = rounds;
        if (--inside == 0) {
            leaving = false;
            ++rounds;
            changed.notify_all();
        }
        // The others read this worker's bytes until they have left as well.
        changed.wait(lock, [&] { return rounds != round; });
        return true;
    }

    void leave()
    {
        std::lock_guard const lock(mutex);
        lost = true;
        changed.notify_all();
    }

    int const workers;
    std::vector<void const *> data;
    int inside = 0, rounds = 0;
    bool leaving = false, lost = false;
    std::mutex mutex;
    std::condition_variable changed;
};

class ThreadLink final : public runtime::WorkerLink {
public:
    ThreadLink(std::shared_ptr<Meeting> meeting, int worker) : m_meeting(std::move(meeting)), m_worker(worker) {}
    ~ThreadLink() override
    {
        if (!m_closed) m_meeting->leave();
    }
    int worker() const override { return m_worker; }
    int workers() const override { return m_meeting->workers; }
    void watch(std::stop_token) override {} // a lost thread is noticed at once
    bool gather(void const *mine, std::size_t bytes, void *all) override
    {
        return m_meeting->run(m_worker, mine, [&] {
            for (std::size_t w = 0; w < m_meeting->data.size(); ++w)
                std::memcpy(static_cast<std::byte *>(all) + w * bytes, m_meeting->data[w], bytes);
        });
    }
    bool transpose(void const *parts, std::size_t bytes, void *received) override
    {
        return m_meeting->run(m_worker, parts, [&] {
            for (std::size_t w = 0; w < m_meeting->data.size(); ++w)
                std::memcpy(static_cast<std::byte *>(received) + w * bytes,
                            static_cast<std::byte const *>(m_meeting->data[w]) + static_cast<std::size_t>(m_worker) * bytes, bytes);
        });
    }
    bool broadcast(void *data, std::size_t bytes) override
    {
        return m_meeting->run(m_worker, data, [&] {
            if (m_worker > 0) std::memcpy(data, m_meeting->data[0], bytes);
        });
    }
    void close() override { m_closed = true; }

private:
    std::shared_ptr<Meeting> m_meeting;
    int m_worker;
    bool m_closed = false;
};

} // namespace

std::vector<std::unique_ptr<runtime::WorkerLink>> threadLinks(int workers)
{
    auto const meeting = std::make_shared<Meeting>(workers);
    std::vector<std::unique_ptr<runtime::WorkerLink>> links;
    for (int w = 0; w < workers; ++w) links.push_back(std::make_unique<ThreadLink>(meeting, w));
    return links;
}

} // namespace tilewright::distributed

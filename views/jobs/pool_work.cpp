#include "views/jobs/pool_work.h"

#include <QRunnable>
#include <QThreadPool>

#include <mutex>

namespace tilewright::views {

namespace {

std::mutex &handOver()
{
    static std::mutex mutex;
    return mutex;
}

class Work final : public QRunnable {
public:
    explicit Work(std::function<void()> work) : m_work(std::move(work)) {}
    void run() override
    {
        handOver().lock();
        handOver().unlock();
        m_work();
        m_work = nullptr; // destroys its captures here, on the thread that saw the hand-over
    }

private:
    std::function<void()> m_work;
};

} // namespace

void startOn(QThreadPool &pool, std::function<void()> work)
{
    std::unique_lock lock(handOver());
    auto *const runnable = new Work(std::move(work));
    lock.unlock();
    pool.start(runnable);
}

} // namespace tilewright::views

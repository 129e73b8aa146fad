#include "engine/runtime/data_reader.h"

#include "engine/core/internal_error.h"
#include "engine/core/parallel.h"
#include "engine/runtime/host_record.h"
#include "engine/runtime/session_parts.h"

#include <algorithm>
#include <exception>

namespace tilewright::runtime {

DataReader::DataReader(project::Project const &project, RunRequest const &request, Plan plan, int threads, HostRecord &record,
                       JobContext const &job)
    : m_project(project), m_request(request), m_plan(std::move(plan)), m_threads(threads), m_record(record), m_job(job),
      m_link(job.stop, [this] { m_stop.request_stop(); })
{
    m_thread = tryStartThread([this] { work(); });
}

void DataReader::work()
{
    openNow();
    if (!m_dataset->ok() || m_stop.stop_requested()) return;
    try {
        auto const wanted = m_plan(**m_dataset);
        if (wanted.empty()) return;
        HostRecord::Span const span(m_record, HostRecord::Loader, "Generate data");
        ThreadPool pool(std::clamp(static_cast<int>(std::thread::hardware_concurrency()), 1, m_threads));
        JobContext job;
        job.stop = m_stop.get_token();
        for (auto const &part : wanted)
            if (!data::makeRecords(part.array, part.order, pool, job).ok()) return;
    } catch (std::exception const &) {
        // The infeed makes the rest, or meets and tells the same failure.
    }
}

void DataReader::openNow()
{
    auto opened = guarded("data", Message::of("the data set"), [&] {
        HostRecord::Span const span(m_record, HostRecord::Loader, "Open data");
        JobContext job;
        job.stop = m_stop.get_token();
        job.warnings = &m_warnings;
        return openData(m_project, m_request, job);
    });
    std::lock_guard const lock(m_mutex);
    m_dataset.emplace(std::move(opened));
    m_opened.notify_all();
}

Result<data::Dataset> DataReader::open()
{
    if (!m_thread.joinable()) openNow();
    std::unique_lock lock(m_mutex);
    m_opened.wait(lock, [&] { return m_dataset.has_value(); });
    for (auto const &warning : m_warnings.all()) m_job.warn(warning);
    return *m_dataset;
}

void DataReader::stop()
{
    m_stop.request_stop();
    if (m_thread.joinable()) m_thread.join();
}

} // namespace tilewright::runtime

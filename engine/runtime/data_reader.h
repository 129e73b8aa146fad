#pragma once

#include "engine/core/job_context.h"
#include "engine/data/dataset.h"
#include "engine/project/project.h"
#include "engine/runtime/run.h"

#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <stop_token>
#include <thread>
#include <vector>

namespace tilewright::runtime {

class HostRecord;

/// Opens a run's data on a separate thread while the program is compiled. The thread then generates the records of the run in its order,
/// until it is stopped. The infeed generates records that do not exist yet, so the run never waits for this thread. Without a thread the
/// data are opened on request.
class DataReader {
public:
    /// Records of an array in reading order.
    struct Wanted {
        data::DataArray array;
        std::vector<std::uint32_t> order;
    };
    /// Returns the records that a run will read. Called on the reader's thread.
    using Plan = std::function<std::vector<Wanted>(data::Dataset const &)>;

    /// Is cancelled with `job`. `threads` generate records. Requires: project, request, record and job outlive it.
    DataReader(project::Project const &project, RunRequest const &request, Plan plan, int threads, HostRecord &record,
               JobContext const &job);
    ~DataReader() { stop(); }
    DataReader(DataReader const &) = delete;
    DataReader &operator=(DataReader const &) = delete;

    /// Waits until the data are open or an error occurred. Call once. Warnings go to the job.
    Result<data::Dataset> open();
    /// Stops reading and generating, and waits for the thread.
    void stop();

private:
    void work();
    void openNow();

    project::Project const &m_project;
    RunRequest const &m_request;
    Plan m_plan;
    int m_threads;
    HostRecord &m_record;
    JobContext const &m_job;
    std::stop_source m_stop;
    std::stop_callback<std::function<void()>> m_link; ///< forwards a stop of the job
    DiagnosticSink m_warnings;
    std::optional<Result<data::Dataset>> m_dataset;
    std::mutex m_mutex;
    std::condition_variable m_opened;
    std::thread m_thread;
};

} // namespace tilewright::runtime

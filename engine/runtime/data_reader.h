#pragma once

#include "engine/core/job_context.h"
#include "engine/data/dataset.h"
#include "engine/project/project.h"

#include <condition_variable>
#include <filesystem>
#include <functional>
#include <mutex>
#include <optional>
#include <stop_token>
#include <thread>
#include <vector>

namespace tilewright::runtime {

class HostRecord;

/// Opens a run's data on a thread of its own, while the program is compiled; then makes the generated records that the
/// run will ask for, in its order, until it is told to stop. What it has not come to, the infeed makes itself: the run
/// never waits for it. Without a thread the data are opened when they are asked for.
class DataReader {
public:
    /// Records of an array in the order in which they will be read.
    struct Wanted {
        data::DataArray array;
        std::vector<std::uint32_t> order;
    };
    /// What a run will read of its data; called on the reader's thread.
    using Plan = std::function<std::vector<Wanted>(data::Dataset const &)>;

    /// Cancelled when `job` is. `threads` make records. Requires: project, record and job live longer.
    DataReader(project::Project const &project, std::filesystem::path baseDir, Plan plan, int threads, HostRecord &record,
               JobContext const &job);
    ~DataReader() { stop(); }
    DataReader(DataReader const &) = delete;
    DataReader &operator=(DataReader const &) = delete;

    /// Waits until the data are open, or there is an error. Call once; its warnings go to the job.
    Result<data::Dataset> open();
    /// Ends reading and making, and waits for the thread.
    void stop();

private:
    void work();
    void openNow();

    project::Project const &m_project;
    std::filesystem::path m_baseDir;
    Plan m_plan;
    int m_threads;
    HostRecord &m_record;
    JobContext const &m_job;
    std::stop_source m_stop;
    std::stop_callback<std::function<void()>> m_link; ///< from the job's stop to ours
    DiagnosticSink m_warnings;
    std::optional<Result<data::Dataset>> m_dataset;
    std::mutex m_mutex;
    std::condition_variable m_opened;
    std::thread m_thread;
};

} // namespace tilewright::runtime

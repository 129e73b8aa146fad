#pragma once

#include "engine/compiler/log_line.h"
#include "engine/core/job_context.h"
#include "engine/report/host_tables.h"
#include "engine/report/run_tables.h"

#include <chrono>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace tilewright::runtime {

/// As rows of the table `log`; equal neighbours become one row that counts them.
std::vector<report::LogRow> logRows(std::vector<compiler::LogLine> const &lines, int run = report::kNone);

/// What the threads of the host do while a program is compiled and runs, and what is logged meanwhile: measured, in
/// nanoseconds from its making. Each lane belongs to one thread at a time; lanes of different threads may be written
/// at once.
class HostRecord {
public:
    /// Main: compile, epochs, validation. Calls: what these are made of. Streams: copies to the device, with the wait
    /// for data in them. Infeed: the thread that gathers micro-batches. Loader: the thread that opens the data.
    enum Lane { Main, Calls, Streams, Infeed, Loader, kLanes };
    static constexpr std::string_view kExecute = "Execute", kCopy = "Copy to the device", kGather = "Gather micro-batch";
    static constexpr std::size_t kMostEvents = 200000; ///< of a lane; what comes later is counted only

    std::int64_t now() const;
    void add(Lane lane, std::string_view type, std::int64_t begin, std::int64_t end, std::int64_t argument = 0);
    void log(config::LogComponent component, config::LogLevel level, std::string text, std::string code = {});

    struct Event {
        int type = 0; ///< of typeNames()
        std::int64_t begin = 0, end = 0, argument = 0;
    };
    /// What was added since the last call, in order of time.
    std::vector<Event> takeEvents(Lane lane);
    std::vector<std::string> typeNames() const;
    std::vector<compiler::LogLine> takeLog();
    std::int64_t omitted() const;

    /// Adds an event from its making to its end. What that takes is taken at the beginning: an event that was lost at its end would
    /// leave those inside it without one that they lie in.
    class Span {
    public:
        Span(HostRecord &record, Lane lane, std::string_view type, std::int64_t argument = 0)
            : m_record(record), m_lane(lane), m_type(record.open(lane, type)), m_argument(argument), m_begin(record.now())
        {
        }
        ~Span() { m_record.close(m_lane, {m_type, m_begin, m_record.now(), m_argument}); }
        Span(Span const &) = delete;
        Span &operator=(Span const &) = delete;

    private:
        HostRecord &m_record;
        Lane m_lane;
        int m_type;
        std::int64_t m_argument, m_begin;
    };

private:
    /// The number of a type, and room for an event that `close` adds.
    int open(Lane lane, std::string_view type);
    void close(Lane lane, Event const &event) noexcept;
    int typeOf(std::string_view type);
    void makeRoom(Lane lane);
    void append(Lane lane, Event const &event);

    std::chrono::steady_clock::time_point m_start = std::chrono::steady_clock::now();
    mutable std::mutex m_mutex;
    std::vector<std::string> m_types;
    std::vector<Event> m_events[kLanes];
    std::size_t m_open[kLanes] = {}; ///< spans, for each of which the lane has room
    std::size_t m_count[kLanes] = {};
    std::int64_t m_omitted = 0;
    std::vector<compiler::LogLine> m_log;
};

/// The lanes as rows of a report, in the order of HostRecord::Lane; `first`: the id the first of them will get.
std::vector<report::LaneRow> hostLaneRows(int first);

} // namespace tilewright::runtime

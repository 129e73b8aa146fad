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

/// Rows of the table `log`. Equal neighbours become one row with a count. `messages`: of each row as core/message_json.h writes it; empty:
/// the text has no pattern.
std::vector<report::LogRow> logRows(std::vector<compiler::LogLine> const &lines, int run = report::kNone,
                                    std::vector<std::string> *messages = nullptr);

/// The activity of the host's threads during compile and run, and the log: measured, in nanoseconds since construction. Each lane belongs
/// to one thread at a time; different threads may write different lanes at the same time.
class HostRecord {
public:
    /// Main: compile, epochs, validation. Calls: the calls inside them. Streams: copies to the device, with the wait for data in them.
    /// Infeed: the thread that gathers micro-batches. Loader: the thread that opens the data.
    enum Lane { Main, Calls, Streams, Infeed, Loader, kLanes };
    static constexpr std::string_view kExecute = "Execute", kCopy = "Copy to the device", kGather = "Gather micro-batch";
    static constexpr std::size_t kMostEvents = 200000; ///< per lane; later events are only counted

    std::int64_t now() const;
    void add(Lane lane, std::string_view type, std::int64_t begin, std::int64_t end, std::int64_t argument = 0);
    void log(config::LogComponent component, config::LogLevel level, Message text, std::string code = {});

    struct Event {
        int type = 0; ///< of typeNames()
        std::int64_t begin = 0, end = 0, argument = 0;
    };
    /// Events since the last call, in order of time.
    std::vector<Event> takeEvents(Lane lane);
    std::vector<std::string> typeNames() const;
    std::vector<compiler::LogLine> takeLog();
    std::int64_t omitted() const;

    /// Adds an event from construction to destruction. Reserves its row at construction: if the row were lost at the end, the events inside
    /// it would lack their parent.
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
    /// Returns the number of a type and reserves an event for `close`.
    int open(Lane lane, std::string_view type);
    void close(Lane lane, Event const &event) noexcept;
    int typeOf(std::string_view type);
    void makeRoom(Lane lane);
    void append(Lane lane, Event const &event);

    std::chrono::steady_clock::time_point m_start = std::chrono::steady_clock::now();
    mutable std::mutex m_mutex;
    std::vector<std::string> m_types;
    std::vector<Event> m_events[kLanes];
    std::size_t m_open[kLanes] = {}; ///< open spans; each has a reserved event
    std::size_t m_count[kLanes] = {};
    std::int64_t m_omitted = 0;
    std::vector<compiler::LogLine> m_log;
};

/// The lanes as rows of a report, in the order of HostRecord::Lane. `first`: id of the first row.
std::vector<report::LaneRow> hostLaneRows(int first);

} // namespace tilewright::runtime

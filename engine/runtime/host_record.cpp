#include "engine/runtime/host_record.h"

#include "engine/core/message_json.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <utility>

namespace tilewright::runtime {

namespace {

int reportLevel(config::LogLevel level)
{
    switch (level) {
    case config::LogLevel::Err: return 3;
    case config::LogLevel::Warn: return 2;
    case config::LogLevel::Info: return 1;
    default: return 0;
    }
}

} // namespace

std::vector<report::LogRow> logRows(std::vector<compiler::LogLine> const &lines, int run, std::vector<std::string> *messages)
{
    std::vector<report::LogRow> rows;
    for (auto const &line : lines) {
        report::LogRow row;
        row.hostNs = line.hostNs;
        row.level = reportLevel(line.level);
        row.component = std::string(config::toText(line.component));
        row.code = line.code;
        row.text = line.text;
        row.run = run;
        if (!rows.empty() && rows.back().text == row.text && rows.back().component == row.component && rows.back().level == row.level) {
            ++rows.back().repeats;
            continue;
        }
        rows.push_back(std::move(row));
        bool const hasPattern = !line.text.arguments().empty() || !line.text.pattern().empty();
        if (messages) messages->push_back(hasPattern ? messageToJson(line.text).dump() : std::string());
    }
    return rows;
}

std::int64_t HostRecord::now() const
{
    return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now() - m_start).count();
}

int HostRecord::typeOf(std::string_view type)
{
    auto const known = std::ranges::find(m_types, type);
    int const id = static_cast<int>(known - m_types.begin());
    if (known == m_types.end()) m_types.emplace_back(type);
    return id;
}

void HostRecord::makeRoom(Lane lane)
{
    auto &events = m_events[lane];
    auto const needed = events.size() + m_open[lane] + 1; // open spans keep their reserved room
    if (events.capacity() < needed) events.reserve(2 * needed);
}

void HostRecord::append(Lane lane, Event const &event)
{
    if (m_count[lane] >= kMostEvents) {
        ++m_omitted;
        return;
    }
    m_events[lane].push_back(event);
    ++m_count[lane];
}

void HostRecord::add(Lane lane, std::string_view type, std::int64_t begin, std::int64_t end, std::int64_t argument)
{
    std::lock_guard lock(m_mutex);
    makeRoom(lane);
    append(lane, {typeOf(type), begin, end, argument});
}

int HostRecord::open(Lane lane, std::string_view type)
{
    std::lock_guard lock(m_mutex);
    makeRoom(lane);
    int const id = typeOf(type);
    ++m_open[lane];
    return id;
}

void HostRecord::close(Lane lane, Event const &event) noexcept
{
    std::lock_guard lock(m_mutex);
    --m_open[lane];
    append(lane, event);
}

void HostRecord::log(config::LogComponent component, config::LogLevel level, Message text, std::string code)
{
    std::int64_t const time = now();
    std::lock_guard lock(m_mutex);
    m_log.push_back({time, component, level, std::move(code), std::move(text)});
}

std::vector<HostRecord::Event> HostRecord::takeEvents(Lane lane)
{
    std::lock_guard lock(m_mutex);
    std::vector<Event> next;
    next.reserve(m_open[lane]);
    return std::exchange(m_events[lane], std::move(next));
}

std::vector<std::string> HostRecord::typeNames() const
{
    std::lock_guard lock(m_mutex);
    return m_types;
}

std::vector<compiler::LogLine> HostRecord::takeLog()
{
    std::lock_guard lock(m_mutex);
    return std::exchange(m_log, {});
}

std::int64_t HostRecord::omitted() const
{
    std::lock_guard lock(m_mutex);
    return m_omitted;
}

std::vector<report::LaneRow> hostLaneRows(int first)
{
    struct Kind {
        char const *name;
        int parent, depth;
    };
    static constexpr Kind kinds[HostRecord::kLanes] = {{"Run thread", report::kNone, 0},
                                                       {"Calls", HostRecord::Main, 1},
                                                       {"Streams to the device", HostRecord::Calls, 2},
                                                       {"Infeed thread", report::kNone, 0},
                                                       {"Data thread", report::kNone, 0}};
    std::vector<report::LaneRow> rows;
    for (auto const &kind : kinds) {
        report::LaneRow row;
        row.name = kind.name;
        row.parent = kind.parent == report::kNone ? report::kNone : first + kind.parent;
        row.kind = "host_thread";
        row.timeBase = "ns";
        row.depth = kind.depth;
        rows.push_back(std::move(row));
    }
    return rows;
}

} // namespace tilewright::runtime

#include "engine/core/files.h"
#include "engine/core/numbers.h"
#include "engine/store/derived.h"
#include "engine/store/export_report.h"
#include "engine/store/row_json.h"

#include <algorithm>
#include <cstdio>
#include <queue>

namespace tilewright::store {

using namespace report;

namespace {

constexpr int kHostProcess = 1'000'000;

std::string quoted(std::string const &text) { return nlohmann::json(validText(text)).dump(); }

/// Microseconds with the precision of a nanosecond's tenth: readers take decimal numbers.
std::string microseconds(std::int64_t ticks, double perMicrosecond) { return fixedText(static_cast<double>(ticks) / perMicrosecond, 4); }

struct Track {
    int run = 0, lane = 0, process = 0;
    double perMicrosecond = 1;
    TimelineCursor cursor;
    TimelineEvent event;
};

} // namespace

Result<ExportResult> exportPerfetto(ReportReader const &reader, std::filesystem::path const &path, std::int64_t cap)
{
    TW_ASSIGN(auto const target, reader.target());
    TW_ASSIGN(auto const runs, reader.rows<RunRow>());
    TW_ASSIGN(auto const lanes, reader.rows<LaneRow>());
    TW_ASSIGN(auto const types, reader.rows<EventTypeRow>());
    double const perMicrosecond = target.clockHz > 0 ? static_cast<double>(target.clockHz) / 1e6 : 1.0;
    std::vector<Track> tracks;
    std::string out = "{\"traceEvents\":[\n";
    bool first = true;
    auto const add = [&](std::string const &event) {
        out += (first ? "" : ",\n") + event;
        first = false;
    };
    std::vector<int> named;
    auto const open = [&](int run, int lane) -> Status {
        auto const &row = lanes[static_cast<std::size_t>(lane)];
        bool const host = row.timeBase == "ns";
        // The whole of time; what lies outside is no event.
        TW_ASSIGN(auto cursor, TimelineCursor::open(reader, run, lane, -(std::int64_t{1} << 61), std::int64_t{1} << 61));
        Track track{
            run, lane, host ? kHostProcess : 1 + run * (target.ipus + 1) + row.ipu + 1, host ? 1000.0 : perMicrosecond, std::move(cursor),
            {}};
        if (!track.cursor.next(track.event)) return {};
        auto const ids = "\"pid\":" + std::to_string(track.process) + ",\"tid\":" + std::to_string(lane + 1);
        if (std::find(named.begin(), named.end(), track.process) == named.end()) {
            named.push_back(track.process);
            std::string const name =
                host ? "host" : runs[static_cast<std::size_t>(run)].name + (row.ipu >= 0 ? ", IPU " + std::to_string(row.ipu) : "");
            add("{\"ph\":\"M\",\"name\":\"process_name\"," + ids + ",\"args\":{\"name\":" + quoted(name) + "}}");
        }
        add("{\"ph\":\"M\",\"name\":\"thread_name\"," + ids + ",\"args\":{\"name\":" + quoted(row.name) + "}}");
        add("{\"ph\":\"M\",\"name\":\"thread_sort_index\"," + ids + ",\"args\":{\"sort_index\":" + std::to_string(lane) + "}}");
        tracks.push_back(std::move(track));
        return {};
    };
    for (int run = 0; run < static_cast<int>(runs.size()); ++run)
        for (int lane = 0; lane < static_cast<int>(lanes.size()); ++lane)
            if (run == 0 || lanes[static_cast<std::size_t>(lane)].timeBase != "ns") TW_TRY(open(run, lane));
    if (runs.empty())
        for (int lane = 0; lane < static_cast<int>(lanes.size()); ++lane)
            if (lanes[static_cast<std::size_t>(lane)].timeBase == "ns") TW_TRY(open(0, lane));

    // All tracks advance together in time, so that a cap cuts all of them at the same moment.
    auto const later = [&](std::size_t a, std::size_t b) {
        double const ta = static_cast<double>(tracks[a].event.start) / tracks[a].perMicrosecond,
                     tb = static_cast<double>(tracks[b].event.start) / tracks[b].perMicrosecond;
        return ta != tb ? ta > tb : a > b;
    };
    std::priority_queue<std::size_t, std::vector<std::size_t>, decltype(later)> next(later);
    for (std::size_t t = 0; t < tracks.size(); ++t) next.push(t);
    ExportResult result{path, 0, false};
    while (!next.empty()) {
        if (result.events >= cap) {
            result.capped = true;
            break;
        }
        auto const at = next.top();
        next.pop();
        auto &track = tracks[at];
        auto const &e = track.event;
        bool const known = e.type >= 0 && static_cast<std::size_t>(e.type) < types.size();
        std::string const name = known ? types[static_cast<std::size_t>(e.type)].name : "event " + std::to_string(e.type);
        std::string const phase = known ? types[static_cast<std::size_t>(e.type)].phase : "unknown";
        std::string text = e.duration > 0 ? "{\"ph\":\"X\"" : "{\"ph\":\"i\",\"s\":\"t\"";
        text += ",\"name\":" + quoted(name) + ",\"cat\":" + quoted(phase) + ",\"ts\":" + microseconds(e.start, track.perMicrosecond);
        if (e.duration > 0) text += ",\"dur\":" + microseconds(e.duration, track.perMicrosecond);
        text += ",\"pid\":" + std::to_string(track.process) + ",\"tid\":" + std::to_string(track.lane + 1)
            + ",\"args\":{\"step\":" + std::to_string(e.step) + ",\"argument\":" + std::to_string(e.argument)
            + (track.process == kHostProcess ? ",\"ns\":" : ",\"cycles\":") + std::to_string(e.duration) + "}}";
        add(text);
        ++result.events;
        if (track.cursor.next(track.event)) next.push(at);
    }
    out += "\n],\"displayTimeUnit\":\"ns\",\"otherData\":{\"clock_hz\":" + std::to_string(target.clockHz)
        + ",\"events\":" + std::to_string(result.events) + ",\"capped\":" + (result.capped ? "true" : "false")
        + (result.capped ? ",\"note\":" + quoted("Only the first " + std::to_string(cap) + " events are here; the report holds more.")
                         : std::string())
        + "}}\n";
    TW_TRY(writeOutputFile(path, std::string_view(out)));
    return result;
}

} // namespace tilewright::store

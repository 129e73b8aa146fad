#include "engine/store/check_report.h"

#include "engine/report/check/check_parts.h"
#include "engine/store/blobs.h"
#include "engine/store/part_tables.h"

#include <algorithm>

namespace tilewright::store {

namespace {

using namespace report;
using report::check::Violations, report::check::number;

/// Checks that only a file needs: row headers against blob contents, foreign keys, the list of parts.
Status checkFile(ReportReader const &reader, ReportData const &data, Violations &out)
{
    for (int id = 0; id < data.tileVecs.size(); ++id) {
        TW_ASSIGN(auto const head, reader.tileVecHead(id));
        if (head != data.tileVecs.head(id)) out.add(4, "tile_vec " + number(id), "its row says other than its data");
    }
    for (auto const &lane : data.events) {
        TW_ASSIGN(auto const heads, reader.chunkHeads(lane.pattern, lane.lane));
        for (auto const &head : heads) {
            TW_ASSIGN(auto const events, reader.chunk(lane.pattern, lane.lane, head.seq));
            EventChunkHead real;
            real.seq = head.seq;
            real.events = static_cast<std::int64_t>(events.size());
            for (std::size_t i = 0; i < events.size(); ++i) {
                if (i == 0) real.first = events.start[i];
                real.last = std::max(real.last, events.start[i] + events.duration[i]);
                real.busy += events.duration[i];
                if (events.duration[i] > real.longest) {
                    real.longest = events.duration[i];
                    real.longestIndex = static_cast<std::int64_t>(i);
                }
                if (events.type[i] < 0 || events.type[i] >= static_cast<std::int64_t>(data.eventTypes.size())) continue;
                auto const &phase = at(data.eventTypes, static_cast<int>(events.type[i])).phase;
                if (phase == "compute") real.compute += events.duration[i];
                if (phase == "internal_exchange" || phase == "global_exchange") real.exchange += events.duration[i];
                if (phase == "stream") real.stream += events.duration[i];
                if (phase == "sync") real.sync += events.duration[i];
            }
            if (!(real == head))
                out.add(16, "event chunk " + number(head.seq) + " of pattern " + number(lane.pattern) + " lane " + number(lane.lane),
                        "its row says other than its data");
        }
    }
    TW_ASSIGN(auto const stored, reader.rows<PartRow>());
    for (auto const &part : stored) {
        std::int64_t rows = 0;
        for (auto const &table : tablesOfPart(part.name)) {
            TW_ASSIGN(auto const count, reader.count(table));
            rows += count;
        }
        if (part.state == PartState::Complete && part.rows != rows)
            out.add(24, "part " + part.name, "says " + number(part.rows) + " rows, its tables hold " + number(rows));
        if (part.state == PartState::Absent && rows != 0)
            out.add(24, "part " + part.name, "is said to be absent, yet holds " + number(rows) + " rows");
    }
    for (auto const &known : fileParts())
        if (std::none_of(stored.begin(), stored.end(), [&](auto const &part) { return part.name == known.name; }))
            out.add(24, "part " + known.name, "is not listed");
    TW_ASSIGN(auto const keys, reader.foreignKeyViolations());
    for (auto const &key : keys) out.add(24, key, "a foreign key points nowhere");
    return {};
}

} // namespace

Result<std::vector<report::Violation>> checkReport(ReportReader const &reader)
{
    report::ReportData data;
    Violations out;
    {
        // Compared values must come from one moment, because a report can be checked while it is written.
        TW_ASSIGN(auto const snapshot, reader.snapshot());
        TW_ASSIGN(data, reader.readAll());
        TW_TRY(checkFile(reader, data, out));
    }
    auto all = out.take();
    for (auto &violation : report::checkTables(data)) all.push_back(std::move(violation));
    std::stable_sort(all.begin(), all.end(), [](auto const &a, auto const &b) { return a.invariant < b.invariant; });
    return all;
}

} // namespace tilewright::store

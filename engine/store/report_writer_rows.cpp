#include "engine/store/blobs.h"
#include "engine/store/report_writer_impl.h"

#include <algorithm>
#include <cmath>

// How rows come into a report: all tables at once, chunks of what grows, single rows.
namespace tilewright::store {

// ---- the whole at once -------------------------------------------------------------------------------

Result<Statement *> ReportWriter::Impl::statement(std::string const &sql)
{
    auto it = statements.find(sql);
    if (it == statements.end()) {
        TW_ASSIGN(auto prepared, db.prepare(sql));
        it = statements.emplace(sql, std::move(prepared)).first;
    }
    return &it->second;
}

Result<int> ReportWriter::Impl::addTileVecNow(TileVecRow const &row)
{
    auto const &[hash, head, encoded] = row;
    auto const id = static_cast<int>(nextId["tile_vec"]++);
    TW_ASSIGN(Statement *const insertVec,
              statement("INSERT INTO tile_vec(id, hash, tiles, sum, min, max, argmax, nonzero, encoding, data) "
                        "VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"));
    insertVec->bind(1, std::int64_t{id});
    insertVec->bindBlob(2, hash);
    std::int64_t const numbers[] = {
        head.tiles, head.sum, head.min, head.max, head.argmax, head.nonzero, static_cast<std::int64_t>(encoded.encoding)};
    for (int i = 0; i < 7; ++i) insertVec->bind(3 + i, numbers[i]);
    insertVec->bindBlob(10, encoded.data);
    TW_TRY(insertVec->run());
    tileVecs.emplace(hash, id);
    pendingBytes += static_cast<std::int64_t>(encoded.data.size());
    return id;
}

/// Vectors are hashed and encoded on the host's threads, some ahead of what goes into the file.
Status ReportWriter::Impl::writeTileVecs(report::TileVecTable const &table, HostWork const &work)
{
    constexpr std::size_t kPiece = 16, kAhead = 8;
    auto const count = static_cast<std::size_t>(table.size());
    OrderedWork<std::vector<TileVecRow>> pieces((count + kPiece - 1) / kPiece, kAhead, [&](std::size_t piece) {
        auto const first = static_cast<int>(piece * kPiece), end = static_cast<int>(std::min(count, (piece + 1) * kPiece));
        std::vector<std::vector<std::int64_t>> vectors;
        for (int id = first; id < end; ++id) vectors.push_back(table.values(id));
        auto hashes = report::contentHashes(std::vector<std::span<std::int64_t const>>(vectors.begin(), vectors.end()));
        std::vector<TileVecRow> rows;
        for (std::size_t i = 0; i < vectors.size(); ++i)
            rows.push_back({std::move(hashes[i]), table.head(first + static_cast<int>(i)), report::encodeTileVec(vectors[i])});
        return rows;
    });
    Status status;
    pieces.run(work, [&](std::size_t, std::vector<TileVecRow> rows) {
        if (work.cancelled()) status = cancelledError(path.filename().string());
        for (auto const &row : rows)
            if (auto const id = status.ok() ? addTileVecNow(row) : Result<int>(0); !id.ok()) status = id.error();
        return status.ok();
    });
    return status;
}

Status ReportWriter::Impl::writeLayouts(report::ReportData const &data, HostWork const &work)
{
    TW_ASSIGN(auto insertLayout, db.prepare("INSERT INTO layout(id, hash, items, data) VALUES(?, ?, ?, ?)"));
    constexpr std::size_t kTogether = 16;
    std::vector<std::string_view> blobs;
    for (int id = 0; id < data.layouts.size(); ++id) blobs.push_back(data.layouts.packed(id).data);
    std::vector<std::string> hashes(blobs.size());
    work.run((blobs.size() + kTogether - 1) / kTogether, [&](std::size_t piece) {
        auto const first = piece * kTogether;
        std::ranges::move(report::contentHashes(std::span(blobs).subspan(first, std::min(kTogether, blobs.size() - first))),
                          hashes.begin() + static_cast<std::ptrdiff_t>(first));
    });
    std::map<std::string, std::int64_t> known;
    std::vector<std::int64_t> stored; // equal layouts that came twice are stored once
    for (std::size_t id = 0; id < hashes.size(); ++id) {
        if (work.cancelled()) return cancelledError(path.filename().string());
        auto layout = data.layouts.packed(static_cast<int>(id));
        auto const [it, isNew] = known.try_emplace(hashes[id], static_cast<std::int64_t>(known.size()));
        stored.push_back(it->second);
        if (!isNew) continue;
        TW_ASSIGN(int const base, report::baseOf(layout.data));
        if (base >= 0 && static_cast<std::size_t>(base) >= stored.size())
            return makeError(ErrorKind::Internal, "store.constraint", path.filename().string(),
                             Message::of("layout %1 differs from a later one", id));
        if (base >= 0 && stored[static_cast<std::size_t>(base)] != base)
            layout = report::renumbered(layout, static_cast<int>(stored[static_cast<std::size_t>(base)]));
        insertLayout.bind(1, it->second);
        insertLayout.bindBlob(2, hashes[id]);
        insertLayout.bind(3, layout.items);
        insertLayout.bindBlob(4, layout.data);
        TW_TRY(insertLayout.run());
    }
    TW_ASSIGN(auto insertTile, db.prepare("INSERT INTO tile_layout(tile, layout) VALUES(?, ?)"));
    for (std::size_t tile = 0; tile < data.tileLayout.size(); ++tile) {
        int const layout = data.tileLayout[tile];
        if (layout < 0) continue;
        if (static_cast<std::size_t>(layout) >= stored.size())
            return makeError(ErrorKind::Internal, "store.constraint", path.filename().string(),
                             Message::of("tile %1 names a layout that is not there", tile));
        insertTile.bind(1, static_cast<std::int64_t>(tile));
        insertTile.bind(2, stored[static_cast<std::size_t>(layout)]);
        TW_TRY(insertTile.run());
    }
    return {};
}

Status ReportWriter::Impl::setMetaNow(std::string const &key, std::string const &value)
{
    TW_ASSIGN(Statement *const insertMeta, statement("INSERT OR REPLACE INTO meta(key, value) VALUES(?, ?)"));
    insertMeta->bindText(1, key);
    insertMeta->bindText(2, value);
    return insertMeta->run();
}

Status ReportWriter::Impl::setWatermarkNow(std::string const &part, std::int64_t value)
{
    TW_ASSIGN(Statement *const mark, statement("UPDATE part SET watermark = ? WHERE name = ?"));
    mark->bind(1, value);
    mark->bindText(2, part);
    return mark->run();
}

Status ReportWriter::Impl::writeTables(report::ReportData const &data, HostWork const &work)
{
    for (auto const &[key, value] : data.meta) TW_TRY(setMetaNow(key, value));
    if (data.target.tilesPerIpu > 0) TW_TRY(insert(data.target, 0));
    TW_TRY(writeTileVecs(data.tileVecs, work));
    for (auto const &type : data.eventTypes) phases.push_back(type.phase);
    Status status;
    forEachTable(data, [&](auto const &rows) {
        if (status.ok()) status = insertAll(rows, work);
    });
    TW_TRY(status);
    TW_TRY(writeLayouts(data, work));
    for (auto const &lane : data.events) TW_TRY(append(lane.pattern, lane.lane, lane.events));
    for (std::size_t i = 0; i < data.seriesPoints.size(); ++i) TW_TRY(append(static_cast<int>(i), data.seriesPoints[i]));
    TW_TRY(writeTails());
    for (auto const &part : data.parts) {
        if (part.state != report::PartState::Writing) wantedStates[part.name] = {part.state, part.note};
        TW_TRY(setWatermarkNow(part.name, part.watermark));
    }
    for (auto const &part : fileParts())
        if (!part.growsDuringRun) TW_TRY(closePart(part));
    return {};
}

// ---- chunks ------------------------------------------------------------------------------------------

Status ReportWriter::Impl::writeEventChunk(int pattern, int lane, EventTail &tail)
{
    auto const &events = tail.events;
    EventHead head;
    head.events = static_cast<std::int64_t>(events.size());
    head.first = events.start.front();
    for (std::size_t i = 0; i < events.size(); ++i) {
        auto const duration = events.duration[i];
        head.last = std::max(head.last, events.start[i] + duration);
        head.busy += duration;
        if (duration > head.longest) {
            head.longest = duration;
            head.longestIndex = static_cast<std::int64_t>(i);
        }
        auto const type = static_cast<std::size_t>(events.type[i]);
        std::string_view const phase = type < phases.size() ? std::string_view(phases[type]) : std::string_view();
        if (phase == "compute") head.compute += duration;
        if (phase == "internal_exchange" || phase == "global_exchange") head.exchange += duration;
        if (phase == "stream") head.stream += duration;
        if (phase == "sync") head.sync += duration;
    }
    TW_ASSIGN(Statement *const chunk,
              statement("INSERT OR REPLACE INTO event_chunk(pattern, lane, seq, first, last, events, busy, longest, "
                        "longest_index, compute, exchange, stream, sync, data) "
                        "VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"));
    std::int64_t const numbers[] = {pattern,       lane,        tail.seq,     head.first,        head.last,
                                    head.events,   head.busy,   head.longest, head.longestIndex, head.compute,
                                    head.exchange, head.stream, head.sync};
    for (int i = 0; i < 13; ++i) chunk->bind(1 + i, numbers[i]);
    auto const data = encodeEvents(events, 0, events.size());
    chunk->bindBlob(14, data);
    TW_TRY(chunk->run());
    tail.dirty = false;
    return {};
}

Status ReportWriter::Impl::writeSeriesChunk(int series, SeriesTail &tail)
{
    auto const &points = tail.points;
    double low = INFINITY, high = -INFINITY, sum = 0;
    std::int64_t nans = 0;
    for (double const y : points.y) {
        if (std::isnan(y)) {
            ++nans;
            continue;
        }
        low = std::min(low, y);
        high = std::max(high, y);
        sum += y;
    }
    auto const count = static_cast<std::int64_t>(points.y.size());
    TW_ASSIGN(Statement *const chunk,
              statement("INSERT OR REPLACE INTO series_chunk(series, seq, x_first, x_last, points, y_min, y_max, "
                        "y_mean, nans, data) VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"));
    chunk->bind(1, std::int64_t{series});
    chunk->bind(2, tail.seq);
    chunk->bind(3, points.x.front());
    chunk->bind(4, points.x.back());
    chunk->bind(5, count);
    if (nans < count) {
        chunk->bind(6, low);
        chunk->bind(7, high);
        chunk->bind(8, sum / static_cast<double>(count - nans));
    }
    chunk->bind(9, nans);
    auto const data = encodePoints(points, 0, points.x.size());
    chunk->bindBlob(10, data);
    TW_TRY(chunk->run());
    tail.dirty = false;
    return {};
}

/// Chunks that are not full yet are written again with every commit.
Status ReportWriter::Impl::writeTails()
{
    for (auto &[key, tail] : eventTails)
        if (tail.dirty) TW_TRY(writeEventChunk(key.first, key.second, tail));
    for (auto &[series, tail] : seriesTails)
        if (tail.dirty) TW_TRY(writeSeriesChunk(series, tail));
    return {};
}

Status ReportWriter::Impl::append(int pattern, int lane, report::EventColumns const &events)
{
    auto &tail = eventTails[{pattern, lane}];
    for (std::size_t i = 0; i < events.size(); ++i) {
        if (tail.events.size() == static_cast<std::size_t>(report::kChunkItems)) {
            TW_TRY(writeEventChunk(pattern, lane, tail));
            tail.events = {};
            ++tail.seq;
        }
        tail.events.start.push_back(events.start[i]);
        tail.events.duration.push_back(events.duration[i]);
        tail.events.type.push_back(events.type[i]);
        tail.events.argument.push_back(events.argument[i]);
        tail.events.vec.push_back(events.vec[i]);
        tail.dirty = true;
        pendingBytes += 8;
    }
    return {};
}

Status ReportWriter::Impl::append(int series, report::SeriesPoints const &points)
{
    auto &tail = seriesTails[series];
    for (std::size_t i = 0; i < points.x.size(); ++i) {
        if (tail.points.x.size() == static_cast<std::size_t>(report::kChunkItems)) {
            TW_TRY(writeSeriesChunk(series, tail));
            tail.points = {};
            ++tail.seq;
        }
        tail.points.x.push_back(points.x[i]);
        tail.points.y.push_back(points.y[i]);
        tail.dirty = true;
        pendingBytes += 8;
    }
    return {};
}

// ---- single rows -------------------------------------------------------------------------------------

Result<int> ReportWriter::addRun(report::RunRow const &row) { return m_impl->add(row); }
Result<int> ReportWriter::addPattern(report::PatternRow const &row) { return m_impl->add(row); }
Result<int> ReportWriter::addLane(report::LaneRow const &row) { return m_impl->add(row); }
Result<int> ReportWriter::addEventType(report::EventTypeRow const &row)
{
    TW_ASSIGN(int const id, m_impl->add(row));
    m_impl->phases.push_back(row.phase);
    return id;
}
Result<int> ReportWriter::addSeries(report::SeriesRow const &row) { return m_impl->add(row); }
Result<int> ReportWriter::addHeatmap(report::HeatmapRow const &row) { return m_impl->add(row); }
Result<int> ReportWriter::addFlow(report::FlowRow const &row) { return m_impl->add(row); }
Result<int> ReportWriter::addInsight(report::InsightRow const &row) { return m_impl->add(row); }
Result<int> ReportWriter::addLog(report::LogRow const &row) { return m_impl->add(row); }

Result<int> ReportWriter::addTileVec(std::vector<std::int64_t> values)
{
    TW_TRY(m_impl->begin());
    Impl::TileVecRow const row{report::contentHash(values), report::headOf(values), report::encodeTileVec(values)};
    auto const known = m_impl->tileVecs.find(row.hash);
    auto const id = known != m_impl->tileVecs.end() ? Result<int>(known->second) : m_impl->addTileVecNow(row);
    if (!id.ok()) return m_impl->fail(id.error());
    TW_TRY(m_impl->commitWhenDue());
    return id;
}

Status ReportWriter::updateRun(int run, report::RunRow const &row)
{
    // Replacing the row would need the others that point at it; so its columns are set.
    return m_impl->changed([&]() -> Status {
        std::string sets;
        ColumnNames columns;
        fields(columns, row);
        for (auto const &column : columns.names) sets += (sets.empty() ? "" : ", ") + column + " = ?";
        TW_ASSIGN(Statement *const prepared, m_impl->statement("UPDATE run SET " + sets + " WHERE id = ?"));
        RowBinder binder(*prepared, m_impl->names);
        binder.start(1);
        fields(binder, row);
        TW_TRY(binder.status());
        prepared->bind(static_cast<int>(columns.names.size()) + 1, std::int64_t{run});
        return prepared->run();
    });
}

Status ReportWriter::appendEvents(int pattern, int lane, report::EventColumns const &events)
{
    return m_impl->changed([&] { return m_impl->append(pattern, lane, events); });
}

Status ReportWriter::appendPoints(int series, report::SeriesPoints const &points)
{
    return m_impl->changed([&] { return m_impl->append(series, points); });
}

Status ReportWriter::appendPoint(int series, std::int64_t x, double y) { return appendPoints(series, {{x}, {y}}); }

Status ReportWriter::put(report::FigureRow const &row) { return m_impl->put(row); }
Status ReportWriter::put(report::PatternPlaceRow const &row) { return m_impl->put(row); }
Status ReportWriter::put(report::StepStatRow const &row) { return m_impl->put(row); }
Status ReportWriter::put(report::StepOutlierRow const &row) { return m_impl->put(row); }
Status ReportWriter::put(report::IpuSplitRow const &row) { return m_impl->put(row); }
Status ReportWriter::put(report::RunTileMetricRow const &row) { return m_impl->put(row); }
Status ReportWriter::put(report::HeatmapColumnRow const &row) { return m_impl->put(row); }
Status ReportWriter::put(report::StageTaskRow const &row) { return m_impl->put(row); }
Status ReportWriter::put(report::BubbleRow const &row) { return m_impl->put(row); }
Status ReportWriter::put(report::CriticalRow const &row) { return m_impl->put(row); }

Status ReportWriter::setMeta(std::string const &key, std::string const &value)
{
    return m_impl->changed([&] { return m_impl->setMetaNow(key, value); });
}

Status ReportWriter::setWatermark(std::string const &part, std::int64_t value)
{
    return m_impl->changed([&] { return m_impl->setWatermarkNow(part, value); });
}

} // namespace tilewright::store

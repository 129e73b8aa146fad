#include "engine/emulator/history.h"

#include <algorithm>
#include <cstring>
#include <set>

namespace tilewright::emulator {

using namespace program;

namespace {

/// Training steps that can be gone back, beside the one under way.
constexpr std::size_t kSteps = 2;
constexpr std::size_t kPagesPerTask = 256;

} // namespace

History::History(TileMachine &machine, std::vector<TileRange> const &ranges, Bytes most, int runPerCopy)
    : m_machine(machine), m_most(most), m_runPerCopy(runPerCopy)
{
    m_latest = machine.m_position.supersteps;
    std::set<std::size_t> pages;
    for (int replica = 0; replica < machine.m_program.replicas; ++replica)
        for (auto const &range : ranges) {
            if (range.bytes <= 0) continue;
            auto const at = static_cast<std::size_t>(replica) * machine.m_replicaBytes
                + static_cast<std::size_t>(range.tile) * static_cast<std::size_t>(machine.m_stride) + static_cast<std::size_t>(range.begin);
            for (auto page = at / kPage; page <= (at + static_cast<std::size_t>(range.bytes) - 1) / kPage; ++page)
                pages.insert(page * kPage);
        }
    for (int replica = 0; replica < machine.m_program.replicas; ++replica) { // the remote buffers behind the tiles
        auto const end = static_cast<std::size_t>(replica + 1) * machine.m_replicaBytes;
        auto const tiles = static_cast<std::size_t>(machine.m_stride) * static_cast<std::size_t>(machine.m_program.tiles());
        for (auto page = end - machine.m_replicaBytes + tiles; page < end; page += kPage) pages.insert(page);
    }
    m_pages.assign(pages.begin(), pages.end());
}

std::int64_t History::earliest() const { return m_snapshots.empty() ? m_latest : m_snapshots.front().position.supersteps; }

Bytes History::pageBytes() const
{
    std::int64_t pages = 0;
    Snapshot const *before = nullptr;
    for (auto const &snapshot : m_snapshots) {
        for (std::size_t i = 0; i < snapshot.pages.size(); ++i) pages += !before || before->pages[i] != snapshot.pages[i];
        before = &snapshot;
    }
    return pages * static_cast<Bytes>(kPage);
}

Bytes History::bytes() const
{
    Bytes sum = pageBytes() + m_feedBytes;
    for (auto const &event : m_events) sum += static_cast<Bytes>(sizeof event + event.bytes.size());
    for (auto const &snapshot : m_snapshots) {
        sum += static_cast<Bytes>(snapshot.pages.size() * sizeof(snapshot.pages[0]) + snapshot.sets.size() * sizeof(SetCounts));
        for (auto const &clocks : snapshot.clocks) sum += clocks.bytes();
    }
    return sum;
}

// --- recording ----------------------------------------------------------------------------------------

bool History::isReplaying() const { return isBehind() || m_nextEvent < m_firstEvent + static_cast<std::int64_t>(m_events.size()); }

/// True: what happened is in the future of the machine.
bool History::record(Event event)
{
    if (m_snapshots.empty()) return false;
    bool const later = isReplaying();
    m_events.push_back(std::move(event));
    if (!later) ++m_nextEvent;
    return later;
}

void History::clear()
{
    m_snapshots.clear();
    m_events.clear();
    m_firstEvent = m_nextEvent = 0;
    m_feeds.clear();
    m_feedBytes = 0;
    m_stepStarts.clear();
    m_latest = m_machine.m_position.supersteps;
}

void History::beginExecution(StepId step, bool once)
{
    TW_CHECK(!isBehind(), "an execution that begins at an earlier position");
    if (m_snapshots.empty()) takeSnapshot();
    record({Event::Kind::Begin, m_latest, true, m_machine.m_position.entry, step, once});
}

void History::beginTrainingStep()
{
    auto const now = m_machine.m_position.supersteps;
    if (isBehind() || m_machine.m_position.entry != 0 || (!m_stepStarts.empty() && m_stepStarts.back() == now)) return;
    m_stepStarts.push_back(now);
    if (m_stepStarts.size() > kSteps + 1) m_stepStarts.pop_front();
}

void History::afterStep()
{
    auto const now = m_machine.m_position.supersteps;
    if (now <= m_latest) return;
    m_latest = now;
    if (std::chrono::steady_clock::now() - m_taken < m_cost * (m_runPerCopy * m_thinned)) return;
    takeSnapshot();
    prune();
}

bool History::takesUpload(VarId var, std::span<std::byte const> data, int replica)
{
    Event event{Event::Kind::Upload, m_latest, m_machine.m_position.frames.empty(), m_machine.m_position.entry};
    event.var = var;
    event.replica = replica;
    event.bytes.assign(data.begin(), data.end());
    return record(std::move(event));
}

bool History::takesUpdates(std::int64_t done)
{
    Event event{Event::Kind::Updates, m_latest, m_machine.m_position.frames.empty(), m_machine.m_position.entry};
    event.updates = done;
    return record(std::move(event));
}

bool History::takesSeed(std::uint64_t seed)
{
    Event event{Event::Kind::Seed, m_latest, m_machine.m_position.frames.empty(), m_machine.m_position.entry};
    event.seed = seed;
    return record(std::move(event));
}

StreamHandlers History::streams(StreamHandlers const &host)
{
    StreamHandlers handlers;
    auto const now = m_machine.m_position.supersteps;
    if (now >= m_latest) {
        handlers.toDevice = [this, &host, now](int replica, int index, std::byte *data, std::size_t bytes) -> Status {
            TW_TRY(host.toDevice(replica, index, data, bytes));
            m_feeds[{now, replica}].assign(data, data + bytes);
            m_feedBytes += static_cast<Bytes>(bytes);
            return {};
        };
        handlers.fromDevice = host.fromDevice;
        return handlers;
    }
    handlers.toDevice = [this, now](int replica, int, std::byte *data, std::size_t bytes) -> Status {
        auto const &fed = m_feeds.at({now, replica});
        TW_CHECK(fed.size() == bytes, "a recorded feed of another size");
        std::memcpy(data, fed.data(), bytes);
        return {};
    };
    handlers.fromDevice = [](int, int, std::byte const *, std::size_t) -> Status { return {}; };
    return handlers;
}

// --- copies of the state ------------------------------------------------------------------------------

void History::takeSnapshot()
{
    auto const start = std::chrono::steady_clock::now();
    Snapshot snapshot;
    snapshot.position = m_machine.m_position;
    snapshot.seed = m_machine.m_seed;
    snapshot.events = m_firstEvent + static_cast<std::int64_t>(m_events.size());
    for (auto const &entry : m_machine.m_entries) {
        snapshot.clocks.push_back(entry.clocks.state());
        snapshot.updates.push_back(entry.updates);
    }
    for (auto const &set : m_machine.m_sets) snapshot.sets.push_back({set.executions, set.update});
    snapshot.pages.resize(m_pages.size());
    auto const *before = m_snapshots.empty() ? nullptr : &m_snapshots.back();
    m_machine.m_pool.run((m_pages.size() + kPagesPerTask - 1) / kPagesPerTask, [&](std::size_t task) {
        for (std::size_t i = task * kPagesPerTask; i < std::min(m_pages.size(), (task + 1) * kPagesPerTask); ++i) {
            auto const *memory = m_machine.m_memory + m_pages[i];
            if (before && std::memcmp(before->pages[i]->data(), memory, kPage) == 0) {
                snapshot.pages[i] = before->pages[i];
                continue;
            }
            auto page = std::make_shared<Page>();
            std::memcpy(page->data(), memory, kPage);
            snapshot.pages[i] = std::move(page);
        }
    });
    m_snapshots.push_back(std::move(snapshot));
    m_taken = std::chrono::steady_clock::now();
    m_cost = m_taken - start;
}

void History::restore(Snapshot const &snapshot)
{
    m_machine.m_position = snapshot.position;
    m_machine.m_seed = snapshot.seed;
    for (std::size_t e = 0; e < snapshot.clocks.size(); ++e) {
        m_machine.m_entries[e].clocks.restore(snapshot.clocks[e]);
        m_machine.m_entries[e].updates = snapshot.updates[e];
    }
    for (std::size_t s = 0; s < snapshot.sets.size(); ++s) {
        m_machine.m_sets[s].executions = snapshot.sets[s].executions;
        m_machine.m_sets[s].update = snapshot.sets[s].update;
    }
    m_nextEvent = snapshot.events;
    m_machine.m_pool.run((m_pages.size() + kPagesPerTask - 1) / kPagesPerTask, [&](std::size_t task) {
        for (std::size_t i = task * kPagesPerTask; i < std::min(m_pages.size(), (task + 1) * kPagesPerTask); ++i)
            std::memcpy(m_machine.m_memory + m_pages[i], snapshot.pages[i]->data(), kPage);
    });
}

/// Drops what lies before the steps that can be gone back, then what is too much for the memory.
void History::prune()
{
    auto const wanted = m_stepStarts.empty() ? 0 : m_stepStarts.front();
    while (m_snapshots.size() > 1 && m_snapshots[1].position.supersteps <= wanted) m_snapshots.pop_front();
    while (m_snapshots.size() > 1 && bytes() > m_most) {
        if (m_snapshots.size() < 4) {
            if (!m_stepStarts.empty() && m_snapshots[1].position.supersteps > m_stepStarts.back()) break;
            m_snapshots.pop_front();
            continue;
        }
        // Every second one, but neither the first nor the last.
        std::deque<Snapshot> kept;
        for (std::size_t i = 0; i < m_snapshots.size(); ++i)
            if (i % 2 == 0 || i + 1 == m_snapshots.size()) kept.push_back(std::move(m_snapshots[i]));
        m_snapshots = std::move(kept);
        m_thinned = std::min(m_thinned * 2, kMostThinned);
    }
    auto const &first = m_snapshots.front();
    while (!m_feeds.empty() && m_feeds.begin()->first.first < first.position.supersteps) {
        m_feedBytes -= static_cast<Bytes>(m_feeds.begin()->second.size());
        m_feeds.erase(m_feeds.begin());
    }
    for (; m_firstEvent < first.events; ++m_firstEvent) m_events.pop_front();
}

// --- going back ---------------------------------------------------------------------------------------

void History::apply(Event const &event)
{
    switch (event.kind) {
    case Event::Kind::Upload: m_machine.write(event.var, event.bytes, event.replica); break;
    case Event::Kind::Updates: m_machine.m_entries[event.entry].updates = event.updates; break;
    case Event::Kind::Seed: m_machine.m_seed = event.seed; break;
    case Event::Kind::Begin: break;
    }
}

Status History::applyEvents()
{
    auto &position = m_machine.m_position;
    while (m_nextEvent < m_firstEvent + static_cast<std::int64_t>(m_events.size())) {
        auto const &event = m_events[static_cast<std::size_t>(m_nextEvent - m_firstEvent)];
        if (event.superstep != position.supersteps || event.between != position.frames.empty()) return {};
        ++m_nextEvent;
        position.entry = event.entry;
        if (event.kind == Event::Kind::Begin) return m_machine.begin(event.step, false, event.once, {}, {});
        apply(event);
    }
    return {};
}

Status History::seek(std::int64_t superstep)
{
    TW_CHECK(superstep >= earliest() && superstep <= m_latest, "no such position in the history");
    auto const last = std::ranges::find_if(m_snapshots.rbegin(), m_snapshots.rend(),
                                           [&](Snapshot const &s) { return s.position.supersteps <= superstep; });
    struct Seeking {
        bool &flag;
        ~Seeking() { flag = false; }
    } const seeking{m_seeking};
    m_seeking = true;
    // From where the machine is, if that is nearer.
    auto const &position = m_machine.m_position;
    if (position.supersteps > superstep || position.supersteps < last->position.supersteps) restore(*last);
    while (position.supersteps < superstep) {
        TW_TRY(applyEvents());
        if (position.supersteps < superstep && !position.frames.empty()) TW_TRY(m_machine.advance({}, {}));
    }
    return {};
}

} // namespace tilewright::emulator

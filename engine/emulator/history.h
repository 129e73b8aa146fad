#pragma once

#include "engine/emulator/tile_machine.h"

#include <array>
#include <chrono>
#include <deque>
#include <map>
#include <memory>
#include <utility>
#include <vector>

namespace tilewright::emulator {

/// What a tile machine needs to return to an earlier position: copies of its state from time to time, and what the host gave it since.
/// seek() restores the last copy before the position and runs the program from there. The program is deterministic, so every byte and every
/// clock is as it was. Until the machine is again where it had been, it takes its input from the record, and its output, which the host
/// has, is dropped.
///
/// A copy holds the pages of tile memory that differ from the copy before it; equal pages are shared.
class History {
public:
    /// `ranges`: the parts of tile memory that a program uses. `most`: host memory of the record in bytes.
    History(TileMachine &machine, std::vector<TileRange> const &ranges, Bytes most, int runPerCopy);

    /// The earliest position (Position::supersteps) that can be returned to: as a rule the beginning of the training step before the last
    /// one, later if the memory is not enough for that,
    /// but never later than that of the step under way.
    std::int64_t earliest() const;
    /// The latest one.
    std::int64_t latest() const { return m_latest; }
    /// Whether the machine has returned to an earlier position.
    bool isBehind() const { return m_machine.m_position.supersteps < m_latest; }
    /// Beginnings of the last training steps (weight updates, or executions without a loop of them), from the earliest.
    std::vector<std::int64_t> stepStarts() const { return {m_stepStarts.begin(), m_stepStarts.end()}; }
    /// Moves the machine. Requires: called in onStep; earliest() <= superstep <= latest().
    Status seek(std::int64_t superstep);
    /// Host memory in use.
    Bytes bytes() const;

private:
    friend class TileMachine;

    static constexpr std::size_t kPage = 4096;
    using Page = std::array<std::byte, kPage>;
    /// How often a compute set has run, which chooses its random bits.
    struct SetCounts {
        std::int64_t executions, update;
    };
    struct Snapshot {
        Position position;
        std::vector<std::shared_ptr<Page const>> pages; ///< of m_pages
        std::vector<TileClocks::State> clocks;          ///< by entry
        std::vector<std::int64_t> updates;              ///< by entry
        std::vector<SetCounts> sets;
        std::uint64_t seed = 0;
        std::int64_t events = 0; ///< happened before
    };
    /// What the host did, except its feeds.
    struct Event {
        enum class Kind { Begin, Upload, Updates, Seed } kind;
        std::int64_t superstep;
        bool between; ///< executions
        std::size_t entry;
        program::StepId step = {}; ///< Begin
        bool once = false;
        program::VarId var = {}; ///< Upload
        int replica = -1;
        std::vector<std::byte> bytes = {};
        std::int64_t updates = 0; ///< Updates
        std::uint64_t seed = 0;   ///< Seed
    };

    // Called by the machine:
    bool isSeeking() const { return m_seeking; }
    /// Whether something of the record is still to be repeated.
    bool isReplaying() const;
    /// Forgets all, after an execution that failed.
    void clear();
    void beginExecution(program::StepId step, bool once);
    void beginTrainingStep();
    void afterStep();
    /// The handlers that record, or those that give back what was recorded.
    StreamHandlers streams(StreamHandlers const &host);
    /// True: the machine is at an earlier position; the write is made when it is at the latest one again.
    bool takesUpload(program::VarId var, std::span<std::byte const> data, int replica);
    bool takesUpdates(std::int64_t done);
    bool takesSeed(std::uint64_t seed);
    /// Repeats what the host did at this position.
    Status applyEvents();

    bool record(Event event);
    void apply(Event const &event);
    void takeSnapshot();
    void restore(Snapshot const &snapshot);
    void prune();
    Bytes pageBytes() const;

    TileMachine &m_machine;
    Bytes m_most;
    int m_runPerCopy;
    std::vector<std::size_t> m_pages; ///< offsets in the machine's memory
    std::deque<Snapshot> m_snapshots;
    std::deque<Event> m_events;
    std::int64_t m_firstEvent = 0, m_nextEvent = 0;                         ///< number of m_events[0]; the next one to apply
    std::map<std::pair<std::int64_t, int>, std::vector<std::byte>> m_feeds; ///< by superstep and replica
    Bytes m_feedBytes = 0;
    std::deque<std::int64_t> m_stepStarts;
    std::int64_t m_latest = 0;
    bool m_seeking = false;
    std::chrono::steady_clock::time_point m_taken;
    std::chrono::steady_clock::duration m_cost{}; ///< of the last copy
    static constexpr std::int64_t kMostThinned = 65'536;
    std::int64_t m_thinned = 1; ///< copies are this much further apart, for want of memory
};

} // namespace tilewright::emulator

#pragma once

#include "engine/store/report_reader.h"
#include "views/reports/kept.h"

#include <compare>
#include <condition_variable>
#include <functional>
#include <list>
#include <map>
#include <mutex>
#include <optional>

namespace tilewright::views {

/// The file behind the snapshots of one report: one reader per concurrent thread, and a cache.
///
/// The cache is bounded; dropped parts stay with their holders (Kept). Blocks are read without a lock, except that two requests for the
/// same block read it once. Blocks are read on pool threads only: a read on the window's thread is a mistake of the program, which
/// windowReads() counts for tests.
class ReportFile {
public:
    static Result<std::shared_ptr<ReportFile>> open(std::filesystem::path const &path);

    /// Exclusive use of a reader while the lease lives.
    class Lease {
    public:
        Lease(ReportFile const &file, std::shared_ptr<store::ReportReader const> reader) : m_file(file), m_reader(std::move(reader)) {}
        ~Lease() { m_file.giveBack(std::move(m_reader)); }
        Lease(Lease const &) = delete;
        Lease &operator=(Lease const &) = delete;
        explicit operator bool() const { return m_reader != nullptr; } ///< false: the file is missing
        store::ReportReader const &operator*() const { return *m_reader; }
        store::ReportReader const *operator->() const { return m_reader.get(); }

    private:
        ReportFile const &m_file;
        std::shared_ptr<store::ReportReader const> m_reader;
    };
    Lease reader() const;
    std::filesystem::path const &path() const { return m_path; }
    /// Whether the path still refers to this file (it may have been replaced).
    bool isAt(std::filesystem::path const &path) const;
    /// Changes when the writer commits.
    std::int64_t dataVersion() const;
    /// After the writer has finished: merges the log, so that one plain file remains.
    void settle() const;

    /// Key of a block. `state` is 0 for constant data, else the state of the file when it was read.
    struct Key {
        char kind = 0;
        int a = 0, b = 0, c = 0;
        std::string name;
        std::int64_t state = 0;
        auto operator<=>(Key const &) const = default;
    };
    template <typename T> using Read = std::function<Result<T>(store::ReportReader const &)>;
    /// The block, read if it is not in the cache. Empty if it cannot be read; damage() then gives the reason.
    template <typename T> Kept<T> block(Key const &key, Read<T> const &read) const
    {
        return Kept<T>(std::static_pointer_cast<T const>(find(key, [&](store::ReportReader const &reader) -> Loaded {
            Result<T> value = read(reader);
            if (!value.ok()) return {nullptr, 0, value.error()};
            std::size_t const bytes = bytesOf(*value);
            return {std::make_shared<T const>(std::move(value).value()), bytes, std::nullopt};
        })));
    }
    /// The first block that could not be read, with the reason.
    std::optional<Diagnostic> damage() const;
    /// Of what is read past the cache.
    void noteDamage(Diagnostic const &why) const;

    std::size_t cachedBytes() const;
    void setCacheLimit(std::size_t bytes);
    static int windowReads();                        ///< blocks read on the window's thread since program start
    static std::string lastWindowRead();             ///< kind and numbers of the last of them
    static void noteThread(std::string const &what); ///< called when a block is read

private:
    explicit ReportFile(std::filesystem::path path) : m_path(std::move(path)) {}
    struct Loaded {
        std::shared_ptr<void const> value;
        std::size_t bytes = 0;
        std::optional<Diagnostic> error;
    };
    struct Slot {
        std::mutex reading;
        std::shared_ptr<void const> value;
    };
    struct Entry {
        std::shared_ptr<Slot> slot = std::make_shared<Slot>();
        std::size_t bytes = 0;
        std::list<Key>::iterator place;
    };
    std::shared_ptr<void const> find(Key const &key, std::function<Loaded(store::ReportReader const &)> const &load) const;
    void giveBack(std::shared_ptr<store::ReportReader const> reader) const;
    void evict() const; ///< Requires: m_mutex is held

    template <typename V> static std::size_t bytesOf(std::vector<V> const &list) { return sizeof list + list.size() * sizeof(V); }
    static std::size_t bytesOf(report::EventColumns const &events) { return sizeof events + events.size() * 5 * sizeof(std::int64_t); }
    static std::size_t bytesOf(report::LiveCurveRow const &curve) { return sizeof curve + curve.notAlwaysLive.size() * sizeof(Bytes); }
    static std::size_t bytesOf(report::SeriesPoints const &points) { return sizeof points + points.x.size() * 2 * sizeof(double); }

    std::filesystem::path m_path;
    std::uint64_t m_device = 0, m_inode = 0;
    mutable std::mutex m_mutex;
    mutable std::condition_variable m_returned;
    mutable std::shared_ptr<store::ReportReader const> m_first;
    mutable std::vector<std::shared_ptr<store::ReportReader const>> m_idle;
    mutable int m_out = 0;
    mutable std::map<Key, Entry> m_entries;
    mutable std::list<Key> m_order; ///< most recently used first
    mutable std::size_t m_bytes = 0;
    std::size_t m_limit = 64 * 1024 * 1024;
    mutable std::optional<Diagnostic> m_damage;
};

} // namespace tilewright::views

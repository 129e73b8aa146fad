#pragma once

#include "engine/core/file_lock.h"
#include "engine/core/job_context.h"
#include "engine/executable/blob.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace tilewright::executable {

/// Everything that a compile result depends on, as named texts ("graph" may be a hash; "ipu_config.…" the values). Two keys are equal
/// exactly if the compiler would produce the same. Names contain no '=' or newline.
using CacheKey = std::map<std::string, std::string>;

/// The field with the build of the compiler.
inline constexpr std::string_view kBuildField = "build";

/// "name=value" lines in name order, with backslashes and newlines of values escaped. Stored with the entry, so that a miss can name the
/// difference.
std::string keyText(CacheKey const &key);
/// The inverse; lines without '=' are skipped.
CacheKey parseKeyText(std::string_view text);
/// Hash of keyText: the entry's name.
Hash128 keyHash(CacheKey const &key);
/// Hash of the stored fields of an executable and their types; changes with every added, removed or retyped field. Part of every key.
std::string storedFormat();

enum class LookupOutcome {
    Hit,
    Miss,
    Damaged ///< the entry exists and is unusable: compile again (storing replaces it)
};

struct Lookup {
    LookupOutcome outcome = LookupOutcome::Miss;
    Hash128 hash;
    std::optional<StoredBlob> blob; ///< with Hit
    /// The reason: damage of the entry, or the first field in which the key differs from the most similar entry ("differs from entry 0f3a…
    /// in ipu_config.x: 'a' there, 'b' here").
    Message reason;
    /// With Damaged: a warning for the user.
    std::optional<Diagnostic> warning;
};

enum class EntryStatus { Good, Damaged, OtherVersion };
/// "ok", "damaged", "other version".
std::string_view toText(EntryStatus status);

struct CacheEntry {
    std::string name; ///< 32 hexadecimal digits
    std::filesystem::path path;
    std::int64_t fileBytes = 0;
    std::int64_t payloadBytes = 0;
    std::int64_t modifiedMs = 0; ///< Unix time
    std::string writer;
    CacheKey key;
    EntryStatus status = EntryStatus::Good;
    std::string problem; ///< empty: valid
};

struct CacheCleared {
    int entries = 0;
    std::int64_t bytes = 0;
};

/// Compiled executables on disk, shared by all processes of the user, one file `<32 hex>.twexe` per key. To compile once for several
/// processes:
///
///     find → hit: done. Else lockKey (waits for another compile) → find again → compile → store.
///
/// Has no state except its folder; thread-safe.
class ExecutableCache {
public:
    /// Without a folder: `tilewright/executables` in the user's cache (engine/core/files.h). An executable is code: a folder that others
    /// may write is refused (requirePrivateFolder). Errors are Invalid, code "cache.folder"; the caller may continue without a cache.
    static Result<ExecutableCache> open(std::optional<std::filesystem::path> folder = {});

    std::filesystem::path const &folder() const { return m_folder; }
    std::filesystem::path entryPath(Hash128 const &hash) const;

    /// Never fails: an unreadable entry is a miss or damaged, with its reason.
    Lookup find(CacheKey const &key) const;
    /// Replaces the entry of the key and of other builds for the same content. `writer`: version of the program. Errors are Invalid,
    /// "file.write" (disk full …); the run may continue without the cache.
    Status store(CacheKey const &key, std::string_view writer, std::span<std::byte const> payload) const;

    /// Held while one process compiles this key. While waiting it reports the phase "waiting for another process". Cancelled with the job.
    Result<FileLock> lockKey(Hash128 const &hash, JobContext const &job) const;

    /// Reads headers only. Sorted by name.
    std::vector<CacheEntry> list() const;
    /// Also checks every payload, and that each entry's name is the hash of its key.
    std::vector<CacheEntry> verify(JobContext const &job = {}) const;
    /// Removes entries, files of killed writers, and unused locks.
    Result<CacheCleared> clear() const;

private:
    explicit ExecutableCache(std::filesystem::path folder) : m_folder(std::move(folder)) {}
    std::vector<CacheEntry> readEntries(StoredBlob::Check check, JobContext const &job) const;
    Message missReason(CacheKey const &key) const;
    std::filesystem::path m_folder;
};

} // namespace tilewright::executable

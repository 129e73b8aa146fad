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

/// Everything a compile result depends on, as named texts ("graph" may be a hash; "ipu_config.…" the
/// values): two keys are equal exactly if the compiler would do the same. Names hold no '=' or newline.
using CacheKey = std::map<std::string, std::string>;

/// The field that says which build of the compiler it was.
inline constexpr std::string_view kBuildField = "build";

/// "name=value" lines in the order of names; backslashes and newlines of values are escaped. Stored with
/// the entry, so that a miss can say what differs.
std::string keyText(CacheKey const &key);
/// The inverse; lines without '=' are skipped.
CacheKey parseKeyText(std::string_view text);
/// Hash of keyText: the entry's name.
Hash128 keyHash(CacheKey const &key);
/// Hash of the fields that a stored executable has and of their types: another when one comes, goes or changes. Part of every key.
std::string storedFormat();

enum class LookupOutcome {
    Hit,
    Miss,
    Damaged ///< an entry is there and cannot be used: compile again (storing replaces it)
};

struct Lookup {
    LookupOutcome outcome = LookupOutcome::Miss;
    Hash128 hash;
    std::optional<StoredBlob> blob; ///< with Hit
    /// Why: what is wrong with the entry, or the first field in which the key differs from the most
    /// similar entry ("differs from entry 0f3a… in ipu_config.x: 'a' there, 'b' here").
    Message reason;
    /// With Damaged: to be handed to the user.
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
    std::string problem; ///< empty when good
};

struct CacheCleared {
    int entries = 0;
    std::int64_t bytes = 0;
};

/// Compiled executables on disk, shared by all processes of the user, one file `<32 hex>.twexe` per key.
/// Compiling once although several processes ask:
///
///     find → hit: done. Else lockKey (waits for who compiles it) → find again → compile → store.
///
/// Holds no state but its folder; any number of threads may use it.
class ExecutableCache {
public:
    /// Without a folder: `tilewright/executables` in the user's cache (engine/core/files.h). Errors are
    /// Invalid, code "cache.folder"; a caller may then go on without a cache.
    static Result<ExecutableCache> open(std::optional<std::filesystem::path> folder = {});

    std::filesystem::path const &folder() const { return m_folder; }
    std::filesystem::path entryPath(Hash128 const &hash) const;

    /// Never fails: what cannot be read is a miss or damaged, with its reason.
    Lookup find(CacheKey const &key) const;
    /// Replaces what is there, and what another build made of the same. `writer` is the program's version. Errors are Invalid, "file.write"
    /// (disk full …); the run can go on without.
    Status store(CacheKey const &key, std::string_view writer, std::span<std::byte const> payload) const;

    /// Held while one process compiles this key. Reports the phase "waiting for another process" while
    /// it waits; Cancelled when the job is.
    Result<FileLock> lockKey(Hash128 const &hash, JobContext const &job) const;

    /// Headers only; by name.
    std::vector<CacheEntry> list() const;
    /// Also checks every payload and that each entry's name is its key's hash.
    std::vector<CacheEntry> verify(JobContext const &job = {}) const;
    /// Removes entries, files left by killed writers, and locks nobody holds.
    Result<CacheCleared> clear() const;

private:
    explicit ExecutableCache(std::filesystem::path folder) : m_folder(std::move(folder)) {}
    std::vector<CacheEntry> readEntries(StoredBlob::Check check, JobContext const &job) const;
    Message missReason(CacheKey const &key) const;
    std::filesystem::path m_folder;
};

} // namespace tilewright::executable

#include "engine/executable/cache.h"

#include "engine/core/files.h"
#include "engine/core/safe_text.h"

#include <algorithm>
#include <iterator>

#include <sys/stat.h>

namespace tilewright::executable {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view kExtension = ".twexe";

std::string escaped(std::string_view value)
{
    std::string text;
    for (char c : value) {
        if (c == '\\') text += "\\\\";
        else if (c == '\n') text += "\\n";
        else text += c;
    }
    return text;
}

std::string unescaped(std::string_view text)
{
    std::string value;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '\\' || i + 1 == text.size()) value += text[i];
        else value += text[++i] == 'n' ? '\n' : text[i];
    }
    return value;
}

constexpr std::size_t kShown = 60; ///< characters of a value in a sentence

std::string quoted(std::string const &value) { return "'" + shortened(safeText(value), kShown) + "'"; }

/// Two values that differ, as a sentence shows them.
struct ShownPair {
    std::string a, b;
};

std::size_t firstDifferenceOf(std::string_view a, std::string_view b)
{
    return static_cast<std::size_t>(std::ranges::mismatch(a, b).in1 - a.begin());
}

/// The line that begins at `start`, safe to show.
std::string lineAt(std::string_view text, std::size_t start) { return safeText(text.substr(start, text.find('\n', start) - start)); }

/// Of several lines the first that differs; of a long line what is around its first difference.
ShownPair shownPair(std::string_view a, std::string_view b)
{
    constexpr std::size_t kBefore = 20;
    auto const same = firstDifferenceOf(a, b);
    auto const lineStart = same == 0 ? 0 : a.rfind('\n', same - 1) + 1; // npos + 1 is 0
    auto const there = lineAt(a, lineStart), here = lineAt(b, lineStart);
    auto start = firstDifferenceOf(there, here);
    start = std::max(there.size(), here.size()) <= kShown || start <= kBefore ? 0 : start - kBefore;
    while (start > 0 && start < there.size() && (static_cast<unsigned char>(there[start]) & 0xc0) == 0x80) --start;
    auto const shown = [start](std::string const &line) {
        return std::string(start > 0 ? "'…" : "'") + shortened(line.substr(start), kShown) + "'";
    };
    return {shown(there), shown(here)};
}

std::vector<fs::path> filesIn(fs::path const &folder)
{
    std::vector<fs::path> paths;
    std::error_code problem;
    for (fs::directory_iterator it(folder, problem), end; !problem && it != end; it.increment(problem)) paths.push_back(it->path());
    std::ranges::sort(paths);
    return paths;
}

bool isEntry(fs::path const &path) { return path.extension() == kExtension && parseHash(path.stem().string()).has_value(); }

bool isLock(fs::path const &path) { return path.extension() == ".lock" && parseHash(path.stem().string()).has_value(); }
int equalFields(CacheKey const &a, CacheKey const &b)
{
    int equal = 0;
    for (auto const &[name, value] : a)
        if (auto const it = b.find(name); it != b.end() && it->second == value) ++equal;
    return equal;
}

/// Whether both keys may belong to versions of one program: at least half of the lines of their models are equal. Keys without a model: at
/// least half of their fields.
bool isRelated(CacheKey const &a, CacheKey const &b)
{
    auto const modelOfA = a.find("model"), modelOfB = b.find("model");
    if (modelOfA == a.end() || modelOfB == b.end()) return 2 * equalFields(a, b) >= static_cast<int>(std::max(a.size(), b.size()));
    auto const linesOf = [](std::string const &text) {
        std::vector<std::string_view> lines;
        for (std::size_t at = 0; at < text.size();) {
            auto const end = std::min(text.find('\n', at), text.size());
            lines.emplace_back(text.data() + at, end - at);
            at = end + 1;
        }
        std::ranges::sort(lines);
        return lines;
    };
    auto const left = linesOf(modelOfA->second), right = linesOf(modelOfB->second);
    std::vector<std::string_view> common;
    std::ranges::set_intersection(left, right, std::back_inserter(common));
    return 2 * common.size() >= std::max(left.size(), right.size());
}

bool differInBuildAlone(CacheKey const &a, CacheKey const &b)
{
    auto const build = std::string(kBuildField);
    auto const ofA = a.find(build), ofB = b.find(build);
    return a.size() == b.size() && ofA != a.end() && ofB != b.end() && ofA->second != ofB->second
        && equalFields(a, b) + 1 == static_cast<int>(a.size());
}

/// "in FIELD: 'a' there, 'b' here" for the first field, by name, that differs.
Message firstDifference(CacheKey const &there, CacheKey const &here)
{
    CacheKey names = there;
    names.insert(here.begin(), here.end());
    for (auto const &[name, unused] : names) {
        auto const a = there.find(name), b = here.find(name);
        if (a == there.end()) return Message::of("in %1: absent there, %2 here", name, quoted(b->second));
        if (b == here.end()) return Message::of("in %1: %2 there, absent here", name, quoted(a->second));
        if (a->second == b->second) continue;
        auto const shown = shownPair(a->second, b->second);
        return Message::of("in %1: %2 there, %3 here", name, shown.a, shown.b);
    }
    return Message::of("in nothing");
}

} // namespace

std::string keyText(CacheKey const &key)
{
    std::string text;
    for (auto const &[name, value] : key) text += name + "=" + escaped(value) + "\n";
    return text;
}

CacheKey parseKeyText(std::string_view text)
{
    CacheKey key;
    while (!text.empty()) {
        auto const end = std::min(text.find('\n'), text.size());
        auto const line = text.substr(0, end);
        if (auto const equals = line.find('='); equals != std::string_view::npos)
            key[std::string(line.substr(0, equals))] = unescaped(line.substr(equals + 1));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return key;
}

Hash128 keyHash(CacheKey const &key) { return contentHash(keyText(key)); }

std::string_view toText(EntryStatus status)
{
    switch (status) {
    case EntryStatus::Good: return "ok";
    case EntryStatus::Damaged: return "damaged";
    case EntryStatus::OtherVersion: return "other version";
    }
    return "";
}

Result<ExecutableCache> ExecutableCache::open(std::optional<fs::path> folder)
{
    Result<fs::path> found = fs::path();
    if (!folder) {
        found = cacheFolder("executables");
    } else {
        auto made = ensureFolder(*folder);
        if (made.ok()) made = requirePrivateFolder(*folder);
        found = made.ok() ? Result<fs::path>(*folder) : Result<fs::path>(made.error());
    }
    if (found.ok()) return ExecutableCache(std::move(*found));
    return makeError(ErrorKind::Invalid, "cache.folder", found.error().subject,
                     Message::of("the executable cache cannot be used: %1", found.error().message),
                     Message::of("Choose another folder with --executable_cache_path, or compile with --no-cache."));
}

fs::path ExecutableCache::entryPath(Hash128 const &hash) const { return m_folder / (toText(hash) + std::string(kExtension)); }

Lookup ExecutableCache::find(CacheKey const &key) const
{
    Lookup lookup;
    auto const wanted = keyText(key);
    lookup.hash = contentHash(wanted);
    auto const path = entryPath(lookup.hash);
    std::error_code ignored;
    if (!fs::exists(path, ignored)) {
        lookup.reason = missReason(key);
        return lookup;
    }
    auto const trusted = requirePrivateFile(path);
    auto blob = trusted.ok() ? StoredBlob::open(path) : Result<StoredBlob>(trusted.error());
    if (blob.ok() && blob->header().key != wanted)
        blob = makeError(ErrorKind::Invalid, "blob.damaged", path.string(),
                         Message::of("the entry describes another executable than its name."));
    if (blob.ok()) {
        lookup.outcome = LookupOutcome::Hit;
        lookup.reason = Message::of("found %1", toText(lookup.hash));
        lookup.blob = std::move(*blob);
        return lookup;
    }
    auto const &error = blob.error();
    lookup.reason = Message::of("entry %1: %2", toText(lookup.hash), error.message);
    if (error.code == "blob.newer") return lookup;
    lookup.outcome = LookupOutcome::Damaged;
    if (!trusted.ok()) {
        lookup.warning = error;
        lookup.warning->severity = Severity::Warning;
        return lookup;
    }
    lookup.warning = makeWarning("cache.damaged", path.string(),
                                 Message::of("a damaged entry of the executable cache is not used; compiling again: %1", error.message));
    return lookup;
}

Message ExecutableCache::missReason(CacheKey const &key) const
{
    int best = -1;
    CacheEntry nearest;
    for (auto &entry : list()) {
        if (entry.status != EntryStatus::Good) continue;
        if (int const equal = equalFields(key, entry.key); equal > best) {
            best = equal;
            nearest = std::move(entry);
        }
    }
    if (best < 0) return Message::of("the cache is empty");
    // The first difference from another program is no reason for the miss.
    if (!isRelated(nearest.key, key)) return Message::of("the cache holds no executable of this model");
    return Message::of("differs from entry %1… %2", nearest.name.substr(0, 8), firstDifference(nearest.key, key));
}

Status ExecutableCache::store(CacheKey const &key, std::string_view writer, std::span<std::byte const> payload) const
{
    auto const text = keyText(key);
    auto const entryFile = entryPath(contentHash(text));
    TW_TRY(writeBlob(entryFile, writer, text, payload));
    std::error_code ignored;
    fs::permissions(entryFile, fs::perms::owner_read | fs::perms::owner_write, ignored); // else find() would not trust it
    // A program that is built anew again and again leaves one entry of each, not one of every build.
    for (auto const &entry : list())
        if (entry.status == EntryStatus::Good && differInBuildAlone(entry.key, key)) fs::remove(entry.path, ignored);
    return {};
}

Result<FileLock> ExecutableCache::lockKey(Hash128 const &hash, JobContext const &job) const
{
    auto const path = m_folder / (toText(hash) + ".lock");
    TW_ASSIGN(auto taken, FileLock::tryLock(path));
    if (taken) return std::move(*taken);
    job.report("waiting for another process that compiles the same", 0);
    return FileLock::lock(path, job);
}

std::vector<CacheEntry> ExecutableCache::readEntries(StoredBlob::Check check, JobContext const &job) const
{
    std::vector<fs::path> paths;
    for (auto &path : filesIn(m_folder))
        if (isEntry(path)) paths.push_back(std::move(path));
    std::vector<CacheEntry> entries;
    for (auto const &path : paths) {
        if (job.cancelled()) break;
        job.report("checking the cache", static_cast<double>(entries.size()) / static_cast<double>(paths.size()));
        struct stat status {};
        if (::stat(path.c_str(), &status) != 0) continue; // removed meanwhile
        CacheEntry entry;
        entry.name = path.stem().string();
        entry.path = path;
        entry.fileBytes = status.st_size;
        entry.modifiedMs = std::int64_t{status.st_mtim.tv_sec} * 1000 + status.st_mtim.tv_nsec / 1'000'000;
        auto const blob = StoredBlob::open(path, check);
        if (blob.ok()) {
            entry.payloadBytes = static_cast<std::int64_t>(blob->header().payloadBytes);
            entry.writer = blob->header().writer;
            entry.key = parseKeyText(blob->header().key);
            if (toText(contentHash(blob->header().key)) != entry.name) {
                entry.status = EntryStatus::Damaged;
                entry.problem = "the name is not the hash of the key";
            }
        } else {
            entry.status = blob.error().code == "blob.newer" ? EntryStatus::OtherVersion : EntryStatus::Damaged;
            entry.problem = blob.error().message;
        }
        entries.push_back(std::move(entry));
    }
    return entries;
}

std::vector<CacheEntry> ExecutableCache::list() const { return readEntries(StoredBlob::Check::HeaderOnly, {}); }
std::vector<CacheEntry> ExecutableCache::verify(JobContext const &job) const { return readEntries(StoredBlob::Check::All, job); }

Result<CacheCleared> ExecutableCache::clear() const
{
    CacheCleared cleared;
    removeLeftBehind(m_folder);
    for (auto const &path : filesIn(m_folder)) {
        if (isLock(path)) {
            auto const lock = FileLock::tryLock(path);
            if (lock.ok() && *lock) (*lock)->removeFile(path);
            continue;
        }
        if (!isEntry(path)) continue; // not ours
        std::error_code problem;
        auto const bytes = fs::file_size(path, problem);
        if (fs::remove(path, problem) && !problem) {
            ++cleared.entries;
            cleared.bytes += static_cast<std::int64_t>(bytes);
        }
        if (problem)
            return makeError(ErrorKind::Invalid, "cache.clear", path.string(),
                             Message::of("cannot remove the file: %1.", problem.message()));
    }
    return cleared;
}

} // namespace tilewright::executable

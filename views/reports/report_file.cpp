#include "views/reports/report_file.h"

#include "views/jobs/pool_work.h"

#include <QCoreApplication>
#include <QThread>
#include <QThreadPool>

#include <atomic>

#include <sys/stat.h>

namespace tilewright::views {

namespace {

constexpr std::size_t kIdleReaders = 4;
std::atomic<int> s_windowReads = 0;
std::string s_lastWindowRead; ///< touched by the window's thread alone

} // namespace

void ReportFile::noteThread(std::string const &what)
{
    auto const *application = QCoreApplication::instance();
    if (!application || QThread::currentThread() != application->thread()) return;
    ++s_windowReads;
    s_lastWindowRead = what;
}

std::string ReportFile::lastWindowRead() { return s_lastWindowRead; }

int ReportFile::windowReads() { return s_windowReads; }

Result<std::shared_ptr<ReportFile>> ReportFile::open(std::filesystem::path const &path)
{
    // Closing may take in a log, and so is no work for the window's thread either.
    std::shared_ptr<ReportFile> file(new ReportFile(path), [](ReportFile *gone) {
        auto const *application = QCoreApplication::instance();
        if (application && QThread::currentThread() == application->thread())
            startOn(*QThreadPool::globalInstance(), [gone] { delete gone; });
        else delete gone;
    });
    TW_ASSIGN(auto reader, store::ReportReader::open(path));
    struct stat about {};
    if (stat(path.c_str(), &about) == 0) {
        file->m_device = about.st_dev;
        file->m_inode = about.st_ino;
    }
    file->m_first = std::move(reader);
    return file;
}

bool ReportFile::isAt(std::filesystem::path const &path) const
{
    struct stat about {};
    return path == m_path && stat(path.c_str(), &about) == 0 && about.st_dev == m_device && about.st_ino == m_inode;
}

ReportFile::Lease ReportFile::reader() const
{
    std::shared_ptr<store::ReportReader const> reader;
    {
        std::lock_guard const lock(m_mutex);
        ++m_out;
        if (!m_idle.empty()) {
            reader = std::move(m_idle.back());
            m_idle.pop_back();
        }
    }
    // One more of the same file. One that has been replaced or removed is read on through the first reader: it takes turns.
    if (!reader && isAt(m_path))
        if (auto another = store::ReportReader::open(m_path); another.ok()) reader = std::move(another).value();
    if (!reader) {
        std::lock_guard const lock(m_mutex);
        reader = m_first;
    }
    return {*this, std::move(reader)};
}

void ReportFile::giveBack(std::shared_ptr<store::ReportReader const> reader) const
{
    {
        std::lock_guard const lock(m_mutex);
        if (reader && reader != m_first && m_idle.size() < kIdleReaders) m_idle.push_back(std::move(reader));
    }
    reader.reset(); // one too many is closed without the lock, and before it counts as back
    {
        std::lock_guard const lock(m_mutex);
        --m_out;
    }
    m_returned.notify_all();
}

std::int64_t ReportFile::dataVersion() const
{
    std::shared_ptr<store::ReportReader const> first; // the number is one connection's own: always the same is asked
    {
        std::lock_guard const lock(m_mutex);
        first = m_first;
    }
    auto const version = first ? first->dataVersion() : Result<std::int64_t>(std::int64_t{-1});
    return version.ok() ? *version : -1;
}

void ReportFile::settle() const
{
    std::unique_lock lock(m_mutex);
    m_returned.wait(lock, [this] { return m_out == 0; });
    if (!m_first || m_first->isLive() || !isAt(m_path)) return;
    // A reader of ours would keep the log where it is; whoever comes meanwhile waits.
    m_idle.clear();
    m_first.reset();
    if (auto again = store::ReportReader::open(m_path); again.ok()) m_first = std::move(again).value();
}

std::shared_ptr<void const> ReportFile::find(Key const &key, std::function<Loaded(store::ReportReader const &)> const &load) const
{
    std::shared_ptr<Slot> slot;
    {
        std::lock_guard const lock(m_mutex);
        auto const [it, isNew] = m_entries.try_emplace(key);
        if (isNew) {
            m_order.push_front(key);
            it->second.place = m_order.begin();
        } else {
            m_order.splice(m_order.begin(), m_order, it->second.place);
        }
        slot = it->second.slot;
    }
    std::lock_guard const one(slot->reading);
    if (slot->value) return slot->value;
    noteThread(std::string(1, key.kind) + " " + std::to_string(key.a) + " " + std::to_string(key.b) + " " + std::to_string(key.c) + " "
               + key.name);
    Loaded loaded;
    {
        auto const from = reader();
        if (from) loaded = load(*from);
        else
            loaded.error = makeError(ErrorKind::Data, "store.missing", m_path.string(), Message::of("the report can no longer be read"),
                                     Message::of("Open it again."));
    }
    if (loaded.error) noteDamage(*loaded.error);
    std::lock_guard const lock(m_mutex);
    auto const it = m_entries.find(key);
    bool const ours = it != m_entries.end() && it->second.slot == slot;
    if (loaded.error) {
        if (ours) { // asked for again, it is tried again
            m_order.erase(it->second.place);
            m_entries.erase(it);
        }
        return nullptr;
    }
    slot->value = loaded.value;
    if (ours) {
        it->second.bytes = loaded.bytes;
        m_bytes += loaded.bytes;
        evict();
    }
    return loaded.value;
}

void ReportFile::evict() const
{
    while (m_bytes > m_limit && m_order.size() > 1) {
        auto const it = m_entries.find(m_order.back());
        m_bytes -= it->second.bytes;
        m_entries.erase(it);
        m_order.pop_back();
    }
}

void ReportFile::noteDamage(Diagnostic const &why) const
{
    std::lock_guard const lock(m_mutex);
    if (!m_damage && why.kind != ErrorKind::Cancelled) m_damage = why;
}

std::optional<Diagnostic> ReportFile::damage() const
{
    std::lock_guard const lock(m_mutex);
    return m_damage;
}

std::size_t ReportFile::cachedBytes() const
{
    std::lock_guard const lock(m_mutex);
    return m_bytes;
}

void ReportFile::setCacheLimit(std::size_t bytes)
{
    std::lock_guard const lock(m_mutex);
    m_limit = bytes;
    evict();
}

} // namespace tilewright::views

#include "engine/data/source.h"

#include "engine/core/files.h"
#include "engine/data/guarded_mapping.h"
#include "engine/data/tensor_data.h"

#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace tilewright::data {

std::string Source::at(std::int64_t byte) const
{
    return fullName() + " byte " + std::to_string(base + byte) + (inflated ? " (decompressed)" : "");
}

std::int64_t copiedAtMost()
{
    auto const pages = ::sysconf(_SC_PHYS_PAGES), bytes = ::sysconf(_SC_PAGESIZE);
    return pages > 0 && bytes > 0 ? std::int64_t{pages} * bytes / 4 : std::int64_t{1} << 30;
}

Result<Source> openSource(std::filesystem::path const &path, std::int64_t copyUpTo)
{
    int const file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0) {
        if (errno == ENOENT || errno == ENOTDIR)
            return dataError("data.missing", path.string(), Message::of("the data file does not exist"),
                             Message::of("Check the path; an empty data.path uses the embedded generator."));
        return dataError("data.file", path.string(), Message::of("cannot open the data file: %1", std::strerror(errno)));
    }
    struct Close {
        int file;
        ~Close() { ::close(file); }
    } const close{file};
    struct stat status {};
    if (::fstat(file, &status) != 0 || !S_ISREG(status.st_mode))
        return dataError("data.file", path.string(), Message::of("the data file is not a regular file"));
    Source source{path.string(), {}, {}, static_cast<std::size_t>(status.st_size), 0, false};
    if (status.st_size == 0) return sourceFromMemory(source.name, {});
    if (status.st_size > copyUpTo) {
        TW_ASSIGN(source.bytes, mapGuarded(file, source.size, source.name));
        return source;
    }
    TW_ASSIGN(auto const memory, allocateBytes(status.st_size, source.name));
    auto const got = readAt(file, {memory.get(), source.size}, 0);
    if (got < 0) return dataError("data.file", path.string(), Message::of("cannot read the data file: %1", std::strerror(errno)));
    struct stat after {};
    bool const same = ::fstat(file, &after) == 0 && after.st_size == status.st_size && after.st_mtim.tv_sec == status.st_mtim.tv_sec
        && after.st_mtim.tv_nsec == status.st_mtim.tv_nsec;
    if (!same || got != status.st_size)
        return dataError("data.changed", path.string(), Message::of("the data file changed while it was read"),
                         Message::of("Wait until the file is complete."));
    source.bytes = memory;
    return source;
}

Source sourceFromMemory(std::string name, std::span<std::byte const> content)
{
    auto const size = std::max<std::size_t>(content.size(), 1);
    std::shared_ptr<std::byte> copy(new std::byte[size], [](std::byte *bytes) { delete[] bytes; });
    if (!content.empty()) std::memcpy(copy.get(), content.data(), content.size());
    return {std::move(name), {}, copy, content.size(), 0, false};
}

struct Inflater::Stream {
    z_stream z{};
    bool open = false;
};

Inflater::Inflater(std::span<std::byte const> input, Form form) : m_stream(std::make_unique<Stream>()), m_input(input), m_form(form)
{
    int const window = form == Form::Gzip ? 16 + MAX_WBITS : -MAX_WBITS;
    m_stream->open = inflateInit2(&m_stream->z, window) == Z_OK;
    if (!m_stream->open) m_state = State::Corrupt;
}

Inflater::~Inflater()
{
    if (m_stream->open) inflateEnd(&m_stream->z);
}

std::size_t Inflater::read(std::span<std::byte> out, JobContext const &job, std::string_view phase)
{
    constexpr std::size_t kPiece = std::size_t{1} << 20; // some milliseconds of work between two polls
    std::size_t done = 0;
    auto &z = m_stream->z;
    while (m_state == State::Running && done < out.size()) {
        if (job.cancelled()) return done;
        auto const offered = std::min(m_input.size() - m_position, std::size_t{1} << 30);
        auto const wanted = std::min(out.size() - done, kPiece);
        // zlib takes a non-const pointer for history; it does not write there.
        z.next_in = reinterpret_cast<Bytef *>(const_cast<std::byte *>(m_input.data() + m_position));
        z.avail_in = static_cast<uInt>(offered);
        z.next_out = reinterpret_cast<Bytef *>(out.data() + done);
        z.avail_out = static_cast<uInt>(wanted);
        int const code = inflate(&z, Z_NO_FLUSH);
        m_position += offered - z.avail_in;
        auto const produced = wanted - z.avail_out;
        done += produced;
        if (!m_input.empty()) job.report(phase, static_cast<double>(m_position) / static_cast<double>(m_input.size()));
        if (code == Z_STREAM_END) {
            auto const rest = m_input.subspan(m_position);
            bool const another = m_form == Form::Gzip && rest.size() >= 2 && rest[0] == std::byte{0x1f} && rest[1] == std::byte{0x8b};
            if (another) {
                if (inflateReset(&z) != Z_OK) m_state = State::Corrupt;
            } else if (m_form == Form::Gzip && std::any_of(rest.begin(), rest.end(), [](std::byte b) { return b != std::byte{0}; })) {
                m_state = State::Corrupt; // zeros after the end are padding of tapes; anything else is not
            } else {
                m_state = State::End;
            }
        } else if (code == Z_BUF_ERROR || (code == Z_OK && produced == 0 && m_position == m_input.size())) {
            m_state = State::Truncated;
        } else if (code != Z_OK) {
            m_state = State::Corrupt;
        }
    }
    return done;
}

} // namespace tilewright::data

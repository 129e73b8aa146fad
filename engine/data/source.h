#pragma once

#include "engine/core/job_context.h"
#include "engine/core/result.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>

namespace tilewright::data {

/// Content for a parser. Shared, so that arrays may refer to it.
struct Source {
    std::string name;  ///< path as given; appears in every error
    std::string entry; ///< name inside an archive, or ""
    std::shared_ptr<std::byte const> bytes;
    std::size_t size = 0;
    std::int64_t base = 0; ///< position of bytes[0] in the file, or in its decompressed content
    bool inflated = false; ///< positions count in decompressed content

    std::span<std::byte const> all() const { return {bytes.get(), size}; }
    std::string fullName() const { return entry.empty() ? name : name + ":" + entry; }
    /// "NAME byte N", with "(decompressed)" when the byte counts in inflated content.
    std::string at(std::int64_t byte) const;
};

/// Files up to this size are copied into memory when they are opened, larger ones are mapped. Default: a quarter of the machine's memory.
std::int64_t copiedAtMost();

/// Opens a regular file. A copy is independent of later changes of the file. A mapped file that is truncated reads as zeros from there on:
/// call requireUnchanged after reading. Errors are Data: "data.missing", "data.file", "data.changed".
Result<Source> openSource(std::filesystem::path const &path, std::int64_t copyUpTo = copiedAtMost());
/// Error Data "data.changed" if the bytes belong to a mapped file that has changed. Requires: the bytes are in use.
Status requireUnchanged(std::byte const *bytes);
/// Copies `content` (tests, fuzzing, archives in memory).
Source sourceFromMemory(std::string name, std::span<std::byte const> content);

/// Decompresses a gzip stream (with one or more members) or a raw deflate stream piece by piece.
class Inflater {
public:
    enum class Form { Gzip, Raw };
    enum class State { Running, End, Truncated, Corrupt };

    Inflater(std::span<std::byte const> input, Form form);
    ~Inflater();
    Inflater(Inflater const &) = delete;
    Inflater &operator=(Inflater const &) = delete;

    /// Fills `out` as far as the stream goes. Returns less only if the state is no longer Running, or if the job was cancelled. Checksums
    /// are checked at the end of the stream.
    std::size_t read(std::span<std::byte> out, JobContext const &job, std::string_view phase);
    State state() const { return m_state; }
    /// Consumed bytes of the input.
    std::size_t inputPosition() const { return m_position; }

private:
    struct Stream;
    std::unique_ptr<Stream> m_stream;
    std::span<std::byte const> m_input;
    Form m_form;
    State m_state = State::Running;
    std::size_t m_position = 0;
};

/// Upper bound of a deflate stream's expansion (1 bit for a match of 258 bytes: 1032 : 1). A larger declared size is wrong, and no memory
/// is allocated for it.
constexpr std::int64_t inflatedAtMost(std::int64_t compressed) { return compressed * 1032 + 1024; }

} // namespace tilewright::data

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

/// The content a parser reads. Shared, so that arrays may point into it.
struct Source {
    std::string name;  ///< path as given; stands in every error
    std::string entry; ///< name inside an archive, or ""
    std::shared_ptr<std::byte const> bytes;
    std::size_t size = 0;
    std::int64_t base = 0; ///< position of bytes[0] in the file, or in what it decompresses to
    bool inflated = false; ///< positions count in decompressed content

    std::span<std::byte const> all() const { return {bytes.get(), size}; }
    std::string fullName() const { return entry.empty() ? name : name + ":" + entry; }
    /// "NAME byte N", with "(decompressed)" when the byte counts in inflated content.
    std::string at(std::int64_t byte) const;
};

/// Files up to so many bytes are copied into memory when they are opened, larger ones mapped: by default a quarter of
/// what the machine has.
std::int64_t copiedAtMost();

/// Opens a regular file. A copy no longer cares what becomes of the file; a mapped one that is shortened reads as zeros
/// from there on: ask requireUnchanged after reading. Errors are Data: "data.missing", "data.file", "data.changed".
Result<Source> openSource(std::filesystem::path const &path, std::int64_t copyUpTo = copiedAtMost());
/// Requires: the bytes are in use. Data error "data.changed" when they are of a mapped file that is no longer as it was.
Status requireUnchanged(std::byte const *bytes);
/// Copies `content` (tests, fuzzing, archives in memory).
Source sourceFromMemory(std::string name, std::span<std::byte const> content);

/// Decompresses a gzip stream (also of several members) or a raw deflate stream piece by piece.
class Inflater {
public:
    enum class Form { Gzip, Raw };
    enum class State { Running, End, Truncated, Corrupt };

    Inflater(std::span<std::byte const> input, Form form);
    ~Inflater();
    Inflater(Inflater const &) = delete;
    Inflater &operator=(Inflater const &) = delete;

    /// Fills `out` as far as the stream goes; less than asked only when the state is no longer Running, or
    /// when the job was cancelled. Checksums are checked when the end is reached.
    std::size_t read(std::span<std::byte> out, JobContext const &job, std::string_view phase);
    State state() const { return m_state; }
    /// Bytes of the input consumed so far.
    std::size_t inputPosition() const { return m_position; }

private:
    struct Stream;
    std::unique_ptr<Stream> m_stream;
    std::span<std::byte const> m_input;
    Form m_form;
    State m_state = State::Running;
    std::size_t m_position = 0;
};

/// No deflate stream expands more than this (1 bit of a match of 258 bytes: 1032 : 1), so a declared size
/// beyond it is a lie that need not be believed with memory.
constexpr std::int64_t inflatedAtMost(std::int64_t compressed) { return compressed * 1032 + 1024; }

} // namespace tilewright::data

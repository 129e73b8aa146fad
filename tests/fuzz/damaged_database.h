#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>

namespace tilewright::tests {

/// A file of its own in memory or the temporary folder, removed at the end: the readers of databases want a path.
class ScratchFile {
public:
    explicit ScratchFile(std::string const &extension);
    ~ScratchFile();
    ScratchFile(ScratchFile const &) = delete;
    ScratchFile &operator=(ScratchFile const &) = delete;

    std::filesystem::path const &path() const { return m_path; }
    void write(std::string_view bytes) const;
    std::string read() const;

private:
    void removeAll() const;
    std::filesystem::path m_path;
};

/// Makes `file` of a fuzzer's bytes: where they are a database (they begin as one), as they are; else the database `good`
/// with cells changed: six bytes name a table, a column, a row, a kind of value and the value, and a blob or a text
/// takes as many of the bytes that follow as the value says. What the schema forbids does not happen.
void writeDamaged(ScratchFile const &file, std::string const &good, std::uint8_t const *bytes, std::size_t size);

} // namespace tilewright::tests

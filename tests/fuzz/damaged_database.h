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

/// Makes `file` from a fuzzer's bytes. Bytes that begin like a database are used unchanged. Otherwise `file` is the database `good` with
/// changed cells:
/// six bytes select a table, a column, a row, a kind of value and the value; a blob or text takes as many of the following bytes as the
/// value says.
/// Changes that the schema forbids are skipped.
void writeDamaged(ScratchFile const &file, std::string const &good, std::uint8_t const *bytes, std::size_t size);

} // namespace tilewright::tests

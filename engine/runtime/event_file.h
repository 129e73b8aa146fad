#pragma once

#include "engine/core/result.h"

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

namespace tilewright::runtime {

/// CRC-32C (Castagnoli) of bytes.
std::uint32_t crc32c(std::string_view bytes);

/// An event file of TensorBoard: Event protocol buffers in the frames of TFRecord. Events are collected and appended by `flush`.
class EventFile {
public:
    EventFile() = default;
    /// The file and its folder are created by the first flush that has something to write.
    explicit EventFile(std::filesystem::path path) : m_path(std::move(path)) {}
    /// "events.out.tfevents.<seconds>.tilewright.<process>.<number>.v2", unique on this machine.
    static std::string newName();

    void addScalar(std::string const &tag, std::int64_t step, double value);
    /// Counts of the finite values in 30 equal ranges from the smallest to the largest.
    void addHistogram(std::string const &tag, std::int64_t step, std::span<double const> values);
    /// Errors: those of engine/core/files.h.
    Status flush();

private:
    void addEvent(std::int64_t step, std::string const &value);

    std::filesystem::path m_path;
    std::string m_pending;
    bool m_begun = false;
};

} // namespace tilewright::runtime

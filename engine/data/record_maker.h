#pragma once

#include "engine/core/result.h"

#include <cstdint>

namespace tilewright::data {

/// Generates the records of an array on first request, each once. Thread-safe. A record has the same bytes for every caller and at any
/// time.
class RecordMaker {
public:
    virtual ~RecordMaker() = default;
    /// Returns when the records [first, first + count) exist, generated here or by another thread.
    virtual void make(std::int64_t first, std::int64_t count) = 0;
    /// Number of existing records.
    virtual std::int64_t made() const = 0;
    /// Hash of everything that determines the bytes of the records.
    virtual std::uint64_t identity() const = 0;
};

} // namespace tilewright::data

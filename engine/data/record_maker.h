#pragma once

#include "engine/core/result.h"

#include <cstdint>

namespace tilewright::data {

/// Makes the records of a generated array when somebody first asks for them, each once. Any thread may ask; the same
/// record is the same bytes whoever asks, and when.
class RecordMaker {
public:
    virtual ~RecordMaker() = default;
    /// Returns when the records [first, first + count) are there, made here or by another thread.
    virtual void make(std::int64_t first, std::int64_t count) = 0;
    /// How many are there so far.
    virtual std::int64_t made() const = 0;
    /// Hash of all that decides the bytes of the records.
    virtual std::uint64_t identity() const = 0;
};

} // namespace tilewright::data

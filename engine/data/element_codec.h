#pragma once

#include "engine/core/job_context.h"
#include "engine/data/source.h"
#include "engine/data/tensor_data.h"

#include <optional>

namespace tilewright::data {

/// The stored form of one number in a file.
struct ElementType {
    enum class Kind { Bool, Unsigned, Signed, Float };
    Kind kind = Kind::Unsigned;
    int bytes = 1;
    bool bigEndian = false;
    bool operator==(ElementType const &) const = default;
};

/// The type after reading: bool, uint8, float16 and float32 stay; other integers become int32 and float64 becomes float32, both
/// range-checked.
DType readAs(ElementType type);

/// "int64", "float32", for messages.
std::string toText(ElementType type);

/// Elements of `shape` from byte `offset` of the source on, row-major or (`fortranOrder`) column-major. Refers to the source if type, order
/// and alignment allow, else converts. Requires: the source holds them (offset + checkedBytes <= size). Error "data.value" names record and
/// byte of a number that int32 or float32 cannot hold.
Result<DataArray> decodeElements(Source const &source, std::int64_t offset, ElementType type, Shape shape, bool fortranOrder,
                                 JobContext const &job);

} // namespace tilewright::data

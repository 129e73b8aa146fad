#pragma once

#include "engine/core/job_context.h"
#include "engine/data/source.h"
#include "engine/data/tensor_data.h"

#include <optional>

namespace tilewright::data {

/// How a file stores one number.
struct ElementType {
    enum class Kind { Bool, Unsigned, Signed, Float };
    Kind kind = Kind::Unsigned;
    int bytes = 1;
    bool bigEndian = false;
    bool operator==(ElementType const &) const = default;
};

/// The type it has after reading: bool, uint8, float16 and float32 stay; other integers become int32 and
/// float64 float32, both range-checked.
DType readAs(ElementType type);

/// "int64", "float32", for messages.
std::string toText(ElementType type);

/// Elements of `shape` that begin at byte `offset` of the source, row-major or (`fortranOrder`) column-major.
/// Points into the source where type, order and alignment allow, else converts. Requires: the source holds
/// them (offset + checkedBytes <= size). Error "data.value" names record and byte of a number that int32 or
/// float32 cannot hold.
Result<DataArray> decodeElements(Source const &source, std::int64_t offset, ElementType type, Shape shape, bool fortranOrder,
                                 JobContext const &job);

} // namespace tilewright::data

#pragma once

#include "engine/core/job_context.h"
#include "engine/core/result.h"
#include "engine/core/types.h"
#include "engine/data/record_maker.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tilewright::data {

/// Position of an array's records in their file, so that an error can name record and byte.
struct DataOrigin {
    std::string file;             ///< path as given, or "digits" for generated data
    std::string entry;            ///< array inside an archive, or ""
    std::int64_t firstByte = -1;  ///< of record `firstRecord`, in the (inflated) content; -1: unknown
    std::int64_t recordBytes = 0; ///< distance between records in the file
    std::int64_t firstRecord = 0; ///< number in the file of this array's record 0
    bool inflated = false;        ///< byte positions count in the decompressed content
    /// For files with records of different length (text): byte of each record from record 0 of the file.
    std::shared_ptr<std::vector<std::int64_t> const> recordOffsets;

    /// Byte of this array's record in its file, if known.
    std::optional<std::int64_t> byteOf(std::int64_t record) const;
    /// "FILE:ENTRY record 17 byte 1234 (decompressed)"; unknown parts are left out.
    std::string place(std::int64_t record) const;
    /// "FILE:ENTRY", or "" if the array has no file.
    std::string name() const;
};

/// Name of the array of sample weights among the further arrays of the labels (DataArray::beside).
inline constexpr std::string_view kSampleWeights = "/sample_weight";

/// Samples in their stored type: shape[0] counts records, row-major. The bytes are shared and never change: a mapped file, or a buffer.
/// Generated arrays may be made on request: code that reads `bytes` directly must call makeRecords() first; as(), records() and valueAt()
/// do so. A default-constructed array is absent (empty()). A DataArray is not a tensor of the graph: only the batcher converts it.
struct DataArray {
    DType dtype = DType::F32;
    Shape shape;
    std::shared_ptr<std::byte const> bytes;
    DataOrigin origin;
    std::shared_ptr<RecordMaker> maker = nullptr; ///< null: all records exist
    std::int64_t makersFirst = 0;                 ///< the maker's number of record 0
    std::string input = {};             ///< the model input (labels: output) that this array feeds; empty: all that no other array feeds
    std::vector<DataArray> beside = {}; ///< further inputs (labels: outputs) of the same records; each array names its `input`

    bool empty() const { return bytes == nullptr; }
    /// Number of records; 1 for a scalar.
    std::int64_t count() const { return empty() ? 0 : shape.empty() ? 1 : shape.front(); }
    /// Extents of one record.
    Shape sampleShape() const { return shape.empty() ? Shape{} : Shape(shape.begin() + 1, shape.end()); }
    std::int64_t sampleElements() const
    {
        std::int64_t n = 1;
        for (std::size_t i = 1; i < shape.size(); ++i) n *= shape[i];
        return n;
    }
    Bytes sampleBytes() const { return sampleElements() * sizeOf(dtype); }
    std::int64_t elements() const { return empty() ? 0 : elementCount(shape); }
    Bytes totalBytes() const { return elements() * sizeOf(dtype); }

    /// Returns when the bytes of these records exist. Requires: the array has the records.
    void makeRecords(std::int64_t begin, std::int64_t n) const
    {
        if (maker) maker->make(makersFirst + begin, n);
    }
    /// Every element. Requires: T has the size of dtype (uint8_t for u8 and bool, uint16_t bits for f16).
    template <typename T> std::span<T const> as() const { return records<T>(0, count()); }
    /// Elements of the records [begin, begin + n). Requires: they exist, and as for as().
    template <typename T> std::span<T const> records(std::int64_t begin, std::int64_t n) const
    {
        TW_CHECK(static_cast<Bytes>(sizeof(T)) == sizeOf(dtype), "DataArray read as a type of another size");
        TW_CHECK(begin >= 0 && n >= 0 && begin <= count() - n, "DataArray: records out of range");
        makeRecords(begin, n);
        auto const each = sampleElements();
        return {reinterpret_cast<T const *>(bytes.get()) + begin * each, static_cast<std::size_t>(n * each)};
    }
    /// Element number `index` as a double. Requires: 0 <= index < elements().
    double valueAt(std::int64_t index) const;
    /// The array for this input (of labels: output) of a model: one of `beside`, or the array itself.
    DataArray const &forInput(std::string const &name) const
    {
        for (auto const &other : beside)
            if (other.input == name) return other;
        return *this;
    }
    /// Whether forInput() returns an array for this input (labels: output): one of that name, or one for all others.
    bool serves(std::string const &name) const { return input.empty() || input == name || hasOwn(name); }
    /// Whether an array has this name.
    bool hasOwn(std::string const &name) const { return input == name || &forInput(name) != this; }
    /// Records [begin, begin + n) of this array and of `beside`. Shares the bytes. Requires: the records exist.
    DataArray slice(std::int64_t begin, std::int64_t n) const;
};

/// The Data error of this folder. Adds a full stop to the message.
Diagnostic dataError(std::string code, std::string subject, Message message, Message remedy = {});

/// The float value of IEEE half bits.
float halfToFloat(std::uint16_t bits);

/// Uninitialised memory of `size` bytes. DoesNotFit "data.memory" if the machine has less.
Result<std::shared_ptr<std::byte>> allocateBytes(std::int64_t size, std::string const &subject);

/// Bytes of an array of this shape. Data error "data.shape" with `subject` if an extent is negative or the size exceeds 62 bits.
Result<std::int64_t> checkedBytes(Shape const &shape, std::int64_t elementBytes, std::string const &subject);
/// "data.limit" if the array has more elements than Limit::Elements. Requires: checkedBytes() accepted the shape.
Status checkElements(Shape const &shape, std::string const &subject);
/// "data.limit" if compressed content would expand beyond Limit::InflatedBytes.
Status checkInflated(std::int64_t bytes, std::string const &subject);

/// An array over memory that the caller keeps alive, for writing.
DataArray borrowArray(DType dtype, Shape shape, void const *memory);

namespace detail {
template <typename T> constexpr DType dtypeOf();
template <> constexpr DType dtypeOf<float>() { return DType::F32; }
template <> constexpr DType dtypeOf<std::int32_t>() { return DType::I32; }
template <> constexpr DType dtypeOf<std::uint8_t>() { return DType::U8; }
} // namespace detail

/// An array that owns `values`. Requires: their number matches the shape.
template <typename T> DataArray makeArray(Shape shape, std::vector<T> values)
{
    TW_CHECK(elementCount(shape) == static_cast<std::int64_t>(values.size()), "makeArray: wrong number of values");
    if (values.empty()) values.reserve(1); // data() must not be null, which means absent
    auto const owner = std::make_shared<std::vector<T>>(std::move(values));
    DataArray array{detail::dtypeOf<T>(), std::move(shape), {}, {}};
    array.bytes = std::shared_ptr<std::byte const>(owner, reinterpret_cast<std::byte const *>(owner->data()));
    return array;
}

} // namespace tilewright::data

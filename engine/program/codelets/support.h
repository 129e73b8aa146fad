#pragma once

#include "engine/kernels/half.h"
#include "engine/program/codelet.h"

#include <algorithm>
#include <cstring>
#include <vector>

/// Shared parts of codelets: typed access to a tile's memory, shares of workers, usual sizes.
namespace tilewright::program {

template <typename T> T *at(std::byte *tile, VertexState::Ref const &ref) { return reinterpret_cast<T *>(tile + ref.address); }

/// Share [begin, end) of n items for the requested workers: worker w of six has floor(w n / 6) … .
struct Share {
    std::int64_t begin, end;
};
inline Share shareOf(std::int64_t n, Workers workers) { return {n * workers.begin / 6, n * workers.end / 6}; }

/// Reads n elements from `offset` as float, whatever their type; direct when they are f32.
inline float const *loadFloats(std::byte *tile, VertexState::Ref const &ref, std::int64_t offset, std::int64_t n, float *buffer)
{
    switch (ref.dtype) {
    case DType::F32: return at<float>(tile, ref) + offset;
    case DType::F16: {
        auto const *from = at<std::uint16_t>(tile, ref) + offset;
        kernels::widenHalves(from, n, buffer);
        return buffer;
    }
    case DType::I32: {
        auto const *from = at<std::int32_t>(tile, ref) + offset;
        for (std::int64_t i = 0; i < n; ++i) buffer[i] = static_cast<float>(from[i]);
        return buffer;
    }
    case DType::U8:
    case DType::Bool: {
        auto const *from = at<std::uint8_t>(tile, ref) + offset;
        for (std::int64_t i = 0; i < n; ++i) buffer[i] = static_cast<float>(from[i]);
        return buffer;
    }
    }
    return buffer;
}

/// The current vertex on this thread if it rounds stochastically; else nullptr (runVertex).
extern constinit thread_local VertexState const *roundedVertex;
/// Stores n elements to one of its float16 fields.
void storeRounded(std::byte *tile, VertexState::Ref const &ref, std::int64_t offset, std::int64_t n, float const *values);

inline void storeFloats(std::byte *tile, VertexState::Ref const &ref, std::int64_t offset, std::int64_t n, float const *values)
{
    if (n == 0) return;
    switch (ref.dtype) {
    case DType::F32: std::memcpy(at<float>(tile, ref) + offset, values, static_cast<std::size_t>(n) * 4); return;
    case DType::F16: {
        if (roundedVertex) return storeRounded(tile, ref, offset, n, values);
        auto *to = at<std::uint16_t>(tile, ref) + offset;
        kernels::narrowFloats(values, n, to);
        return;
    }
    case DType::I32: {
        auto *to = at<std::int32_t>(tile, ref) + offset;
        for (std::int64_t i = 0; i < n; ++i) to[i] = static_cast<std::int32_t>(values[i]);
        return;
    }
    case DType::U8:
    case DType::Bool: {
        auto *to = at<std::uint8_t>(tile, ref) + offset;
        for (std::int64_t i = 0; i < n; ++i) to[i] = static_cast<std::uint8_t>(values[i]);
        return;
    }
    }
}

/// Stores partial sums and reads them back, as the machine does between two accumulations. `number`: number of earlier stores.
void storePartials(std::byte *tile, VertexState::Ref const &ref, std::int64_t offset, std::int64_t n, float *values, std::int64_t number);

inline float loadScalar(std::byte *tile, VertexState::Ref const &ref, std::int64_t index = 0)
{
    float buffer = 0;
    return *loadFloats(tile, ref, index, 1, &buffer);
}

/// The workers' share of a field that they change, as floats: in place for float32, otherwise widened here and rounded to the field's type
/// by store().
class FloatShare {
public:
    FloatShare(std::byte *tile, VertexState::Ref const &ref, Share share)
        : m_tile(tile), m_ref(ref), m_begin(share.begin), m_count(std::max<std::int64_t>(0, share.end - share.begin))
    {
        if (ref.dtype != DType::F32) m_wide.resize(static_cast<std::size_t>(m_count));
        loadFloats(tile, ref, m_begin, m_count, m_wide.data());
        m_data = m_wide.empty() ? at<float>(tile, ref) + m_begin : m_wide.data();
    }
    FloatShare(FloatShare const &) = delete;
    FloatShare &operator=(FloatShare const &) = delete;
    std::int64_t count() const { return m_count; }
    float *data() { return m_data; }
    void store()
    {
        if (!m_wide.empty()) storeFloats(m_tile, m_ref, m_begin, m_count, m_wide.data());
    }

private:
    std::byte *m_tile;
    VertexState::Ref const &m_ref;
    std::int64_t m_begin, m_count;
    std::vector<float> m_wide;
    float *m_data = nullptr;
};

/// Offset of element (row, col) of a matrix whose rows or columns may be grouped.
inline std::int64_t elementAt(VertexState::Ref const &ref, std::int64_t row, std::int64_t col)
{
    if (ref.colGroup > 1) {
        std::int64_t const first = col / ref.colGroup * ref.colGroup;
        return first * ref.rows + row * std::min<std::int64_t>(ref.colGroup, ref.cols - first) + col - first;
    }
    if (ref.rowGroup > 1) {
        std::int64_t const first = row / ref.rowGroup * ref.rowGroup;
        return first * ref.cols + col * std::min<std::int64_t>(ref.rowGroup, ref.rows - first) + row - first;
    }
    return row * ref.cols + col;
}

/// Elements of a row from (row, col) on with a distance of `stride`.
struct RowStretch {
    std::int64_t first, stride, count;
};
inline RowStretch stretchFrom(VertexState::Ref const &ref, std::int64_t row, std::int64_t col)
{
    std::int64_t const first = elementAt(ref, row, col);
    if (ref.colGroup > 1) {
        std::int64_t const group = col / ref.colGroup * ref.colGroup;
        return {first, 1, std::min<std::int64_t>(group + ref.colGroup, ref.cols) - col};
    }
    return {first, ref.rowGroup > 1 ? std::min<std::int64_t>(ref.rowGroup, ref.rows - row / ref.rowGroup * ref.rowGroup) : 1,
            ref.cols - col};
}

/// Copies a matrix between two byte orders, element by element. Groups keep their position.
template <typename T> void reorder(T *to, VertexState::Ref const &out, T const *from, VertexState::Ref const &in)
{
    for (std::int64_t g = 0; g < out.groups; ++g) {
        std::int64_t const base = g * out.rows * out.cols;
        for (std::int64_t r = 0; r < out.rows; ++r)
            for (std::int64_t c = 0; c < out.cols;) {
                auto const target = stretchFrom(out, r, c), source = stretchFrom(in, r, c);
                std::int64_t const count = std::min(target.count, source.count);
                T *const a = to + base + target.first;
                T const *const b = from + base + source.first;
                for (std::int64_t i = 0; i < count; ++i) a[i * target.stride] = b[i * source.stride];
                c += count;
            }
    }
}

/// Calls `work` with a null pointer to a type of the element's size.
template <typename Work> void bySize(DType type, Work const &work)
{
    switch (sizeOf(type)) {
    case 4: return work(static_cast<std::uint32_t *>(nullptr));
    case 2: return work(static_cast<std::uint16_t *>(nullptr));
    default: return work(static_cast<std::uint8_t *>(nullptr));
    }
}

/// Vertex state by the size guide (poplar_execution_model 3.2): 12 bytes, 8 per field (pointer and length),
/// 4 per scalar.
inline Bytes usualState(VertexShape const &shape)
{
    return 12 + 8 * static_cast<Bytes>(shape.fields.size()) + 4 * static_cast<Bytes>(shape.scalars.size());
}

} // namespace tilewright::program

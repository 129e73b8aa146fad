#pragma once

#include "engine/core/by_tile.h"
#include "engine/core/result.h"

#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace tilewright::report {

/// Summary of a vector without its values. `argmax` is the first index of the maximum.
struct TileVecHead {
    std::int64_t tiles = 0, sum = 0, min = 0, max = 0, argmax = 0, nonzero = 0;
    bool operator==(TileVecHead const &) const = default;
};

TileVecHead headOf(std::span<std::int64_t const> values);
TileVecHead headOf(ByTile<std::int64_t> const &values);

/// 0 one value for all, 1 runs (length, value), 2 sparse (tile, value), 3 dense.
enum class TileVecEncoding { Constant = 0, Runs = 1, Sparse = 2, Dense = 3 };

struct EncodedTileVec {
    TileVecEncoding encoding = TileVecEncoding::Constant;
    std::string data; ///< one packed blob (engine/report/packed.h)
};

/// The smallest of the four encodings; ties go to the lower number.
EncodedTileVec encodeTileVec(std::span<std::int64_t const> values);
/// Error (Data, "report.tile-vec"): a blob that does not decode to exactly `tiles` values.
Result<std::vector<std::int64_t>> decodeTileVec(int encoding, std::string_view data, std::int64_t tiles);

/// A 16-byte hash of the content of vectors or blobs. Hashing several at a time takes less than half the time.
std::string contentHash(std::span<std::int64_t const> values);
std::vector<std::string> contentHashes(std::span<std::span<std::int64_t const> const> vectors);
std::vector<std::string> contentHashes(std::span<std::string_view const> blobs);

/// Distinct per-tile vectors: compute sets and exchanges with equal vectors share one id.
class TileVecTable {
public:
    /// The id of `values`, new or existing, in order of first appearance.
    int add(std::span<std::int64_t const> values) { return add(ByTile<std::int64_t>::trimmed(values.size(), 0, values)); }
    int add(std::initializer_list<std::int64_t> values) { return add(std::span(values.begin(), values.size())); }
    /// Requires: a stretch that begins and ends with a nonzero value, or an empty one.
    int add(ByTile<std::int64_t> values);
    /// The stored form, without surrounding zeros. Requires: 0 <= id < size().
    ByTile<std::int64_t> const &stretch(int id) const;
    std::vector<std::int64_t> values(int id) const { return stretch(id).all(); }
    TileVecHead const &head(int id) const;
    int size() const { return static_cast<int>(m_values.size()); }
    bool valid(int id) const { return id >= 0 && id < size(); }
    bool operator==(TileVecTable const &other) const { return m_values == other.m_values; }

private:
    std::vector<ByTile<std::int64_t>> m_values;
    std::vector<TileVecHead> m_heads;
    std::unordered_multimap<std::uint64_t, int> m_known; ///< key of the content to id; never iterated for output
};

} // namespace tilewright::report

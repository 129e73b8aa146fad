#include "engine/report/tile_vec.h"

#include "engine/core/random.h"
#include "engine/report/packed.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace tilewright::report {

namespace {

Diagnostic vecError(std::string what)
{
    return makeError(ErrorKind::Data, "report.tile-vec", "tile vector", std::move(what),
                     "The file is damaged; write the report again.");
}

// Two lanes of mixed sums with different seeds. Not cryptographic: it tells contents apart that the
// compiler makes, not ones made to collide.
template <typename Next> std::string hashWords(std::size_t count, std::uint64_t length, Next next)
{
    std::uint64_t a = mixBits(length ^ 0x7477727074766563ull), b = mixBits(length ^ 0x9E3779B97F4A7C15ull);
    for (std::size_t i = 0; i < count; ++i) {
        std::uint64_t const word = next(i);
        a = mixBits(a ^ word) * 0xD6E8FEB86659FD93ull + 1;
        b = mixBits(b + word * 0xA24BAED4963EE407ull);
    }
    std::string out(16, '\0');
    std::memcpy(out.data(), &a, 8);
    std::memcpy(out.data() + 8, &b, 8);
    return out;
}

} // namespace

TileVecHead headOf(std::span<std::int64_t const> values)
{
    TileVecHead head;
    head.tiles = static_cast<std::int64_t>(values.size());
    if (values.empty()) return head;
    head.min = head.max = values[0];
    for (std::size_t i = 0; i < values.size(); ++i) {
        // Wraps where a damaged file holds absurd values.
        head.sum = static_cast<std::int64_t>(static_cast<std::uint64_t>(head.sum) + static_cast<std::uint64_t>(values[i]));
        head.min = std::min(head.min, values[i]);
        if (values[i] > head.max) {
            head.max = values[i];
            head.argmax = static_cast<std::int64_t>(i);
        }
        if (values[i] != 0) ++head.nonzero;
    }
    return head;
}

EncodedTileVec encodeTileVec(std::span<std::int64_t const> values)
{
    if (std::adjacent_find(values.begin(), values.end(), std::not_equal_to<>()) == values.end() && !values.empty()) {
        std::array<std::int64_t, 1> const one{values[0]};
        return {TileVecEncoding::Constant, PackedWriter(1).integers(one).finish()};
    }
    std::vector<std::int64_t> lengths, runs, tiles, kept;
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (i == 0 || values[i] != values[i - 1]) {
            lengths.push_back(0);
            runs.push_back(values[i]);
        }
        ++lengths.back();
        if (values[i] != 0) {
            tiles.push_back(static_cast<std::int64_t>(i));
            kept.push_back(values[i]);
        }
    }
    std::vector<EncodedTileVec> candidates;
    candidates.push_back({TileVecEncoding::Runs, PackedWriter(runs.size()).integers(lengths).integers(runs).finish()});
    candidates.push_back({TileVecEncoding::Sparse, PackedWriter(kept.size()).integers(tiles).integers(kept).finish()});
    candidates.push_back({TileVecEncoding::Dense, PackedWriter(values.size()).integers(values).finish()});
    return *std::min_element(candidates.begin(), candidates.end(),
                             [](auto const &a, auto const &b) { return a.data.size() < b.data.size(); });
}

Result<std::vector<std::int64_t>> decodeTileVec(int encoding, std::string_view data, std::int64_t tiles)
{
    if (tiles < 0 || tiles > static_cast<std::int64_t>(kPackedItems)) return vecError("an impossible number of tiles");
    TW_ASSIGN(PackedReader const reader, PackedReader::open(data));
    auto const count = static_cast<std::size_t>(tiles);
    std::size_t const columns = encoding == 1 || encoding == 2 ? 2 : 1;
    if (encoding < 0 || encoding > 3) return vecError("unknown encoding " + std::to_string(encoding));
    if (reader.columns() != columns) return vecError("wrong number of columns");
    if (encoding == 0) {
        if (reader.items() != 1) return vecError("a constant vector holds more than one value");
        return std::vector<std::int64_t>(count, reader.integers(0)[0]);
    }
    if (encoding == 3) {
        if (reader.items() != count) return vecError("the vector is of another length");
        return reader.integers(0);
    }
    auto const keys = reader.integers(0), values = reader.integers(1);
    std::vector<std::int64_t> out(encoding == 2 ? count : 0, 0);
    out.reserve(count);
    std::int64_t last = -1;
    for (std::size_t i = 0; i < keys.size(); ++i) {
        if (encoding == 1) {
            if (keys[i] < 1 || keys[i] > tiles - static_cast<std::int64_t>(out.size()))
                return vecError("a run is longer than the vector");
            out.insert(out.end(), static_cast<std::size_t>(keys[i]), values[i]);
        } else {
            if (keys[i] <= last || keys[i] >= tiles) return vecError("a tile is out of order or range");
            last = keys[i];
            out[static_cast<std::size_t>(keys[i])] = values[i];
        }
    }
    if (out.size() != count) return vecError("the runs do not fill the vector");
    return out;
}

std::string contentHash(std::span<std::int64_t const> values)
{
    return hashWords(values.size(), values.size(), [&](std::size_t i) { return static_cast<std::uint64_t>(values[i]); });
}

std::string contentHash(std::string_view bytes)
{
    return hashWords((bytes.size() + 7) / 8, bytes.size(), [&](std::size_t i) {
        std::uint64_t word = 0;
        std::memcpy(&word, bytes.data() + i * 8, std::min<std::size_t>(8, bytes.size() - i * 8));
        return word;
    });
}

int TileVecTable::add(std::vector<std::int64_t> values)
{
    std::string const hash = contentHash(values);
    std::uint64_t key = 0;
    std::memcpy(&key, hash.data(), 8);
    auto const [begin, end] = m_known.equal_range(key);
    for (auto it = begin; it != end; ++it)
        if (m_values[static_cast<std::size_t>(it->second)] == values) return it->second;
    m_known.emplace(key, size());
    m_heads.push_back(headOf(values));
    m_values.push_back(std::move(values));
    return size() - 1;
}

std::vector<std::int64_t> const &TileVecTable::values(int id) const
{
    TW_CHECK(valid(id), "no such tile vector");
    return m_values[static_cast<std::size_t>(id)];
}

TileVecHead const &TileVecTable::head(int id) const
{
    TW_CHECK(valid(id), "no such tile vector");
    return m_heads[static_cast<std::size_t>(id)];
}

} // namespace tilewright::report

#include "engine/report/tile_vec.h"

#include "engine/core/random.h"
#include "engine/report/packed.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>

namespace tilewright::report {

namespace {

Diagnostic vecError(Message what)
{
    return makeError(ErrorKind::Data, "report.tile-vec", "tile vector", std::move(what),
                     Message::of("The file is damaged; write the report again."));
}

/// Two lanes of mixed sums with different seeds. Not cryptographic: it tells contents apart that the compiler makes, not ones
/// made to collide.
class Hash {
public:
    explicit Hash(std::uint64_t length) : m_a(mixBits(length ^ 0x7477727074766563ull)), m_b(mixBits(length ^ 0x9E3779B97F4A7C15ull)) {}
    void add(std::uint64_t word)
    {
        m_a = mixBits(m_a ^ word) * 0xD6E8FEB86659FD93ull + 1;
        m_b = mixBits(m_b + word * 0xA24BAED4963EE407ull);
    }
    std::string text() const
    {
        std::string out(16, '\0');
        std::memcpy(out.data(), &m_a, 8);
        std::memcpy(out.data() + 8, &m_b, 8);
        return out;
    }

private:
    std::uint64_t m_a, m_b;
};

std::size_t wordsOf(std::span<std::int64_t const> values) { return values.size(); }
std::uint64_t word(std::span<std::int64_t const> values, std::size_t i) { return static_cast<std::uint64_t>(values[i]); }
std::size_t wordsOf(std::string_view bytes) { return (bytes.size() + 7) / 8; }
std::uint64_t word(std::string_view bytes, std::size_t i)
{
    std::uint64_t value = 0;
    std::memcpy(&value, bytes.data() + i * 8, std::min<std::size_t>(8, bytes.size() - i * 8));
    return value;
}

/// A step of a hash waits for the one before it; those of several contents do not wait for each other.
template <typename T> std::vector<std::string> hashesOf(std::span<T const> contents)
{
    constexpr std::size_t kTogether = 4;
    std::vector<std::string> texts;
    texts.reserve(contents.size());
    std::size_t done = 0;
    for (; done + kTogether <= contents.size(); done += kTogether) {
        T const *const all = contents.data() + done;
        std::array<Hash, kTogether> hashes{Hash(all[0].size()), Hash(all[1].size()), Hash(all[2].size()), Hash(all[3].size())};
        std::size_t const common = std::min({wordsOf(all[0]), wordsOf(all[1]), wordsOf(all[2]), wordsOf(all[3])});
        for (std::size_t i = 0; i < common; ++i)
            for (std::size_t k = 0; k < kTogether; ++k) hashes[k].add(word(all[k], i));
        for (std::size_t k = 0; k < kTogether; ++k) {
            for (std::size_t i = common; i < wordsOf(all[k]); ++i) hashes[k].add(word(all[k], i));
            texts.push_back(hashes[k].text());
        }
    }
    for (; done < contents.size(); ++done) {
        Hash hash(contents[done].size());
        for (std::size_t i = 0; i < wordsOf(contents[done]); ++i) hash.add(word(contents[done], i));
        texts.push_back(hash.text());
    }
    return texts;
}

/// Tells most contents apart, for a fraction of a content hash: what is in the table already is added most often. Lanes,
/// because a product is waited for.
std::uint64_t lookUpKey(std::span<std::int64_t const> values)
{
    constexpr std::uint64_t kFactor = 0x9E3779B97F4A7C15ull;
    std::array<std::uint64_t, 4> lanes{values.size(), 1, 2, 3};
    std::size_t i = 0;
    for (; i + 4 <= values.size(); i += 4)
        for (std::size_t lane = 0; lane < 4; ++lane) lanes[lane] = (lanes[lane] + static_cast<std::uint64_t>(values[i + lane])) * kFactor;
    for (; i < values.size(); ++i) lanes[0] = (lanes[0] + static_cast<std::uint64_t>(values[i])) * kFactor;
    // High bits know of all values, low ones of the low bits only.
    std::uint64_t key = 0;
    for (auto const lane : lanes) key = mixBits(key ^ lane);
    return key;
}

/// Keys and values of an encoding that has fewer than one for each tile.
class Pairs {
public:
    explicit Pairs(std::size_t most)
        : m_keys(std::make_unique_for_overwrite<std::int64_t[]>(most)), m_values(std::make_unique_for_overwrite<std::int64_t[]>(most))
    {
    }
    /// Written over by the next one unless it is kept: without a branch, which would be guessed wrong half of the time.
    void put(std::int64_t key, std::int64_t value, bool keep)
    {
        m_keys[m_size] = key;
        m_values[m_size] = value;
        m_size += keep;
    }
    std::span<std::int64_t> keys() { return {m_keys.get(), m_size}; }
    std::size_t bytes() const
    {
        ColumnRange keys, values;
        keys.add({m_keys.get(), m_size});
        values.add({m_values.get(), m_size});
        return packedBytes({keys, values});
    }
    std::string packed() const { return PackedWriter(m_size).integers({m_keys.get(), m_size}).integers({m_values.get(), m_size}).finish(); }

private:
    std::unique_ptr<std::int64_t[]> m_keys, m_values;
    std::size_t m_size = 0;
};

} // namespace

TileVecHead headOf(std::span<std::int64_t const> values)
{
    TileVecHead head;
    head.tiles = static_cast<std::int64_t>(values.size());
    if (values.empty()) return head;
    auto least = values[0], most = values[0];
    std::uint64_t sum = 0; // wraps where a damaged file holds absurd values
    std::int64_t nonzero = 0;
    for (auto const value : values) {
        sum += static_cast<std::uint64_t>(value);
        least = std::min(least, value);
        most = std::max(most, value);
        nonzero += value != 0;
    }
    head.sum = static_cast<std::int64_t>(sum);
    head.min = least;
    head.max = most;
    head.nonzero = nonzero;
    head.argmax = std::ranges::find(values, most) - values.begin();
    return head;
}

EncodedTileVec encodeTileVec(std::span<std::int64_t const> values)
{
    if (std::adjacent_find(values.begin(), values.end(), std::not_equal_to<>()) == values.end() && !values.empty()) {
        std::array<std::int64_t, 1> const one{values[0]};
        return {TileVecEncoding::Constant, PackedWriter(1).integers(one).finish()};
    }
    Pairs runs(values.size()), kept(values.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
        bool const ends = i + 1 == values.size() || values[i + 1] != values[i];
        runs.put(static_cast<std::int64_t>(i) + 1, values[i], ends);
        kept.put(static_cast<std::int64_t>(i), values[i], values[i] != 0);
    }
    auto const ends = runs.keys(); // made lengths
    for (std::size_t i = ends.size(); i-- > 1;) ends[i] -= ends[i - 1];
    ColumnRange dense;
    dense.add(values);
    // First how large each would be: most of the work of an encoding is to store it.
    auto const asRuns = runs.bytes(), asSparse = kept.bytes(), asDense = packedBytes({dense});
    if (asDense < asRuns && asDense < asSparse) return {TileVecEncoding::Dense, PackedWriter(values.size()).integers(values).finish()};
    if (asSparse < asRuns) return {TileVecEncoding::Sparse, kept.packed()};
    return {TileVecEncoding::Runs, runs.packed()};
}

Result<std::vector<std::int64_t>> decodeTileVec(int encoding, std::string_view data, std::int64_t tiles)
{
    if (tiles < 0 || tiles > static_cast<std::int64_t>(kPackedItems)) return vecError(Message::of("an impossible number of tiles"));
    TW_ASSIGN(PackedReader const reader, PackedReader::open(data));
    auto const count = static_cast<std::size_t>(tiles);
    std::size_t const columns = encoding == 1 || encoding == 2 ? 2 : 1;
    if (encoding < 0 || encoding > 3) return vecError(Message::of("unknown encoding %1", encoding));
    if (reader.columns() != columns) return vecError(Message::of("wrong number of columns"));
    if (encoding == 0) {
        if (reader.items() != 1) return vecError(Message::of("a constant vector holds more than one value"));
        return std::vector<std::int64_t>(count, reader.integers(0)[0]);
    }
    if (encoding == 3) {
        if (reader.items() != count) return vecError(Message::of("the vector has the wrong length"));
        return reader.integers(0);
    }
    auto const keys = reader.integers(0), values = reader.integers(1);
    std::vector<std::int64_t> out(encoding == 2 ? count : 0, 0);
    out.reserve(count);
    std::int64_t last = -1;
    for (std::size_t i = 0; i < keys.size(); ++i) {
        if (encoding == 1) {
            if (keys[i] < 1 || keys[i] > tiles - static_cast<std::int64_t>(out.size()))
                return vecError(Message::of("a run is longer than the vector"));
            out.insert(out.end(), static_cast<std::size_t>(keys[i]), values[i]);
        } else {
            if (keys[i] <= last || keys[i] >= tiles) return vecError(Message::of("a tile is out of order or range"));
            last = keys[i];
            out[static_cast<std::size_t>(keys[i])] = values[i];
        }
    }
    if (out.size() != count) return vecError(Message::of("the runs do not fill the vector"));
    return out;
}

std::string contentHash(std::span<std::int64_t const> values) { return contentHashes(std::span(&values, 1)).front(); }
std::vector<std::string> contentHashes(std::span<std::span<std::int64_t const> const> vectors) { return hashesOf(vectors); }
std::vector<std::string> contentHashes(std::span<std::string_view const> blobs) { return hashesOf(blobs); }

TileVecHead headOf(ByTile<std::int64_t> const &values)
{
    auto const [begin, end] = values.stretch();
    auto head = headOf(values.values());
    head.tiles = static_cast<std::int64_t>(values.size());
    if (end - begin == values.size()) return head;
    head.min = std::min<std::int64_t>(head.min, 0);
    if (head.nonzero == 0 || head.max < 0) {
        head.max = 0;
        head.argmax = begin > 0 || begin == end ? 0 : static_cast<std::int64_t>(end);
    } else {
        head.argmax += static_cast<std::int64_t>(begin);
    }
    return head;
}

int TileVecTable::add(ByTile<std::int64_t> values)
{
    auto const key = mixBits(lookUpKey(values.values()) ^ mixBits(values.size() << 32 ^ values.stretch().begin));
    auto const [begin, end] = m_known.equal_range(key);
    for (auto it = begin; it != end; ++it)
        if (m_values[static_cast<std::size_t>(it->second)] == values) return it->second;
    m_known.emplace(key, size());
    m_heads.push_back(headOf(values));
    m_values.push_back(std::move(values));
    return size() - 1;
}

ByTile<std::int64_t> const &TileVecTable::stretch(int id) const
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

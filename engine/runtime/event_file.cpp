#include "engine/runtime/event_file.h"

#include "engine/core/files.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <chrono>
#include <cmath>
#include <cstring>
#include <fstream>
#include <vector>

#include <unistd.h>

namespace tilewright::runtime {

namespace {

/// The wire format of protocol buffers: a field is its number and type, then its value.
class Wire {
public:
    void integer(int field, std::uint64_t value) { tag(field, 0), varint(value); }
    void real(int field, double value) { tag(field, 1), raw(value); }
    void single(int field, float value) { tag(field, 5), raw(value); }
    void text(int field, std::string_view value)
    {
        tag(field, 2);
        varint(value.size());
        m_bytes += value;
    }
    void reals(int field, std::span<double const> values)
    {
        text(field, {reinterpret_cast<char const *>(values.data()), values.size() * sizeof(double)});
    }
    std::string const &bytes() const { return m_bytes; }

private:
    static_assert(std::endian::native == std::endian::little);

    void tag(int field, int type) { varint(static_cast<std::uint64_t>(field) << 3 | static_cast<std::uint64_t>(type)); }
    void varint(std::uint64_t value)
    {
        for (; value >= 0x80; value >>= 7) m_bytes += static_cast<char>(value | 0x80);
        m_bytes += static_cast<char>(value);
    }
    template <typename T> void raw(T value)
    {
        char bytes[sizeof value];
        std::memcpy(bytes, &value, sizeof value);
        m_bytes.append(bytes, sizeof value);
    }

    std::string m_bytes;
};

/// Stored checksums of data that contain checksums would be weak: TFRecord rotates them and adds a constant.
std::uint32_t masked(std::string_view bytes) { return std::rotr(crc32c(bytes), 15) + 0xa282ead8u; }

void addRecord(std::string &to, std::string const &data)
{
    std::uint64_t const length = data.size();
    char head[12], tail[4];
    std::memcpy(head, &length, 8);
    auto const ofLength = masked({head, 8}), ofData = masked(data);
    std::memcpy(head + 8, &ofLength, 4);
    std::memcpy(tail, &ofData, 4);
    to.append(head, 12).append(data).append(tail, 4);
}

double secondsNow() { return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count(); }

/// A Summary.Value with the plugin that shows it.
std::string valueOf(std::string const &tag, char const *plugin, auto const &fill)
{
    Wire data, metadata, value;
    data.text(1, plugin); // PluginData.plugin_name
    metadata.text(1, data.bytes());
    value.text(1, tag);
    value.text(9, metadata.bytes());
    fill(value);
    return value.bytes();
}

} // namespace

std::uint32_t crc32c(std::string_view bytes)
{
    static auto const table = [] {
        std::array<std::uint32_t, 256> all{};
        for (std::uint32_t i = 0; i < 256; ++i) {
            std::uint32_t value = i;
            for (int bit = 0; bit < 8; ++bit) value = value >> 1 ^ (value & 1 ? 0x82f63b78u : 0);
            all[i] = value;
        }
        return all;
    }();
    std::uint32_t crc = ~0u;
    for (char const byte : bytes) crc = crc >> 8 ^ table[(crc ^ static_cast<unsigned char>(byte)) & 0xff];
    return ~crc;
}

std::string EventFile::newName()
{
    static std::atomic<int> number{0};
    return "events.out.tfevents." + std::to_string(static_cast<std::int64_t>(secondsNow())) + ".tilewright." + std::to_string(::getpid())
        + "." + std::to_string(number++) + ".v2";
}

void EventFile::addEvent(std::int64_t step, std::string const &value)
{
    if (!m_begun && m_pending.empty()) {
        Wire first;
        first.real(1, secondsNow());
        first.text(3, "brain.Event:2");
        addRecord(m_pending, first.bytes());
    }
    Wire summary, event;
    summary.text(1, value);
    event.real(1, secondsNow());
    event.integer(2, static_cast<std::uint64_t>(step));
    event.text(5, summary.bytes());
    addRecord(m_pending, event.bytes());
}

void EventFile::addScalar(std::string const &tag, std::int64_t step, double value)
{
    addEvent(step, valueOf(tag, "scalars", [&](Wire &wire) { wire.single(2, static_cast<float>(value)); }));
}

void EventFile::addHistogram(std::string const &tag, std::int64_t step, std::span<double const> values)
{
    constexpr std::size_t kRanges = 30;
    std::vector<double> finite;
    for (double const value : values)
        if (std::isfinite(value)) finite.push_back(value);
    if (finite.empty()) return;
    auto const [least, most] = std::ranges::minmax(finite);
    double const width = most > least ? (most - least) / kRanges : 1.0;
    std::vector<double> limits(kRanges), counts(kRanges, 0.0);
    double sum = 0, squares = 0;
    for (std::size_t i = 0; i < kRanges; ++i)
        limits[i] = i + 1 == kRanges ? std::max(most, least + width) : least + width * static_cast<double>(i + 1);
    for (double const value : finite) {
        ++counts[std::min(kRanges - 1, static_cast<std::size_t>((value - least) / width))];
        sum += value;
        squares += value * value;
    }
    Wire histogram; // HistogramProto
    histogram.real(1, least);
    histogram.real(2, most);
    histogram.real(3, static_cast<double>(finite.size()));
    histogram.real(4, sum);
    histogram.real(5, squares);
    histogram.reals(6, limits);
    histogram.reals(7, counts);
    addEvent(step, valueOf(tag, "histograms", [&](Wire &wire) { wire.text(5, histogram.bytes()); }));
}

Status EventFile::flush()
{
    if (m_pending.empty()) return {};
    std::error_code ignored;
    std::filesystem::create_directories(m_path.parent_path(), ignored);
    std::ofstream file(m_path, std::ios::binary | std::ios::app);
    file.write(m_pending.data(), static_cast<std::streamsize>(m_pending.size()));
    file.flush();
    if (!file) {
        TW_TRY(tryWriting(m_path, static_cast<std::int64_t>(m_pending.size())));
        return makeError(ErrorKind::Data, "file.write", m_path.string(), Message::of("the events cannot be written."),
                         Message::of("Check the folder and the free space."));
    }
    m_begun = true;
    m_pending.clear();
    return {};
}

} // namespace tilewright::runtime

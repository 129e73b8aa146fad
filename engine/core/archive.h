#pragma once

#include "engine/core/types.h"

#include <array>
#include <concepts>
#include <cstddef>
#include <cstring>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace tilewright {

/// Little-endian binary form of plain values. To make a struct serialisable, define a free function `template <class Archive> void
/// fields(Archive &a, T &value) { a(value.x, value.y); }` in its namespace; writing and reading both use it. Reading checks bounds: damaged
/// input only sets failed().
class ArchiveWriter {
public:
    std::vector<std::byte> take() { return std::move(m_bytes); }
    template <typename... T> void operator()(T const &...values) { (write(values), ...); }

private:
    template <typename T> void write(T const &value)
    {
        if constexpr (std::is_arithmetic_v<T> || std::is_enum_v<T>) {
            auto const *from = reinterpret_cast<std::byte const *>(&value);
            m_bytes.insert(m_bytes.end(), from, from + sizeof(T));
        } else {
            fields(*this, const_cast<T &>(value));
        }
    }
    template <typename Tag> void write(Id<Tag> const &id) { write(id.index); }
    void write(std::string const &text)
    {
        write(static_cast<std::uint64_t>(text.size()));
        auto const *from = reinterpret_cast<std::byte const *>(text.data());
        m_bytes.insert(m_bytes.end(), from, from + text.size());
    }
    template <typename T> void write(std::vector<T> const &items)
    {
        write(static_cast<std::uint64_t>(items.size()));
        if constexpr (std::is_arithmetic_v<T>) {
            auto const *from = reinterpret_cast<std::byte const *>(items.data());
            m_bytes.insert(m_bytes.end(), from, from + items.size() * sizeof(T));
        } else {
            for (auto const &item : items) write(item);
        }
    }
    template <typename T, std::size_t N> void write(std::array<T, N> const &items)
    {
        for (auto const &item : items) write(item);
    }
    std::vector<std::byte> m_bytes;
};

class ArchiveReader {
public:
    explicit ArchiveReader(std::span<std::byte const> bytes) : m_bytes(bytes) {}
    bool failed() const { return m_failed; }
    bool atEnd() const { return m_at == m_bytes.size(); }
    template <typename... T> void operator()(T &...values) { (read(values), ...); }

private:
    bool take(void *to, std::size_t n)
    {
        if (m_failed || n > m_bytes.size() - m_at) {
            m_failed = true;
            return false;
        }
        if (n) std::memcpy(to, m_bytes.data() + m_at, n);
        m_at += n;
        return true;
    }
    template <typename T> void read(T &value)
    {
        if constexpr (std::is_same_v<T, bool>) {
            std::uint8_t byte = 0;
            take(&byte, 1);
            if (byte > 1) m_failed = true; // not a valid bool
            value = byte == 1;
        } else if constexpr (std::is_arithmetic_v<T> || std::is_enum_v<T>) {
            take(&value, sizeof(T));
        } else {
            fields(*this, value);
        }
    }
    template <typename Tag> void read(Id<Tag> &id) { read(id.index); }
    /// A count of items of at least `itemBytes` each. Fails if they exceed the rest of the input.
    std::size_t count(std::size_t itemBytes)
    {
        std::uint64_t n = 0;
        read(n);
        if (n > (m_bytes.size() - m_at) / std::max<std::size_t>(1, itemBytes)) m_failed = true;
        return m_failed ? 0 : static_cast<std::size_t>(n);
    }
    void read(std::string &text)
    {
        text.resize(count(1));
        take(text.data(), text.size());
    }
    template <typename T> void read(std::vector<T> &items)
    {
        items.clear();
        if constexpr (std::is_arithmetic_v<T>) {
            items.resize(count(sizeof(T)));
            take(items.data(), items.size() * sizeof(T));
        } else {
            std::size_t const n = count(1);
            for (std::size_t i = 0; i < n && !m_failed; ++i) read(items.emplace_back());
        }
    }
    template <typename T, std::size_t N> void read(std::array<T, N> &items)
    {
        for (auto &item : items) read(item);
    }

    std::span<std::byte const> m_bytes;
    std::size_t m_at = 0;
    bool m_failed = false;
};

} // namespace tilewright

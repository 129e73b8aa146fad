#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unistd.h>
#include <vector>

namespace tilewright::interop {

/// Bounds on what a file may hold.
struct ChildLimits {
    std::int64_t elements = 0;  ///< of one array
    std::int64_t bytes = 0;     ///< of all arrays
    std::int64_t textBytes = 0; ///< of all texts
};

/// The messages that every child knows. A module adds its own kinds. A message is its kind, then its fields in this machine's order; a text
/// is a 32-bit length and its bytes.
enum class ChildMessage : char {
    Error = 'E',    ///< path, text
    TooLarge = 'L', ///< path, text (the limit's name)
    Image = 'I',    ///< 64-bit size and the bytes of a file that was written
    End = 'Z'       ///< the child has told everything
};

/// Messages of a child to its parent, for modules that link a library. A closed pipe ends the child.
class Teller {
public:
    explicit Teller(int descriptor) : m_descriptor(descriptor) {}
    ~Teller() { flush(); }
    Teller(Teller const &) = delete;
    Teller &operator=(Teller const &) = delete;

    template <typename Kind> void kind(Kind message) { bytes(&message, sizeof message); }
    void number32(std::uint32_t value) { bytes(&value, sizeof value); }
    void number64(std::int64_t value) { bytes(&value, sizeof value); }
    void text(std::string_view value)
    {
        number32(static_cast<std::uint32_t>(value.size()));
        bytes(value.data(), value.size());
    }
    void bytes(void const *data, std::size_t size)
    {
        auto const *from = static_cast<char const *>(data);
        if (m_buffer.size() + size > kBuffer) flush();
        if (size > kBuffer) write(from, size);
        else m_buffer.insert(m_buffer.end(), from, from + size);
    }
    void flush()
    {
        write(m_buffer.data(), m_buffer.size());
        m_buffer.clear();
    }
    void error(std::string_view path, std::string_view why)
    {
        kind(ChildMessage::Error);
        text(path);
        text(why);
    }
    void tooLarge(std::string_view path, std::string_view limit)
    {
        kind(ChildMessage::TooLarge);
        text(path);
        text(limit);
    }
    void image(void const *data, std::size_t size)
    {
        kind(ChildMessage::Image);
        number64(static_cast<std::int64_t>(size));
        bytes(data, size);
    }

private:
    static constexpr std::size_t kBuffer = std::size_t{1} << 16;
    void write(char const *from, std::size_t size)
    {
        while (size > 0) {
            auto const written = ::write(m_descriptor, from, size);
            if (written <= 0) ::_exit(1);
            from += written;
            size -= static_cast<std::size_t>(written);
        }
    }
    int m_descriptor;
    std::vector<char> m_buffer;
};

} // namespace tilewright::interop

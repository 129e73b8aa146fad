#pragma once

#include "engine/core/types.h"

#include <array>
#include <string>
#include <type_traits>
#include <vector>

namespace tilewright {

/// The stored form of a type without a value: "{s[{i4f8}]}" is a struct of a text and a list of structs of a 4-byte integer and a double.
/// It uses the same `fields` as writing and reading, so that every added, removed or retyped field changes the outline. A struct whose
/// fields depend on its value tests outlines<A>() and lists one of each.
class ArchiveOutline {
public:
    static constexpr bool kOutlines = true;
    template <typename... T> void operator()(T &...values) { (one(values), ...); }
    std::string const &text() const { return m_text; }

private:
    template <typename T> void one(T &value)
    {
        if constexpr (std::is_arithmetic_v<T> || std::is_enum_v<T>) {
            m_text += std::is_same_v<T, bool> ? 'b'
                : std::is_floating_point_v<T> ? 'f'
                : std::is_enum_v<T>           ? 'e'
                : std::is_signed_v<T>         ? 'i'
                                              : 'u';
            m_text += std::to_string(sizeof(T));
        } else {
            m_text += '{';
            fields(*this, value);
            m_text += '}';
        }
    }
    template <typename Tag> void one(Id<Tag> &id) { one(id.index); }
    void one(std::string &) { m_text += 's'; }
    template <typename T> void one(std::vector<T> &)
    {
        m_text += '[';
        T item{};
        one(item);
        m_text += ']';
    }
    template <typename T, std::size_t N> void one(std::array<T, N> &items)
    {
        m_text += std::to_string(N) + "x";
        one(items[0]);
    }
    std::string m_text;
};

/// Whether an archive only outlines types.
template <class A> constexpr bool outlines()
{
    return requires { A::kOutlines; };
}

} // namespace tilewright

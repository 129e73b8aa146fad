#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace tilewright {

class Message;

/// A value in a Message. Its kind says how another language shows it.
class Argument {
public:
    enum class Kind : unsigned char {
        Text,   ///< a name, a path, content of a file, a number that a person types: the same in every language
        Whole,  ///< a whole number, with digits grouped
        Figure, ///< a decimal number, possibly with its unit: "19.8 KiB", "12.5 %"
        Message ///< a sentence or a part of one, translated on its own
    };

    Argument(std::string text) : m_text(std::move(text)) {}
    Argument(std::string_view text) : m_text(text) {}
    Argument(char const *text) : m_text(text) {}
    Argument(double value);
    template <std::integral Number>
    requires(!std::same_as<Number, bool> && !std::same_as<Number, char>) Argument(Number value)
        : Argument(Kind::Whole, static_cast<std::int64_t>(value))
    {
    }
    /// A letter and a truth value have no text of their own.
    template <typename Other>
    requires(std::same_as<Other, bool> || std::same_as<Other, char>) Argument(Other)
    = delete;
    Argument(tilewright::Message message);
    /// A decimal number as English writes it, with a point and possibly a unit.
    static Argument figure(std::string english);

    Kind kind() const { return m_kind; }
    /// In English.
    std::string const &text() const { return m_text; }
    /// Kind::Whole.
    std::int64_t whole() const { return m_whole; }
    /// Requires: Kind::Message.
    tilewright::Message const &message() const { return *m_message; }

private:
    Argument(Kind kind, std::int64_t value);

    Kind m_kind = Kind::Text;
    std::int64_t m_whole = 0;
    std::string m_text;
    std::shared_ptr<tilewright::Message const> m_message;
};

/// The English pattern of a Message of `count` arguments. Does not compile unless the places %1 to %count are all in it, and no others.
template <std::size_t count> struct MessagePattern {
    template <std::size_t size> consteval MessagePattern(char const (&english)[size]) : text(english)
    {
        bool found[10]{};
        for (std::size_t i = 0; i + 1 < size; ++i)
            if (english[i] == '%' && english[i + 1] >= '1' && english[i + 1] <= '9') found[english[i + 1] - '0'] = true;
        for (std::size_t place = 1; place < 10; ++place)
            if (found[place] != (place <= count)) throw "the places of a pattern are %1, %2 … for its arguments";
    }
    char const *text;
};

/// A text for people: an English pattern with arguments in its places, so that another language can translate the pattern and write
/// the numbers in its own way. Reads like the English text, a string.
///
/// The patterns are the sources of the context "tilewright::Message" of translations/*.ts: lupdate finds them in the calls of
/// Message::of.
class Message {
public:
    Message() = default;
    /// A finished text: no pattern, no translation.
    Message(std::string text) : m_text(std::move(text)) {}
    Message(char const *text) : m_text(text) {}
    /// Message::of("the model has no layer named '%1'", name). The pattern is a literal.
    template <typename... Values> static Message of(MessagePattern<sizeof...(Values)> pattern, Values const &...values)
    {
        return Message(std::string(pattern.text), std::vector<Argument>{Argument(values)...});
    }
    /// Of a pattern that was stored. Places without an argument stay empty.
    static Message stored(std::string pattern, std::vector<Argument> arguments)
    {
        return Message(std::move(pattern), std::move(arguments));
    }
    /// The parts one behind the other.
    static Message joined(std::vector<Message> const &parts, std::string_view separator);

    /// In English.
    std::string const &text() const { return m_text; }
    operator std::string const &() const { return m_text; }
    /// Empty: a finished text, or, with arguments, parts that follow one another.
    std::string const &pattern() const { return m_pattern; }
    std::vector<Argument> const &arguments() const { return m_arguments; }

    bool empty() const { return m_text.empty(); }
    std::size_t size() const { return m_text.size(); }
    char const *c_str() const { return m_text.c_str(); }
    char back() const { return m_text.back(); }
    std::size_t find(std::string_view text, std::size_t from = 0) const { return m_text.find(text, from); }
    std::size_t find(char letter, std::size_t from = 0) const { return m_text.find(letter, from); }
    std::string substr(std::size_t from, std::size_t count = std::string::npos) const { return m_text.substr(from, count); }
    bool starts_with(std::string_view text) const { return m_text.starts_with(text); }
    bool ends_with(std::string_view text) const { return m_text.ends_with(text); }
    bool ends_with(char letter) const { return m_text.ends_with(letter); }
    void clear() { *this = {}; }

    Message &operator+=(Message const &more);
    Message &operator+=(char letter) { return *this += Message(std::string(1, letter)); }
    /// Each part keeps its pattern.
    friend Message operator+(Message left, Message const &right) { return left += right; }
    friend Message operator+(Message left, char right) { return left += right; }
    /// By the English text.
    friend bool operator==(Message const &left, Message const &right) { return left.m_text == right.m_text; }

private:
    Message(std::string pattern, std::vector<Argument> arguments);

    std::string m_text;
    std::string m_pattern;
    std::vector<Argument> m_arguments;
};

} // namespace tilewright

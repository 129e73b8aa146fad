#pragma once

#include "engine/core/result.h"
#include "engine/core/safe_text.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace tilewright {

/// The text in quotes. Escapes that kind of quote and the backslash with a backslash; a new line is
/// .
std::string quotedText(std::string_view text, char quote = '"');

/// Base of the recursive-descent parsers of our text formats (graph, program). It keeps the first mismatch with line and column; after that
/// it consumes nothing, so that the parser unwinds. Spaces, new lines and comments (// to the end of the line) separate tokens.
class TextReader {
public:
    /// Errors are Invalid with `code`. Words consist of letters, digits and `marks`.
    TextReader(std::string_view text, std::string code, std::string_view marks);

    bool failed() const { return m_failed; }
    Diagnostic const &error() const { return m_error; }
    bool atEnd();

    /// Whether these characters follow, at the end of a word.
    bool sees(std::string_view token);
    bool take(std::string_view token);
    void expect(std::string_view token);
    /// The raw text up to a character. Consumes the character too.
    std::string_view through(char end);

    /// The next word without consuming it; empty if there is none.
    std::string_view peekWord();
    bool takeWord(std::string_view word);
    void expectWord(std::string_view word);
    /// `what` names the expected word in the error.
    std::string_view word(std::string_view what = "a name");

    /// A whole number of type T in [least, most].
    template <typename T = std::int64_t>
    T integer(std::int64_t least = std::numeric_limits<T>::lowest(), std::int64_t most = std::numeric_limits<T>::max())
    {
        return static_cast<T>(wholeNumber(least, most));
    }
    double real();
    /// A text in quotes of either kind.
    std::string quoted();
    template <typename T, typename F> std::vector<T> list(F const &one, std::string_view open = "[", std::string_view close = "]")
    {
        std::vector<T> items;
        expect(open);
        if (take(close)) return items;
        while (!m_failed) {
            items.push_back(static_cast<T>(one()));
            if (take(close)) break;
            expect(",");
        }
        return items;
    }
    /// One of `count` enumerators by its toText().
    template <typename E> E enumeration(int count, std::string const &what)
    {
        auto const name = word(what);
        for (int i = 0; i < count && !m_failed; ++i)
            if (toText(static_cast<E>(i)) == name) return static_cast<E>(i);
        fail(what + " is not known: " + quotedContent(name));
        return E{};
    }

    /// Reports an error at the start of the last consumed token.
    void fail(std::string what) { failAt(m_taken, std::move(what)); }
    /// Reports an error at the next token and quotes it.
    void failAtNext(std::string_view expected);

private:
    void space();
    void failAt(std::size_t at, std::string what);
    std::size_t wordEnd() const;
    std::int64_t wholeNumber(std::int64_t least, std::int64_t most);

    std::string_view m_text;
    std::string m_code;
    std::string_view m_marks;
    std::size_t m_at = 0;
    std::size_t m_taken = 0; ///< start of the last consumed token
    bool m_failed = false;
    Diagnostic m_error;
};

} // namespace tilewright

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

/// The text in quotes: a backslash before a quote of that kind and before a backslash; a new line is \n.
std::string quotedText(std::string_view text, char quote = '"');

/// What a recursive-descent parser of our own texts (graph, program) stands on: it asks for what may come next. The first
/// mismatch is kept with its line and column; from then on nothing is taken, so that the parser unwinds. Spaces, new lines
/// and comments, from // to the end of the line, lie between any two things.
class TextReader {
public:
    /// Errors are Invalid and have `code`. Words are letters, digits and `marks`.
    TextReader(std::string_view text, std::string code, std::string_view marks);

    bool failed() const { return m_failed; }
    Diagnostic const &error() const { return m_error; }
    bool atEnd();

    /// These characters, wherever a word ends.
    bool sees(std::string_view token);
    bool take(std::string_view token);
    void expect(std::string_view token);
    /// All up to a character, as it is; takes the character too.
    std::string_view through(char end);

    /// The whole word that is next; empty when there is none.
    std::string_view peekWord();
    bool takeWord(std::string_view word);
    void expectWord(std::string_view word);
    /// `what` says which word, for the error when there is none.
    std::string_view word(std::string_view what = "a name");

    /// A whole number of T, from `least` to `most`.
    template <typename T = std::int64_t>
    T integer(std::int64_t least = std::numeric_limits<T>::lowest(), std::int64_t most = std::numeric_limits<T>::max())
    {
        return static_cast<T>(wholeNumber(least, most));
    }
    double real();
    /// In quotes of either kind.
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

    /// Fails where the thing begins that was taken last.
    void fail(std::string what) { failAt(m_taken, std::move(what)); }
    /// Fails at what is next, and says what that is.
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
    std::size_t m_taken = 0; ///< where the thing begins that was taken last
    bool m_failed = false;
    Diagnostic m_error;
};

} // namespace tilewright

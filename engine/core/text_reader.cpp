#include "engine/core/text_reader.h"

#include <charconv>

namespace tilewright {

namespace {

bool isLetterOrDigit(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9'); }

} // namespace

std::string quotedText(std::string_view text, char quote)
{
    std::string out(1, quote);
    for (char c : text) {
        if (c == quote || c == '\\') out += '\\';
        if (c == '\n') out += "\\n";
        else out += c;
    }
    return out + quote;
}

TextReader::TextReader(std::string_view text, std::string code, std::string_view marks)
    : m_text(text), m_code(std::move(code)), m_marks(marks)
{
}

void TextReader::failAt(std::size_t at, std::string what)
{
    if (m_failed) return;
    m_failed = true;
    auto const before = m_text.substr(0, at);
    auto const lineStart = before.rfind('\n') + 1; // on the first line npos + 1, which is 0
    m_error = makeError(ErrorKind::Invalid, m_code,
                        "line " + std::to_string(std::ranges::count(before, '\n') + 1) + ", column " + std::to_string(at - lineStart + 1),
                        std::move(what));
}

void TextReader::failAtNext(std::string_view expected)
{
    space();
    std::string what = "expected " + std::string(expected);
    if (m_at == m_text.size()) {
        what += ", but the text ends";
    } else {
        auto const word = m_text.substr(m_at, wordEnd() - m_at);
        what += ", found " + quotedContent(word.empty() ? firstCharacters(m_text.substr(m_at), 1) : word);
    }
    failAt(m_at, std::move(what));
}

void TextReader::space()
{
    while (m_at < m_text.size()) {
        char const c = m_text[m_at];
        if (m_text.substr(m_at, 2) == "//") m_at = std::min(m_text.find('\n', m_at), m_text.size());
        else if (c == ' ' || c == '\n' || c == '\r' || c == '\t') ++m_at;
        else return;
    }
}

bool TextReader::atEnd()
{
    space();
    return m_at == m_text.size();
}

bool TextReader::sees(std::string_view token)
{
    space();
    return !m_failed && m_text.substr(m_at).starts_with(token);
}

bool TextReader::take(std::string_view token)
{
    if (!sees(token)) return false;
    m_taken = m_at;
    m_at += token.size();
    return true;
}

void TextReader::expect(std::string_view token)
{
    if (!take(token)) failAtNext("'" + std::string(token) + "'");
}

std::string_view TextReader::through(char end)
{
    if (m_failed) return {};
    auto const stop = m_text.find(end, m_at);
    if (stop == std::string_view::npos) {
        failAt(m_at, std::string("the text ends before '") + end + "'");
        return {};
    }
    auto const all = m_text.substr(m_at, stop - m_at);
    m_taken = m_at;
    m_at = stop + 1;
    return all;
}

std::size_t TextReader::wordEnd() const
{
    std::size_t end = m_at;
    while (end < m_text.size()) {
        char const c = m_text[end];
        if (!isLetterOrDigit(c) && m_marks.find(c) == std::string_view::npos) break;
        if (m_text.substr(end, 2) == "->") break; // an arrow; otherwise '-' can be part of words
        ++end;
    }
    return end;
}

std::string_view TextReader::peekWord()
{
    space();
    return m_failed ? std::string_view() : m_text.substr(m_at, wordEnd() - m_at);
}

bool TextReader::takeWord(std::string_view word)
{
    if (peekWord() != word || m_failed) return false;
    m_taken = m_at;
    m_at += word.size();
    return true;
}

void TextReader::expectWord(std::string_view word)
{
    if (!takeWord(word)) failAtNext("'" + std::string(word) + "'");
}

std::string_view TextReader::word(std::string_view what)
{
    auto const next = peekWord();
    if (next.empty()) failAtNext(what);
    m_taken = m_at;
    m_at += next.size();
    return next;
}

std::int64_t TextReader::wholeNumber(std::int64_t least, std::int64_t most)
{
    space();
    if (m_failed) return 0;
    std::int64_t value = 0;
    auto const r = std::from_chars(m_text.data() + m_at, m_text.data() + m_text.size(), value);
    if (r.ec == std::errc::invalid_argument) {
        failAtNext("a whole number");
        return 0;
    }
    m_taken = m_at;
    m_at = static_cast<std::size_t>(r.ptr - m_text.data());
    if (r.ec != std::errc() || value < least || value > most) {
        fail("the number is not in " + std::to_string(least) + " … " + std::to_string(most));
        return 0;
    }
    return value;
}

double TextReader::real()
{
    space();
    if (m_failed) return 0;
    double value = 0;
    auto const r = std::from_chars(m_text.data() + m_at, m_text.data() + m_text.size(), value);
    if (r.ec == std::errc::invalid_argument) {
        failAtNext("a number");
        return 0;
    }
    m_taken = m_at;
    m_at = static_cast<std::size_t>(r.ptr - m_text.data());
    if (r.ec != std::errc()) fail("the number is too large or too small for a double");
    return value;
}

std::string TextReader::quoted()
{
    std::string out;
    char const quote = sees("'") ? '\'' : '"';
    if (!take({&quote, 1})) {
        failAtNext("text in quotes");
        return out;
    }
    auto const start = m_taken;
    while (m_at < m_text.size()) {
        char const c = m_text[m_at++];
        if (c == quote) return out;
        if (c == '\\' && m_at < m_text.size()) {
            char const e = m_text[m_at++];
            out += e == 'n' ? '\n' : e;
        } else {
            out += c;
        }
    }
    failAt(start, "the text ends inside quotes");
    return out;
}

} // namespace tilewright

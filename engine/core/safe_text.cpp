#include "engine/core/safe_text.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>

namespace tilewright {

namespace {

constexpr char32_t kBroken = 0xffffffff;
constexpr std::size_t kQuotedCharacters = 12;

struct Character {
    char32_t code = kBroken; ///< kBroken: a byte that is not part of a character
    std::size_t bytes = 1;
};

/// The first character of a non-empty text, by the table of well-formed sequences of the Unicode Standard (no overlong forms, no
/// surrogates).
Character firstCharacter(std::string_view text)
{
    auto const byte = [&](std::size_t i) { return static_cast<std::uint8_t>(text[i]); };
    auto const lead = byte(0);
    if (lead < 0x80) return {lead, 1};
    std::size_t const size = lead >= 0xc2 && lead <= 0xdf ? 2 : lead >= 0xe0 && lead <= 0xef ? 3 : lead >= 0xf0 && lead <= 0xf4 ? 4 : 0;
    if (size == 0 || text.size() < size) return {};
    char32_t code = lead & (0x7fu >> size);
    for (std::size_t i = 1; i < size; ++i) {
        if ((byte(i) & 0xc0) != 0x80) return {};
        code = code << 6 | (byte(i) & 0x3fu);
    }
    constexpr std::array<char32_t, 5> kLeast{0, 0, 0x80, 0x800, 0x10000};
    if (code < kLeast[size] || (code >= 0xd800 && code <= 0xdfff) || code > 0x10ffff) return {};
    return {code, size};
}

struct Range {
    char32_t first, last;
};

/// In addition to control characters: invisible characters that change the display of the following text.
constexpr std::array kHidden{
    Range{0x061c, 0x061c},   // Arabic letter mark
    Range{0x200b, 0x200b},   // zero width space
    Range{0x200e, 0x200f},   // direction marks
    Range{0x2028, 0x202e},   // line and paragraph separators, embeddings and overrides of direction
    Range{0x2060, 0x206f},   // word joiner, isolates, deprecated format characters
    Range{0xfeff, 0xfeff},   // byte order mark
    Range{0xfff9, 0xfffb},   // interlinear annotation
    Range{0xe0000, 0xe007f}, // tags
};

bool isUnsafe(char32_t code)
{
    if (code < 0x20 || (code >= 0x7f && code <= 0x9f) || code == kBroken) return true;
    return std::ranges::any_of(kHidden, [code](Range const &r) { return code >= r.first && code <= r.last; });
}

bool isPlain(std::string_view text, Breaks breaks)
{
    return std::ranges::all_of(
        text, [breaks](char c) { return (c >= 0x20 && c < 0x7f) || (breaks == Breaks::Kept && (c == '\n' || c == '\t')); });
}

void addEscape(std::string &out, char32_t code)
{
    if (code == U'\n') out += "\\n";
    else if (code == U'\t') out += "\\t";
    else if (code == U'\r') out += "\\r";
    else {
        std::array<char, 16> buffer{};
        std::snprintf(buffer.data(), buffer.size(),
                      code < 0x100         ? "\\x%02x"
                          : code < 0x10000 ? "\\u%04x"
                                           : "\\U%08x",
                      static_cast<unsigned>(code));
        out += buffer.data();
    }
}

/// Calls `add(character, its bytes)` for all characters.
template <typename Add> void forEachCharacter(std::string_view text, Add const &add)
{
    while (!text.empty()) {
        auto const character = firstCharacter(text);
        add(character.code, text.substr(0, character.bytes));
        text.remove_prefix(character.bytes);
    }
}

} // namespace

std::string safeText(std::string_view text, Breaks breaks)
{
    if (isPlain(text, breaks)) return std::string(text);
    std::string out;
    out.reserve(text.size());
    forEachCharacter(text, [&](char32_t code, std::string_view bytes) {
        bool const kept = breaks == Breaks::Kept && (code == U'\n' || code == U'\t');
        if (kept || !isUnsafe(code)) out += bytes;
        else addEscape(out, code == kBroken ? static_cast<std::uint8_t>(bytes.front()) : code);
    });
    return out;
}

std::string safeJson(std::string_view document)
{
    if (isPlain(document, Breaks::Kept)) return std::string(document);
    std::string out;
    out.reserve(document.size());
    // Only strings contain such characters beyond ASCII. Within ASCII, JSON escapes all control characters except DEL.
    forEachCharacter(document, [&](char32_t code, std::string_view bytes) {
        if (code == kBroken || code < 0x7f || !isUnsafe(code)) {
            out += bytes;
            return;
        }
        auto const unit = [&out](unsigned value) {
            std::array<char, 16> buffer{};
            std::snprintf(buffer.data(), buffer.size(), "\\u%04x", value);
            out += buffer.data();
        };
        if (code < 0x10000) {
            unit(static_cast<unsigned>(code));
        } else {
            unit(static_cast<unsigned>(0xd800 + ((code - 0x10000) >> 10)));
            unit(static_cast<unsigned>(0xdc00 + ((code - 0x10000) & 0x3ff)));
        }
    });
    return out;
}

std::string_view firstCharacters(std::string_view text, std::size_t characters)
{
    std::size_t end = 0;
    for (std::size_t taken = 0; end < text.size() && taken < characters; ++taken) end += firstCharacter(text.substr(end)).bytes;
    return text.substr(0, end);
}

std::string shortened(std::string_view text, std::size_t characters)
{
    auto const first = firstCharacters(text, characters);
    return std::string(first) + (first.size() < text.size() ? "…" : "");
}

std::string quotedContent(std::string_view content)
{
    // Cut first, because a cell may have megabytes. No character has more than four bytes.
    auto const start = content.substr(0, 4 * (kQuotedCharacters + 1));
    return "'" + shortened(safeText(start), kQuotedCharacters) + "'";
}

bool isUtf8(std::string_view text)
{
    bool good = true;
    forEachCharacter(text, [&](char32_t code, std::string_view) { good = good && code != kBroken; });
    return good;
}

std::size_t characterCount(std::string_view text)
{
    std::size_t count = 0;
    forEachCharacter(text, [&](char32_t, std::string_view) { ++count; });
    return count;
}

} // namespace tilewright

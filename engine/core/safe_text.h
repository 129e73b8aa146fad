#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace tilewright {

/// Line ends and tabs: escaped as "
/// " and "\t", so that the text stays on one line, or kept.
enum class Breaks { Escaped, Kept };

/// A safe form of a text for a terminal, a log or a page. Escapes characters that control a terminal, change the writing direction or are
/// invisible ("\x1b", "\u202e"), and bytes that are not UTF-8 ("\xff"). The result is valid UTF-8. Idempotent.
std::string safeText(std::string_view text, Breaks breaks = Breaks::Escaped);

/// The same for a printed JSON document. The result is JSON with the same meaning. Requires: valid JSON in UTF-8.
std::string safeJson(std::string_view document);

/// A quotation of a file's content for an error: a few characters, safe, in quotes, with "…" if more follow. Enough to find the place, too
/// few to leak a file through its errors.
std::string quotedContent(std::string_view content);

/// At most the first `characters` characters of a text.
std::string_view firstCharacters(std::string_view text, std::size_t characters);
/// The same with "…" if characters were cut.
std::string shortened(std::string_view text, std::size_t characters);

bool isUtf8(std::string_view text);
/// Number of characters (code points): the columns on a terminal, except for wide and combining characters.
std::size_t characterCount(std::string_view text);

} // namespace tilewright

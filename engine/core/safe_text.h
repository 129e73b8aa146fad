#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace tilewright {

/// Line ends and tabs: shown as "\n" and "\t", so that the text stays one line, or left as they are.
enum class Breaks { Escaped, Kept };

/// The text as a terminal, a log or a page may show it, wherever it came from. What would steer a terminal, turn
/// the direction of writing or be invisible is written out ("\x1b", "\u202e"), and so are bytes that are no UTF-8
/// ("\xff"). All that is left is valid UTF-8; a text made safe once stays as it is.
std::string safeText(std::string_view text, Breaks breaks = Breaks::Escaped);

/// The same for a printed JSON document, which stays one with the same meaning. Requires: valid JSON in UTF-8.
std::string safeJson(std::string_view document);

/// What an error quotes of a file's content: a few characters, safe, in quotes, with "…" where more follows.
/// Enough to find the place; too little to read a file by its errors.
std::string quotedContent(std::string_view content);

/// No more than the first characters of a text.
std::string_view firstCharacters(std::string_view text, std::size_t characters);
/// The same with "…" behind when there were more.
std::string shortened(std::string_view text, std::size_t characters);

bool isUtf8(std::string_view text);
/// Characters (code points) of a text: its columns on a terminal, but for wide and combining ones.
std::size_t characterCount(std::string_view text);

} // namespace tilewright

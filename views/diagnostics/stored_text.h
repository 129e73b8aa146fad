#pragma once

#include <QString>

#include <string>

namespace tilewright::views {

/// A text that a file stores in English, and its message as core/message_json.h writes it: in the language of the window. The English text
/// if the message is that of another text, or none.
QString storedText(std::string const &english, std::string const &json);

} // namespace tilewright::views

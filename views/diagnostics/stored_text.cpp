#include "views/diagnostics/stored_text.h"

#include "engine/core/json_text.h"
#include "engine/core/message_json.h"
#include "views/diagnostics/diagnostic_text.h"

#include <nlohmann/json.hpp>

namespace tilewright::views {

QString storedText(std::string const &english, std::string const &json)
{
    if (!json.empty())
        if (auto const message = messageFromJson(orderedJsonOrDiscarded(json)); message && message->text() == english)
            return messageText(*message);
    return QString::fromStdString(english);
}

} // namespace tilewright::views

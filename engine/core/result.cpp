#include "engine/core/result.h"
#include "engine/core/diagnostic_message.h"

#include <string_view>

namespace tilewright {

Message toMessage(Diagnostic const &diagnostic)
{
    auto text = diagnostic.subject.empty() ? diagnostic.message : Message(diagnostic.subject + ": ") + diagnostic.message;
    if (diagnostic.remedy.empty()) return text;
    if (!text.empty() && std::string_view(".!?:").find(text.back()) == std::string_view::npos) text += '.';
    return text + Message(" ") + diagnostic.remedy;
}

std::string toText(Diagnostic const &diagnostic) { return toMessage(diagnostic).text(); }

Diagnostic makeError(ErrorKind kind, std::string code, std::string subject, Message message, Message remedy)
{
    return Diagnostic{kind, Severity::Error, std::move(code), std::move(subject), std::move(message), std::move(remedy)};
}

Diagnostic makeWarning(std::string code, std::string subject, Message message, Message remedy)
{
    return Diagnostic{ErrorKind::Internal, Severity::Warning, std::move(code), std::move(subject), std::move(message), std::move(remedy)};
}

} // namespace tilewright

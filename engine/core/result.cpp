#include "engine/core/result.h"

#include <string_view>

namespace tilewright {

std::string toText(Diagnostic const &diagnostic)
{
    std::string text = diagnostic.message.text();
    if (!diagnostic.subject.empty()) text = diagnostic.subject + ": " + text;
    if (diagnostic.remedy.empty()) return text;
    if (!text.empty() && std::string_view(".!?:").find(text.back()) == std::string_view::npos) text += '.';
    text += " " + diagnostic.remedy.text();
    return text;
}

Diagnostic makeError(ErrorKind kind, std::string code, std::string subject, Message message, Message remedy)
{
    return Diagnostic{kind, Severity::Error, std::move(code), std::move(subject), std::move(message), std::move(remedy)};
}

Diagnostic makeWarning(std::string code, std::string subject, Message message, Message remedy)
{
    return Diagnostic{ErrorKind::Internal, Severity::Warning, std::move(code), std::move(subject), std::move(message), std::move(remedy)};
}

} // namespace tilewright

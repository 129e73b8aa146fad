#include "views/diagnostics/registry_text.h"

#include <QCoreApplication>

#include <string>

namespace tilewright::views {

QString registryText(std::string_view english)
{
    // Qt answers the empty text with what the file says of itself.
    return english.empty() ? QString() : QCoreApplication::translate("registry", std::string(english).c_str());
}

QString registryText(std::string_view english, std::string_view value)
{
    QString const text = registryText(english);
    return value.empty() ? text : text.arg(registryText(value));
}

} // namespace tilewright::views

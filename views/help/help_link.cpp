#include "views/help/help_link.h"

namespace tilewright::views {

HelpLink parseHelpLink(QString const &target)
{
    auto const scheme = target.section(QLatin1Char(':'), 0, 0);
    auto const rest = target.section(QLatin1Char(':'), 1);
    if (scheme.isEmpty() || rest.isEmpty()) return {HelpLink::Broken, target};
    if (scheme == QLatin1String("view")) return {HelpLink::ShowView, rest};
    if (scheme == QLatin1String("template")) return {HelpLink::OpenTemplate, rest};
    if (scheme == QLatin1String("action")) {
        if (rest == QLatin1String("compile")) return {HelpLink::Compile, {}};
        if (rest == QLatin1String("train")) return {HelpLink::Train, {}};
        return {HelpLink::Broken, target};
    }
    if (scheme == QLatin1String("select")) {
        auto const what = rest.section(QLatin1Char('/'), 0, 0);
        auto const name = rest.section(QLatin1Char('/'), 1);
        bool number = false;
        name.toUInt(&number);
        if (what == QLatin1String("tile") && number) return {HelpLink::SelectTile, name};
        if (what == QLatin1String("layer") && !name.isEmpty()) return {HelpLink::SelectLayer, name};
        return {HelpLink::Broken, target};
    }
    return {HelpLink::Page, target};
}

} // namespace tilewright::views

#include "views/common/platform_messages.h"

#include <QString>
#include <QtGlobal>

namespace tilewright::views {

namespace {

QtMessageHandler s_before = nullptr;

void passOn(QtMsgType type, QMessageLogContext const &context, QString const &message)
{
    if (message.startsWith(QLatin1String(kPlatformChatter))) return;
    s_before(type, context, message);
}

} // namespace

void dropPlatformChatter()
{
    if (!s_before) s_before = qInstallMessageHandler(passOn);
}

} // namespace tilewright::views

#include "views/common/platform_messages.h"

#include <QString>
#include <QtGlobal>

namespace tilewright::views {

namespace {

QtMessageHandler s_before = nullptr;

void passOn(QtMsgType type, QMessageLogContext const &context, QString const &message)
{
    if (isPlatformChatter(message)) return;
    s_before(type, context, message);
}

} // namespace

bool isPlatformChatter(QString const &message)
{
    return message.startsWith(QLatin1String(kPlatformChatter))
        || message.startsWith(QLatin1String("QStandardPaths: XDG_RUNTIME_DIR not set"));
}

void dropPlatformChatter()
{
    if (!s_before) s_before = qInstallMessageHandler(passOn);
}

} // namespace tilewright::views

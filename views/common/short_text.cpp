#include "views/common/short_text.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QLocale>

namespace tilewright::views {

QString whenText(QDateTime const &moment)
{
    if (!moment.isValid()) return {};
    auto const local = moment.toLocalTime();
    QLocale const locale;
    return QCoreApplication::translate("views", "%1, %2", "date, time of day")
        .arg(locale.toString(local.date(), QCoreApplication::translate("views", "d MMM yyyy", "pattern of a date")),
             locale.toString(local.time(), QLocale::ShortFormat));
}

QString shortHash(QString const &hash)
{
    constexpr qsizetype kEnough = 8;
    return hash.left(kEnough);
}

} // namespace tilewright::views

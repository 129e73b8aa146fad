#include "views/common/unbroken.h"

#include <QRegularExpression>

namespace tilewright::views {

QString unbroken(QString const &text)
{
    static QRegularExpression const gap(
        QStringLiteral("(?<=\\d) (?=(?:(?:[KMGTP]i|[kMGT])?B|[mµun]?s|min|h|[kMGT]?Hz|[kMGT]?FLOPS|°C|W|V)(?![\\w])|%|[kMG] )"));
    static QRegularExpression const rate(QStringLiteral("(?<=\\w)/(?=(?:s|h)(?!\\w))"));
    QString kept = text;
    kept.replace(gap, QString(QChar::Nbsp));
    constexpr char16_t kWordJoiner = 0x2060;
    kept.replace(rate, QStringLiteral("/") + QChar(kWordJoiner));
    return kept;
}

} // namespace tilewright::views

#include "views/wording/bubble_words.h"

#include "views/common/format.h"
#include "views/common/words.h"

#include <QStringList>

namespace tilewright::views {

QString causeWord(std::string const &cause)
{
    if (cause == "ramp_up") return Words::tr("ramp up");
    if (cause == "ramp_down") return Words::tr("ramp down");
    if (cause == "imbalance") return Words::tr("imbalance");
    if (cause == "schedule") return Words::tr("schedule");
    if (cause == "transfer") return Words::tr("transfer");
    if (cause == "host") return Words::tr("waiting for the host");
    if (cause == "update") return Words::tr("weight update");
    return QString::fromStdString(cause);
}

QString bubbleCauses(report::BubbleShares const &shares)
{
    constexpr double kLeast = 0.0005; // less is no part of a percentage
    QStringList causes;
    auto const add = [&](QString const &name, double share) {
        if (share > kLeast) causes << QStringLiteral("%1 %2").arg(name, shareText(share));
    };
    add(Words::tr("ramp"), shares.ramps());
    add(causeWord("imbalance"), shares.share("imbalance"));
    if (shares.culprit >= 0 && shares.share("imbalance") > kLeast)
        causes.back() += QStringLiteral(": ") + Words::tr("IPU %1").arg(shares.culprit);
    add(causeWord("schedule"), shares.share("schedule"));
    add(causeWord("transfer"), shares.share("transfer"));
    add(causeWord("host"), shares.share("host"));
    return causes.join(QStringLiteral(", "));
}

QString bubbleText(report::BubbleShares const &shares)
{
    QString const all = Words::tr("bubbles %1 of the pipeline's time").arg(shareText(shares.all)), causes = bubbleCauses(shares);
    return causes.isEmpty() ? all : QStringLiteral("%1 (%2)").arg(all, causes);
}

} // namespace tilewright::views

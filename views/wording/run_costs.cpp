#include "views/wording/run_costs.h"

#include "views/common/format.h"
#include "views/common/words.h"

#include <cmath>

namespace tilewright::views {

QString shareOfStepText(double share, int ipus)
{
    return ipus > 1 ? Words::tr("%1 of a step on %2 IPUs").arg(shareText(share)).arg(ipus)
                    : Words::tr("%1 of a step").arg(shareText(share));
}

QString stepCyclesText(StepShare const &part)
{
    return (part.ipus > 1 ? Words::tr("%1 of %2 IPU cycles of a step, %3") : Words::tr("%1 of %2 cycles of a step, %3"))
        .arg(countText(std::llround(part.cycles)), countText(std::llround(part.of)), shareText(part.share()));
}

QString stepCyclesTitle(int ipus) { return ipus > 1 ? Words::tr("IPU cycles of a step") : Words::tr("Cycles of a step"); }

QString stepCyclesHelp(int ipus)
{
    return ipus > 1
        ? Words::tr("IPU cycles are cycles added over the IPUs: a step has its own cycles %1 times, once on each IPU.").arg(ipus)
        : QString();
}

} // namespace tilewright::views

#include "views/inspector/what_if.h"

#include "views/common/format.h"
#include "views/common/words.h"

#include "engine/model/resolve.h"

#include <cmath>

namespace tilewright::views {

WhatIf whatIf(project::Project const &project, JobContext const &job)
{
    WhatIf result;
    auto const resolved = model::resolve(project.model);
    if (!resolved.ok()) return result;
    result.resolves = true;
    result.parameters = resolved->parameters();
    auto const fit = Session::estimateFit(project, job);
    result.known = fit.known;
    result.fits = fit.fits;
    result.worstShare = fit.worstShare;
    return result;
}

QString whatIfText(WhatIf const &now, WhatIf const &then)
{
    if (!then.resolves) return Words::tr("the model would not fit together");
    QStringList parts;
    auto const change = then.parameters - now.parameters;
    if (now.resolves && change != 0)
        parts << Words::tr("%1%2 parameter(s)", nullptr, pluralOf(std::abs(change)))
                     .arg(change > 0 ? QStringLiteral("+") : QStringLiteral("−"), countText(std::abs(change)));
    if (then.known) {
        QString const share = shareText(then.worstShare);
        if (!now.known) parts << Words::tr("worst tile %1, estimated").arg(share);
        else if (share != shareText(now.worstShare))
            parts << Words::tr("worst tile %1 → %2, estimated").arg(shareText(now.worstShare), share);
        if (!then.fits && now.fits) parts << Words::tr("would not fit");
    }
    return parts.join(QStringLiteral(" · "));
}

} // namespace tilewright::views

#pragma once

#include "views/session/session.h"

namespace tilewright::views {

/// Effects of an edit before it is applied: figures of both projects by the quick estimate.
struct WhatIf {
    bool resolves = false;
    std::int64_t parameters = 0;
    bool known = false; ///< whether the fit is known
    bool fits = true;
    double worstShare = 0; ///< of a tile
    bool operator==(WhatIf const &) const = default;
};
WhatIf whatIf(project::Project const &project, JobContext const &job);
/// "+12,800 parameters (235,146 to 247,946) · worst tile 18 % to 21 %, estimated"; "" when nothing changes.
QString whatIfText(WhatIf const &now, WhatIf const &then);

} // namespace tilewright::views

#pragma once

#include "engine/core/result.h"

namespace tilewright {

/// The text of toText(Diagnostic) with its patterns, for logs whose readers may translate it.
Message toMessage(Diagnostic const &diagnostic);

} // namespace tilewright

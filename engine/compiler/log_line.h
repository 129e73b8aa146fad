#pragma once

#include "engine/config/log_levels.h"
#include "engine/core/message.h"

#include <cstdint>
#include <string>

namespace tilewright::compiler {

/// A log line in a report.
struct LogLine {
    std::int64_t hostNs = 0; ///< since the start of the work
    config::LogComponent component = config::LogComponent::Runtime;
    config::LogLevel level = config::LogLevel::Info;
    std::string code;
    Message text;
};

} // namespace tilewright::compiler

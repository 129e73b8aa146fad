#pragma once

#include "engine/config/log_levels.h"

#include <cstdint>
#include <string>

namespace tilewright::compiler {

/// A line of the log as reports keep it.
struct LogLine {
    std::int64_t hostNs = 0; ///< from the beginning of the work
    config::LogComponent component = config::LogComponent::Runtime;
    config::LogLevel level = config::LogLevel::Info;
    std::string code, text;
};

} // namespace tilewright::compiler

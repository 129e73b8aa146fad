#pragma once

#include <string>
#include <string_view>

// Keys of `meta` for texts of a report that a reader may translate: the value is the message as core/message_json.h writes it. The tables
// hold the English texts.
namespace tilewright::report {

/// Of compile_pass.cache_reason.
inline constexpr std::string_view kCacheMessage = "cache_message";
/// Of the text of a row of `log`.
inline std::string logMessageKey(int row) { return "log_message." + std::to_string(row); }

} // namespace tilewright::report

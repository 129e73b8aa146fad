#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tilewright::store {

inline constexpr std::int64_t kReportApplicationId = 0x54575250;  ///< 'TWRP'
inline constexpr std::int64_t kProjectApplicationId = 0x5457504A; ///< 'TWPJ'
inline constexpr int kReportVersion = 200;                        ///< major * 100 + minor; 2: deflated blobs, layouts as differences
inline constexpr int kProjectVersion = 100;

/// Statements that create an empty report: tables, indices, views.
std::vector<std::string> reportSchema();
/// Statements that make an empty project: tables alone.
std::vector<std::string> projectSchema();

} // namespace tilewright::store

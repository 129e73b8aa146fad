#pragma once

// Shared by tables of several subjects.
namespace tilewright::report {

/// "None" for an id or a step; stored as NULL.
inline constexpr int kNone = -1;

/// Maximum number of events or series points in one stored chunk.
inline constexpr int kChunkItems = 8192;

} // namespace tilewright::report

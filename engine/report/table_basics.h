#pragma once

// What tables of several subjects share.
namespace tilewright::report {

/// Of an id or a step: none, stored as NULL.
inline constexpr int kNone = -1;

/// Events and series points in one stored chunk, at most.
inline constexpr int kChunkItems = 8192;

} // namespace tilewright::report

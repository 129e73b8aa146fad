#pragma once

namespace tilewright::views {

/// What the platforms without a screen say of themselves for every window: nothing is amiss, and nobody can do anything
/// about it.
inline constexpr char kPlatformChatter[] = "This plugin does not support propagateSizeHints";

/// From here on that one sentence stays off stderr; every other message goes where it went before.
void dropPlatformChatter();

} // namespace tilewright::views

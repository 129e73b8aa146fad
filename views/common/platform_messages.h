#pragma once

class QString;

namespace tilewright::views {

/// What the platforms without a screen say of themselves for every window: nothing is amiss, and nobody can do anything
/// about it.
inline constexpr char kPlatformChatter[] = "This plugin does not support propagateSizeHints";

/// That, and what Qt says where no session of a desktop gave a folder for sockets: it takes another.
bool isPlatformChatter(QString const &message);

/// From here on such sentences stay off stderr; every other message goes where it went before.
void dropPlatformChatter();

} // namespace tilewright::views

#pragma once

class QString;

namespace tilewright::views {

/// Harmless messages of screenless platform plugins about every window.
inline constexpr char kPlatformChatter[] = "This plugin does not support propagateSizeHints";

/// Those, and Qt's message about a missing runtime folder, for which Qt uses another one.
bool isPlatformChatter(QString const &message);

/// Removes such messages from stderr from now on. All other messages are unchanged.
void dropPlatformChatter();

} // namespace tilewright::views

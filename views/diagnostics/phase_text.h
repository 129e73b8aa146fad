#pragma once

#include <QString>

// What a job, a compile and the host's threads are doing, in the language of the window: the strip, the compile view and the lanes
// of the host say it with the same words.
namespace tilewright::views {

/// Of the engine's English, which begins with a capital here whatever it begins with there: "Compiling: code" is "Code". What
/// nobody has translated, names of passes for one, stays as it is.
QString phaseText(QString const &english);

} // namespace tilewright::views

#pragma once

#include <QString>

namespace tilewright::views {

/// The text with a no-break space between each number and its unit, and with no break inside a unit such as "samples/s": for labels of
/// several lines. Not for texts that are searched or exported.
QString unbroken(QString const &text);

} // namespace tilewright::views

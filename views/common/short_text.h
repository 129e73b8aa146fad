#pragma once

#include <QString>

class QDateTime;

// Short forms of texts that are exact in files: times and hashes.
namespace tilewright::views {

/// "28 Nov 2026, 14:03": the local time of a moment, in the order and with the clock of the language. "" if it is invalid.
QString whenText(QDateTime const &moment);
/// The first eight characters of a hash or UUID, which tell two of them apart.
QString shortHash(QString const &hash);

} // namespace tilewright::views

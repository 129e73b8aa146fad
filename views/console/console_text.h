#pragma once

#include "views/diagnostics/console.h"

#include <QStringList>

#include <vector>

// Console lines as text for display and files.
namespace tilewright::views {

/// "debug", "info", "warning", "error": the stable names used by filters and files.
QString levelName(int level);
/// Translated, for the table and menus.
QString levelText(int level);
/// "12:04:31.250", or with `since` "+3.250 s".
QString lineTime(QDateTime const &time, QDateTime const &since);
/// Text with its count: "no space left (12 times)".
QString lineText(ConsoleLine const &line);
/// "2026-05-04T12:04:31.250 warning compile dense: text".
QString plainLine(ConsoleLine const &line);
/// One JSON object per line, all fields, newline-separated.
QString toJsonLines(std::vector<ConsoleLine> const &lines);
/// "3 errors, 5 warnings · 12,040 lines", "No messages".
QString consoleHeadline(qint64 errors, qint64 warnings, qint64 lines, qint64 shown);

} // namespace tilewright::views

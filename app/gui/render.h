#pragma once

#include "engine/core/result.h"

#include <QString>
#include <QStringList>

#include <optional>

class QApplication;

namespace tilewright::app {

/// `render FILE --view NAME [--against FILE] [--mode NAME] --out OUT.png|svg|pdf|csv [--size WxH] [--theme light|dark|contrast] [--scale S]
/// [--json]`: draws one view of a report or a project without a window. Views that compare show FILE beside the report given with
/// --against. `failed`: what an event handler has failed with meanwhile; the picture then counts for nothing. Exit codes as the command
/// line's (0, 1, 2, 3, 5).
int renderCommand(QApplication &application, QStringList const &arguments, std::optional<Diagnostic> const &failed = {});

} // namespace tilewright::app

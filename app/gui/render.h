#pragma once

#include <QString>
#include <QStringList>

class QApplication;

namespace tilewright::app {

/// `render FILE --view NAME [--against FILE] [--mode NAME] --out OUT.png|svg|pdf|csv [--size WxH] [--theme light|dark|contrast] [--scale S]
/// [--json]`: draws one view of a report or a project without a window. Views that compare show FILE beside the report given with
/// --against. Exit codes as the command line's (0, 2, 3, 5).
int renderCommand(QApplication &application, QStringList const &arguments);

} // namespace tilewright::app

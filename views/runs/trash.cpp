#include "views/runs/trash.h"

#include <QFile>

namespace tilewright::views {

std::function<bool(QString const &)> &trash()
{
    static std::function<bool(QString const &)> move = [](QString const &path) { return QFile::moveToTrash(path); };
    return move;
}

} // namespace tilewright::views

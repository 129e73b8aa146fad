#include "views/inspector/links.h"

#include <QStringList>

namespace tilewright::views {

namespace {

constexpr QChar kPart(0x1f); // not allowed in names

QString made(SelectionKind kind, QString const &what, QString const &name, QString const &view)
{
    return QStringList{QString::number(static_cast<int>(kind)), what, name, view}.join(kPart);
}

} // namespace

QString linkTo(SelectionKind kind, int id, QString const &view) { return made(kind, QString::number(id), {}, view); }
QString linkTo(SelectionKind kind, QString const &name, QString const &view) { return made(kind, {}, name, view); }
QString linkToView(QString const &view) { return made(SelectionKind::None, {}, {}, view); }

Destination targetOf(QString const &link)
{
    auto const parts = link.split(kPart);
    if (parts.size() != 4) return {};
    Destination target;
    target.view = parts[3];
    target.selected.kind = static_cast<SelectionKind>(parts[0].toInt());
    if (!parts[1].isEmpty()) target.selected.ids = {parts[1].toInt()};
    target.selected.name = parts[2];
    return target;
}

} // namespace tilewright::views

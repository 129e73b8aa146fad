#include "views/subjects/destination.h"

#include "engine/project/project.h"
#include "views/document/document.h"
#include "views/session/session.h"

namespace tilewright::views {

namespace {

Destination option(QString const &path, char const *view) { return {QString::fromLatin1(view), {SelectionKind::Option, {}, path}}; }

/// The layer at the beginning of a subject. Names can contain dots, so the longest match wins.
QString layerIn(model::Model const &model, QString const &subject)
{
    QString best;
    for (auto const &layer : model.layers) {
        QString const name = QString::fromStdString(layer.name);
        if (name.size() <= best.size() || !subject.startsWith(name)) continue;
        QChar const next = name.size() < subject.size() ? subject[name.size()] : QChar();
        if (next.isNull() || next == QLatin1Char('.') || next == QLatin1Char(' ') || next == QLatin1Char('/')) best = name;
    }
    return best;
}

} // namespace

std::optional<Destination> destinationOf(project::Project const &project, QString const &subject)
{
    if (subject.isEmpty()) return std::nullopt;
    if (subject.startsWith(QLatin1String("ipu_config")) || subject.startsWith(QLatin1String("engine_options."))
        || subject == QLatin1String("system.target"))
        return option(subject, "config");
    if (subject.startsWith(QLatin1String("POPLAR_ENGINE_OPTIONS ")))
        return option(QStringLiteral("engine_options.") + subject.section(QLatin1Char(' '), 1), "config");
    if (subject.startsWith(QLatin1String("training."))) return option(subject, "plan");
    if (subject == QLatin1String("loss") || subject == QLatin1String("optimizer") || subject == QLatin1String("metrics"))
        return option(QStringLiteral("training.") + subject, "plan");
    if (subject.startsWith(QLatin1String("data."))) return option(subject, "data");
    bool isTile = false;
    if (subject.startsWith(QLatin1String("tile "))) {
        int const tile = subject.mid(5).toInt(&isTile);
        if (isTile) return Destination{QStringLiteral("memory"), {SelectionKind::Tile, {tile}}};
    }
    QString const bare = subject.startsWith(QLatin1String("model.layers.")) ? subject.mid(13) : subject;
    if (QString const layer = layerIn(project.model, bare); !layer.isEmpty())
        return Destination{QStringLiteral("canvas"), {SelectionKind::Layer, {}, layer}};
    if (subject == QString::fromStdString(project.model.name)) return Destination{QStringLiteral("canvas"), {}};
    return std::nullopt;
}

bool goToSubject(Session &session, QString const &subject, bool show, QObject *from)
{
    auto const place = destinationOf(session.document().project(), subject);
    if (!place) return false;
    if (place->selected.kind != SelectionKind::None) session.selection().select(place->selected, from);
    if (show && !place->view.isEmpty()) emit session.viewRequested(place->view);
    return true;
}

} // namespace tilewright::views

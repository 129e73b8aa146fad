#pragma once

#include "views/modeledit/canvas_layout.h"
#include "views/modeledit/model_edits.h"

#include "engine/core/result.h"

#include <QString>

#include <functional>

class QObject;

// Model edits on the session's document: one undo step each, with what belongs to it (selection, messages).
namespace tilewright::views {

class Session;

/// What became of an edit, in words for a person; both empty: done, nothing to say.
struct EditOutcome {
    QString refusal; ///< why it was not done
    QString note;
    std::vector<std::string> layers; ///< to select
    bool done() const { return refusal.isEmpty(); }
};

/// What else of the project changes with an edit of its model, in the same undo step: `before` is the project without it. An error refuses
/// the edit.
using EditCompletion = std::function<Status(project::Project &project, project::Project const &before)>;

/// One undo step named `text`. Selects the layers of the edit, `from` being the view that asked.
EditOutcome editModel(Session &session, QString const &text, std::function<Result<ModelEdit>(model::Model const &)> const &change,
                      QObject *from, EditCompletion const &complete = {});
/// Renames a layer and what the canvas keeps of it.
EditOutcome renameLayerIn(Session &session, QString const &from, QString const &to, QObject *view);

CanvasLayout canvasLayoutOf(Session &session);
void setCanvasLayout(Session &session, CanvasLayout const &layout);

/// The layer that new ones go after: the selected one, else the output ("").
std::string insertionPoint(Session &session);

/// A layer of the class as the palette offers it, fitted to what will feed it.
Result<model::Layer> starterLayerFor(Session &session, QString const &className, std::string const &after);

/// Adds it behind the insertion point, as one undo step.
EditOutcome addStarterLayer(Session &session, QString const &className, QObject *from);

/// What a drag of a layer class carries: its class name in UTF-8.
inline constexpr char kLayerMime[] = "application/x-tilewright-layer";

} // namespace tilewright::views

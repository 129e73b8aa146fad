#pragma once

#include "views/modeledit/canvas_layout.h"
#include "views/modeledit/model_edits.h"

#include "engine/core/result.h"
#include "engine/project/project.h"

#include <QString>

#include <functional>

class QObject;

// Model edits on the session's document: one undo step each, with selection and messages.
namespace tilewright::views {

class Session;

/// Result of an edit in words; both empty: done without remarks.
struct EditOutcome {
    QString refusal; ///< reason if it was not done
    QString note;
    std::vector<std::string> layers; ///< to select
    bool done() const { return refusal.isEmpty(); }
};

/// What else of the project changes with an edit of its model, in the same undo step: `before` is the project without it. An error refuses
/// the edit.
using EditCompletion = std::function<Status(project::Project &project, project::Project const &before)>;

/// Makes one undo step named `text`. Selects the layers of the edit; `from`: the requesting view.
EditOutcome editModel(Session &session, QString const &text, std::function<Result<ModelEdit>(model::Model const &)> const &change,
                      QObject *from, EditCompletion const &complete = {});
/// Renames a layer, also in the canvas layout.
EditOutcome renameLayerIn(Session &session, QString const &from, QString const &to, QObject *view);

CanvasLayout canvasLayoutOf(Session &session);
void setCanvasLayout(Session &session, CanvasLayout const &layout);

/// The layer after which new ones are inserted: the selected one, else the output ("").
std::string insertionPoint(Session &session);

/// A new layer of the class with the palette's values, fitted to its input.
Result<model::Layer> starterLayerFor(Session &session, QString const &className, std::string const &after);

/// Adds a new layer of the class after the insertion point, as one undo step.
EditOutcome addStarterLayer(Session &session, QString const &className, QObject *from);

/// Numbers of pipeline stages that the window offers to propose.
inline constexpr int kProposedStages[] = {2, 4, 8};
/// Cuts the model into so many stages of equal work by the best known costs (advice/layer_cost_watch.h), with what the rules of the
/// plan require, as one undo step.
EditOutcome proposeStages(Session &session, int stages, QObject *from);

/// Data of a dragged layer class: its class name in UTF-8.
inline constexpr char kLayerMime[] = "application/x-tilewright-layer";

} // namespace tilewright::views

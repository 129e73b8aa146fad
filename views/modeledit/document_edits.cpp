#include "views/modeledit/document_edits.h"
#include "views/diagnostics/diagnostic_text.h"
#include "views/modeledit/edit_support.h"
#include "views/modeledit/layer_phrase.h"
#include "views/modeledit/model_graph.h"

#include "views/advice/layer_cost_watch.h"
#include "views/advice/rule_watch.h"
#include "views/document/document.h"
#include "views/session/layer_selection.h"
#include "views/session/selection.h"
#include "views/session/session.h"

#include <QCoreApplication>

namespace tilewright::views {

using edits::q;

EditOutcome editModel(Session &session, QString const &text, std::function<Result<ModelEdit>(model::Model const &)> const &change,
                      QObject *from, EditCompletion const &complete)
{
    EditOutcome outcome;
    auto const status = session.document().edit(text, [&](project::Project &project) -> Status {
        TW_ASSIGN(ModelEdit edit, change(project.model));
        project.model = std::move(edit.model);
        outcome.layers = std::move(edit.layers);
        outcome.note = edit.note;
        if (complete) return complete(project, session.document().project());
        return {};
    });
    if (!status.ok()) {
        outcome.refusal = diagnosticSentences(status.error());
        return outcome;
    }
    if (outcome.layers.empty()) {
        QStringList const selected = layersOf(session.selection().current());
        QStringList left;
        for (auto const &name : selected)
            if (session.document().project().model.find(name.toStdString())) left << name;
        if (left != selected) selectLayers(session.selection(), left, from);
    } else {
        QStringList names;
        for (auto const &layer : outcome.layers) names << q(layer);
        selectLayers(session.selection(), names, from);
    }
    return outcome;
}

EditOutcome renameLayerIn(Session &session, QString const &from, QString const &to, QObject *view)
{
    std::string const a = from.toStdString(), b = to.trimmed().toStdString();
    CanvasLayout const layout = layoutRenamed(canvasLayoutOf(session), a, b);
    if (a != b && !b.empty() && session.document().project().model.find(a) && !session.document().project().model.find(b))
        setCanvasLayout(session, layout); // first, so that the views that hear of the new name find its place
    return editModel(
        session, QCoreApplication::translate("views", "Rename %1").arg(from),
        [&](model::Model const &model) { return renamed(model, a, b); }, view);
}

CanvasLayout canvasLayoutOf(Session &session) { return parseCanvasLayout(session.document().project().layout); }

void setCanvasLayout(Session &session, CanvasLayout const &layout) { session.document().setLayout(printCanvasLayout(layout)); }

std::string insertionPoint(Session &session)
{
    auto const &current = session.selection().current();
    QStringList const names = layersOf(current);
    std::string const name = names.isEmpty() ? std::string() : names.last().toStdString();
    return current.kind == SelectionKind::Layer && session.document().project().model.find(name) ? name : std::string();
}

Result<model::Layer> starterLayerFor(Session &session, QString const &className, std::string const &after)
{
    auto const *spec = model::findLayerSpec(className.toStdString());
    if (!spec)
        return edits::refusal("unknown-layer", className.toStdString(),
                              QCoreApplication::translate("views", "There is no layer “%1”.").arg(className), {});
    auto const &project = session.document().project();
    auto const graph = modelGraph(project);
    int const row = graph.row(after.empty() ? lastLayer(project.model) : after);
    Shape const input = row < 0 ? Shape{} : graph.layers[static_cast<std::size_t>(row)].shape;
    Shape sample;
    for (auto const &layer : graph.layers)
        if (layer.input && layer.shape.size() > 1) sample.assign(layer.shape.begin() + 1, layer.shape.end());
    // An input is for the data of the project.
    if (auto const &counts = RuleWatch::of(session).counts(); className == QLatin1String("InputLayer") && counts && !counts->sample.empty())
        sample = counts->sample;
    return starterLayer(*spec, input, sample);
}

EditOutcome addStarterLayer(Session &session, QString const &className, QObject *from)
{
    std::string const after = insertionPoint(session);
    auto const layer = starterLayerFor(session, className, after);
    if (!layer.ok()) return {diagnosticSentences(layer.error()), {}, {}};
    return editModel(
        session, QCoreApplication::translate("views", "Add %1").arg(className),
        [&](model::Model const &model) { return appendLayers(model, {*layer}, after); }, from);
}

EditOutcome proposeStages(Session &session, int stages, QObject *from)
{
    return editModel(
        session, QCoreApplication::translate("views", "Propose %n stage(s)", nullptr, stages),
        [&](model::Model const &model) { return withProposedStages(model, stages, LayerCostWatch::of(session).proposer()); }, from,
        [samples = RuleWatch::of(session).samples()](project::Project &project, project::Project const &before) {
            return completeEdit(project, before, samples);
        });
}

} // namespace tilewright::views

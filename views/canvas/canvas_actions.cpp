#include "views/canvas/canvas_actions.h"

#include "views/advice/rule_watch.h"
#include "views/diagnostics/diagnostic_text.h"
#include "views/document/document.h"
#include "views/modeledit/layer_phrase.h"
#include "views/session/selection.h"
#include "views/session/session.h"

#include "engine/model/keras_json.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QMimeData>

#include <algorithm>

namespace tilewright::views {

namespace {

QString q(std::string const &text) { return QString::fromStdString(text); }

} // namespace

CanvasActions::CanvasActions(Session &session, CanvasWidget &canvas, QObject *view)
    : QObject(view), m_session(session), m_canvas(canvas), m_view(view)
{
}

EditCompletion CanvasActions::byTheRules() const
{
    return [samples = RuleWatch::of(m_session).samples()](project::Project &project, project::Project const &before) {
        return completeEdit(project, before, samples);
    };
}

bool CanvasActions::apply(QString const &text, std::function<Result<ModelEdit>(model::Model const &)> const &change,
                          EditCompletion const &complete)
{
    return tell(editModel(m_session, text, change, m_view, complete));
}

bool CanvasActions::tell(EditOutcome const &outcome)
{
    emit said(outcome.done() ? outcome.note : outcome.refusal, !outcome.done());
    if (!outcome.done()) return false;
    m_canvas.select(outcome.layers); // by id: what the next scene holds of them stays selected
    emit edited();
    m_canvas.revealAll(outcome.layers); // where they have come to stand
    return true;
}

std::string CanvasActions::place() const
{
    int const node = m_canvas.scene().node(m_canvas.current());
    if (node < 0) return {};
    std::string const layer = m_canvas.scene().layersOf(node).back();
    return m_session.document().project().model.find(layer) ? layer : std::string();
}

Shape CanvasActions::shapeOf(std::string const &layer) const
{
    auto const &graph = m_canvas.scene().graph;
    int const row = graph.row(layer.empty() ? lastLayer(m_session.document().project().model) : layer);
    return row < 0 ? Shape{} : graph.layers[static_cast<std::size_t>(row)].shape;
}

bool CanvasActions::append(std::vector<model::Layer> const &layers)
{
    std::string const after = place();
    QString const text = layers.size() == 1 ? tr("Add %1").arg(q(layers.front().className))
                                            : tr("Add %n layer(s)", nullptr, static_cast<int>(layers.size()));
    return apply(text, [&](model::Model const &model) { return appendLayers(model, layers, after); });
}

void CanvasActions::drop(QString const &className, int edge, int node)
{
    auto const &scene = m_canvas.scene();
    if (edge >= static_cast<int>(scene.edges.size()) || node >= static_cast<int>(scene.nodes.size())) return; // a menu outlived the scene
    std::string after;
    ModelEdge into;
    bool const onEdge = edge >= 0 && scene.edges[static_cast<std::size_t>(edge)].edges.size() == 1;
    if (edge >= 0 && !onEdge) return emit said(tr("Several connections run here: unfold the group to choose one."), true);
    if (onEdge) {
        into = scene.edges[static_cast<std::size_t>(edge)].edges.front();
        after = into.from;
    } else if (node >= 0) {
        after = scene.layersOf(node).back();
    }
    auto const layer = starterLayerFor(m_session, className, after);
    if (!layer.ok()) return emit said(diagnosticSentences(layer.error()), true);
    bool const input = layer->className == "InputLayer";
    apply(tr("Add %1").arg(className), [&](model::Model const &model) {
        return onEdge && !input ? insertOnEdge(model, *layer, into) : appendLayers(model, {*layer}, after);
    });
}

void CanvasActions::connectNodes(QString const &from, QString const &to)
{
    int const target = m_canvas.scene().node(to.toStdString());
    if (target >= 0 && m_canvas.scene().nodes[static_cast<std::size_t>(target)].group)
        return emit said(tr("Unfold the group to choose the layer that takes the connection."), true);
    apply(tr("Connect %1 with %2").arg(from, to),
          [&](model::Model const &model) { return connectLayers(model, from.toStdString(), to.toStdString()); });
}

void CanvasActions::activate(QString const &id)
{
    int const node = m_canvas.scene().node(id.toStdString());
    if (node < 0) return;
    if (m_canvas.scene().nodes[static_cast<std::size_t>(node)].group) fold(id.toStdString().substr(sizeof(kGroupPrefix) - 1), false);
    else emit m_session.viewRequested(QStringLiteral("inspector"));
}

void CanvasActions::setLayout(CanvasLayout const &layout, bool afresh)
{
    setCanvasLayout(m_session, layout);
    emit layoutEdited(afresh);
}

void CanvasActions::fold(std::string const &group, bool folded)
{
    CanvasLayout layout = canvasLayoutOf(m_session);
    LayerGroup *found = layout.find(group);
    if (!found) return;
    found->folded = folded;
    std::string const first = found->layers.front();
    setLayout(layout);
    if (folded) m_canvas.select({kGroupPrefix + group}, true);
    else m_canvas.select({first}, true);
}

void CanvasActions::group()
{
    auto const layers = m_canvas.selectedLayers();
    if (layers.empty()) return emit said(tr("Select the layers of the group first."), true);
    CanvasLayout layout = canvasLayoutOf(m_session);
    // A group that is selected whole comes apart.
    for (auto const &each : layout.groups)
        if (std::vector<std::string> const members = each.layers;
            std::is_permutation(members.begin(), members.end(), layers.begin(), layers.end())) {
            setLayout(ungrouped(layout, each.name));
            return emit said(tr("The group is no more."), false);
        }
    layout = grouped(std::move(layout), layers);
    QString const name = q(layout.groups.back().name);
    setLayout(layout);
    emit said(tr("%n layer(s) are “%1” now. A double click on its name folds it.", nullptr, static_cast<int>(layers.size())).arg(name),
              false);
}

void CanvasActions::pin(std::map<std::string, QPointF> const &centres)
{
    Pins pins;
    for (auto const &[id, centre] : centres) pins[id] = centre;
    setPins(centres.size() == 1 ? tr("Move %1").arg(q(centres.begin()->first))
                                : tr("Move %n node(s)", nullptr, static_cast<int>(centres.size())),
            pins);
    emit said(tr("%n node(s) stay where they are put. “Unpin” in the menu lets them go.", nullptr, static_cast<int>(centres.size())),
              false);
}

void CanvasActions::setPins(QString const &text, Pins const &pins)
{
    auto const with = [](Pins places) {
        return [places = std::move(places)](std::string const &before) {
            CanvasLayout layout = parseCanvasLayout(before);
            for (auto const &[id, place] : places) {
                if (place) layout.pins[id] = *place;
                else layout.pins.erase(id);
            }
            return printCanvasLayout(layout);
        };
    };
    Pins before;
    CanvasLayout const layout = canvasLayoutOf(m_session);
    for (auto const &[id, place] : pins) {
        auto const pin = layout.pins.find(id);
        before[id] = pin == layout.pins.end() ? std::nullopt : std::optional(pin->second);
    }
    m_session.document().editLayout(text, with(pins), with(before));
}

void CanvasActions::layOutAgain() { emit layoutEdited(true); }

void CanvasActions::remove()
{
    auto const &scene = m_canvas.scene();
    if (int const edge = m_canvas.selectedEdge(); edge >= 0) {
        auto const &edges = scene.edges[static_cast<std::size_t>(edge)].edges;
        if (edges.size() != 1) return emit said(tr("Several connections run here: unfold the group to choose one."), true);
        ModelEdge const gone = edges.front();
        apply(tr("Disconnect %1 from %2").arg(q(gone.to), q(gone.from)),
              [&](model::Model const &model) { return disconnectLayers(model, gone); });
        return;
    }
    auto const layers = m_canvas.selectedLayers();
    if (layers.empty()) return emit said(tr("Nothing is selected."), true);
    QString const text =
        layers.size() == 1 ? tr("Remove %1").arg(q(layers.front())) : tr("Remove %n layer(s)", nullptr, static_cast<int>(layers.size()));
    apply(text, [&](model::Model const &model) { return removeHealing(model, layers); });
}

void CanvasActions::copy()
{
    auto const layers = m_canvas.selectedLayers();
    auto const part = extractLayers(m_session.document().project().model, layers);
    if (!part.ok()) return emit said(diagnosticSentences(part.error()), true);
    auto *mime = new QMimeData;
    QByteArray const text = QByteArray::fromStdString(model::printKerasJson(*part));
    mime->setData(QStringLiteral("application/json"), text);
    mime->setText(QString::fromUtf8(text));
    QGuiApplication::clipboard()->setMimeData(mime);
    emit said(tr("%n layer(s) copied as Keras JSON.", nullptr, static_cast<int>(layers.size())), false);
}

void CanvasActions::paste()
{
    auto const copied = model::parseKerasJson(QGuiApplication::clipboard()->text().toStdString(), "clipboard");
    if (!copied.ok()) return emit said(tr("The clipboard holds no layers: copy some here, or the text of Keras's to_json."), true);
    std::string const after = place();
    apply(tr("Paste %n layer(s)", nullptr, static_cast<int>(copied->layers.size())),
          [&](model::Model const &model) { return pasteLayers(model, *copied, after); });
}

void CanvasActions::run(CanvasCommand command)
{
    switch (command) {
    case CanvasCommand::Add: return emit addRequested({});
    case CanvasCommand::Delete: return remove();
    case CanvasCommand::Duplicate: {
        auto const layers = m_canvas.selectedLayers();
        apply(tr("Duplicate %n layer(s)", nullptr, static_cast<int>(layers.size())),
              [&](model::Model const &model) { return duplicateLayers(model, layers); });
        return;
    }
    case CanvasCommand::Copy: return copy();
    case CanvasCommand::Cut:
        copy();
        if (!m_canvas.selectedLayers().empty()) remove();
        return;
    case CanvasCommand::Paste: return paste();
    case CanvasCommand::Group: return group();
    case CanvasCommand::Rename:
        if (std::string const layer = place(); !layer.empty()) emit renameRequested(q(layer));
        return;
    case CanvasCommand::Open: return activate(q(m_canvas.current()));
    case CanvasCommand::Leave: { // out of the group that the current layer is in: fold it
        CanvasLayout const layout = canvasLayoutOf(m_session);
        if (LayerGroup const *around = layout.groupOf(m_canvas.current()); around && !around->folded) fold(around->name, true);
        return;
    }
    }
}

void CanvasActions::trace(int node, bool downstream)
{
    if (node < 0 || node >= static_cast<int>(m_canvas.scene().nodes.size())) return; // the menu outlived the scene
    std::vector<std::string> ids;
    std::string const self = m_canvas.scene().nodes[static_cast<std::size_t>(node)].id;
    for (int const each : traced(m_canvas.scene(), node, downstream)) {
        std::string const &id = m_canvas.scene().nodes[static_cast<std::size_t>(each)].id;
        if (id != self) ids.push_back(id);
    }
    ids.push_back(self);
    m_canvas.select(ids, true);
    emit said(downstream ? tr("%n node(s) depend on it.", nullptr, static_cast<int>(ids.size()) - 1)
                         : tr("It depends on %n node(s).", nullptr, static_cast<int>(ids.size()) - 1),
              false);
}

} // namespace tilewright::views

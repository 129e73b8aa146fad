#include "views/canvas/canvas_actions.h"

#include "views/advice/fit_watch.h"
#include "views/advice/layer_cost_watch.h"
#include "views/common/theme.h"
#include "views/diagnostics/diagnostic_text.h"
#include "views/diagnostics/registry_text.h"
#include "views/document/document.h"
#include "views/modeledit/layer_family.h"
#include "views/modeledit/layer_phrase.h"
#include "views/modeledit/problem_fixes.h"
#include "views/session/session.h"

#include <QAction>
#include <QClipboard>
#include <QGuiApplication>
#include <QMenu>
#include <QPixmap>

#include <algorithm>

// The context menus of the canvas.
namespace tilewright::views {

namespace {

std::size_t u(int i) { return static_cast<std::size_t>(i); }
QString q(std::string const &text) { return QString::fromStdString(text); }

} // namespace

QMenu *CanvasActions::freshMenu()
{
    auto *menu = new QMenu(&m_canvas);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->setToolTipsVisible(true);
    return menu;
}

void CanvasActions::addLayerEntries(QMenu &menu, Shape const &input, std::function<void(QString const &)> const &chosen)
{
    for (auto const *spec : fittingLayers(input)) {
        auto *action = menu.addAction(familyIcon(familyOf(spec->className)), q(spec->className));
        action->setToolTip(registryText(spec->help));
        connect(action, &QAction::triggered, this, [chosen, name = q(spec->className)] { chosen(name); });
    }
}

void CanvasActions::offerBehind(QString const &from, QPoint const &global)
{
    QMenu *menu = freshMenu();
    menu->setObjectName(QStringLiteral("fitting"));
    std::string const after = from.toStdString();
    menu->addSection(tr("Layers that take %1 of %2").arg(shapeText(shapeOf(after)), from));
    addLayerEntries(*menu, shapeOf(after), [this, after](QString const &className) {
        auto const layer = starterLayerFor(m_session, className, after);
        if (!layer.ok()) return emit said(diagnosticSentences(layer.error()), true);
        apply(tr("Add %1").arg(className), [&](model::Model const &model) {
            // Pulled out of the middle of a chain, it is a branch.
            bool const branches = model.kind == model::ModelKind::Sequential && lastLayer(model) != after;
            return appendLayers(branches ? toFunctional(model) : model, {*layer}, after);
        });
    });
    menu->popup(global);
}

void CanvasActions::addFixes(QMenu &menu, int node)
{
    auto const layers = m_canvas.scene().layersOf(node);
    for (auto const &problem : m_session.document().problems()) {
        if (std::find(layers.begin(), layers.end(), problem.subject) == layers.end()) continue;
        auto const said = diagnosticText(problem);
        menu.addSection(said.message);
        auto const fixes = fixesFor(m_session.document().project().model, problem, LayerCostWatch::of(m_session).proposer());
        for (auto const &fix : fixes)
            connect(menu.addAction(fix.title), &QAction::triggered, this, [this, fix] {
                if (fix.apply) apply(fix.title, fix.apply, byTheRules());
                else if (!fix.view.isEmpty()) emit m_session.viewRequested(fix.view);
                else emit addRequested(fix.phrase);
            });
        if (fixes.empty()) menu.addAction(said.remedy.isEmpty() ? tr("No fix is known") : said.remedy)->setEnabled(false);
    }
    for (auto const &problem : FitWatch::of(m_session).layerProblems()) {
        if (std::find(layers.begin(), layers.end(), problem.subject) == layers.end()) continue;
        menu.addSection(diagnosticText(problem).message);
        connect(menu.addAction(tr("Show what would fit")), &QAction::triggered, this,
                [this] { emit m_session.viewRequested(QStringLiteral("problems")); });
    }
}

void CanvasActions::showFixes(QPoint const &global, int node)
{
    QMenu *menu = freshMenu();
    menu->setObjectName(QStringLiteral("fixes"));
    addFixes(*menu, node);
    menu->popup(global);
}

void CanvasActions::addNodeEntries(QMenu &menu, int node)
{
    auto const &each = m_canvas.scene().nodes[u(node)];
    if (each.problem >= 0) {
        addFixes(*menu.addMenu(tr("Problems")), node);
        menu.addSeparator();
    }
    std::string const layer = m_canvas.scene().layersOf(node).back();
    if (each.group) {
        menu.addAction(tr("Unfold"), this, [this, id = q(each.id)] { activate(id); });
        return;
    }
    menu.addAction(tr("Show in the inspector"), this, [this, id = q(each.id)] { activate(id); });
    menu.addAction(tr("Rename…"), QKeySequence(Qt::Key_F2), this, [this, layer] { emit renameRequested(q(layer)); });
    QMenu *insert = menu.addMenu(tr("Insert after it"));
    addLayerEntries(*insert, shapeOf(layer), [this, layer](QString const &className) {
        auto const added = starterLayerFor(m_session, className, layer);
        if (!added.ok()) return emit said(diagnosticSentences(added.error()), true);
        apply(tr("Add %1").arg(className), [&](model::Model const &model) { return insertAfter(model, *added, layer); });
    });
    if (m_canvas.scene().graph.functional && !each.input)
        menu.addAction(each.output ? tr("No output of the model any more") : tr("Make it an output of the model"), this,
                       [this, layer, output = !each.output] {
                           apply(output ? tr("Make %1 an output").arg(q(layer)) : tr("Make %1 no output").arg(q(layer)),
                                 [&](model::Model const &model) { return withOutput(model, layer, output); });
                       });
    menu.addAction(tr("Trace what it depends on"), this, [this, node] { trace(node, false); });
    menu.addAction(tr("Trace what depends on it"), this, [this, node] { trace(node, true); });
    menu.addSeparator();
}

void CanvasActions::addEdgeEntries(QMenu &menu, int edge)
{
    auto const &edges = m_canvas.scene().edges[u(edge)].edges;
    if (edges.size() != 1) {
        menu.addAction(tr("%n connection(s): unfold the group to edit them", nullptr, static_cast<int>(edges.size())))->setEnabled(false);
        return;
    }
    ModelEdge const at = edges.front();
    QMenu *insert = menu.addMenu(tr("Insert here"));
    addLayerEntries(*insert, shapeOf(at.from), [this, edge](QString const &className) { drop(className, edge, -1); });
    menu.addAction(tr("Remove the connection"), this, [this, at] {
        apply(tr("Disconnect %1 from %2").arg(q(at.to), q(at.from)),
              [&](model::Model const &model) { return disconnectLayers(model, at); });
    });
    menu.addSeparator();
}

void CanvasActions::addStageEntries(QMenu &menu)
{
    auto const layers = m_canvas.selectedLayers();
    auto const set = [this, layers](int stage) {
        apply(stage < 0 ? tr("Remove stage") : tr("Set stage %1").arg(stage),
              [&](model::Model const &model) { return withStage(model, layers, stage); });
    };
    int const stages = m_canvas.scene().graph.stages;
    for (int stage = 0; stage <= stages; ++stage)
        menu.addAction(stage == stages && stages > 0 ? tr("stage %1 (new)").arg(stage) : tr("stage %1").arg(stage), this,
                       [set, stage] { set(stage); });
    menu.addAction(tr("No stage"), this, [set] { set(-1); });
}

void CanvasActions::addSelectionEntries(QMenu &menu)
{
    auto const add = [&](QString const &text, QKeySequence const &key, CanvasCommand command) {
        menu.addAction(text, key, this, [this, command] { run(command); });
    };
    add(tr("Copy"), QKeySequence::Copy, CanvasCommand::Copy);
    add(tr("Cut"), QKeySequence::Cut, CanvasCommand::Cut);
    add(tr("Duplicate"), QKeySequence(Qt::CTRL | Qt::Key_D), CanvasCommand::Duplicate);
    add(tr("Group or ungroup"), QKeySequence(Qt::CTRL | Qt::Key_G), CanvasCommand::Group);
    addStageEntries(*menu.addMenu(tr("Set stage")));
    CanvasLayout layout = canvasLayoutOf(m_session);
    auto const &selected = m_canvas.selected();
    if (std::any_of(selected.begin(), selected.end(), [&](std::string const &id) { return layout.pins.contains(id); }))
        menu.addAction(tr("Unpin"), this, [this, ids = selected] {
            Pins pins;
            for (auto const &id : ids) pins[id] = std::nullopt;
            setPins(tr("Unpin"), pins);
        });
    if (selected.size() == 2)
        menu.addAction(tr("Select the path between them"), this, [this, selected] {
            auto const &scene = m_canvas.scene();
            std::vector<std::string> ids;
            for (auto const &[a, b] :
                 {std::pair(*selected.begin(), *selected.rbegin()), std::pair(*selected.rbegin(), *selected.begin())}) {
                auto const down = traced(scene, scene.node(a), true), up = traced(scene, scene.node(b), false);
                std::vector<int> both;
                std::set_intersection(down.begin(), down.end(), up.begin(), up.end(), std::back_inserter(both));
                for (int const each : both) ids.push_back(scene.nodes[u(each)].id);
            }
            if (ids.empty()) emit said(tr("No path leads from one to the other."), true);
            else m_canvas.select(ids, true);
        });
    add(tr("Remove"), QKeySequence::Delete, CanvasCommand::Delete);
    menu.addSeparator();
}

void CanvasActions::addModelEntries(QMenu &menu)
{
    menu.addAction(tr("Add a layer…"), QKeySequence(Qt::Key_Tab), this, [this] { emit addRequested({}); });
    menu.addAction(tr("Paste"), QKeySequence::Paste, this, [this] { run(CanvasCommand::Paste); });
    menu.addSeparator();
    CanvasLayout layout = canvasLayoutOf(m_session);
    menu.addAction(tr("Lay out again"), this, [this] { layOutAgain(); });
    if (!layout.pins.empty())
        menu.addAction(tr("Unpin all"), this, [this, layout] {
            Pins pins;
            for (auto const &[id, place] : layout.pins) pins[id] = std::nullopt;
            setPins(tr("Unpin all"), pins);
        });
    menu.addAction(layout.leftToRight ? tr("Draw from top to bottom") : tr("Draw from left to right"), this, [this, layout]() mutable {
        layout.leftToRight = !layout.leftToRight;
        layout.pins.clear(); // places of the other direction mean nothing here
        setLayout(layout, true);
        m_canvas.fitAll();
    });
    menu.addAction(tr("Group by name"), this, [this, layout] {
        std::vector<std::string> names;
        for (auto const &layer : m_session.document().project().model.layers) names.push_back(layer.name);
        auto const next = groupedByScope(layout, names);
        if (next == layout) emit said(tr("No two layers share a scope (block/layer) in their names."), true);
        else setLayout(next);
    });
    if (!layout.groups.empty())
        for (bool const folded : {true, false})
            menu.addAction(folded ? tr("Fold all groups") : tr("Unfold all groups"), this, [this, layout, folded]() mutable {
                for (auto &group : layout.groups) group.folded = folded;
                setLayout(layout);
            });
    menu.addSeparator();
    bool const functional = m_session.document().project().model.kind == model::ModelKind::Functional;
    menu.addAction(functional ? tr("Make the model Sequential") : tr("Make the model functional"), this, [this, functional] {
        apply(functional ? tr("Make Sequential") : tr("Make functional"), [&](model::Model const &model) -> Result<ModelEdit> {
            if (functional) return toSequential(model);
            return ModelEdit{toFunctional(model), {}, {}};
        });
    });
    QMenu *propose = menu.addMenu(tr("Propose pipeline stages"));
    auto &watch = LayerCostWatch::of(m_session);
    watch.want();
    auto *source = propose->addSection({});
    auto const tellSource = [&watch, source, this] {
        auto const costs = watch.costs(m_session.document().project());
        source->setText(costsText(costs ? costs->unit : model::CostUnit::MultiplyAdds));
    };
    tellSource();
    connect(&watch, &LayerCostWatch::changed, propose, tellSource); // the menu may be open meanwhile
    for (int const stages : kProposedStages)
        propose->addAction(tr("%n stage(s), work shared evenly", nullptr, stages), this,
                           [this, stages] { tell(proposeStages(m_session, stages, m_view)); });
    menu.addSeparator();
    menu.addAction(tr("Show all"), QKeySequence(Qt::Key_0), this, [this] { m_canvas.fitAll(); });
    menu.addAction(tr("100 %"), QKeySequence(Qt::Key_1), this, [this] { m_canvas.actualSize(); });
    menu.addAction(tr("Copy picture"), this, [this] { QGuiApplication::clipboard()->setPixmap(m_canvas.grab()); });
}

void CanvasActions::showMenu(QPoint const &global, int node, int edge)
{
    QMenu *menu = freshMenu();
    menu->setObjectName(QStringLiteral("canvasMenu"));
    if (node >= 0) addNodeEntries(*menu, node);
    if (edge >= 0) addEdgeEntries(*menu, edge);
    if (!m_canvas.selected().empty()) addSelectionEntries(*menu);
    addModelEntries(*menu);
    menu->popup(global);
}

} // namespace tilewright::views

#include "views/canvas/canvas_view.h"
#include "views/canvas/add_box.h"
#include "views/canvas/canvas_actions.h"
#include "views/canvas/canvas_headline.h"
#include "views/canvas/canvas_widget.h"
#include "views/canvas/find_bar.h"
#include "views/canvas/inline_rename.h"
#include "views/canvas/overlay.h"

#include "views/advice/fit_watch.h"
#include "views/advice/rule_watch.h"
#include "views/common/figure_parts.h"
#include "views/common/format.h"
#include "views/common/icons.h"
#include "views/common/theme.h"
#include "views/document/document.h"
#include "views/reports/report_snapshot.h"
#include "views/session/layer_selection.h"
#include "views/session/selection.h"

#include <QBoxLayout>
#include <QComboBox>
#include <QJsonObject>
#include <QLabel>
#include <QLineEdit>
#include <QToolButton>

#include <algorithm>

namespace tilewright::views {

namespace {

QString q(std::string const &text) { return QString::fromStdString(text); }

class CanvasView : public View {
    Q_OBJECT
public:
    CanvasView(Session &session, QWidget *parent);
    QList<ExportTable> exportTables() const override;
    QJsonObject saveState() const override;
    void restoreState(QJsonObject const &state) override;
    void startSearch() override { m_find->start(); }
    bool isSettled() const override { return FitWatch::of(session()).isSettled(); }

protected:
    void refresh() override;
    void grow(Growth growth) override
    {
        if (growth == Growth::Figures) updateOverlay();
    }
    void follow() override;
    void restyle() override;

private:
    void connectParts();
    void rebuild(bool afresh);
    std::vector<Diagnostic> m_tooLarge; ///< layers marked because they fill a tile that is too full
    void updateOverlay();
    void updateHeadline();
    void updatePlace();
    void selectionPicked();
    void say(QString const &text, bool refusal);
    void showSelectionText();
    void search(QString const &words);
    void stepFind(int by);

    CanvasWidget *m_canvas = nullptr;
    CanvasActions *m_actions = nullptr;
    AddBox *m_add = nullptr;
    FindBar *m_find = nullptr;
    QComboBox *m_overlay = nullptr;
    QToolButton *m_again = nullptr;
    QLabel *m_said = nullptr, *m_zoom = nullptr;
    std::vector<int> m_found;
    int m_at = -1;
    bool m_fresh = true; ///< another project: no places to keep
    bool m_told = false; ///< the line below holds an answer, not the selection
};

CanvasView::CanvasView(Session &session, QWidget *parent) : View(QStringLiteral("canvas"), session, parent)
{
    setDependsOn(true, true, false);
    setShowsMoment();
    setFollowsAtOnce();
    auto *body = new QWidget(this);
    m_find = new FindBar(body);
    m_canvas = new CanvasWidget(body);
    m_add = new AddBox(body);
    m_actions = new CanvasActions(session, *m_canvas, this);
    m_said = new QLabel(body);
    m_said->setWordWrap(true);
    m_said->setFont(uiFont(TextSize::Caption));
    m_said->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_said->setAccessibleName(tr("What happened"));
    m_zoom = new QLabel(body);
    m_zoom->setFont(uiFont(TextSize::Caption));
    m_zoom->setProperty("role", "secondary");
    m_zoom->setAccessibleName(tr("Zoom"));
    auto *line = new QHBoxLayout;
    line->setSpacing(kGap);
    line->addWidget(m_said, 1);
    line->addWidget(m_zoom);
    auto *column = new QVBoxLayout(body);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(kGrid);
    column->addWidget(m_find);
    column->addWidget(m_canvas, 1);
    column->addLayout(line);
    column->addWidget(m_add);
    setBody(body);
    drawsFigures(*this);
    for (QWidget *part :
         {static_cast<QWidget *>(m_find), static_cast<QWidget *>(m_said), static_cast<QWidget *>(m_zoom), static_cast<QWidget *>(m_add)})
        keepOutOfFigures(*part);
    setFocusProxy(m_canvas); // who comes to the view comes to the drawing

    m_overlay = new QComboBox(this);
    m_overlay->setAccessibleName(tr("Colour nodes by"));
    m_overlay->setToolTip(tr("What the nodes are coloured by"));
    m_overlay->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_overlay->setMinimumContentsLength(14);
    m_overlay->setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Fixed);
    for (int i = 0; i < static_cast<int>(OverlayKind::Count); ++i) m_overlay->addItem(overlayName(static_cast<OverlayKind>(i)));
    addHeadlineWidget(m_overlay);
    auto *again = m_again = new QToolButton(this);
    again->setIcon(icon(QStringLiteral("reset")));
    again->setToolTip(tr("Lay out again"));
    again->setAccessibleName(tr("Lay out again"));
    again->setAutoRaise(true);
    connect(again, &QToolButton::clicked, m_actions, &CanvasActions::layOutAgain);
    addHeadlineWidget(again);
    connectParts();
}

void CanvasView::connectParts()
{
    connect(m_canvas, &CanvasWidget::commandRequested, m_actions, &CanvasActions::run);
    connect(m_canvas, &CanvasWidget::connectRequested, m_actions, &CanvasActions::connectNodes);
    connect(m_canvas, &CanvasWidget::connectedIntoVoid, m_actions, &CanvasActions::offerBehind);
    connect(m_canvas, &CanvasWidget::layerDropped, m_actions, &CanvasActions::drop);
    connect(m_canvas, &CanvasWidget::nodesMoved, m_actions, &CanvasActions::pin);
    connect(m_canvas, &CanvasWidget::activated, m_actions, &CanvasActions::activate);
    connect(m_canvas, &CanvasWidget::menuRequested, m_actions, &CanvasActions::showMenu);
    connect(m_canvas, &CanvasWidget::fixRequested, m_actions, &CanvasActions::showFixes);
    connect(m_canvas, &CanvasWidget::foldRequested, this, [this](QString const &group) { m_actions->fold(group.toStdString(), true); });
    connect(m_canvas, &CanvasWidget::selectionChanged, this, &CanvasView::selectionPicked);
    connect(m_canvas, &CanvasWidget::viewportChanged, this, [this] { m_zoom->setText(shareText(m_canvas->zoom())); });
    connect(m_actions, &CanvasActions::said, this, &CanvasView::say);
    connect(m_actions, &CanvasActions::edited, this, &CanvasView::refreshNow);
    connect(m_actions, &CanvasActions::layoutEdited, this, &CanvasView::rebuild);
    connect(&session().document(), &Document::layoutChanged, this, [this] { rebuild(true); });
    connect(m_actions, &CanvasActions::addRequested, m_add, &AddBox::start);
    connect(m_actions, &CanvasActions::renameRequested, this, [this](QString const &layer) {
        startRename(*m_canvas, layer, [this, layer](QString const &name) {
            auto const outcome = renameLayerIn(session(), layer, name, this);
            if (outcome.done()) m_canvas->select(outcome.layers);
            refreshNow();
            say(outcome.done() ? outcome.note : outcome.refusal, !outcome.done());
            m_canvas->setFocus();
        });
    });
    connect(m_add, &AddBox::layersTyped, this, [this](std::vector<model::Layer> const &layers) {
        if (m_actions->append(layers)) {
            m_add->done();
            m_canvas->reveal(m_canvas->current());
        } else {
            m_add->showRefusal(m_said->text());
        }
    });
    connect(m_add, &AddBox::left, m_canvas, [this] { m_canvas->setFocus(); });
    connect(m_find, &FindBar::wordsChanged, this, &CanvasView::search);
    connect(m_find, &FindBar::stepped, this, &CanvasView::stepFind);
    connect(m_find, &FindBar::closed, this, [this] {
        m_find->hide();
        m_canvas->setFocus();
    });
    connect(m_overlay, &QComboBox::currentIndexChanged, this, &CanvasView::updateOverlay);
    connect(&FitWatch::of(session()), &FitWatch::changed, this, [this] {
        if (session().document().isOpen() && m_tooLarge != FitWatch::of(session()).layerProblems()) rebuild(false);
        else updateHeadline();
    });
    connect(&session().document(), &Document::opened, this, [this] { m_fresh = true; });
}

void CanvasView::refresh()
{
    auto &document = session().document();
    m_overlay->setVisible(document.isOpen());
    m_again->setVisible(document.isOpen());
    if (!document.isOpen()) {
        setHeadline({});
        setState({ViewState::Empty, tr("No project is open. Open one, or begin with the model of the tutorial."),
                  tr("Begin with handwritten digits"), [this] {
                      if (auto const status = session().document().openTemplate(QStringLiteral("mnist-mlp")); !status.ok())
                          session().raiseError(status.error());
                  }});
        m_canvas->setScene({});
        m_fresh = true;
        return;
    }
    setState({});
    rebuild(false);
}

void CanvasView::rebuild(bool afresh)
{
    auto const &document = session().document();
    bool const another = m_fresh;
    if (another) { // what it says of layers that are gone for good
        std::vector<std::string> names;
        for (auto const &layer : document.project().model.layers) names.push_back(layer.name);
        CanvasLayout const layout = canvasLayoutOf(session());
        if (CanvasLayout const clean = pruned(layout, names); clean != layout) setCanvasLayout(session(), clean);
    }
    auto const before = m_canvas->selected();
    std::string const current = m_canvas->current();
    auto problems = document.problems();
    m_tooLarge = FitWatch::of(session()).layerProblems();
    problems.insert(problems.end(), m_tooLarge.begin(), m_tooLarge.end());
    CanvasScene scene =
        buildScene(modelGraph(document.project()), canvasLayoutOf(session()), problems, another || afresh ? nullptr : &m_canvas->scene());
    if (another) m_canvas->setScene({}); // so that all of the next one is shown
    m_fresh = false;
    m_canvas->setScene(std::move(scene));
    // Layers that went into a folded group or came out of one stay selected as what now stands for them.
    std::vector<std::string> ids;
    for (auto const &id : before)
        if (int const node = std::max(m_canvas->scene().node(id), m_canvas->scene().nodeOf(id)); node >= 0 && id != current)
            ids.push_back(m_canvas->scene().nodes[static_cast<std::size_t>(node)].id);
    if (int const node = std::max(m_canvas->scene().node(current), m_canvas->scene().nodeOf(current)); node >= 0)
        ids.push_back(m_canvas->scene().nodes[static_cast<std::size_t>(node)].id);
    m_canvas->select(ids);
    updateOverlay();
    updateHeadline();
    updatePlace();
    if (m_find->isVisible()) search(m_find->edit().text());
    if (another) follow();
}

void CanvasView::updateOverlay()
{
    auto const report = session().report();
    m_canvas->setOverlay(makeOverlay(static_cast<OverlayKind>(m_overlay->currentIndex()), m_canvas->scene().graph,
                                     report && report->isWhole() ? report.get() : nullptr));
}

void CanvasView::updateHeadline()
{
    if (!session().document().isOpen()) return;
    auto const &graph = m_canvas->scene().graph;
    auto const machine = project::machineOf(session().document().project());
    int const ipus = machine.ok() && !machine->isEmulated() ? 0 : machine.ok() ? machine->ipus : 1;
    setHeadline(canvasHeadline(graph, FitWatch::of(session()), RuleWatch::of(session()).problems(), ipus));
}

void CanvasView::updatePlace()
{
    std::string const place = m_actions->place();
    auto const &graph = m_canvas->scene().graph;
    std::string const after = place.empty() ? lastLayer(session().document().project().model) : place;
    int const row = graph.row(after);
    m_add->setPlace(q(after), row < 0 ? Shape{} : graph.layers[static_cast<std::size_t>(row)].shape);
}

void CanvasView::selectionPicked()
{
    auto &selection = session().selection();
    auto const layers = m_canvas->selectedLayers();
    m_told = false;
    int const node = m_canvas->scene().node(m_canvas->current());
    if (node < 0) {
        if (selection.current().kind == SelectionKind::Layer) selection.select({}, this);
    } else {
        // All of them, the current one last: the inspector edits what is selected, not what was clicked last.
        QStringList names;
        std::string const current = m_canvas->scene().layersOf(node).back();
        for (auto const &layer : layers)
            if (layer != current) names << q(layer);
        selectLayers(selection, names << q(current), this);
    }
    updatePlace();
    showSelectionText();
}

void CanvasView::follow()
{
    auto &selection = session().selection();
    auto const &current = selection.current();
    auto const &scene = m_canvas->scene();
    if (selection.origin() != this) {
        std::vector<std::string> ids;
        for (auto const &name : layersOf(current))
            if (int const node = scene.nodeOf(name.toStdString()); node >= 0) {
                std::erase(ids, scene.nodes[static_cast<std::size_t>(node)].id);
                ids.push_back(scene.nodes[static_cast<std::size_t>(node)].id);
            }
        if (!ids.empty()) {
            if (m_canvas->selected() != std::set<std::string>(ids.begin(), ids.end()) || m_canvas->current() != ids.back())
                m_canvas->select(ids);
            m_canvas->bringUp(ids);
        } else if (current.kind != SelectionKind::None || !m_canvas->selected().empty()) {
            m_canvas->select({});
        }
        m_told = false;
    }
    std::set<std::string> lit;
    if (current.kind != SelectionKind::Layer && current.kind != SelectionKind::None)
        for (auto const &layer : selection.lineage().layers)
            if (scene.nodeOf(layer.toStdString()) >= 0) lit.insert(layer.toStdString());
    m_canvas->setLit(std::move(lit));
    updatePlace();
    showSelectionText();
}

void CanvasView::showSelectionText()
{
    if (m_told) return;
    auto const &current = session().selection().current();
    auto const &graph = m_canvas->scene().graph;
    int const all = static_cast<int>(graph.layers.size());
    QString text;
    if (current.kind != SelectionKind::Layer && current.kind != SelectionKind::None) {
        auto const &layers = session().selection().lineage().layers;
        auto const here =
            std::count_if(layers.begin(), layers.end(), [&](QString const &name) { return graph.row(name.toStdString()) >= 0; });
        text = tr("%1: %2 of %3 layers").arg(session().selection().text()).arg(here).arg(all);
    } else if (auto const layers = m_canvas->selectedLayers(); layers.size() > 1) {
        text = tr("%1 of %2 layers selected").arg(layers.size()).arg(all);
    } else if (layers.size() == 1) {
        text = layerText(graph.layers[static_cast<std::size_t>(graph.row(layers.front()))]).replace(u'\n', QStringLiteral(" · "));
    }
    m_said->setText(text);
    m_said->setForegroundRole(QPalette::WindowText);
    m_said->setPalette({});
}

void CanvasView::say(QString const &text, bool refusal)
{
    m_told = !text.isEmpty();
    if (!m_told) return showSelectionText();
    m_said->setText(text);
    QPalette colors = m_said->palette();
    colors.setColor(QPalette::WindowText, theme()[refusal ? Token::Bad : Token::Text]);
    m_said->setPalette(colors);
}

void CanvasView::search(QString const &words)
{
    m_found = findNodes(m_canvas->scene(), words);
    m_at = m_found.empty() ? -1 : 0;
    // The find that is selected already stays.
    for (std::size_t i = 0; i < m_found.size(); ++i)
        if (m_canvas->scene().nodes[static_cast<std::size_t>(m_found[i])].id == m_canvas->current()) m_at = static_cast<int>(i);
    stepFind(0);
}

void CanvasView::stepFind(int by)
{
    int const count = static_cast<int>(m_found.size());
    if (count > 0) {
        m_at = ((m_at + by) % count + count) % count;
        std::string const id = m_canvas->scene().nodes[static_cast<std::size_t>(m_found[static_cast<std::size_t>(m_at)])].id;
        if (by != 0 || m_canvas->current() != id) m_canvas->select({id}, true);
        m_canvas->reveal(id);
    }
    m_find->setCount(m_at, count);
}

void CanvasView::restyle()
{
    m_said->setFont(uiFont(TextSize::Caption));
    if (session().document().isOpen()) rebuild(false);
}

QList<ExportTable> CanvasView::exportTables() const
{
    ExportTable table{tr("Layers"),
                      {tr("Name"), tr("Class"), tr("Arguments"), tr("Output shape"), tr("Parameters"), tr("Weight bytes (estimated)"),
                       tr("Optimizer bytes (estimated)"), tr("Activation bytes (estimated)"), tr("Multiply-adds per sample"), tr("Stage")},
                      {}};
    for (auto const &layer : m_canvas->scene().graph.layers)
        table.rows << QStringList{q(layer.name),
                                  q(layer.className),
                                  layer.arguments,
                                  q(tilewright::toText(layer.shape)),
                                  QString::number(layer.parameters),
                                  QString::number(layer.weightBytes),
                                  QString::number(layer.optimizerBytes),
                                  QString::number(layer.activationBytes),
                                  QString::number(layer.multiplyAdds, 'f', 0),
                                  layer.stage < 0 ? QString() : QString::number(layer.stage)};
    ExportTable edges{tr("Connections"), {tr("From"), tr("To")}, {}};
    for (auto const &edge : m_canvas->scene().graph.edges) edges.rows << QStringList{q(edge.edge.from), q(edge.edge.to)};
    return {table, edges};
}

QJsonObject CanvasView::saveState() const { return {{QStringLiteral("overlay"), m_overlay->currentIndex()}}; }

void CanvasView::restoreState(QJsonObject const &state)
{
    m_overlay->setCurrentIndex(std::clamp(state[QStringLiteral("overlay")].toInt(), 0, static_cast<int>(OverlayKind::Count) - 1));
}

} // namespace

ViewDescriptor canvasView()
{
    return {"canvas",
            QT_TRANSLATE_NOOP("views", "Canvas"),
            "canvas",
            ViewDescriptor::Centre,
            QKeySequence(QStringLiteral("Ctrl+1")),
            [](Session &session, QWidget *parent) -> View * { return new CanvasView(session, parent); }};
}

} // namespace tilewright::views

#include "canvas_view.moc"

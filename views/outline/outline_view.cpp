#include "views/outline/outline_view.h"
#include "views/outline/json_pane.h"
#include "views/outline/outline_tree.h"

#include "views/common/figure_parts.h"
#include "views/common/format.h"
#include "views/common/theme.h"
#include "views/document/document.h"
#include "views/modeledit/document_edits.h"
#include "views/session/layer_selection.h"
#include "views/session/selection.h"

#include <QBoxLayout>
#include <QJsonObject>
#include <QLabel>
#include <QMenu>
#include <QTabWidget>

#include <algorithm>

namespace tilewright::views {

namespace {

class OutlineView : public View {
    Q_OBJECT
public:
    OutlineView(Session &session, QWidget *parent);
    QJsonObject saveState() const override { return {{QStringLiteral("tab"), m_tabs->currentIndex()}}; }
    void restoreState(QJsonObject const &state) override { m_tabs->setCurrentIndex(state[QStringLiteral("tab")].toInt()); }
    QList<ExportTable> exportTables() const override;

protected:
    void refresh() override;
    void follow() override;
    void restyle() override;

private:
    void showMenu(QPoint const &at);
    void remove();
    void move(int by);
    void rename(QString const &from, QString const &to);
    void tell(EditOutcome const &outcome);
    void updateJson();

    QTabWidget *m_tabs = nullptr;
    OutlineTree *m_tree = nullptr;
    JsonPane *m_json = nullptr;
    QLabel *m_said = nullptr;
    std::string m_layout; ///< last shown layout; it changes without a signal
};

OutlineView::OutlineView(Session &owner, QWidget *parent) : View(QStringLiteral("outline"), owner, parent)
{
    setDependsOn(false, true, false);
    setFollowsAtOnce();
    m_tabs = new QTabWidget(this);
    m_tabs->setDocumentMode(true);
    auto *page = new QWidget(m_tabs);
    m_tree = new OutlineTree(page);
    m_tree->setContextMenuPolicy(Qt::CustomContextMenu);
    m_said = new QLabel(page);
    m_said->setWordWrap(true);
    m_said->setFont(uiFont(TextSize::Caption));
    m_said->setProperty("role", "secondary");
    m_said->hide();
    auto *column = new QVBoxLayout(page);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(kGrid);
    column->addWidget(m_tree, 1);
    column->addWidget(m_said);
    m_json = new JsonPane(owner, this, m_tabs);
    m_tabs->addTab(page, tr("Outline"));
    m_tabs->addTab(m_json, tr("JSON"));
    setBody(m_tabs);
    drawsFigures(*this);
    connect(m_tree, &OutlineTree::layersPicked, this, [this](QStringList const &layers) {
        m_said->hide();
        selectLayers(session().selection(), layers, this);
    });
    connect(m_tree, &OutlineTree::renameRequested, this, &OutlineView::rename, Qt::QueuedConnection); // the editor is still open
    connect(m_tree, &OutlineTree::viewPicked, this, [this](QString const &view) { emit session().viewRequested(view); });
    connect(m_tree, &OutlineTree::layerActivated, this, [this] { emit session().viewRequested(QStringLiteral("inspector")); });
    connect(m_tree, &OutlineTree::removeRequested, this, &OutlineView::remove);
    connect(m_tree, &OutlineTree::moveRequested, this, &OutlineView::move);
    connect(m_tree, &QWidget::customContextMenuRequested, this, &OutlineView::showMenu);
    connect(m_tabs, &QTabWidget::currentChanged, this, [this] { updateJson(); });
}

void OutlineView::refresh()
{
    auto &document = session().document();
    if (!document.isOpen()) {
        setHeadline({});
        setState({ViewState::Empty, tr("No project is open."), {}, {}});
        return;
    }
    setState({});
    auto const graph = modelGraph(document.project());
    m_layout = document.project().layout;
    m_tree->fill(QString::fromStdString(document.project().model.name), graph, canvasLayoutOf(session()), document.problems(),
                 projectLines(document.project()));
    // On one line of a narrow panel; the tree has the exact number.
    setHeadline(tr("%n layer(s) · %1 param.", nullptr, static_cast<int>(graph.layers.size()))
                    .arg(shortCount(static_cast<double>(graph.parameters))));
    updateJson();
    follow();
}

void OutlineView::updateJson()
{
    if (m_tabs->currentWidget() != m_json) return;
    m_json->refresh();
    auto const &current = session().selection().current();
    QStringList const layers = layersOf(current);
    m_json->showLayer(layers.isEmpty() ? QString() : layers.last());
}

void OutlineView::follow()
{
    if (session().document().isOpen() && session().document().project().layout != m_layout) return refresh();
    auto const &selection = session().selection();
    auto const &current = selection.current();
    bool const layer = current.kind == SelectionKind::Layer;
    // Keep the tree's own selection; with several rows the current one need not be the last.
    QStringList const layers = layersOf(current);
    QStringList here = m_tree->selectedLayers(), wanted = layers;
    here.sort();
    wanted.sort();
    if (here != wanted || (!layers.isEmpty() && m_tree->currentLayer() != layers.last())) m_tree->showLayers(layers);
    std::set<QString> lit;
    if (!layer && current.kind != SelectionKind::None) lit.insert(selection.lineage().layers.begin(), selection.lineage().layers.end());
    m_tree->showLit(lit);
    updateJson();
}

void OutlineView::restyle()
{
    m_json->restyle();
    refresh();
}

void OutlineView::tell(EditOutcome const &outcome)
{
    QString const text = outcome.done() ? outcome.note : outcome.refusal;
    m_said->setText(text);
    m_said->setVisible(!text.isEmpty());
}

void OutlineView::rename(QString const &from, QString const &to) { tell(renameLayerIn(session(), from, to, this)); }

void OutlineView::remove()
{
    std::vector<std::string> names;
    for (auto const &layer : m_tree->selectedLayers()) names.push_back(layer.toStdString());
    if (names.empty()) return;
    QString const text = names.size() == 1 ? tr("Remove %1").arg(QString::fromStdString(names.front()))
                                           : tr("Remove %n layer(s)", nullptr, static_cast<int>(names.size()));
    tell(editModel(
        session(), text, [&](model::Model const &model) { return removeHealing(model, names); }, this));
}

void OutlineView::move(int by)
{
    QString const layer = m_tree->currentLayer();
    if (layer.isEmpty()) return;
    tell(editModel(
        session(), tr("Move %1").arg(layer), [&](model::Model const &model) { return moveLayer(model, layer.toStdString(), by); }, this));
}

void OutlineView::showMenu(QPoint const &at)
{
    QString const layer = m_tree->currentLayer();
    if (layer.isEmpty()) return;
    auto *menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->addAction(tr("Show in the inspector"), this, [this] { emit session().viewRequested(QStringLiteral("inspector")); });
    menu->addAction(tr("Show on the canvas"), this, [this] { emit session().viewRequested(QStringLiteral("canvas")); });
    menu->addSeparator();
    menu->addAction(tr("Rename"), QKeySequence(Qt::Key_F2), m_tree, &OutlineTree::editCurrent);
    menu->addAction(tr("Move up"), QKeySequence(Qt::ALT | Qt::Key_Up), this, [this] { move(-1); });
    menu->addAction(tr("Move down"), QKeySequence(Qt::ALT | Qt::Key_Down), this, [this] { move(1); });
    menu->addAction(tr("Remove"), QKeySequence::Delete, this, &OutlineView::remove);
    menu->popup(m_tree->viewport()->mapToGlobal(at));
}

QList<ExportTable> OutlineView::exportTables() const
{
    ExportTable table{tr("Layers"), {tr("Name"), tr("Class"), tr("Output"), tr("Parameters"), tr("Stage")}, {}};
    for (auto const &layer : modelGraph(session().document().project()).layers)
        table.rows << QStringList{QString::fromStdString(layer.name), QString::fromStdString(layer.className),
                                  QString::fromStdString(tilewright::toText(layer.shape)), QString::number(layer.parameters),
                                  layer.stage < 0 ? QString() : QString::number(layer.stage)};
    return {table};
}

} // namespace

ViewDescriptor outlineView()
{
    return {"outline",
            QT_TRANSLATE_NOOP("views", "Project"),
            "outline",
            ViewDescriptor::Left,
            QKeySequence(QStringLiteral("")),
            [](Session &session, QWidget *parent) -> View * { return new OutlineView(session, parent); }};
}

} // namespace tilewright::views

#include "outline_view.moc"

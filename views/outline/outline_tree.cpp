#include "views/outline/outline_tree.h"

#include "views/common/calm_style.h"
#include "views/common/format.h"
#include "views/common/icons.h"
#include "views/common/theme.h"
#include "views/common/whole_text.h"
#include "views/diagnostics/diagnostic_text.h"
#include "views/modeledit/layer_family.h"

#include <QHeaderView>
#include <QKeyEvent>

#include <algorithm>
#include <utility>

namespace tilewright::views {

namespace {

enum Role { LayerRole = Qt::UserRole, ViewRole, GroupRole, LineRole, CountRole };

QString q(std::string const &text) { return QString::fromStdString(text); }

} // namespace

OutlineTree::OutlineTree(QWidget *parent) : QTreeWidget(parent)
{
    setColumnCount(ColumnCount);
    setHeaderLabels({tr("Name"), tr("Output"), tr("Param."), tr("Stage"), tr("Class")});
    headerItem()->setToolTip(ParameterColumn, tr("Parameters"));
    header()->setStretchLastSection(false);
    header()->setSectionsMovable(false);
    header()->setMinimumSectionSize(6 * kGrid);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setIndentation(3 * kGrid);
    setUniformRowHeights(true);
    setSelectionMode(QAbstractItemView::ExtendedSelection);
    setEditTriggers(QAbstractItemView::NoEditTriggers); // only F2 and the menu: a double click opens the inspector
    setAccessibleName(tr("Parts of the project"));
    connect(this, &QTreeWidget::itemSelectionChanged, this, &OutlineTree::tellSelection);
    connect(this, &QTreeWidget::itemClicked, this, [this](QTreeWidgetItem *item) {
        if (QString const view = item->data(0, ViewRole).toString(); !view.isEmpty()) emit viewPicked(view);
    });
    connect(this, &QTreeWidget::itemActivated, this, [this](QTreeWidgetItem *item) {
        if (QString const layer = item->data(0, LayerRole).toString(); !layer.isEmpty()) emit layerActivated(layer);
        else if (QString const view = item->data(0, ViewRole).toString(); !view.isEmpty()) emit viewPicked(view);
    });
    connect(this, &QTreeWidget::itemChanged, this, [this](QTreeWidgetItem *item, int column) {
        QString const from = item->data(0, LayerRole).toString();
        if (m_quiet || column != NameColumn || from.isEmpty() || item->text(0) == from) return;
        QString const to = item->text(0);
        m_quiet = true;
        item->setText(0, from); // the model decides; the next fill shows the result
        m_quiet = false;
        emit renameRequested(from, to);
    });
    connect(this, &QTreeWidget::itemCollapsed, this,
            [this](QTreeWidgetItem *item) { m_collapsed.insert(item->data(0, GroupRole).toString()); });
    connect(this, &QTreeWidget::itemExpanded, this,
            [this](QTreeWidgetItem *item) { m_collapsed.erase(item->data(0, GroupRole).toString()); });
}

QTreeWidgetItem *OutlineTree::layerItem(QTreeWidgetItem *parentItem, LayerInfo const &layer)
{
    auto *item = new QTreeWidgetItem(parentItem);
    item->setText(NameColumn, q(layer.name));
    QString kind = q(layer.className);
    if (layer.input) kind += QStringLiteral(" · ") + tr("input");
    if (layer.output) kind += QStringLiteral(" · ") + tr("output");
    item->setText(ClassColumn, kind);
    item->setText(ShapeColumn, shapeText(layer.shape));
    if (layer.parameters > 0) item->setData(ParameterColumn, CountRole, QVariant::fromValue<qlonglong>(layer.parameters));
    item->setText(StageColumn, layer.stage >= 0 ? QString::number(layer.stage) : QString());
    for (int const column : {int(ParameterColumn), int(StageColumn)}) item->setTextAlignment(column, Qt::AlignRight | Qt::AlignVCenter);
    auto const [picture, fresh] = m_icons.try_emplace(layer.family);
    if (fresh) picture->second = familyIcon(layer.family);
    item->setIcon(NameColumn, picture->second);
    item->setData(NameColumn, LayerRole, q(layer.name));
    item->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsEditable);
    QString const tip = layerText(layer);
    for (int column = 0; column < ColumnCount; ++column) item->setToolTip(column, tip);
    m_items[q(layer.name)] = item;
    return item;
}

void OutlineTree::fill(QString const &title, ModelGraph const &graph, CanvasLayout const &layout, std::span<Diagnostic const> problems,
                       QList<ProjectLine> const &lines)
{
    QStringList const current = selectedLayers();
    m_quiet = true;
    setUpdatesEnabled(false);
    auto const collapsed = m_collapsed; // clear() and expanding change it
    clear();
    m_items.clear();
    m_icons.clear();
    auto *top = new QTreeWidgetItem(this, {title});
    top->setText(ClassColumn, graph.functional ? tr("Functional") : tr("Sequential"));
    top->setData(0, GroupRole, QStringLiteral("model"));
    top->setIcon(0, icon(QStringLiteral("layers")));
    top->setData(ParameterColumn, CountRole, QVariant::fromValue<qlonglong>(graph.parameters));
    top->setTextAlignment(ParameterColumn, Qt::AlignRight | Qt::AlignVCenter);
    top->setFlags(Qt::ItemIsEnabled);
    std::map<std::string, QTreeWidgetItem *> groups;
    for (auto const &layer : graph.layers) {
        LayerGroup const *group = layout.groupOf(layer.name);
        QTreeWidgetItem *under = top;
        if (group) {
            auto *&item = groups[group->name];
            if (!item) {
                item = new QTreeWidgetItem(top, {q(group->name)});
                item->setText(ClassColumn, tr("group"));
                item->setIcon(0, icon(QStringLiteral("group")));
                item->setData(0, GroupRole, QStringLiteral("group:") + q(group->name));
                item->setFlags(Qt::ItemIsEnabled);
            }
            under = item;
        }
        layerItem(under, layer);
    }
    for (auto const &problem : problems)
        if (auto *item = itemOf(q(problem.subject))) {
            bool const error = problem.severity == Severity::Error;
            item->setForeground(NameColumn, theme()[error ? Token::Bad : Token::Text]);
            item->setIcon(ShapeColumn,
                          icon(error ? QStringLiteral("error") : QStringLiteral("warning"), error ? Token::Bad : Token::Warning));
            for (int column = 0; column < ColumnCount; ++column) item->setToolTip(column, diagnosticSentences(problem));
        }
    for (auto const &line : lines) {
        auto *item = new QTreeWidgetItem(this, {line.title + QStringLiteral(": ") + line.text});
        item->setIcon(0, icon(line.icon));
        item->setData(0, ViewRole, line.view);
        item->setData(0, LineRole, item->text(0));
        item->setToolTip(0, item->text(0));
        item->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable);
        item->setFirstColumnSpanned(true);
    }
    expandAll();
    for (QTreeWidgetItemIterator it(this); *it; ++it)
        if (collapsed.contains((*it)->data(0, GroupRole).toString())) (*it)->setExpanded(false);
    m_staged = graph.stages > 0;
    fitColumns();
    setUpdatesEnabled(true);
    m_quiet = false;
    showLayers(current);
}

void OutlineTree::writeCounts(bool exact)
{
    bool const quiet = std::exchange(m_quiet, true);
    for (QTreeWidgetItemIterator it(this); *it; ++it) {
        QVariant const count = (*it)->data(ParameterColumn, CountRole);
        if (count.isNull()) continue;
        auto const value = count.toLongLong();
        (*it)->setText(ParameterColumn, exact ? countText(value) : shortCount(static_cast<double>(value)));
    }
    m_quiet = quiet;
}

/// The name gets the width it needs, the others follow if there is room. The tool tip shows all. There is no horizontal scrolling.
void OutlineTree::fitColumns()
{
    int const room = viewport()->width();
    int longest = 0; // of the layers; other lines can be cut
    for (auto const &[layer, item] : m_items) longest = std::max(longest, fontMetrics().horizontalAdvance(layer));
    int const name = std::clamp(longest + 2 * indentation() + kIconSize + 4 * kGrid, 26 * kGrid, 60 * kGrid);
    constexpr int kShortName = 36 * kGrid;
    int left = room - name;
    writeCounts(true);
    for (auto const column : {ParameterColumn, ShapeColumn, StageColumn, ClassColumn}) {
        setColumnHidden(column, false); // a hidden column has no size
        auto const needed = [&] { return std::max(sizeHintForColumn(column), header()->sectionSizeHint(column)) + kGrid; };
        int width = needed();
        // A layer's cost is more important than the end of a long name, also beside a scroll bar.
        int const spare = column == ParameterColumn ? room - kShortName : left;
        if (column == ParameterColumn && width > spare) { // "365 M" instead of all digits; the tool tip has them
            writeCounts(false);
            width = needed();
        }
        // Without room for the parameters there is none for what counts less: columns do not take each other's place.
        bool const first = column == ParameterColumn || !isColumnHidden(ParameterColumn);
        bool const shown = first && (column != StageColumn || m_staged) && width <= spare;
        setColumnHidden(column, !shown);
        if (!shown) continue;
        setColumnWidth(column, width);
        left -= width;
    }
    setColumnWidth(NameColumn, std::max(name + left, 10 * kGrid));
    // A line of the project gives up whole parts; what is left is not cut.
    bool const quiet = std::exchange(m_quiet, true);
    for (int i = 0; i < topLevelItemCount(); ++i)
        if (auto *item = topLevelItem(i); !item->data(0, LineRole).isNull())
            item->setText(0, fittingParts(item->data(0, LineRole).toString(), fontMetrics(), room - indentation() - kIconSize - 3 * kGrid));
    m_quiet = quiet;
}

void OutlineTree::resizeEvent(QResizeEvent *event)
{
    QTreeWidget::resizeEvent(event);
    fitColumns();
}

/// Font and style are final only now.
void OutlineTree::showEvent(QShowEvent *event)
{
    QTreeWidget::showEvent(event);
    fitColumns();
}

void OutlineTree::changeEvent(QEvent *event)
{
    QTreeWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange) fitColumns();
}

void OutlineTree::tellSelection()
{
    if (m_quiet) return;
    QStringList layers = selectedLayers();
    if (QString const current = currentLayer(); layers.removeAll(current) > 0) layers << current;
    if (!layers.isEmpty()) emit layersPicked(layers);
}

QTreeWidgetItem *OutlineTree::itemOf(QString const &layer) const
{
    auto const it = m_items.find(layer);
    return it == m_items.end() ? nullptr : it->second;
}

void OutlineTree::showLayers(QStringList const &layers)
{
    m_quiet = true;
    QTreeWidgetItem *last = nullptr;
    clearSelection();
    for (auto const &layer : layers)
        if (auto *item = itemOf(layer)) {
            item->setSelected(true);
            last = item;
        }
    if (last) {
        setCurrentItem(last, NameColumn, QItemSelectionModel::NoUpdate);
        scrollToItem(last);
    } else {
        setCurrentItem(nullptr);
    }
    m_quiet = false;
}

void OutlineTree::showLit(std::set<QString> const &layers)
{
    m_quiet = true;
    QColor const tint = selectionColor();
    for (auto const &[name, item] : m_items)
        for (int column = 0; column < ColumnCount; ++column) item->setBackground(column, layers.contains(name) ? QBrush(tint) : QBrush());
    m_quiet = false;
}

QString OutlineTree::currentLayer() const { return currentItem() ? currentItem()->data(0, LayerRole).toString() : QString(); }

QStringList OutlineTree::selectedLayers() const
{
    QStringList layers;
    for (auto const *item : selectedItems())
        if (QString const layer = item->data(0, LayerRole).toString(); !layer.isEmpty()) layers << layer;
    return layers;
}

void OutlineTree::editCurrent()
{
    if (!currentLayer().isEmpty()) editItem(currentItem(), NameColumn);
}

bool OutlineTree::event(QEvent *event)
{
    if (event->type() == QEvent::ShortcutOverride) {
        auto const *key = static_cast<QKeyEvent *>(event);
        bool const own = key->key() == Qt::Key_Delete || key->key() == Qt::Key_F2
            || ((key->modifiers() & Qt::AltModifier) && (key->key() == Qt::Key_Up || key->key() == Qt::Key_Down));
        if (own) {
            event->accept();
            return true;
        }
    }
    return QTreeWidget::event(event);
}

void OutlineTree::keyPressEvent(QKeyEvent *event)
{
    if (event->key() == Qt::Key_F2) return editCurrent();
    if (event->key() == Qt::Key_Delete) return emit removeRequested();
    if (event->modifiers() & Qt::AltModifier) {
        if (event->key() == Qt::Key_Up) return emit moveRequested(-1);
        if (event->key() == Qt::Key_Down) return emit moveRequested(1);
    }
    QTreeWidget::keyPressEvent(event);
}

} // namespace tilewright::views

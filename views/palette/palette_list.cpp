#include "views/palette/palette_list.h"

#include "views/common/theme.h"
#include "views/diagnostics/registry_text.h"
#include "views/modeledit/document_edits.h"
#include "views/modeledit/layer_family.h"
#include "views/modeledit/model_graph.h"

#include "engine/model/layer_spec.h"

#include <QHeaderView>
#include <QKeyEvent>
#include <QMimeData>

#include <algorithm>
#include <map>

namespace tilewright::views {

namespace {

constexpr int kClassRole = Qt::UserRole;

QString q(std::string const &text) { return QString::fromStdString(text); }

/// "units, activation, use_bias": the arguments of a class.
QString argumentsText(model::LayerSpec const &spec)
{
    QStringList names;
    for (auto const &param : spec.params)
        if (param.type != model::ParamType::Regularizer && param.type != model::ParamType::Constraint) names << q(param.name);
    return names.join(QStringLiteral(", "));
}

} // namespace

PaletteList::PaletteList(QWidget *parent) : QTreeWidget(parent)
{
    setColumnCount(1);
    setHeaderHidden(true);
    setDragEnabled(true);
    setDragDropMode(QAbstractItemView::DragOnly);
    setSelectionMode(QAbstractItemView::SingleSelection);
    setRootIsDecorated(true);
    setIndentation(3 * kGrid);
    setUniformRowHeights(true);
    setTextElideMode(Qt::ElideRight);
    setAccessibleName(tr("Layers that can be added"));
    std::map<QString, QTreeWidgetItem *> categories;
    for (auto const &spec : model::builtinLayers()) {
        QString const category = q(spec.category);
        auto *&parentItem = categories[category];
        if (!parentItem) {
            parentItem = new QTreeWidgetItem(this, {familyTitle(spec.category)});
            parentItem->setFlags(Qt::ItemIsEnabled);
            parentItem->setExpanded(true);
        }
        auto *item = new QTreeWidgetItem(parentItem, {q(spec.className)});
        item->setData(0, kClassRole, q(spec.className));
        QString const arguments = argumentsText(spec);
        QString const tip = arguments.isEmpty() ? registryText(spec.help) : tr("%1\nArguments: %2").arg(registryText(spec.help), arguments);
        item->setToolTip(0, tip + u'\n' + tr("Drag it onto the canvas, or press Enter to add it after the selected layer."));
        item->setData(0, Qt::AccessibleDescriptionRole, registryText(spec.help));
        item->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsDragEnabled);
    }
    restyle();
    connect(this, &QTreeWidget::itemDoubleClicked, this, [this](QTreeWidgetItem *item) {
        if (!classOf(item).isEmpty()) emit chosen(classOf(item));
    });
}

void PaletteList::restyle()
{
    QFont bold = uiFont(TextSize::Caption);
    bold.setBold(true);
    for (int i = 0; i < topLevelItemCount(); ++i) {
        auto *category = topLevelItem(i);
        category->setFont(0, bold);
        category->setForeground(0, theme()[Token::SecondaryText]);
        for (int k = 0; k < category->childCount(); ++k)
            category->child(k)->setIcon(0, familyIcon(familyOf(classOf(category->child(k)).toStdString()), devicePixelRatioF()));
    }
}

QString PaletteList::classOf(QTreeWidgetItem const *item) { return item ? item->data(0, kClassRole).toString() : QString(); }

int PaletteList::classes() const { return static_cast<int>(model::builtinLayers().size()); }

int PaletteList::filter(QString const &words)
{
    QStringList const parts = words.split(u' ', Qt::SkipEmptyParts);
    int shown = 0;
    QTreeWidgetItem *first = nullptr;
    for (int i = 0; i < topLevelItemCount(); ++i) {
        auto *category = topLevelItem(i);
        int inside = 0;
        for (int k = 0; k < category->childCount(); ++k) {
            auto *item = category->child(k);
            QString const text = item->text(0) + u' ' + category->text(0) + u' ' + item->data(0, Qt::AccessibleDescriptionRole).toString();
            bool const fits =
                std::all_of(parts.begin(), parts.end(), [&](QString const &part) { return text.contains(part, Qt::CaseInsensitive); });
            item->setHidden(!fits);
            inside += fits;
            // A name that begins with the word is a better match than a help text that contains it.
            bool const named = fits && !parts.isEmpty() && item->text(0).startsWith(parts.front(), Qt::CaseInsensitive);
            if (fits && (!first || (named && !first->text(0).startsWith(parts.front(), Qt::CaseInsensitive)))) first = item;
        }
        category->setHidden(inside == 0);
        shown += inside;
    }
    if (!parts.isEmpty() && first) setCurrentItem(first);
    return shown;
}

QStringList PaletteList::mimeTypes() const { return {QString::fromLatin1(kLayerMime)}; }

QMimeData *PaletteList::mimeData(QList<QTreeWidgetItem *> const &items) const
{
    if (items.isEmpty() || classOf(items.front()).isEmpty()) return nullptr;
    auto *mime = new QMimeData;
    mime->setData(QString::fromLatin1(kLayerMime), classOf(items.front()).toUtf8());
    mime->setText(classOf(items.front()));
    return mime;
}

void PaletteList::keyPressEvent(QKeyEvent *event)
{
    bool const enter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    if (enter && !classOf(currentItem()).isEmpty()) return emit chosen(classOf(currentItem()));
    QTreeWidget::keyPressEvent(event);
}

} // namespace tilewright::views

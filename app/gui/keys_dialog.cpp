#include "app/gui/keys_dialog.h"

#include "app/gui/main_window.h"
#include "app/gui/workbench.h"
#include "views/common/key_help.h"
#include "views/common/theme.h"

#include <QAction>
#include <QBoxLayout>
#include <QDialogButtonBox>
#include <QHeaderView>
#include <QPushButton>
#include <QScrollBar>
#include <QTreeWidget>

namespace tilewright::app {

KeysDialog::KeysDialog(MainWindow &window) : QDialog(&window)
{
    setWindowTitle(tr("Keyboard shortcuts"));
    auto *list = new QTreeWidget(this);
    list->setAccessibleName(windowTitle());
    list->setColumnCount(2);
    list->setHeaderLabels({tr("Keys"), tr("Action")});
    list->setSelectionMode(QAbstractItemView::NoSelection);
    list->setFocusPolicy(Qt::StrongFocus);
    auto const group = [list](QString const &title) {
        auto *item = new QTreeWidgetItem(list, {title});
        item->setFirstColumnSpanned(true);
        QFont font = list->font();
        font.setWeight(QFont::DemiBold);
        item->setFont(0, font);
        return item;
    };
    if (auto *view = window.workbench().isVisible() ? window.workbench().currentView() : nullptr)
        if (auto const lines = views::keyHelpBelow(*view); !lines.isEmpty()) {
            auto *head = group(tr("In the view %1").arg(view->windowTitle()));
            for (auto const &line : lines)
                new QTreeWidgetItem(head, {line.section(QLatin1Char('\t'), 0, 0), line.section(QLatin1Char('\t'), 1)});
        }
    auto *head = group(tr("In the window"));
    for (auto const &[id, action] : window.actions()) {
        QString const text = action->text().remove(QLatin1Char('&'));
        QString keys = action->shortcut().toString(QKeySequence::NativeText);
        if (keys.isEmpty()) keys = text.section(QLatin1Char('\t'), 1); // of the edit menu
        if (keys.isEmpty()) continue;
        QString name = text.section(QLatin1Char('\t'), 0, 0);
        if (action->property("view").isValid()) name = tr("Show %1").arg(name);
        new QTreeWidgetItem(head, {keys, name});
    }
    list->expandAll();
    list->resizeColumnToContents(0);
    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    buttons->button(QDialogButtonBox::Close)->setIcon({});
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto *column = new QVBoxLayout(this);
    column->addWidget(list, 1);
    column->addWidget(buttons);
    // No line is cut while the window has room for it.
    list->resizeColumnToContents(1);
    int const lines = list->columnWidth(0) + list->columnWidth(1) + list->verticalScrollBar()->sizeHint().width() + 2 * list->frameWidth()
        + column->contentsMargins().left() + column->contentsMargins().right();
    list->header()->setStretchLastSection(true);
    resize(std::min(window.width() - 80, std::max(fontMetrics().averageCharWidth() * 80, lines)),
           std::min(window.height() - 80, fontMetrics().height() * 36));
}

} // namespace tilewright::app

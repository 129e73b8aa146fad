#include "views/canvas/find_bar.h"

#include "views/common/theme.h"

#include <QBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QToolButton>

namespace tilewright::views {

FindBar::FindBar(QWidget *parent) : QWidget(parent)
{
    m_edit = new QLineEdit(this);
    m_edit->setPlaceholderText(tr("Find layers by name, class or argument"));
    m_edit->setAccessibleName(tr("Find layers"));
    m_edit->setClearButtonEnabled(true);
    m_count = new QLabel(this);
    m_count->setProperty("role", "secondary");
    auto *row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(kGrid);
    row->addWidget(m_edit, 1);
    row->addWidget(m_count);
    struct Button {
        char16_t sign;
        QString tip;
        int by;
    };
    for (Button const &each :
         {Button{u'↑', tr("Previous (Shift+Enter)"), -1}, Button{u'↓', tr("Next (Enter)"), 1}, Button{u'×', tr("Close (Escape)"), 0}}) {
        auto *button = new QToolButton(this);
        button->setText(QString(QChar(each.sign)));
        button->setToolTip(each.tip);
        button->setAccessibleName(each.tip);
        button->setAutoRaise(true);
        connect(button, &QToolButton::clicked, this, [this, by = each.by] { by == 0 ? emit closed() : emit stepped(by); });
        row->addWidget(button);
    }
    m_edit->installEventFilter(this);
    connect(m_edit, &QLineEdit::textChanged, this, &FindBar::wordsChanged);
    hide();
}

void FindBar::start()
{
    show();
    m_edit->setFocus(Qt::ShortcutFocusReason);
    m_edit->selectAll();
}

void FindBar::setCount(int at, int count)
{
    QString const text = m_edit->text().trimmed().isEmpty() ? QString()
        : count == 0                                        ? tr("nothing found")
                                                            : tr("%1 of %2").arg(at + 1).arg(count);
    m_count->setText(text);
    m_edit->setAccessibleDescription(text);
}

bool FindBar::eventFilter(QObject *watched, QEvent *event)
{
    if (event->type() == QEvent::KeyPress) {
        auto const *key = static_cast<QKeyEvent *>(event);
        if (key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter) {
            emit stepped(key->modifiers() & Qt::ShiftModifier ? -1 : 1);
            return true;
        }
        if (key->key() == Qt::Key_Escape) {
            emit closed();
            return true;
        }
    }
    return QWidget::eventFilter(watched, event);
}

} // namespace tilewright::views

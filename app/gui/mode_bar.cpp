#include "app/gui/mode_bar.h"

#include "app/gui/modes.h"
#include "views/common/icons.h"
#include "views/common/theme.h"

#include <QBoxLayout>
#include <QButtonGroup>
#include <QCoreApplication>
#include <QFocusEvent>
#include <QKeyEvent>
#include <QStyle>
#include <QToolButton>

namespace tilewright::app {

using namespace views;

ModeBar::ModeBar(QWidget *parent) : QFrame(parent)
{
    setObjectName(QStringLiteral("mode_bar"));
    setProperty("role", "modes");
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, kGrid, 0, kGrid);
    column->setSpacing(kGrid / 2);
    auto *group = new QButtonGroup(this);
    for (auto const &mode : modes()) {
        auto *button = new QToolButton(this);
        button->setObjectName(QStringLiteral("mode_") + QLatin1String(mode.id));
        button->setCheckable(true);
        button->setAutoRaise(true);
        button->setToolButtonStyle(Qt::ToolButtonTextUnderIcon);
        button->setIconSize({kIconSize + kGap, kIconSize + kGap});
        button->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
        button->setFocusPolicy(Qt::TabFocus);
        button->installEventFilter(this);
        group->addButton(button);
        column->addWidget(button);
        connect(button, &QToolButton::clicked, this, [this, id = QString::fromLatin1(mode.id)] { emit modeChosen(id); });
        m_buttons.push_back(button);
    }
    column->addStretch(1);
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Preferred);
    nameButtons();
    restyle();
}

void ModeBar::setMode(QString const &id)
{
    for (std::size_t i = 0; i < m_buttons.size(); ++i)
        if (id == QLatin1String(modes()[i].id)) m_buttons[i]->setChecked(true);
    restyle();
}

void ModeBar::nameButtons()
{
    setAccessibleName(tr("Modes"));
    for (std::size_t i = 0; i < m_buttons.size(); ++i) {
        QString const title = QCoreApplication::translate("modes", modes()[i].title);
        m_buttons[i]->setText(title);
        m_buttons[i]->setAccessibleName(title);
        m_buttons[i]->setToolTip(
            QStringLiteral("%1 (%2)").arg(QCoreApplication::translate("modes", modes()[i].tip),
                                          QKeySequence(QStringLiteral("Ctrl+Alt+%1").arg(i + 1)).toString(QKeySequence::NativeText)));
    }
}

void ModeBar::restyle()
{
    for (std::size_t i = 0; i < m_buttons.size(); ++i) {
        m_buttons[i]->setFont(uiFont(TextSize::Caption));
        m_buttons[i]->setIcon(icon(QLatin1String(modes()[i].icon), m_buttons[i]->isChecked() ? Token::Text : Token::SecondaryText));
    }
}

void ModeBar::changeEvent(QEvent *event)
{
    QFrame::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) restyle();
}

namespace {
bool isWalkingKey(int key) { return key == Qt::Key_Tab || key == Qt::Key_Backtab || key == Qt::Key_Up || key == Qt::Key_Down; }
} // namespace

bool ModeBar::eventFilter(QObject *watched, QEvent *event)
{
    if (event->type() == QEvent::KeyPress) {
        int const key = static_cast<QKeyEvent *>(event)->key();
        if (key == Qt::Key_Up || key == Qt::Key_Down) {
            auto const at = std::find(m_buttons.begin(), m_buttons.end(), watched) - m_buttons.begin();
            auto const next = at + (key == Qt::Key_Up ? -1 : 1);
            if (next >= 0 && next < static_cast<std::ptrdiff_t>(m_buttons.size()))
                m_buttons[static_cast<std::size_t>(next)]->setFocus(Qt::TabFocusReason);
            return true;
        }
    }
    bool const released = event->type() == QEvent::KeyRelease && isWalkingKey(static_cast<QKeyEvent *>(event)->key());
    if (released || event->type() == QEvent::FocusOut) {
        // A window gives focus to its first widget when it is activated and when the focused one is hidden, with the same reason as a key.
        // The frame is for
        // persons who use the keyboard, so such a focus is dropped.
        auto *button = static_cast<QWidget *>(watched);
        bool const away = event->type() == QEvent::FocusOut && static_cast<QFocusEvent *>(event)->reason() != Qt::ActiveWindowFocusReason;
        bool const byKey = event->type() == QEvent::KeyRelease || (button->property("byKey").toBool() && !away);
        if (byKey != button->property("byKey").toBool()) {
            button->setProperty("byKey", byKey);
            button->style()->unpolish(button);
            button->style()->polish(button);
        }
    }
    return QFrame::eventFilter(watched, event);
}

} // namespace tilewright::app

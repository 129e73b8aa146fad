#include "app/gui/dock_title.h"

#include "views/common/icons.h"
#include "views/common/theme.h"

#include <QBoxLayout>
#include <QDockWidget>
#include <QEvent>
#include <QLabel>
#include <QToolButton>

namespace tilewright::app {

using namespace views;

DockTitle::DockTitle(QDockWidget &dock, QString const &iconName) : QWidget(&dock), m_icon(iconName)
{
    m_picture = new QLabel(this);
    m_text = new QLabel(dock.windowTitle(), this);
    m_text->setProperty("role", "secondary");
    auto *close = new QToolButton(this);
    close->setAutoRaise(true);
    close->setIcon(icon(QStringLiteral("close"), Token::SecondaryText));
    close->setIconSize({12, 12});
    close->setToolTip(tr("Hide"));
    close->setAccessibleName(tr("Hide %1").arg(dock.windowTitle()));
    auto *row = new QHBoxLayout(this);
    row->setContentsMargins(kGap, 2, 2, 2);
    row->setSpacing(kGrid);
    row->addWidget(m_picture);
    row->addWidget(m_text, 1);
    row->addWidget(close);
    connect(close, &QToolButton::clicked, &dock, &QDockWidget::close);
    connect(&dock, &QDockWidget::windowTitleChanged, m_text, &QLabel::setText);
    restyle();
}

void DockTitle::restyle()
{
    m_text->setFont(uiFont(TextSize::Caption));
    m_picture->setPixmap(icon(m_icon, Token::SecondaryText).pixmap(14));
}

void DockTitle::changeEvent(QEvent *event)
{
    if (event->type() == QEvent::PaletteChange) restyle();
    QWidget::changeEvent(event);
}

} // namespace tilewright::app

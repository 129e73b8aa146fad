#include "app/gui/message_bar.h"

#include "views/common/icons.h"
#include "views/common/theme.h"

#include <QBoxLayout>
#include <QEvent>
#include <QLabel>
#include <QPushButton>
#include <QTimer>
#include <QToolButton>

namespace tilewright::app {

using namespace views;

MessageBar::MessageBar(QWidget *parent) : QFrame(parent), m_timer(new QTimer(this))
{
    setProperty("role", "banner");
    setAutoFillBackground(true);
    setAccessibleName(tr("Message"));
    m_icon = new QLabel(this);
    m_text = new QLabel(this);
    m_text->setWordWrap(true);
    m_text->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_button = new QPushButton(this);
    auto *close = new QToolButton(this);
    close->setIcon(icon(QStringLiteral("close"), Token::SecondaryText));
    close->setAccessibleName(tr("Close message"));
    close->setToolTip(tr("Close message"));
    auto *row = new QHBoxLayout(this);
    row->setContentsMargins(kGap, kGrid, kGrid, kGrid);
    row->addWidget(m_icon, 0, Qt::AlignTop);
    row->addWidget(m_text, 1);
    row->addWidget(m_button);
    row->addWidget(close, 0, Qt::AlignTop);
    m_timer->setSingleShot(true);
    connect(m_timer, &QTimer::timeout, this, &QWidget::hide);
    connect(close, &QToolButton::clicked, this, &QWidget::hide);
    connect(m_button, &QPushButton::clicked, this, [this] {
        hide();
        if (auto const action = m_action) action();
    });
    parent->installEventFilter(this);
    hide();
}

void MessageBar::show(Kind kind, QString const &text, QString const &remedy, QString const &actionText, std::function<void()> action)
{
    Token const token = kind == Error ? Token::Bad : kind == Warning ? Token::Warning : Token::Good;
    m_icon->setPixmap(icon(kind == Error ? QStringLiteral("error") : kind == Warning ? QStringLiteral("warning") : QStringLiteral("check"), token).pixmap(kIconSize));
    m_text->setText(remedy.isEmpty() ? text : text + QLatin1Char(' ') + remedy);
    m_button->setText(actionText);
    m_button->setVisible(!actionText.isEmpty());
    m_action = std::move(action);
    setAccessibleDescription(m_text->text());
    place();
    QFrame::show();
    raise();
    if (kind == Note) m_timer->start(5000);
    else m_timer->stop();
}

QString MessageBar::text() const { return m_text->text(); }

void MessageBar::place()
{
    QWidget const *window = parentWidget();
    int const width = std::min(window->width() - 4 * kGap, 900);
    int const height = std::max(heightForWidth(width), sizeHint().height());
    setGeometry((window->width() - width) / 2, window->height() - height - 40, width, height);
}

bool MessageBar::eventFilter(QObject *object, QEvent *event)
{
    if (object == parentWidget() && event->type() == QEvent::Resize && isVisible()) place();
    return QFrame::eventFilter(object, event);
}

} // namespace tilewright::app

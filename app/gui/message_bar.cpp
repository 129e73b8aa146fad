#include "app/gui/message_bar.h"

#include "app/gui/console_strip.h"
#include "views/common/icons.h"
#include "views/common/theme.h"

#include <QBoxLayout>
#include <QEvent>
#include <QLabel>
#include <QPushButton>
#include <QRegularExpression>
#include <QTimer>
#include <QToolButton>

namespace tilewright::app {

using namespace views;

QString firstSentence(QString const &text)
{
    // A full stop between digits, in a name or after "e.g" ends nothing: a sentence ends before a blank and a capital.
    static QRegularExpression const end(QStringLiteral("[.!?](?=\\s+\\p{Lu})"));
    auto const found = end.match(text);
    return found.hasMatch() ? text.left(found.capturedEnd()) : text;
}

MessageBar::MessageBar(QWidget *parent) : QFrame(parent), m_timer(new QTimer(this))
{
    setProperty("role", "message");
    setAccessibleName(tr("Message"));
    m_icon = new QLabel(this);
    m_text = new QLabel(this);
    m_text->setTextFormat(Qt::PlainText);
    m_text->setWordWrap(true);
    m_text->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_text->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_button = new QPushButton(this);
    m_close = new QToolButton(this);
    m_close->setAutoRaise(true);
    m_close->setAccessibleName(tr("Close message"));
    m_close->setToolTip(tr("Close message"));
    auto *row = new QHBoxLayout(this);
    row->setContentsMargins(kGap, 0, kGrid, 0);
    setMinimumHeight(kStripHeight);
    row->setSpacing(kGap);
    row->addWidget(m_icon);
    row->addWidget(m_text, 1);
    row->addWidget(m_button);
    row->addWidget(m_close);
    m_timer->setSingleShot(true);
    connect(m_timer, &QTimer::timeout, this, &MessageBar::dismiss);
    connect(m_close, &QToolButton::clicked, this, [this] {
        if (m_asks) m_question.reset();
        dismiss();
    });
    connect(m_button, &QPushButton::clicked, this, [this] {
        auto const action = m_action; // a copy: it may show another message
        if (m_asks) m_question.reset();
        dismiss();
        if (action) action();
    });
    hide();
}

void MessageBar::ask(QString const &text, QString const &actionText, std::function<void()> action)
{
    m_question = Question{text, actionText, action};
    show(Warning, text, {}, actionText, std::move(action));
    m_asks = true;
}

void MessageBar::dismiss()
{
    m_timer->stop();
    m_asks = false;
    if (!m_question) return hide();
    auto const question = *m_question;
    ask(question.text, question.actionText, question.action);
}

void MessageBar::clear()
{
    m_question.reset();
    if (m_asks || m_kind != Error) dismiss();
}

void MessageBar::show(Kind kind, QString const &text, QString const &remedy, QString const &actionText, std::function<void()> action)
{
    m_asks = false;
    m_kind = kind;
    m_text->setText(firstSentence(text));
    m_text->setToolTip(m_text->text() == text ? remedy : remedy.isEmpty() ? text : text + QLatin1Char(' ') + remedy);
    m_button->setText(actionText);
    m_button->setVisible(!actionText.isEmpty());
    m_action = std::move(action);
    setAccessibleDescription(remedy.isEmpty() ? text : text + QLatin1Char(' ') + remedy);
    restyle();
    QFrame::show();
    if (kind == Note && actionText.isEmpty()) m_timer->start(5000);
    else m_timer->stop();
}

QString MessageBar::text() const { return m_text->text(); }

void MessageBar::restyle()
{
    Token const token = m_kind == Error ? Token::Bad : m_kind == Warning ? Token::Warning : Token::Good;
    m_icon->setPixmap(icon(m_kind == Error         ? QStringLiteral("error")
                               : m_kind == Warning ? QStringLiteral("warning")
                                                   : QStringLiteral("check"),
                           token)
                          .pixmap(kIconSize));
    m_close->setIcon(icon(QStringLiteral("close"), Token::SecondaryText));
}

void MessageBar::changeEvent(QEvent *event)
{
    QFrame::changeEvent(event);
    if (event->type() == QEvent::PaletteChange) restyle();
}

} // namespace tilewright::app

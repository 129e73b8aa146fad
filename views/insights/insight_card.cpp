#include "views/insights/insight_card.h"

#include "views/common/icons.h"
#include "views/common/unbroken.h"
#include "views/figures/severity_mark.h"
#include "views/wording/insight_text.h"
#include "views/wording/labels.h"

#include <QBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QPainter>
#include <QToolButton>

#include "views/common/flow_layout.h"

namespace tilewright::views {

namespace {

/// A long name may break after its separators, because a card is narrower than the path of an option; a number and its unit do not.
QString withBreaks(QString const &text)
{
    constexpr qsizetype kLong = 20;
    QStringList words = text.split(QLatin1Char(' '));
    for (auto &word : words) {
        if (word.size() <= kLong) continue;
        for (QChar const separator : {QLatin1Char('.'), QLatin1Char('_'), QLatin1Char('/')})
            word.replace(separator, QString(separator) + QChar(0x200B));
    }
    return unbroken(words.join(QLatin1Char(' ')));
}

} // namespace

InsightCard::InsightCard(Session &session, QObject *origin, report::InsightRow const &insight, report::ReportData const &tables,
                         InsightItem const &item, QWidget *parent)
    : QFrame(parent), m_item(item)
{
    setProperty("role", "card");
    setFocusPolicy(Qt::StrongFocus);
    auto const words = insightText(insight);
    auto *all = new QVBoxLayout(this);
    // From top to bottom: headline, one sentence, the figures, the change, the buttons. Air between the groups, little within one.
    all->setContentsMargins(kGap + kGrid, kGap + kGrid, kGap + kGrid, kGap + kGrid);
    all->setSpacing(kGap);
    auto const group = [all] {
        auto *column = new QVBoxLayout;
        column->setSpacing(kGrid / 2);
        all->addLayout(column);
        return column;
    };
    auto const secondary = [this](QString const &text) {
        auto *label = new QLabel(text, this);
        label->setProperty("role", "secondary");
        label->setWordWrap(true);
        return label;
    };

    auto *head = new QHBoxLayout;
    head->setSpacing(kGap);
    head->addWidget(new SeverityMark(insight.severity, this), 0, Qt::AlignTop);
    m_title = new QLabel(withBreaks(words.title), this);
    m_title->setProperty("role", "headline");
    m_title->setWordWrap(true);
    head->addWidget(m_title, 1);
    QStringList state{severityLabel(insight.severity)};
    if (auto const trend = trendText(item.trend); !trend.isEmpty()) state << trend;
    if (item.suppressed) state << tr("suppressed");
    auto *stateLabel = new QLabel(state.join(QStringLiteral(" · ")), this);
    stateLabel->setProperty("role", "secondary");
    head->addWidget(stateLabel, 0, Qt::AlignTop);
    all->addLayout(head);

    m_message = new QLabel(withBreaks(words.sentence), this);
    m_message->setWordWrap(true);
    m_message->setTextInteractionFlags(Qt::TextSelectableByMouse);
    all->addWidget(m_message);

    auto *figures = group();
    m_subject = new LinkLabel(session, origin, this);
    m_subjectText = insightSubject(insight, tables);
    m_bound = insightGain(insight, tables);
    for (auto const &gain : gainQuantities(insight)) m_boundTips << tr("Gain: %1").arg(quantityTip(gain));
    m_destination = insightDestination(insight, tables);
    showBound(true);
    figures->addWidget(m_subject);
    m_details = words.details;
    for (auto const &detail : words.details) {
        auto *line = secondary(withBreaks(detail));
        line->setTextInteractionFlags(Qt::TextSelectableByMouse);
        figures->addWidget(line);
    }
    if (item.suppressed) figures->addWidget(secondary(tr("Suppressed: %1").arg(item.reason)));

    m_action = new QLabel(this);
    m_action->setWordWrap(true);
    m_action->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_action->hide();
    all->addWidget(m_action);
    m_remedies = new QWidget(this);
    auto *remedies = new QVBoxLayout(m_remedies);
    remedies->setContentsMargins(0, 0, 0, 0);
    remedies->setSpacing(kGrid);
    m_remedies->hide();
    all->addWidget(m_remedies);

    auto *buttons = new QWidget(this);
    auto *row = new FlowLayout(buttons, kGap);
    row->setSpacing(kGrid); // the three fit one row of the usual panel
    m_apply = button(tr("Apply"), tr("Makes the change as one step that can be undone (A)"), QStringLiteral("check"));
    m_hasAction = !insight.action.empty();
    m_apply->setVisible(m_hasAction);
    m_evidence = button(tr("Evidence"), tr("Shows the rows that prove it (Enter)"), QStringLiteral("table"));
    m_suppress = item.suppressed ? button(tr("Show again"), tr("Ends the suppression (S)"), QStringLiteral("undo"))
                                 : button(tr("Suppress…"), tr("Hides it in this project, with a reason (S)"), QStringLiteral("hide"));
    for (auto *one : {m_apply, m_evidence, m_suppress}) row->addWidget(one);
    all->addWidget(buttons);

    m_reasonRow = new QWidget(this);
    auto *reasonRow = new QHBoxLayout(m_reasonRow);
    reasonRow->setContentsMargins(0, 0, 0, 0);
    m_reason = new QLineEdit(m_reasonRow);
    m_reason->setPlaceholderText(tr("Why it does not matter; Enter keeps it in the project"));
    m_reason->setAccessibleName(tr("Reason for suppressing"));
    reasonRow->addWidget(m_reason, 1);
    auto *keep = new QToolButton(m_reasonRow);
    keep->setProperty("role", "word");
    keep->setText(tr("Suppress"));
    reasonRow->addWidget(keep);
    m_reasonRow->hide();
    all->addWidget(m_reasonRow);

    setAccessibleName(QStringLiteral("%1: %2").arg(severityLabel(insight.severity), words.title));
    setAccessibleDescription(words.message());
    connect(m_apply, &QToolButton::clicked, this, &InsightCard::applyAsked);
    connect(m_evidence, &QToolButton::clicked, this, &InsightCard::evidenceAsked);
    connect(m_suppress, &QToolButton::clicked, this, &InsightCard::startSuppressing);
    auto const suppress = [this] {
        if (auto const reason = m_reason->text().trimmed(); !reason.isEmpty()) Q_EMIT suppressed(reason);
    };
    connect(m_reason, &QLineEdit::returnPressed, this, suppress);
    connect(keep, &QToolButton::clicked, this, suppress);
}

QToolButton *InsightCard::button(QString const &text, QString const &tip, QString const &iconName)
{
    auto *made = new QToolButton(this);
    made->setText(text);
    made->setToolTip(tip);
    made->setAccessibleDescription(tip);
    made->setIcon(icon(iconName));
    made->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    return made;
}

void InsightCard::showBound(bool shown)
{
    QStringList about{m_subjectText}, tips{tr("Shows it in its view")};
    if (shown && !m_bound.isEmpty()) {
        about << m_bound;
        tips << m_boundTips;
    }
    m_subject->setLink(about.join(QStringLiteral(" · ")), m_destination, tips.join(QLatin1Char('\n')));
}

QString InsightCard::titleText() const { return m_title->text().remove(QChar(0x200B)); }
QString InsightCard::messageText() const
{
    return (QStringList(m_message->text().remove(QChar(0x200B))) + m_details).join(QLatin1Char(' '));
}

void InsightCard::setCurrent(bool current)
{
    if (m_current == current) return;
    m_current = current;
    update();
}

void InsightCard::setRelated(bool related)
{
    if (m_related == related) return;
    m_related = related;
    update();
}

void InsightCard::setAction(QString const &text, bool possible)
{
    m_action->setText(withBreaks(text));
    m_action->setVisible(!text.isEmpty());
    m_apply->setVisible(possible || m_hasAction);
    m_apply->setEnabled(possible);
}

void InsightCard::setRemedies(QStringList const &titles)
{
    if (titles == m_remedyTitles) return;
    m_remedyTitles = titles;
    auto *column = m_remedies->layout();
    while (auto *entry = column->takeAt(0)) {
        if (entry->widget()) entry->widget()->deleteLater();
        delete entry;
    }
    for (int i = 0; i < static_cast<int>(titles.size()); ++i) {
        auto *button = new QToolButton(m_remedies);
        button->setText(titles[i]);
        button->setIcon(icon(QStringLiteral("check"), Token::Good));
        button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
        button->setToolTip(tr("%1 (can be undone)").arg(titles[i]));
        button->setMinimumWidth(0);
        connect(button, &QToolButton::clicked, this, [this, i] { Q_EMIT remedyAsked(i); });
        column->addWidget(button);
        column->setAlignment(button, Qt::AlignLeading);
    }
    m_remedies->setVisible(!titles.isEmpty());
}

void InsightCard::startSuppressing()
{
    if (m_item.suppressed) {
        Q_EMIT suppressed({});
        return;
    }
    m_reasonRow->show();
    m_reason->setFocus(Qt::OtherFocusReason);
}

void InsightCard::keyPressEvent(QKeyEvent *event)
{
    switch (event->key()) {
    case Qt::Key_Up: Q_EMIT moved(-1); return;
    case Qt::Key_Down: Q_EMIT moved(1); return;
    case Qt::Key_Home: Q_EMIT moved(-1000); return;
    case Qt::Key_End: Q_EMIT moved(1000); return;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (!m_reason->hasFocus()) Q_EMIT evidenceAsked();
        return;
    case Qt::Key_A:
        if (!m_apply->isHidden() && m_apply->isEnabled()) Q_EMIT applyAsked();
        return;
    case Qt::Key_S: startSuppressing(); return;
    case Qt::Key_Escape:
        if (m_reasonRow->isVisible()) {
            m_reasonRow->hide();
            setFocus(Qt::OtherFocusReason);
            return;
        }
        break;
    default: break;
    }
    QFrame::keyPressEvent(event);
}

void InsightCard::mousePressEvent(QMouseEvent *event)
{
    QFrame::mousePressEvent(event);
    setFocus(Qt::MouseFocusReason);
    Q_EMIT picked();
}

void InsightCard::focusInEvent(QFocusEvent *event)
{
    QFrame::focusInEvent(event);
    // With the keyboard, focus selects; with the mouse, the press does.
    if (event->reason() == Qt::TabFocusReason || event->reason() == Qt::BacktabFocusReason) Q_EMIT picked();
}

void InsightCard::paintEvent(QPaintEvent *event)
{
    QFrame::paintEvent(event);
    if (!m_current && !m_related) return;
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(theme()[Token::Accent], m_current ? 2 : 1, m_current ? Qt::SolidLine : Qt::DashLine));
    painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), 6, 6);
}

} // namespace tilewright::views

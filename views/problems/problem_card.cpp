#include "views/problems/problem_card.h"

#include "views/common/icons.h"
#include "views/common/theme.h"
#include "views/diagnostics/diagnostic_text.h"
#include "views/problems/problem_text.h"

#include <QApplication>
#include <QBoxLayout>
#include <QClipboard>
#include <QKeyEvent>
#include <QLabel>
#include <QPainter>
#include <QToolButton>

namespace tilewright::views {

namespace {

char const *iconOf(Severity severity)
{
    switch (severity) {
    case Severity::Error: return "error";
    case Severity::Warning: return "warning";
    case Severity::Note: return "note";
    }
    return "note";
}

Token colorOf(Severity severity)
{
    switch (severity) {
    case Severity::Error: return Token::Bad;
    case Severity::Warning: return Token::Warning;
    case Severity::Note: return Token::SecondaryText;
    }
    return Token::SecondaryText;
}

QLabel *paragraph(QString const &text, QWidget *parent)
{
    auto *label = new QLabel(text, parent);
    label->setTextFormat(Qt::PlainText);
    label->setWordWrap(true);
    label->setMinimumWidth(20 * kGrid);
    return label;
}

} // namespace

ProblemCard::ProblemCard(Diagnostic const &problem, std::vector<ProjectFix> const &fixes, QWidget *parent)
    : QFrame(parent), m_problem(problem)
{
    setProperty("role", "card");
    setFocusPolicy(Qt::StrongFocus);
    auto const said = diagnosticText(problem);
    setAccessibleName(severityWord(problem.severity) + QStringLiteral(": ") + sentence(said.message));
    setAccessibleDescription(diagnosticLine(problem));
    setToolTip(QString::fromStdString(problem.code));

    auto *mark = new QLabel(this);
    mark->setPixmap(icon(QString::fromLatin1(iconOf(problem.severity)), colorOf(problem.severity)).pixmap(kIconSize, kIconSize));
    mark->setAccessibleName(severityWord(problem.severity));
    auto *texts = new QVBoxLayout;
    texts->setSpacing(kGrid / 2);
    QString const subject = QString::fromStdString(problem.subject);
    auto *message = paragraph((subject.isEmpty() ? QString() : subject + QStringLiteral(": ")) + sentence(said.message), this);
    texts->addWidget(message);
    if (!said.remedy.isEmpty()) {
        auto *remedy = paragraph(sentence(said.remedy), this);
        remedy->setProperty("role", "secondary");
        texts->addWidget(remedy);
    }
    for (int i = 0; i < static_cast<int>(fixes.size()); ++i) {
        auto *button = new QToolButton(this);
        button->setText(fixes[static_cast<std::size_t>(i)].title);
        button->setIcon(icon(QStringLiteral("check"), Token::Good));
        button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
        button->setToolTip(tr("%1 (can be undone)").arg(button->text()));
        button->setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Fixed);
        button->setMinimumWidth(0);
        connect(button, &QToolButton::clicked, this, [this, i] { emit fixChosen(i); });
        texts->addWidget(button, 0, Qt::AlignLeading);
    }
    auto *row = new QHBoxLayout(this);
    row->setContentsMargins(kGap, kGrid, kGap, kGrid);
    row->setSpacing(kGap);
    row->addWidget(mark, 0, Qt::AlignTop);
    row->addLayout(texts, 1);
}

void ProblemCard::setMarked(bool on)
{
    if (m_marked == on) return;
    m_marked = on;
    update();
}

void ProblemCard::mousePressEvent(QMouseEvent *event)
{
    QFrame::mousePressEvent(event);
    emit picked();
}

void ProblemCard::mouseDoubleClickEvent(QMouseEvent *) { emit activated(); }

void ProblemCard::keyPressEvent(QKeyEvent *event)
{
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) emit activated();
    else if (event->key() == Qt::Key_Space) emit picked();
    else if (event->key() == Qt::Key_Down) focusNextChild();
    else if (event->key() == Qt::Key_Up) focusPreviousChild();
    else if (event->matches(QKeySequence::Copy)) QApplication::clipboard()->setText(plainProblem(m_problem));
    else QFrame::keyPressEvent(event);
}

void ProblemCard::paintEvent(QPaintEvent *event)
{
    QFrame::paintEvent(event);
    if (!m_marked && !hasFocus()) return;
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(theme()[Token::Accent], m_marked ? 2 : 1, m_marked ? Qt::SolidLine : Qt::DotLine));
    painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), 6, 6);
}

} // namespace tilewright::views

#include "views/advice/problem_list.h"

#include "views/advice/rule_watch.h"
#include "views/common/theme.h"
#include "views/diagnostics/diagnostic_text.h"
#include "views/document/document.h"
#include "views/properties/property_value.h"
#include "views/session/session.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace tilewright::views {

namespace {

constexpr std::size_t kFirst = 2; ///< problems shown before a person asks for all

} // namespace

ProblemList::ProblemList(Session &session, QWidget *parent) : QWidget(parent), m_session(session)
{
    setAccessibleName(tr("Problems"));
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    hide();
}

void ProblemList::setProblems(std::vector<Diagnostic> const &problems) { setProblems(problems, {}); }

void ProblemList::setProblems(std::vector<Diagnostic> const &problems, std::vector<std::vector<SettingFix>> const &moreFixes)
{
    auto const &project = m_session.document().project();
    auto const samples = RuleWatch::of(m_session).samples();
    std::vector<std::vector<SettingFix>> fixes;
    for (std::size_t i = 0; i < problems.size(); ++i) {
        fixes.push_back(settingFixes(project, problems[i], samples));
        if (i < moreFixes.size()) fixes.back().insert(fixes.back().begin(), moreFixes[i].begin(), moreFixes[i].end());
    }
    setVisible(!problems.empty());
    if (problems == m_problems && fixes == m_fixes && m_body) return;
    m_problems = problems;
    m_fixes = std::move(fixes);
    rebuild();
}

void ProblemList::rebuild()
{
    if (m_body) m_body->deleteLater(); // a button of it may be on the stack
    if (m_body) m_body->hide();
    m_body = new QWidget(this);
    auto *column = new QVBoxLayout(m_body);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(kGrid);
    std::size_t const shown = m_all ? m_problems.size() : std::min(m_problems.size(), kFirst);
    for (std::size_t i = 0; i < shown; ++i) {
        auto const &problem = m_problems[i];
        bool const error = problem.severity == Severity::Error;
        auto *label = new QLabel(m_body);
        label->setWordWrap(true);
        label->setTextFormat(Qt::RichText);
        label->setText(QStringLiteral("<b style=\"color:%1\">%2</b> %3")
                           .arg(theme()[error ? Token::Bad : Token::Text].name(),
                                (error                                       ? tr("Error")
                                     : problem.severity == Severity::Warning ? tr("Warning")
                                                                             : tr("Note"))
                                    .toHtmlEscaped(),
                                diagnosticSentences(problem).toHtmlEscaped()));
        label->setToolTip(QString::fromStdString(problem.subject));
        label->setAccessibleName(diagnosticSentences(problem));
        column->addWidget(label);
        auto *buttons = new QHBoxLayout;
        buttons->setSpacing(kGrid);
        for (auto const &fix : m_fixes[i]) {
            auto *button = new QPushButton(fix.title, m_body);
            button->setAccessibleDescription(diagnosticSentences(problem));
            connect(button, &QPushButton::clicked, this, [this, fix] {
                auto const status = m_session.document().setFields(fix.title, fix.fields);
                if (!status.ok()) m_session.raiseError(status.error());
            });
            buttons->addWidget(button);
        }
        if (QString const path = QString::fromStdString(problem.subject); path.contains(QLatin1Char('.'))) {
            auto *show = new QPushButton(tr("Show"), m_body);
            show->setAccessibleName(tr("Show %1").arg(path));
            connect(show, &QPushButton::clicked, this, [this, path] { emit fieldWanted(path); });
            buttons->addWidget(show);
        }
        if (i + 1 == shown && m_problems.size() > kFirst) {
            auto const hidden = m_problems.size() - kFirst;
            auto *more = new QPushButton(m_all ? tr("Fewer") : tr("%Ln more problem(s)", nullptr, static_cast<int>(hidden)), m_body);
            connect(more, &QPushButton::clicked, this, [this] {
                m_all = !m_all;
                rebuild();
            });
            buttons->addWidget(more);
        }
        buttons->addStretch();
        column->addLayout(buttons);
    }
    layout()->addWidget(m_body);
    m_body->show();
}

void ProblemList::changeEvent(QEvent *event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && m_body) rebuild();
}

} // namespace tilewright::views

#include "app/gui/console_strip.h"

#include "views/advice/problem_log.h"
#include "views/common/icons.h"
#include "views/common/steady_label.h"
#include "views/common/theme.h"
#include "views/diagnostics/console.h"
#include "views/diagnostics/diagnostic_text.h"
#include "views/session/session.h"

#include <QBoxLayout>
#include <QEvent>
#include <QLabel>
#include <QMouseEvent>
#include <QTimer>
#include <QToolButton>

#include <algorithm>

namespace tilewright::app {

using namespace views;

ConsoleStrip::ConsoleStrip(Session &session, QWidget *parent) : QFrame(parent), m_session(session), m_timer(new QTimer(this))
{
    setObjectName(QStringLiteral("console_strip"));
    setProperty("role", "strip");
    m_arrow = new QToolButton(this);
    m_arrow->setObjectName(QStringLiteral("console_arrow"));
    m_arrow->setAutoRaise(true);
    m_arrow->setIconSize({12, 12});
    m_last = new SteadyLabel(this);
    m_last->label().setTextFormat(Qt::PlainText);
    m_last->setElided(Qt::ElideRight); // one line, however long: what is cut is in the console
    m_last->label().setAttribute(Qt::WA_TransparentForMouseEvents);
    m_last->setAttribute(Qt::WA_TransparentForMouseEvents);
    m_last->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_counts = new QToolButton(this);
    m_counts->setObjectName(QStringLiteral("console_counts"));
    m_counts->setAutoRaise(true);
    m_counts->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_counts->setIconSize({14, 14});
    auto *row = new QHBoxLayout(this);
    row->setContentsMargins(kGrid, 0, kGrid, 0);
    row->setSpacing(kGrid);
    row->addWidget(m_arrow);
    row->addWidget(m_last, 1);
    row->addWidget(m_counts);
    setFixedHeight(kStripHeight);
    m_timer->setSingleShot(true);
    m_timer->setInterval(80);
    connect(m_timer, &QTimer::timeout, this, &ConsoleStrip::refresh);
    auto const soon = [this] {
        if (!m_timer->isActive()) m_timer->start();
    };
    connect(&session.console(), &Console::changed, this, soon);
    connect(&ProblemLog::of(session), &ProblemLog::changed, this, soon);
    connect(m_arrow, &QToolButton::clicked, this, [this] { emit toggled({}); });
    connect(m_counts, &QToolButton::clicked, this, [this] { emit toggled(QStringLiteral("problems")); });
    restyle();
}

QString ConsoleStrip::text() const { return m_last->text() + QStringLiteral(" · ") + m_counts->text(); }

void ConsoleStrip::setOpen(bool open)
{
    m_open = open;
    m_arrow->setIcon(icon(open ? QStringLiteral("expand") : QStringLiteral("collapse"), Token::SecondaryText));
    QString const what = open ? tr("Close the console") : tr("Open the console");
    m_arrow->setAccessibleName(what);
    m_arrow->setToolTip(what);
    setToolTip(what);
}

void ConsoleStrip::refresh()
{
    auto const &console = m_session.console();
    m_errors = ProblemLog::of(m_session).count(Severity::Error);
    m_warnings = ProblemLog::of(m_session).count(Severity::Warning);
    // An error that nothing is left of is no news any more.
    bool const mended = console.saidLevel() >= 3 && m_errors == 0;
    QString last = console.said().isEmpty() || mended ? QString() : console.said().section(QLatin1Char('\n'), 0, 0);
    // Nothing was done yet: the first problem of the project is the news.
    if (last.isEmpty() && m_errors + m_warnings > 0) {
        auto const problems = ProblemLog::of(m_session).all();
        last =
            diagnosticLine(*std::ranges::min_element(problems, {}, [](Diagnostic const &one) { return -static_cast<int>(one.severity); }));
    }
    if (last.isEmpty()) last = tr("Compiles and runs report their progress here.");
    m_last->setText(last);
    m_last->setToolTip(last);
    m_counts->setText(tr("%n error(s)", nullptr, m_errors) + QStringLiteral(" · ") + tr("%n warning(s)", nullptr, m_warnings));
    m_counts->setAccessibleName(tr("Problems: %1").arg(m_counts->text()));
    m_counts->setToolTip(tr("Show the problems"));
    // Colour only where there is something to see to; the words say the same.
    m_counts->setIcon(m_errors > 0         ? icon(QStringLiteral("error"), Token::Bad)
                          : m_warnings > 0 ? icon(QStringLiteral("warning"), Token::Warning)
                                           : icon(QStringLiteral("check"), Token::SecondaryText));
}

void ConsoleStrip::restyle()
{
    m_last->label().setFont(uiFont(TextSize::Caption));
    m_last->label().setProperty("role", "secondary");
    m_counts->setFont(uiFont(TextSize::Caption));
    setOpen(m_open);
    refresh();
}

void ConsoleStrip::changeEvent(QEvent *event)
{
    QFrame::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::LanguageChange || event->type() == QEvent::FontChange) restyle();
    // A new style sheet gives labels back the fonts that they had under the one before, when it comes to them.
    if (event->type() == QEvent::StyleChange) QMetaObject::invokeMethod(this, &ConsoleStrip::restyle, Qt::QueuedConnection);
}

void ConsoleStrip::mouseReleaseEvent(QMouseEvent *event)
{
    if (event->button() == Qt::LeftButton && rect().contains(event->pos())) emit toggled({});
}

} // namespace tilewright::app

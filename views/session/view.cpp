#include "views/session/view.h"

#include "views/common/figure_parts.h"
#include "views/common/format.h"
#include "views/common/steady_label.h"
#include "views/common/theme.h"
#include "views/common/unbroken.h"
#include "views/diagnostics/diagnostic_text.h"
#include "views/document/document.h"
#include "views/reports/report_snapshot.h"
#include "views/session/playhead.h"
#include "views/session/run_commands.h"
#include "views/session/selection.h"

#include <QBoxLayout>
#include <QCoreApplication>
#include <QEvent>
#include <QFrame>
#include <QLabel>
#include <QPushButton>
#include <QStackedLayout>
#include <QTimer>
#include <QToolButton>

#include <algorithm>

namespace tilewright::views {

namespace {

/// Height of a view, in lines of text, from which on it keeps the line above its body.
constexpr int kRoomyLines = 32;
/// A report is usually read before words about it could be.
constexpr int kPatienceMs = 400;

enum Dirty { RefreshDue = 1, FollowDue = 2, AdvanceDue = 4, GrowDue = 8, FiguresDue = 16, JudgeDue = 32, MomentDue = 64 };

} // namespace

View::View(QString const &id, Session &session, QWidget *parent) : QWidget(parent), m_id(id), m_session(session)
{
    setObjectName(id);
    m_headline = new SteadyLabel(this); // while a run goes on it changes with every frame
    auto &headline = m_headline->label();
    headline.setProperty("role", "headline");
    headline.setFont(uiFont(TextSize::Headline));
    headline.setWordWrap(true);
    headline.setTextInteractionFlags(Qt::TextSelectableByMouse);
    headline.setAccessibleName(QCoreApplication::translate("views", "Headline"));
    QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    policy.setHeightForWidth(true);
    m_headline->setSizePolicy(policy);
    m_headline->setMinimumWidth(80);
    auto *head = new QHBoxLayout;
    head->setSpacing(kGrid);
    head->addWidget(m_headline, 1);
    // In line with each other, and at the top: the headline may take several lines.
    m_headRow = new QHBoxLayout;
    m_headRow->setSpacing(kGrid);
    head->addLayout(m_headRow);
    head->setAlignment(m_headRow, Qt::AlignTop);

    makeLine();

    m_bodyHolder = new QWidget(this);
    auto *bodyLayout = new QVBoxLayout(m_bodyHolder);
    bodyLayout->setContentsMargins(0, 0, 0, 0);

    auto *empty = new QWidget(this);
    m_emptyText = new QLabel(empty);
    m_emptyText->setWordWrap(true);
    m_emptyText->setAlignment(Qt::AlignCenter);
    m_emptyText->setProperty("role", "secondary");
    m_emptyButton = new QPushButton(empty);
    auto *emptyLayout = new QVBoxLayout(empty);
    emptyLayout->addStretch(2);
    emptyLayout->addWidget(m_emptyText);
    emptyLayout->addSpacing(kGap);
    emptyLayout->addWidget(m_emptyButton, 0, Qt::AlignHCenter);
    emptyLayout->addStretch(3);

    m_stack = new QStackedLayout;
    m_stack->addWidget(m_bodyHolder);
    m_stack->addWidget(empty);
    auto *all = new QVBoxLayout(this);
    all->setContentsMargins(kGap, kGap, kGap, kGap);
    all->setSpacing(kGrid); // the line between headline and body belongs to both
    all->addLayout(head);
    all->addWidget(m_line);
    all->addLayout(m_stack, 1);

    auto const act = [this] {
        if (auto const wanted = m_state.action) wanted(); // a copy: it may change the state
    };
    connect(m_bannerButton, &QToolButton::clicked, this, act);
    connect(m_emptyButton, &QPushButton::clicked, this, act);
    connect(&session, &Session::reportReplaced, this, [this] {
        if (m_onReport) schedule(RefreshDue | FollowDue);
    });
    connect(&session, &Session::reportGrown, this, [this](Growth growth) {
        if (m_onReport) schedule(growth == Growth::Figures ? GrowDue | FiguresDue : GrowDue);
    });
    connect(&session, &Session::reportStaleChanged, this, [this] {
        if (m_onReport) schedule(JudgeDue);
    });
    connect(&session, &Session::baselineChanged, this, [this] {
        if (m_onReport) schedule(RefreshDue);
    });
    connect(&session.document(), &Document::changed, this, [this] {
        if (m_onDocument) schedule(RefreshDue);
        else if (m_judgesEdits) schedule(JudgeDue);
    });
    connect(&session.document(), &Document::opened, this, [this] { schedule(RefreshDue | FollowDue); });
    connect(&session.selection(), &Selection::changed, this, [this] { schedule(FollowDue); });
    connect(&session.selection(), &Selection::lineageChanged, this, [this] { schedule(FollowDue); });
    connect(&session.runs(), &RunController::advanced, this, [this] {
        if (m_onRun) schedule(AdvanceDue);
    });
    connect(&session.runs(), &RunController::stateChanged, this, [this] {
        if (m_onRun) schedule(RefreshDue | AdvanceDue);
    });
    connect(&session.runs(), &RunController::compiled, this, [this] {
        if (m_onRun) schedule(RefreshDue);
    });
    connect(&session.runs(), &RunController::finished, this, [this] {
        if (m_onRun) schedule(RefreshDue | AdvanceDue);
    });
    connect(&session.playhead(), &Playhead::moved, this, [this] {
        if (m_showsMoment) schedule(MomentDue);
    });
    m_dirty = RefreshDue | FollowDue;
}

View::~View() = default;

void View::makeLine()
{
    m_line = new QWidget(this);
    m_noteText = new SteadyLabel(m_line);
    m_noteText->label().setProperty("role", "secondary");
    m_noteText->label().setAccessibleName(QCoreApplication::translate("views", "Note"));
    m_noteText->label().setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_banner = new QFrame(m_line);
    m_banner->setProperty("role", "banner");
    m_bannerText = new SteadyLabel(m_banner);
    for (auto *text : {m_noteText, m_bannerText}) {
        text->setElided(Qt::ElideRight);
        QSizePolicy policy(QSizePolicy::Ignored, QSizePolicy::Preferred);
        policy.setHeightForWidth(true);
        text->setSizePolicy(policy);
    }
    m_bannerButton = new QToolButton(m_banner);
    m_bannerButton->setProperty("role", "word");
    auto *bannerRow = new QHBoxLayout(m_banner);
    bannerRow->setContentsMargins(kGap, 0, 0, 0);
    bannerRow->addWidget(m_bannerText, 1);
    bannerRow->addWidget(m_bannerButton);
    m_banner->hide();
    m_noteText->hide();
    auto *line = new QHBoxLayout(m_line);
    line->setContentsMargins(0, 0, 0, 0);
    line->setSpacing(kGap);
    line->addWidget(m_noteText, 1);
    line->addWidget(m_banner, 1);
    m_line->hide();
}

void View::showLine()
{
    QStringList said{m_standing, m_missing, m_note};
    said.removeAll(QString());
    bool const figure = isInFigure(*this);
    if (said.isEmpty() && m_keepsLine && !figure) said << aboutText(); // a figure names its source below
    QString const note = said.join(QStringLiteral(" · "));
    m_noteText->setText(note);
    m_noteText->setToolTip(note);
    m_noteText->setVisible(!note.isEmpty());
    bool const replaced = m_stack && m_stack->currentIndex() == 1;
    bool const banner = !replaced && m_state.kind != ViewState::Ready;
    m_banner->setVisible(banner);
    // What comes and goes takes one line. A report that is not complete stays so, and all of its reason is to be read.
    bool const whole = figure || m_state.kind == ViewState::Partial;
    for (auto *text : {m_noteText, m_bannerText}) {
        text->label().setWordWrap(whole);
        text->setElided(whole ? Qt::ElideNone : Qt::ElideRight);
    }
    int const height = std::max(kRowHeight, m_bannerText->fontMetrics().height() + 2 * kGrid);
    m_line->setMinimumHeight(height);
    m_line->setMaximumHeight(whole ? QWIDGETSIZE_MAX : height);
    // A small view needs the line's room more than a steady place: large type in a small window.
    bool const roomy = this->height() >= kRoomyLines * fontMetrics().height();
    bool const kept = m_keepsLine && !figure && roomy, needed = banner || !(m_standing + m_missing + m_note).isEmpty();
    m_line->setVisible(kept || needed);
}

QString View::aboutText() const
{
    auto const report = m_session.report();
    if (!m_onReport || !report) return m_session.document().isOpen() ? m_session.document().project().title.c_str() : QString();
    QStringList words{QCoreApplication::translate("views", "Report: %1").arg(report->title())};
    if (report->isWhole() && m_showsMoment && m_refreshes > 0) words << momentShown(); // not while it is constructed
    words.removeAll(QString());
    return words.join(QStringLiteral(" · "));
}

/// A moment that nobody chose is open: there is nothing to say of it.
QString View::momentShown() const
{
    auto const &playhead = m_session.playhead();
    if (playhead.moment().livenessStep >= 0 && playhead.livenessStep() >= 0)
        return QCoreApplication::translate("views", "moment: liveness step %1 of %2")
            .arg(countText(playhead.livenessStep()), countText(static_cast<std::int64_t>(m_session.report()->data().livenessSteps.size())));
    QString const program = playhead.programName();
    return program.isEmpty() ? QString() : QCoreApplication::translate("views", "moment: %1").arg(program);
}

void View::keepLine()
{
    m_keepsLine = true;
    showLine();
}

void View::setNote(QString const &text)
{
    m_keepsLine = true;
    m_note = text;
    showLine();
}

QString View::headline() const { return m_headlineText; }

void View::setDependsOn(bool report, bool document, bool run)
{
    m_onReport = report;
    m_onDocument = document;
    m_onRun = run;
    if (run) m_dirty |= AdvanceDue;
}

void View::setShowsMoment()
{
    m_showsMoment = true;
    m_keepsLine = true;
    connect(&m_session.runs(), &RunController::tileValuesChanged, this, &View::writeMomentLine);
    connect(&m_session.runs(), &RunController::stateChanged, this, &View::writeMomentLine);
    writeMomentLine();
}

void View::writeMomentLine()
{
    m_standing = m_session.playhead().standingText();
    m_missing = momentMissing();
    showLine();
}

void View::judge()
{
    if (m_part) applyReportState(m_part);
}

void View::updateAll()
{
    ++m_refreshes;
    // Children that a visible widget gets are visible and laid out in the next turns of the event loop. Until then nothing is painted, so
    // that no page appears with its titles over empty parts.
    bool const holds = isVisible() && updatesEnabled();
    if (holds) setUpdatesEnabled(false);
    refresh();
    if (holds) QTimer::singleShot(0, this, [this] { QTimer::singleShot(0, this, [this] { setUpdatesEnabled(true); }); });
}

void View::setHeadline(QString const &text, Headline kind)
{
    QString shown = text;
    if (kind == Headline::Sentence && !shown.isEmpty()) shown[0] = shown[0].toUpper();
    if (shown != m_headlineText) {
        m_headlineText = shown;
        m_headline->setText(unbroken(shown));
        setAccessibleDescription(shown);
    }
    m_headline->setVisible(!shown.isEmpty());
}

void View::setBody(QWidget *body) { m_bodyHolder->layout()->addWidget(body); }
void View::addHeadlineWidget(QWidget *widget) { m_headRow->addWidget(widget); }

void View::setState(ViewState const &state)
{
    m_state = state;
    bool const replaces = state.kind == ViewState::Empty || state.kind == ViewState::Error;
    m_stack->setCurrentIndex(replaces ? 1 : 0);
    if (replaces) {
        m_emptyText->setText(state.text);
        m_emptyButton->setText(state.actionText);
        m_emptyButton->setVisible(!state.actionText.isEmpty());
    } else {
        m_bannerText->setText(state.text);
        m_bannerText->setToolTip(state.text);
        m_bannerButton->setText(state.actionText);
        m_bannerButton->setVisible(!state.actionText.isEmpty());
    }
    showLine();
}

bool View::applyReportState(char const *part)
{
    m_part = part;
    m_keepsLine = true;
    auto const report = m_session.report();
    auto const words = [](char const *text) { return QCoreApplication::translate("views", text); };
    auto const compile = [this] { perform(RunCommand::Compile, m_session); };
    if (!report) {
        auto const &error = m_session.reportError();
        if (!error.code.empty()) {
            setState({ViewState::Error, diagnosticLine(error), buttonText(RunCommand::Compile), compile});
        } else if (m_session.document().isOpen()) {
            setState(
                {ViewState::Empty,
                 words(QT_TRANSLATE_NOOP("views", "Nothing compiled yet. Compile the project to see where every byte and cycle goes.")),
                 buttonText(RunCommand::Compile), compile});
        } else {
            setState({ViewState::Empty, words(QT_TRANSLATE_NOOP("views", "Open a report, or open a project and compile it.")), {}, {}});
        }
        setHeadline({});
        return false;
    }
    if (!report->isWhole()) {
        auto const &error = m_session.reportError();
        if (error.code.empty()) {
            // Parts without figures would be empty: a view that needs more than the head waits, with words only if it takes long.
            bool const waits = m_stack->currentIndex() == 1 && m_state.kind == ViewState::Running, hides = !property("showsHead").toBool();
            if (waits) return true;
            setState({ViewState::Running, words(QT_TRANSLATE_NOOP("views", "Reading the report …")), {}, {}});
            if (!hides) return true;
            m_stack->setCurrentIndex(1);
            m_emptyText->clear();
            m_emptyButton->hide();
            showLine();
            QTimer::singleShot(kPatienceMs, this, [this] {
                if (m_stack->currentIndex() == 1 && m_state.kind == ViewState::Running) m_emptyText->setText(m_state.text);
            });
            return true;
        }
        setState({ViewState::Error, diagnosticLine(error), words(QT_TRANSLATE_NOOP("views", "Read again")),
                  [this] { m_session.openReport(m_session.report()->path()); }});
        setHeadline({});
        return false;
    }
    auto const *row = report->part(part);
    if (*part && (!row || row->state == report::PartState::Absent)) {
        QString const note = row && !row->note.empty() ? QString::fromStdString(row->note) : QString();
        setState({ViewState::Empty,
                  words(QT_TRANSLATE_NOOP("views", "This report holds no part '%1'. %2")).arg(QLatin1String(part), note),
                  {},
                  {}});
        setHeadline({});
        return false;
    }
    if (auto const damage = report->damage()) {
        setState(
            {ViewState::Partial,
             words(QT_TRANSLATE_NOOP("views", "A part of this report cannot be read: numbers and pictures made of it are missing or 0. %1"))
                 .arg(diagnosticLine(*damage)),
             m_session.document().isOpen() ? words(QT_TRANSLATE_NOOP("views", "Recompile")) : QString(), compile});
        return true;
    }
    if (m_session.reportIsStale()) {
        setState({ViewState::Stale, words(QT_TRANSLATE_NOOP("views", "The project has changed since this report was made.")),
                  words(QT_TRANSLATE_NOOP("views", "Recompile")), compile});
        return true;
    }
    if (row && (row->state == report::PartState::Truncated || row->state == report::PartState::Failed)) {
        setState({ViewState::Partial,
                  words(QT_TRANSLATE_NOOP("views", "Part '%1' of this report is not complete: its writer stopped at %2. %3"))
                      .arg(QLatin1String(part))
                      .arg(row->watermark)
                      .arg(QString::fromStdString(row->note)),
                  {},
                  {}});
        return true;
    }
    setState({});
    return true;
}

void View::refreshNow()
{
    m_dirty = RefreshDue | FollowDue | (m_onRun ? AdvanceDue : 0);
    run();
}

void View::schedule(int what)
{
    m_dirty |= what;
    if (m_queued || !isVisible()) return;
    m_queued = true;
    QMetaObject::invokeMethod(
        this,
        [this] {
            m_queued = false;
            if (isVisible()) run();
        },
        Qt::QueuedConnection);
}

void View::run()
{
    int const due = m_dirty;
    m_dirty = 0;
    if (due & RefreshDue) {
        updateAll();
    } else {
        if (due & JudgeDue) judge();
        if (due & GrowDue) grow(due & FiguresDue ? Growth::Figures : Growth::Rows);
    }
    if (due & AdvanceDue) advance();
    if (m_showsMoment && due & (RefreshDue | GrowDue | MomentDue)) {
        showMoment();
        writeMomentLine();
    }
    if (!(due & (FollowDue | RefreshDue))) return;
    // What belongs to the selection is on its way: it brings the view here again.
    if (m_session.selection().isTracing()) m_dirty |= FollowDue;
    if (m_followsAtOnce || !m_session.selection().isTracing()) follow();
}

bool View::event(QEvent *event)
{
    if (event->type() == QEvent::Resize && m_line) showLine();
    if (event->type() == QEvent::DynamicPropertyChange && m_line) showLine(); // a figure has no reserved space
    return QWidget::event(event);
}

void View::showEvent(QShowEvent *event)
{
    QWidget::showEvent(event);
    if (m_dirty) run();
}

void View::changeEvent(QEvent *event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::StyleChange || event->type() == QEvent::LanguageChange) {
        m_headline->label().setFont(uiFont(TextSize::Headline));
        showLine();
        restyle();
        schedule(RefreshDue);
    }
}

} // namespace tilewright::views

#include "views/insights/insights_view.h"
#include "views/insights/insights_widget.h"

#include "views/advice/fix_trials.h"
#include "views/common/figure_parts.h"
#include "views/common/format.h"
#include "views/common/table_model.h"
#include "views/common/wrapped_label.h"
#include "views/diagnostics/diagnostic_text.h"
#include "views/document/document.h"
#include "views/figures/comparison.h"
#include "views/figures/severity_mark.h"
#include "views/insights/evidence_pane.h"
#include "views/insights/insight_action.h"
#include "views/insights/insight_card.h"
#include "views/insights/insight_outcome.h"
#include "views/insights/insight_trials.h"
#include "views/insights/memory_panel.h"
#include "views/jobs/job_runner.h"
#include "views/reports/report_snapshot.h"
#include "views/session/run_commands.h"
#include "views/session/selection.h"
#include "views/widgets/floating_note.h"
#include "views/wording/insight_text.h"
#include "views/wording/labels.h"

#include <QBoxLayout>
#include <QCheckBox>
#include <QLabel>
#include <QScrollArea>
#include <QSplitter>
#include <QToolButton>

#include <algorithm>
#include <cmath>

namespace tilewright::views {

namespace {

constexpr int kSideBySide = kGrid * 190; ///< wide enough for memory beside the cards

} // namespace

InsightsView::InsightsView(Session &session, QWidget *parent) : View(QStringLiteral("insights"), session, parent)
{
    setDependsOn(true, false, false);
    setProperty("showsHead", true);
    setJudgesEdits();
    setShowsMoment();
    m_trials = &FixTrials::of(session);
    connect(m_trials, &FixTrials::changed, this, &InsightsView::showActions);
    m_showSuppressed = new QCheckBox(tr("Show suppressed"), this);
    connect(m_showSuppressed, &QCheckBox::toggled, this, [this] { refreshNow(); });

    m_page = new QWidget;
    m_column = new QVBoxLayout(m_page);
    m_column->setContentsMargins(0, 0, kGrid, 0);
    m_column->setSpacing(kGap);
    m_scroll = new QScrollArea(this);
    m_scroll->setWidgetResizable(true);
    m_scroll->setFrameShape(QFrame::NoFrame);
    m_scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_scroll->setFocusPolicy(Qt::NoFocus);
    m_scroll->setWidget(m_page);
    m_evidence = new EvidencePane(session, this);
    m_evidence->hide();
    connect(m_evidence, &EvidencePane::closed, this, [this] {
        m_evidence->hide();
        if (m_current >= 0 && m_current < m_cards.size()) m_cards[m_current]->setFocus(Qt::OtherFocusReason);
    });
    m_splitter = new QSplitter(Qt::Vertical, this);
    m_splitter->addWidget(m_scroll);
    m_splitter->addWidget(m_evidence);
    m_splitter->setStretchFactor(0, 3);
    m_splitter->setStretchFactor(1, 2);
    m_splitter->setChildrenCollapsible(false);

    m_notice = new QFrame(this);
    m_notice->setProperty("role", "banner");
    m_noticeText = new QLabel(m_notice);
    m_noticeText->setWordWrap(true);
    m_compile = new QToolButton(m_notice);
    m_compile->setProperty("role", "word");
    m_compile->setText(tr("Compile"));
    auto *close = new QToolButton(m_notice);
    close->setProperty("role", "word");
    close->setText(tr("Close"));
    close->setAutoRaise(true);
    auto *noticeRow = new QHBoxLayout(m_notice);
    noticeRow->setContentsMargins(kGap, kGrid, kGap, kGrid);
    noticeRow->addWidget(m_noticeText, 1);
    noticeRow->addWidget(m_compile);
    noticeRow->addWidget(close);
    m_notice->hide();
    connect(close, &QToolButton::clicked, m_notice, &QWidget::hide);
    connect(m_compile, &QToolButton::clicked, this, [this] { perform(RunCommand::Compile, this->session()); });
    auto *body = new QWidget(this);
    auto *all = new QVBoxLayout(body);
    all->setContentsMargins(0, 0, 0, 0);
    all->setSpacing(kGap);
    all->addWidget(m_showSuppressed); // not beside the headline: in a dock it would leave that a word a line
    all->addWidget(memoryRow());
    m_memory = new MemoryPanel(session, this, this);
    m_outer = new QSplitter(Qt::Horizontal, this);
    m_outer->addWidget(m_splitter);
    m_outer->addWidget(m_memory);
    m_outer->setChildrenCollapsible(false);
    all->addWidget(m_outer, 1);
    showMemory();
    setBody(body);
    floatOverBottom(m_notice, body);
    drawsFigures(*this);
    comparesReports(*this);
    keepOutOfFigures(*m_notice);
}

/// One line that says how full the memory is; its button folds the panel.
QWidget *InsightsView::memoryRow()
{
    m_memoryRow = new QWidget(this);
    auto *row = new QHBoxLayout(m_memoryRow);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(kGap);
    m_memoryFold = new QToolButton(m_memoryRow);
    m_memoryFold->setText(tr("Memory"));
    m_memoryFold->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_memoryFold->setCheckable(true);
    m_memoryFold->setAutoRaise(true);
    m_memoryFold->setToolTip(tr("Shows or hides the use of IPUs and tiles and its largest consumers"));
    m_memoryText = new LinkLabel(session(), this, m_memoryRow);
    row->addWidget(m_memoryFold, 0, Qt::AlignTop);
    row->addWidget(m_memoryText, 1);
    connect(m_memoryFold, &QToolButton::clicked, this, [this](bool open) {
        m_memoryOpen = open;
        arrangeMemory();
    });
    return m_memoryRow;
}

void InsightsView::showMemory()
{
    m_memory->show(m_report);
    m_memoryText->setLink(m_memory->headline(), m_memory->worst(), m_memory->headlineTip());
    arrangeMemory();
}

/// Beside the cards where there is width for both, else below them and folded until somebody opens it: cards come first.
void InsightsView::arrangeMemory()
{
    bool const wide = width() >= kSideBySide, open = m_memoryOpen.value_or(wide), any = !m_memory->isEmpty();
    m_memoryRow->setVisible(any);
    m_memoryFold->setChecked(open);
    m_memoryFold->setArrowType(open ? Qt::DownArrow : Qt::RightArrow);
    auto const wanted = wide ? Qt::Horizontal : Qt::Vertical;
    bool const appears = any && open && !m_memory->isVisibleTo(this);
    m_memory->setVisible(any && open);
    if (m_outer->orientation() == wanted && !appears) return;
    m_outer->setOrientation(wanted);
    int const room = wide ? m_outer->width() : m_outer->height();
    m_outer->setSizes({room * 3 / 5, room * 2 / 5});
    m_outer->setStretchFactor(0, 3);
    m_outer->setStretchFactor(1, 2);
}

void InsightsView::resizeEvent(QResizeEvent *event)
{
    View::resizeEvent(event);
    arrangeMemory();
}

QJsonObject InsightsView::saveState() const
{
    auto memory = m_memory->saveState();
    if (m_memoryOpen) memory[QStringLiteral("open")] = *m_memoryOpen;
    return {{QStringLiteral("show_suppressed"), m_showSuppressed->isChecked()}, {QStringLiteral("memory"), memory}};
}

void InsightsView::restoreState(QJsonObject const &state)
{
    m_showSuppressed->setChecked(state.value(QLatin1String("show_suppressed")).toBool());
    auto const memory = state.value(QLatin1String("memory")).toObject();
    if (memory.contains(QLatin1String("open"))) m_memoryOpen = memory.value(QLatin1String("open")).toBool();
    m_memory->restoreState(memory);
    arrangeMemory();
}

QString InsightsView::signature() const
{
    auto const baseline = session().baseline();
    auto const reasons = suppressedInsights(session().document().project().notes);
    QStringList parts{QString::number(reinterpret_cast<quintptr>(m_report.get())),
                      QString::number(reinterpret_cast<quintptr>(baseline.get())), QString::number(m_showSuppressed->isChecked())};
    for (auto it = reasons.begin(); it != reasons.end(); ++it) parts << it.key() << it.value();
    return parts.join(QLatin1Char('\n'));
}

void InsightsView::refresh()
{
    m_report = session().report();
    if (!applyReportState("insight")) {
        // The cards tell of rows of the report that is gone: they go with it.
        m_list = {};
        m_shown.clear();
        m_cards.clear();
        clearLayout(*m_column);
        m_current = -1;
        m_memory->show({});
        arrangeMemory();
        setHeadline(tr("No report yet: insights come with a compile"));
        return;
    }
    if (auto const now = signature(); now != m_shown) {
        m_shown = now;
        auto const baseline = session().baseline();
        bool const comparable = baseline && baseline->isWhole() && m_report->isWhole();
        m_list = listInsights(m_report->data(), comparable ? &baseline->data() : nullptr,
                              suppressedInsights(session().document().project().notes));
        showCards();
        checkOutcome();
    }
    showMemory();
    m_showSuppressed->setText(m_list.suppressed > 0 ? tr("Show suppressed (%1)").arg(m_list.suppressed) : tr("Show suppressed"));
    m_showSuppressed->setVisible(m_list.suppressed > 0 || m_showSuppressed->isChecked());
    tryActions();
}

/// An edit changes what is suppressed, and what the changes that findings propose would bring.
void InsightsView::judge()
{
    View::judge();
    if (!m_report || m_shown.isEmpty()) return;
    if (signature() != m_shown) refresh();
    else tryActions();
}

void InsightsView::showCards()
{
    QString const key = m_current >= 0 && m_current < m_cards.size() ? m_cards[m_current]->item().key : QString();
    int const place = m_current;
    bool const focused = m_current >= 0 && m_current < m_cards.size() && m_cards[m_current]->isAncestorOf(focusWidget());
    m_cards.clear();
    clearLayout(*m_column);
    m_current = -1;
    for (auto const &item : m_list.items) {
        if (item.suppressed && !m_showSuppressed->isChecked()) continue;
        int const index = static_cast<int>(m_cards.size());
        auto *card = new InsightCard(session(), this, rowOf(item), m_report->data(), item, m_page);
        connect(card, &InsightCard::picked, this, [this, index] { makeCurrent(index, true); });
        connect(card, &InsightCard::moved, this, [this, index](int by) { moveBy(index, by); });
        connect(card, &InsightCard::evidenceAsked, this, [this, index] { showEvidence(index); });
        connect(card, &InsightCard::applyAsked, this, [this, index] { apply(index, offered(index)); });
        connect(
            card, &InsightCard::remedyAsked, this,
            [this, index](int remedy) {
                auto const &fixes = m_trials->fixes();
                if (offered(index) && remedy >= 0 && remedy < static_cast<int>(fixes.size()))
                    apply(index, &fixes[static_cast<std::size_t>(remedy)]);
            },
            Qt::QueuedConnection); // the edit removes the button
        connect(card, &InsightCard::suppressed, this, [this, own = item.key](QString const &reason) { suppress(own, reason); });
        m_column->addWidget(card);
        m_cards << card;
        if (item.key == key) m_current = index;
    }
    if (m_cards.isEmpty()) {
        auto *none =
            new QLabel(m_list.suppressed > 0 ? tr("All insights are suppressed.") : tr("No rule found anything worth changing."), m_page);
        none->setProperty("role", "secondary");
        none->setAlignment(Qt::AlignCenter);
        m_column->addWidget(none);
    }
    showCured();
    m_column->addStretch(1);
    // Who was at work on a card that is gone goes on with the next; else nothing is selected before somebody selects.
    if (m_current < 0 && focused) m_current = std::min(place, static_cast<int>(m_cards.size()) - 1);
    if (m_current >= 0) {
        m_cards[m_current]->setCurrent(true);
        if (focused) m_cards[m_current]->setFocus(Qt::OtherFocusReason);
    }
}

void InsightsView::showCured()
{
    auto const baseline = session().baseline();
    if (!baseline || m_list.cured.empty()) return;
    auto *title = new QLabel(tr("Cured since the baseline"), m_page);
    title->setProperty("role", "headline");
    m_column->addWidget(title);
    for (int const row : m_list.cured) {
        auto const &insight = baseline->data().insights[static_cast<std::size_t>(row)];
        auto *label =
            new QLabel(QStringLiteral("✓ %1 — %2").arg(insightSubject(insight, baseline->data()), insightText(insight).title), m_page);
        label->setWordWrap(true);
        label->setProperty("role", "secondary");
        m_column->addWidget(label);
    }
}

void InsightsView::makeCurrent(int index, bool tell)
{
    if (index < 0 || index >= m_cards.size()) return;
    if (m_current >= 0 && m_current < m_cards.size()) m_cards[m_current]->setCurrent(false);
    m_current = index;
    m_cards[index]->setCurrent(true);
    m_scroll->ensureWidgetVisible(m_cards[index], 0, kGap);
    if (!tell) return;
    session().selection().selectIds(SelectionKind::Insight, {m_cards[index]->item().row}, this);
    if (m_evidence->isVisible()) showEvidence(index);
}

void InsightsView::moveBy(int from, int by)
{
    if (m_cards.isEmpty()) return;
    int const next = std::clamp(from + by, 0, static_cast<int>(m_cards.size()) - 1);
    makeCurrent(next, true);
    m_cards[next]->setFocus(Qt::OtherFocusReason);
}

void InsightsView::showEvidence(int index)
{
    if (index < 0 || index >= m_cards.size()) return;
    auto const &insight = rowOf(m_cards[index]->item());
    m_evidence->show();
    m_evidence->ask(m_report, m_cards[index]->titleText(), text(insight.evidence));
}

void InsightsView::suppress(QString const &key, QString const &reason)
{
    auto &document = session().document();
    if (!document.isOpen()) {
        setNotice(tr("Suppressions are kept in the project: open it first."), false);
        return;
    }
    auto notes = document.project().notes;
    notes.setSuppressed(key.toStdString(), reason.toStdString());
    document.setNotes(std::move(notes));
    refreshNow();
    if (m_current >= 0 && m_current < m_cards.size()) m_cards[m_current]->setFocus(Qt::OtherFocusReason);
}

void InsightsView::setNotice(QString const &text, bool offersCompile)
{
    m_noticeText->setText(text);
    m_compile->setVisible(offersCompile);
    m_notice->show();
}

void InsightsView::follow()
{
    m_memory->follow();
    auto const &selected = session().selection().current();
    if (selected.kind == SelectionKind::Insight) {
        setNote({});
        for (auto *card : m_cards) card->setRelated(false);
        if (session().selection().origin() == this) return;
        for (int i = 0; i < m_cards.size(); ++i)
            if (!selected.ids.empty() && m_cards[i]->item().row == selected.ids.front()) makeCurrent(i, false);
        return;
    }
    auto const &lineage = session().selection().lineage();
    int related = 0;
    for (auto *card : m_cards) {
        bool const touches = concerns(rowOf(card->item()), selected, lineage, m_report->data());
        card->setRelated(touches);
        related += touches;
    }
    bool const any = selected.kind != SelectionKind::None && !m_cards.isEmpty();
    setNote(any ? tr("%1 of %2 insights concern %3").arg(related).arg(m_cards.size()).arg(session().selection().text()) : QString());
}

QList<ExportTable> InsightsView::exportTables() const
{
    if (!m_report) return {};
    ExportTable table;
    table.name = tr("Insights");
    table.columns = {tr("Rule"),
                     tr("Severity"),
                     tr("Subject"),
                     tr("Insight"),
                     tr("Explanation"),
                     tr("Gain in cycles (modelled)"),
                     tr("Gain in bytes (modelled)"),
                     tr("Action"),
                     tr("Trend"),
                     tr("Suppressed")};
    for (auto const &item : m_list.items) {
        auto const &row = rowOf(item);
        auto const words = insightText(row);
        table.rows << QStringList{text(row.rule),
                                  text(row.severity),
                                  insightSubject(row, m_report->data()),
                                  words.title,
                                  words.message(),
                                  row.gainCycles ? QString::number(*row.gainCycles) : QString(),
                                  row.gainBytes ? QString::number(*row.gainBytes) : QString(),
                                  text(row.action),
                                  trendText(item.trend),
                                  item.reason};
    }
    QList<ExportTable> tables{table};
    if (m_memory->isVisibleTo(this)) tables << m_memory->exportTables();
    if (m_evidence->isVisible()) tables << m_evidence->table().exportTable(tr("Evidence"));
    return tables;
}

ViewDescriptor insightsView()
{
    return {"insights",
            QT_TRANSLATE_NOOP("views", "Insights"),
            "insights",
            ViewDescriptor::Centre,
            QKeySequence(QStringLiteral("Ctrl+7")),
            [](Session &session, QWidget *parent) -> View * { return new InsightsView(session, parent); }};
}

} // namespace tilewright::views

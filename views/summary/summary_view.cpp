#include "views/summary/summary_view.h"

#include "views/common/figure_parts.h"
#include "views/common/flow_layout.h"
#include "views/common/format.h"
#include "views/common/icons.h"
#include "views/common/table_model.h"
#include "views/common/words.h"
#include "views/figures/comparison.h"
#include "views/figures/severity_mark.h"
#include "views/reports/report_snapshot.h"
#include "views/runcontrol/run_controller.h"
#include "views/session/run_list.h"
#include "views/session/selection.h"
#include "views/summary/figure_card.h"
#include "views/summary/figure_grid.h"
#include "views/wording/config_words.h"
#include "views/wording/insight_text.h"
#include "views/wording/labels.h"

#include <QBoxLayout>
#include <QCheckBox>
#include <QClipboard>
#include <QGuiApplication>
#include <QLabel>
#include <QResizeEvent>
#include <QScrollArea>
#include <QTimer>
#include <QToolButton>
#include <QTreeView>

namespace tilewright::views {

namespace {

constexpr int kFirstInsights = 3;
constexpr int kLiveMs = 100; ///< as in Training
constexpr int kTwoColumns = kGrid * 190,
              kTwoCompared = kGrid * 280; ///< narrower: machine and sizes below each other, with a baseline beside each

class SummaryView : public View {
    Q_OBJECT
public:
    SummaryView(Session &session, QWidget *parent);
    QList<ExportTable> exportTables() const override;
    QJsonObject saveState() const override { return {{QStringLiteral("changed_only"), m_changedOnly->isChecked()}}; }
    void restoreState(QJsonObject const &state) override
    {
        m_changedOnly->setChecked(state.value(QLatin1String("changed_only")).toBool(true));
    }
    void startSearch() override { m_options->focusFilter(); }

protected:
    void refresh() override;
    void grow(Growth) override { refresh(); } // small, and all of it is figures
    void follow() override;
    void restyle() override { m_shown.reset(); }
    void resizeEvent(QResizeEvent *event) override;

private:
    QLabel *heading(QString const &text);
    std::optional<RunSoFar> soFar() const;
    void showSoFar();
    void showCard(FigureCard &card, Figure const &figure);
    void arrangePair();
    void showCards();
    void showInsights(report::ReportData const &data);
    void showOptions(ReportPtr const &report);
    void showParts(ReportPtr const &report);
    void copyMarkdown();

    QTimer m_timer; ///< while a run goes on
    FigureCard *m_hostCard = nullptr;
    QScrollArea *m_scroll = nullptr;
    QWidget *m_page = nullptr, *m_cards = nullptr, *m_insights = nullptr;
    QBoxLayout *m_pair = nullptr;
    FigureGrid *m_overflow = nullptr, *m_machine = nullptr, *m_counts = nullptr, *m_provenance = nullptr;
    QLabel *m_splitCaption = nullptr, *m_insightsHeading = nullptr;
    StackedBars *m_splits = nullptr;
    TablePane *m_options = nullptr, *m_parts = nullptr;
    QCheckBox *m_changedOnly = nullptr;
    QToolButton *m_copy = nullptr;
    SummaryFacts m_facts;
    std::optional<SummaryFacts> m_baseline;
    std::optional<std::pair<ReportPtr, ReportPtr>> m_shown; ///< report, baseline
};

SummaryView::SummaryView(Session &session, QWidget *parent) : View(QStringLiteral("summary"), session, parent)
{
    setDependsOn(true, false, false);
    setProperty("showsHead", true); // figures before the whole report is read
    setShowsMoment();
    m_timer.setSingleShot(true);
    m_timer.setInterval(kLiveMs);
    connect(&m_timer, &QTimer::timeout, this, &SummaryView::showSoFar);
    connect(&session.runs(), &RunController::advanced, this, [this] {
        if (isVisible() && !m_timer.isActive()) m_timer.start();
    });
    m_page = new QWidget;
    auto *all = new QVBoxLayout(m_page);
    all->setContentsMargins(kGap, kGap, kGap, kGap);
    all->setSpacing(kGap + kGrid);
    m_overflow = new FigureGrid(session, this, tr("What does not fit"), m_page);
    m_cards = new QWidget(m_page);
    new FlowLayout(m_cards, kGap, FlowLayout::Share);
    m_insightsHeading = heading(tr("Most important insights"));
    m_insights = new QWidget(m_page);
    new QVBoxLayout(m_insights);
    m_insights->layout()->setContentsMargins(0, 0, 0, 0);
    m_splitCaption = heading({});
    m_splitCaption->setWordWrap(true);
    m_splits = new StackedBars(tr("Cycles of a step by phase, one bar per IPU"), m_page);
    m_machine = new FigureGrid(session, this, tr("Machine"), m_page);
    m_counts = new FigureGrid(session, this, tr("Size"), m_page);
    m_pair = new QBoxLayout(QBoxLayout::LeftToRight);
    m_pair->setSpacing(kGap);
    m_pair->addWidget(m_machine, 1);
    m_pair->addWidget(m_counts, 1);
    m_changedOnly = new QCheckBox(tr("Changed only"), m_page);
    m_changedOnly->setToolTip(tr("Shows only options that differ from their default"));
    m_changedOnly->setChecked(true);
    auto *optionsHead = new QHBoxLayout;
    optionsHead->addWidget(heading(tr("Options")), 1);
    optionsHead->addWidget(m_changedOnly);
    m_options = new TablePane(tr("Options of this report"), m_page);
    m_options->showAllRows(); // the page scrolls already
    m_parts = new TablePane(tr("Parts of this report"), m_page);
    m_parts->showAllRows();
    m_provenance = new FigureGrid(session, this, tr("Where it comes from"), m_page);

    all->addWidget(m_overflow);
    all->addWidget(m_cards);
    all->addWidget(m_insightsHeading);
    all->addWidget(m_insights);
    all->addWidget(m_splitCaption);
    all->addWidget(m_splits);
    all->addLayout(m_pair);
    all->addLayout(optionsHead);
    all->addWidget(m_options);
    all->addWidget(heading(tr("Parts of the report file")));
    all->addWidget(m_parts);
    all->addWidget(m_provenance);
    all->addStretch(1);
    m_scroll = new QScrollArea(this);
    m_scroll->setWidgetResizable(true);
    m_scroll->setFrameShape(QFrame::NoFrame);
    m_scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_scroll->setWidget(m_page);
    setBody(m_scroll);
    drawsFigures(*this);
    comparesReports(*this);

    m_copy = new QToolButton(this);
    m_copy->setIcon(icon(QStringLiteral("copy")));
    m_copy->setText(tr("Copy"));
    m_copy->setToolTip(tr("Copy the summary as Markdown"));
    m_copy->setAccessibleName(m_copy->toolTip());
    m_copy->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    addHeadlineWidget(m_copy);
    connect(m_copy, &QToolButton::clicked, this, &SummaryView::copyMarkdown);
    connect(m_changedOnly, &QCheckBox::toggled, this, [this] {
        if (auto const report = this->session().report()) showOptions(report);
    });
    connect(m_splits, &StackedBars::barClicked, this,
            [this](int ipu) { this->session().selection().selectIds(SelectionKind::Ipu, {ipu}, this); });
    connect(m_options, &TablePane::rowActivated, this, [this](int row) {
        auto const report = this->session().report();
        if (!report || row < 0 || row >= static_cast<int>(report->data().options.size())) return;
        auto const &option = report->data().options[static_cast<std::size_t>(row)];
        Destination target{QStringLiteral("config"), {}};
        target.selected.kind = SelectionKind::Option;
        target.selected.name = text(option.scope) + QLatin1Char('.') + text(option.name);
        goTo(this->session(), target, this);
    });
}

QLabel *SummaryView::heading(QString const &text)
{
    auto *label = new QLabel(text, m_page);
    label->setProperty("role", "headline");
    return label;
}

void SummaryView::refresh()
{
    if (!applyReportState("target")) {
        m_shown.reset();
        setHeadline(tr("No report yet: compile the project to see whether it fits and how fast it is"));
        return;
    }
    auto const report = session().report();
    auto const baseline = session().baseline();
    if (m_shown && m_shown->first == report && m_shown->second == baseline) return; // an edit made it stale, no more
    m_shown.emplace(report, baseline);
    auto const run = soFar();
    m_facts = summaryFacts(report->data(), report->isWhole(), run ? &*run : nullptr);
    m_baseline.reset();
    if (baseline) m_baseline = summaryFacts(baseline->data(), baseline->isWhole());
    auto const *old = m_baseline ? &*m_baseline : nullptr;
    setHeadline(summaryHeadline(m_facts));
    m_overflow->setVisible(!m_facts.overflow.isEmpty());
    m_overflow->show(m_facts.overflow, nullptr);
    showCards();
    showInsights(report->data());
    m_splitCaption->setText(m_facts.splitCaption);
    m_splitCaption->setVisible(!m_facts.splits.isEmpty());
    m_splits->setVisible(!m_facts.splits.isEmpty());
    m_splits->setBars(m_facts.splits);
    arrangePair();
    m_machine->show(m_facts.machine, old);
    m_counts->show(m_facts.counts, old);
    m_provenance->show(m_facts.provenance, old);
    showOptions(report);
    showParts(report);
}

void SummaryView::showCards()
{
    auto &flow = *m_cards->layout();
    clearLayout(flow);
    m_hostCard = nullptr;
    for (auto const &figure : m_facts.head) {
        auto *card = new FigureCard(session(), this, m_cards);
        if (figure.id == QLatin1String("host_step")) m_hostCard = card;
        showCard(*card, figure);
        flow.addWidget(card);
    }
    m_cards->updateGeometry();
}

void SummaryView::showCard(FigureCard &card, Figure const &figure)
{
    Token tone = Token::Text;
    if (figure.id == QLatin1String("fits")) tone = m_facts.fits ? Token::Good : Token::Bad;
    if (figure.id == QLatin1String("worst_tile") && figure.value && *figure.value > 1) tone = Token::Bad;
    card.show(figure, m_baseline ? findFigure(*m_baseline, figure.id) : nullptr, tone);
}

/// The report's run while it goes on, in this window or in a process of its own.
std::optional<RunSoFar> SummaryView::soFar() const
{
    auto const report = session().report();
    auto const &run = session().runList().shown();
    bool const goesOn = run.state == RunState::Running || run.state == RunState::Paused;
    if (!report || !goesOn || run.reportPath != report->path() || run.step <= run.firstStep) return std::nullopt;
    return RunSoFar{run.step - run.firstStep, run.hostSeconds};
}

/// Of the report's run as much as Training and the status strip show.
void SummaryView::showSoFar()
{
    auto const run = soFar();
    if (!run || !m_shown || m_shown->first != session().report()) return; // the facts are still those of another report
    if (!m_hostCard || !advanceFacts(m_facts, session().report()->data(), *run)) return;
    if (auto const *figure = findFigure(m_facts, QStringLiteral("host_step"))) showCard(*m_hostCard, *figure);
    m_splitCaption->setText(m_facts.splitCaption);
}

void SummaryView::showInsights(report::ReportData const &tables)
{
    auto *rows = static_cast<QVBoxLayout *>(m_insights->layout());
    clearLayout(*rows);
    int const all = static_cast<int>(tables.insights.size());
    m_insightsHeading->setText(all > kFirstInsights ? tr("Most important insights (%1 of %2)").arg(kFirstInsights).arg(all)
                                                    : tr("Insights"));
    if (all == 0) {
        auto *none = new QLabel(tr("None: no rule found anything worth changing."), m_insights);
        none->setProperty("role", "secondary");
        rows->addWidget(none);
        return;
    }
    for (int i = 0; i < std::min(all, kFirstInsights); ++i) {
        auto const &insight = tables.insights[static_cast<std::size_t>(i)];
        auto *line = new QHBoxLayout;
        line->setSpacing(kGap);
        line->addWidget(new SeverityMark(insight.severity, m_insights), 0, Qt::AlignTop);
        auto *link = new LinkLabel(session(), this, m_insights);
        QString words = insightText(insight).title;
        // The title states the share of a step.
        if (auto const gain = shortGain(insight); !gain.isEmpty()) words += QStringLiteral(" · ") + gain;
        Destination target{QStringLiteral("insights"), {}};
        target.selected.kind = SelectionKind::Insight;
        target.selected.ids = {i};
        link->setLink(words, target, insightText(insight).message());
        line->addWidget(link, 1);
        rows->addLayout(line);
    }
}

void SummaryView::showOptions(ReportPtr const &report)
{
    auto const &rows = report->data().options;
    auto const at = [&rows](int row) -> report::OptionRow const & { return rows[static_cast<std::size_t>(row)]; };
    auto const plain = [at](QString title, std::string report::OptionRow::*field, int width) {
        return Column{std::move(title), [at, field](int row) { return text(at(row).*field); }, {}, {}, {}, false, {}, width};
    };
    auto const worded = [at](QString title, std::string report::OptionRow::*field, QString (*words)(QString const &), int width) {
        return Column{std::move(title),
                      [at, field, words](int row) { return words(text(at(row).*field)); },
                      [at, field](int row) { return QVariant(text(at(row).*field)); },
                      {},
                      {},
                      false,
                      {},
                      width};
    };
    // In words; exactly as it stands in the tip, where it is copied and where it is sorted.
    auto const value = [](QString title, std::function<QString(int)> exact, int width) {
        return Column{std::move(title),
                      [exact](int row) { return plainConfigValue(exact(row)); },
                      [exact](int row) { return QVariant(exact(row)); },
                      {},
                      {},
                      false,
                      {},
                      width};
    };
    std::vector<Column> columns{
        plain(tr("Option"), &report::OptionRow::name, kGrid * 70),
        value(
            tr("Value"), [at](int row) { return text(at(row).value); }, kGrid * 64),
        value(
            tr("Default"), [at](int row) { return at(row).defaultValue ? text(*at(row).defaultValue) : QString(); }, kGrid * 40),
        worded(tr("Set by"), &report::OptionRow::source, optionSourceLabel, kGrid * 20),
        worded(tr("Scope"), &report::OptionRow::scope, optionScopeLabel, kGrid * 24)};
    columns.front().key = [at](int row) { return text(at(row).scope + '.' + at(row).name); };
    if (m_changedOnly->isChecked())
        m_options->proxy().setPredicate([report](int row) {
            auto const &all = report->data().options;
            if (row >= static_cast<int>(all.size())) return false;
            auto const &option = all[static_cast<std::size_t>(row)];
            return !option.defaultValue || option.value != *option.defaultValue;
        });
    else m_options->proxy().setPredicate({});
    m_options->fill(std::move(columns), static_cast<int>(rows.size()), {}, report);
}

void SummaryView::showParts(ReportPtr const &report)
{
    auto const &rows = report->data().parts;
    auto const at = [&rows](int row) -> report::PartRow const & { return rows[static_cast<std::size_t>(row)]; };
    std::vector<Column> columns{
        Column{tr("Part"), [at](int row) { return partLabel(at(row).name); }, {}, {}, {}, false, {}, kGrid * 36},
        Column{tr("State"), [at](int row) { return partStateLabel(at(row).state); }, {}, {}, {}, false, {}, kGrid * 28},
        Column{tr("Rows"),
               [at](int row) { return countText(at(row).rows); },
               [at](int row) { return QVariant::fromValue<qlonglong>(at(row).rows); },
               {},
               {},
               true,
               {},
               kGrid * 20},
        Column{tr("Packed data"),
               [at](int row) { return bytesText(at(row).bytes); },
               [at](int row) { return QVariant::fromValue<qlonglong>(at(row).bytes); },
               {},
               {},
               true,
               {},
               kGrid * 24},
        Column{tr("Note"), [at](int row) { return text(at(row).note); }, {}, {}, {}, false, {}, kGrid * 70}};
    m_parts->fill(std::move(columns), static_cast<int>(rows.size()), {}, report);
}

void SummaryView::follow()
{
    auto const &selected = session().selection().current();
    m_splits->setMarked(selected.kind == SelectionKind::Ipu && !selected.ids.empty() ? selected.ids.front() : -1);
}

void SummaryView::arrangePair()
{
    m_pair->setDirection(width() < (m_baseline ? kTwoCompared : kTwoColumns) ? QBoxLayout::TopToBottom : QBoxLayout::LeftToRight);
}

void SummaryView::resizeEvent(QResizeEvent *event)
{
    View::resizeEvent(event);
    arrangePair();
}

QList<ExportTable> SummaryView::exportTables() const
{
    auto const report = session().report();
    if (!report) return {};
    auto tables = summaryTables(m_facts, m_baseline ? &*m_baseline : nullptr, report->data());
    tables << m_parts->exportTable(tr("Parts"));
    return tables;
}

void SummaryView::copyMarkdown()
{
    auto const report = session().report();
    if (!report) return;
    QGuiApplication::clipboard()->setText(summaryMarkdown(report->title(), m_facts, m_baseline ? &*m_baseline : nullptr, report->data()));
}

} // namespace

ViewDescriptor summaryView()
{
    return {"summary",
            QT_TRANSLATE_NOOP("views", "Summary"),
            "summary",
            ViewDescriptor::Centre,
            QKeySequence(QStringLiteral("Ctrl+6")),
            [](Session &session, QWidget *parent) -> View * { return new SummaryView(session, parent); }};
}

} // namespace tilewright::views

#include "summary_view.moc"

#include "views/runs/runs_view.h"

#include "views/common/column_fitter.h"
#include "views/common/figure_parts.h"
#include "views/common/format.h"
#include "views/document/document.h"
#include "views/figures/comparison.h"
#include "views/runs/compare_curves.h"
#include "views/runs/compare_pane.h"
#include "views/runs/run_rows.h"
#include "views/runs/run_actions.h"
#include "views/runs/trash.h"
#include "views/jobs/job_runner.h"
#include "views/plots/curve_panel.h"
#include "views/reports/report_snapshot.h"
#include "views/session/run_list.h"
#include "views/session/selection.h"

#include <QBoxLayout>
#include <QCheckBox>
#include <QFile>
#include <QFileDialog>
#include <QFileInfo>
#include <QJsonArray>
#include <QLabel>
#include <QShortcut>
#include <QSplitter>
#include <QTimer>
#include <QToolButton>
#include <QTreeView>

#include <algorithm>
#include <functional>
#include <iterator>
#include <utility>

namespace tilewright::views {

namespace {

using Heads = std::vector<std::pair<QString, RunRow>>;
constexpr int kLiveMs = 200;           ///< between steps of the run that goes on
constexpr qsizetype kMostCompared = 8; ///< more curves than this are not told apart

class RunsView : public View {
    Q_OBJECT
public:
    RunsView(Session &session, QWidget *parent);
    QList<ExportTable> exportTables() const override;
    QJsonObject saveState() const override;
    void restoreState(QJsonObject const &state) override;
    bool isSettled() const override { return !m_readingHeads && m_compare->isSettled(); }
    void startSearch() override { m_table->focusFilter(); }

protected:
    void refresh() override;
    void judge() override
    {
        if (session().document().project().notes != m_notes) refresh();
    }
    void follow() override { m_compare->follow(); }
    void restyle() override { m_changed = true; }
    void showEvent(QShowEvent *event) override
    {
        View::showEvent(event);
        if (m_changed) refreshNow(); // runs that ended while it was hidden
    }

private:
    void collectRows();
    bool takeLive();
    void readHeads();
    void showTable();
    void showColors();
    void showHeadline();
    void showActions();
    void openRow(int row);
    void pinRow(int row, bool pin);
    void restoreRow(int row);
    void deleteReport(int row, bool forGood);
    void addReports(QStringList const &paths);
    void compareRows(std::vector<int> const &rows);
    void comparePicked();
    void compareByDefault();
    RunRow const *chosen() const;
    QString shownPath() const { return session().report() ? session().report()->path() : QString(); }
    QString baselinePath() const { return session().baseline() ? session().baseline()->path() : QString(); }

    std::shared_ptr<std::vector<RunRow>> m_rows = std::make_shared<std::vector<RunRow>>();
    QStringList m_elsewhere;           ///< reports opened by hand
    std::vector<int> m_hidden;         ///< columns hidden because they are empty, or the same for all
    QStringList m_picked;              ///< reports of the chosen rows
    QStringList m_chosen;              ///< reports of the runs that are compared because they were chosen; empty: by default
    int m_notShown = 0;                ///< chosen, too, but more than are told apart
    std::map<QString, RunRow> m_heads; ///< what reports say of their runs, by path
    bool m_changed = true;             ///< the list itself, beyond what the session has on show
    project::Notes m_notes;            ///< that are shown
    ReportPtr m_shownReport, m_shownBaseline;
    bool m_shownPin = false;
    std::shared_ptr<RunColors> m_colors = std::make_shared<RunColors>();
    bool m_readingHeads = false;
    QTimer m_liveTimer;
    TablePane *m_table = nullptr;
    RunActions *m_actions = nullptr;
    ComparePane *m_compare = nullptr;
    QCheckBox *m_differencesOnly = nullptr;
    QSplitter *m_splitter = nullptr;
};

RunsView::RunsView(Session &session, QWidget *parent) : View(QStringLiteral("runs"), session, parent)
{
    setDependsOn(true, false, false);
    setJudgesEdits(); // of notes
    m_differencesOnly = new QCheckBox(tr("Differences only"), this);
    m_differencesOnly->setToolTip(tr("Hides columns that are the same for all runs"));
    auto *open = new QToolButton(this);
    open->setProperty("role", "word");
    open->setText(tr("Open report…"));
    open->setToolTip(tr("Adds a report from elsewhere to the list"));
    open->setAccessibleDescription(open->toolTip());
    addHeadlineWidget(m_differencesOnly);
    addHeadlineWidget(open);
    m_table = new TablePane(tr("Runs"), this);
    m_actions = new RunActions(this);
    auto *top = new QWidget(this);
    auto *column = new QVBoxLayout(top);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m_table, 1);
    column->addWidget(m_actions);
    m_liveTimer.setSingleShot(true);
    m_liveTimer.setInterval(kLiveMs);
    connect(&m_liveTimer, &QTimer::timeout, this, [this] {
        if (isVisible() && takeLive()) m_table->tree().viewport()->update();
    });
    connect(&session.runs(), &RunController::advanced, this, [this] {
        if (!m_liveTimer.isActive()) m_liveTimer.start();
    });
    m_compare = new ComparePane(session, this, this);
    m_splitter = new QSplitter(Qt::Vertical, this);
    m_splitter->addWidget(top);
    m_splitter->addWidget(m_compare);
    m_splitter->setSizes({12 * kRowHeight, 20 * kRowHeight});
    m_splitter->setStretchFactor(1, 1); // differences are many, runs few
    m_splitter->setChildrenCollapsible(true);
    setBody(m_splitter);
    drawsFigures(*this);
    comparesReports(*this);
    keepOutOfFigures(*m_actions);

    connect(&session.document(), &Document::opened, this, [this] { // runs of the project before
        m_chosen.clear();
        m_actions->forget();
    });
    connect(&session.runList(), &RunList::changed, this, [this] {
        m_changed = true;
        std::erase_if(m_heads, [](auto const &head) { return lacksFigures(head.second); }); // of a run that went on
        if (isVisible()) refreshNow();
    });
    connect(m_differencesOnly, &QCheckBox::toggled, this, &RunsView::showTable);
    connect(open, &QToolButton::clicked, this, [this] {
        addReports(
            QFileDialog::getOpenFileNames(this, tr("Open report"), this->session().document().reportFolder(), tr("Reports (*.twreport)")));
    });
    connect(m_table, &TablePane::rowsPicked, this, [this](std::vector<int> const &rows) {
        showActions();
        compareRows(rows);
    });
    connect(m_table, &TablePane::rowActivated, this, &RunsView::openRow);
    auto *del = new QShortcut(QKeySequence::Delete, &m_table->tree(), nullptr, nullptr, Qt::WidgetShortcut);
    connect(del, &QShortcut::activated, m_actions, &RunActions::askDelete);
    connect(m_actions, &RunActions::openAsked, this, [this] { openRow(m_table->currentRow()); });
    connect(m_actions, &RunActions::baselineAsked, this, [this](bool pin) { pinRow(m_table->currentRow(), pin); });
    connect(m_actions, &RunActions::restoreAsked, this, [this] { restoreRow(m_table->currentRow()); });
    connect(m_actions, &RunActions::deleteConfirmed, this, [this](bool forGood) { deleteReport(m_table->currentRow(), forGood); });
    connect(m_actions, &RunActions::noteChanged, this, [this](qint64 run, QString const &tags, QString const &notes) {
        auto &document = this->session().document();
        auto all = document.project().notes;
        all.setRun(run, {tags.toStdString(), notes.toStdString()});
        document.setNotes(std::move(all)); // equal ones change nothing
        // The table may be about to be filled: that of these notes follows.
        QMetaObject::invokeMethod(
            this, [this] { refreshNow(); }, Qt::QueuedConnection);
    });
    connect(m_compare, &ComparePane::finished, this, &RunsView::showHeadline);
}

QJsonObject RunsView::saveState() const
{
    return {{QStringLiteral("differences_only"), m_differencesOnly->isChecked()},
            {QStringLiteral("elsewhere"), QJsonArray::fromStringList(m_elsewhere)},
            {QStringLiteral("splitter"), QString::fromLatin1(m_splitter->saveState().toBase64())}};
}

void RunsView::restoreState(QJsonObject const &state)
{
    m_differencesOnly->setChecked(state.value(QLatin1String("differences_only")).toBool());
    for (auto const &path : state.value(QLatin1String("elsewhere")).toArray()) m_elsewhere << path.toString();
    m_changed = true;
    m_splitter->restoreState(QByteArray::fromBase64(state.value(QLatin1String("splitter")).toString().toLatin1()));
}

void RunsView::refresh()
{
    auto const &notes = session().document().project().notes;
    bool const samePin = session().baseline() == m_shownBaseline && session().isBaselinePinned() == m_shownPin;
    if (!m_changed && notes == m_notes && session().report() == m_shownReport && samePin) return;
    m_changed = false;
    m_notes = notes;
    m_shownReport = session().report();
    m_shownBaseline = session().baseline();
    m_shownPin = session().isBaselinePinned();
    collectRows();
    if (m_rows->empty()) {
        setHeadline(tr("No runs yet"));
        setState(
            {ViewState::Empty, tr("Runs of this project appear here as soon as it is compiled or trained."), tr("Open report…"), [this] {
                 addReports(QFileDialog::getOpenFileNames(this, tr("Open report"), session().document().reportFolder(),
                                                          tr("Reports (*.twreport)")));
             }});
        return;
    }
    setState({});
    showTable();
    comparePicked(); // another baseline, another order
    if (m_chosen.isEmpty()) compareByDefault();
    showHeadline();
    readHeads();
}

void RunsView::compareByDefault()
{
    auto const baseline = comparedReport(session());
    m_compare->compare(baseline, session().report());
    m_compare->setVisible(bool(baseline));
}

void RunsView::compareRows(std::vector<int> const &rows)
{
    m_picked.clear();
    for (int const index : rows) m_picked << (*m_rows)[static_cast<std::size_t>(index)].report;
    comparePicked();
}

/// Two or more runs that are chosen are compared, from the baseline or the oldest on; with fewer it is the baseline against what is on
/// show.
void RunsView::comparePicked()
{
    QStringList paths, names;
    int notShown = 0;
    for (int const index : comparisonOrder(*m_rows, m_picked, baselinePath())) {
        auto const &row = (*m_rows)[static_cast<std::size_t>(index)];
        if (!row.reportBytes || paths.contains(row.report)) continue;
        if (paths.size() >= kMostCompared) {
            ++notShown;
            continue;
        }
        paths << row.report;
        names << row.name();
    }
    if (paths.size() < 2) paths.clear();
    if (paths == m_chosen && notShown == m_notShown) return;
    m_chosen = paths;
    m_notShown = notShown;
    showColors();
    if (m_chosen.isEmpty()) {
        compareByDefault();
        showHeadline();
        return;
    }
    std::vector<ReportPtr> known{session().report(), session().baseline()};
    session().jobs().compute<std::vector<NamedReport>>(
        this, JobKind::ReadBaseline, QStringLiteral("runs-chosen"),
        [paths, names, known](JobContext const &job) -> Result<std::vector<NamedReport>> {
            std::vector<NamedReport> runs;
            for (qsizetype i = 0; i < paths.size(); ++i) {
                auto const it = std::ranges::find_if(
                    known, [&](auto const &report) { return report && report->isWhole() && report->path() == paths[i]; });
                if (it != known.end()) {
                    runs.push_back({names[i], *it});
                    continue;
                }
                TW_ASSIGN(auto report, ReportSnapshot::open(paths[i], job));
                runs.push_back({names[i], std::move(report)});
            }
            return runs;
        },
        [this, paths](Result<std::vector<NamedReport>> runs) {
            if (paths != m_chosen) return;
            if (!runs.ok()) {
                m_chosen.clear();
                session().raiseError(runs.error());
                compareByDefault();
                return;
            }
            m_compare->compareChosen(std::move(*runs), m_notShown);
            m_compare->show();
        });
}

void RunsView::collectRows()
{
    auto rows = std::make_shared<std::vector<RunRow>>();
    auto const &notes = session().document().project().notes.runs;
    QStringList known;
    for (auto const &entry : session().runList()) {
        auto row = runRow(entry);
        if (auto const it = notes.find(row.id); it != notes.end()) {
            row.tags = QString::fromStdString(it->second.tags);
            row.notes = QString::fromStdString(it->second.notes);
        }
        known << row.report;
        rows->push_back(std::move(row));
    }
    // The run that goes on comes first, then the newest.
    std::ranges::stable_sort(*rows,
                             [](auto const &a, auto const &b) { return std::pair(a.isRunning(), a.id) > std::pair(b.isRunning(), b.id); });
    QStringList others = m_elsewhere;
    for (auto const &path : {shownPath(), baselinePath()})
        if (!path.isEmpty()) others << path;
    for (auto const &path : others) {
        if (path.isEmpty() || known.contains(path)) continue;
        known << path;
        Run entry;
        entry.report = path;
        rows->push_back(runRow(entry));
    }
    for (auto &row : *rows)
        if (auto const it = m_heads.find(row.report); it != m_heads.end()) fillFrom(row, it->second);
    m_rows = rows;
    takeLive();
}

/// The run that goes on: as far as it has come, like the status strip and Training. Its report follows seconds later.
bool RunsView::takeLive()
{
    auto const &live = session().runs().live();
    bool any = false;
    for (auto &row : *m_rows) {
        if (row.life != Run::Life::Live) continue;
        row.steps = static_cast<double>(live.step - live.firstStep);
        if (live.hostSeconds > 0) row.hostSeconds = live.hostSeconds;
        if (!live.epochTable.empty()) { // of the last whole epoch, as the report will say
            auto const &epoch = live.epochTable.back();
            row.loss = epoch.loss;
            for (auto const &[name, value] : epoch.metrics)
                if (name != QLatin1String("learning_rate")) row.metrics[name] = value; // a setting, and no measure of the run
        }
        any = true;
    }
    return any;
}

/// Figures that a run's entry does not hold are read from its report, in the background.
void RunsView::readHeads()
{
    QStringList wanted;
    for (auto const &row : *m_rows)
        if (row.reportBytes && lacksFigures(row) && !m_heads.contains(row.report)) wanted << row.report;
    if (wanted.isEmpty() || m_readingHeads) return;
    m_readingHeads = true;
    session().jobs().compute<Heads>(
        this, JobKind::ReadRuns, QStringLiteral("runs-heads"),
        [wanted](JobContext const &job) -> Result<Heads> {
            Heads heads;
            for (auto const &path : wanted) {
                if (job.cancelled()) break;
                auto head = ReportSnapshot::openHead(path);
                heads.emplace_back(path, head.ok() ? headRow(**head) : RunRow{});
            }
            return heads;
        },
        [this](Result<Heads> heads) {
            m_readingHeads = false;
            if (!heads.ok()) return;
            for (auto const &[path, head] : *heads) m_heads[path] = head;
            collectRows();
            showTable();
            comparePicked(); // the heads tell when reports from elsewhere were made
            showHeadline();
        });
}

/// Runs have the colours of their curves.
void RunsView::showColors()
{
    m_colors->clear();
    if (m_chosen.isEmpty() && !baselinePath().isEmpty() && !shownPath().isEmpty())
        *m_colors = {{baselinePath(), curveToken(0)}, {shownPath(), curveToken(1)}};
    for (qsizetype i = 0; i < m_chosen.size(); ++i) (*m_colors)[m_chosen[i]] = curveToken(static_cast<int>(i));
    m_table->tree().viewport()->update();
}

void RunsView::showTable()
{
    showColors();
    auto columns = runColumns(m_rows, {shownPath(), baselinePath(), session().isBaselinePinned()}, m_colors);
    int const rows = static_cast<int>(m_rows->size());
    auto hidden = emptyColumns(columns, rows); // a column of reports from elsewhere may hold nothing at all
    if (m_differencesOnly->isChecked()) std::ranges::copy(equalColumns(columns, rows), std::back_inserter(hidden));
    int const count = static_cast<int>(columns.size());
    m_table->fill(std::move(columns), rows, {}, m_rows);
    for (int c = 0; c < count; ++c) {
        bool const hide = std::ranges::find(hidden, c) != hidden.end();
        if (hide || std::ranges::find(m_hidden, c) != m_hidden.end()) m_table->tree().setColumnHidden(c, hide);
    }
    m_hidden = std::move(hidden);
    if (auto *fitter = m_table->tree().findChild<ColumnFitter *>()) fitter->fit();
    showActions();
}

void RunsView::showHeadline()
{
    auto const ofProject = [](auto const &row) { return row.id > 0; };
    int const compiles = static_cast<int>(std::ranges::count_if(*m_rows, isCompile));
    int const runs = static_cast<int>(std::ranges::count_if(*m_rows, [&](auto const &row) { return ofProject(row) && !isCompile(row); }));
    QStringList words;
    for (auto const &row : *m_rows)
        if (ofProject(row) && row.isRunning()) words << tr("%1 is running").arg(row.fullName());
    if (runs > 0 || (compiles > 0 && std::ranges::any_of(*m_rows, ofProject))) {
        words << tr("%Ln run(s)", nullptr, runs);
        if (compiles > 0) words << tr("%Ln compile(s) without a run", nullptr, compiles);
    } else words << tr("%Ln report(s)", nullptr, static_cast<int>(m_rows->size()));
    auto const nameOf = [this](QString const &path) {
        for (auto const &row : *m_rows)
            if (!path.isEmpty() && row.report == path) return row.id > 0 ? tr("run %1").arg(row.id) : row.name();
        return QString();
    };
    auto const report = session().report(), baseline = comparedReport(session());
    if (!m_chosen.isEmpty()) {
        bool const allRuns =
            std::ranges::none_of(*m_rows, [this](auto const &row) { return isCompile(row) && m_chosen.contains(row.report); });
        int const chosen = pluralOf(m_chosen.size());
        QString line = allRuns ? tr("%Ln run(s) compared", nullptr, chosen) : tr("%Ln report(s) compared", nullptr, chosen);
        auto const &compared = m_compare->compared();
        if (auto const *comparison = m_compare->comparison(); comparison && compared.size() == 2)
            line += QStringLiteral(": ") + compareHeadline(*comparison, compared.front()->data(), compared.back()->data());
        else if (comparison && compared.size() > 2)
            line += QStringLiteral(": ") + tr("%Ln difference(s) from the first", nullptr, static_cast<int>(comparison->rows.size()));
        if (m_notShown > 0) line += QStringLiteral(", ") + tr("%Ln more not shown", nullptr, m_notShown);
        words << line;
    } else if (report) {
        auto const shown = nameOf(report->path());
        QString line = tr("shown: %1").arg(shown.isEmpty() ? report->title() : shown);
        if (baseline) {
            auto const other = nameOf(baseline->path());
            line = tr("%1 against %2").arg(line, other.isEmpty() ? baseline->title() : other);
            if (auto const *comparison = m_compare->comparison())
                line += QStringLiteral(": ") + compareHeadline(*comparison, baseline->data(), report->data());
        }
        words << line;
    }
    setHeadline(words.join(QStringLiteral(" · ")));
}

RunRow const *RunsView::chosen() const
{
    int const row = m_table->currentRow();
    return row >= 0 && row < static_cast<int>(m_rows->size()) ? &(*m_rows)[static_cast<std::size_t>(row)] : nullptr;
}

void RunsView::showActions()
{
    auto const *row = chosen();
    bool const isBaseline = row && !row->report.isEmpty() && row->report == baselinePath();
    m_actions->show(row, row && row->report == shownPath(), isBaseline && session().isBaselinePinned());
}

void RunsView::openRow(int index)
{
    if (index < 0 || index >= static_cast<int>(m_rows->size())) return;
    auto const &row = (*m_rows)[static_cast<std::size_t>(index)];
    if (row.reportBytes && row.report != shownPath()) session().openReport(row.report);
}

void RunsView::pinRow(int index, bool pin)
{
    if (index < 0 || index >= static_cast<int>(m_rows->size())) return;
    QString const path = (*m_rows)[static_cast<std::size_t>(index)].report;
    if (!pin) session().setBaseline(nullptr);
    else if (path == baselinePath() && session().baseline()->isWhole()) session().setBaseline(session().baseline(), Session::Pin::Pinned);
    else session().pinBaseline(path);
}

void RunsView::restoreRow(int index)
{
    if (index < 0 || index >= static_cast<int>(m_rows->size())) return;
    auto const *entry = session().runList().find((*m_rows)[static_cast<std::size_t>(index)].id);
    if (!entry) return;
    auto project = projectOfRun(*entry);
    if (!project.ok()) {
        session().raiseError(project.error());
        return;
    }
    auto const status = session().document().edit(tr("Restore the project of run %1").arg(entry->id), [&](project::Project &now) -> Status {
        now = *project;
        return {};
    });
    if (!status.ok()) session().raiseError(status.error());
}

void RunsView::deleteReport(int index, bool forGood)
{
    if (index < 0 || index >= static_cast<int>(m_rows->size())) return;
    QString const path = (*m_rows)[static_cast<std::size_t>(index)].report;
    if (!isReportFile(path)) { // replaced since the row was made
        refreshNow();
        return;
    }
    if (!forGood && !trash()(path)) {
        // There is no trash here (another file system, a server): that needs a word of its own.
        m_actions->askDeleteForGood();
        return;
    }
    if (path == shownPath()) session().closeReport();
    if (path == baselinePath()) session().setBaseline(nullptr);
    if (forGood && !QFile::remove(path)) {
        session().raiseError(makeError(ErrorKind::Data, "runs.not-deleted", path.toStdString(),
                                       Message::of("the report cannot be deleted."), Message::of("Check who may write there.")));
        return;
    }
    m_heads.erase(path);
    m_elsewhere.removeAll(path);
    m_changed = true;
    refreshNow();
}

void RunsView::addReports(QStringList const &paths)
{
    for (auto const &path : paths)
        if (!m_elsewhere.contains(path)) m_elsewhere << path;
    if (!paths.isEmpty()) session().openReport(paths.last());
    m_changed = true;
    refreshNow();
}

QList<ExportTable> RunsView::exportTables() const
{
    QList<ExportTable> tables{m_table->exportTable(tr("Runs"))};
    if (m_compare->comparison()) {
        tables << m_compare->table().exportTable(tr("Differences"));
        if (!m_compare->curves().isHidden()) tables << m_compare->curves().exportTable();
    }
    return tables;
}

} // namespace

ViewDescriptor runsView()
{
    return {"runs",         QT_TRANSLATE_NOOP("views", "Runs"),
            "runs",         ViewDescriptor::Centre,
            QKeySequence(), [](Session &session, QWidget *parent) -> View * { return new RunsView(session, parent); }};
}

} // namespace tilewright::views

#include "runs_view.moc"

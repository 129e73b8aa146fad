#include "views/results/results_view.h"

#include "views/common/figure_parts.h"
#include "views/common/format.h"
#include "views/common/table_model.h"
#include "views/common/theme.h"
#include "views/diagnostics/diagnostic_text.h"
#include "views/document/document.h"
#include "views/jobs/job_runner.h"
#include "views/session/predicted_rows.h"
#include "views/session/project_tasks.h"
#include "views/session/run_commands.h"
#include "views/session/session.h"

#include <QBoxLayout>
#include <QFileDialog>
#include <QLabel>
#include <QLocale>
#include <QToolButton>

#include <algorithm>
#include <optional>

namespace tilewright::views {

namespace {

/// The number of a cell that holds nothing else; a share counts too.
std::optional<double> numberIn(QString cell)
{
    if (cell.endsWith(QLatin1String(" %"))) cell.chop(2);
    bool isNumber = false;
    double const number = QLocale().toDouble(cell, &isNumber);
    return isNumber ? std::optional(number) : std::nullopt;
}

class ResultsView : public View {
    Q_OBJECT
public:
    ResultsView(Session &session, QWidget *parent);
    QList<ExportTable> exportTables() const override { return {m_table->exportTable(QStringLiteral("results"))}; }
    bool isSettled() const override { return !m_tasks.isActive(); }
    void startSearch() override { m_table->focusFilter(); }

protected:
    void refresh() override;

private:
    void showProgress();
    void showResult(TaskResult const &result);
    void applyChange();
    void save();
    TaskRow const *chosen() const;

    ProjectTasks &m_tasks;
    QList<QToolButton *> m_start;
    QWidget *m_running = nullptr;
    QLabel *m_phase = nullptr, *m_notes = nullptr;
    QToolButton *m_apply = nullptr, *m_save = nullptr;
    TablePane *m_table = nullptr;
};

ResultsView::ResultsView(Session &session, QWidget *parent)
    : View(QStringLiteral("results"), session, parent), m_tasks(ProjectTasks::of(session))
{
    setDependsOn(false, true, true);
    auto *body = new QWidget(this);
    auto *column = new QVBoxLayout(body);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(kGap);
    auto *row = new QHBoxLayout;
    for (auto const command : {RunCommand::Evaluate, RunCommand::Predict, RunCommand::Verify, RunCommand::Tune}) {
        auto *button = new QToolButton(body);
        button->setText(buttonText(command));
        button->setToolTip(tipOf(command));
        button->setProperty("role", "word");
        button->setProperty("command", static_cast<int>(command));
        connect(button, &QToolButton::clicked, this, [this, command] { perform(command, this->session()); });
        row->addWidget(button);
        m_start << button;
    }
    m_apply = new QToolButton(body);
    m_apply->setText(tr("Apply this change"));
    m_apply->setToolTip(tr("Sets the fields of the chosen line in the project, as one step that can be undone"));
    m_apply->setProperty("role", "word");
    connect(m_apply, &QToolButton::clicked, this, &ResultsView::applyChange);
    row->addStretch(1);
    row->addWidget(m_apply);
    m_save = new QToolButton(body);
    m_save->setText(tr("Save predictions…"));
    m_save->setToolTip(tr("Writes the outputs of all samples as NumPy arrays (.npz), or the rows on show as CSV"));
    m_save->setObjectName(QStringLiteral("savePredictions"));
    m_save->setProperty("role", "word");
    connect(m_save, &QToolButton::clicked, this, &ResultsView::save);
    row->addWidget(m_save);
    column->addLayout(row);
    m_running = new QWidget(body);
    auto *progress = new QHBoxLayout(m_running);
    progress->setContentsMargins(0, 0, 0, 0);
    m_phase = new QLabel(m_running);
    auto *cancel = new QToolButton(m_running);
    cancel->setText(tr("Cancel"));
    cancel->setProperty("role", "word");
    connect(cancel, &QToolButton::clicked, this, [this] { m_tasks.cancel(); });
    progress->addWidget(m_phase, 1);
    progress->addWidget(cancel);
    column->addWidget(m_running);
    m_notes = new QLabel(body);
    m_notes->setWordWrap(true);
    m_notes->setProperty("role", "secondary");
    column->addWidget(m_notes);
    m_table = new TablePane(tr("Results"), body);
    connect(m_table, &TablePane::rowsPicked, this, [this](std::vector<int> const &) { m_apply->setEnabled(chosen()); });
    column->addWidget(m_table, 1);
    setBody(body);
    drawsFigures(*this);
    connect(&m_tasks, &ProjectTasks::changed, this, [this] { refreshNow(); });
    connect(&session.jobs(), &JobRunner::changed, this, &ResultsView::showProgress);
}

void ResultsView::showProgress()
{
    m_running->setVisible(m_tasks.isActive());
    if (!m_tasks.isActive()) return;
    // The status strip has the bar of every job; the view has words.
    double done = 0;
    for (auto const &job : session().jobs().jobs())
        if (job.kind == jobKindOf(*m_tasks.active())) done = job.fraction;
    m_phase->setText(QStringLiteral("%1 · %2").arg(buttonText(commandOf(*m_tasks.active())), shareText(done)));
}

void ResultsView::refresh()
{
    bool const open = session().document().isOpen();
    if (!open) {
        setHeadline({});
        return setState({ViewState::Empty, tr("Open or make a project to evaluate, verify or tune it."), {}, {}});
    }
    for (auto *button : m_start)
        button->setEnabled(!m_tasks.isActive() && canDo(static_cast<RunCommand>(button->property("command").toInt()), session()));
    showProgress();
    auto const &result = m_tasks.result();
    m_apply->hide();
    m_save->hide();
    m_notes->hide();
    if (m_tasks.isActive()) {
        m_table->fill({}, 0);
        setHeadline(tr("%1 …").arg(buttonText(commandOf(*m_tasks.active()))));
        return setState({});
    }
    if (!result) {
        m_table->fill({}, 0);
        setHeadline(tr("Nothing was evaluated, predicted, verified or tuned yet"));
        return setState({});
    }
    showResult(*result);
}

void ResultsView::showResult(TaskResult const &result)
{
    QString const name = buttonText(commandOf(result.task));
    setHeadline(result.headline.isEmpty() ? tr("%1: no result").arg(name) : result.headline);
    bool const stale = result.revision != session().document().revision();
    setState(stale ? ViewState{ViewState::Stale, tr("The project has changed since."), name,
                               [this, command = commandOf(result.task)] { perform(command, session()); }}
                   : ViewState{});
    QStringList notes;
    if (result.error) notes << diagnosticSentences(*result.error);
    for (auto const &warning : result.warnings) notes << diagnosticSentences(warning);
    m_notes->setText(notes.join(QLatin1Char('\n')));
    m_notes->setVisible(!notes.isEmpty());
    auto const rows = std::make_shared<std::vector<TaskRow>>(result.rows);
    std::vector<Column> columns;
    for (int i = 0; i < result.columns.size(); ++i) {
        Column column;
        column.title = result.columns[i];
        column.text = [rows, i](int row) { return (*rows)[static_cast<std::size_t>(row)].cells.value(i); };
        if (std::ranges::all_of(*rows, [i](TaskRow const &row) { return numberIn(row.cells.value(i)).has_value(); })) {
            column.number = true;
            column.value = [rows, i](int row) { return QVariant(*numberIn((*rows)[static_cast<std::size_t>(row)].cells.value(i))); };
        }
        columns.push_back(std::move(column));
    }
    m_table->fill(std::move(columns), static_cast<int>(rows->size()), {}, rows);
    bool const changes = std::ranges::any_of(*rows, [](TaskRow const &row) { return !row.fields.empty(); });
    m_save->setVisible(result.predictions != nullptr);
    m_apply->setVisible(changes);
    m_apply->setEnabled(changes && chosen());
}

TaskRow const *ResultsView::chosen() const
{
    auto const &result = m_tasks.result();
    int const row = m_table->currentRow();
    if (!result || row < 0 || row >= static_cast<int>(result->rows.size()) || result->revision != session().document().revision())
        return nullptr;
    auto const &one = result->rows[static_cast<std::size_t>(row)];
    return one.fields.empty() ? nullptr : &one;
}

void ResultsView::applyChange()
{
    auto const *row = chosen();
    if (!row) return;
    if (auto const status = session().document().setFields(tr("Apply what tuning found"), row->fields); !status.ok())
        session().raiseError(status.error());
}

void ResultsView::save()
{
    auto const &result = m_tasks.result();
    if (!result || !result->predictions) return;
    QString const path = QFileDialog::getSaveFileName(this, tr("Save predictions"), QStringLiteral("predictions.npz"),
                                                      tr("NumPy arrays (*.npz);;Rows on show (*.csv)"));
    if (path.isEmpty()) return;
    auto status = path.endsWith(QLatin1String(".csv")) ? Status() : savePredictions(*result->predictions, path.toStdString());
    if (path.endsWith(QLatin1String(".csv")))
        if (QString const error = saveText(toCsv(exportTables()), path); !error.isEmpty())
            status = makeError(ErrorKind::Data, "action", path.toStdString(), error.toStdString());
    if (!status.ok()) session().raiseError(status.error());
}

} // namespace

ViewDescriptor resultsView()
{
    return {"results",
            QT_TRANSLATE_NOOP("views", "Results"),
            "evaluate",
            ViewDescriptor::Bottom,
            QKeySequence(QStringLiteral("")),
            [](Session &session, QWidget *parent) -> View * { return new ResultsView(session, parent); },
            false};
}

} // namespace tilewright::views

#include "results_view.moc"

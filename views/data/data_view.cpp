#include "views/data/data_view.h"

#include "views/advice/problem_list.h"
#include "views/common/theme.h"
#include "views/data/class_chart.h"
#include "views/data/data_facts.h"
#include "views/data/data_specs.h"
#include "views/data/sample_grid.h"
#include "views/document/document.h"
#include "views/figures/fact_list.h"
#include "views/jobs/job_runner.h"
#include "views/properties/property_row.h"
#include "views/properties/property_table.h"
#include "views/widgets/adaptive_splitter.h"

#include "engine/data/data_source.h"

#include <QDragEnterEvent>
#include <QFileInfo>
#include <QLabel>
#include <QMimeData>
#include <QScrollArea>
#include <QUrl>
#include <QVBoxLayout>

#include <optional>

namespace tilewright::views {

namespace {

struct Preview {
    data::DataSummary summary;
    double scale = 1;
};

} // namespace

class DataView : public View {
    Q_OBJECT
public:
    DataView(Session &session, QWidget *parent);
    QList<ExportTable> exportTables() const override;
    bool isSettled() const override { return m_job == 0; }
    void startSearch() override { m_table->focusSearch(); }

protected:
    void refresh() override;
    void dragEnterEvent(QDragEnterEvent *event) override;
    void dropEvent(QDropEvent *event) override;

private:
    void read();
    void showProgress();
    void showPreview(Result<Preview> const &preview);
    void showProblems();

    PropertyTable *m_table;
    ProblemList *m_problems;
    FactList *m_facts;
    QLabel *m_samplesTitle, *m_classesTitle;
    SampleGrid *m_samples;
    ClassChart *m_classes;
    QWidget *m_preview;
    std::optional<data::DataSourceSpec> m_read; ///< source shown or being read
    std::optional<Preview> m_shown;
    std::optional<Diagnostic> m_error;
    int m_job = 0;
    bool m_cancelled = false;
};

DataView::DataView(Session &session, QWidget *parent)
    : View(QStringLiteral("data"), session, parent), m_table(new PropertyTable(session.document(), tr("Data source"), this)),
      m_problems(new ProblemList(session, this)), m_facts(new FactList(session, this, tr("Facts of the data"))), m_samplesTitle(new QLabel),
      m_classesTitle(new QLabel(tr("Samples by class"))), m_samples(new SampleGrid(nullptr)), m_classes(new ClassChart(nullptr)),
      m_preview(new QWidget)
{
    setDependsOn(false, true, false);
    setAcceptDrops(true);
    for (auto *title : {m_samplesTitle, m_classesTitle}) {
        QFont bold = title->font();
        bold.setBold(true);
        title->setFont(bold);
    }
    auto *right = new QVBoxLayout(m_preview);
    right->setContentsMargins(kGap, 0, kGrid, 0);
    right->setSpacing(kGap);
    right->addWidget(m_samplesTitle);
    right->addWidget(m_samples);
    right->addWidget(m_classesTitle);
    right->addWidget(m_classes);
    right->addWidget(m_facts);
    right->addStretch();
    auto *split = new AdaptiveSplitter(170 * kGrid, 2, 3, this);
    split->addWidget(m_table);
    split->addScrolled(*m_preview);
    m_preview->hide(); // until there are data: an empty chart would have invented axes
    auto *body = new QWidget(this);
    auto *column = new QVBoxLayout(body);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(kGap);
    column->addWidget(m_problems);
    column->addWidget(split, 1);
    setBody(body);
    connect(m_problems, &ProblemList::fieldWanted, this, [this](QString const &path) { m_table->showRow(path); });
    connect(&session.jobs(), &JobRunner::changed, this, &DataView::showProgress);
}

void DataView::refresh()
{
    auto const &document = session().document();
    if (!document.isOpen()) {
        session().jobs().cancelSlot(this, QStringLiteral("data.preview"));
        m_job = 0;
        m_read.reset();
        setHeadline({});
        return setState({ViewState::Empty, tr("Open or make a project to choose its data."), {}, {}});
    }
    m_table->setSpecs(dataSpecsOf(document.project()));
    if (m_read != project::dataSource(document.project())) read();
    else showProblems(); // the model may accept other samples now
    showProgress();
}

void DataView::read()
{
    auto const &document = session().document();
    m_read = project::dataSource(document.project());
    m_cancelled = false;
    m_job = session().jobs().compute<Preview>(
        this, JobKind::ReadData, QStringLiteral("data.preview"),
        [spec = *m_read, folder = document.folder()](JobContext const &job) -> Result<Preview> {
            TW_ASSIGN(auto const dataset, data::openDataset(spec, folder, job));
            if (job.cancelled()) return cancelledError("data");
            return Preview{data::summarize(dataset), dataset.scale};
        },
        [this](Result<Preview> const &preview) {
            m_job = 0;
            showPreview(preview);
        });
    // The banner shows that it is read.
    if (!m_shown)
        setHeadline(m_read->path.empty() ? tr("Embedded data") : QFileInfo(QString::fromStdString(m_read->path)).fileName(),
                    Headline::BeginsWithName);
}

void DataView::showProgress()
{
    if (!session().document().isOpen()) return;
    if (m_job == 0) {
        if (!m_cancelled) return setState({});
        return setState(
            {ViewState::Partial, tr("Reading was cancelled: the data shown do not match the fields."), tr("Read again"), [this] {
                 read();
                 showProgress();
             }});
    }
    QString text = tr("Reading the data …");
    for (auto const &job : session().jobs().jobs())
        if (job.id == m_job && job.fraction > 0) text = tr("Reading the data: %1 %").arg(static_cast<int>(job.fraction * 100));
    setState({ViewState::Running, text, tr("Cancel"), [this] {
                  session().jobs().cancel(m_job);
                  m_job = 0;
                  m_cancelled = true;
                  showProgress();
              }});
}

void DataView::showPreview(Result<Preview> const &preview)
{
    m_error.reset();
    m_shown.reset();
    if (preview.ok()) m_shown = *preview;
    else m_error = preview.error();
    m_preview->setVisible(m_shown.has_value());
    if (m_shown) {
        auto const &summary = m_shown->summary;
        setHeadline(dataHeadline(summary));
        m_samplesTitle->setText(tr("The first samples"));
        m_samples->setSamples(summary.sampleShape, summary.first);
        m_classes->setClasses(summary.classes);
        m_classes->setVisible(!summary.classes.empty());
        m_classesTitle->setVisible(!summary.classes.empty());
        m_facts->setSections(dataFacts(summary, m_shown->scale));
    } else {
        setHeadline(tr("The data cannot be read"));
    }
    showProblems();
    showProgress();
}

void DataView::showProblems()
{
    std::vector<Diagnostic> problems;
    std::vector<std::vector<SettingFix>> fixes;
    if (m_error) {
        problems.push_back(*m_error);
        std::vector<SettingFix> ways;
        if (!session().document().project().data.path.empty())
            ways.push_back({tr("Use the embedded digits"),
                            {{QStringLiteral("data.path"), QString()}, {QStringLiteral("data.format"), QStringLiteral("auto")}}});
        fixes.push_back(ways);
    }
    if (m_shown) {
        if (auto const problem = shapeProblem(session().document().project(), m_shown->summary.sampleShape)) problems.push_back(*problem);
        problems.insert(problems.end(), m_shown->summary.problems.begin(), m_shown->summary.problems.end());
    }
    m_problems->setProblems(problems, fixes);
}

void DataView::dragEnterEvent(QDragEnterEvent *event)
{
    auto const *mime = event->mimeData();
    if (session().document().isOpen() && mime->hasUrls() && mime->urls().front().isLocalFile()) event->acceptProposedAction();
}

void DataView::dropEvent(QDropEvent *event)
{
    m_table->apply(QStringLiteral("data.path"), event->mimeData()->urls().front().toLocalFile());
    event->acceptProposedAction();
}

QList<ExportTable> DataView::exportTables() const
{
    QList<ExportTable> tables{m_table->exportTable(QStringLiteral("data_source"))};
    if (!m_shown) return tables;
    ExportTable classes{QStringLiteral("classes"),
                        {QStringLiteral("class"), QStringLiteral("train"), QStringLiteral("validation"), QStringLiteral("test")},
                        {}};
    for (auto const &each : m_shown->summary.classes)
        classes.rows.push_back(
            {QString::number(each.label), QString::number(each.train), QString::number(each.validation), QString::number(each.test)});
    return tables << classes;
}

ViewDescriptor dataView()
{
    return {"data",
            QT_TRANSLATE_NOOP("views", "Data"),
            "data",
            ViewDescriptor::Centre,
            QKeySequence(QStringLiteral("Ctrl+3")),
            [](Session &session, QWidget *parent) -> View * { return new DataView(session, parent); }};
}

} // namespace tilewright::views

#include "data_view.moc"

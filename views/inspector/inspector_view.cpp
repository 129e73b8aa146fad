#include "views/inspector/inspector_view.h"

#include "views/advice/fit_watch.h"
#include "views/common/format.h"
#include "views/common/theme.h"
#include "views/document/document.h"
#include "views/figures/fact_list.h"
#include "views/inspector/describe.h"
#include "views/inspector/layer_facts.h"
#include "views/inspector/silicon_panel.h"
#include "views/inspector/what_if.h"
#include "views/jobs/job_runner.h"
#include "views/properties/class_choice.h"
#include "views/properties/property_table.h"
#include "views/properties/property_value.h"
#include "views/session/run_commands.h"

#include "engine/config/ipu_config.h"

#include <QLabel>
#include <QScrollArea>
#include <QSplitter>
#include <QStackedWidget>
#include <QTabWidget>
#include <QVBoxLayout>

namespace tilewright::views {

namespace {

/// Facts in a scroll area without a frame.
QScrollArea *scrolled(QWidget *content, QWidget *parent)
{
    auto *scroll = new QScrollArea(parent);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setWidget(content);
    scroll->viewport()->setAutoFillBackground(false);
    content->setAutoFillBackground(false);
    return scroll;
}

/// A column with a stretch at its end, so that facts are at its top.
QWidget *topped(QList<QWidget *> const &widgets)
{
    auto *holder = new QWidget;
    auto *column = new QVBoxLayout(holder);
    column->setContentsMargins(0, kGrid, kGrid, 0);
    column->setSpacing(kGap);
    for (auto *widget : widgets) column->addWidget(widget);
    column->addStretch();
    return holder;
}

} // namespace

class InspectorView : public View {
    Q_OBJECT
public:
    InspectorView(Session &session, QWidget *parent);
    QList<ExportTable> exportTables() const override;
    bool isSettled() const override { return m_pending == 0; }
    void startSearch() override { m_table->focusSearch(); }
    QJsonObject saveState() const override { return {{QStringLiteral("tab"), m_tabs->currentIndex()}}; }
    void restoreState(QJsonObject const &state) override { m_tabs->setCurrentIndex(state.value(QStringLiteral("tab")).toInt()); }

protected:
    void refresh() override { showSelection(); }
    void judge() override
    {
        if (isOfProject(session().selection().current())) showSelection();
        else View::judge();
    }
    void follow() override { showSelection(); }
    void restyle() override { paintProblems(); }
    void resizeEvent(QResizeEvent *event) override
    {
        View::resizeEvent(event);
        shareHeight();
    }

private:
    /// An edit of the project changes what is said of it; facts of a report stay.
    static bool isOfProject(Selected const &selected)
    {
        return selected.kind == SelectionKind::None || selected.kind == SelectionKind::Layer || selected.kind == SelectionKind::Option
            || selected.kind == SelectionKind::Insight;
    }
    void shareHeight();
    void showSelection();
    void showLayers(QStringList const &names);
    void showOption(QString const &path);
    void showProject();
    void showReportFacts(Selected const &selected);
    void showSilicon();
    void showFacts(QString const &headline, QList<FactSection> const &sections);
    void setProblems(QStringList const &problems);
    void paintProblems();
    void tryOut(QString const &path, std::shared_ptr<project::Project const> const &project);

    QStackedWidget *m_pages;
    QTabWidget *m_tabs;
    PropertyTable *m_table;
    QLabel *m_problems;
    FactList *m_derived, *m_facts;
    SiliconPanel *m_silicon;
    QStringList m_layers;
    std::vector<Diagnostic> m_tooLarge; ///< FitWatch::layerProblems() as shown
    ReportPtr m_siliconReport;
    QStringList m_siliconLayers;
    QSplitter *m_split = nullptr;
    QScrollArea *m_derivedScroll = nullptr;
    bool m_theirs = false; ///< a person has set the heights
    int m_pending = 0;     ///< jobs that a picture must wait for
};

InspectorView::InspectorView(Session &session, QWidget *parent)
    : View(QStringLiteral("inspector"), session, parent), m_pages(new QStackedWidget(this)), m_tabs(new QTabWidget(m_pages)),
      m_table(new PropertyTable(session.document(), tr("Properties"), m_tabs)), m_problems(new QLabel(m_tabs)),
      m_derived(new FactList(session, this, tr("Derived values"))), m_facts(new FactList(session, this, tr("Facts of the selection"))),
      m_silicon(new SiliconPanel(session, this, m_tabs))
{
    setDependsOn(true, false, false);
    connect(&FitWatch::of(session), &FitWatch::changed, this, [this] {
        bool const same = m_tooLarge == FitWatch::of(this->session()).layerProblems();
        if (!same && isVisible() && !m_layers.isEmpty() && m_pages->currentIndex() == 0) showLayers(m_layers);
    });
    setJudgesEdits();
    setFollowsAtOnce();
    m_problems->setWordWrap(true);
    m_problems->setTextFormat(Qt::PlainText);
    m_problems->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_split = new QSplitter(Qt::Vertical, m_tabs);
    m_split->setChildrenCollapsible(false);
    m_split->addWidget(m_table);
    // Problems come and go: below the fields, so that no field moves under the pointer.
    m_derivedScroll = scrolled(topped({m_problems, m_derived}), m_split);
    m_split->addWidget(m_derivedScroll);
    m_split->setStretchFactor(0, 1);
    connect(m_split, &QSplitter::splitterMoved, this, [this] { m_theirs = true; });
    auto *properties = new QWidget(m_tabs);
    auto *column = new QVBoxLayout(properties);
    column->setContentsMargins(0, kGrid, 0, 0);
    column->addWidget(m_split, 1);
    m_tabs->setDocumentMode(true);
    m_tabs->addTab(properties, tr("Properties"));
    m_tabs->addTab(m_silicon, tr("To silicon"));
    m_pages->addWidget(m_tabs);
    m_pages->addWidget(scrolled(topped({m_facts}), m_pages));
    setBody(m_pages);
    connect(m_tabs, &QTabWidget::currentChanged, this, [this] { showSilicon(); });
    connect(m_table, &PropertyTable::tried, this, &InspectorView::tryOut);
    connect(m_table, &PropertyTable::applied, this, [this](QString const &path, QString const &text) {
        // The selection is by name, so it follows a renamed layer.
        if (m_layers.size() == 1 && path == QStringLiteral("model.layers.%1.name").arg(m_layers.front()))
            this->session().selection().selectLayer(text, this);
    });
}

void InspectorView::showSelection()
{
    auto const &selected = session().selection().current();
    bool const open = session().document().isOpen();
    setState({});
    if (selected.kind == SelectionKind::Layer && open) return showLayers(layerNames(selected.name));
    if (selected.kind == SelectionKind::Option && open) return showOption(selected.name);
    m_layers.clear();
    if (selected.kind == SelectionKind::None || selected.kind == SelectionKind::Insight || selected.kind == SelectionKind::Option)
        return showProject();
    showReportFacts(selected);
}

void InspectorView::showLayers(QStringList const &names)
{
    auto const &project = session().document().project();
    std::vector<model::Layer const *> layers;
    for (auto const &name : names)
        if (auto const *layer = project.model.find(name.toStdString())) layers.push_back(layer);
    if (layers.empty()) { // from a report whose project is not open, or removed since
        m_layers.clear();
        return showReportFacts(session().selection().current());
    }
    bool const other = names != m_layers;
    m_layers = names;
    auto problems = session().document().problems();
    m_tooLarge = FitWatch::of(session()).layerProblems();
    problems.insert(problems.end(), m_tooLarge.begin(), m_tooLarge.end());
    auto const facts = layerFacts(project, names, problems);
    setHeadline(facts.headline, Headline::BeginsWithName);
    setProblems(facts.problems);
    m_table->setSpecs(commonLayerSpecs(layers));
    m_derived->setSections(facts.sections);
    QMetaObject::invokeMethod(this, &InspectorView::shareHeight, Qt::QueuedConnection); // after the layout of the new facts
    m_tabs->setTabVisible(1, true);
    m_pages->setCurrentIndex(0);
    if (other) m_siliconReport.reset();
    showSilicon();
}

/// Derived values get the height they need, up to half of the view; fields get the rest and scroll.
void InspectorView::shareHeight()
{
    int const all = m_split->height() - m_split->handleWidth();
    if (m_theirs || all <= 0) return;
    auto *facts = m_derivedScroll->widget();
    int const wanted =
        facts->hasHeightForWidth() ? facts->heightForWidth(m_derivedScroll->viewport()->width()) : facts->sizeHint().height();
    int const derived = std::min(wanted, all / 2);
    m_split->setSizes({all - derived, derived});
}

void InspectorView::showOption(QString const &path)
{
    m_layers.clear();
    QString const full = path.contains(QStringLiteral("ipu_config.")) || path.contains(QStringLiteral("engine_options."))
            || path.contains(QStringLiteral("training."))
        ? path
        : QStringLiteral("ipu_config.") + path;
    auto const name = full.toStdString();
    std::vector<PropertySpec> specs;
    if (auto const *option = config::IpuConfig::metadata(name)) specs.push_back(specOf(*option));
    else if (name.starts_with("engine_options.")) {
        if (auto const *engine = config::findOption(config::engineOptions(), name.substr(15))) specs.push_back(specOf(*engine));
    } else if (name == "training.optimizer") {
        specs = optimizerFields(session().document().project().training); // an object, shown by its class and arguments
    } else if (name.starts_with("training.")) specs.push_back(trainingSpec(session().document().project().training, full.mid(9)));
    if (specs.empty()) return showFacts(path, {{{}, {{{}, tr("There is no option of this name.")}}}});
    auto const spec = specs.front();
    setHeadline(spec.path, Headline::BeginsWithName);
    setProblems({});
    m_table->setSpecs(std::move(specs));
    FactSection about{tr("About"), {{{}, spec.help}, {tr("Type"), spec.typeText}}};
    if (!spec.unit.isEmpty()) about.facts.push_back({tr("Unit"), spec.unit});
    if (spec.hasDefault) about.facts.push_back({tr("Default"), spec.defaultText.isEmpty() ? tr("empty") : spec.defaultText});
    if (!spec.note.isEmpty()) about.facts.push_back({tr("Note"), spec.note});
    if (!spec.deprecated.isEmpty()) about.facts.push_back({tr("Deprecated"), spec.deprecated});
    about.facts.push_back({{},
                           tr("Show it among all options"),
                           {},
                           destination(SelectionKind::Option, path,
                                       full.startsWith(QStringLiteral("training.")) ? QStringLiteral("plan") : QStringLiteral("config"))});
    m_derived->setSections({about});
    m_tabs->setTabVisible(1, false);
    m_pages->setCurrentIndex(0);
}

void InspectorView::showProject()
{
    auto const &document = session().document();
    if (document.isOpen()) {
        auto const facts = projectFacts(document.project(), document.problems());
        auto sections = facts.sections;
        if (!facts.problems.isEmpty()) {
            FactSection problems{tr("Problems"), {}};
            for (auto const &problem : facts.problems)
                problems.facts.push_back({{}, problem, {}, viewDestination(QStringLiteral("problems"))});
            sections.prepend(problems);
        }
        return showFacts(facts.headline, sections);
    }
    if (auto const report = session().report())
        return showFacts(tr("Nothing selected"),
                         {{report->title(),
                           {{tr("Tiles"), countText(report->tiles())},
                            {tr("Operations"), countText(report::operationCount(report->data()))},
                            {tr("Variables"), countText(static_cast<std::int64_t>(report->data().variables.size()))}}}});
    setHeadline({});
    setState({ViewState::Empty, tr("Open a project or a report; what you select in any view is explained here."), {}, {}});
}

void InspectorView::showFacts(QString const &headline, QList<FactSection> const &sections)
{
    setHeadline(headline, Headline::BeginsWithName);
    m_facts->setSections(sections);
    m_pages->setCurrentIndex(1);
}

void InspectorView::showReportFacts(Selected const &selected)
{
    auto const report = session().report();
    if (!report) {
        setHeadline(session().selection().text(), Headline::BeginsWithName);
        setState({ViewState::Empty, tr("This value comes from a report. Compile the project to get one."), buttonText(RunCommand::Compile),
                  [this] { perform(RunCommand::Compile, session()); }});
        return;
    }
    if (!applyReportState("")) return;
    // The head of a report has only the names of tiles and IPUs; their contents are loaded later.
    if (!report->isWhole()) return setHeadline(session().selection().text(), Headline::BeginsWithName);
    if (selected.kind == SelectionKind::Layer) { // a report without its project: only the compiled layer is known
        setHeadline(session().selection().text(), Headline::BeginsWithName);
        setProblems({});
        m_layers = layerNames(selected.name);
        m_table->setSpecs({});
        m_derived->setSections({{{}, {{{}, tr("The project of this report is not open: its fields cannot be changed.")}}}});
        m_tabs->setTabVisible(1, true);
        m_pages->setCurrentIndex(0);
        m_siliconReport.reset();
        return showSilicon();
    }
    setHeadline(session().selection().text(), Headline::BeginsWithName);
    ++m_pending;
    session().jobs().compute<Description>(
        this, JobKind::Facts, QStringLiteral("inspector.facts"),
        [report, selected](JobContext const &) -> Result<Description> { return describe(*report, selected); },
        [this, selected](Result<Description> const &description) {
            m_pending = 0;
            if (!description.ok() || session().selection().current() != selected) return;
            showFacts(description->headline.isEmpty() ? session().selection().text() : description->headline, description->sections);
        });
}

void InspectorView::showSilicon()
{
    if (m_tabs->currentIndex() != 1 || m_layers.isEmpty()) return;
    auto const report = session().report();
    if (!report || !report->isWhole()) {
        m_siliconReport.reset();
        return m_silicon->showText(report ? tr("Reading the report …")
                                          : tr("Compile the project to see what the layer becomes: operations, tiles, cycles, bytes."));
    }
    if (report == m_siliconReport && m_layers == m_siliconLayers) return;
    m_siliconReport = report;
    m_siliconLayers = m_layers;
    ++m_pending;
    session().jobs().compute<SiliconFacts>(
        this, JobKind::Facts, QStringLiteral("inspector.silicon"),
        [report, layers = m_layers](JobContext const &job) { return siliconOf(*report, layers, job); },
        [this, report](Result<SiliconFacts> const &facts) {
            m_pending = 0;
            if (!facts.ok() || report != m_siliconReport) return;
            if (facts->found) m_silicon->show(report, *facts);
            else
                m_silicon->showText(
                    tr("The report on show does not know this layer: it was made before the layer was added. Compile again."));
        });
}

void InspectorView::setProblems(QStringList const &problems)
{
    m_problems->setText(problems.join(QLatin1Char('\n')));
    m_problems->setVisible(!problems.isEmpty());
    paintProblems();
}

void InspectorView::paintProblems()
{
    QPalette palette = m_problems->palette();
    palette.setColor(QPalette::WindowText, theme()[Token::Bad]);
    m_problems->setPalette(palette);
}

void InspectorView::tryOut(QString const &path, std::shared_ptr<project::Project const> const &project)
{
    if (!project) {
        session().jobs().cancelSlot(this, QStringLiteral("inspector.whatif"));
        return m_table->setHint(path, {});
    }
    auto const now = session().document().snapshot();
    session().jobs().compute<QString>(
        this, JobKind::Quiet, QStringLiteral("inspector.whatif"),
        [now, project](JobContext const &job) -> Result<QString> { return whatIfText(whatIf(*now, job), whatIf(*project, job)); },
        [this, path](Result<QString> const &text) {
            if (text.ok()) m_table->setHint(path, *text);
        });
}

QList<ExportTable> InspectorView::exportTables() const
{
    QList<ExportTable> tables;
    if (m_pages->currentIndex() == 0) {
        if (m_table->rowCount() > 0) tables << m_table->exportTable(QStringLiteral("properties"));
        tables << m_silicon->exportTables();
    }
    ExportTable facts{
        QStringLiteral("facts"), {QStringLiteral("section"), QStringLiteral("fact"), QStringLiteral("value"), QStringLiteral("exact")}, {}};
    for (auto const &section : (m_pages->currentIndex() == 0 ? m_derived : m_facts)->sections())
        for (auto const &fact : section.facts) facts.rows.push_back({section.title, fact.label, fact.value, fact.tip});
    tables << facts;
    return tables;
}

ViewDescriptor inspectorView()
{
    return {"inspector",
            QT_TRANSLATE_NOOP("views", "Inspector"),
            "inspector",
            ViewDescriptor::Right,
            QKeySequence(QStringLiteral("")),
            [](Session &session, QWidget *parent) -> View * { return new InspectorView(session, parent); },
            false}; // interface state: not in any file
}

} // namespace tilewright::views

#include "inspector_view.moc"

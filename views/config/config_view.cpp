#include "views/config/config_view.h"

#include "views/advice/problem_list.h"
#include "views/advice/rule_watch.h"
#include "views/common/theme.h"
#include "views/config/config_pages.h"
#include "views/config/config_specs.h"
#include "views/config/pending_changes.h"
#include "views/document/document.h"
#include "views/properties/property_row.h"
#include "views/properties/property_table.h"
#include "views/session/selection.h"

#include <QTabWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace tilewright::views {

class ConfigView : public View {
    Q_OBJECT
public:
    ConfigView(Session &session, QWidget *parent);
    QList<ExportTable> exportTables() const override;
    QJsonObject saveState() const override;
    void restoreState(QJsonObject const &state) override;
    void startSearch() override;

protected:
    void refresh() override;
    void follow() override;

private:
    /// Brings the field into view, whichever page it is on.
    void showField(QString const &path, bool takeKeyboard);
    PropertyTable *tableOf(int page) const;
    void offer(PropertyTable &table);

    QTabWidget *m_pages;
    PropertyTable *m_options, *m_engine;
    ParallelPage *m_parallel;
    SystemPage *m_system;
    TextPage *m_text;
    PendingChanges *m_pending;
    ProblemList *m_problems;
};

ConfigView::ConfigView(Session &session, QWidget *parent)
    : View(QStringLiteral("config"), session, parent), m_pages(new QTabWidget(this)),
      m_options(new PropertyTable(session.document(), tr("Options"), m_pages)),
      m_engine(new PropertyTable(session.document(), tr("Engine options"), m_pages)), m_parallel(new ParallelPage(session, m_pages)),
      m_system(new SystemPage(session, this, m_pages)), m_text(new TextPage(session, m_pages)),
      m_pending(new PendingChanges(session, this)), m_problems(new ProblemList(session, this))
{
    setDependsOn(false, true, false);
    m_pages->setDocumentMode(true);
    m_pages->addTab(m_options, tr("Options"));
    m_pages->addTab(m_parallel, tr("Replicas and pipeline"));
    m_pages->addTab(m_engine, tr("Engine options"));
    m_pages->addTab(m_system, tr("System"));
    m_pages->addTab(m_text, tr("As text"));
    auto *body = new QWidget(this);
    auto *column = new QVBoxLayout(body);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(kGap);
    column->addWidget(m_pending);
    column->addWidget(m_problems);
    column->addWidget(m_pages, 1);
    setBody(body);
    connect(&RuleWatch::of(session), &RuleWatch::changed, this, [this] {
        if (isVisible()) refresh();
    });
    connect(m_problems, &ProblemList::fieldWanted, this, [this](QString const &path) { showField(path, true); });
    connect(m_pages, &QTabWidget::currentChanged, this, [this] { refresh(); });
    for (auto *table : {m_options, m_engine, &m_parallel->table()}) offer(*table);
}

void ConfigView::offer(PropertyTable &table)
{
    // A field that has the keyboard is what the other views explain.
    connect(&table, &PropertyTable::rowFocused, this, [this](QString const &path) {
        Selected selected;
        selected.kind = SelectionKind::Option;
        selected.name = path;
        session().selection().select(selected, this);
    });
}

void ConfigView::refresh()
{
    auto const &document = session().document();
    if (!document.isOpen()) {
        setHeadline({});
        return setState({ViewState::Empty, tr("Open or make a project to configure the system it runs on."), {}, {}});
    }
    setState({});
    auto const &project = document.project();
    auto const &problems = RuleWatch::of(session()).problems();
    setHeadline(configHeadline(project, problems));
    m_pending->refresh();
    m_problems->setProblems(configProblems(project, problems));
    switch (m_pages->currentIndex()) { // pages that nobody sees are filled when they are shown
    case 0: m_options->setSpecs(ipuConfigSpecs()); break;
    case 1: m_parallel->refresh(); break;
    case 2: m_engine->setSpecs(engineOptionSpecs()); break;
    case 3: m_system->refresh(); break;
    default: m_text->refresh(); break;
    }
}

void ConfigView::follow()
{
    if (!session().document().isOpen()) return;
    m_system->follow();
    auto const &selected = session().selection().current();
    if (selected.kind == SelectionKind::Option && session().selection().origin() != this) showField(selected.name, false);
}

PropertyTable *ConfigView::tableOf(int page) const
{
    switch (page) {
    case 0: return m_options;
    case 1: return &m_parallel->table();
    case 2: return m_engine;
    case 3: return &m_system->table();
    default: return nullptr;
    }
}

void ConfigView::showField(QString const &path, bool takeKeyboard)
{
    QString const full = path.contains(QStringLiteral("_options.")) && !path.startsWith(QStringLiteral("ipu_config.")) ? path
        : path.startsWith(QStringLiteral("training.")) || path.startsWith(QStringLiteral("system."))
            || path.startsWith(QStringLiteral("ipu_config."))
        ? path
        : QStringLiteral("ipu_config.") + path;
    int const page = full.startsWith(QStringLiteral("engine_options.")) ? 2
        : full.startsWith(QStringLiteral("training."))                  ? 1
        : full.startsWith(QStringLiteral("system."))                    ? 3
                                                                        : 0;
    if (page == 1) { // most fields of the plan are not here
        auto const specs = parallelSpecs(session().document().project());
        if (std::ranges::find(specs, full, &PropertySpec::path) == specs.end()) return;
    }
    if (m_pages->currentIndex() != page) m_pages->setCurrentIndex(page);
    if (auto *table = tableOf(page)) table->showRow(full, takeKeyboard);
}

void ConfigView::startSearch()
{
    auto *table = tableOf(m_pages->currentIndex());
    if (!table) m_pages->setCurrentIndex(0);
    (table ? table : m_options)->focusSearch();
}

QList<ExportTable> ConfigView::exportTables() const
{
    QList<ExportTable> tables;
    if (auto const *table = tableOf(m_pages->currentIndex())) tables << table->exportTable(QStringLiteral("options"));
    return tables;
}

QJsonObject ConfigView::saveState() const
{
    return {{QStringLiteral("page"), m_pages->currentIndex()},
            {QStringLiteral("changedOnly"), m_options->changedOnly()},
            {QStringLiteral("filter"), m_options->filterText()}};
}

void ConfigView::restoreState(QJsonObject const &state)
{
    m_pages->setCurrentIndex(state.value(QStringLiteral("page")).toInt());
    m_options->setChangedOnly(state.value(QStringLiteral("changedOnly")).toBool());
    m_options->setFilterText(state.value(QStringLiteral("filter")).toString());
}

ViewDescriptor configView()
{
    return {"config",
            QT_TRANSLATE_NOOP("views", "IPU configuration"),
            "config",
            ViewDescriptor::Centre,
            QKeySequence(QStringLiteral("Ctrl+4")),
            [](Session &session, QWidget *parent) -> View * { return new ConfigView(session, parent); }};
}

} // namespace tilewright::views

#include "config_view.moc"

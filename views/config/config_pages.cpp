#include "views/config/config_pages.h"

#include "views/advice/layer_cost_watch.h"
#include "views/common/format.h"
#include "views/common/theme.h"
#include "views/config/config_specs.h"
#include "views/config/machine_picture.h"
#include "views/config/schedule_widget.h"
#include "views/document/document.h"
#include "views/properties/property_table.h"
#include "views/session/selection.h"
#include "views/session/session.h"
#include "views/widgets/adaptive_splitter.h"
#include "views/figures/fact_list.h"

#include "engine/model/stages.h"

#include <nlohmann/json.hpp>

#include <QCheckBox>
#include <QLabel>
#include <QPlainTextEdit>
#include <QScrollArea>
#include <QVBoxLayout>

namespace tilewright::views {

namespace {

constexpr int kWide = 170 * kGrid; ///< px from which two parts stand side by side

QVBoxLayout *columnOf(QWidget *widget)
{
    auto *column = new QVBoxLayout(widget);
    column->setContentsMargins(0, kGrid, 0, 0);
    column->setSpacing(kGap);
    return column;
}

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

} // namespace

// --- replication, accumulation, pipelining, feeds ------------------------------------------------------

ParallelPage::ParallelPage(Session &session, QWidget *parent)
    : QWidget(parent), m_session(session), m_table(new PropertyTable(session.document(), tr("Parallelism"), this)),
      m_text(new QLabel(this)), m_schedule(new ScheduleWidget(this))
{
    m_text->setWordWrap(true);
    auto *lower = new QWidget;
    auto *drawing = columnOf(lower);
    drawing->addWidget(m_text);
    drawing->addWidget(m_schedule, 1);
    drawing->addStretch();
    auto *split = new AdaptiveSplitter(260 * kGrid, 3, 2, this);
    split->addWidget(m_table);
    split->addWidget(scrolled(lower, split));
    columnOf(this)->addWidget(split);
    connect(m_table, &PropertyTable::tried, this, [this](QString const &, std::shared_ptr<project::Project const> const &project) {
        m_tried = project;
        preview();
    });
    connect(&LayerCostWatch::of(session), &LayerCostWatch::changed, this, [this] {
        if (isVisible()) preview();
    });
}

void ParallelPage::refresh()
{
    m_table->setSpecs(parallelSpecs(m_session.document().project()));
    m_tried.reset();
    preview();
}

void ParallelPage::preview()
{
    if (!m_session.document().isOpen()) return;
    auto const &project = m_tried ? *m_tried : m_session.document().project();
    auto &watch = LayerCostWatch::of(m_session);
    bool const recompute = project.config.boolean("allow_recompute");
    auto const resolved = model::resolve(project.model);
    auto const costs = watch.costs(project);
    bool const sharded = resolved.ok() && resolved->stages() > 0 && project.training.isSharded();
    auto const stages =
        resolved.ok() && costs && !sharded ? model::stageCosts(*resolved, *costs, recompute) : std::vector<model::StageCost>();
    m_schedule->setVisible(!stages.empty());
    if (sharded) {
        m_text->setText(
            tr("The layers are sharded without a pipeline: all IPUs work on the same micro-batch, each on its own layers. An IPU waits "
               "until the results of the layers before arrive."));
        return;
    }
    if (stages.empty()) {
        m_text->setText(
            tr("The model has no pipeline: one stage does everything. Give layers a stage in the inspector or on the canvas to cut it."));
        return;
    }
    watch.want();
    auto const preview = previewSchedule(project.training.pipelineSchedule, stages, project.training.gradientAccumulationSteps, *costs,
                                         project.training.deviceMapping.size() == stages.size()
                                             ? model::stageIpus(project.training.deviceMapping, static_cast<int>(stages.size()))
                                             : std::vector<int>());
    QString text = scheduleText(preview);
    if (!preview.allowed)
        text += QLatin1Char('\n')
            + tr("%Ln micro-batch(es) are not a multiple of %1: this schedule cannot run.", nullptr, pluralOf(preview.microBatches))
                  .arg(preview.multiple);
    text += QLatin1Char('\n') + tr("Blocks: F forward, B backward, R computed again; the number is the micro-batch.");
    if (m_tried) text = tr("Not applied yet. %1").arg(text);
    m_text->setText(text);
    m_schedule->setPreview(preview);
}

// --- system ---------------------------------------------------------------------------------------------

SystemPage::SystemPage(Session &session, QObject *origin, QWidget *parent)
    : QWidget(parent), m_session(session), m_table(new PropertyTable(session.document(), tr("System"), this)),
      m_picture(new MachinePicture(this)), m_facts(new FactList(session, origin, tr("Figures of the system")))
{
    m_table->setSearchVisible(false);
    auto *drawn = new QWidget;
    auto *drawing = columnOf(drawn);
    drawing->addWidget(m_picture);
    drawing->addWidget(m_facts);
    drawing->addStretch();
    auto *split = new AdaptiveSplitter(kWide, 2, 3, this);
    split->addWidget(m_table);
    split->addWidget(scrolled(drawn, split));
    columnOf(this)->addWidget(split);
    connect(m_picture, &MachinePicture::picked, this,
            [this, origin](int ipu) { m_session.selection().selectIds(SelectionKind::Ipu, {ipu}, origin); });
    connect(m_table, &PropertyTable::tried, this, [this](QString const &, std::shared_ptr<project::Project const> const &project) {
        show(project ? *project : m_session.document().project());
    });
}

void SystemPage::refresh()
{
    auto const &project = m_session.document().project();
    m_table->setSpecs(targetSpecs(project));
    show(project);
    follow();
}

void SystemPage::follow()
{
    auto const &selected = m_session.selection().current();
    m_picture->setMarked(selected.kind == SelectionKind::Ipu ? selected.ids : std::vector<int>());
}

void SystemPage::show(project::Project const &project)
{
    auto const layout = systemLayout(project);
    m_picture->setLayoutOf(layout);
    m_picture->setVisible(layout.machine && layout.machine->isEmulated());
    if (!layout.machine) return m_facts->setSections({});
    if (!layout.machine->isEmulated())
        return m_facts->setSections(
            {{{}, {{{}, tr("Plain Keras on the host: nothing is emulated, so there are no tiles, cycles or bytes to see.")}}}});
    auto const &machine = *layout.machine;
    auto const &chip = machine.chip;
    FactSection use{tr("Use"), {}};
    use.facts.push_back({tr("Replicas"), tr("%1, %Ln IPU(s) each", nullptr, layout.ipusPerReplica).arg(layout.replicas)});
    if (layout.stages > 1)
        use.facts.push_back({tr("Stages"),
                             project.training.deviceMapping.empty() ? tr("%1, each on an IPU of its own").arg(layout.stages)
                                                                    : tr("%1, on IPUs as the plan maps them").arg(layout.stages)});
    int idle = 0;
    for (auto const &role : layout.ipus) idle += role.replica < 0;
    if (idle > 0) use.facts.push_back({tr("Idle"), tr("%Ln IPU(s) without work", nullptr, idle)});
    FactSection each{tr("Each IPU"), {}};
    each.facts.push_back(
        {tr("Tiles"), tr("%1 with %2 each").arg(countText(chip.tiles), bytesText(chip.bytesPerTile)), bytesExact(chip.bytesPerTile)});
    each.facts.push_back({tr("Memory"), bytesText(chip.tiles * chip.bytesPerTile), bytesExact(chip.tiles * chip.bytesPerTile)});
    each.facts.push_back({tr("Clock"), tr("%1 GHz").arg(numberText(static_cast<double>(chip.clockHz) * 1e-9))});
    each.facts.push_back({tr("Workers"), tr("%1 per tile").arg(chip.workers)});
    if (machine.streamingBytes > 0)
        each.facts.push_back({tr("Remote buffers"), bytesText(machine.streamingBytes), bytesExact(machine.streamingBytes)});
    FactSection links{tr("Links between IPUs"), {}};
    if (machine.ipus > 1) {
        links.facts.push_back({tr("Inside a pair"), tr("%1 GB/s each way, modelled").arg(numberText(machine.linkBytesPerSecond * 1e-9))});
        links.facts.push_back(
            {tr("Between pairs"), tr("%1 GB/s each way, modelled").arg(numberText(machine.farLinkBytesPerSecond * 1e-9))});
    }
    QList<FactSection> sections{use, each};
    if (!links.facts.isEmpty()) sections << links;
    m_facts->setSections(sections);
}

// --- text -----------------------------------------------------------------------------------------------

TextPage::TextPage(Session &session, QWidget *parent)
    : QWidget(parent), m_session(session), m_changedOnly(new QCheckBox(tr("Changed only"), this)), m_lines(new QPlainTextEdit(this)),
      m_json(new QPlainTextEdit(this))
{
    auto *split = new AdaptiveSplitter(kWide, 1, 1, this);
    auto const pane = [&](QPlainTextEdit *edit, QString const &title) {
        edit->setReadOnly(true);
        edit->setFont(monoFont());
        edit->setLineWrapMode(QPlainTextEdit::NoWrap);
        edit->setAccessibleName(title);
        edit->setTabChangesFocus(true);
        auto *holder = new QWidget(split);
        auto *column = columnOf(holder);
        column->addWidget(new QLabel(title, holder));
        column->addWidget(edit, 1);
        split->addWidget(holder);
    };
    pane(m_lines, tr("One line per option"));
    pane(m_json, tr("JSON"));
    auto *column = columnOf(this);
    column->addWidget(m_changedOnly);
    column->addWidget(split, 1);
    connect(m_changedOnly, &QCheckBox::toggled, this, &TextPage::refresh);
}

void TextPage::refresh()
{
    auto const &config = m_session.document().project().config;
    bool const changed = m_changedOnly->isChecked();
    auto const fill = [](QPlainTextEdit *edit, std::string const &text) {
        QString const shown = QString::fromStdString(text);
        if (edit->toPlainText() != shown) edit->setPlainText(shown);
    };
    std::string const lines = changed ? config.changedText() : config.str();
    fill(m_lines, lines.empty() ? tr("# every option has its default").toStdString() : lines);
    fill(m_json, config.toNestedJson(changed).dump(2));
}

} // namespace tilewright::views

#include "views/inspector/silicon_panel.h"

#include "views/common/format.h"
#include "views/common/table_model.h"
#include "views/common/theme.h"
#include "views/session/session.h"
#include "views/tiles/tile_map_widget.h"
#include "views/figures/fact_list.h"
#include "views/widgets/stacked_bar.h"
#include "views/wording/labels.h"
#include "views/wording/quantity.h"

#include <QLabel>
#include <QScrollArea>
#include <QTabWidget>
#include <QTreeView>
#include <QVBoxLayout>

#include <algorithm>

namespace tilewright::views {

namespace {

constexpr int kNameWidth = 45 * kGrid; ///< px: the panel is narrow and names matter most

TileFloor floorOf(ReportSnapshot const &report)
{
    std::vector<QPoint> places;
    for (auto const &place : report.data().tilePlaces) places.emplace_back(place.x, place.y);
    int const perIpu = report.tilesPerIpu();
    return makeFloor(perIpu > 0 ? report.tiles() / perIpu : 0, perIpu, std::move(places));
}

} // namespace

SiliconPanel::SiliconPanel(Session &session, QObject *origin, QWidget *parent)
    : QWidget(parent), m_session(session), m_origin(origin), m_text(new QLabel(this)), m_body(new QWidget(this)),
      m_sums(new FactList(session, origin, tr("What the layer takes"), m_body)), m_passes(new StackedBars(tr("Cycles by pass"), m_body)),
      m_map(new TileMapWidget(m_body)), m_tabs(new QTabWidget(m_body)), m_ops(new TablePane(tr("Operations of the layer"), m_tabs)),
      m_computeSets(new TablePane(tr("Compute sets of the layer"), m_tabs)),
      m_variables(new TablePane(tr("Variables of the layer"), m_tabs))
{
    m_text->setWordWrap(true);
    m_text->setAlignment(Qt::AlignCenter);
    m_map->setAccessibleName(tr("Bytes of the layer's variables by tile"));
    m_map->setMinimumHeight(30 * kGrid);
    m_map->setMaximumHeight(60 * kGrid);
    m_tabs->addTab(m_ops, tr("Operations"));
    m_tabs->addTab(m_computeSets, tr("Compute sets"));
    m_tabs->addTab(m_variables, tr("Variables"));
    m_tabs->setMinimumHeight(60 * kGrid);
    auto *column = new QVBoxLayout(m_body);
    column->setContentsMargins(0, kGrid, kGrid, 0);
    column->setSpacing(kGap);
    column->addWidget(m_sums);
    column->addWidget(m_passes);
    column->addWidget(m_map);
    column->addWidget(m_tabs, 1);
    auto *scroll = new QScrollArea(this);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setWidget(m_body);
    scroll->viewport()->setAutoFillBackground(false);
    m_body->setAutoFillBackground(false);
    auto *outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    outer->addWidget(m_text);
    outer->addWidget(scroll, 1);
    connect(m_map, &TileMapWidget::picked, this, [this](std::vector<int> const &tiles) {
        if (!tiles.empty()) m_session.selection().selectIds(SelectionKind::Tile, tiles, m_origin);
        if (!tiles.empty()) emit m_session.viewRequested(QStringLiteral("memory"));
    });
    connect(m_ops, &TablePane::rowsPicked, this,
            [this](std::vector<int> const &rows) { pick(SelectionKind::Op, rows, m_facts.ops, QStringLiteral("operations")); });
    connect(m_computeSets, &TablePane::rowsPicked, this, [this](std::vector<int> const &rows) {
        pick(SelectionKind::ComputeSet, rows, m_facts.computeSets, QStringLiteral("program"));
    });
    connect(m_variables, &TablePane::rowsPicked, this,
            [this](std::vector<int> const &rows) { pick(SelectionKind::Variable, rows, m_facts.variables, QStringLiteral("memory")); });
    showText({});
}

void SiliconPanel::pick(SelectionKind kind, std::vector<int> const &rows, std::vector<int> const &ids, QString const &view)
{
    std::vector<int> picked;
    for (int const row : rows)
        if (row >= 0 && static_cast<std::size_t>(row) < ids.size()) picked.push_back(ids[static_cast<std::size_t>(row)]);
    if (picked.empty()) return;
    m_session.selection().selectIds(kind, picked, m_origin);
    emit m_session.viewRequested(view);
}

void SiliconPanel::showText(QString const &text)
{
    m_text->setText(text);
    m_text->setVisible(!text.isEmpty());
    m_body->hide();
}

void SiliconPanel::show(ReportPtr report, SiliconFacts const &facts)
{
    m_report = std::move(report);
    m_facts = facts;
    m_text->hide();
    m_body->show();
    FactSection sums{{}, {}};
    sums.facts.push_back({tr("Cycles"),
                          facts.ofRun ? withOrigin(stepCyclesText(facts.step), originOfCycles(facts.measured))
                                      : tr("%1, estimated by the planner").arg(cyclesText(facts.cycles)),
                          facts.step.ipus > 1 ? stepCyclesHelp(facts.step.ipus) : countText(facts.cycles),
                          viewDestination(QStringLiteral("operations"))});
    sums.facts.push_back({tr("Tiles"),
                          tr("%1 of %2 hold its variables").arg(countText(facts.tilesUsed), countText(m_report->tiles())),
                          {},
                          viewDestination(QStringLiteral("memory"))});
    Bytes const passing = facts.variableBytes - facts.alwaysBytes;
    sums.facts.push_back(
        {tr("Variables"),
         passing > 0 ? tr("%1 always, %2 in turn").arg(bytesText(facts.alwaysBytes), bytesText(passing)) : bytesText(facts.variableBytes),
         tr("%1 always live, %2 live at times, on addresses that they may share").arg(bytesExact(facts.alwaysBytes), bytesExact(passing))});
    // Code that loads and stores its variables belongs to the layer, not to an operation.
    sums.facts.push_back({tr("Code"),
                          facts.codeBytes > facts.opCodeBytes
                              ? tr("%1, %2 of it in operations").arg(bytesText(facts.codeBytes), bytesText(facts.opCodeBytes))
                              : bytesText(facts.codeBytes),
                          bytesExact(facts.codeBytes)});
    QString const moved = bytesText(facts.movedBytes), exchanges = tr("%n exchange(s)", nullptr, facts.exchanges);
    sums.facts.push_back({tr("Moved"),
                          facts.ofRun ? tr("%1 a step in %2").arg(moved, exchanges) : tr("%1 by %2, each once").arg(moved, exchanges),
                          bytesExact(facts.movedBytes), viewDestination(QStringLiteral("execution"))});
    m_sums->setSections({sums});
    Bar bar;
    for (auto const &[pass, cycles] : facts.passCycles)
        bar.parts.push_back(
            {passToken(pass), passLabel(pass), cycles,
             tr("%1, %2").arg(cyclesText(cycles),
                              shareText(facts.cycles > 0 ? static_cast<double>(cycles) / static_cast<double>(facts.cycles) : 0))});
    m_passes->setBars({bar});
    m_passes->setVisible(!bar.parts.isEmpty());
    m_map->setFloor(floorOf(*m_report));
    m_map->setValues(facts.tileBytes, scaleFor(ScaleKind::Linear, facts.tileBytes, 0));
    m_map->setTip([this](int tile) {
        auto const at = static_cast<std::size_t>(tile);
        Bytes const bytes = at < m_facts.tileBytes.size() ? m_facts.tileBytes[at] : 0;
        return tr("%1: %2").arg(tileLabel(m_report->data(), tile), bytesExact(bytes));
    });
    fillTables(*m_report, facts);
}

void SiliconPanel::fillTables(ReportSnapshot const &report, SiliconFacts const &facts)
{
    auto const *rows = &report.data();
    auto const op = [rows, ids = facts.ops](int row) -> report::OpRow const & {
        return rows->ops[static_cast<std::size_t>(ids[static_cast<std::size_t>(row)])];
    };
    auto const set = [rows, ids = facts.computeSets](int row) -> report::ComputeSetRow const & {
        return rows->computeSets[static_cast<std::size_t>(ids[static_cast<std::size_t>(row)])];
    };
    auto const variable = [rows, ids = facts.variables](int row) -> report::VariableRow const & {
        return rows->variables[static_cast<std::size_t>(ids[static_cast<std::size_t>(row)])];
    };
    auto const number = [](QString const &title, auto get, auto shown) {
        return Column{.title = title,
                      .text = [get, shown](int row) { return shown(get(row)); },
                      .value = [get](int row) { return QVariant::fromValue<qlonglong>(get(row)); },
                      .number = true};
    };
    m_ops->fill({{.title = tr("Name"), .text = [op](int row) { return text(op(row).name); }, .width = kNameWidth},
                 {.title = tr("Kind"), .text = [op](int row) { return text(op(row).kind); }},
                 {.title = tr("Pass"), .text = [op](int row) { return passLabel(op(row).pass); }},
                 number(
                     tr("Cycles, estimated"), [op](int row) { return op(row).cyclesEstimated; }, cyclesText),
                 number(
                     tr("Variables"), [op](int row) { return op(row).variableBytes; }, bytesText)},
                static_cast<int>(facts.ops.size()), {}, m_report);
    m_computeSets->fill({{.title = tr("Name"), .text = [set](int row) { return text(set(row).name); }, .width = kNameWidth},
                         number(
                             tr("Slowest tile, cycles"), [set](int row) { return set(row).cyclesMax; }, cyclesText),
                         number(
                             tr("Active tiles"), [set](int row) { return static_cast<std::int64_t>(set(row).activeTiles); }, countText),
                         number(
                             tr("Vertices"), [set](int row) { return set(row).vertices; }, countText)},
                        static_cast<int>(facts.computeSets.size()), {}, m_report);
    m_variables->fill({{.title = tr("Name"), .text = [variable](int row) { return text(variable(row).name); }, .width = kNameWidth},
                       number(
                           tr("Bytes"), [variable](int row) { return variable(row).bytes; }, bytesText),
                       {.title = tr("Role"), .text = [variable](int row) { return roleLabel(variable(row).role); }},
                       {.title = tr("Shape"), .text = [variable](int row) { return text(tilewright::toText(variable(row).shape)); }}},
                      static_cast<int>(facts.variables.size()), {}, m_report);
    m_tabs->setTabText(0, tr("Operations (%1)").arg(facts.ops.size()));
    m_tabs->setTabText(1, tr("Compute sets (%1)").arg(facts.computeSets.size()));
    m_tabs->setTabText(2, tr("Variables (%1)").arg(facts.variables.size()));
}

QList<ExportTable> SiliconPanel::exportTables() const
{
    if (m_body->isHidden()) return {};
    return {m_ops->exportTable(QStringLiteral("operations")), m_computeSets->exportTable(QStringLiteral("compute_sets")),
            m_variables->exportTable(QStringLiteral("variables"))};
}

} // namespace tilewright::views

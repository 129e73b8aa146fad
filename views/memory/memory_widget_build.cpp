// Creates and connects the widgets of the memory view.
#include "views/common/figure_parts.h"
#include "views/common/tab_filters.h"
#include "views/common/wrapped_label.h"
#include "views/figures/comparison.h"
#include "views/memory/address_map_widget.h"
#include "views/memory/memory_controls.h"
#include "views/memory/memory_widget.h"
#include "views/memory/step_bar.h"
#include "views/memory/step_heat.h"
#include "views/memory/tiles_page.h"
#include "views/memory/values_pane.h"
#include "views/runcontrol/run_controller.h"
#include "views/session/playhead.h"
#include "views/session/selection.h"
#include "views/tiles/column_chart.h"
#include "views/tiles/tile_map_widget.h"

#include <QFrame>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QSplitter>
#include <QTabWidget>
#include <QTreeView>
#include <QVBoxLayout>

#include <algorithm>

namespace tilewright::views {

namespace {
constexpr int kLeastPages = 67 * kGrid, kLeastTables = 46 * kGrid; ///< heights below which the view scrolls
}

void MemoryWidget::build()
{
    auto *body = new QWidget(this);
    auto *all = new QVBoxLayout(body);
    all->setContentsMargins(0, 0, 0, 0);
    all->setSpacing(kGrid);

    m_cause = new QFrame(body);
    m_cause->setProperty("role", "banner");
    m_causeText = new QLabel(m_cause);
    m_causeText->setWordWrap(true);
    m_causeText->setTextInteractionFlags(Qt::TextSelectableByMouse);
    auto *insights = new QPushButton(tr("What to change"), m_cause);
    insights->setToolTip(tr("Shows the insights of this report with edits that would help"));
    auto *causeRow = new QHBoxLayout(m_cause);
    causeRow->setContentsMargins(kGap, kGrid, kGap, kGrid);
    causeRow->addWidget(m_causeText, 1);
    causeRow->addWidget(insights, 0, Qt::AlignTop);
    connect(insights, &QPushButton::clicked, this, [this] { emit session().viewRequested(QStringLiteral("insights")); });
    m_cause->hide();
    all->addWidget(m_cause);

    m_controls = new MemoryControls(body);
    all->addWidget(m_controls);
    m_pages = new QTabWidget(body);
    m_pages->setDocumentMode(true);
    m_pages->setAccessibleName(tr("Pictures of the memory"));
    m_pages->setMinimumHeight(kLeastPages);
    m_tilesPage = new TilesPage(m_pages);
    m_pages->addTab(m_tilesPage, tr("Tiles"));
    auto *addressPage = new QWidget(m_pages);
    auto *addressColumn = new QVBoxLayout(addressPage);
    addressColumn->setContentsMargins(0, kGrid, 0, 0);
    addressColumn->setSpacing(kGrid);
    m_addressTitle = new QLabel(addressPage);
    m_addressTitle->setProperty("role", "secondary");
    m_addressTitle->setWordWrap(true);
    m_addresses = new AddressMapWidget(addressPage);
    addressColumn->addWidget(m_addressTitle);
    addressColumn->addWidget(m_addresses, 1);
    m_pages->addTab(addressPage, tr("Addresses"));
    m_heat = new StepHeat(m_pages);
    m_pages->addTab(m_heat, tr("Tiles by step"));
    m_pages->setCornerWidget(&m_controls->toggles(), Qt::TopRightCorner);
    m_controls->toggles().show();
    keepOutOfFigures(m_controls->toggles());

    m_tables = new QTabWidget(body);
    m_tables->setDocumentMode(true);
    m_tables->setAccessibleName(tr("Tables of the chosen tiles"));
    // A heading, the tabs, a text of some lines and some rows: more in large type.
    int const leastTables = std::max(kLeastTables, 13 * fontMetrics().height());
    m_tables->setMinimumHeight(leastTables);
    struct Named {
        Table table;
        QString title;
    };
    for (auto const &[table, title] :
         {Named{Details, tr("Details")}, Named{Why, tr("Why this tile")}, Named{Variables, tr("Variables")},
          Named{ComputeSets, tr("Compute sets")}, Named{Vertices, tr("Vertices")}, Named{Exchanges, tr("Exchanges")}}) {
        auto *pane = new TablePane(title, m_tables);
        m_panes[table] = pane;
        connect(pane, &TablePane::rowsPicked, this, [this, which = table](std::vector<int> const &rows) { rowsPicked(which, rows); });
        if (table != Why) {
            m_tables->addTab(pane, title);
            continue;
        }
        auto *page = new QWidget(m_tables);
        auto *column = new QVBoxLayout(page);
        column->setContentsMargins(0, kGrid, 0, 0);
        m_whyText = new WrappedLabel(page);
        column->addWidget(m_whyText);
        column->addWidget(pane, 1);
        m_tables->addTab(page, title);
    }
    m_values = new ValuesPane(session(), m_tables);
    m_panes[Values] = &m_values->table();
    m_tables->addTab(m_values, tr("Values"));

    new TabFilters(*m_tables);

    m_splitter = new QSplitter(Qt::Vertical, body);
    // The steps stand below the pictures: the row comes and goes with a tab, which stays where it was clicked.
    auto *pictures = new QWidget(body);
    auto *pictureColumn = new QVBoxLayout(pictures);
    pictureColumn->setContentsMargins(0, 0, 0, 0);
    pictureColumn->setSpacing(kGrid);
    pictureColumn->addWidget(m_pages, 1);
    m_steps = new StepBar(pictures);
    pictureColumn->addWidget(m_steps);
    m_splitter->addWidget(pictures);
    m_splitter->addWidget(m_tables);
    m_splitter->setStretchFactor(0, 3);
    m_splitter->setStretchFactor(1, 2);
    m_splitter->setSizes({630, 370}); // proportions of the available height, not preferred sizes
    m_splitter->setChildrenCollapsible(false);
    // As high as the room allows, down to the minimum. The controls wrap, and a scroll area would give a wrapping widget its preferred
    // height
    // instead of its minimum.
    m_splitter->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Ignored);
    m_splitter->setMinimumHeight(kLeastPages + m_splitter->handleWidth() + leastTables);
    all->addWidget(m_splitter, 1);
    auto *scroll = new QScrollArea(this);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidget(body);
    setBody(scroll);
    drawsFigures(*this);
    comparesReports(*this);
    for (QWidget *part : {static_cast<QWidget *>(m_controls), static_cast<QWidget *>(m_steps), static_cast<QWidget *>(m_tables)})
        keepOutOfFigures(*part);
    setFocusProxy(&m_tilesPage->chart()); // so that single letters are commands from the start

    connect(m_controls, &MemoryControls::optionsChanged, this, &MemoryWidget::rebuild);
    connect(m_controls, &MemoryControls::tilesEntered, this, &MemoryWidget::enterTiles);
    connect(m_tilesPage, &TilesPage::picked, this, [this](std::vector<int> const &tiles, Qt::KeyboardModifiers modifiers) {
        choose(combineTiles(m_tiles, tiles, modifiers, m_current), true);
        if (tiles.size() == 1) setCurrent(tiles.front());
    });
    connect(m_tilesPage, &TilesPage::activated, this, &MemoryWidget::openAddresses);
    connect(m_tilesPage, &TilesPage::stepped, this, [this](int by) {
        if (int const next = m_tilesPage->neighbour(focusTile(), by); next >= 0) choose({next}, true);
    });
    connect(m_steps, &StepBar::stepChanged, this, [this](int step) { setStep(step, true); });
    connect(m_addresses, &AddressMapWidget::stepPicked, this, [this](int step) { setStep(step, true); });
    connect(m_addresses, &AddressMapWidget::itemPicked, this, [this](int item) {
        auto const *group = m_contents ? m_contents->of(focusTile()) : nullptr;
        if (!group || item >= static_cast<int>(group->items.size())) return;
        int const variable = group->items[static_cast<std::size_t>(item)].variable;
        if (variable >= 0) session().selection().selectIds(SelectionKind::Variable, {variable}, this);
    });
    connect(m_heat, &StepHeat::picked, this, [this](int tile, int step, Qt::KeyboardModifiers modifiers) {
        session().playhead().moveToLivenessStep(step);
        choose(combineTiles(m_tiles, {tile}, modifiers, m_current), true);
        setCurrent(tile);
    });
    connect(m_heat, &StepHeat::brushed, this, [this](std::vector<int> const &tiles, int, int lastStep) {
        session().playhead().moveToLivenessStep(lastStep);
        choose(tiles, true);
    });
    connect(m_pages, &QTabWidget::currentChanged, this, [this](int page) {
        showAddresses();
        writeMomentLine();
        if (page == StepsTab) rebuild();
    });
    connect(m_tables, &QTabWidget::currentChanged, this, [this] { fillTable(); });
    for (auto const signal : {&RunController::tileValuesChanged, &RunController::stateChanged, &RunController::finished})
        connect(&session().runs(), signal, m_values, &ValuesPane::updateShown);
}

} // namespace tilewright::views

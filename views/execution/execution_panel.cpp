#include "views/execution/execution_panel.h"

#include "views/common/format.h"
#include "views/common/tab_filters.h"
#include "views/common/table_model.h"
#include "views/common/wrapped_label.h"
#include "views/execution/step_time_chart.h"
#include "views/tiles/column_chart.h"
#include "views/time/time_overview.h"
#include "views/wording/labels.h"

#include <QGridLayout>
#include <QLabel>
#include <QLocale>
#include <QPainter>
#include <QScrollArea>
#include <QVBoxLayout>

#include <cmath>
#include <numeric>

namespace tilewright::views {

namespace {

std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }

constexpr std::size_t kCulprits = 200;

Column number(QString title, std::function<std::int64_t(int)> value)
{
    return {std::move(title),
            [value](int row) { return countText(value(row)); },
            [value](int row) { return QVariant(static_cast<qlonglong>(value(row))); },
            {},
            {},
            true,
            {},
            0};
}

Column text(QString title, std::function<QString(int)> value) { return {std::move(title), std::move(value), {}, {}, {}, false, {}, 0}; }

Column withBar(Column column, std::function<double(int)> bar)
{
    column.bar = std::move(bar);
    return column;
}

} // namespace

PhaseBar::PhaseBar(QWidget *parent) : QWidget(parent) { setAccessibleName(tr("Cycles by phase")); }

void PhaseBar::setTicks(PhaseTicks const &busy, std::int64_t ticks)
{
    m_parts.clear();
    PhaseTicks all = busy;
    // Whatever no event covers is idle.
    std::int64_t const counted = std::accumulate(all.begin(), all.end(), std::int64_t{0});
    if (ticks > counted) all[static_cast<std::size_t>(LanePhase::Idle)] += ticks - counted;
    QStringList words;
    for (int p = 0; p < kLanePhases; ++p) {
        if (all[static_cast<std::size_t>(p)] <= 0 || ticks <= 0) continue;
        auto const phase = static_cast<LanePhase>(p);
        double const share = static_cast<double>(all[static_cast<std::size_t>(p)]) / static_cast<double>(ticks);
        m_parts.push_back({QStringLiteral("%1 %2").arg(phaseName(phase), shareText(share)), phaseToken(phase), share});
        words << m_parts.back().text;
    }
    setAccessibleDescription(words.join(QStringLiteral(", ")));
    setToolTip(words.join(QLatin1Char('\n')));
    updateGeometry();
    update();
}

QSize PhaseBar::sizeHint() const { return {320, heightForWidth(std::max(width(), 240))}; }

int PhaseBar::heightForWidth(int width) const
{
    QFontMetrics const metrics(uiFont(TextSize::Caption));
    int x = 0, lines = 1;
    for (auto const &part : m_parts) {
        int const advance = metrics.horizontalAdvance(part.text) + kIconSize + kGap;
        if (x > 0 && x + advance > width) {
            x = 0;
            ++lines;
        }
        x += advance;
    }
    return 14 + kGrid + lines * (metrics.height() + 2);
}

void PhaseBar::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.setFont(uiFont(TextSize::Caption));
    QFontMetrics const metrics(painter.font());
    double x = 0;
    int textX = 0, y = 14 + kGrid;
    for (auto const &part : m_parts) {
        double const w = part.share * width();
        QRectF const box(x, 0, w, 14);
        painter.fillRect(box, theme()[part.token]);
        if (part.token == Token::Idle) painter.fillRect(box, QBrush(theme()[Token::Panel], Qt::FDiagPattern));
        x += w;
        int const advance = metrics.horizontalAdvance(part.text) + kIconSize + kGap;
        if (textX > 0 && textX + advance > width()) {
            textX = 0;
            y += metrics.height() + 2;
        }
        QRect const swatch(textX, y + 2, 10, metrics.height() - 4);
        painter.fillRect(swatch, theme()[part.token]);
        if (part.token == Token::Idle) painter.fillRect(swatch, QBrush(theme()[Token::Panel], Qt::FDiagPattern)); // as in the bar
        painter.setPen(theme()[Token::Text]);
        painter.drawText(textX + kIconSize - 2, y + metrics.ascent(), part.text);
        textX += advance;
    }
}

ExecutionPanel::ExecutionPanel(QWidget *parent) : QTabWidget(parent)
{
    setDocumentMode(true);
    setAccessibleName(tr("Facts of what is selected"));
    auto *page = new QWidget;
    auto *column = new QVBoxLayout(page);
    column->setContentsMargins(kGap, kGap, kGap, kGap);
    m_title = new QLabel(page);
    m_title->setWordWrap(true);
    m_title->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    QFont bold = m_title->font();
    bold.setBold(true);
    m_title->setFont(bold);
    m_bar = new PhaseBar(page);
    m_rows = new QWidget(page);
    m_grid = new QGridLayout(m_rows);
    m_grid->setContentsMargins(0, 0, 0, 0);
    m_grid->setHorizontalSpacing(2 * kGap);
    m_grid->setVerticalSpacing(kGrid / 2);
    m_grid->setColumnStretch(1, 1);
    column->addWidget(m_title);
    column->addWidget(m_bar);
    column->addWidget(m_rows);
    column->addStretch(1);
    auto *scroll = new QScrollArea;
    scroll->setWidget(page);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    addTab(scroll, tr("Run"));

    m_waits = new TablePane(tr("Tiles that others wait for"));
    addTab(m_waits, tr("Waits"));
    m_critical = new TablePane(tr("Critical path"));
    addTab(m_critical, tr("Critical path"));
    m_traffic = new TablePane(tr("Largest pairs of tiles"));
    auto *traffic = new QWidget;
    auto *trafficColumn = new QVBoxLayout(traffic);
    trafficColumn->setContentsMargins(0, 0, 0, 0);
    m_trafficNote = new WrappedLabel(traffic);
    m_trafficNote->setContentsMargins(kGap, kGrid, kGap, 0);
    trafficColumn->addWidget(m_trafficNote);
    trafficColumn->addWidget(m_traffic, 1);
    auto const scrolling = [](QWidget *content) { // in low windows the note takes what room there is
        auto *area = new QScrollArea;
        area->setWidget(content);
        area->setWidgetResizable(true);
        area->setFrameShape(QFrame::NoFrame);
        return area;
    };
    addTab(scrolling(traffic), tr("Traffic"));
    m_profile = new ColumnChart;
    m_profile->setAccessibleName(tr("Bytes in and out by tile"));
    m_profile->setAxisTitle(tr("tile"));
    m_profile->setEmptyText(tr("The report has no bytes by tile."));
    m_profile->valueText = [](std::int64_t bytes) { return bytesText(bytes); };
    m_profile->coordinateText = [](double tile) { return countText(static_cast<std::int64_t>(tile)); };
    addTab(m_profile, tr("Bytes by tile"));
    auto *steps = new QWidget;
    auto *stepColumn = new QVBoxLayout(steps);
    stepColumn->setContentsMargins(0, 0, 0, 0);
    m_stepNote = new WrappedLabel(steps);
    m_stepNote->setContentsMargins(kGap, kGrid, kGap, 0);
    m_steps = new StepTimeChart(steps);
    stepColumn->addWidget(m_stepNote);
    stepColumn->addWidget(m_steps, 1);
    addTab(scrolling(steps), tr("Step times"));
    m_compared = new TablePane(tr("Cycles of a step by phase, in both reports"));
    addTab(m_compared, tr("Compare"));
    showComparison(nullptr);
    new TabFilters(*this);

    connect(m_waits, &TablePane::rowsPicked, this, [this](std::vector<int> const &rows) {
        if (!rows.empty() && rows.front() < static_cast<int>(m_waitTiles.size()))
            emit tilePicked(m_waitTiles[at(rows.front())] % std::max(1, m_replicaTiles));
    });
    connect(m_critical, &TablePane::rowsPicked, this, [this](std::vector<int> const &rows) {
        if (!rows.empty() && rows.front() < static_cast<int>(m_criticalRows.size())) emit criticalPicked(m_criticalRows[at(rows.front())]);
    });
    connect(m_profile, &ColumnChart::picked, this, [this](int tile) {
        if (tile >= 0) emit tilePicked(tile % std::max(1, m_replicaTiles));
    });
    connect(m_steps, &StepTimeChart::picked, this, &ExecutionPanel::callPicked);
}

void ExecutionPanel::showComparison(std::shared_ptr<PhaseComparison const> comparison)
{
    setTabVisible(indexOf(m_compared), comparison && comparison->known);
    if (!comparison) return m_compared->fill({}, 0);
    auto const rows = phaseRows(*comparison);
    m_compared->fill(phaseColumns(comparison, rows), static_cast<int>(rows.size()), {}, comparison);
}

void ExecutionPanel::openComparison()
{
    if (isTabVisible(indexOf(m_compared))) setCurrentWidget(m_compared);
}

void ExecutionPanel::showSteps(StepTimes times)
{
    m_steps->setTimes(std::move(times));
    m_stepNote->setText(m_steps->summary());
    m_stepNote->setVisible(!m_steps->times().empty());
}

void ExecutionPanel::showFacts(Facts const &facts)
{
    m_facts = facts;
    m_title->setText(facts.title);
    m_bar->setTicks(facts.busy, facts.ticks);
    while (QLayoutItem *item = m_grid->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    int row = 0;
    for (auto const &[name, value] : facts.rows) {
        auto *label = new QLabel(name, m_rows);
        label->setForegroundRole(QPalette::PlaceholderText);
        auto *text = new QLabel(value, m_rows);
        text->setWordWrap(true);
        text->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
        text->setAccessibleName(name);
        label->setAlignment(Qt::AlignTop | Qt::AlignLeading);
        m_grid->addWidget(label, row, 0);
        m_grid->addWidget(text, row++, 1);
    }
}

void ExecutionPanel::clear()
{
    showFacts({});
    for (auto *table : {m_waits, m_critical, m_traffic}) table->fill({}, 0);
    showComparison(nullptr);
    m_profile->setScene(std::make_shared<ColumnScene const>());
    m_pairs.clear();
    showSteps({});
}

void ExecutionPanel::showRun(Blocks const &blocks, RunPlaces const &run, std::vector<TilePair> pairs, Bytes restOfPairs)
{
    m_replicaTiles = blocks->report->tiles();
    m_pairs = std::move(pairs);
    fillWaits(blocks, run);
    fillCritical(blocks, run);
    fillTraffic(blocks, run);
    showSteps(blocks->stepTimes);
    if (m_pairs.empty()) m_trafficNote->setText(tr("The report has no bytes by pair of tiles."));
    else if (restOfPairs > 0)
        m_trafficNote->setText(tr("The %n largest pairs of the run; %1 more between pairs the report has only as a sum.", nullptr,
                                  static_cast<int>(m_pairs.size()))
                                   .arg(bytesText(restOfPairs)));
    else m_trafficNote->setText(tr("The %n largest pairs of the run.", nullptr, static_cast<int>(m_pairs.size())));
    if (std::ranges::any_of(m_pairs, [](TilePair const &pair) { return pair.from == pair.to && !pair.toNextReplica; }))
        m_trafficNote->setText(m_trafficNote->text() + QLatin1Char(' ')
                               + tr("A tile's copies to itself also use its exchange port and are included."));
}

void ExecutionPanel::fillWaits(Blocks const &blocks, RunPlaces const &run)
{
    auto const report = blocks->report;
    int const recorded = run.run >= 0 ? run.run : 0;
    auto const &caused = report->runTileMetric(recorded, "caused_wait");
    m_waitTiles.resize(caused.size());
    std::iota(m_waitTiles.begin(), m_waitTiles.end(), 0);
    std::erase_if(m_waitTiles, [&](int tile) { return caused[at(tile)] <= 0; });
    std::ranges::stable_sort(m_waitTiles, [&](int a, int b) { return caused[at(a)] > caused[at(b)]; });
    if (m_waitTiles.size() > kCulprits) m_waitTiles.resize(kCulprits);
    auto const tiles = m_waitTiles;
    std::int64_t const all = std::accumulate(caused.begin(), caused.end(), std::int64_t{0}),
                       most = tiles.empty() ? 1 : caused[at(tiles.front())];
    auto const metric = [report, recorded, tiles](char const *name) {
        return [report, recorded, tiles, name](int row) {
            auto const &values = report->runTileMetric(recorded, name);
            return at(tiles[at(row)]) < values.size() ? values[at(tiles[at(row)])] : std::int64_t{0};
        };
    };
    int const perIpu = std::max(1, report->tilesPerIpu());
    std::vector<Column> columns;
    columns.push_back(number(tr("Tile"), [tiles](int row) { return tiles[at(row)]; }));
    columns.push_back(number(tr("IPU"), [tiles, perIpu](int row) { return tiles[at(row)] / perIpu; }));
    columns.push_back(withBar(number(tr("Cycles others waited for it"), metric("caused_wait")), [v = metric("caused_wait"), most](int row) {
        return static_cast<double>(v(row)) / static_cast<double>(most);
    }));
    columns.push_back({tr("Share of all waiting"),
                       [v = metric("caused_wait"), all](int row) {
                           return shareText(static_cast<double>(v(row)) / static_cast<double>(std::max<std::int64_t>(1, all)));
                       },
                       [v = metric("caused_wait")](int row) { return QVariant(static_cast<qlonglong>(v(row))); },
                       {},
                       {},
                       true,
                       {},
                       0});
    columns.push_back(number(tr("Its own compute cycles"), metric("compute")));
    columns.push_back(number(tr("Cycles it waited"), metric("waited")));
    m_waits->fill(std::move(columns), static_cast<int>(tiles.size()), {}, report);
}

void ExecutionPanel::fillCritical(Blocks const &blocks, RunPlaces const &run)
{
    auto const report = blocks->report;
    auto const &all = report->data().criticals;
    m_criticalRows.clear();
    int const pattern = run.places.empty() ? 0 : run.places.front().pattern;
    for (int row = 0; row < static_cast<int>(all.size()); ++row)
        if (all[at(row)].pattern == pattern) m_criticalRows.push_back(row);
    auto const rows = m_criticalRows;
    auto const critical = [report, rows](int row) -> report::CriticalRow const & { return report->data().criticals[at(rows[at(row)])]; };
    auto const type = [report, critical](int row) -> report::EventTypeRow const * {
        auto const &types = report->data().eventTypes;
        int const id = critical(row).eventType;
        return id >= 0 && id < static_cast<int>(types.size()) ? &types[at(id)] : nullptr;
    };
    std::int64_t whole = 1;
    for (int const row : rows) whole = std::max(whole, all[at(row)].endCycle);
    auto const length = [critical](int row) { return critical(row).endCycle - critical(row).startCycle; };
    std::vector<Column> columns;
    columns.push_back(number(tr("Place"), [critical](int row) { return critical(row).seq + 1; }));
    columns.push_back(text(tr("Step"), [type](int row) { return type(row) ? QString::fromStdString(type(row)->name) : QString(); }));
    columns.push_back(text(tr("Phase"), [type](int row) { return type(row) ? QString::fromStdString(type(row)->phase) : QString(); }));
    columns.push_back(text(tr("Lane"), [report, critical](int row) {
        auto const &lanes = report->data().lanes;
        int const lane = critical(row).lane;
        return lane >= 0 && lane < static_cast<int>(lanes.size()) ? laneName(lanes[at(lane)]) : QString();
    }));
    columns.push_back(number(tr("Begins at cycle"), [critical](int row) { return critical(row).startCycle; }));
    columns.push_back(withBar(number(tr("Cycles"), length),
                              [length, whole](int row) { return static_cast<double>(length(row)) / static_cast<double>(whole); }));
    columns.push_back({tr("Saved if 10 % faster"),
                       [length](int row) { return countText(length(row) / 10); },
                       [length](int row) { return QVariant(static_cast<qlonglong>(length(row) / 10)); },
                       [](int) { return tr("At most: another path may become the longest one."); },
                       {},
                       true,
                       {},
                       0});
    columns.push_back(text(tr("Slowest tile"), [critical](int row) {
        return critical(row).culpritTile < 0 ? QString() : QString::number(critical(row).culpritTile);
    }));
    m_critical->fill(std::move(columns), static_cast<int>(rows.size()), {}, report);
}

void ExecutionPanel::fillTraffic(Blocks const &blocks, RunPlaces const &run)
{
    auto const pairs = m_pairs;
    Bytes const most = pairs.empty() ? 1 : std::max<Bytes>(1, pairs.front().bytes);
    std::vector<Column> columns;
    columns.push_back(number(tr("From tile"), [pairs](int row) { return pairs[at(row)].from; }));
    columns.back().key = [pairs](int row) {
        auto const &pair = pairs[at(row)];
        return QStringLiteral("%1 %2 %3").arg(pair.from).arg(pair.to).arg(pair.toNextReplica);
    };
    auto to = number(tr("To tile"), [pairs](int row) { return pairs[at(row)].to; });
    to.text = [pairs](int row) {
        auto const &pair = pairs[at(row)];
        return pair.from == pair.to ? ownNumberLabel(pair.toNextReplica) : countText(pair.to);
    };
    to.tip = [pairs](int row) {
        auto const &pair = pairs[at(row)];
        return pair.from == pair.to && !pair.toNextReplica
            ? tr("A copy within the tile: its bytes go through its own exchange port and are priced as all others (modelled).")
            : QString();
    };
    columns.push_back(std::move(to));
    columns.push_back({tr("Bytes in the run"),
                       [pairs](int row) { return bytesText(pairs[at(row)].bytes); },
                       [pairs](int row) { return QVariant(static_cast<qlonglong>(pairs[at(row)].bytes)); },
                       [pairs](int row) { return bytesExact(pairs[at(row)].bytes); },
                       [pairs, most](int row) { return static_cast<double>(pairs[at(row)].bytes) / static_cast<double>(most); },
                       true,
                       {},
                       0});
    m_traffic->fill(std::move(columns), static_cast<int>(pairs.size()));

    int const recorded = run.run >= 0 ? run.run : 0;
    auto const &received = blocks->report->runTileMetric(recorded, "bytes_received"),
               &sent = blocks->report->runTileMetric(recorded, "bytes_sent");
    auto scene = std::make_shared<ColumnScene>();
    scene->axis.count = static_cast<int>(std::max(received.size(), sent.size()));
    auto const band = [&](QString const &name, Token token, std::vector<std::int64_t> values) {
        values.resize(at(scene->axis.count));
        ColumnBand b;
        b.name = name;
        b.token = token;
        b.values = std::move(values);
        scene->bands.push_back(std::move(b));
    };
    if (scene->axis.count > 0) {
        band(tr("in"), Token::InternalExchange, received);
        band(tr("out"), Token::Stream, sent);
        for (int tile = blocks->report->tilesPerIpu(); tile > 0 && tile < scene->axis.count; tile += blocks->report->tilesPerIpu())
            scene->dividers.push_back(tile);
    }
    m_profile->tip = [received, sent](int tile) {
        auto const value = [tile](std::vector<std::int64_t> const &values) { return at(tile) < values.size() ? values[at(tile)] : 0; };
        return tr("tile %1: %2 in, %3 out").arg(tile).arg(bytesExact(value(received)), bytesExact(value(sent)));
    };
    m_profile->setScene(scene);
}

QList<ExportTable> ExecutionPanel::exportTables() const
{
    ExportTable facts;
    facts.name = QStringLiteral("facts");
    facts.columns = {QStringLiteral("name"), QStringLiteral("value")};
    facts.rows.append({QStringLiteral("subject"), m_facts.title});
    static constexpr char const *phases[] = {"compute", "internal_exchange", "global_exchange", "stream", "sync", "idle", "other"};
    for (int p = 0; p < kLanePhases; ++p)
        facts.rows.append({QString::fromLatin1(phases[p]) + QStringLiteral("_cycles"), QString::number(m_facts.busy[at(p)])});
    for (auto const &[name, value] : m_facts.rows) facts.rows.append({name, value});
    ExportTable steps;
    steps.name = QStringLiteral("step_times");
    steps.columns = {QStringLiteral("first_step"), QStringLiteral("steps"), QStringLiteral("begin_ns"), QStringLiteral("seconds_per_step")};
    for (auto const &call : m_steps->times().calls)
        steps.rows.append({QString::number(call.firstStep + 1), QString::number(call.steps), QString::number(call.begin),
                           QString::number(call.seconds(), 'g', 9)});
    QList<ExportTable> tables{facts, m_waits->exportTable(QStringLiteral("waits")),
                              m_critical->exportTable(QStringLiteral("critical_path")), m_traffic->exportTable(QStringLiteral("pairs")),
                              steps};
    if (isTabVisible(indexOf(m_compared))) tables.prepend(m_compared->exportTable(QStringLiteral("compared")));
    return tables;
}

} // namespace tilewright::views

#include "views/operations/tiles_pane.h"

#include "views/common/format.h"
#include "views/common/wrapped_label.h"
#include "views/reports/report_snapshot.h"
#include "views/tiles/column_chart.h"
#include "views/wording/tile_words.h"
#include "views/wording/labels.h"

#include <QBoxLayout>
#include <QComboBox>

#include <algorithm>
#include <cmath>

namespace tilewright::views {

using namespace report;

namespace {

constexpr int kBins = 24;
constexpr int kLeastChart = 40 * kGrid; ///< height below which the page scrolls

std::vector<std::int64_t> rounded(std::vector<double> const &values)
{
    std::vector<std::int64_t> whole;
    whole.reserve(values.size());
    for (double const value : values) whole.push_back(std::llround(value));
    return whole;
}

bool isZero(std::vector<double> const &values)
{
    return std::ranges::all_of(values, [](double value) { return value <= 0; });
}

/// Tiles with a nonzero value, and the first tile with the maximum.
struct Most {
    int tile = -1;
    std::int64_t tiles = 0;
    double value = 0;
};

template <typename On> Most mostOf(int tiles, On const &on)
{
    Most most;
    for (int t = 0; t < tiles; ++t) {
        double const value = on(t);
        most.tiles += value > 0;
        if (value > most.value) most = {t, most.tiles, value};
    }
    return most;
}

} // namespace

std::shared_ptr<OpOnTiles const> opOnTiles(ReportPtr const &report, int op, RunFrame const &frame)
{
    auto found = std::make_shared<OpOnTiles>();
    TileVecOf const vec = [&report](int id) -> std::vector<std::int64_t> { return *report->tileVec(id); };
    auto const &d = report->data();
    found->code = opCode(d, op, vec);
    found->cycles = opCycles(d, op, frame, vec);
    found->durations = opDurations(d, op, frame, vec);
    found->spread = distributionOf(found->durations.values);
    found->measured = frame.measured;
    return found;
}

OpTilesPane::OpTilesPane(QWidget *parent) : QScrollArea(parent)
{
    auto *page = new QWidget;
    setWidget(page);
    setWidgetResizable(true);
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::NoFocus);
    m_words = new WrappedLabel(page);
    m_what = new QComboBox(page);
    m_what->setAccessibleName(tr("What is shown by tile"));
    m_what->setToolTip(m_what->accessibleName());
    for (auto const what : {Show::Cycles, Show::Code, Show::Durations}) m_what->addItem(toText(what));
    m_what->setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Fixed);
    m_chart = new ColumnChart(page);
    m_chart->setMinimumHeight(kLeastChart);
    m_chart->tip = [this](int tile) { return tipOf(tile); };
    m_chart->bandTip = [this](int band) {
        return tr("%1: click to show or hide").arg(m_chart->scene().bands[static_cast<std::size_t>(band)].name);
    };
    m_chart->coordinateText = [](double at) { return countText(std::llround(at)); };
    auto *column = new QVBoxLayout(page);
    column->setContentsMargins(0, kGrid, 0, 0);
    column->setSpacing(kGrid);
    column->addWidget(m_what);
    column->addWidget(m_words);
    column->addWidget(m_chart, 1);
    m_durations = new DurationsPane(page);
    column->addWidget(m_durations, 1);
    connect(m_what, &QComboBox::activated, this, &OpTilesPane::draw);
    connect(m_chart, &ColumnChart::picked, this, [this](int tile) { emit tilesChosen({tile}); });
    connect(m_chart, &ColumnChart::activated, this, &OpTilesPane::tileActivated);
    connect(m_chart, &ColumnChart::brushed, this, [this](int first, int last) {
        std::vector<int> tiles;
        for (int t = std::min(first, last); t <= std::max(first, last); ++t) tiles.push_back(t);
        emit tilesChosen(tiles);
    });
    connect(m_chart, &ColumnChart::bandClicked, this, [this](int band) {
        auto scene = std::make_shared<ColumnScene>(m_chart->scene());
        auto &shown = scene->bands[static_cast<std::size_t>(band)].shown;
        shown = !shown;
        m_chart->setScene(scene);
    });
    draw();
}

OpTilesPane::Show OpTilesPane::shown() const { return static_cast<Show>(m_what->currentIndex()); }

void OpTilesPane::setShown(Show what)
{
    m_what->setCurrentIndex(static_cast<int>(what));
    draw();
}

QString toText(OpTilesPane::Show what)
{
    switch (what) {
    case OpTilesPane::Show::Cycles: return OpTilesPane::tr("Cycles by tile");
    case OpTilesPane::Show::Code: return OpTilesPane::tr("Code by tile");
    case OpTilesPane::Show::Durations: return OpTilesPane::tr("Durations");
    }
    return {};
}

char const *idOf(OpTilesPane::Show what)
{
    return what == OpTilesPane::Show::Cycles ? "cycles" : what == OpTilesPane::Show::Code ? "code" : "durations";
}

void OpTilesPane::show(ReportPtr const &report, QString const &title, std::shared_ptr<OpOnTiles const> const &tiles)
{
    m_report = report;
    m_title = title;
    m_tiles = tiles;
    m_durations->show(title, tiles);
    draw();
}

void OpTilesPane::draw()
{
    auto scene = std::make_shared<ColumnScene>();
    bool const code = shown() == Show::Code, durations = shown() == Show::Durations;
    m_chart->setVisible(!durations);
    m_durations->setVisible(durations);
    m_chart->setAccessibleName(code ? tr("Code of the chosen operation by tile") : tr("Cycles of the chosen operation by tile"));
    m_chart->setAxisTitle(m_report && m_report->data().target.ipusPerReplica > 1 ? tr("tile of the replica") : tr("tile"));
    m_chart->setEmptyText(!m_tiles   ? tr("Choose an operation to see it by tile.")
                              : code ? tr("This operation has no code on tiles.")
                                     : tr("This operation takes no cycles of tiles: it computes nothing and exchanges nothing."));
    m_chart->binaryValues = code;
    m_chart->valueText = code ? std::function<QString(std::int64_t)>([](std::int64_t value) { return bytesText(value); })
                              : [](std::int64_t value) { return shortCount(static_cast<double>(value)); };
    QString words = m_title;
    if (m_tiles && m_report) {
        int const tiles = m_report->tiles(), perIpu = m_report->tilesPerIpu();
        scene->axis.count = tiles;
        for (int t = perIpu; perIpu > 0 && t < tiles; t += perIpu) scene->dividers.push_back(t);
        auto const band = [&scene](QString const &name, Token token, std::vector<double> const &values) {
            if (!isZero(values)) scene->bands.push_back({name, token, 0, rounded(values), true});
        };
        if (code) {
            band(tr("vertices"), Token::Code, m_tiles->code.vertex);
            band(tr("exchange"), Token::ExchangeCode, m_tiles->code.exchange);
            band(tr("control"), Token::Control, m_tiles->code.control);
            auto const most = mostOf(tiles, [this](int t) { return m_tiles->code.on(t); });
            if (most.tile >= 0)
                words += QStringLiteral(" · ")
                    + tr("code on %1 of %2 tiles, most on %3: %4")
                          .arg(countText(most.tiles), countText(tiles), tileInSentence(m_report->data(), most.tile),
                               bytesText(std::llround(most.value)));
            if (auto const rest = std::llround(m_tiles->code.elsewhere); rest > 0)
                words +=
                    QStringLiteral(" · ") + tr("%1 more, of transfers at the start and the end, are not told by tile").arg(bytesText(rest));
        } else {
            band(phaseLabel(Phase::Compute), Token::Compute, m_tiles->cycles.compute);
            band(tr("Exchange"), Token::InternalExchange, m_tiles->cycles.exchange);
            auto const most = mostOf(tiles, [this](int t) { return m_tiles->cycles.on(t); });
            if (most.tile >= 0)
                words += QStringLiteral(" · ")
                    + (m_tiles->cycles.ofStep ? tr("cycles of a step on %1 of %2 tiles, most on %3: %4 (modelled)")
                                              : tr("cycles of one execution on %1 of %2 tiles, most on %3: %4 (modelled)"))
                          .arg(countText(most.tiles), countText(tiles), tileInSentence(m_report->data(), most.tile),
                               cyclesText(std::llround(most.value)));
        }
    }
    m_words->setText(words);
    m_words->setVisible(!words.isEmpty() && !durations);
    m_chart->setScene(std::move(scene));
}

QString OpTilesPane::tipOf(int tile) const
{
    if (!m_tiles || !m_report || tile < 0) return {};
    QStringList lines{tileLabel(m_report->data(), tile)};
    auto const part = [&](std::vector<double> const &values) {
        return static_cast<std::size_t>(tile) < values.size() ? values[static_cast<std::size_t>(tile)] : 0;
    };
    bool const code = shown() == Show::Code;
    for (auto const &band : m_chart->scene().bands)
        if (auto const value = static_cast<std::size_t>(tile) < band.values.size() ? band.values[static_cast<std::size_t>(tile)] : 0;
            value > 0)
            lines << tr("%1: %2").arg(band.name, code ? bytesExact(value) : cyclesText(value));
    if (lines.size() == 1) lines << (code ? tr("no code of it") : tr("takes no part"));
    else if (lines.size() > 2)
        lines << tr("together %1")
                     .arg(code ? bytesExact(
                              std::llround(part(m_tiles->code.vertex) + part(m_tiles->code.exchange) + part(m_tiles->code.control)))
                               : cyclesText(std::llround(m_tiles->cycles.on(tile))));
    return lines.join(QLatin1Char('\n'));
}

void OpTilesPane::setMarked(std::vector<char> const &tiles, int chosen)
{
    ColumnMarks marks;
    marks.marked = tiles;
    marks.locked = chosen;
    m_chart->setMarks(std::move(marks));
}

DurationChart::DurationChart(QWidget *parent) : BarChart(parent) { setAccessibleName(tr("Durations of the chosen operation's steps")); }

void DurationChart::setDurations(std::vector<Weighted> const &values, QString const &empty)
{
    setEmptyText(empty);
    m_width = binWidth(values.empty() ? 0 : values.back().value, kBins);
    m_counts = countsByBin(values, m_width);
    std::vector<double> heights(m_counts.begin(), m_counts.end());
    ChartAxis x, y;
    x.title = tr("cycles of a step on a tile, from");
    x.text = [this](double at) { return shortCount(at * static_cast<double>(m_width)); };
    y.title = tr("durations");
    y.kind = AxisKind::Whole;
    y.text = [](double count) { return shortCount(count); };
    std::vector<BarSeries> series;
    if (!heights.empty()) series.push_back({{}, std::move(heights), [] { return QBrush(theme()[Token::Compute]); }});
    setBars(std::move(series), std::move(x), std::move(y));
}

QString DurationChart::tipOf(int index) const
{
    auto const from = static_cast<std::int64_t>(index) * m_width;
    return tr("%1 of them take %2 to %3")
        .arg(countText(m_counts[static_cast<std::size_t>(index)]), countText(from), cyclesText(from + m_width - 1));
}

QSize DurationChart::minimumSizeHint() const { return {kGrid * 50, kGrid * 32}; }

DurationsPane::DurationsPane(QWidget *parent) : QWidget(parent)
{
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(kGrid);
    for (auto **label : {&m_title, &m_figures, &m_over}) {
        *label = new WrappedLabel(this);
        (*label)->setTextInteractionFlags(Qt::TextSelectableByMouse);
        column->addWidget(*label);
    }
    m_over->setProperty("role", "secondary");
    m_chart = new DurationChart(this);
    column->addWidget(m_chart, 1);
    show({}, {});
}

void DurationsPane::show(QString const &title, std::shared_ptr<OpOnTiles const> const &tiles)
{
    m_chart->setDurations(tiles ? tiles->durations.values : std::vector<Weighted>{},
                          tiles ? tr("There is nothing of it that takes cycles of tiles.")
                                : tr("Choose an operation to see how long its steps take."));
    QString figures, over;
    if (tiles && tiles->spread.count > 0) {
        auto const &s = tiles->spread;
        figures = tr("mean %1 · median %2 · 75 % up to %3 · 90 % up to %4 · 99 % up to %5 · %6 to %7 cycles")
                      .arg(numberText(s.mean), countText(s.median), countText(s.p75), countText(s.p90), countText(s.p99),
                           countText(s.least), countText(s.most));
        auto const &d = tiles->durations;
        QString const steps = tr("%Ln step(s)", nullptr, static_cast<int>(d.steps)),
                      onTiles = tr("%Ln tile(s)", nullptr, static_cast<int>(d.tiles));
        if (d.over == OpDurations::Over::TilesAndExecutions)
            over = tr("Over executions and tiles: %1 durations, of %2 executions of %3 on %4. The tiles' clocks measured that every "
                      "execution of a step took as long.")
                       .arg(countText(s.count), countText(d.executions), steps, onTiles);
        else if (tiles->measured)
            over = tr("Over tiles: %1 durations, of one execution of %2 on %3 (modelled). The run measured executions of different "
                      "lengths; it keeps their least, mean and most, not each of them.")
                       .arg(countText(s.count), steps, onTiles);
        else
            over = tr("Over tiles: %1 durations, of one execution of %2 on %3 (modelled). This report has no executions that were "
                      "measured, so none are counted.")
                       .arg(countText(s.count), steps, onTiles);
    }
    m_title->setText(title);
    m_figures->setText(figures);
    m_over->setText(over);
    for (auto *label : {m_title, m_figures, m_over}) label->setVisible(!label->text().isEmpty());
}

QString DurationsPane::words() const { return m_figures->text() + QLatin1Char('\n') + m_over->text(); }

} // namespace tilewright::views

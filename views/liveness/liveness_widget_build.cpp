// Creates and connects the widgets of the liveness view.
#include "views/common/figure_parts.h"
#include "views/common/tab_filters.h"
#include "views/common/theme.h"
#include "views/common/wrapped_label.h"
#include "views/liveness/life_bars.h"
#include "views/liveness/liveness_widget.h"
#include "views/session/selection.h"
#include "views/tiles/column_chart.h"
#include "views/tiles/column_overview.h"
#include "views/common/flow_layout.h"
#include "views/figures/comparison.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QScrollArea>
#include <QSplitter>
#include <QTabWidget>
#include <QToolButton>
#include <QTreeView>
#include <QVBoxLayout>

namespace tilewright::views {

namespace {
constexpr int kLeastChart = 36 * kGrid; ///< height below which the view scrolls
constexpr int kLeastRows = 4;           ///< of a table: in low windows the chart shrinks first
} // namespace

void LivenessWidget::build()
{
    auto *body = new QWidget(this);
    auto *all = new QVBoxLayout(body);
    all->setContentsMargins(0, 0, 0, 0);
    all->setSpacing(kGrid);
    auto *controls = new QWidget(body);
    auto *flow = new FlowLayout(controls);
    auto const choice = [&](QString const &name) {
        auto *pair = new QWidget(controls);
        auto *row = new QHBoxLayout(pair);
        row->setContentsMargins(0, 0, 0, 0);
        row->setSpacing(kGrid);
        auto *label = new QLabel(name, pair);
        label->setProperty("role", "secondary");
        auto *box = new QComboBox(pair);
        box->setAccessibleName(name);
        label->setBuddy(box);
        row->addWidget(label);
        row->addWidget(box);
        flow->addWidget(pair);
        connect(box, &QComboBox::currentIndexChanged, this, &LivenessWidget::ask);
        return box;
    };
    m_scope = choice(tr("Bytes of"));
    m_by = choice(tr("Broken down by"));
    for (auto const by : {Breakdown::Role, Breakdown::Layer, Breakdown::Liveness, Breakdown::Category})
        m_by->addItem(toText(by), QString::fromLatin1(idOf(by)));
    m_axis = choice(tr("Axis"));
    m_axis->addItem(tr("steps"), false);
    m_axis->addItem(tr("cycles (modelled)"), true);
    auto const button = [&](QString const &text, QString const &tip) {
        auto *made = new QToolButton(controls);
        made->setText(text);
        made->setToolTip(tip);
        made->setAccessibleName(text);
        made->setProperty("role", "word");
        flow->addWidget(made);
        return made;
    };
    m_peak = button(tr("Next peak"), tr("Go to the next local maximum (P; with Shift the one before)"));
    m_limit = button(tr("Limit"), tr("Scale the chart so that the memory there is shows (L)"));
    m_limit->setCheckable(true);
    m_leave = button(tr("Exclude"), tr("Show the curve without the variables selected in the table (Delete)"));
    m_bring = button(tr("Include all"), tr("Count all variables again"));
    all->addWidget(controls);
    buildSteps(controls);
    m_without = new QLabel(body);
    m_without->setWordWrap(true);
    m_without->hide();
    all->addWidget(m_without);
    m_compared = new QLabel(body);
    m_compared->setWordWrap(true);
    m_compared->hide();
    all->addWidget(m_compared);

    auto *top = new QWidget(body);
    auto *column = new QVBoxLayout(top);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    m_chart = new ColumnChart(top);
    m_chart->setAccessibleName(tr("Live bytes by liveness step"));
    m_chart->setEmptyText(tr("This report holds no lifetimes."));
    m_bars = new LifeBars(top);
    m_bars->hide();
    m_overview = new ColumnOverview(*m_chart, top);
    m_overview->setAccessibleName(tr("Overview of all steps"));
    keepOutOfFigures(*m_overview);
    column->addWidget(m_overview);
    column->addWidget(m_chart, 1);
    column->addWidget(m_bars);
    top->setMinimumHeight(kLeastChart);

    auto *below = new QWidget(body);
    auto *belowColumn = new QVBoxLayout(below);
    belowColumn->setContentsMargins(0, kGrid, 0, 0);
    belowColumn->setSpacing(kGrid);
    m_stepText = new WrappedLabel(below);
    m_stepText->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_tables = new QTabWidget(below);
    m_tables->setDocumentMode(true);
    m_tables->setAccessibleName(tr("Tables of the step"));
    QString const titles[TableCount] = {tr("Live at the step"), tr("Born"), tr("Dying"), tr("Difference"), tr("Peaks"), tr("Compared")};
    for (int t = 0; t < TableCount; ++t) {
        auto *pane = new TablePane(titles[t], m_tables);
        m_panes[static_cast<std::size_t>(t)] = pane;
        m_tables->addTab(pane, titles[t]);
        connect(pane, &TablePane::rowsPicked, this, [this, t](std::vector<int> const &rows) { rowsPicked(static_cast<Table>(t), rows); });
        pane->tree().installEventFilter(this);
        pane->tree().setMinimumHeight((kLeastRows + 1) * kRowHeight + 2 * kGrid); // with the header
    }
    m_tables->setTabVisible(Compared, false);
    new TabFilters(*m_tables);
    belowColumn->addWidget(m_stepText);
    belowColumn->addWidget(m_tables, 1);

    m_splitter = new QSplitter(Qt::Vertical, body);
    m_splitter->addWidget(top);
    m_splitter->addWidget(below);
    m_splitter->setStretchFactor(0, 3);
    m_splitter->setStretchFactor(1, 2);
    m_splitter->setChildrenCollapsible(false);
    m_splitter->setSizePolicy(QSizePolicy::Expanding,
                              QSizePolicy::Ignored); // otherwise the page would scroll before the chart shrinks
    m_splitter->installEventFilter(this);            // sets the heights explicitly
    all->addWidget(m_splitter, 1);
    auto *scroll = new QScrollArea(this);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidget(body);
    setBody(scroll);
    drawsFigures(*this);
    comparesReports(*this);
    keepOutOfFigures(*controls);
    keepOutOfFigures(*below);
    setFocusProxy(m_chart);
    m_chart->installEventFilter(this);

    m_chart->tip = [this](int position) { return tipOf(stepAt(position)); };
    m_chart->bandTip = [this](int band) {
        QString const name = m_chart->scene().bands[static_cast<std::size_t>(band)].name;
        if (m_question.layer >= 0) return tr("%1: click to go back to all layers").arg(name);
        return m_question.by == Breakdown::Layer ? tr("%1: click to see its variables").arg(name)
                                                 : tr("%1: click to show or hide").arg(name);
    };
    connect(m_chart, &ColumnChart::picked, this, [this](int position, Qt::KeyboardModifiers modifiers) {
        int const step = stepAt(position);
        if (step < 0) return;
        if (modifiers & Qt::ControlModifier) setSecond(step == m_second ? -1 : step);
        else setStep(step, true);
    });
    connect(m_chart, &ColumnChart::brushed, this, [this](int first, int last, Qt::KeyboardModifiers) {
        setStep(stepAt(first), true);
        setSecond(stepAt(last));
    });
    connect(m_chart, &ColumnChart::bandClicked, this, &LivenessWidget::openBand);
    connect(m_chart, &ColumnChart::viewChanged, this, [this] {
        m_bars->setAxis(m_filtered ? axisOfSteps(m_picture.scene->axis, m_found) : m_chart->scene().axis, m_chart->window(),
                        m_chart->plotRect().left());
        showZoom();
    });
    connect(m_bars, &LifeBars::picked, this,
            [this](int variable) { session().selection().selectIds(SelectionKind::Variable, {variable}, this); });
    connect(m_peak, &QToolButton::clicked, this, [this] { keyPressed(Qt::Key_P, Qt::NoModifier); });
    connect(m_limit, &QToolButton::toggled, this, [this](bool on) { m_chart->setLimitShown(on); });
    connect(m_leave, &QToolButton::clicked, this, &LivenessWidget::leaveOut);
    connect(m_bring, &QToolButton::clicked, this, [this] {
        m_question.without.clear();
        rebuild();
    });
    connect(m_tables, &QTabWidget::currentChanged, this, [this] { fillTables(); });
}

} // namespace tilewright::views

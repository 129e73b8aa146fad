#include "views/runs/compare_curves.h"

#include "views/common/words.h"
#include "views/runs/compare_pane.h"
#include "views/plots/curve_panel.h"
#include "views/reports/report_snapshot.h"

#include <QBoxLayout>
#include <QComboBox>
#include <QLabel>

#include <algorithm>

namespace tilewright::views {

namespace {

std::vector<LiveSeries> seriesOf(ReportPtr const &report)
{
    if (!report || !report->isWhole()) return {};
    auto series = reportSeries(*report, trainingRun(report->data()));
    std::erase_if(series, [](LiveSeries const &s) { return s.x.empty(); });
    return series;
}

QString labelOf(LiveSeries const &series) { return series.perEpoch ? Words::tr("%1 by epoch").arg(series.name) : series.name; }

LiveSeries const *labelled(std::vector<LiveSeries> const &all, QString const &label)
{
    auto const it = std::ranges::find(all, label, labelOf);
    return it == all.end() ? nullptr : &*it;
}

} // namespace

CompareCurves::CompareCurves(QWidget *parent) : QWidget(parent), m_choice(new QComboBox(this)), m_panel(new CurvePanel({}, this))
{
    m_choice->setAccessibleName(tr("Series of both runs"));
    m_choice->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    m_panel->setSmoothing(kCurveSmoothing); // as in the view of the running run
    auto *label = new QLabel(tr("Series"), this);
    label->setBuddy(m_choice);
    auto *row = new QHBoxLayout;
    row->addWidget(label);
    row->addWidget(m_choice);
    row->addStretch(1);
    auto *all = new QVBoxLayout(this);
    all->setContentsMargins(0, 0, 0, 0);
    all->setSpacing(kGrid);
    all->addLayout(row);
    all->addWidget(m_panel, 1);
    connect(m_choice, &QComboBox::currentIndexChanged, this, &CompareCurves::draw);
    hide();
}

void CompareCurves::setReports(ReportPtr const &baseline, ReportPtr const &shown)
{
    setSeries({{tr("baseline"), seriesOf(baseline), curveToken(0)}, {tr("on show"), seriesOf(shown), curveToken(1)}});
}

void CompareCurves::setRuns(std::vector<NamedReport> const &runs)
{
    std::vector<Run> all;
    for (auto const &run : runs) all.push_back({run.name, seriesOf(run.report), curveToken(static_cast<int>(all.size()))});
    setSeries(std::move(all));
}

void CompareCurves::setSeries(std::vector<Run> runs)
{
    m_runs = std::move(runs);
    QStringList names;
    for (auto run = m_runs.rbegin(); run != m_runs.rend(); ++run)
        for (auto const &series : run->series)
            if (!names.contains(labelOf(series))) names << labelOf(series);
    // Curves that all runs have come first, because those can be compared.
    std::ranges::stable_partition(names, [&](QString const &name) {
        return std::ranges::all_of(m_runs, [&](Run const &run) { return labelled(run.series, name) != nullptr; });
    });
    QString const before = m_choice->currentText();
    {
        QSignalBlocker const quiet(m_choice);
        m_choice->clear();
        m_choice->addItems(names);
        m_choice->setCurrentIndex(std::max(0, static_cast<int>(names.indexOf(before))));
    }
    setVisible(!names.isEmpty());
    draw();
}

void CompareCurves::draw()
{
    QString const name = m_choice->currentText();
    std::vector<Curve> curves;
    bool byEpoch = false;
    for (auto const &run : m_runs) {
        auto const *series = labelled(run.series, name);
        if (!series) continue;
        byEpoch = series->perEpoch;
        Curve curve;
        curve.name = run.name;
        curve.x = series->x;
        curve.y = series->y;
        curve.color = run.color;
        curve.smooth = !series->perEpoch;
        curve.broad = curves.empty(); // the others are drawn over it without hiding it
        if (series->perEpoch) curve.shape = CurveShape::LineAndPoints;
        curves.push_back(std::move(curve));
    }
    m_panel->setTitle(name);
    m_panel->setAxes({byEpoch ? tr("epoch") : tr("step"), {}});
    m_panel->setCurves(std::move(curves));
    m_panel->fit();
}

ExportTable CompareCurves::exportTable() const { return m_panel->exportTable(m_choice->currentText()); }

} // namespace tilewright::views

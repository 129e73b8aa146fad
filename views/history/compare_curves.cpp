#include "views/history/compare_curves.h"

#include "views/figures/text.h"
#include "views/plots/curve_panel.h"
#include "views/session/report_snapshot.h"

#include <QBoxLayout>
#include <QComboBox>
#include <QLabel>

#include <algorithm>

namespace tilewright::views {

namespace {

constexpr double kSmoothing = 0.6;

std::vector<LiveSeries> seriesOf(ReportSnapshot const *report)
{
    if (!report || !report->isWhole()) return {};
    auto series = reportSeries(*report, trainingRun(report->data()));
    std::erase_if(series, [](LiveSeries const &s) { return s.x.empty(); });
    return series;
}

QString labelOf(LiveSeries const &series) { return series.perEpoch ? Text::tr("%1 by epoch").arg(series.name) : series.name; }

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
    m_panel->setSmoothing(kSmoothing);
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

void CompareCurves::setReports(ReportSnapshot const *baseline, ReportSnapshot const *shown)
{
    m_baseline = seriesOf(baseline);
    m_shown = seriesOf(shown);
    QStringList names;
    for (auto const *all : {&m_shown, &m_baseline})
        for (auto const &series : *all)
            if (!names.contains(labelOf(series))) names << labelOf(series);
    // What both have comes first: it is what there is to compare.
    std::ranges::stable_partition(names, [&](QString const &name) { return labelled(m_baseline, name) && labelled(m_shown, name); });
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
    auto const add = [&](LiveSeries const *series, QString const &title, Token color) {
        if (!series) return;
        byEpoch = series->perEpoch;
        Curve curve;
        curve.name = title;
        curve.x = series->x;
        curve.y = series->y;
        curve.color = color;
        curve.smooth = !series->perEpoch;
        if (series->perEpoch) curve.shape = CurveShape::LineAndPoints;
        curves.push_back(std::move(curve));
    };
    add(labelled(m_baseline, name), tr("baseline"), Token::SecondaryText);
    add(labelled(m_shown, name), tr("on show"), Token::Accent);
    m_panel->setTitle(name);
    m_panel->setAxes({byEpoch ? tr("epoch") : tr("step"), {}});
    m_panel->setCurves(std::move(curves));
    m_panel->fit();
}

ExportTable CompareCurves::exportTable() const { return m_panel->exportTable(m_choice->currentText()); }

} // namespace tilewright::views

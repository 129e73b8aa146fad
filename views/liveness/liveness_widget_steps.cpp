// The steps that the chart shows: search by name, and zoom range.
#include "views/common/format.h"
#include "views/liveness/live_steps.h"
#include "views/liveness/liveness_widget.h"
#include "views/tiles/column_chart.h"

#include <QBoxLayout>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QTimer>
#include <QToolButton>

#include <algorithm>
#include <cmath>

namespace tilewright::views {

namespace {
constexpr int kFindAfter = 150; ///< milliseconds without a key
constexpr int kFilterWidth = 44 * kGrid;
constexpr int kMostZoom = 1000000; ///< percent
} // namespace

void LivenessWidget::buildSteps(QWidget *controls)
{
    auto const group = [controls] {
        auto *made = new QWidget(controls);
        auto *row = new QHBoxLayout(made);
        row->setContentsMargins(0, 0, 0, 0);
        row->setSpacing(kGrid);
        controls->layout()->addWidget(made);
        return made;
    };
    auto *steps = group();
    m_filter = new QLineEdit(steps);
    m_filter->setPlaceholderText(tr("Steps by name"));
    m_filter->setAccessibleName(tr("Filter of steps by name"));
    m_filter->setToolTip(tr("Shows only steps whose name, kind, layer, pass or stage fits: words, -not, a,b, /pattern/"));
    m_filter->setClearButtonEnabled(true);
    m_filter->setMinimumWidth(kFilterWidth);
    m_foundText = new QLabel(steps);
    m_foundText->setProperty("role", "secondary");
    m_foundText->hide();
    for (QWidget *widget : std::initializer_list<QWidget *>{m_filter, m_foundText}) steps->layout()->addWidget(widget);
    auto *zoom = group();
    auto *zoomName = new QLabel(tr("Zoom"), zoom);
    zoomName->setProperty("role", "secondary");
    m_zoom = new QSpinBox(zoom);
    m_zoom->setAccessibleName(tr("Zoom in percent"));
    m_zoom->setToolTip(tr("How much the steps are stretched; 100 % shows all of them. The chosen step stays in sight."));
    m_zoom->setRange(100, kMostZoom);
    m_zoom->setSingleStep(50);
    m_zoom->setSuffix(tr(" %"));
    m_zoom->setKeyboardTracking(false);
    zoomName->setBuddy(m_zoom);
    auto *all = new QToolButton(zoom);
    all->setProperty("role", "word");
    all->setText(tr("All steps"));
    all->setAccessibleName(tr("Show all steps"));
    all->setToolTip(tr("Shows all steps again (F)"));
    for (QWidget *widget : std::initializer_list<QWidget *>{zoomName, m_zoom, all}) zoom->layout()->addWidget(widget);
    m_findSoon = new QTimer(this);
    m_findSoon->setSingleShot(true);
    m_findSoon->setInterval(kFindAfter);
    connect(m_findSoon, &QTimer::timeout, this, &LivenessWidget::findSteps);
    connect(m_filter, &QLineEdit::textChanged, m_findSoon, qOverload<>(&QTimer::start));
    connect(m_filter, &QLineEdit::returnPressed, this, [this] {
        // Typed text takes effect at once; the keyboard then moves among the remaining steps.
        m_findSoon->stop();
        findSteps();
        m_chart->setFocus(Qt::OtherFocusReason);
    });
    connect(m_zoom, &QSpinBox::valueChanged, this, &LivenessWidget::zoomTo);
    connect(all, &QToolButton::clicked, this, [this] { m_chart->fit(); });
}

int LivenessWidget::stepAt(int position) const
{
    if (position < 0 || position >= m_chart->scene().axis.count) return -1;
    return m_filtered ? m_found[static_cast<std::size_t>(position)] : position;
}

int LivenessWidget::positionOf(int step) const
{
    if (!m_filtered || step < 0) return step;
    auto const at = std::ranges::lower_bound(m_found, step);
    return at != m_found.end() && *at == step ? static_cast<int>(at - m_found.begin()) : -1;
}

std::vector<int> LivenessWidget::shownPeaks() const
{
    std::vector<int> peaks;
    for (int const peak : m_picture.peaks)
        if (positionOf(peak) >= 0) peaks.push_back(peak);
    return peaks;
}

/// To the nearest neighbour among the shown steps.
void LivenessWidget::moveBy(int steps)
{
    if (!m_filtered) return setStep(m_step + steps, true);
    if (m_found.empty()) return;
    auto const after = std::ranges::upper_bound(m_found, m_step);
    auto const before = std::ranges::lower_bound(m_found, m_step);
    if (steps > 0 && after != m_found.end()) setStep(*after, true);
    if (steps < 0 && before != m_found.begin()) setStep(*(before - 1), true);
}

void LivenessWidget::findSteps()
{
    if (!m_report) return;
    QString const filter = m_filter->text().trimmed();
    QString error;
    m_found = stepsNamed(*m_report, filter, &error);
    m_foundText->setText(!error.isEmpty() ? error
                                          : tr("%1 of %2 steps")
                                                .arg(countText(static_cast<std::int64_t>(m_found.size())),
                                                     countText(static_cast<std::int64_t>(m_report->data().livenessSteps.size()))));
    m_filtered = !filter.isEmpty();
    m_foundText->setVisible(m_filtered);
    drawChart();
    showMarks();
    if (m_contents) showBars();
}

void LivenessWidget::forgetFilter()
{
    m_filter->clear();
    m_findSoon->stop();
    m_found.clear();
    m_filtered = false;
    m_foundText->hide();
}

void LivenessWidget::drawChart()
{
    bool const cycles = m_axis->currentData().toBool();
    if (cycles) m_chart->coordinateText = [](double at) { return shortCount(at); };
    else if (!m_filtered) m_chart->coordinateText = [](double at) { return countText(std::llround(at)); };
    else
        m_chart->coordinateText = [this](double at) {
            int const step = stepAt(static_cast<int>(std::lround(at)));
            return step >= 0 ? countText(step) : QString();
        };
    m_chart->setAxisTitle(!cycles          ? tr("liveness step")
                              : m_filtered ? tr("cycles of the steps shown (modelled)")
                                           : tr("cycles of one pass through the program (modelled)"));
    m_chart->setEmptyText(m_filtered ? tr("No step has a name like that.") : tr("This report holds no lifetimes."));
    m_chart->setScene(m_filtered ? sceneOfSteps(*m_picture.scene, m_found) : m_picture.scene);
}

void LivenessWidget::showZoom()
{
    auto const window = m_chart->window();
    double const all = m_chart->scene().axis.length(), shown = window.to - window.from;
    QSignalBlocker const quiet(m_zoom);
    m_zoom->setEnabled(all > 0);
    m_zoom->setValue(shown > 0 ? static_cast<int>(std::clamp(std::lround(100 * all / shown), 100L, static_cast<long>(kMostZoom))) : 100);
}

void LivenessWidget::zoomTo(int percent)
{
    auto const window = m_chart->window();
    auto const &axis = m_chart->scene().axis;
    double const all = axis.length(), wanted = all * 100 / percent;
    // Around the selected step if visible, otherwise around the middle.
    int const chosen = positionOf(m_step);
    double const middle = (window.from + window.to) / 2, step = chosen >= 0 && chosen < axis.count ? axis.middle(chosen) : -1;
    double const around = step >= window.from && step <= window.to ? step : middle;
    double const shown = window.to - window.from, share = shown > 0 ? (around - window.from) / shown : 0.5;
    m_chart->setWindow(around - wanted * share, around - wanted * share + wanted);
}

} // namespace tilewright::views

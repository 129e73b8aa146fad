#include "views/execution/step_time_chart.h"

#include "views/common/format.h"

#include <QLocale>

#include <algorithm>

namespace tilewright::views {

namespace {

constexpr double kRadius = 4;
/// If the longest step is this many times the median, a linear axis would show only a straight line.
constexpr double kLogarithmicFrom = 10;

QString stepsText(StepTimes::Call const &call)
{
    QLocale const locale;
    QString const first = locale.toString(static_cast<qlonglong>(call.firstStep + 1));
    if (call.steps == 1) return StepTimeChart::tr("step %1").arg(first);
    return StepTimeChart::tr("steps %1 to %2").arg(first, locale.toString(static_cast<qlonglong>(call.firstStep + call.steps)));
}

} // namespace

StepTimeChart::StepTimeChart(QWidget *parent) : ScatterChart(parent)
{
    setAccessibleName(tr("Time of a step by its number, measured on this computer"));
    setEmptyText(tr("This report has no calls of the program: they are recorded while a run trains."));
    connect(this, &Chart::clicked, this, [this](int index) {
        if (index < 0) return;
        auto const &call = m_times.calls[static_cast<std::size_t>(m_times.slow[static_cast<std::size_t>(index)])];
        emit picked(call.begin, call.end);
    });
}

void StepTimeChart::setTimes(StepTimes times)
{
    m_times = std::move(times);
    ChartLine line;
    line.token = Token::Stream;
    std::vector<ScatterPoint> points;
    double least = m_times.longest;
    for (auto const &call : m_times.calls) {
        line.x.push_back(static_cast<double>(call.firstStep + 1));
        line.y.push_back(call.seconds());
        least = std::min(least, call.seconds());
    }
    for (int const i : m_times.slow)
        points.push_back({line.x[static_cast<std::size_t>(i)], line.y[static_cast<std::size_t>(i)], kRadius, Token::Warning, false});
    ChartAxis x, y;
    x.title = tr("step");
    x.kind = AxisKind::Whole;
    y.text = [](double seconds) { return secondsText(seconds); };
    if (!m_times.empty()) {
        x.limits.home = {line.x.front(), std::max(line.x.back(), line.x.front() + 1)};
        bool const logarithmic = least > 0 && m_times.longest > kLogarithmicFrom * m_times.median;
        y.kind = logarithmic ? AxisKind::Logarithmic : AxisKind::Linear;
        y.limits.home = logarithmic ? Span{least * 0.8, m_times.longest * 1.2} : Span{0, std::max(m_times.longest * 1.1, 1e-9)};
    }
    setScatter(std::move(points), m_times.empty() ? std::vector<ChartLine>() : std::vector<ChartLine>{std::move(line)});
    setDescription(summary());
    setAxes(std::move(x), std::move(y));
}

QString StepTimeChart::summary() const
{
    if (m_times.empty()) return {};
    QString text = tr("Half of all steps took at most %1 on this computer, the longest %2.")
                       .arg(secondsText(m_times.median), secondsText(m_times.longest));
    if (m_times.slowInAll == 0) return text + QLatin1Char(' ') + tr("None took unusually long.");
    text += QLatin1Char(' ')
        + tr("%n call(s) took unusually long; click one to see what the host did.", nullptr, static_cast<int>(m_times.slowInAll));
    if (auto const shown = m_times.slow.size(); static_cast<std::int64_t>(shown) < m_times.slowInAll)
        text += QLatin1Char(' ') + tr("The %n longest are marked.", nullptr, static_cast<int>(shown));
    return text;
}

QString StepTimeChart::tipOf(int index) const
{
    auto const &call = m_times.calls[static_cast<std::size_t>(m_times.slow[static_cast<std::size_t>(index)])];
    QString const times = m_times.median > 0 ? numberText(call.seconds() / m_times.median) : QStringLiteral("–");
    return tr("%1: %2 a step, %3 times the median").arg(stepsText(call), secondsText(call.seconds()), times);
}

} // namespace tilewright::views

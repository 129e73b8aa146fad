#include "engine/runtime/metric_totals.h"

#include <algorithm>
#include <cstring>

namespace tilewright::runtime {

MetricTotals::MetricTotals(std::vector<graph::FeedSpec> const &specs) : m_specs(specs), m_begins{0}
{
    for (auto const &spec : specs) m_begins.push_back(m_begins.back() + static_cast<std::size_t>(elementCount(spec.shape)));
    m_totals.resize(m_begins.back(), 0.0);
}

void MetricTotals::add(std::size_t index, std::span<float const> sums, double samples)
{
    bool const isMean = m_specs[index].tally.reading == Tally::Reading::Mean;
    auto const count = std::min(sums.size(), m_begins[index + 1] - m_begins[index]);
    for (std::size_t i = 0; i < count; ++i) m_totals[m_begins[index] + i] += isMean ? static_cast<double>(sums[i]) * samples : sums[i];
    if (index == 0) m_samples += samples;
}

void MetricTotals::reset()
{
    std::ranges::fill(m_totals, 0.0);
    m_samples = 0;
}

double MetricTotals::figure(std::size_t index) const
{
    auto const totals = std::span(m_totals).subspan(m_begins[index], m_begins[index + 1] - m_begins[index]);
    if (m_specs[index].tally.reading != Tally::Reading::Mean) return figureOf(m_specs[index].tally, totals);
    return m_samples > 0 ? totals[0] / m_samples : 0.0;
}

std::vector<std::pair<std::string, double>> MetricTotals::metrics() const
{
    std::vector<std::pair<std::string, double>> all;
    for (std::size_t i = 1; i < m_specs.size(); ++i) all.emplace_back(m_specs[i].name, figure(i));
    return all;
}

void MetricTotals::continueFrom(std::vector<double> const &totals, double samples)
{
    if (totals.size() != m_totals.size()) return;
    m_totals = totals;
    m_samples = samples;
}

std::vector<float> sumsOf(std::span<std::byte const> bytes)
{
    std::vector<float> sums(bytes.size() / sizeof(float));
    std::memcpy(sums.data(), bytes.data(), sums.size() * sizeof(float));
    return sums;
}

} // namespace tilewright::runtime

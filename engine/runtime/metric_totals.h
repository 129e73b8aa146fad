#pragma once

#include "engine/graph/feed.h"

#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace tilewright::runtime {

/// Adds up the outputs of the micro-batches of an epoch, loss first, and computes the figures of loss and metrics from the totals.
class MetricTotals {
public:
    /// Requires: the specs outlive it.
    explicit MetricTotals(std::vector<graph::FeedSpec> const &specs);
    /// The sums of one micro-batch for output `index`. `samples`: its size, which weighs what is a mean already.
    void add(std::size_t index, std::span<float const> sums, double samples = 1);
    void reset();

    double loss() const { return figure(0); }
    double figure(std::size_t index) const;
    /// All but the loss, by name.
    std::vector<std::pair<std::string, double>> metrics() const;

    /// What it has added, and how many samples, to continue elsewhere.
    std::vector<double> const &totals() const { return m_totals; }
    double samples() const { return m_samples; }
    void continueFrom(std::vector<double> const &totals, double samples);

private:
    std::vector<graph::FeedSpec> const &m_specs;
    std::vector<std::size_t> m_begins; ///< of each output's totals, and the end
    std::vector<double> m_totals;
    double m_samples = 0;
};

/// The elements of a float32 tensor, as a device sends it.
std::vector<float> sumsOf(std::span<std::byte const> bytes);

} // namespace tilewright::runtime

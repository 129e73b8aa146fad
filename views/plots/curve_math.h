#pragma once

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

// Computations of a curve panel before drawing: pure functions over points with ascending x.
namespace tilewright::views {

/// Exponential smoothing with a weight that decreases with distance, equal to TensorBoard's slider at equal distances: a_i = a_(i-1) w^d +
/// y_i, n_i = n_(i-1) w^d + 1, result a_i / n_i, where d is the distance to the previous point in units of the smallest distance. `weight`
/// 0 (raw) … 0.999. A missing value (NaN or infinite) stays missing and is skipped; the distance across it counts.
std::vector<double> smoothed(std::span<double const> x, std::span<double const> y, double weight);
/// The same for points that each represent several values with that mean, at equal distances.
std::vector<double> smoothedMeans(std::span<double const> means, std::span<double const> counts, double weight);

/// Points to draw.
struct DrawnPoints {
    std::vector<double> x, y;
};

/// The part of a curve in [begin, end], with at most about five points per pixel column: the first, least, greatest and last value of a
/// crowded column, in order, so that no extreme is lost. A missing value in a column breaks the line. One point on either side is kept, so
/// that lines leave the picture.
DrawnPoints thinned(std::span<double const> x, std::span<double const> y, double begin, double end, int columns);

/// Least and greatest finite value with x in [begin, end]; first > second if there is none. `positiveOnly`: for logarithmic axes.
std::pair<double, double> valueRange(std::span<double const> x, std::span<double const> y, double begin, double end, bool positiveOnly);

/// Index of the point nearest to `at`; x.size() without points.
std::size_t nearestPoint(std::span<double const> x, double at);

} // namespace tilewright::views

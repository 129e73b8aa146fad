#pragma once

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

// What a curve panel computes before it draws: pure functions over points whose x ascends.
namespace tilewright::views {

/// Exponential smoothing with the weight of the present shrinking by distance, as TensorBoard's slider at
/// equal distances: a_i = a_(i-1) w^d + y_i, n_i = n_(i-1) w^d + 1, result a_i / n_i, where d is the distance
/// to the point before in units of the smallest distance that occurs. `weight` 0 (raw) … 0.999. A missing
/// value (NaN or infinite) stays missing and does not enter; the distance across it counts.
std::vector<double> smoothed(std::span<double const> x, std::span<double const> y, double weight);
/// The same of points each of which stands for so many values of that mean, one after the other at equal distances.
std::vector<double> smoothedMeans(std::span<double const> means, std::span<double const> counts, double weight);

/// Points for drawing.
struct DrawnPoints {
    std::vector<double> x, y;
};

/// The part of a curve in [begin, end], at most about five points per pixel column: of a crowded column the first,
/// the least, the greatest and the last value, in order, so that no extreme is lost; a missing value anywhere
/// in a column breaks the line there. One point on either side is kept, so that lines leave the picture.
DrawnPoints thinned(std::span<double const> x, std::span<double const> y, double begin, double end, int columns);

/// Least and greatest finite value with x in [begin, end]; first > second when there is none. `positiveOnly`
/// for logarithmic axes.
std::pair<double, double> valueRange(std::span<double const> x, std::span<double const> y, double begin, double end, bool positiveOnly);

/// Index of the point nearest to `at`; x.size() without points.
std::size_t nearestPoint(std::span<double const> x, double at);

} // namespace tilewright::views

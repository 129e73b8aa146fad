#pragma once

#include <QString>
#include <QWidget>

#include <functional>
#include <memory>
#include <vector>

namespace tilewright::bench {

/// A widget on large data and a path through it. To add one: a function that returns scenes, named in frames.cpp.
struct Scene {
    QString name;
    QString what;           ///< size of the data, for the output
    double budgetMs = 16.7; ///< for the 95th percentile
    int frames = 240;
    std::function<std::unique_ptr<QWidget>()> make; ///< not counted
    std::function<void(QWidget &, int frame)> play; ///< moves on by one frame; painting follows
};

std::vector<Scene> laneScenes();
std::vector<Scene> bspScenes();
std::vector<Scene> tileScenes();
std::vector<Scene> canvasScenes();

} // namespace tilewright::bench

#pragma once

#include "engine/report/quantities.h"
#include "views/runcontrol/run_controller.h"

#include <QString>
#include <QStringList>

#include <vector>

namespace tilewright::views {

class ReportSnapshot;

/// A phase, or a pass inside one, of a compile. Times are measured on this computer.
struct CompileStep {
    QString name;
    double start = 0, seconds = 0;
    int parent = -1;
    std::int64_t before = -1, after = -1; ///< nodes of the graph; -1: does not apply
    bool ended = true;                    ///< false: the report ends inside it
    bool operator==(CompileStep const &) const = default;
};

/// Results of a compile, from this session or from a report.
struct CompilePicture {
    bool exists = false;
    bool fromReport = false;
    std::vector<CompileStep> steps; ///< a parent precedes its children
    QString cache, cacheReason;     ///< hit, miss, off; "" unknown
    double seconds = 0;             ///< measured here
    bool fits = true, emulated = true;
    QString outOfMemory;                                        ///< message and remedy; "" if it fits
    report::TileMemory worst;                                   ///< over the tiles of replica 0; without a limit: unknown
    std::int64_t vertices = -1, exchanges = -1, hostBytes = -1; ///< -1: unknown
    double cyclesPerStep = 0;                                   ///< modelled; 0: unknown
};

CompilePicture pictureOf(CompileInfo const &info);
CompilePicture pictureOf(ReportSnapshot const &report);

/// "compiled in 1.2 s here · fits: worst tile 18 % · 41,000 vertices", "does not fit: tile 12 needs …".
QString compileHeadline(CompilePicture const &picture);
/// "Cache miss: model.layers.dense.units is another", "From the cache".
QString cacheSentence(CompilePicture const &picture);
/// One short sentence per known fact: vertices, exchanges, host memory, worst tile, cycles.
QStringList compileFacts(CompilePicture const &picture);

} // namespace tilewright::views

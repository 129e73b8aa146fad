#pragma once

#include <QList>
#include <QString>

#include <cstdint>
#include <utility>

namespace tilewright::views {

struct LiveRun;

/// Resources of this process, measured; 0: unknown.
struct ProcessCost {
    std::int64_t threads = 0;
    std::int64_t residentBytes = 0, peakResidentBytes = 0;
    bool operator==(ProcessCost const &) const = default;
};
/// Parses /proc/PID/status.
ProcessCost parseProcessStatus(QByteArray const &status);
/// Of this process, now.
ProcessCost ownCost();

/// Name and value rows: threads and memory (measured here), emulated cycles per second here, and the slowdown against the modelled machine.
/// Rates only during a run.
QList<std::pair<QString, QString>> hostCostRows(ProcessCost const &cost, LiveRun const &live);
/// "12 × slower than the modelled machine", "3.1 × faster …"; "" if unknown. Rate: steps per second on this computer.
QString slowdownText(double emulatedSecondsPerStep, double stepsPerSecond);

} // namespace tilewright::views

#include "views/monitor/host_cost.h"

#include "engine/core/memory_mark.h"
#include "views/common/format.h"
#include "views/common/words.h"
#include "views/runcontrol/run_controller.h"

#include <QFile>
#include <QThread>

#include <algorithm>

namespace tilewright::views {

namespace {

/// The number of a line "VmRSS:     1234 kB".
std::int64_t numberOf(QByteArray const &line) { return line.mid(line.indexOf(':') + 1).simplified().split(' ').value(0).toLongLong(); }

} // namespace

ProcessCost parseProcessStatus(QByteArray const &status)
{
    ProcessCost cost;
    for (auto const &line : status.split('\n')) {
        if (line.startsWith("Threads:")) cost.threads = numberOf(line);
        else if (line.startsWith("VmRSS:")) cost.residentBytes = numberOf(line) * 1024;
        else if (line.startsWith("VmHWM:")) cost.peakResidentBytes = numberOf(line) * 1024;
    }
    return cost;
}

ProcessCost ownCost()
{
    QFile file(QStringLiteral("/proc/self/status"));
    auto cost = file.open(QIODevice::ReadOnly) ? parseProcessStatus(file.readAll()) : ProcessCost();
    cost.peakResidentBytes = std::max<std::int64_t>(cost.peakResidentBytes, peakOfProcess()); // a compile resets the system's peak
    return cost;
}

QString slowdownText(double emulatedSecondsPerStep, double stepsPerSecond)
{
    double const speed = emulatedSecondsPerStep * stepsPerSecond;
    if (!(speed > 0)) return {};
    return speed < 1 ? Words::tr("%1 × slower than the modelled machine").arg(numberText(1 / speed))
                     : Words::tr("%1 × faster than the modelled machine").arg(numberText(speed));
}

QList<std::pair<QString, QString>> hostCostRows(ProcessCost const &cost, LiveRun const &live)
{
    QList<std::pair<QString, QString>> rows;
    if (cost.threads > 0)
        rows.append({Words::tr("Threads of this process"),
                     Words::tr("%1, on %2 cores").arg(countText(cost.threads)).arg(QThread::idealThreadCount())});
    if (cost.residentBytes > 0)
        rows.append({Words::tr("Memory of this process"),
                     Words::tr("%1, at most %2 so far").arg(bytesText(cost.residentBytes), bytesText(cost.peakResidentBytes))});
    bool const runs = live.state == RunState::Running && live.stepsPerSecond > 0;
    rows.append({Words::tr("Steps per second"), runs ? numberText(live.stepsPerSecond) : Words::tr("no run goes on")});
    if (!runs) return rows;
    if (live.compile.cyclesPerStep > 0) {
        rows.append({Words::tr("Emulated cycles per second"), shortCount(live.stepsPerSecond * live.compile.cyclesPerStep)});
        rows.append({Words::tr("Speed of the emulation"), slowdownText(live.compile.emulatedSecondsPerStep, live.stepsPerSecond)});
    }
    return rows;
}

} // namespace tilewright::views

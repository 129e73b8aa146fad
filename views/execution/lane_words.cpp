#include "views/common/words.h"
#include "views/diagnostics/phase_text.h"
#include "views/execution/execution_data.h"

#include <QCoreApplication>
#include <QRegularExpression>

namespace tilewright::views {

QString hostEventName(std::string const &name) { return phaseText(QString::fromStdString(name)); }

QString laneName(report::LaneRow const &lane)
{
    QString const name = QString::fromStdString(lane.name);
    if (lane.kind == "host_thread") return hostEventName(lane.name);
    if (lane.kind == "stream") return Words::tr("IPU %1 host streams").arg(lane.ipu);
    if (lane.kind == "io_tiles") return Words::tr("IPU %1 IO tiles").arg(lane.ipu);
    if (lane.kind == "stage") return Words::tr("IPU %1 stage %2").arg(lane.ipu).arg(lane.stage);
    static QRegularExpression const link(QStringLiteral("^Link IPU (\\d+) to (\\d+)$"));
    if (auto const ends = link.match(name); lane.kind == "link" && ends.hasMatch())
        return Words::tr("Link IPU %1 to %2").arg(ends.captured(1), ends.captured(2));
    return name;
}

} // namespace tilewright::views

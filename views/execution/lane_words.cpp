#include "views/execution/execution_data.h"
#include "views/figures/text.h"

#include <QCoreApplication>
#include <QRegularExpression>

#include <map>

namespace tilewright::views {

namespace {

/// What reports call the threads of the host and what these do. Phases of the compiler keep their names.
std::map<std::string_view, char const *> const &hostWords()
{
    static std::map<std::string_view, char const *> const words{
        {"Run thread", QT_TRANSLATE_NOOP("views", "Run thread")}, {"Calls", QT_TRANSLATE_NOOP("views", "Calls")},
        {"Streams to the device", QT_TRANSLATE_NOOP("views", "Streams to the device")}, {"Infeed thread", QT_TRANSLATE_NOOP("views", "Infeed thread")},
        {"Data thread", QT_TRANSLATE_NOOP("views", "Data thread")}, {"Compile", QT_TRANSLATE_NOOP("views", "Compile")},
        {"Epoch", QT_TRANSLATE_NOOP("views", "Epoch")}, {"Validation", QT_TRANSLATE_NOOP("views", "Validation")},
        {"Execute", QT_TRANSLATE_NOOP("views", "Execute")}, {"Copy to the device", QT_TRANSLATE_NOOP("views", "Copy to the device")},
        {"Gather micro-batch", QT_TRANSLATE_NOOP("views", "Gather micro-batch")}, {"Generate data", QT_TRANSLATE_NOOP("views", "Generate data")},
        {"Open data", QT_TRANSLATE_NOOP("views", "Open data")}};
    return words;
}

} // namespace

QString hostEventName(std::string const &name)
{
    auto const known = hostWords().find(name);
    return known == hostWords().end() ? QString::fromStdString(name) : QCoreApplication::translate("views", known->second);
}

QString laneName(report::LaneRow const &lane)
{
    QString const name = QString::fromStdString(lane.name);
    if (lane.kind == "host_thread") return hostEventName(lane.name);
    if (lane.kind == "stream") return Text::tr("IPU %1 host streams").arg(lane.ipu);
    if (lane.kind == "stage") return Text::tr("IPU %1 stage %2").arg(lane.ipu).arg(lane.stage);
    static QRegularExpression const link(QStringLiteral("^Link IPU (\\d+) to (\\d+)$"));
    if (auto const ends = link.match(name); lane.kind == "link" && ends.hasMatch()) return Text::tr("Link IPU %1 to %2").arg(ends.captured(1), ends.captured(2));
    return name;
}

} // namespace tilewright::views

#include "views/monitor/monitor_tables.h"

#include "views/common/format.h"
#include "views/common/icons.h"
#include "views/common/theme.h"
#include "views/common/short_text.h"
#include "views/common/words.h"

#include <QDateTime>
#include <QLocale>

namespace tilewright::views {

namespace {

QString text(std::string const &utf8) { return QString::fromStdString(utf8); }

Column words(QString const &title, std::function<QString(int)> cell) { return {.title = title, .text = std::move(cell), .value = {}}; }

Column amount(QString const &title, std::function<double(int)> value, std::function<QString(double)> shown)
{
    return {.title = title,
            .text = [value, shown](int row) { return shown(value(row)); },
            .value = [value](int row) { return QVariant(value(row)); },
            .number = true};
}

/// The note above the table says "modelled" where the title has no room for it.
Column modelled(QString const &shortTitle, QString const &title, std::function<double(int)> value, std::function<QString(double)> shown)
{
    auto column = amount(title, std::move(value), std::move(shown));
    column.shortTitle = shortTitle;
    return column;
}

QString megahertz(double mhz) { return Words::tr("%1 MHz").arg(QLocale().toString(mhz, 'f', 0)); }

} // namespace

void fillIpuTable(TablePane &pane, std::shared_ptr<device::RegistryView const> const &view, std::vector<IpuRef> const &refs)
{
    auto const rows = std::make_shared<std::vector<IpuRef> const>(refs);
    auto const system = [view, rows](int row) -> device::SystemState const & {
        return view->systems[static_cast<std::size_t>((*rows)[static_cast<std::size_t>(row)].system)];
    };
    auto const ipu = [system, rows](int row) -> device::IpuState const & {
        return system(row).ipus[static_cast<std::size_t>((*rows)[static_cast<std::size_t>(row)].ipu)];
    };
    auto const process = [view, rows](int row) { return processOf(*view, (*rows)[static_cast<std::size_t>(row)]); };
    auto const whole = [](double value) { return QString::number(static_cast<qint64>(value)); };
    std::vector<Column> columns;
    columns.push_back(words(Words::tr("Partition"), [system](int row) { return text(system(row).info.name); }));
    columns.back().key = [system, ipu](int row) {
        return QStringLiteral("%1 %2").arg(text(system(row).info.name)).arg(ipu(row).identity.id);
    };
    columns.push_back(amount(
        Words::tr("Id"), [ipu](int row) { return static_cast<double>(ipu(row).identity.id); }, whole));
    columns.push_back({.title = Words::tr("State"),
                       .text = [ipu](int row) { return ipu(row).pid != 0 ? Words::tr("busy") : Words::tr("free"); },
                       .value = {},
                       .decoration = [ipu](int row) { return QVariant(theme()[ipu(row).pid != 0 ? Token::Compute : Token::Idle]); }});
    columns.push_back(words(Words::tr("Process"), [ipu](int row) {
        return ipu(row).pid > 0 ? QString::number(ipu(row).pid) : ipu(row).pid < 0 ? Words::tr("not known") : QString();
    }));
    auto const first = columns.size(); // from here on: what the chosen IPU's attributes say as well
    columns.push_back(words(Words::tr("Machine"), [ipu](int row) { return text(ipu(row).identity.ipuMachine); }));
    columns.push_back(amount(
        Words::tr("Board"), [ipu](int row) { return static_cast<double>(ipu(row).identity.board); }, whole));
    columns.push_back(words(Words::tr("Type"), [ipu](int row) { return text(ipu(row).identity.type); }));
    columns.push_back(amount(
        Words::tr("Number"), [ipu](int row) { return static_cast<double>(ipu(row).identity.indexOnMachine); }, whole));
    columns.push_back(words(Words::tr("Routing"), [ipu](int row) { return text(ipu(row).identity.routing); }));
    columns.push_back(words(Words::tr("Architecture"), [system](int row) { return text(system(row).info.machine.chip.architecture); }));
    columns.push_back(amount(
        Words::tr("Clock"), [system](int row) { return static_cast<double>(system(row).info.machine.chip.clockHz) / 1e6; }, megahertz));
    columns.push_back(amount(
        Words::tr("Tiles"), [system](int row) { return static_cast<double>(system(row).info.machine.chip.tiles); },
        [](double n) { return countText(static_cast<std::int64_t>(n)); }));
    for (std::size_t i = first; i < columns.size(); ++i) columns[i].optional = true;
    columns.push_back(words(Words::tr("Command"), [process](int row) {
        auto const *p = process(row);
        return p ? text(p->command) : QString();
    }));
    pane.fill(std::move(columns), static_cast<int>(rows->size()), {}, view);
}

void fillRunTable(TablePane &pane, std::shared_ptr<device::RegistryView const> const &view)
{
    auto const at = [view](int row) -> device::ProcessState const & { return view->processes[static_cast<std::size_t>(row)]; };
    auto const count = [](double n) { return countText(static_cast<std::int64_t>(n)); };
    auto const one = [](double value) { return QLocale().toString(value, 'f', 1); };
    std::vector<Column> columns;
    columns.push_back(amount(
        Words::tr("Process"), [at](int row) { return static_cast<double>(at(row).pid); },
        [](double n) { return QString::number(static_cast<qint64>(n)); }));
    columns.back().key = [at](int row) { return QStringLiteral("%1 %2 %3").arg(at(row).pid).arg(text(at(row).system)).arg(at(row).ipuId); };
    columns.push_back(
        {.title = Words::tr("Command"), .text = [at](int row) { return text(at(row).command); }, .value = {}, .width = 50 * kGrid});
    columns.push_back(words(Words::tr("Partition"), [at](int row) {
        return at(row).isModel ? Words::tr("%1 (software model)").arg(text(at(row).system)) : text(at(row).system);
    }));
    columns.push_back(amount(
        Words::tr("IPU"), [at](int row) { return static_cast<double>(at(row).ipuId); },
        [](double n) { return QString::number(static_cast<qint64>(n)); }));
    auto busy = modelled(
        Words::tr("Busy now"), Words::tr("Busy now (modelled)"), [at](int row) { return at(row).utilisationRecent; },
        [](double share) { return shareText(share); });
    busy.bar = [at](int row) { return at(row).utilisationRecent; };
    columns.push_back(std::move(busy));
    columns.push_back(modelled(
        Words::tr("Busy in all"), Words::tr("Busy in all (modelled)"), [at](int row) { return at(row).utilisationSession; },
        [](double share) { return shareText(share); }));
    columns.push_back(amount(
        Words::tr("Steps"), [at](int row) { return static_cast<double>(at(row).counters.steps); }, count));
    columns.push_back(modelled(
        Words::tr("Cycles"), Words::tr("Cycles (modelled)"), [at](int row) { return static_cast<double>(at(row).counters.total); }, count));
    columns.push_back({.title = Words::tr("Since"),
                       .text = [at](int row) { return whenText(QDateTime::fromMSecsSinceEpoch(at(row).startedMs)); },
                       .value = [at](int row) { return QVariant(qlonglong(at(row).startedMs)); },
                       .width = 36 * kGrid});
    auto const first = columns.size();
    columns.push_back(words(Words::tr("User"), [at](int row) { return text(at(row).user); }));
    columns.push_back(modelled(
        Words::tr("Clock"), Words::tr("Clock (modelled)"), [at](int row) { return at(row).reading.clockMhz; }, megahertz));
    columns.push_back(modelled(
        Words::tr("IPU °C"), Words::tr("IPU °C (modelled)"), [at](int row) { return at(row).reading.dieCelsius; }, one));
    columns.push_back(modelled(
        Words::tr("Board °C"), Words::tr("Board °C (modelled)"), [at](int row) { return at(row).boardCelsius; }, one));
    columns.push_back(modelled(
        Words::tr("IPU W"), Words::tr("IPU W (modelled)"), [at](int row) { return at(row).reading.watts; }, one));
    columns.push_back(modelled(
        Words::tr("Board W"), Words::tr("Board W (modelled)"), [at](int row) { return at(row).boardWatts; }, one));
    for (std::size_t i = first; i < columns.size(); ++i) columns[i].optional = true;
    pane.fill(std::move(columns), static_cast<int>(view->processes.size()), {}, view);
}

void fillPairs(TablePane &pane, QString const &nameTitle, QList<std::pair<QString, QString>> const &rows)
{
    auto const keep = std::make_shared<QList<std::pair<QString, QString>> const>(rows);
    std::vector<Column> columns;
    columns.push_back({.title = nameTitle, .text = [keep](int row) { return keep->at(row).first; }, .value = {}, .width = 56 * kGrid});
    columns.push_back(
        {.title = Words::tr("Value"), .text = [keep](int row) { return keep->at(row).second; }, .value = {}, .width = 70 * kGrid});
    pane.fill(std::move(columns), static_cast<int>(keep->size()), {}, keep);
}

} // namespace tilewright::views

#pragma once

#include "views/common/theme.h"
#include "views/wording/run_costs.h"

#include <QString>

#include <string_view>

// Words for the stable codes of a report. A code that is not known is shown as it is.
namespace tilewright::views {

QString phaseLabel(Phase phase);
Token phaseToken(Phase phase);
/// What bounds an operation: "compute", "exchange", "sync", "streams".
QString boundLabel(Phase phase);
QString passLabel(std::string_view pass);
QString levelLabel(std::string_view level);
QString programKindLabel(std::string_view kind);
/// The colour of its phase; control steps take the secondary text's.
Token programKindToken(std::string_view kind);
QString roleLabel(std::string_view role);
QString categoryLabel(std::string_view category);
QString regionLabel(std::string_view region);
QString severityLabel(std::string_view severity);
QString runKindLabel(std::string_view kind);
QString runModeLabel(std::string_view mode);
/// "7,512 steps", of one that goes on "7,512 steps so far".
QString runStepsText(report::RunRow const &run);
QString runStateLabel(std::string_view state);
QString partLabel(std::string_view part);
QString partStateLabel(report::PartState state);
/// Why a tile does not fit.
QString causeLabel(std::string_view cause);
/// Where a run's cycles come from: "measured on the tiles" or "modelled".
QString cyclesOrigin(bool measured);
/// "modelled", "estimated", "measured here".
QString originLabel(std::string_view origin);
/// "Tile 12", on several IPUs "IPU 1, tile 12"; `tile` over all IPUs of a replica.
QString tileLabel(report::ReportData const &data, std::int64_t tile);
/// Whether what a tile of the exchange sends to its own number goes to its like in the next replica (a ring between IPUs); else it
/// stays on the tile. Both go through its exchange port and are priced as all else (engine/lowering/traffic.h).
bool sendsToNextReplica(report::ReportData const &data, report::ExchangeRow const &exchange, report::ExchangePair const &pair);
/// Who that is: "itself".
QString ownNumberLabel(bool nextReplica);

/// Text of a std::string that came out of a report.
inline QString text(std::string const &utf8) { return QString::fromStdString(utf8); }

} // namespace tilewright::views

#pragma once

#include "views/common/theme.h"
#include "views/wording/run_costs.h"

#include <QString>

#include <string_view>

// Words for the stable codes of a report. Unknown codes are shown unchanged.
namespace tilewright::views {

QString phaseLabel(Phase phase);
Token phaseToken(Phase phase);
/// Bottleneck of an operation: "compute", "exchange", "sync", "streams".
QString boundLabel(Phase phase);
QString passLabel(std::string_view pass);
QString levelLabel(std::string_view level);
QString programKindLabel(std::string_view kind);
/// The colour of its phase. Control steps have the colour of secondary text.
Token programKindToken(std::string_view kind);
/// Name of an operation. The parent of what belongs to no layer (infeed, outfeed, loops) has the name "Feeds and loops".
QString opLabel(report::OpRow const &op);
QString feedsAndLoops();
QString roleLabel(std::string_view role);
QString categoryLabel(std::string_view category);
QString regionLabel(std::string_view region);
QString severityLabel(std::string_view severity);
QString runKindLabel(std::string_view kind);
QString runModeLabel(std::string_view mode);
/// "7,512 steps"; for an unfinished run "7,512 steps so far".
QString runStepsText(report::RunRow const &run);
QString runStateLabel(std::string_view state);
QString partLabel(std::string_view part);
QString partStateLabel(report::PartState state);
/// Reason why a tile does not fit.
QString causeLabel(std::string_view cause);
/// Origin of a run's cycles: "measured on the tiles" or "modelled".
QString cyclesOrigin(bool measured);
/// "modelled", "estimated", "measured here".
QString originLabel(std::string_view origin);
/// "Tile 12", with several IPUs "IPU 1, tile 12"; `tile` counts over all IPUs of a replica.
QString tileLabel(report::ReportData const &data, std::int64_t tile);
/// True if data that a tile sends to its own number goes to the same tile of the next replica (a ring between IPUs); otherwise the data
/// stays
/// on the tile. Both use the exchange port at the normal price (engine/lowering/traffic.h).
bool sendsToNextReplica(report::ReportData const &data, report::ExchangeRow const &exchange, report::ExchangePair const &pair);
/// The receiver of such data: "itself" or the next replica.
QString ownNumberLabel(bool nextReplica);

/// Text of a report's UTF-8 string.
inline QString text(std::string const &utf8) { return QString::fromStdString(utf8); }

} // namespace tilewright::views

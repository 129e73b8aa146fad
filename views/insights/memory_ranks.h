#pragma once

#include "engine/core/job_context.h"
#include "engine/core/types.h"
#include "engine/core/types.h"
#include "views/common/table_model.h"
#include "views/reports/report_ptr.h"
#include "views/session/selection.h"

#include <QString>

#include <memory>
#include <vector>

// The largest users of memory in the model, an IPU or a tile, as values and tables, without widgets.
namespace tilewright::views {

struct TileContents;

/// Kind of ranking.
enum class RankOf { PeakVariables, AlwaysVariables, VertexState, VertexCode, ExchangeCode, ExchangeBytes };
inline constexpr int kRanks = 6;
QString rankName(RankOf what);       ///< "Variables at the peak"
char const *idOf(RankOf what);       ///< for saved states
RankOf parseRank(QString const &id); ///< PeakVariables for an unknown name
/// Whether the ranking needs the contents of tiles.
bool needsContents(RankOf what);

/// The tiles of a ranking.
struct RankScope {
    enum Kind { Model, Ipu, Tile };
    Kind kind = Model;
    int id = 0;
    bool operator==(RankScope const &) const = default;
};

struct RankRow {
    QString name;
    Bytes bytes = 0;
    Selected selected; ///< selection of the row; None: compiler-made bytes by category
};
struct Ranking {
    RankOf what = RankOf::PeakVariables;
    std::vector<RankRow> rows; ///< largest first, without zeros
    Bytes all = 0;             ///< sum of the rows
    int step = -1;             ///< liveness step, if relevant
    QString title;             ///< subject of the ranking
    QString note;              ///< explanation; may be empty
};
/// For a job. `contents`: of the report, if needsContents(); null leaves such a ranking empty.
Ranking rankingOf(ReportPtr const &report, RankOf what, RankScope scope, std::shared_ptr<TileContents const> const &contents,
                  JobContext const &job);
/// The liveness step with the peak: of the model and of an IPU from its curve, of a tile from its metric.
int peakStepOf(ReportPtr const &report, RankScope scope);
QString scopeName(ReportPtr const &report, RankScope scope);

/// Name of a row, its bytes and its share of the sum.
std::vector<Column> rankColumns(std::shared_ptr<Ranking const> const &ranking);

/// Columns of the worst tiles; `tiles`: the displayed ones. The bytes with gaps of a tile decide whether it fits.
std::vector<Column> tileColumns(ReportPtr const &report, std::shared_ptr<std::vector<int> const> const &tiles);
/// Columns of the IPUs of a replica.
std::vector<Column> ipuColumns(ReportPtr const &report);

} // namespace tilewright::views

#pragma once

#include "engine/core/job_context.h"
#include "views/common/table_model.h"
#include "views/reports/report_ptr.h"
#include "views/session/selection.h"

#include <QString>

#include <memory>
#include <vector>

// What takes most of the memory of the model, an IPU or a tile, as values and tables: no widgets.
namespace tilewright::views {

struct TileContents;

/// What is ranked.
enum class RankOf { PeakVariables, AlwaysVariables, VertexState, VertexCode, ExchangeCode, ExchangeBytes };
inline constexpr int kRanks = 6;
QString rankName(RankOf what);       ///< "Variables at the peak"
char const *idOf(RankOf what);       ///< for saved states
RankOf parseRank(QString const &id); ///< PeakVariables when there is none of that name
/// Whether it is asked of what lies on the tiles.
bool needsContents(RankOf what);

/// On which tiles.
struct RankScope {
    enum Kind { Model, Ipu, Tile };
    Kind kind = Model;
    int id = 0;
    bool operator==(RankScope const &) const = default;
};

struct RankRow {
    QString name;
    Bytes bytes = 0;
    Selected selected; ///< what a row stands for; None: the compiler's bytes by category
};
struct Ranking {
    RankOf what = RankOf::PeakVariables;
    std::vector<RankRow> rows; ///< largest first, none is zero
    Bytes all = 0;             ///< of the rows together
    int step = -1;             ///< the liveness step they are of, where that matters
    QString title;             ///< what of whom
    QString note;              ///< how to read it; may be empty
};
/// Work for a job. `contents`: of the report, where needsContents(); null leaves such a ranking empty.
Ranking rankingOf(ReportPtr const &report, RankOf what, RankScope scope, std::shared_ptr<TileContents const> const &contents,
                  JobContext const &job);
/// The liveness step at which most is live there: of the model and of an IPU by its curve, of a tile by its metric.
int peakStepOf(ReportPtr const &report, RankScope scope);
QString scopeName(ReportPtr const &report, RankScope scope);

/// What a row is, its bytes and its share of all of them.
std::vector<Column> rankColumns(std::shared_ptr<Ranking const> const &ranking);

/// Columns of the worst tiles; `tiles` are those shown. A tile reaches as far as its bytes with gaps: that decides whether it fits.
std::vector<Column> tileColumns(ReportPtr const &report, std::shared_ptr<std::vector<int> const> const &tiles);
/// Columns of the IPUs of a replica.
std::vector<Column> ipuColumns(ReportPtr const &report);

} // namespace tilewright::views

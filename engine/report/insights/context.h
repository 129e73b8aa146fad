#pragma once

#include "engine/report/insights/insights.h"
#include "engine/report/quantities.h"

#include <nlohmann/json_fwd.hpp>

#include <algorithm>
#include <map>

namespace tilewright::report {

/// Values of a report used by several rules. For engine/report/insights only.
class InsightContext {
public:
    explicit InsightContext(ReportData const &reportData);

    ReportData const &d;

    /// The vector of a tile metric over replica 0; nullptr if the report has none.
    ByTile<std::int64_t> const *metric(std::string_view name) const;
    std::string const *option(std::string_view scope, std::string_view name) const;
    double figure(std::string_view name, double fallback) const;

    int ipuOf(std::int64_t tile) const { return static_cast<int>(tile / perIpu()); }
    int indexOf(std::int64_t tile) const { return static_cast<int>(tile % perIpu()); }
    int perIpu() const { return d.target.tilesPerIpu > 0 ? d.target.tilesPerIpu : 1; }

    // The newest run with statistics; kNone without one, and time rules then find nothing.
    int run = kNone;
    std::int64_t patterns = 0; ///< finished patterns of the run
    Cycles patternCycles = 0;  ///< of one; the mean if they differ
    /// Executions and cycles of a program in one pattern, on the IPU where it takes longest.
    struct Cost {
        std::int64_t executions = 0;
        Cycles cycles = 0;
        int ipu = 0;
    };
    Cost cost(int program) const;
    /// Cycles of one pattern, of all IPUs of a replica together.
    double replicaCycles() const { return static_cast<double>(patternCycles) * static_cast<double>(std::max(1, d.target.ipusPerReplica)); }
    /// The values of a tile vector on the tiles of an IPU; all of them where it has fewer.
    std::vector<std::int64_t> tilesOf(int vec, int ipu) const;
    /// Number of the first of them in the replica.
    std::size_t firstTileOf(int ipu) const;
    /// The same by compute set, over all programs that execute it.
    Cost computeSetCost(int computeSet) const;
    /// "Of a step": cycles of the run, added over its IPUs, as a share of its IPU cycles; of phases, or of a compute set (executed by all
    /// its programs). Rules compare the share of the busiest IPU; texts show this one, as all views.
    double shareOfStep(Cycles ofRun) const { return report::shareOfStep(m_frame, ofRun).share(); }
    double shareOfStep(std::initializer_list<Phase> phases) const;
    Cycles cyclesOfSet(int computeSet) const;
    std::int64_t executionsOfSet(int computeSet) const;
    /// IPUs of a replica in the run.
    int ipus() const { return report::shareOfStep(m_frame, 0).ipus; }
    /// Share of one pattern's cycles, on one IPU.
    double share(Cycles cycles) const { return patternCycles > 0 ? static_cast<double>(cycles) / static_cast<double>(patternCycles) : 0.0; }

private:
    std::map<int, Cost> m_costs;    ///< by program
    std::map<int, Cost> m_setCosts; ///< by compute set
    std::map<int, Cost> m_setSums;  ///< of the run, over all IPUs
    RunFrame m_frame;
};

template <typename T> T const &rowAt(std::vector<T> const &rows, std::int64_t i) { return rows[static_cast<std::size_t>(i)]; }
template <typename T> T rowAt(ByTile<T> const &values, std::int64_t i) { return values[static_cast<std::size_t>(i)]; }

// The rules, each family in its own file.
void addFitRules(std::vector<InsightRule> &all);
void addLargestRules(std::vector<InsightRule> &all);
void addComputeRules(std::vector<InsightRule> &all);
void addExchangeRules(std::vector<InsightRule> &all);
void addHostRules(std::vector<InsightRule> &all);
void addMatmulRules(std::vector<InsightRule> &all);
void addPipelineRules(std::vector<InsightRule> &all);
void addLoadRules(std::vector<InsightRule> &all);

/// The largest variables of a verdict's worst tile at its peak: variable, name and bytes of each; empty without layouts.
nlohmann::ordered_json largestAtPeak(ReportData const &data, VerdictRow const &verdict);

/// The operations of a level ("keras": layers) whose exchanges take most of a pattern, largest first: op, name, cycles, share, and the tile
/// that takes longest.
nlohmann::ordered_json exchangingOps(InsightContext const &context, std::string_view level);

} // namespace tilewright::report

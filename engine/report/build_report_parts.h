#pragma once

#include "engine/report/build_report.h"
#include "engine/report/rows.h"

#include <array>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

// The parts of buildCompileReport, in execution order. For engine/report only.
namespace tilewright::report {

using program::Program;
using program::StepId;
using program::StepKind;
using program::VarId;

/// One piece of vertex code: a codelet, or one expression of a generated codelet.
struct VertexTypeUse {
    Bytes codeBytes = 0;
    std::vector<std::pair<int, std::uint32_t>> users; ///< compute set and its row; sets of one row use the same tiles
};

inline constexpr int kRegions = 3;

/// Used addresses of one layout by category and region, shared and exclusive.
struct PartSums {
    std::array<Bytes, kMemoryCategories * kRegions * 2> part{};
    Bytes overlapUnion = 0;
    Bytes executableUsed = 0; ///< distinct addresses in the region that may hold code
};

class ReportBuilder {
public:
    ReportBuilder(CompileFacts const &compileFacts, HostWork const &hostWork);
    ReportData build();
    ReportData costs();

private:
    // build_report.cpp
    void machine();
    void figures();
    // build_report_ops.cpp
    void stages();
    void operations();
    int addOp(OpRow row);
    int syntheticRoot();
    int parentFor(int level, int candidate);
    int leafOp(int owner, std::string const &name, std::string const &routine);
    void opEdges();
    void rollUp();
    // build_report_program.cpp
    void programs();
    void programVariables();
    void computeSets();
    void exchanges();
    struct FamilyUse;
    FamilyUse useOf(program::VertexFamily const &family) const;
    ByTile<char> const &presence(std::uint32_t row, int type) const;
    // build_report_code.cpp
    void code();
    int controlCode(StepId step);
    std::vector<Bytes> exchangeCode(int exchange) const;
    // build_report_memory.cpp
    void layouts();
    void variables();
    void liveness();
    void tileMetrics();
    void verdicts();

    std::string routineOf(program::Step const &step) const;
    int addVec(std::vector<std::int64_t> const &values) { return d.tileVecs.add(values); }
    int addVec(ByTile<std::int64_t> const &values)
    {
        return d.tileVecs.add(ByTile<std::int64_t>::trimmed(values.size(), values.stretch().begin, values.values()));
    }
    std::vector<int> ancestry(int op) const;

    CompileFacts const &facts;
    HostWork const &work;
    Program const &p;
    std::size_t tiles;
    ReportData d;
    ProgramIds ids;
    bool pipelined = false;
    int root = kNone;
    std::vector<int> opOf;      ///< report op by op of the program
    std::vector<int> stepOp;    ///< report op by step
    std::vector<int> setOp;     ///< compute_set-level op by compute set
    std::map<int, int> fillers; ///< op of the next level by parent, where a level was skipped
    std::map<std::pair<int, std::string>, int> libraryOps;
    /// Vectors of tile bytes shared by equal layouts, by key of layout and type.
    std::unordered_map<std::string, int> bytesVecs;
    /// By row of equal compute sets, and by vertex type in it.
    struct SetUse {
        int type = 0;
        std::int64_t total = 0;
        int countsVec = kNone;
        Bytes stateBytes = 0;
        ByTile<char> present;
    };
    std::vector<std::vector<SetUse>> setUses;
    std::vector<int> executeVecs;                              ///< control code of a step by row of equal ones; kNone: not computed yet
    std::map<std::pair<std::uint32_t, int>, int> exchangeVecs; ///< the same of exchanges, by row and IPU
    std::map<std::pair<Bytes, int>, int> evenVecs;             ///< vectors with the same number of bytes on every tile of an IPU
    std::vector<int> controlIpu;                               ///< lowering::controlIpus, computed on first use
    std::vector<VertexTypeUse> vertexTypes;
    std::vector<PartSums> partSums; ///< by layout
};

} // namespace tilewright::report

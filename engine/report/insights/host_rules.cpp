// The link of an IPU: transfers from and to the host, copies from and to streaming memory.
#include "engine/core/numbers.h"
#include "engine/report/insights/changes.h"
#include "engine/report/insights/context.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace tilewright::report {

namespace {

using Json = nlohmann::ordered_json;

constexpr double kStreamBound = 0.3;
constexpr double kHandshakes = 0.5; ///< of the stream's cycles: then its size hardly matters

/// What the variable of a stream's program is made of.
std::string dtypeOf(ReportData const &d, int program)
{
    for (auto const &use : d.programVariables)
        if (use.program == program) return rowAt(d.variables, use.variable).dtype;
    return {};
}

/// The link's cycles of the run on an IPU (kNone: on all), for transfers with the host ("host") or copies with streaming memory ("remote").
/// The split of an IPU knows their sum only; what overlaps compute is in neither.
Cycles linkCycles(InsightContext const &context, std::string_view memory, int ipu)
{
    auto const &d = context.d;
    std::vector<char> isRemote(d.programs.size(), 0);
    for (auto const &exchange : d.exchanges)
        if (exchange.kind == "remote") isRemote[static_cast<std::size_t>(exchange.program)] = 1;
    Cycles all = 0, remote = 0;
    for (auto const &split : d.ipuSplits)
        if (split.run == context.run && (ipu == kNone || split.ipu == ipu)) all += split.stream;
    for (auto const &stat : d.stepStats)
        if (stat.run == context.run && (ipu == kNone || stat.ipu == ipu) && isRemote[static_cast<std::size_t>(stat.program)])
            remote += stat.cycles - stat.overlapped;
    return memory == "remote" ? remote : all - remote;
}

void streamBound(InsightContext const &context, std::vector<InsightRow> &found)
{
    auto const &d = context.d;
    for (auto const &split : d.ipuSplits) {
        if (context.run < 0 || split.run != context.run) continue;
        Cycles const stream = linkCycles(context, "host", split.ipu) / context.patterns;
        if (context.share(stream) <= kStreamBound) continue;
        // Largest transfer to the device, and how much of all transfers is data at the link's rate.
        double bytes = 0;
        std::int64_t transfers = 0;
        int largest = kNone;
        Bytes most = 0;
        for (auto const &exchange : d.exchanges) {
            if (exchange.kind != "host") continue;
            auto const cost = context.cost(exchange.program);
            auto const moved = static_cast<double>(exchange.bytesReceived) * static_cast<double>(cost.executions);
            transfers += cost.executions;
            bytes += moved;
            if (exchange.receivedVec < 0) continue;
            if (exchange.bytesReceived > most) {
                most = exchange.bytesReceived;
                largest = exchange.program;
            }
        }
        double rate = 0;
        for (auto const &link : d.links)
            if (link.kind == "host") rate = std::max(rate, static_cast<double>(link.bytesPerSecond));
        double const cyclesPerByte = rate > 0 ? static_cast<double>(d.target.clockHz) / rate : 0.0;
        auto const dataCycles = static_cast<Cycles>(bytes * cyclesPerByte);
        Json numbers{{"ipu", split.ipu},
                     {"stream", stream},
                     {"share", context.shareOfStep(linkCycles(context, "host", kNone))},
                     {"ipu_share", context.share(stream)},
                     {"ipus", context.ipus()},
                     {"bytes", static_cast<std::int64_t>(bytes)},
                     {"transfers", transfers},
                     {"data_cycles", dataCycles}};
        if (largest >= 0) numbers["largest"] = {{"name", rowAt(d.programs, largest).name}, {"bytes", most}, {"type", dtypeOf(d, largest)}};
        InsightRow row;
        row.severity = "warning";
        row.subjectKind = "ipu";
        row.subjectId = split.ipu;
        // Where handshakes are the limit, larger batches need fewer of them.
        bool const handshakes = static_cast<double>(dataCycles) < (1 - kHandshakes) * static_cast<double>(stream);
        // Data that fill the link can be fewer bytes; both kinds of time can be hidden behind the compute steps.
        Changes changes(context);
        if (!handshakes) changes.bytesToDevice();
        changes.ioTiles();
        if (handshakes) changes.doubleBatch();
        row.action = changes.action();
        numbers["advice"] = handshakes ? "larger_batch" : row.action.empty() ? "none" : "overlap";
        if (handshakes) row.gainCycles = (stream - dataCycles) / 2; // the same handshakes serve twice the samples
        else if (!row.action.empty()) row.gainCycles = std::min(stream, context.patternCycles - stream); // what compute steps can hide
        row.numbers = numbers.dump();
        row.evidence = "SELECT p.id AS program, n.text AS name, s.executions, s.cycles, s.bytes_in, s.bytes_out FROM step_stat s JOIN "
                       "program p ON p.id = "
                       "s.program JOIN name n ON n.id = p.name WHERE s.run = "
            + std::to_string(context.run) + " AND s.ipu = " + std::to_string(split.ipu)
            + " AND p.kind = 'stream_copy' ORDER BY s.cycles DESC";
        found.push_back(std::move(row));
        break;
    }
}

/// An update copies the same bytes for any number of samples.
void remoteBound(InsightContext const &context, std::vector<InsightRow> &found)
{
    auto const &d = context.d;
    for (auto const &split : d.ipuSplits) {
        if (context.run < 0 || split.run != context.run) continue;
        Cycles const copies = linkCycles(context, "remote", split.ipu) / context.patterns;
        if (context.share(copies) <= kStreamBound) continue;
        std::int64_t count = 0;
        double bytes = 0;
        for (auto const &stat : d.stepStats)
            for (auto const &exchange : d.exchanges)
                if (exchange.kind == "remote" && exchange.program == stat.program && stat.run == context.run && stat.ipu == split.ipu) {
                    auto const executions = stat.executions / context.patterns;
                    count += executions;
                    bytes += static_cast<double>(std::max(exchange.bytesSent, exchange.bytesReceived)) * static_cast<double>(executions);
                }
        InsightRow row;
        row.severity = "warning";
        row.subjectKind = "ipu";
        row.subjectId = split.ipu;
        row.numbers = Json{
            {"ipu", split.ipu},
            {"copies", copies},
            {"share", context.shareOfStep(linkCycles(context, "remote", kNone))},
            {"ipu_share", context.share(copies)},
            {"ipus", context.ipus()},
            {"bytes", static_cast<std::int64_t>(bytes)},
            {"count",
             count}}.dump();
        row.action = Changes(context).doubleBatch().action();
        if (!row.action.empty()) row.gainCycles = copies / 2; // the same copies serve twice the samples
        row.evidence = "SELECT p.id AS program, n.text AS name, s.executions, s.cycles FROM step_stat s JOIN program p ON p.id = s.program "
                       "JOIN name n ON n.id = p.name JOIN exchange x ON x.program = p.id WHERE x.kind = 'remote' AND s.run = "
            + std::to_string(context.run) + " AND s.ipu = " + std::to_string(split.ipu) + " ORDER BY s.cycles DESC";
        found.push_back(std::move(row));
        break;
    }
}

} // namespace

void addHostRules(std::vector<InsightRule> &all)
{
    all.push_back({"host.stream-bound", 3, "transfers from and to the host take over 30 % of the time", streamBound});
    all.push_back({"remote.copy-bound", 3, "copies from and to streaming memory take over 30 % of the time", remoteBound});
}

} // namespace tilewright::report

// Whose code it is: every byte of code on the tiles belongs to the operations that use it.
#include "engine/report/build_report_parts.h"

#include <numeric>

namespace tilewright::report {

namespace {

using lowering::CodeBytes;

bool takesPart(lowering::Traffic const &traffic, std::size_t tile) { return traffic.messages[tile] + traffic.fragments[tile] > 0; }

} // namespace

/// As lowering::codeBytes counts them: events of a tile's part in the exchange, and the phase itself.
std::vector<Bytes> ReportBuilder::exchangeCode(int exchange) const
{
    auto const &traffic = at(facts.schedule.exchanges, exchange);
    std::vector<Bytes> bytes(tiles, 0);
    for (std::size_t t = 0; t < tiles; ++t)
        if (takesPart(traffic, t))
            bytes[t] = lowering::exchangeCodeBytes(traffic.messages[t], traffic.fragments[t]);
    return bytes;
}

std::vector<Bytes> ReportBuilder::controlCode(StepId id)
{
    auto const &step = p.step(id);
    std::vector<Bytes> bytes(tiles, 0);
    switch (step.kind) {
    case StepKind::Execute:
        for (auto const &family : p.computeSets[step.computeSet.index].families) {
            auto const &lead = blocks(at(family.fields, family.lead).var);
            for (std::size_t t = 0; t < tiles; ++t)
                if (lead.ofTile[t] >= 0) bytes[t] = lowering::kExecuteControl;
        }
        break;
    case StepKind::Exchange:
    case StepKind::GlobalExchange: {
        auto const &traffic = facts.schedule.exchanges[step.exchange.index];
        for (std::size_t t = 0; t < tiles; ++t)
            bytes[t] = takesPart(traffic, t) ? lowering::kExchangeControl : lowering::kSyncControl;
        break;
    }
    case StepKind::StreamCopy:
    case StepKind::Repeat:
    case StepKind::Call: bytes.assign(tiles, lowering::kBranchControl); break;
    case StepKind::SyncExternal: bytes.assign(tiles, lowering::kSyncControl); break;
    case StepKind::Sequence:
    case StepKind::Parallel: break;
    }
    return bytes;
}

void ReportBuilder::code()
{
    CodeBytes const &placed = facts.memory.code;
    OpRow runtime;
    runtime.level = "keras";
    runtime.name = "runtime";
    runtime.kind = kSyntheticKind;
    int const runtimeOp = addOp(std::move(runtime)); // loader, entry points, rounding: what no operation asked for
    auto const charge = [&](int op, Bytes bytes) {
        if (bytes == 0) return;
        for (; op >= 0; op = at(d.ops, op).parent) {
            at(d.ops, op).codeExclusive += bytes;
            at(d.ops, op).codeAttributed += static_cast<double>(bytes);
        }
    };
    // Allocation rounds each part of a tile up to whole words.
    Bytes total = 0, charged = 0;
    for (auto const *part : {&placed.vertexCode, &placed.internalExchange, &placed.globalExchange, &placed.hostExchange, &placed.control})
        for (Bytes bytes : *part) total += roundUp(bytes, 4);
    auto const sum = [](std::vector<Bytes> const &bytes) { return std::accumulate(bytes.begin(), bytes.end(), Bytes{0}); };

    // Codelets: once a tile, shared by all compute sets that have vertices of the type there.
    bool const compiled = sum(placed.vertexCode) > 0;
    for (std::size_t v = 0; v < vertexTypes.size(); ++v) {
        auto const &type = vertexTypes[v];
        Bytes const bytes = compiled ? type.codeBytes : 0;
        std::vector<std::int32_t> users(tiles, 0);
        std::map<int, std::vector<std::int32_t>> usersBelow; // by op: how many of them are below it
        for (auto const &[set, present] : type.users) {
            for (std::size_t t = 0; t < tiles; ++t) users[t] += present[t];
            for (int op = at(setOp, set); op >= 0; op = at(d.ops, op).parent) {
                auto &below = usersBelow[op];
                below.resize(tiles, 0);
                for (std::size_t t = 0; t < tiles; ++t) below[t] += present[t];
            }
        }
        std::vector<Bytes> vec(tiles, 0);
        for (std::size_t t = 0; t < tiles; ++t)
            if (users[t] > 0) charged += vec[t] = bytes;
        d.vertexTypes[v].codeVec = addVec(std::move(vec));
        for (auto const &[op, below] : usersBelow) {
            auto &row = at(d.ops, op);
            for (std::size_t t = 0; t < tiles; ++t) {
                if (below[t] == 0) continue;
                (below[t] == users[t] ? row.codeExclusive : row.codeShared) += bytes;
                row.codeAttributed += static_cast<double>(bytes * below[t]) / users[t];
            }
        }
    }
    // Exchange and control code: each piece has one owner.
    std::vector<char> counted(p.exchanges.size(), 0);
    for (StepId const id : ids.order) {
        auto const &step = p.step(id);
        auto control = controlCode(id);
        Bytes const controlBytes = sum(control);
        Bytes plan = 0;
        bool fresh = true;
        if (step.exchange.valid()) {
            plan = sum(exchangeCode(static_cast<int>(step.exchange.index)));
            fresh = !counted[step.exchange.index]++;
        }
        auto &row = at(d.programs, ids.byStep[id.index]);
        if (controlBytes > 0) row.controlCodeVec = addVec(std::move(control));
        if (step.kind == StepKind::StreamCopy)
            for (auto const &exchange : d.exchanges)
                if (exchange.program == ids.byStep[id.index]) plan = d.tileVecs.head(exchange.codeVec).sum;
        row.codeBytes = controlBytes + plan;
        Bytes const bytes = controlBytes + (fresh ? plan : 0);
        charge(row.op, bytes);
        charged += bytes;
    }
    // Upload and download of what stays on the device.
    for (std::size_t v = 0; v < p.variables.size(); ++v) {
        auto const &variable = p.variables[v];
        if (!variable.alwaysLive || variable.category == program::Category::Constant) continue;
        Bytes const bytes = 2 * lowering::kBranchControl * variable.layout.blocks();
        charge(d.variables[v].op, bytes);
        charged += bytes;
    }
    charge(runtimeOp, total - charged);
}

} // namespace tilewright::report

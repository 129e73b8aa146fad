// Assigns each byte of code on the tiles to the operations that use it.
#include "engine/report/build_report_parts.h"

#include <numeric>

namespace tilewright::report {

namespace {

using lowering::CodeBytes;

bool takesPart(lowering::Traffic const &traffic, std::size_t tile) { return traffic.messages[tile] + traffic.fragments[tile] > 0; }

} // namespace

/// As counted by lowering::codeBytes: events of a tile's part in the exchange, and the phase itself.
std::vector<Bytes> ReportBuilder::exchangeCode(int exchange) const
{
    auto const &traffic = facts.schedule.exchanges[static_cast<std::size_t>(exchange)];
    std::vector<Bytes> bytes(tiles, 0);
    for (std::size_t t = 0; t < tiles; ++t)
        if (takesPart(traffic, t)) bytes[t] = lowering::exchangeCodeBytes(traffic.messages[t], traffic.fragments[t]);
    return bytes;
}

/// Row vector of a step's control code; kNone without control code. Equal steps share one.
int ReportBuilder::controlCode(StepId id)
{
    auto const &step = p.step(id);
    if (controlIpu.empty()) controlIpu = lowering::controlIpus(p);
    int const ipu = controlIpu[id.index];
    auto const each = static_cast<std::size_t>(p.tilesPerIpu);
    std::size_t const begin = ipu < 0 ? 0 : static_cast<std::size_t>(ipu) * each, end = ipu < 0 ? tiles : begin + each;
    auto const everywhere = [&](Bytes bytes) {
        auto const [it, fresh] = evenVecs.try_emplace({bytes, ipu}, kNone);
        if (!fresh) return it->second;
        std::vector<Bytes> vec(tiles, 0);
        std::fill(vec.begin() + static_cast<std::ptrdiff_t>(begin), vec.begin() + static_cast<std::ptrdiff_t>(end), bytes);
        return it->second = addVec(std::move(vec));
    };
    switch (step.kind) {
    case StepKind::Execute: {
        auto const row = facts.schedule.computeSets.of[step.computeSet.index];
        executeVecs.resize(setUses.size(), kNone);
        if (executeVecs[row] < 0) {
            std::vector<Bytes> bytes(tiles, 0);
            for (auto const &use : setUses[row])
                for (auto t = use.present.stretch().begin; t < use.present.stretch().end; ++t)
                    if (use.present[t]) bytes[t] = lowering::kExecuteControl;
            executeVecs[row] = addVec(std::move(bytes));
        }
        return executeVecs[row];
    }
    case StepKind::Exchange:
    case StepKind::GlobalExchange: {
        auto const row = facts.schedule.exchanges.of[step.exchange.index];
        auto const [it, fresh] = exchangeVecs.try_emplace({row, ipu}, kNone);
        if (fresh) {
            auto const &traffic = facts.schedule.exchanges.rows[row];
            std::vector<Bytes> bytes(tiles, 0);
            for (std::size_t t = begin; t < end; ++t)
                bytes[t] = takesPart(traffic, t) ? lowering::kExchangeControl : lowering::kSyncControl;
            it->second = addVec(std::move(bytes));
        }
        return it->second;
    }
    case StepKind::StreamCopy:
    case StepKind::RemoteCopy:
    case StepKind::Repeat:
    case StepKind::If:
    case StepKind::While:
    case StepKind::Call: return everywhere(lowering::kBranchControl);
    case StepKind::SyncExternal: return everywhere(lowering::kSyncControl);
    case StepKind::Sequence:
    case StepKind::Parallel: break;
    }
    return kNone;
}

void ReportBuilder::code()
{
    CodeBytes const &placed = facts.memory.code;
    OpRow runtime;
    runtime.level = "keras";
    runtime.name = "runtime";
    runtime.kind = kSyntheticKind;
    int const runtimeOp = addOp(std::move(runtime)); // loader, entry points, rounding: belongs to no operation
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

    // Codelets: once per tile, shared by all compute sets with vertices of the type there.
    bool const compiled = sum(placed.vertexCode) > 0;
    for (std::size_t v = 0; v < vertexTypes.size(); ++v) {
        auto const &type = vertexTypes[v];
        Bytes const bytes = compiled ? type.codeBytes : 0;
        // Number of compute sets per row that use it: total, and below each op. The code is divided in proportion.
        using Rows = std::map<std::uint32_t, std::int32_t>;
        Rows all;
        std::map<int, Rows> below;
        for (auto const &[set, row] : type.users) {
            ++all[row];
            for (int op = at(setOp, set); op >= 0; op = at(d.ops, op).parent) ++below[op][row];
        }
        auto const onTiles = [&](Rows const &rows) {
            ByTile<std::int32_t>::Stretch together;
            auto const stretchOf = [&](std::uint32_t row) {
                auto const [begin, end] = presence(row, static_cast<int>(v)).stretch();
                return ByTile<std::int32_t>::Stretch{begin, end};
            };
            for (auto const &[row, n] : rows) together = together.with(stretchOf(row));
            ByTile<std::int32_t> users(tiles, together);
            for (auto const &[row, n] : rows) {
                auto const &present = presence(row, static_cast<int>(v));
                for (auto t = stretchOf(row).begin; t < stretchOf(row).end; ++t) users.at(t) += n * present[t];
            }
            return users;
        };
        auto const users = onTiles(all);
        std::vector<Bytes> vec(tiles, 0);
        for (auto t = users.stretch().begin; t < users.stretch().end; ++t)
            if (users[t] > 0) charged += vec[t] = bytes;
        d.vertexTypes[v].codeVec = addVec(std::move(vec));
        struct Shares {
            Bytes exclusive = 0, shared = 0;
            std::vector<double> attributed;
        };
        std::map<Rows, Shares> known;
        for (auto const &[op, rows] : below) {
            auto const [it, fresh] = known.try_emplace(rows);
            auto &shares = it->second;
            if (fresh) {
                auto const own = onTiles(rows);
                for (auto t = own.stretch().begin; t < own.stretch().end; ++t) {
                    if (own[t] == 0) continue;
                    (own[t] == users[t] ? shares.exclusive : shares.shared) += bytes;
                    shares.attributed.push_back(static_cast<double>(bytes * own[t]) / users[t]);
                }
            }
            auto &row = at(d.ops, op);
            row.codeExclusive += shares.exclusive;
            row.codeShared += shares.shared;
            for (double const part : shares.attributed) row.codeAttributed += part;
        }
    }
    // Exchange and control code: each piece has one owner.
    std::vector<Bytes> planBytes(facts.schedule.exchanges.rows.size(), -1);
    auto const exchangeBytes = [&](std::uint32_t row) {
        if (planBytes[row] < 0) planBytes[row] = sum(exchangeCode(static_cast<int>(facts.schedule.exchanges.first[row])));
        return planBytes[row];
    };
    std::vector<char> counted(p.exchanges.size(), 0);
    for (StepId const id : ids.order) {
        auto const &step = p.step(id);
        int const controlVec = controlCode(id);
        Bytes const controlBytes = controlVec < 0 ? 0 : d.tileVecs.head(controlVec).sum;
        Bytes plan = 0;
        bool fresh = true;
        if (step.exchange.valid()) {
            plan = exchangeBytes(facts.schedule.exchanges.of[step.exchange.index]);
            fresh = !counted[step.exchange.index]++;
        }
        auto &row = at(d.programs, ids.byStep[id.index]);
        if (controlBytes > 0) row.controlCodeVec = controlVec;
        if (step.kind == StepKind::StreamCopy || step.kind == StepKind::RemoteCopy)
            for (auto const &exchange : d.exchanges)
                if (exchange.program == ids.byStep[id.index]) plan = d.tileVecs.head(exchange.codeVec).sum;
        row.codeBytes = controlBytes + plan;
        Bytes const bytes = controlBytes + (fresh ? plan : 0);
        charge(row.op, bytes);
        charged += bytes;
    }
    // Upload and download of resident variables.
    for (std::size_t v = 0; v < p.variables.size(); ++v) {
        auto const &variable = p.variables[v];
        if (!variable.alwaysLive || variable.category == program::Category::Constant || variable.home != Home::Tiles) continue;
        Bytes const bytes = 2 * lowering::kBranchControl * variable.layout.blocks();
        charge(d.variables[v].op, bytes);
        charged += bytes;
    }
    charge(runtimeOp, total - charged);
}

} // namespace tilewright::report

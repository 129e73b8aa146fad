// The control tree, the variables used by its leaves, vertices and exchanges.
#include "engine/report/build_report_parts.h"

#include <algorithm>

namespace tilewright::report {

namespace {

std::string kindOf(StepKind kind)
{
    switch (kind) {
    case StepKind::Sequence: return "sequence";
    case StepKind::Repeat: return "repeat";
    case StepKind::Parallel: return "sequence"; // one slot of a pipeline: its children run on different IPUs
    case StepKind::Call: return "call";
    case StepKind::If: return "if";
    case StepKind::While: return "repeat_while";
    case StepKind::Execute: return "execute";
    case StepKind::Exchange: return "exchange";
    case StepKind::GlobalExchange: return "global_exchange";
    case StepKind::StreamCopy:
    case StepKind::RemoteCopy: return "stream_copy"; // its stream says which memory
    case StepKind::SyncExternal: return "sync_external";
    }
    return "other";
}

bool isStream(StepKind kind) { return kind == StepKind::StreamCopy || kind == StepKind::RemoteCopy; }

} // namespace

ProgramIds programIds(Program const &program)
{
    ProgramIds ids;
    std::size_t const n = program.steps.size();
    ids.byStep.assign(n, kNone);
    ids.barrierOf.assign(n, kNone);
    ids.functionOf.assign(n, kNone);
    std::vector<char> reached(n, 0);
    std::vector<int> parents(n, 0);
    auto const addFunction = [&](StepId id) {
        if (ids.functionOf[id.index] >= 0) return;
        ids.functionOf[id.index] = static_cast<int>(ids.roots.size());
        ids.roots.push_back(id);
    };
    addFunction(program.main);
    auto const visit = [&](auto &&self, StepId id) -> void {
        if (reached[id.index]) return;
        reached[id.index] = 1;
        auto const &step = program.step(id);
        for (auto child : step.children) {
            // The callee of a call becomes a function, and so does a step with several parents.
            if (step.kind == StepKind::Call || ++parents[child.index] > 1) addFunction(child);
            self(self, child);
        }
    };
    visit(visit, program.main);
    for (std::size_t i = 0; i < n; ++i)
        if (reached[i]) {
            ids.byStep[i] = ids.programs++;
            ids.order.push_back(StepId(i));
        }
    // A shared step reached without a call gets a call.
    for (StepId const id : ids.order) {
        auto const &step = program.step(id);
        if (step.kind == StepKind::Call) continue;
        for (auto child : step.children) ids.programs += ids.functionOf[child.index] >= 0;
    }
    bool any = false;
    for (StepId const id : ids.order) {
        auto const kind = program.step(id).kind;
        if (kind != StepKind::Exchange && kind != StepKind::GlobalExchange) continue;
        if (!any) ++ids.programs; // the root of the barriers
        any = true;
        ids.barrierOf[id.index] = ids.programs++;
    }
    return ids;
}

void ReportBuilder::programs()
{
    int const ownRoot = syntheticRoot();
    d.programs.resize(ids.order.size());
    auto const named = [](std::string const &name, std::string const &kind) { return name.empty() ? kind : name; };
    for (StepId const id : ids.order) {
        auto const &step = p.step(id);
        auto &row = at(d.programs, ids.byStep[id.index]);
        row.kind = kindOf(step.kind);
        row.name = named(step.name, row.kind);
        row.op = at(stepOp, id.index);
        if (step.kind == StepKind::Execute) row.computeSet = static_cast<int>(step.computeSet.index);
        if (step.kind == StepKind::Repeat || step.kind == StepKind::While) row.repeatCount = step.count;
        if (isStream(step.kind)) row.stream = static_cast<int>(step.stream.index);
        if (step.kind == StepKind::Call && !step.children.empty()) row.callee = ids.functionOf[step.children[0].index];
    }
    for (StepId const id : ids.order) {
        auto const &step = p.step(id);
        if (step.kind == StepKind::Call) continue;
        int position = 0;
        for (auto child : step.children) {
            int program = ids.byStep[child.index];
            if (int const function = ids.functionOf[child.index]; function >= 0) {
                ProgramRow call;
                call.kind = "call";
                call.name = "Call " + at(d.programs, program).name;
                call.op = at(d.programs, program).op;
                call.callee = function;
                program = count(d.programs);
                d.programs.push_back(std::move(call));
            }
            auto const &inner = p.step(child);
            std::string const label = step.kind == StepKind::Parallel && inner.stage >= 0 ? "stage " + std::to_string(inner.stage)
                : step.kind == StepKind::If                                               ? (child == step.children[0] ? "then" : "else")
                : step.kind == StepKind::While                                            ? (child == step.children[0] ? "test" : "body")
                                                                                          : "";
            d.programChildren.push_back({ids.byStep[id.index], position++, program, label});
        }
    }
    for (std::size_t f = 0; f < ids.roots.size(); ++f) {
        auto const program = ids.byStep[ids.roots[f].index];
        d.functions.push_back({at(d.programs, program).name, program, f == 0});
    }
    int barriers = kNone;
    for (StepId const id : ids.order) {
        if (ids.barrierOf[id.index] < 0) continue;
        if (barriers < 0) {
            ProgramRow row;
            row.kind = "sequence";
            row.name = "Barriers";
            row.op = ownRoot;
            barriers = count(d.programs);
            d.programs.push_back(std::move(row));
            d.functions.push_back({"Barriers", barriers, false});
        }
        auto const &step = p.step(id);
        ProgramRow row;
        row.kind = step.kind == StepKind::Exchange ? "sync_internal" : "sync_external";
        row.name = named(step.name, row.kind) + "/Sync";
        row.op = at(stepOp, id.index);
        int const position = ids.barrierOf[id.index] - barriers - 1;
        d.programChildren.push_back({barriers, position, ids.barrierOf[id.index], ""});
        d.programs.push_back(std::move(row));
    }
    TW_CHECK(count(d.programs) == ids.programs, "programs were counted otherwise");
    std::ranges::sort(d.programChildren,
                      [](auto const &a, auto const &b) { return std::pair(a.parent, a.position) < std::pair(b.parent, b.position); });
}

void ReportBuilder::programVariables()
{
    for (StepId const id : ids.order) {
        auto const &step = p.step(id);
        if (isControl(step.kind)) continue;
        auto touched = program::accesses(p, step);
        std::ranges::sort(touched, {}, &program::VarAccess::var);
        for (auto const &access : touched) {
            char const *word = access.access == program::Access::Read ? "read"
                : access.access == program::Access::Write             ? "write"
                                                                      : "update";
            d.programVariables.push_back({ids.byStep[id.index], static_cast<int>(access.var.index), word});
        }
    }
}

/// The tiles on which the compute sets of a row have vertices of a type.
ByTile<char> const &ReportBuilder::presence(std::uint32_t row, int type) const
{
    return std::ranges::find(setUses[row], type, &SetUse::type)->present;
}

/// The vertices of one family.
struct ReportBuilder::FamilyUse {
    ByTile<char> onTile;
    Bytes stateBytes = 0;
};

ReportBuilder::FamilyUse ReportBuilder::useOf(program::VertexFamily const &family) const
{
    auto const *codelet = program::findCodelet(at(p.codelets, family.codelet));
    TW_CHECK(codelet, "codelet does not exist");
    auto const classes = program::familyClasses(p, family);
    std::vector<Bytes> stateBytes;
    for (auto const &shapes : classes.shapes) stateBytes.push_back(codelet->stateBytes({shapes, family.scalars, family.expr}));
    FamilyUse use;
    std::vector<char> onTile(tiles, 0);
    for (std::size_t t = 0; t < tiles; ++t) {
        int const k = classes.ofTile[t];
        if (k < 0) continue;
        onTile[t] = 1;
        use.stateBytes += at(stateBytes, k);
    }
    use.onTile = ByTile<char>::trimmed(tiles, 0, onTile);
    return use;
}

void ReportBuilder::computeSets()
{
    auto const &costs = facts.schedule.computeSets;
    std::vector<std::vector<FamilyUse>> familyUses(costs.rows.size()); // by row
    work.run(costs.rows.size(), [&](std::size_t r) {
        for (auto const &family : p.computeSets[costs.first[r]].families) familyUses[r].push_back(useOf(family));
    });
    if (work.cancelled()) return;
    std::map<std::pair<int, std::string>, int> typeOf;
    std::vector<ComputeSetRow> rows;
    for (std::size_t r = 0; r < costs.rows.size(); ++r) {
        auto const &cost = costs.rows[r];
        ComputeSetRow row;
        row.cyclesVec = addVec(cost.byTile);
        row.cyclesMax = cost.max;
        row.activeTiles = cost.activeTiles;
        struct TypeUse {
            std::vector<FamilyUse const *> families;
            Bytes stateBytes = 0;
        };
        std::map<int, TypeUse> uses; // by vertex type
        for (std::size_t f = 0; f < familyUses[r].size(); ++f) {
            auto const &family = p.computeSets[costs.first[r]].families[f];
            auto const *codelet = program::findCodelet(at(p.codelets, family.codelet));
            bool const generated = static_cast<bool>(codelet->generatedCodeBytes);
            auto const [it, fresh] =
                typeOf.emplace(std::pair(family.codelet, generated ? family.expr : std::string()), count(d.vertexTypes));
            if (fresh) {
                VertexTypeRow type;
                type.name = generated ? codelet->name + "<" + family.expr + ">" : codelet->name;
                type.codeBytes = generated ? codelet->generatedCodeBytes(family.expr) : codelet->codeBytes;
                d.vertexTypes.push_back(std::move(type));
                vertexTypes.push_back({d.vertexTypes.back().codeBytes, {}});
            }
            auto &[families, stateOfAll] = uses[it->second];
            families.push_back(&familyUses[r][f]);
            stateOfAll += familyUses[r][f].stateBytes;
        }
        auto &own = setUses.emplace_back();
        for (auto &[type, use] : uses) {
            ByTile<char>::Stretch stretch;
            for (auto const *family : use.families) stretch = stretch.with(family->onTile.stretch());
            SetUse one{type, 0, kNone, use.stateBytes, {tiles, stretch}};
            ByTile<std::int64_t> counts(tiles, {stretch.begin, stretch.end});
            for (auto t = stretch.begin; t < stretch.end; ++t) {
                for (auto const *family : use.families) counts.at(t) += family->onTile[t];
                one.present.at(t) = counts[t] > 0;
                one.total += counts[t];
            }
            row.vertices += one.total;
            one.countsVec = addVec(counts);
            own.push_back(std::move(one));
        }
        rows.push_back(std::move(row));
    }
    for (std::size_t c = 0; c < p.computeSets.size(); ++c) {
        auto const r = costs.of[c];
        auto row = rows[r];
        row.name = p.computeSets[c].name;
        row.op = setOp[c];
        d.computeSets.push_back(std::move(row));
        for (auto const &use : setUses[r]) {
            at(vertexTypes, use.type).users.emplace_back(static_cast<int>(c), r);
            d.computeSetVertices.push_back({static_cast<int>(c), use.type, use.total, use.countsVec, use.stateBytes});
        }
    }
}

void ReportBuilder::exchanges()
{
    struct Known {
        int sent = kNone, received = kNone, cycles = kNone, code = kNone;
        ExchangePairs pairs;
    };
    std::vector<Known> known(facts.schedule.exchanges.rows.size()); // by row of equal exchanges
    for (auto const &stream : p.streams) {
        StreamRow row;
        row.name = stream.name;
        row.direction = stream.toDevice ? "to_device" : "from_device";
        row.memory = stream.remote.valid() ? "remote" : "host";
        row.bytesPerTransfer = program::bytesOf(p, stream);
        row.buffering = stream.remote.valid() ? 1 : facts.streamBuffering;
        d.streams.push_back(std::move(row));
    }
    for (StepId const id : ids.order) {
        auto const &step = p.step(id);
        ExchangeRow row;
        row.program = ids.byStep[id.index];
        if (step.kind == StepKind::Exchange || step.kind == StepKind::GlobalExchange) {
            auto const &traffic = facts.schedule.exchanges[step.exchange.index];
            row.kind = step.kind == StepKind::Exchange ? "internal" : "global";
            row.bytesSent = traffic.totalSent;
            row.bytesReceived = traffic.totalReceived;
            auto &equal = known[facts.schedule.exchanges.of[step.exchange.index]];
            if (equal.sent < 0) {
                ExchangePairs::List pairs;
                pairs.reserve(traffic.pairs.size());
                for (auto const &pair : traffic.pairs) pairs.push_back({pair.from, pair.to, pair.bytes});
                equal = {addVec(traffic.sent), addVec(traffic.received), addVec(traffic.cycles),
                         addVec(exchangeCode(static_cast<int>(step.exchange.index))), std::move(pairs)};
            }
            row.sentVec = equal.sent;
            row.receivedVec = equal.received;
            row.cyclesVec = equal.cycles;
            row.codeVec = equal.code;
            row.pairs = equal.pairs;
            if (row.kind == "global")
                for (auto const messages : traffic.messages.values()) row.headerBytes += lowering::kPacketHeader * messages;
        } else if (isStream(step.kind)) {
            auto const &stream = p.streams[step.stream.index];
            auto const &variable = p.var(stream.var);
            auto const classes = program::tileClasses(variable.layout, p.tiles());
            std::vector<Bytes> bytes(tiles, 0), codeBytes(tiles, 0);
            for (std::size_t t = 0; t < tiles; ++t) {
                int const c = classes.ofTile[t];
                if (c < 0 || stream.synthetic) continue;
                auto const &box = at(classes.box, c);
                bytes[t] = box.elements() * sizeOf(variable.dtype);
                auto const m = program::matrixOf(variable.layout, box);
                codeBytes[t] = lowering::kExchangePhase + lowering::kExchangeEvent * 2 * m.rows * m.groups;
                row.headerBytes += lowering::kHostHeader;
            }
            row.kind = stream.remote.valid() ? "remote" : "host";
            int const vec = addVec(std::move(bytes));
            row.bytesSent = row.bytesReceived = d.tileVecs.head(vec).sum;
            (stream.toDevice ? row.receivedVec : row.sentVec) = vec;
            row.codeVec = addVec(std::move(codeBytes));
        } else {
            continue;
        }
        d.exchanges.push_back(std::move(row));
    }
}

} // namespace tilewright::report

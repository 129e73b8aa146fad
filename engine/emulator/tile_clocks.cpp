#include "engine/emulator/tile_clocks.h"

#include <algorithm>

namespace tilewright::emulator {

using namespace program;

namespace {

std::vector<Cycles> slowestByIpu(Program const &program, std::vector<Cycles> const &byTile)
{
    std::vector<Cycles> byIpu;
    auto const n = static_cast<std::ptrdiff_t>(program.tilesPerIpu);
    for (int ipu = 0; ipu < program.ipus; ++ipu)
        byIpu.push_back(*std::max_element(byTile.begin() + ipu * n, byTile.begin() + (ipu + 1) * n));
    return byIpu;
}

} // namespace

void SetTimes::finish(Program const &program) { byIpu = slowestByIpu(program, byTile); }

Cycles VertexMeter::cycles(std::span<VertexState::Ref const> refs, std::span<FieldBlock const> blocks)
{
    std::vector<FieldShape> shapes;
    for (std::size_t f = 0; f < refs.size(); ++f) {
        auto const &ref = refs[f];
        FieldShape shape{ref.dtype, ref.groups, ref.rows, ref.cols, blocks[f].rank, {}};
        for (int d = 0; d < shape.rank; ++d) shape.size[static_cast<std::size_t>(d)] = blocks[f].size(d);
        shapes.push_back(shape);
    }
    for (auto const &[known, cycles] : m_known)
        if (known == shapes) return cycles;
    Cycles const cycles = m_codelet.cycles({shapes, m_scalars, m_expr}, m_chip);
    m_known.emplace_back(std::move(shapes), cycles);
    return cycles;
}

ExchangeMeter::ExchangeMeter(Program const &program, target::Machine const &machine)
    : m_program(program), m_machine(machine), m_ports(static_cast<std::size_t>(program.tiles())), m_listens(m_ports.size(), 0)
{
}

void ExchangeMeter::copy(int fromTile, std::span<int const> toTiles, Bytes bytes, std::int64_t runs, bool alone)
{
    Bytes const words = roundUp(bytes, 4) * runs;
    std::int64_t const sends = alone ? static_cast<std::int64_t>(toTiles.size()) : 1;
    auto &sender = m_ports[static_cast<std::size_t>(fromTile)];
    sender.sent += words * sends;
    sender.messages += runs * sends;
    for (int const tile : toTiles) m_listens[static_cast<std::size_t>(tile)] = 1;
    for (int const tile : toTiles) {
        auto &port = m_ports[static_cast<std::size_t>(tile)];
        port.received += words;
        port.fragments += runs;
        auto const neighbour = static_cast<std::size_t>(tile ^ 1);
        if (m_machine.chip.tilesPerExchangeBus == 2 && neighbour < m_listens.size() && m_listens[neighbour]) port.onSharedBus += words;
        int const from = fromTile / m_program.tilesPerIpu, to = tile / m_program.tilesPerIpu;
        if (from != to) m_inside[{from, to}] += words;
    }
    for (int const tile : toTiles) m_listens[static_cast<std::size_t>(tile)] = 0;
}

void ExchangeMeter::handOn(int replica, int tile, Bytes bytes)
{
    if (bytes == 0) return;
    m_ring.resize(static_cast<std::size_t>(m_program.replicas), std::vector<target::PortLoad>(m_ports.size()));
    int const next = (replica + 1) % m_program.replicas, ipu = tile / m_program.tilesPerIpu;
    Bytes const words = roundUp(bytes, 4);
    auto &sender = m_ring[static_cast<std::size_t>(replica)][static_cast<std::size_t>(tile)];
    sender.sent += words;
    ++sender.messages;
    auto &receiver = m_ring[static_cast<std::size_t>(next)][static_cast<std::size_t>(tile)];
    receiver.received += words;
    ++receiver.fragments;
    m_between[{replica * m_program.ipus + ipu, next * m_program.ipus + ipu}] += words;
}

ExchangeTimes ExchangeMeter::times() const
{
    ExchangeTimes times;
    for (std::size_t t = 0; t < m_ports.size(); ++t) {
        Cycles slowest = m_ring.empty() ? target::portCycles(m_machine.chip, m_ports[t]) : 0;
        for (auto const &replica : m_ring) {
            auto port = m_ports[t];
            port.sent += replica[t].sent;
            port.received += replica[t].received;
            port.messages += replica[t].messages;
            port.fragments += replica[t].fragments;
            slowest = std::max(slowest, target::portCycles(m_machine.chip, port));
        }
        times.byTile.push_back(slowest);
    }
    times.byIpu = slowestByIpu(m_program, times.byTile);
    std::vector<target::LinkLadder::Flow> flows;
    for (auto const &[ends, bytes] : m_between) flows.push_back({ends.first, ends.second, bytes});
    for (int replica = 0; replica < m_program.replicas; ++replica)
        for (auto const &[ends, bytes] : m_inside)
            flows.push_back({replica * m_program.ipus + ends.first, replica * m_program.ipus + ends.second, bytes});
    if (!flows.empty())
        for (auto const &load : target::LinkLadder(m_machine, m_program.ipus * m_program.replicas).load(flows))
            times.links = std::max(times.links, load.cycles);
    return times;
}

TileClocks::TileClocks(Program const &program, target::Machine const &machine) : m_program(program), m_machine(machine)
{
    m_state.clock.assign(static_cast<std::size_t>(program.ipus), 0);
    m_state.amp = m_state.clock;
    m_state.costs.resize(program.steps.size() * m_state.clock.size());
}

void TileClocks::pass(StepId step, int ipu, Phase phase, Cycles duration)
{
    if (duration == 0) return;
    auto &clock = m_state.clock[static_cast<std::size_t>(ipu)];
    if (observer) observer(step, ipu, phase, clock, duration);
    Cycles const overlap = m_state.besides ? std::clamp<Cycles>(m_state.firstEnd[static_cast<std::size_t>(ipu)] - clock, 0, duration) : 0;
    clock += duration;
    auto &cost = m_state.costs[step.index * m_state.clock.size() + static_cast<std::size_t>(ipu)][phase == Phase::Sync ? 0 : 1];
    cost.step = step;
    cost.ipu = ipu;
    cost.phase = phase;
    cost.add(duration, 1, overlap);
}

void TileClocks::enterLane(bool first)
{
    if (first) m_state.lanesStart = m_state.lanesEnd = m_state.clock;
    else m_state.clock = m_state.lanesStart;
    m_state.besides = !first;
}

void TileClocks::leaveLane()
{
    auto &ends = m_state.lanesEnd;
    for (std::size_t ipu = 0; ipu < ends.size(); ++ipu) ends[ipu] = std::max(ends[ipu], m_state.clock[ipu]);
    if (!m_state.besides) m_state.firstEnd = m_state.clock;
    m_state.besides = false;
}

void TileClocks::joinLanes()
{
    if (!m_state.lanesEnd.empty()) m_state.clock = m_state.lanesEnd;
    m_state.lanesStart.clear();
    m_state.lanesEnd.clear();
    m_state.firstEnd.clear();
    m_state.besides = false;
}

void TileClocks::enterBesideTasks(int ipu)
{
    m_state.firstEnd = m_state.clock;
    m_state.clock[static_cast<std::size_t>(ipu)] = m_state.slotStart;
    m_state.besides = true;
    m_state.task = ipu;
}

void TileClocks::leaveBesideTasks()
{
    auto const ipu = static_cast<std::size_t>(m_state.task);
    m_state.clock[ipu] = std::max(m_state.clock[ipu], m_state.firstEnd[ipu]);
    m_state.firstEnd.clear();
    m_state.besides = false;
    m_state.task = -1;
}

void TileClocks::barrier()
{
    if (m_state.task >= 0) return;
    std::ranges::fill(m_state.clock, now());
}

Cycles TileClocks::now() const { return *std::ranges::max_element(m_state.clock); }

MeasuredCycles TileClocks::measured() const
{
    MeasuredCycles measured;
    measured.total = now();
    for (Cycles const cycles : m_state.amp) measured.amp += cycles;
    measured.amp /= static_cast<Cycles>(m_state.amp.size());
    for (auto const &costs : m_state.costs)
        for (auto const &cost : costs)
            if (cost.executions > 0) measured.steps.push_back(cost);
    return measured;
}

void TileClocks::compute(StepId step, SetTimes const &times)
{
    onIpus([&](int ipu) {
        Cycles const cycles = times.byIpu[static_cast<std::size_t>(ipu)];
        pass(step, ipu, Phase::Compute, cycles);
        if (times.usesAmp) m_state.amp[static_cast<std::size_t>(ipu)] += cycles;
    });
}

void TileClocks::exchange(StepId step, ExchangeTimes const &times)
{
    if (m_program.step(step).kind == StepKind::GlobalExchange) {
        externalSync(step);
        Cycles const slowest = *std::ranges::max_element(times.byIpu);
        onIpus([&](int ipu) { pass(step, ipu, Phase::GlobalExchange, target::globalPhaseCycles(m_machine, slowest, times.links)); });
        barrier();
    } else {
        onIpus([&](int ipu) {
            Cycles const slowest = times.byIpu[static_cast<std::size_t>(ipu)];
            if (slowest == 0) return;
            pass(step, ipu, Phase::Sync, m_machine.chip.syncCycles);
            pass(step, ipu, Phase::InternalExchange, target::exchangePhaseCycles(m_machine.chip, slowest));
        });
    }
}

void TileClocks::stream(StepId step, int ipu, Bytes bytes, bool continues)
{
    barrier();
    pass(step, ipu, Phase::Stream, target::streamCycles(m_machine, bytes, m_program.replicas, continues));
    barrier();
}

void TileClocks::remoteCopy(StepId step, int ipu, Bytes bytes)
{
    barrier();
    pass(step, ipu, Phase::Stream, target::remoteCycles(m_machine, bytes, m_program.ipus, m_program.replicas));
    barrier();
}

void TileClocks::externalSync(StepId step)
{
    barrier();
    onIpus([&](int ipu) { pass(step, ipu, Phase::Sync, m_machine.externalSyncCycles(m_program.ipus * m_program.replicas)); });
    barrier();
}

} // namespace tilewright::emulator

#include "engine/target/exchange.h"

#include <cmath>

namespace tilewright::target {

Cycles portCycles(Chip const &chip, PortLoad const &load)
{
    if (!load.any()) return 0;
    std::int64_t const rate = chip.exchangeBytesPerCycle;
    Cycles const receive = ceilDiv(load.onSharedBus, rate * chip.tilesPerExchangeBus) + ceilDiv(load.received - load.onSharedBus, rate);
    return std::max(receive, ceilDiv(load.sent, rate)) + chip.exchangeMessageCycles * std::max(load.messages, load.fragments);
}

Cycles exchangePhaseCycles(Chip const &chip, Cycles slowestPort)
{
    return slowestPort + chip.exchangeLatencyCycles + chip.exchangeSpreadCycles;
}

Cycles globalPhaseCycles(Machine const &machine, Cycles slowestPort, Cycles slowestLink)
{
    Cycles const inside = exchangePhaseCycles(machine.chip, slowestPort);
    return slowestLink > 0 ? std::max(inside, slowestLink + machine.linkLatencyCycles) : inside;
}

Cycles streamCycles(Machine const &machine, Bytes bytes, int replicas, bool continues)
{
    double const rate = machine.chip.hostBytesPerSecond / std::max(1, replicas / std::max(1, machine.ipusPerBoard));
    double const seconds = static_cast<double>(bytes) / rate;
    Cycles const handshakes = continues ? 0 : 2 * machine.chip.hostSyncCycles;
    return handshakes + static_cast<Cycles>(std::ceil(seconds * static_cast<double>(machine.chip.clockHz)));
}

Cycles remoteCycles(Machine const &machine, Bytes bytes, int ipusPerReplica, int replicas)
{
    int const sharing = std::min(replicas, std::max(1, machine.ipusPerBoard / ipusPerReplica));
    double const rate = std::min(machine.streamingLinkBytesPerSecond, machine.streamingBytesPerSecond / sharing);
    double const seconds = static_cast<double>(bytes) / rate;
    return 2 * machine.chip.hostSyncCycles + static_cast<Cycles>(std::ceil(seconds * static_cast<double>(machine.chip.clockHz)));
}

} // namespace tilewright::target

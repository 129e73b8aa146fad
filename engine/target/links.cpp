#include "engine/target/links.h"

#include <cmath>
#include <map>

namespace tilewright::target {

LinkLadder::LinkLadder(Machine const &machine, int ipus) : m_ipus(ipus), m_clockHz(machine.chip.clockHz)
{
    TW_CHECK(ipus >= 1, "a system without IPUs");
    constexpr int kRungWidth = 4, kRailWidth = 2;
    m_rung.assign(static_cast<std::size_t>(ipus), -1);
    m_rail = m_rung;
    auto const add = [&](std::vector<int> &byIpu, int from, int to, int width, double rate) {
        byIpu[static_cast<std::size_t>(from)] = static_cast<int>(m_links.size());
        m_links.push_back({from, to, width, rate});
    };
    for (int ipu = 0; ipu < ipus; ++ipu) {
        if (ipu % 2 == 0 && ipu + 1 < ipus) add(m_rung, ipu, ipu + 1, kRungWidth, machine.linkBytesPerSecond);
        if (ipu + 2 < ipus) add(m_rail, ipu, ipu + 2, kRailWidth, machine.farLinkBytesPerSecond);
    }
}

LinkLadder::Hop LinkLadder::hop(int from, int to) const
{
    int const low = std::min(from, to);
    int const link = (std::abs(from - to) == 1 ? m_rung : m_rail)[static_cast<std::size_t>(low)];
    TW_CHECK(link >= 0, "no link between IPU " + std::to_string(from) + " and " + std::to_string(to));
    return {link, from > to};
}

std::vector<LinkLadder::Hop> LinkLadder::route(int from, int to) const
{
    TW_CHECK(from >= 0 && to >= 0 && from < m_ipus && to < m_ipus, "a way to an IPU that is not there");
    std::vector<Hop> way;
    int here = from;
    auto const go = [&](int next) {
        way.push_back(hop(here, next));
        here = next;
    };
    if (here % 2 != to % 2) {
        // With an odd number the last one has no rung of its own and uses that of the pair before.
        if (here % 2 == 0 && here + 1 >= m_ipus) go(here - 2);
        go(here % 2 ? here - 1 : here + 1);
    }
    while (here != to) go(here < to ? here + 2 : here - 2);
    return way;
}

std::vector<LinkLadder::Load> LinkLadder::load(std::vector<Flow> const &flows) const
{
    std::map<Hop, Bytes> bytes;
    for (auto const &flow : flows)
        for (auto const &hop : route(flow.from, flow.to)) bytes[hop] += flow.bytes;
    std::vector<Load> loads;
    for (auto const &[hop, each] : bytes) {
        double const seconds = static_cast<double>(each) / m_links[static_cast<std::size_t>(hop.link)].bytesPerSecond;
        loads.push_back({hop, each, static_cast<Cycles>(std::ceil(seconds * static_cast<double>(m_clockHz)))});
    }
    return loads;
}

} // namespace tilewright::target

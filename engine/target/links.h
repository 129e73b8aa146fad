#pragma once

#include "engine/target/machine.h"

#include <vector>

namespace tilewright::target {

/// All IPU-Links between two IPUs together: one rate in each direction.
struct Link {
    int ipuA = 0, ipuB = 0;    ///< ipuA < ipuB
    int width = 0;             ///< number of parallel links
    double bytesPerSecond = 0; ///< one direction
    bool operator==(Link const &) const = default;
};

/// The topology of a system's IPUs: a ladder, with rungs of four links inside pairs (0-1, 2-3, …) and rails of two links between pairs
/// (0-2, 1-3, 2-4, …). Source: poplibs, lib/poplibs_test/Util.cpp.
class LinkLadder {
public:
    /// Requires: ipus >= 1. With an odd number the last rung is missing.
    LinkLadder(Machine const &machine, int ipus);
    std::vector<Link> const &links() const { return m_links; }

    /// One link of a route, in one direction.
    struct Hop {
        int link = 0;
        bool down = false; ///< from ipuB to ipuA
        auto operator<=>(Hop const &) const = default;
    };
    /// The route of data: across the rung first if the other side is the destination, then along the rail. Empty: from == to.
    std::vector<Hop> route(int from, int to) const;
    struct Load {
        Hop hop;
        Bytes bytes = 0;
        Cycles cycles = 0; ///< of the chip's clock, without latency
    };
    struct Flow {
        int from = 0, to = 0;
        Bytes bytes = 0;
    };
    /// The load of simultaneous flows on their links. All flows over a direction share its rate.
    std::vector<Load> load(std::vector<Flow> const &flows) const;

private:
    Hop hop(int from, int to) const;

    int m_ipus;
    std::int64_t m_clockHz;
    std::vector<Link> m_links;
    std::vector<int> m_rung, m_rail; ///< link by its lower IPU; -1: none
};

} // namespace tilewright::target

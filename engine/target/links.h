#pragma once

#include "engine/target/machine.h"

#include <vector>

namespace tilewright::target {

/// The IPU-Links between two IPUs, taken together: one rate in each direction.
struct Link {
    int ipuA = 0, ipuB = 0;    ///< ipuA < ipuB
    int width = 0;             ///< links side by side
    double bytesPerSecond = 0; ///< one direction
    bool operator==(Link const &) const = default;
};

/// How the IPUs of a system are joined: a ladder, with rungs of four links inside pairs (0-1, 2-3, …) and rails of two
/// between pairs (0-2, 1-3, 2-4, …). Source: poplibs, lib/poplibs_test/Util.cpp.
class LinkLadder {
public:
    /// Requires: ipus >= 1. An odd number leaves its last rung out.
    LinkLadder(Machine const &machine, int ipus);
    std::vector<Link> const &links() const { return m_links; }

    /// One link of a way, in one of its directions.
    struct Hop {
        int link = 0;
        bool down = false; ///< from ipuB to ipuA
        auto operator<=>(Hop const &) const = default;
    };
    /// The way data takes: across the rung first where the other side is wanted, then along the rail. Empty: from == to.
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
    /// What flows that go on at once put on the links they take: all that is routed over a direction shares its rate.
    std::vector<Load> load(std::vector<Flow> const &flows) const;

private:
    Hop hop(int from, int to) const;

    int m_ipus;
    std::int64_t m_clockHz;
    std::vector<Link> m_links;
    std::vector<int> m_rung, m_rail; ///< link by its lower IPU; -1: none
};

} // namespace tilewright::target

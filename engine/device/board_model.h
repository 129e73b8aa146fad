#pragma once

#include "engine/target/machine.h"

namespace tilewright::device {

/// Power and heat of one emulated IPU: a model for the monitor, not a measurement. Nothing else depends on it (cycle counts use the nominal
/// clock).
///
/// P = idle + amp x (share of cycles with AMP active) + exchange x (share of cycles exchanging), GC200: 48 W + 76 W + 20 W. This reproduces
/// the vendor's power test: 124 W for the loaded IPU, 48 W for its idle neighbour. Other chips are scaled: the dynamic part of Bow by 1.39
/// x 0.86 (clock x performance per watt), of the C600 by its clock, of the C2 to the 315 W of a card with two IPUs.
struct BoardCurve {
    double idleWatts = 48;
    double ampWatts = 76;
    double exchangeWatts = 20;
    double capWatts = 150; ///< above it, the clock drops until the dynamic part fits
    double inletCelsius = 20;
    double dieKelvinPerWatt = 0.17;    ///< 41 C at 124 W (power test: 38 to 43 C)
    double boardKelvinPerWatt = 0.093; ///< 36 C at 172 W of a board (regulators: 32 to 41 C)
    double timeConstantSeconds = 20;   ///< of the die's temperature; assumed
    double nominalMhz = 1330;

    bool operator==(BoardCurve const &) const = default;
};

BoardCurve boardCurve(target::Chip const &chip);

struct BoardReading {
    double watts = 0; ///< of the IPU
    double dieCelsius = 0;
    double clockMhz = 0;
    bool operator==(BoardReading const &) const = default;
};

/// Power follows the load immediately. The die's temperature follows the power with one time constant, on the emulated clock.
class BoardModel {
public:
    explicit BoardModel(BoardCurve curve);
    /// Advances by `seconds` of emulated time with these shares (0 … 1, clamped).
    void advance(double seconds, double ampShare, double exchangeShare);
    BoardReading const &reading() const { return m_reading; }

private:
    BoardCurve m_curve;
    BoardReading m_reading;
};

/// Steady temperature of a board with this power.
double boardCelsius(BoardCurve const &curve, double boardWatts);

} // namespace tilewright::device

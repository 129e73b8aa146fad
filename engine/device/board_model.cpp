#include "engine/device/board_model.h"

#include <algorithm>
#include <cmath>

namespace tilewright::device {

BoardCurve boardCurve(target::Chip const &chip)
{
    BoardCurve curve;
    double dynamic = 1;
    if (chip.name == "bow") {
        dynamic = 1.39 * 0.86;
        curve.capWatts = 185;
    } else if (chip.name == "c600") {
        dynamic = 1.5 / 1.33;
        curve.capWatts = 185; // its thermal design power
    } else if (chip.name == "gc2") {
        // 315 W for two IPUs at full load, divided as on the GC200. The card is sold with 300 W.
        double const scale = 157.5 / 144;
        curve.idleWatts *= scale;
        dynamic = scale;
    }
    curve.ampWatts *= dynamic;
    curve.exchangeWatts *= dynamic;
    curve.nominalMhz = static_cast<double>(chip.clockHz) / 1e6;
    return curve;
}

BoardModel::BoardModel(BoardCurve curve) : m_curve(curve)
{
    m_reading = {curve.idleWatts, curve.inletCelsius + curve.dieKelvinPerWatt * curve.idleWatts, curve.nominalMhz};
}

void BoardModel::advance(double seconds, double ampShare, double exchangeShare)
{
    double const dynamic = m_curve.ampWatts * std::clamp(ampShare, 0.0, 1.0) + m_curve.exchangeWatts * std::clamp(exchangeShare, 0.0, 1.0);
    double const room = m_curve.capWatts - m_curve.idleWatts;
    double const throttle = dynamic > room ? room / dynamic : 1;
    m_reading.watts = m_curve.idleWatts + dynamic * throttle;
    m_reading.clockMhz = m_curve.nominalMhz * throttle;
    double const steady = m_curve.inletCelsius + m_curve.dieKelvinPerWatt * m_reading.watts;
    double const decay = std::exp(-std::max(0.0, seconds) / m_curve.timeConstantSeconds);
    m_reading.dieCelsius = steady + (m_reading.dieCelsius - steady) * decay;
}

double boardCelsius(BoardCurve const &curve, double boardWatts) { return curve.inletCelsius + curve.boardKelvinPerWatt * boardWatts; }

} // namespace tilewright::device

#pragma once

#include "engine/report/bubble_shares.h"

#include <QString>

#include <string>

// Idle time of a pipeline's IPUs in words. All views use these functions and engine's bubbleShares().
namespace tilewright::views {

/// "ramp 14 %, imbalance 8 %: IPU 2, waiting for the host 3 %"; empty if there are no bubbles.
QString bubbleCauses(report::BubbleShares const &shares);
/// "bubbles 22 % of the pipeline's time (ramp 14 %, imbalance 8 %: IPU 2)".
QString bubbleText(report::BubbleShares const &shares);
/// ramp up, ramp down, imbalance, transfer, waiting for the host, weight update.
QString causeWord(std::string const &cause);

} // namespace tilewright::views

#pragma once

#include "engine/report/bubble_shares.h"

#include <QString>

#include <string>

// What a pipeline's IPUs lose between their tasks, in the same words in every view: of one engine function, bubbleShares().
namespace tilewright::views {

/// "ramp 14 %, imbalance 8 %: IPU 2, waiting for the host 3 %"; empty: there is none.
QString bubbleCauses(report::BubbleShares const &shares);
/// "bubbles 22 % of the pipeline's time (ramp 14 %, imbalance 8 %: IPU 2)".
QString bubbleText(report::BubbleShares const &shares);
/// ramp up, ramp down, imbalance, transfer, waiting for the host, weight update.
QString causeWord(std::string const &cause);

} // namespace tilewright::views

#include "engine/program/cost/copy_cost.h"

namespace tilewright::cost {

Cycles externalSyncCycles(target::Chip const &chip, int ipus)
{
    target::Machine machine;
    machine.chip = chip;
    return machine.externalSyncCycles(ipus);
}

} // namespace tilewright::cost

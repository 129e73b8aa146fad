#pragma once

#include "engine/runtime/worker_link.h"

#include <memory>
#include <vector>

namespace tilewright::distributed {

/// The links of workers that are threads of one process. A worker is lost when its link is destroyed before it is closed.
std::vector<std::unique_ptr<runtime::WorkerLink>> threadLinks(int workers);

} // namespace tilewright::distributed

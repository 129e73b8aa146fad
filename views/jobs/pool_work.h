#pragma once

#include <functional>

class QThreadPool;

namespace tilewright::views {

/// Starts work on a thread of a pool. Other than with QThreadPool's own start() what is handed over passes a mutex of ours:
/// the thread sanitizer does not see into Qt's, and would call each job a race.
void startOn(QThreadPool &pool, std::function<void()> work);

} // namespace tilewright::views

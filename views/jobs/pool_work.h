#pragma once

#include <functional>

class QThreadPool;

namespace tilewright::views {

/// Starts work on a pool thread. Unlike QThreadPool::start(), the hand-over uses our own mutex: the thread sanitizer cannot see Qt's and
/// would report each job as a race.
void startOn(QThreadPool &pool, std::function<void()> work);

} // namespace tilewright::views

#include "views/common/frame_pool.h"

namespace tilewright::views {

ThreadPool &framePool()
{
    static ThreadPool pool(2);
    return pool;
}

} // namespace tilewright::views

#pragma once

#include "views/document/document.h"

#include <QtGlobal>

#include <atomic>
#include <mutex>

namespace tilewright::views {

/// Autosaves of a document are written by jobs, one at a time. Only the newest is wanted: a job that an edit, a saving or a
/// discard has overtaken writes nothing.
struct Document::Autosaving {
    std::mutex mutex; ///< held while a file is written or removed
    std::atomic<quint64> newest = 0;
};

} // namespace tilewright::views

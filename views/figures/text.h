#pragma once

#include <QCoreApplication>

namespace tilewright::views {

/// Gives free functions tr() in the context that all of them share.
struct Text {
    Q_DECLARE_TR_FUNCTIONS(views)
};

} // namespace tilewright::views

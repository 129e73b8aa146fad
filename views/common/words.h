#pragma once

#include <QCoreApplication>

namespace tilewright::views {

/// Words::tr for functions that belong to no QObject: the context is "views".
struct Words {
    Q_DECLARE_TR_FUNCTIONS(views)
};

} // namespace tilewright::views

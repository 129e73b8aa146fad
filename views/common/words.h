#pragma once

#include <QCoreApplication>

namespace tilewright::views {

/// Words::tr for functions outside of QObjects: the context is "views".
struct Words {
    Q_DECLARE_TR_FUNCTIONS(views)
};

} // namespace tilewright::views

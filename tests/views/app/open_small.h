#pragma once

#include "app/gui/main_window.h"
#include "views/document/document.h"
#include "views/session/session.h"

#include <QtTest>

namespace tilewright::tests {

/// Opens a project whose epoch is 100 steps on 64 tiles.
inline void openSmall(app::MainWindow &window, QString const &epochs)
{
    auto &document = window.session().document();
    QVERIFY(document.openTemplate(QStringLiteral("mnist-mlp")).ok());
    QVERIFY(document.setField(QStringLiteral("system.target"), QStringLiteral("gc200:tiles=64")).ok());
    QVERIFY(document.setField(QStringLiteral("data.limit"), QStringLiteral("3200")).ok());
    QVERIFY(document.setField(QStringLiteral("training.epochs"), epochs).ok());
}

} // namespace tilewright::tests

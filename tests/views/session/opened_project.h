#pragma once

#include "views/document/document.h"
#include "views/session/session.h"

#include <QtTest>

namespace tilewright::tests {

/// Opens the digits' model on 64 tiles in a session, with so many samples and epochs, and saves it there.
inline void open(views::Session &session, QString const &path, int limit, int epochs)
{
    auto &document = session.document();
    QVERIFY(document.openTemplate(QStringLiteral("mnist-mlp")).ok());
    QVERIFY(document.setField(QStringLiteral("system.target"), QStringLiteral("gc200:tiles=64")).ok());
    QVERIFY(document.setField(QStringLiteral("data.limit"), QString::number(limit)).ok());
    QVERIFY(document.setField(QStringLiteral("training.steps_per_execution"), QStringLiteral("1")).ok());
    QVERIFY(document.setField(QStringLiteral("training.epochs"), QString::number(epochs)).ok());
    QVERIFY(document.save(path).ok());
}

} // namespace tilewright::tests

#pragma once

#include "views/document/document.h"

#include <QtTest>

namespace tilewright::tests {

/// A project that trains in a moment, never saved.
inline void openSmall(views::Document &document)
{
    QVERIFY(document.openTemplate(QStringLiteral("mnist-mlp")).ok());
    for (auto const &[field, value] :
         {std::pair("system.target", "gc200:tiles=64"), std::pair("data.limit", "640"), std::pair("training.epochs", "1")})
        QVERIFY(document.setField(QString::fromLatin1(field), QString::fromLatin1(value)).ok());
}

} // namespace tilewright::tests

#pragma once

#include "engine/conformance/conformance.h"

#include <QDir>
#include <QFile>
#include <QtTest>

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace tilewright::conformance {

inline QString const kCorpus = QStringLiteral(TILEWRIGHT_SOURCE_DIR "/tests/corpus/conformance");
inline QString const kShared = QStringLiteral(TILEWRIGHT_SOURCE_DIR "/../shared/conformance/cases");

inline Result<ConformanceSummary> runOn(QString const &path, Mode mode, ConformanceOptions options = {})
{
    options.mode = mode;
    std::vector<std::filesystem::path> const paths{path.toStdString()};
    return runConformance(paths, options, {});
}

inline CaseResult const *resultOf(ConformanceSummary const &summary, std::string const &id)
{
    for (auto const &result : summary.cases)
        if (result.id == id) return &result;
    return nullptr;
}

inline nlohmann::json readJson(QString const &path)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly)) QTest::qFail(qPrintable("cannot read " + path), __FILE__, __LINE__);
    return nlohmann::json::parse(file.readAll().toStdString(), nullptr, false);
}

inline void writeJson(QString const &path, nlohmann::json const &json)
{
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly)) QTest::qFail(qPrintable("cannot write " + path), __FILE__, __LINE__);
    else file.write(QByteArray::fromStdString(json.dump()));
}

inline void modeRows()
{
    QTest::addColumn<int>("mode");
    QTest::newRow("fused") << static_cast<int>(Mode::Fused);
    QTest::newRow("tile") << static_cast<int>(Mode::Tile);
    QTest::newRow("reference") << static_cast<int>(Mode::Reference);
}

} // namespace tilewright::conformance

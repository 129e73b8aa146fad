#pragma once

#include "engine/core/random.h"
#include "engine/model/keras_json.h"
#include "tests/engine/passes/graph_runner.h"

#include <QByteArray>
#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QString>
#include <QStringList>

#include <cstring>

/// Reads the reference cases (format: conformance/README.md).
namespace tilewright::tests {

inline QString casesFolder() { return QDir::cleanPath(QString(TILEWRIGHT_SOURCE_DIR) + "/../shared/conformance/cases"); }

/// All case files below a folder of the cases, in order of their paths.
inline QStringList caseFiles(QString const &folder)
{
    QStringList files;
    QDirIterator it(casesFolder() + "/" + folder, {"*.json"}, QDir::Files, QDirIterator::Subdirectories);
    while (it.hasNext()) {
        auto const path = it.next();
        if (!path.endsWith("index.json")) files << path;
    }
    files.sort();
    return files;
}

inline model::Json readCase(QString const &path)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly)) return {};
    auto parsed = model::parseJson(file.readAll().toStdString(), path.toStdString());
    return parsed.ok() ? *parsed : model::Json();
}

/// Tensor with data or generated; MNIST tensors are not read here (empty result).
inline RefTensor caseTensor(model::Json const &json)
{
    RefTensor t;
    if (json.contains("mnist")) return t;
    t.dtype = parseDType(json.at("dtype").get<std::string>()).value_or(DType::F32);
    for (auto const &extent : json.at("shape")) t.shape.push_back(extent.get<std::int64_t>());
    auto const count = static_cast<std::size_t>(elementCount(t.shape));
    t.v.resize(count);
    if (json.contains("gen")) {
        auto const &gen = json["gen"];
        auto const kind = gen.at("kind").get<std::string>();
        RandomStream stream(gen.at("seed").get<std::uint64_t>());
        if (kind == "onehot") {
            auto const classes = static_cast<std::size_t>(t.shape.back());
            for (std::size_t row = 0; row < count / classes; ++row) t.v[row * classes + (stream.next() >> 33) % classes] = 1.0;
        } else {
            double const lo = gen.at("lo").get<double>(), hi = gen.at("hi").get<double>();
            for (auto &v : t.v) {
                auto const z = stream.next();
                if (kind == "int") v = lo + static_cast<double>((z >> 33) % static_cast<std::uint64_t>(hi - lo));
                else v = static_cast<float>(lo + (hi - lo) * (static_cast<double>(z >> 40) * 0x1p-24));
            }
        }
        return t;
    }
    auto const bytes = QByteArray::fromBase64(QByteArray::fromStdString(json.at("data").get<std::string>()));
    if (static_cast<std::size_t>(bytes.size()) != count * 4) return {};
    for (std::size_t i = 0; i < count; ++i) {
        if (t.dtype == DType::I32) {
            std::int32_t v;
            std::memcpy(&v, bytes.constData() + 4 * i, 4);
            t.v[i] = v;
        } else {
            float v;
            std::memcpy(&v, bytes.constData() + 4 * i, 4);
            t.v[i] = v;
        }
    }
    return t;
}

/// Rows [start, start + count) of a tensor, wrapping around at its end.
inline RefTensor rowsOf(RefTensor const &t, std::int64_t start, std::int64_t count)
{
    RefTensor part{t.dtype, t.shape, {}};
    part.shape[0] = count;
    auto const row = elementCount(t.shape) / t.shape[0];
    for (std::int64_t r = 0; r < count; ++r) {
        auto const from = ((start + r) % t.shape[0]) * row;
        part.v.insert(part.v.end(), t.v.begin() + from, t.v.begin() + from + row);
    }
    return part;
}

} // namespace tilewright::tests

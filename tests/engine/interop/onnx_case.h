#pragma once

#include "engine/interop/onnx_file.h"
#include "engine/interop/onnx_import.h"
#include "engine/kernels/half.h"
#include "engine/layers/step_graph.h"
#include "engine/model/resolve.h"
#include "engine/ops/op_def.h"
#include "tests/engine/passes/graph_runner.h"

#include <QByteArray>
#include <QFile>
#include <QFileInfo>
#include <QString>

#include <cmath>
#include <cstring>

/// Cases of ONNX's backend tests: a model with inputs and the outputs that it must give.
namespace tilewright::tests {

/// A TensorProto. Its numbers are few lines of wire format; the tests need no protobuf.
inline interop::OnnxTensor onnxTensor(QByteArray const &bytes)
{
    using interop::OnnxType;
    interop::OnnxTensor tensor;
    qsizetype at = 0;
    auto const varint = [&] {
        std::uint64_t value = 0;
        for (int shift = 0; at < bytes.size() && shift < 64; shift += 7) {
            auto const byte = static_cast<unsigned char>(bytes[at++]);
            value |= static_cast<std::uint64_t>(byte & 0x7F) << shift;
            if (byte < 0x80) break;
        }
        return value;
    };
    QByteArray raw, floats, doubles;
    std::vector<std::int64_t> integers;
    while (at < bytes.size()) {
        auto const key = varint();
        auto const field = key >> 3, wire = key & 7;
        auto const isList = [&](std::uint64_t number) { return field == number; };
        if (wire == 2) {
            auto const size = static_cast<qsizetype>(varint());
            auto const end = at + size;
            if (field == 9) raw = bytes.mid(at, size);
            else if (field == 4) floats += bytes.mid(at, size);
            else if (field == 10) doubles += bytes.mid(at, size);
            else if (field == 1)
                while (at < end) tensor.shape.push_back(static_cast<std::int64_t>(varint()));
            else if (isList(5) || isList(7))
                while (at < end) integers.push_back(static_cast<std::int64_t>(varint()));
            at = end;
        } else if (wire == 5) {
            floats += bytes.mid(at, 4);
            at += 4;
        } else if (wire == 1) {
            doubles += bytes.mid(at, 8);
            at += 8;
        } else {
            auto const value = static_cast<std::int64_t>(varint());
            if (field == 1) tensor.shape.push_back(value);
            else if (field == 2) tensor.type = static_cast<OnnxType>(value);
            else if (isList(5) || isList(7)) integers.push_back(value);
        }
    }
    auto const count = static_cast<std::size_t>(tensor.count());
    auto const read = [&]<typename Stored>(QByteArray const &from, Stored) {
        for (std::size_t i = 0; i < count && static_cast<qsizetype>((i + 1) * sizeof(Stored)) <= from.size(); ++i) {
            Stored value;
            std::memcpy(&value, from.constData() + i * sizeof value, sizeof value);
            if (tensor.isFloat()) tensor.floats.push_back(static_cast<float>(value));
            else tensor.integers.push_back(static_cast<std::int64_t>(value));
        }
    };
    if (raw.isEmpty()) tensor.integers = integers;
    switch (tensor.type) {
    case OnnxType::Float: read(raw.isEmpty() ? floats : raw, float()); break;
    case OnnxType::Double: read(raw.isEmpty() ? doubles : raw, double()); break;
    case OnnxType::Int64: read(raw, std::int64_t()); break;
    case OnnxType::Int32: read(raw, std::int32_t()); break;
    case OnnxType::Bool:
    case OnnxType::UInt8: read(raw, std::uint8_t()); break;
    case OnnxType::Int8: read(raw, std::int8_t()); break;
    case OnnxType::Half:
        read(raw, std::uint16_t());
        for (auto &value : tensor.floats) value = kernels::halfToFloat(static_cast<std::uint16_t>(value));
        break;
    default: break;
    }
    // Types that no model needs.
    switch (static_cast<int>(tensor.type)) {
    case 4: read(raw, std::uint16_t()); break;
    case 5: read(raw, std::int16_t()); break;
    case 12: read(raw, std::uint32_t()); break;
    case 13: read(raw, std::uint64_t()); break;
    default: break;
    }
    return tensor;
}

struct OnnxCase {
    interop::OnnxGraph graph;
    std::vector<interop::OnnxTensor> inputs, outputs;
};

inline Result<OnnxCase> readOnnxCase(QString const &folder)
{
    OnnxCase result;
    TW_ASSIGN(result.graph, interop::readOnnx((folder + "/model.onnx").toStdString(), {}));
    auto const read = [&](char const *name, std::vector<interop::OnnxTensor> &to) {
        for (int i = 0;; ++i) {
            QFile file(QString("%1/test_data_set_0/%2_%3.pb").arg(folder, name).arg(i));
            if (!file.open(QIODevice::ReadOnly)) return;
            to.push_back(onnxTensor(file.readAll()));
        }
    };
    read("input", result.inputs);
    read("output", result.outputs);
    for (auto const *list : {&result.inputs, &result.outputs})
        for (auto const &tensor : *list)
            if (tensor.count() != std::ssize(tensor.floats) + std::ssize(tensor.integers))
                return makeError(ErrorKind::Invalid, "test.type", "", "a tensor is of a type that the test does not read", "");
    return result;
}

inline RefTensor refTensor(interop::OnnxTensor const &tensor, bool whole)
{
    bool const isWhole = tensor.type == interop::OnnxType::Int32 || tensor.type == interop::OnnxType::Int64;
    RefTensor t{isWhole ? DType::I32 : DType::F32, tensor.shape, {}};
    if (whole) t.shape.insert(t.shape.begin(), 1);
    if (t.shape.size() == 1) t.shape.push_back(1);
    auto const count = tensor.isFloat() ? tensor.floats.size() : tensor.integers.size();
    for (std::size_t i = 0; i < count; ++i) t.v.push_back(tensor.number(i));
    return t;
}

/// Elements with axis `axis` moved to the front.
inline std::vector<double> withAxisFirst(interop::OnnxTensor const &tensor, std::size_t axis)
{
    std::vector<std::size_t> order{axis};
    for (std::size_t i = 0; i < tensor.shape.size(); ++i)
        if (i != axis) order.push_back(i);
    std::vector<double> all;
    auto const count = static_cast<std::size_t>(tensor.count());
    for (std::size_t to = 0; to < count; ++to) {
        std::size_t left = to, from = 0;
        std::vector<std::size_t> index(order.size());
        for (std::size_t i = order.size(); i-- > 0;) {
            auto const extent = static_cast<std::size_t>(tensor.shape[order[i]]);
            index[order[i]] = left % extent;
            left /= extent;
        }
        for (std::size_t i = 0; i < index.size(); ++i) from = from * static_cast<std::size_t>(tensor.shape[i]) + index[i];
        all.push_back(tensor.number(from));
    }
    return all;
}

inline bool closeTo(double got, double want, double relative, double absolute)
{
    if (std::isnan(want) || std::isnan(got)) return std::isnan(want) && std::isnan(got);
    if (std::isinf(want) || std::isinf(got)) return want == got;
    return std::abs(got - want) <= absolute + relative * std::abs(want);
}

/// Imports the graph, runs it on the inputs, and compares. "": it agrees.
inline QString runOnnxCase(OnnxCase const &test, double absolute)
{
    DiagnosticSink sink;
    JobContext job;
    job.warnings = &sink;
    auto imported = interop::modelFromOnnx(test.graph, {}, "case", job);
    if (!imported.ok()) return QString::fromStdString("import: " + imported.error().message.text());
    bool whole = false, moved = false, second = false;
    for (auto const &warning : sink.all()) {
        whole = whole || warning.code == "import.one-sample";
        moved = moved || warning.code == "import.batch-first";
        second = second || warning.code == "import.batch-second";
    }
    auto const resolved = model::resolve(imported->project.model);
    if (!resolved.ok()) return QString::fromStdString("resolve: " + toText(resolved.error()));
    auto const weights = interop::importedWeights(std::move(imported->layers), imported->project, "case", job);
    if (!weights.ok()) return QString::fromStdString("weights: " + toText(weights.error()));
    std::vector<RefTensor> feeds;
    for (auto const &input : test.inputs) {
        feeds.push_back(refTensor(input, whole));
        if (!second) continue;
        feeds.back().v = withAxisFirst(input, 1);
        std::rotate(feeds.back().shape.begin(), feeds.back().shape.begin() + 1, feeds.back().shape.begin() + 2);
    }
    if (feeds.size() != resolved->inputs.size()) return "another number of inputs";
    auto const batch = feeds[0].shape[0];
    auto const built = layers::buildOutputs(*resolved, batch, ops::opLookup());
    if (!built.ok()) return QString::fromStdString("build: " + toText(built.error()));
    for (std::size_t i = 0; i < feeds.size(); ++i) feeds[i].dtype = built->infeed[i].dtype;
    GraphRunner runner{built->graph};
    runner.context.precision = reference::Precision::Double;
    runner.infeed = [&](graph::Node const &) { return feeds; };
    if (weights->has_value())
        for (std::size_t i = 0; i < built->weights.size(); ++i) {
            auto const &state = (*weights)->tensors[i];
            RefTensor tensor{DType::F32, state.shape, {}};
            for (std::size_t at = 0; at < state.bytes.size(); at += 4) {
                float value;
                std::memcpy(&value, state.bytes.data() + at, 4);
                tensor.v.push_back(static_cast<double>(value));
            }
            runner.variables[built->weights[i]] = std::move(tensor);
        }
    if (!runner.run()) return QString::fromStdString("run: " + runner.error);
    auto const &got = runner.outfed.at(0);
    if (got.size() != test.outputs.size()) return "another number of outputs";
    for (std::size_t i = 0; i < got.size(); ++i) {
        auto const &want = test.outputs[i];
        if (static_cast<std::int64_t>(got[i].v.size()) != want.count())
            return QString("output %1 has the shape %2, not %3").arg(i).arg(toText(got[i].shape).c_str(), toText(want.shape).c_str());
        bool agrees = false;
        QString wrong;
        for (std::size_t axis = 0; axis < (moved ? want.shape.size() : 1) && !agrees; ++axis) {
            auto const numbers = want.shape.empty() ? std::vector<double>{want.number(0)} : withAxisFirst(want, axis);
            agrees = true;
            for (std::size_t e = 0; e < numbers.size() && agrees; ++e)
                if (!closeTo(got[i].v[e], numbers[e], 1e-3, absolute)) {
                    agrees = false;
                    wrong = QString("output %1 has %2 as element %3, not %4").arg(i).arg(got[i].v[e]).arg(e).arg(numbers[e]);
                }
        }
        if (!agrees) return wrong;
    }
    return {};
}

/// The case with all inputs but `kept` as initializers: weights that the case gives as inputs.
inline OnnxCase withWeights(OnnxCase const &test, std::vector<std::size_t> const &kept)
{
    OnnxCase result{test.graph, {}, test.outputs};
    result.graph.inputs.clear();
    for (std::size_t i = 0; i < test.inputs.size() && i < test.graph.inputs.size(); ++i) {
        if (std::ranges::find(kept, i) != kept.end()) {
            result.inputs.push_back(test.inputs[i]);
            result.graph.inputs.push_back(test.graph.inputs[i]);
            continue;
        }
        auto tensor = test.inputs[i];
        tensor.name = test.graph.inputs[i].name;
        result.graph.initializers.push_back(std::move(tensor));
    }
    return result;
}

/// The same with the inputs as they are, then with each input alone. "": one of them agrees; else the first reason.
inline QString runNodeCase(OnnxCase const &test)
{
    constexpr double kAbsolute = 1e-6; // a polynomial of exp or log is not the last bit of libm's
    auto const first = runOnnxCase(test, kAbsolute);
    if (first.isEmpty()) return first;
    auto last = first;
    for (std::size_t kept = 0; test.inputs.size() > 1 && kept < test.inputs.size(); ++kept) {
        auto const reason = runOnnxCase(withWeights(test, {kept}), kAbsolute);
        if (reason.isEmpty()) return reason;
        if (kept == 0) last = reason;
    }
    return last;
}

} // namespace tilewright::tests

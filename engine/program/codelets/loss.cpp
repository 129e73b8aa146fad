// Cross-entropy of softmax rows and its gradient.
#include "engine/kernels/vector_math.h"
#include "engine/program/codelets/codelet_list.h"
#include "engine/program/codelets/description_parts.h"
#include "engine/program/codelets/support.h"
#include "engine/program/cost/nn_cost.h"

#include <limits>
#include <vector>

namespace tilewright::program {

namespace {

/// Fields: loss per row, logits, row maximum, row sum of exponentials, labels or targets.
void runLoss(std::byte *tile, VertexState const &s, Workers workers, bool sparse)
{
    auto const &x = s.fields[1];
    auto const [begin, end] = shareOf(x.rows, workers);
    std::vector<float> bufferX(static_cast<std::size_t>(x.cols)), bufferT(static_cast<std::size_t>(x.cols));
    for (std::int64_t r = begin; r < end; ++r) {
        float const *row = loadFloats(tile, x, r * x.cols, x.cols, bufferX.data());
        float const max = loadScalar(tile, s.fields[2], r);
        float const logSum = kernels::logValue(loadScalar(tile, s.fields[3], r));
        float loss = 0;
        if (sparse) {
            auto const label = at<std::int32_t>(tile, s.fields[4])[r];
            loss = label < 0 || label >= x.cols ? std::numeric_limits<float>::quiet_NaN() : logSum - (row[label] - max);
        } else {
            float const *t = loadFloats(tile, s.fields[4], r * x.cols, x.cols, bufferT.data());
            for (std::int64_t c = 0; c < x.cols; ++c) loss += t[c] * (logSum - (row[c] - max));
        }
        storeFloats(tile, s.fields[0], r, 1, &loss);
    }
}

/// Fields: gradient, probabilities, labels or targets, upstream gradient (one value, or one per row).
void runGradient(std::byte *tile, VertexState const &s, Workers workers, bool sparse)
{
    auto const &p = s.fields[1];
    auto const [begin, end] = shareOf(p.rows, workers);
    std::vector<float> bufferP(static_cast<std::size_t>(p.cols)), bufferT(static_cast<std::size_t>(p.cols)),
        result(static_cast<std::size_t>(p.cols));
    bool const perRow = s.fields[3].elements() > 1;
    for (std::int64_t r = begin; r < end; ++r) {
        float const *row = loadFloats(tile, p, r * p.cols, p.cols, bufferP.data());
        float const d = loadScalar(tile, s.fields[3], perRow ? r : 0);
        if (sparse) {
            auto const label = at<std::int32_t>(tile, s.fields[2])[r];
            for (std::int64_t c = 0; c < p.cols; ++c) result[static_cast<std::size_t>(c)] = (row[c] - (c == label ? 1.0f : 0.0f)) * d;
        } else {
            float const *t = loadFloats(tile, s.fields[2], r * p.cols, p.cols, bufferT.data());
            float total = 0;
            for (std::int64_t c = 0; c < p.cols; ++c) total += t[c];
            for (std::int64_t c = 0; c < p.cols; ++c) result[static_cast<std::size_t>(c)] = (row[c] * total - t[c]) * d;
        }
        storeFloats(tile, s.fields[0], r * p.cols, p.cols, result.data());
    }
}

} // namespace

void addLossCodelets(std::vector<Codelet> &all)
{
    auto const cycles = [](VertexShape const &shape, target::Chip const &) {
        auto const &box = shape.fields[1];
        return 6 * ceilDiv(box.rows, 6) * cost::crossEntropyTransformWorkerCycles(shape.fields[1].dtype, box.cols);
    };
    auto const description = [](bool sparse, bool gradient) {
        return describe({.family = "nn",
                         .title = std::string(gradient ? "gradient of the cross-entropy, " : "cross-entropy of rows, ")
                             + (sparse ? "of labels" : "of targets"),
                         .source = kPopnnSource,
                         .params = {floatTypeParam(), matrixRowsParam(), matrixColumnsParam()},
                         .vertex = [sparse, gradient](cost::Args const &a) -> SizedVertex {
                             DType const type = storageType(a.type("type"));
                             std::int64_t const rows = a.integer("rows");
                             auto const each = matrixField(type, rows, a.integer("columns")), one = matrixField(type, rows, 1);
                             auto const wanted = sparse ? matrixField(DType::I32, rows, 1) : each;
                             if (gradient) return {{each, each, wanted, one}};
                             return {{one, each, one, one, wanted}};
                         }});
    };
    for (bool sparse : {true, false}) {
        std::string const name = sparse ? "SparseCrossEntropy" : "CategoricalCrossEntropy";
        Codelet loss;
        loss.name = name;
        loss.codeBytes = 380;
        loss.cycles = cycles;
        loss.stateBytes = usualState;
        loss.run = [sparse](std::byte *tile, VertexState const &s, Workers w) { runLoss(tile, s, w, sparse); };
        loss.description = description(sparse, false);
        all.push_back(loss);
        Codelet grad = loss;
        grad.name = name + "Grad";
        grad.codeBytes = 300;
        grad.run = [sparse](std::byte *tile, VertexState const &s, Workers w) { runGradient(tile, s, w, sparse); };
        grad.description = description(sparse, true);
        all.push_back(grad);
    }
}

} // namespace tilewright::program

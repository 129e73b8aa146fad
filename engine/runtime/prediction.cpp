#include "engine/runtime/prediction.h"

#include "engine/runtime/metric_totals.h"
#include "engine/runtime/session_parts.h"

#include <algorithm>
#include <cmath>

namespace tilewright::runtime {

Result<std::vector<PredictedOutput>> predictSamples(Session &session, data::DataArray const &x, double scale,
                                                    std::vector<std::uint32_t> const &order, JobContext const &job)
{
    auto const entry = session.entry();
    std::int64_t const turns = static_cast<std::int64_t>(order.size()) / (entry->batchSize * entry.replicas()), first = session.steps();
    std::vector<PredictedOutput> outputs;
    for (auto const &spec : entry->outfeed) {
        auto &output = outputs.emplace_back();
        output.name = spec.name;
        output.shape = spec.shape;
        output.values.reserve(static_cast<std::size_t>(elementCount(spec.shape) * entry.replicas() * turns));
    }
    session.onOutput = [&](int, int index, std::span<std::byte const> bytes) -> Status {
        auto const i = static_cast<std::size_t>(index);
        appendFloats(outputs[i].values, entry->outfeed[i].dtype, bytes);
        return {};
    };
    session.feed({x, {}, scale, 0});
    session.begin(order, 0, turns);
    auto const tell = [&] {
        std::int64_t const done = session.steps() - first;
        if ((done - entry->stepsPerExecution) % 64 == 0) job.report("Predict", static_cast<double>(done) / static_cast<double>(turns));
        return false;
    };
    TW_TRY(session.run({turns, tell}, job, job));
    session.onOutput = {};
    return outputs;
}

Result<SampleMeans> meansOf(Session &session, std::vector<std::uint32_t> const &order, std::int64_t turns, std::string const &phase,
                            JobContext const &job)
{
    auto const entry = session.entry();
    MetricTotals means(entry->outfeed);
    session.onOutput = [&](int, int index, std::span<std::byte const> bytes) -> Status {
        means.add(static_cast<std::size_t>(index), sumsOf(bytes));
        return {};
    };
    session.begin(order, 0, turns);
    std::int64_t const first = session.steps();
    auto const tell = [&] {
        std::int64_t const done = session.steps() - first;
        if ((done - entry->stepsPerExecution) % 64 == 0) job.report(phase, static_cast<double>(done) / static_cast<double>(turns));
        return false;
    };
    TW_TRY(session.run({turns, tell}, job, job));
    session.onOutput = {};
    return SampleMeans{means.loss(), means.metrics()};
}

std::optional<Diagnostic> keepSamples(std::vector<PredictedOutput> &outputs, std::int64_t samples)
{
    std::optional<Diagnostic> numeric;
    for (auto &output : outputs) {
        auto const each = elementCount(Shape(output.shape.begin() + 1, output.shape.end()));
        output.shape[0] = samples;
        output.values.resize(static_cast<std::size_t>(samples * each));
        auto const bad = std::ranges::find_if(output.values, [](float value) { return !std::isfinite(value); });
        if (bad == output.values.end() || numeric) continue;
        auto const record = (bad - output.values.begin()) / std::max<std::int64_t>(1, each);
        numeric = makeError(ErrorKind::Numeric, "numeric.prediction", "record " + std::to_string(record),
                            Message::of("the prediction of output '%1' is %2.", output.name,
                                        std::isnan(*bad) ? Message::of("not a number") : Message::of("infinite")),
                            trainAgain());
    }
    return numeric;
}

} // namespace tilewright::runtime

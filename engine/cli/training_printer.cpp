#include "engine/cli/training_printer.h"

#include "engine/cli/compile_document.h"
#include "engine/cli/output.h"
#include "engine/core/numbers.h"
#include "engine/core/safe_text.h"
#include "engine/core/text.h"
#include "engine/runtime/run_facts.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace tilewright::cli {

using Json = nlohmann::ordered_json;

Json valuesJson(NamedValues const &values, std::string_view prefix)
{
    auto object = Json::object();
    for (auto const &[name, value] : values) object[name.starts_with(prefix) ? name.substr(prefix.size()) : name] = value;
    return object;
}

namespace {
std::string kerasNumber(double value)
{
    if (std::abs(value) > 1e-3 || value == 0.0) return fixedText(value, 4);
    return scientificText(value, 4);
}

} // namespace

std::string kerasValues(double loss, NamedValues const &metrics)
{
    std::string text = "loss: " + kerasNumber(loss);
    for (auto const &[name, value] : metrics) text += " - " + name + ": " + kerasNumber(value);
    return text;
}

std::string kerasTime(double seconds, std::int64_t steps)
{
    double const each = steps > 0 ? seconds / static_cast<double>(steps) : 0;
    std::string const total = seconds >= 1 ? fixedText(seconds, 0) + "s" : fixedText(seconds * 1e3, 0) + "ms";
    if (each >= 1) return total + " " + fixedText(each, 0) + "s/step";
    if (each >= 0.01) return total + " " + fixedText(each * 1e3, 0) + "ms/step";
    if (each >= 1e-4) return total + " " + fixedText(each * 1e3, 1) + "ms/step";
    return total + " " + fixedText(each * 1e6, 0) + "us/step";
}

std::string kerasBar(std::int64_t done, std::int64_t total)
{
    constexpr std::int64_t kWidth = 30;
    std::int64_t const filled = total > 0 ? std::clamp<std::int64_t>(done * kWidth / total, 0, kWidth) : kWidth;
    std::string bar(static_cast<std::size_t>(filled), '=');
    if (filled < kWidth) bar += ">" + std::string(static_cast<std::size_t>(kWidth - filled - 1), '.');
    std::string const all = std::to_string(total);
    std::string const number = std::to_string(done);
    return std::string(all.size() - std::min(all.size(), number.size()), ' ') + number + "/" + all + " [" + bar + "]";
}

namespace {
std::string stepText(compiler::CompileOutcome const &outcome)
{
    if (!outcome.executable->emulated || outcome.stopped) return {};
    return ": " + groupedDigits(std::llround(outcome.entry()->cyclesPerStep())) + " cycles per step, modelled";
}
} // namespace

TrainingPrinter::TrainingPrinter(Context &context, std::string const &title, std::int64_t epochs)
    : m_out(context.output), m_title(safeText(title)), m_epochs(epochs)
{
}

void TrainingPrinter::compiled(compiler::CompileOutcome const &outcome)
{
    logPhases(m_out, outcome);
    if (m_out.json()) m_out.event("compile", compileDocument(outcome));
    else if (!m_out.quiet() && !outcome.outOfMemory)
        m_out.text("Compiled " + m_title + " for " + outcome.machine.name + " in " + secondsText(outcome.seconds) + " (cache "
                   + outcome.cache + ")" + stepText(outcome) + "\n");
}

void TrainingPrinter::attached(std::string const &text)
{
    if (!m_out.json() && !m_out.quiet()) m_out.text(text + "\n");
}

void TrainingPrinter::step(std::int64_t step, double loss, NamedValues const &metrics, bool asked)
{
    m_loss = kerasValues(loss, metrics);
    if (!asked) return;
    if (m_out.json()) {
        Json fields{{"step", step}, {"loss", loss}};
        fields["metrics"] = valuesJson(metrics);
        m_out.event("step", fields);
    } else if (!m_out.quiet()) {
        beginEpoch();
        m_out.text("step " + std::to_string(step) + " - " + m_loss + "\n");
    }
}

void TrainingPrinter::progress(std::string_view phase, double fraction)
{
    m_out.showWarnings();
    if (phase != "Train") {
        m_out.progress(phase, fraction);
        return;
    }
    if (m_out.json() || m_out.quiet()) return;
    beginEpoch();
    m_out.progress("Steps", fraction, m_loss);
}

void TrainingPrinter::epoch(runtime::EpochResult const &result)
{
    m_out.showWarnings();
    if (m_out.json()) {
        Json fields{{"epoch", result.epoch}, {"steps", result.steps}, {"loss", result.loss}};
        fields["metrics"] = valuesJson(result.metrics);
        fields["val_loss"] = result.valLoss ? Json(*result.valLoss) : Json();
        fields["val_metrics"] = valuesJson(result.valMetrics, "val_");
        if (result.learningRate) fields["learning_rate"] = *result.learningRate;
        fields["host_seconds"] = result.hostSeconds;
        runtime::addDeviceTime(fields, result.device);
        if (result.valLoss && result.valDevice.seconds > 0) {
            fields["validation"] = Json::object();
            runtime::addDeviceTime(fields["validation"], result.valDevice);
            fields["validation"]["loading_seconds"] = result.valLoadingSeconds;
        }
        fields["complete"] = result.complete;
        m_out.event("epoch", fields);
        return;
    }
    if (m_out.quiet()) return;
    m_epoch = result.epoch - 1;
    beginEpoch();
    m_epoch = result.epoch;
    std::string line = kerasBar(result.steps, result.steps) + " - " + kerasTime(result.hostSeconds, result.steps) + " - "
        + kerasValues(result.loss, result.metrics);
    if (result.valLoss) {
        line += " - val_loss: " + kerasNumber(*result.valLoss);
        for (auto const &[name, value] : result.valMetrics) line += " - " + name + ": " + kerasNumber(value);
    }
    m_out.text(line + (result.complete ? "\n" : " (part of the epoch)\n"));
    m_begun = false;
    m_loss.clear();
}

void TrainingPrinter::message(std::string const &callback, std::string const &text)
{
    m_out.showWarnings();
    if (m_out.json()) m_out.event("callback", {{"callback", callback}, {"message", text}});
    else if (!m_out.quiet()) m_out.text(safeText(text) + "\n");
}

void TrainingPrinter::saving()
{
    if (!m_out.json()) m_out.progressLine("Saving the weights ...");
}

void TrainingPrinter::beginEpoch()
{
    if (m_begun) return;
    m_begun = true;
    m_out.text("Epoch " + std::to_string(m_epoch + 1) + "/" + std::to_string(m_epochs) + "\n");
}

void TrainingPrinter::stopped(runtime::TrainOutcome const &outcome)
{
    auto const &program = outcome.compiled.executable->program;
    auto const &place = outcome.stopPlace;
    if (!m_out.json()) {
        if (!m_out.quiet()) m_out.text((place ? runtime::stopText(*place, program) : "The place of --stop-at did not come.") + "\n");
        return;
    }
    if (!place) return;
    auto const &step = program.step(place->step);
    Json fields{{"cause", std::string(runtime::nameOf(place->cause))},
                {"superstep", place->superstep},
                {"update", place->update},
                {"kind", std::string(program::toText(step.kind))},
                {"name", step.name},
                {"layer", runtime::layerOf(program, place->step)}};
    if (place->tile >= 0) {
        fields["tile"] = place->tile;
        fields["replica"] = place->replica;
        fields["variable"] = program.var(place->variable).name;
    }
    using Cause = runtime::StopPlace::Cause;
    if (place->cause == Cause::NotFinite || place->cause == Cause::Above)
        fields["value"] = std::isfinite(place->value) ? Json(place->value)
                                                      : Json(std::string(std::isnan(place->value) ? "nan"
                                                                             : place->value > 0   ? "inf"
                                                                                                  : "-inf"));
    m_out.event("stopped", fields);
}

void TrainingPrinter::done(runtime::TrainOutcome const &outcome, bool trained, std::string const &report)
{
    if (!m_out.json()) {
        if (trained && !m_out.quiet()) sums(outcome);
        return;
    }
    Json fields{{"epochs", outcome.state.epoch}, {"steps", outcome.steps}, {"host_seconds", outcome.hostSeconds}};
    runtime::addDeviceTime(fields, outcome.device);
    fields["weights_hash"] = outcome.weightsHash;
    fields["complete"] = !outcome.stopped && !outcome.kept.lost();
    fields["saving_seconds"] = outcome.savingSeconds;
    if (outcome.loopEnded) fields["ended_by"] = "while";
    else if (outcome.stopPlace) fields["ended_by"] = "stop-at";
    else if (!outcome.endedBy.empty()) fields["ended_by"] = outcome.endedBy;
    if (!outcome.kept.place.empty()) fields["checkpoint"] = outcome.kept.place;
    if (!outcome.kept.rescue.empty()) fields["rescue"] = outcome.kept.rescue;
    if (!report.empty() && !outcome.unreported) fields["report"] = report;
    m_out.showWarnings();
    m_out.event("done", fields);
}

void TrainingPrinter::sums(runtime::TrainOutcome const &outcome)
{
    if (outcome.loopEnded)
        m_out.text("The loop of the project ended the training: the loss of its last step, " + kerasNumber(outcome.endLoss)
                   + ", is not above its bound.\n");
    std::string const device = !outcome.compiled.executable->emulated
        ? std::string()
        : ", " + secondsText(outcome.device.seconds) + " on the emulated device ("
            + (outcome.device.measured ? groupedDigits(*outcome.device.measured) + " cycles, measured" : "modelled") + ")";
    m_out.text(groupedDigits(outcome.steps) + (outcome.steps == 1 ? " step in " : " steps in ") + secondsText(outcome.hostSeconds)
               + " on the host" + device + ". Weights " + outcome.weightsHash.substr(0, 12)
               + (outcome.kept.place.empty() || outcome.savingSeconds < 1 ? "" : ", saved in " + secondsText(outcome.savingSeconds))
               + ".\n");
    double validating = 0, loading = 0;
    for (auto const &epoch : outcome.epochs) {
        validating += epoch.valDevice.seconds;
        loading += epoch.valLoadingSeconds;
    }
    if (validating > 0)
        m_out.text(
            "Validation took " + secondsText(validating) + " on the emulated device"
            + (loading > 0 ? " and " + secondsText(loading) + " to load executables for it (modelled; training.validation_executable)" : "")
            + ".\n");
}

} // namespace tilewright::cli

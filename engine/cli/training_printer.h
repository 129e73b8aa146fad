#pragma once

#include "engine/cli/command.h"
#include "engine/runtime/session.h"

#include <string>
#include <utility>
#include <vector>

namespace tilewright::cli {

using NamedValues = std::vector<std::pair<std::string, double>>;

/// The values as an object; `prefix` is left out of their names.
nlohmann::ordered_json valuesJson(NamedValues const &values, std::string_view prefix = {});
/// "loss: 0.2052 - accuracy: 0.9392", as Keras prints numbers: four decimals, small ones in scientific form.
std::string kerasValues(double loss, NamedValues const &metrics);
/// `done` of `total` steps as Keras draws them.
std::string kerasBar(std::int64_t done, std::int64_t total);
/// "1s 0.5ms/step": Keras rounds up to whole units; steps here are often below a millisecond.
std::string kerasTime(double seconds, std::int64_t steps);

/// Follows a training for a person (as Keras prints it) or a program (one JSON object per line).
class TrainingPrinter {
public:
    TrainingPrinter(Context &context, std::string const &title, std::int64_t epochs);
    void compiled(compiler::CompileOutcome const &outcome);
    void attached(std::string const &text);
    void step(std::int64_t step, double loss, NamedValues const &metrics, bool asked);
    void progress(std::string_view phase, double fraction);
    void epoch(runtime::EpochResult const &result);
    /// A line of a callback, as Keras prints it.
    void message(std::string const &callback, std::string const &text);
    void saving();
    /// Where --stop-at has stopped a run, or that it has not.
    void stopped(runtime::TrainOutcome const &outcome);
    /// The sums of a run that compiled. `trained`: it has weights to keep. `report`: its file, or empty.
    void done(runtime::TrainOutcome const &outcome, bool trained, std::string const &report);
    /// The first epoch is not 1 after --resume.
    void startAt(std::int64_t epochsDone) { m_epoch = epochsDone; }

private:
    void beginEpoch();
    void sums(runtime::TrainOutcome const &outcome);

    Output &m_out;
    std::string m_title, m_loss;
    std::int64_t m_epochs, m_epoch = 0;
    bool m_begun = false;
};

} // namespace tilewright::cli

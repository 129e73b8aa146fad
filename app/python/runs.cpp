#include "app/python/runs.h"

#include "app/python/arrays.h"
#include "app/python/errors.h"
#include "app/python/project_object.h"
#include "engine/core/build.h"
#include "engine/data/batcher.h"
#include "engine/data/digits.h"
#include "engine/runtime/infer_beside.h"
#include "engine/runtime/run_facts.h"
#include "engine/runtime/run_report.h"
#include "engine/runtime/training_session.h"

#include <nlohmann/json.hpp>
#include <pybind11/stl.h>

#include <cstdlib>
#include <cstring>

namespace tilewright::python {

namespace {

using NamedValues = std::vector<std::pair<std::string, double>>;

py::dict toDict(NamedValues const &values)
{
    py::dict dict;
    for (auto const &[name, value] : values) dict[py::str(name)] = value;
    return dict;
}

runtime::Mode modeOf(std::string const &name)
{
    if (name == "fused") return runtime::Mode::Fused;
    if (name == "tile") return runtime::Mode::Tile;
    throw Failure(
        makeError(ErrorKind::Usage, "python.mode", "mode", Message::of("'%1' is no mode.", name), Message::of("Choose fused or tile.")));
}

/// The options that all runs have.
struct RunOptions {
    std::optional<std::string> report;
    std::string mode = "fused";
    int threads = 0;
    bool beside = false; ///< on the device of a training under way
};

runtime::RunRequest requestOf(RunOptions const &options, DiagnosticSink &warnings)
{
    runtime::RunRequest request;
    request.mode = modeOf(options.mode);
    request.threads = options.threads;
    if (options.report) request.report = *options.report;
    request.compile.forReport = options.report.has_value();
    request.compile.threads = options.threads;
    request.compile.environment =
        orThrow(config::readEnvironment([](char const *name) -> char const * { return std::getenv(name); }, &warnings));
    return request;
}

/// Samples in numpy's memory. Their numbers are taken as they are: Python scales them.
std::shared_ptr<runtime::GivenSamples> samplesOf(py::dict const &x, py::dict const &y, std::optional<py::array> const &weights)
{
    auto samples = std::make_shared<runtime::GivenSamples>();
    auto &dataset = samples->dataset;
    dataset.name = "arrays";
    dataset.describe = Message::of("arrays of the script:");
    dataset.x = orThrow(sharedArrays(x, "x"));
    dataset.y = orThrow(sharedArrays(y, "y"));
    if (weights && !dataset.y.empty()) dataset.y.beside.push_back(orThrow(sharedWeights(*weights)));
    if (dataset.x.empty())
        throw Failure(data::dataError("data.missing", "x", Message::of("there is no array of samples."), Message::of("Give one.")));
    if (!dataset.y.empty()) orThrow(data::checkCounts(dataset.x, dataset.y));
    return samples;
}

/// The state of a run that can be continued.
struct State {
    runtime::TrainingState value;
};

/// A training that a script drives.
class Training {
public:
    Training(ProjectObject const &object, py::dict const &x, py::dict const &y, std::optional<py::array> const &sampleWeight,
             std::optional<py::dict> const &weights, State const *state, py::object order, std::int64_t every, py::object onStep,
             py::object onMessage, RunOptions const &options)
        : m_project(object.project), m_order(std::move(order)), m_onStep(std::move(onStep)), m_onMessage(std::move(onMessage))
    {
        m_request = requestOf(options, m_early);
        auto samples = samplesOf(x, y, sampleWeight);
        m_samples = samples->dataset.x.count();
        if (!m_order.is_none()) samples->order = [this](std::int64_t epoch) { return orderOf(epoch); };
        m_request.samples = std::move(samples);
        m_request.every = m_onStep.is_none() ? 0 : every;
        if (state) m_request.resume = state->value;
        observe();
        {
            py::gil_scoped_release const unlocked;
            auto prepared = runtime::TrainingSession::prepare(m_project, m_request, m_observer, m_job.context());
            if (!prepared.ok()) m_failure = prepared.error();
            else m_session = std::move(prepared).value();
        }
        m_job.finish();
        if (m_failure) throw Failure(*m_failure);
        if (m_session->over() && m_stepsPerEpoch == 0) end();
        if (weights) setWeights(*weights);
    }
    ~Training()
    {
        py::gil_scoped_release const unlocked;
        m_session.reset();
    }

    /// Epochs and steps that this call makes at most; returns the epochs that ended.
    py::list run(std::int64_t epochs, std::optional<std::int64_t> steps)
    {
        auto &session = open();
        m_ended.clear();
        {
            py::gil_scoped_release const unlocked;
            runtime::TrainingSession::Stretch stretch;
            stretch.epochs = epochs;
            stretch.steps = steps;
            session.run(stretch);
        }
        m_job.finish();
        py::list list;
        for (auto const &epoch : m_ended) list.append(dictOf(epoch));
        if (session.over() && m_ended.empty()) end(); // tells why it stopped
        return list;
    }
    bool over() const { return !m_session || m_session->over(); }
    std::int64_t stepsPerEpoch() const { return m_stepsPerEpoch; }
    std::int64_t step() const { return m_session ? m_session->step() : m_outcome->steps; }

    std::optional<double> learningRate() { return open().session().learningRate(); }
    void setLearningRate(double rate) { orThrow(open().session().setLearningRate(rate, "script")); }
    void setValue(std::string const &name, double value) { orThrow(open().session().setValue(name, value, "script")); }

    py::dict weights() { return toNumpy(weightTensors()); }
    void setWeights(py::dict const &arrays)
    {
        runtime::TrainingState like;
        like.tensors = weightTensors();
        auto const state = orThrow(stateFrom(arrays, std::move(like)));
        for (auto const &tensor : state.tensors)
            if (arrays.contains(tensor.name.c_str())) orThrow(open().session().write(tensor.name, tensor.bytes));
    }
    State state() { return {m_session ? open().session().state() : m_outcome->state}; }

    py::dict finish()
    {
        if (!m_outcome) end();
        auto const &outcome = *m_outcome;
        py::dict result;
        result["steps"] = outcome.steps;
        result["seconds"] = outcome.hostSeconds;
        result["device_seconds"] = outcome.device.seconds;
        result["weights_hash"] = outcome.weightsHash;
        result["ended_by"] = outcome.endedBy;
        result["cache"] = outcome.compiled.cache;
        result["facts"] = runtime::runFacts(outcome, m_project).dump();
        return result;
    }
    std::vector<std::string> takeWarnings()
    {
        auto texts = m_job.takeWarnings();
        for (auto const &warning : m_early.all()) texts.insert(texts.begin(), toText(warning));
        m_early = {};
        return texts;
    }

private:
    runtime::TrainingSession &open()
    {
        if (!m_session)
            throw Failure(makeError(ErrorKind::Usage, "python.finished", "Training", Message::of("the training has been finished."),
                                    Message::of("Make a new one, from its state if it is to go on.")));
        return *m_session;
    }

    void observe()
    {
        m_observer.stepsPerEpoch = [this](std::int64_t steps) { m_stepsPerEpoch = steps; };
        m_observer.epoch = [this](runtime::EpochResult const &result) { m_ended.push_back(result); };
        m_observer.between = [this](runtime::Session &) { m_job.poll(); };
        m_observer.step = [this](std::int64_t step, double loss, NamedValues const &metrics) {
            m_job.call([&] { m_onStep(step, loss, toDict(metrics)); });
        };
        if (!m_onMessage.is_none())
            m_observer.message = [this](std::string const &callback, std::string const &text) {
                m_job.call([&] { m_onMessage(callback, text); });
            };
    }

    std::vector<std::uint32_t> orderOf(std::int64_t epoch)
    {
        std::vector<std::uint32_t> order;
        m_job.call([&] {
            auto const array = py::array_t<std::uint32_t, py::array::c_style | py::array::forcecast>::ensure(m_order(epoch));
            if (!array) throw py::error_already_set();
            order.assign(array.data(), array.data() + array.size());
        });
        return order;
    }

    py::dict dictOf(runtime::EpochResult const &epoch) const
    {
        py::dict result;
        result["epoch"] = epoch.epoch;
        result["steps"] = epoch.steps;
        result["loss"] = epoch.loss;
        result["metrics"] = toDict(epoch.metrics);
        result["seconds"] = epoch.hostSeconds;
        result["device_seconds"] = epoch.device.seconds;
        result["learning_rate"] = epoch.learningRate ? py::object(py::float_(*epoch.learningRate)) : py::object(py::none());
        return result;
    }

    std::vector<runtime::StateTensor> weightTensors()
    {
        std::vector<runtime::StateTensor> tensors;
        auto const entry = m_session ? m_session->session().entry() : m_outcome->compiled.entry();
        for (auto const id : entry->weights) {
            auto const &name = entry->graph.variable(id).name;
            if (m_session) tensors.push_back(orThrow(m_session->session().read(name)));
            else if (auto const *kept = m_outcome->state.find(name)) tensors.push_back(*kept);
        }
        return tensors;
    }

    /// Saves the report, releases the device, and throws what ended the training before its end.
    void end()
    {
        {
            py::gil_scoped_release const unlocked;
            m_outcome.emplace(open().finish());
            m_session.reset();
        }
        if (m_outcome->stopped) throw Failure(*m_outcome->stopped);
        if (m_outcome->unreported) throw Failure(*m_outcome->unreported);
    }

    project::Project m_project;
    DiagnosticSink m_early;
    PythonJob m_job;
    runtime::RunRequest m_request;
    runtime::RunObserver m_observer;
    py::object m_order, m_onStep, m_onMessage;
    std::int64_t m_samples = 0, m_stepsPerEpoch = 0;
    std::vector<runtime::EpochResult> m_ended; ///< by the present call
    std::optional<Diagnostic> m_failure;
    std::unique_ptr<runtime::TrainingSession> m_session;
    std::optional<runtime::TrainOutcome> m_outcome;
};

runtime::TrainingState weightsFor(ProjectObject const &object, py::dict const &weights)
{
    return orThrow(stateFrom(weights, orThrow(initialState(object.project))));
}

/// Runs `work` without the interpreter's lock, with the samples as those of the request.
template <typename Outcome> Outcome inferWith(ProjectObject const &object, std::shared_ptr<runtime::GivenSamples> samples,
                                              py::dict const &weights, RunOptions const &options,
                                              Result<Outcome> (*work)(project::Project const &, runtime::RunRequest const &,
                                                                      runtime::TrainingState const *, JobContext const &))
{
    PythonJob job;
    DiagnosticSink warnings;
    auto request = requestOf(options, warnings);
    // They are the test samples: what a run without training reads.
    samples->dataset.testX = samples->dataset.x;
    samples->dataset.testY = samples->dataset.y;
    request.samples = std::move(samples);
    auto const state = weightsFor(object, weights);
    std::optional<Result<Outcome>> outcome;
    Status reported;
    {
        py::gil_scoped_release const unlocked;
        outcome.emplace(work(object.project, request, &state, job.context()));
        request.samples.reset();
        if (options.report && outcome->ok()) reported = runtime::writeCompileReport(*options.report, object.project, (*outcome)->compiled);
    }
    job.finish();
    auto result = orThrow(std::move(*outcome));
    orThrow(reported);
    return result;
}

py::dict evaluate(ProjectObject const &object, py::dict const &x, py::dict const &y, py::dict const &weights,
                  std::optional<py::array> const &sampleWeight, RunOptions const &options)
{
    auto const outcome = inferWith<runtime::EvaluateOutcome>(object, samplesOf(x, y, sampleWeight), weights, options,
                                                             options.beside ? &runtime::evaluateBeside : &runtime::evaluate);
    py::dict result;
    result["loss"] = outcome.loss;
    result["metrics"] = toDict(outcome.metrics);
    result["samples"] = outcome.samples;
    result["batch"] = outcome.batch;
    result["seconds"] = outcome.hostSeconds;
    return result;
}

py::list predict(ProjectObject const &object, py::dict const &x, py::dict const &weights, RunOptions const &options)
{
    auto const outcome = inferWith<runtime::PredictOutcome>(object, samplesOf(x, {}, {}), weights, options,
                                                            options.beside ? &runtime::predictBeside : &runtime::predict);
    py::list outputs;
    for (auto const &output : outcome.outputs) outputs.append(toNumpy(output.shape, output.values));
    return outputs;
}

py::array epochOrder(std::int64_t samples, std::uint64_t seed, std::int64_t epoch)
{
    auto const order = data::epochOrder(samples, seed, epoch, true);
    return py::array_t<std::uint32_t>(static_cast<py::ssize_t>(order.size()), order.data());
}

py::array copied(data::DataArray const &array)
{
    py::array copy(numpyType(array.dtype), array.shape);
    array.makeRecords(0, array.count());
    std::memcpy(copy.mutable_data(), array.bytes.get(), static_cast<std::size_t>(array.totalBytes()));
    return copy;
}

py::tuple digits(std::int64_t train, std::int64_t test, std::uint64_t seed)
{
    data::DigitOptions options;
    options.seed = seed;
    options.trainCount = train;
    options.testCount = test;
    auto const dataset = orThrow(data::generateDigits(options, {}));
    return py::make_tuple(copied(dataset.x), copied(dataset.y), copied(dataset.testX), copied(dataset.testY));
}

} // namespace

void defineRuns(py::module_ &module)
{
    using namespace py::literals;
    py::class_<State>(module, "State", "Weights, optimizer state and counters of a training, to continue it.")
        .def_property_readonly("epoch", [](State const &state) { return state.value.epoch; })
        .def_property_readonly("step", [](State const &state) { return state.value.step; })
        .def(
            "arrays", [](State const &state) { return toNumpy(state.value.tensors); }, "Every tensor by name.");

    py::class_<Training>(module, "Training",
                         "A training on arrays of the script. x and y: arrays by the name of the model's input or output; '' names the "
                         "only one. The arrays are not copied. order(epoch) gives the order of the samples; without it the plan's.")
        .def(py::init([](ProjectObject const &project, py::dict const &x, py::dict const &y, std::optional<py::array> const &sampleWeight,
                         std::optional<py::dict> const &weights, State const *state, py::object order, std::int64_t every,
                         py::object onStep, py::object onMessage, std::optional<std::string> report, std::string mode, int threads) {
                 return std::make_unique<Training>(project, x, y, sampleWeight, weights, state, std::move(order), every, std::move(onStep),
                                                   std::move(onMessage), RunOptions{std::move(report), std::move(mode), threads});
             }),
             "project"_a, "x"_a, "y"_a, py::kw_only(), "sample_weight"_a = std::nullopt, "weights"_a = std::nullopt,
             "state"_a = static_cast<State *>(nullptr), "order"_a = py::none(), "every"_a = 0, "on_step"_a = py::none(),
             "on_message"_a = py::none(), "report"_a = std::nullopt, "mode"_a = "fused", "threads"_a = 0)
        .def_property_readonly("steps_per_epoch", &Training::stepsPerEpoch, "Micro-batches of an epoch of each replica.")
        .def_property_readonly("over", &Training::over)
        .def_property_readonly("step", &Training::step, "Micro-batches since the start of training.")
        .def_property("learning_rate", &Training::learningRate, &Training::setLearningRate,
                      "Of the first optimizer; None if a schedule computes it on the device.")
        .def("set_value", &Training::setValue, "name"_a, "value"_a, "Writes another value of the host, such as momentum or loss_scale.")
        .def("run", &Training::run, "epochs"_a = 1, "steps"_a = std::nullopt,
             "Trains until so many epochs have ended, or so many micro-batches were trained; returns the epochs that ended.")
        .def("weights", &Training::weights, "The present weights by name.")
        .def("set_weights", &Training::setWeights, "weights"_a, "Writes weights by name; the optimizer's state stays.")
        .def("state", &Training::state)
        .def("finish", &Training::finish, "Saves the report and releases the device; returns the facts of the run.")
        .def("take_warnings", &Training::takeWarnings, "The warnings since the last call, as texts.");

    module.def(
        "evaluate",
        [](ProjectObject const &project, py::dict const &x, py::dict const &y, py::dict const &weights,
           std::optional<py::array> const &sampleWeight, std::optional<std::string> report, std::string mode, int threads, bool beside) {
            return evaluate(project, x, y, weights, sampleWeight, {std::move(report), std::move(mode), threads, beside});
        },
        "project"_a, "x"_a, "y"_a, "weights"_a, py::kw_only(), "sample_weight"_a = std::nullopt, "report"_a = std::nullopt,
        "mode"_a = "fused", "threads"_a = 0, "beside"_a = false,
        "Loss and metrics over the samples. beside: on the device of a training of this process that stands still.");
    module.def(
        "predict",
        [](ProjectObject const &project, py::dict const &x, py::dict const &weights, std::optional<std::string> report, std::string mode,
           int threads, bool beside) {
            return predict(project, x, weights, {std::move(report), std::move(mode), threads, beside});
        },
        "project"_a, "x"_a, "weights"_a, py::kw_only(), "report"_a = std::nullopt, "mode"_a = "fused", "threads"_a = 0, "beside"_a = false,
        "The model's outputs, in its order.");
    module.def("epoch_order", &epochOrder, "samples"_a, "seed"_a, "epoch"_a, "The shuffled order of an epoch (from 0) of the engine.");
    module.def("digits", &digits, "train"_a = 60000, "test"_a = 10000, "seed"_a = 1,
               "The embedded drawn digits: x_train, y_train, x_test, y_test; uint8.");
    module.attr("version") = std::string(version());
}

} // namespace tilewright::python

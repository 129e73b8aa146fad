#pragma once

#include "engine/runtime/session.h"
#include "engine/runtime/session_parts.h"

/// Evaluation of given weights, in a separate executable or as an entry of the training executable.
namespace tilewright::runtime {

/// One pass over a data set by one replica, for evaluation and prediction: on the IPUs of the stages only, in micro-batches that divide the
/// samples and fill the pipeline.
struct InferencePlan {
    project::Project project;
    std::int64_t batch = 1;
    std::int64_t steps = 1; ///< micro-batches per execution; divides samples / batch
};
/// If no batch fills the pipeline, the model runs without stages.
Result<InferencePlan> planInference(project::Project const &project, std::int64_t samples);

/// The executable of the project's training, at its entry of this name ("evaluate", "predict"). nullopt: the plan does not share it, or it
/// has no such entry for the project's samples (with a note); compile one for it. Errors: those of the data; Cancelled.
Result<std::optional<compiler::CompileOutcome>> trainingEntry(project::Project const &project, RunRequest const &request,
                                                              std::string_view name, JobContext const &job);

/// Evaluates given weights over a data set. Keeps its executable and buffers.
class Evaluator {
public:
    struct Samples {
        data::DataArray const &x, &y;
        double scale = 1;
    };
    /// With a separate executable. The loss uses the sample weights, if there are any (an array in `y.beside`), like Keras's validation.
    /// Class weights apply to training only.
    static Result<std::unique_ptr<Evaluator>> make(project::Project const &project, RunRequest const &request, Samples const &samples,
                                                   ThreadPool &pool, JobContext const &job);
    /// With the entry of an executable that was compiled for it.
    static Result<std::unique_ptr<Evaluator>> of(compiler::CompileOutcome compiled, project::Project const &project,
                                                 RunRequest const &request, Samples const &samples, ThreadPool &pool);
    /// As another entry of a training's executable. Requires: the session of the training outlives it.
    static Result<std::unique_ptr<Evaluator>> share(project::Project const &project, Samples const &samples, Session &training,
                                                    std::size_t entry);
    Result<EvaluateOutcome> run(TrainingState const &state, JobContext const &job);
    /// For the evaluations that follow.
    void setSeed(std::uint64_t seed) { m_session->executor().setSeed(seed); }
    compiler::CompileOutcome const &compiled() const { return m_session->compiled(); }
    bool isShared() const { return m_shared; } ///< an entry of the training's executable
    /// Modelled time to load its executable, and to load the training executable again; 0 if both are one.
    double loadingSeconds() const;
    double loadingSeconds(executable::Executable const &training) const;

private:
    Evaluator() = default;
    void feed(Samples const &samples);
    std::unique_ptr<Session> m_session;
    std::vector<std::uint32_t> m_order;
    std::int64_t m_turns = 0;
    bool m_shared = false;
};

} // namespace tilewright::runtime

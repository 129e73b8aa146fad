#include "engine/runtime/tail_batch.h"

#include "engine/runtime/session_parts.h"

namespace tilewright::runtime {

Result<std::unique_ptr<TailBatch>> TailBatch::make(project::Project const &project, RunRequest const &request, data::Dataset const &dataset,
                                                   ThreadPool &pool, JobContext const &job)
{
    auto tail = std::make_unique<TailBatch>();
    tail->m_samples = dataset.x.count() % project.training.batchSize;
    auto single = project;
    single.training.stepsPerExecution = single.training.gradientAccumulationSteps = 1;
    // Whether this batch ends the loop is judged when it is done: its program does not contain the others.
    std::erase_if(single.training.loop, [](model::LoopBlock const &block) { return block.kind == model::LoopBlock::Kind::While; });
    auto compileRequest = request.compile;
    compileRequest.kind = compiler::RunKind::Train;
    compileRequest.batch = tail->m_samples;
    compileRequest.useCache = compileRequest.forReport = false;
    compileRequest.validationSamples = compileRequest.inferenceSamples = 0;
    TW_ASSIGN(auto compiled, compiler::compile(single, compileRequest, job));
    TW_ASSIGN(auto const synthetic, config::syntheticData(request.compile.environment.flags));
    TW_ASSIGN(auto executor, makeFusedExecutor(compiled.entry(), deviceSeedOf(request, deviceSeedOf(project.training)), pool));
    tail->m_session = std::make_unique<Session>(std::move(compiled), std::move(executor), synthetic);
    tail->m_session->feed({dataset.x, dataset.y, dataset.scale, 0, project.training.classWeights});
    return tail;
}

Status TailBatch::run(Session &main, std::vector<std::uint32_t> const &epochOrder)
{
    TW_TRY(m_session->loadState(main.state()));
    m_session->writeValues(main.written());
    m_session->executor().setSeed(main.seed());
    std::vector<std::uint32_t> const order(epochOrder.end() - m_samples, epochOrder.end());
    m_session->begin(order, 0, 1);
    m_session->onOutput = main.onOutput;
    m_session->onStep = main.onStep;
    TW_TRY(m_session->run({.steps = 1}, {}));
    return main.loadState(m_session->state());
}

} // namespace tilewright::runtime

#include "engine/runtime/run_report.h"

namespace tilewright::runtime {

struct RunReport::Impl {};
RunReport::RunReport() = default;
RunReport::~RunReport() = default;

Status writeCompileReport(std::filesystem::path const &, project::Project const &, CompileOutcome const &) { return {}; }
Status RunReport::begin(std::filesystem::path const &, project::Project const &, CompileOutcome const &, data::Dataset const &, Mode)
{
    return {};
}
void RunReport::step(std::int64_t, double, std::vector<std::pair<std::string, double>> const &) {}
void RunReport::epoch(EpochResult const &) {}
Status RunReport::finish(TrainOutcome const &) { return {}; }

} // namespace tilewright::runtime

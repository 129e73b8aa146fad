// Dense products of published_measurements M1a, M1b, M2a, M2b on one Bow IPU: model over measured throughput of
// the lowered program's schedule, and the planner's own estimate beside it.
// Usage: calibrate_matmul [M K N DTYPE [TARGET]]: one product in full instead.
#include "tests/bench/calibration/dense_products.h"

#include "engine/compiler/op_compile.h"

#include <nlohmann/json.hpp>

#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace {

using namespace tilewright;

compiler::OpRequest request(std::int64_t m, std::int64_t k, std::int64_t n, DType type, std::string const &target)
{
    compiler::OpRequest r;
    r.kind = "matmul";
    r.dims = {{"m", m}, {"k", k}, {"n", n}};
    r.dtype = type;
    if (std::getenv("F32_PARTIALS")) r.partials = DType::F32;
    r.machine = target::parseMachine(target).value();
    return r;
}

double seconds() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

void printSteps(compiler::OpCompileResult const &result)
{
    for (auto const &event : lowering::timelineOf(result.schedule).events)
        std::printf("  %10lld %8lld %-18s %s\n", static_cast<long long>(event.start), static_cast<long long>(event.duration),
                    std::string(program::toText(event.phase)).c_str(), result.lowered.program.step(event.step).name.c_str());
    std::printf("  traffic:\n");
    for (std::size_t e = 0; e < result.schedule.exchanges.size(); ++e) {
        auto const &t = result.schedule.exchanges[e];
        Bytes received = 0, sent = 0;
        std::int64_t messages = 0, fragments = 0;
        for (std::size_t i = 0; i < t.received.size(); ++i) {
            received = std::max(received, t.received[i]);
            sent = std::max(sent, t.sent[i]);
            messages = std::max(messages, t.messages[i]);
            fragments = std::max(fragments, t.fragments[i]);
        }
        std::printf("  %-40s max received %lld sent %lld messages %lld fragments %lld cycles %lld\n",
                    result.lowered.program.exchanges[e].name.c_str(), static_cast<long long>(received), static_cast<long long>(sent),
                    static_cast<long long>(messages), static_cast<long long>(fragments), static_cast<long long>(t.phaseCycles));
    }
    for (auto const &v : result.lowered.program.variables)
        std::printf("  var %-40s %s\n", v.name.c_str(), program::toText(v.layout).c_str());
}

} // namespace

int main(int argc, char **argv)
{
    if (argc >= 5) {
        auto const type = parseDType(argv[4]).value_or(DType::F32);
        double const begin = seconds();
        auto const result = compiler::compileOp(
            request(std::atoll(argv[1]), std::atoll(argv[2]), std::atoll(argv[3]), type, argc > 5 ? argv[5] : "bow"), {});
        if (!result.ok()) return std::fprintf(stderr, "%s\n", toText(result.error()).c_str()), 1;
        std::printf("%s\n%.1f ms\n", compiler::toJson(*result).dump(1).c_str(), (seconds() - begin) * 1e3);
        printSteps(*result);
        return 0;
    }
    double sumAll = 0, sumAbs = 0, worst = 0;
    int count = 0;
    for (auto const &set : calibration::publishedProducts()) {
        double sum = 0;
        std::printf("%s\n", set.name);
        for (auto const &[batch, measured] : set.points) {
            double const begin = seconds();
            auto const result = compiler::compileOp(request(set.size, set.size, batch, set.type, "bow"), {});
            if (!result.ok()) return std::fprintf(stderr, "%s\n", toText(result.error()).c_str()), 1;
            double const took = seconds() - begin;
            auto const plan = nlohmann::json::parse(result->plan)["chosen"];
            double const ratio = result->tflops / measured;
            std::printf(
                "  n %6lld  measured %6.1f model %6.1f ratio %5.2f  cycles %9lld (compute %lld exchange %lld sync %lld) planner %9lld  "
                "%lldx%lldx%lld serial %lld%s  %.0f ms%s\n",
                static_cast<long long>(batch), measured, result->tflops, ratio, static_cast<long long>(result->cycles.total),
                static_cast<long long>(result->cycles.compute), static_cast<long long>(result->cycles.exchange),
                static_cast<long long>(result->cycles.sync), plan["cycles"]["total"].get<long long>(),
                plan["split"]["rows"].get<long long>(), plan["split"]["inner"].get<long long>(), plan["split"]["columns"].get<long long>(),
                plan["split"]["serial"].get<long long>(), plan["swapped"].get<bool>() ? " swapped" : "", took * 1e3,
                result->memory.fits ? "" : "  (does not fit)");
            sum += std::log(ratio);
            sumAll += std::log(ratio);
            sumAbs += std::abs(std::log(ratio));
            worst = std::max(worst, std::abs(std::log(ratio)));
            ++count;
        }
        std::printf("  geometric mean %.3f\n", std::exp(sum / static_cast<double>(set.points.size())));
    }
    std::printf("all: geometric mean %.3f, mean |log| %.3f, worst factor %.2f\n", std::exp(sumAll / count), sumAbs / count,
                std::exp(worst));
    return 0;
}

// The four proofs at full length, as shipped: their results on unseen samples beside the required ones. Arguments: seeds; default: the seed
// of the
// template.
#include "engine/project/project.h"
#include "engine/runtime/session.h"

#include <algorithm>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

using namespace tilewright;

namespace {

struct Proof {
    char const *name;
    std::int64_t steps;                                  ///< 0: the epochs of the template
    std::vector<std::pair<char const *, double>> wanted; ///< above these
};

bool prove(Proof const &proof, std::string const &seed)
{
    auto p = project::fromTemplate(proof.name).value();
    if (!seed.empty()) p = project::withField(p, "training.seed", seed, nullptr).value();
    runtime::RunRequest request;
    request.compile.useCache = false;
    if (proof.steps > 0) request.steps = proof.steps;
    auto const outcome = runtime::train(p, request, {}, {});
    if (!outcome.ok()) return std::printf("%s: %s\n", proof.name, toText(outcome.error()).c_str()), false;
    auto const judged = runtime::evaluate(p, request, &outcome->state, {});
    if (!judged.ok()) return std::printf("%s: %s\n", proof.name, toText(judged.error()).c_str()), false;
    std::printf("%-17s seed %-4s %6lld steps %6.1f s ", proof.name, std::to_string(p.training.seed).c_str(),
                static_cast<long long>(outcome->steps), outcome->hostSeconds);
    bool holds = true;
    for (auto const &[metric, least] : proof.wanted) {
        auto const found = std::ranges::find(judged->metrics, metric, &std::pair<std::string, double>::first);
        bool const above = found != judged->metrics.end() && found->second > least;
        holds = holds && above;
        std::printf("  %s %.4f (wanted above %.3f%s)", metric, found == judged->metrics.end() ? 0.0 : found->second, least,
                    above ? "" : ", MISSED");
    }
    std::printf("  of %lld samples\n", static_cast<long long>(judged->samples));
    return holds;
}

} // namespace

int main(int count, char **arguments)
{
    std::vector<Proof> const proofs{{"mnist-cnn", 0, {{"accuracy", 0.99}}},
                                    {"mnist-lstm", 0, {{"accuracy", 0.98}}},
                                    {"transformer-sort", 1000, {{"accuracy", 0.99}, {"sequence_accuracy", 0.95}}},
                                    {"custom-loop", 0, {{"accuracy", 0.97}}}};
    std::vector<std::string> seeds(arguments + 1, arguments + count);
    if (seeds.empty()) seeds.emplace_back();
    bool all = true;
    for (auto const &proof : proofs)
        for (auto const &seed : seeds) all = prove(proof, seed) && all;
    return all ? 0 : 1;
}

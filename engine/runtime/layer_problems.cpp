#include "engine/runtime/layer_problems.h"

#include "engine/compiler/compile.h"
#include "engine/core/json_text.h"
#include "engine/lowering/peak_owners.h"
#include "engine/report/quantities.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <functional>
#include <map>

namespace tilewright::runtime {

namespace {

constexpr std::size_t kMostLayers = 3;
constexpr Bytes kLeastPart = 8; ///< a layer with less than this part of a tile's memory is not why the tile is too full

/// `owners`: of the worst tile of one IPU, the largest first.
void add(std::vector<Diagnostic> &problems, std::vector<lowering::PeakOwner> const &owners, Bytes limit)
{
    for (std::size_t i = 0; i < std::min(kMostLayers, owners.size()); ++i) {
        auto const &[layer, bytes] = owners[i];
        if (i > 0 && bytes < limit / kLeastPart) break;
        if (std::ranges::find(problems, layer, &Diagnostic::subject) != problems.end()) continue; // on several IPUs
        problems.push_back(
            makeError(ErrorKind::DoesNotFit, "memory.layer-too-large", layer,
                      Message::of("the model does not fit, and this layer takes %1 bytes of the worst tile at its peak; the tile has %2.",
                                  bytes, limit),
                      Message::of("Make the layer smaller or the batch size smaller, or apply a remedy that the fit meter proposes.")));
    }
}

} // namespace

std::vector<Diagnostic> layerProblems(compiler::CompileOutcome const &compiled)
{
    std::vector<Diagnostic> problems;
    if (!compiled.outOfMemory) return problems;
    auto const &exe = *compiled.executable;
    auto const liveness = lowering::analyseLiveness(exe.program);
    for (auto const &ipu : exe.memory.ipus)
        if (!ipu.fits && !exe.memory.layouts.empty())
            add(problems, lowering::peakOwners(exe.program, liveness, exe.memory, ipu.worstTile), compiled.machine.chip.bytesPerTile);
    return problems;
}

std::vector<Diagnostic> layerProblems(report::ReportData const &data)
{
    std::vector<Diagnostic> problems;
    auto const *verdict = report::verdictOfAll(data);
    auto const insight = std::ranges::find(data.insights, "memory.largest-at-peak", &report::InsightRow::rule);
    if (!verdict || verdict->fits || insight == data.insights.end()) return problems;
    auto const layerOf = [&data](int op) {
        while (op >= 0 && !report::isLayer(data.ops[static_cast<std::size_t>(op)])) op = data.ops[static_cast<std::size_t>(op)].parent;
        return op < 0 ? std::string() : data.ops[static_cast<std::size_t>(op)].name;
    };
    std::map<std::string, Bytes> bytes;
    auto const numbers = jsonOrDiscarded(insight->numbers);
    if (!numbers.is_object() || !numbers.contains("largest") || !numbers["largest"].is_array()) return problems;
    for (auto const &one : numbers["largest"]) {
        if (!one.is_object()) continue;
        auto const variable = one.value("variable", std::int64_t(-1));
        if (variable < 0 || variable >= static_cast<std::int64_t>(data.variables.size())) continue;
        bytes[layerOf(data.variables[static_cast<std::size_t>(variable)].op)] += one.value("bytes", Bytes(0));
    }
    bytes.erase(std::string());
    std::vector<lowering::PeakOwner> owners;
    for (auto const &[layer, sum] : bytes) owners.push_back({layer, sum});
    std::ranges::stable_sort(owners, std::greater(), &lowering::PeakOwner::bytes);
    add(problems, owners, verdict->capacity);
    return problems;
}

} // namespace tilewright::runtime

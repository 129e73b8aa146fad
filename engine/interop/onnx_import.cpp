#include "engine/interop/onnx_import.h"

#include "engine/core/safe_text.h"
#include "engine/core/text.h"
#include "engine/interop/onnx_conversion.h"
#include "engine/interop/onnx_file.h"
#include "engine/interop/onnx_fold.h"
#include "engine/interop/onnx_rules.h"

#include <algorithm>
#include <set>
#include <utility>

namespace tilewright::interop {

namespace {

constexpr std::int64_t kFirstOpset = 1, kLastOpset = 17, kNumpyBroadcast = 7;

/// A node that cannot become layers, with the reason.
struct Refused {
    OnnxNode const *node;
    Diagnostic reason;
};

std::string labelOf(OnnxNode const &node)
{
    auto const &name = !node.name.empty() ? node.name : node.outputs.empty() ? node.op : node.outputs.front();
    return shortened(name, 80) + " (" + (node.domain.empty() ? "" : node.domain + ".") + node.op + ")";
}

/// One pass over the nodes. Goes on after a node that cannot become layers, so that all are found.
class Pass {
public:
    Pass(OnnxGraph const &graph, std::optional<std::size_t> batchAxis) : conversion(graph, batchAxis), m_graph(graph) {}

    Status inputs(OpenSizes const &sizes, std::string const &file)
    {
        std::set<std::string> constants;
        for (auto const &tensor : m_graph.initializers) {
            constants.insert(tensor.name);
            if (tensor.type == OnnxType::Text) continue;
            OnnxOperand operand;
            operand.type = tensor.type;
            operand.isTrained = tensor.isFloat();
            operand.constant = tensor;
            conversion.set(tensor.name, std::move(operand));
        }
        for (auto const &input : m_graph.inputs) {
            if (constants.contains(input.name)) continue; // up to IR version 3, weights are listed as inputs too
            auto const given = sizes.find(input.name);
            TW_TRY(conversion.addInput(input, given == sizes.end() ? std::vector<std::int64_t>() : given->second, file));
        }
        return {};
    }

    void nodes(JobContext const &job)
    {
        for (auto const &node : m_graph.nodes) {
            if (job.cancelled()) return;
            if (auto const done = convert(node); !done.ok()) refused.push_back({&node, done.error()});
        }
    }

    OnnxConversion conversion;
    std::vector<Refused> refused;

private:
    Status convert(OnnxNode const &node)
    {
        auto const *rule = node.domain.empty() || node.domain == "ai.onnx" ? findOnnxRule(node.op) : nullptr;
        bool isKnown = true; // its inputs: otherwise a node before it was refused
        for (auto const &input : node.inputs) isKnown = isKnown && (input.empty() || conversion.find(input));
        conversion.begin(node);
        if (isKnown) {
            TW_ASSIGN(bool const folded, foldNode(conversion, node));
            if (folded) return {};
        }
        if (!rule) return onnxRefusal(Message::of("no layer computes this operator"));
        // Before opset 7 an operand could be aligned at another axis than the last.
        if (conversion.opset() < kNumpyBroadcast && (node.integer("broadcast", 0) != 0 || node.integer("spatial", 1) == 0))
            return onnxRefusal(Message::of("it is of an opset before 7, with attributes that are gone since"));
        if (!isKnown) return {};
        if (node.inputs.empty() || node.outputs.empty()) return onnxRefusal(Message::of("it has no input or no output"));
        if (!rule->takesConstant && !node.inputs[0].empty() && conversion.operand(node, 0).constant)
            return onnxRefusal(Message::of("its input is a constant"));
        return rule->convert(conversion, node);
    }

    OnnxGraph const &m_graph;
};

Diagnostic refusal(std::vector<Refused> const &refused, std::string const &file)
{
    constexpr std::size_t kListed = 20;
    Message list;
    for (std::size_t i = 0; i < std::min(kListed, refused.size()); ++i) {
        auto const one = Message::of("%1: %2", labelOf(*refused[i].node), refused[i].reason.message);
        list = i == 0 ? one : Message::of("%1; %2", list, one);
    }
    if (refused.size() > kListed) list = Message::of("%1; and more", list);
    return makeError(ErrorKind::Invalid, "import.onnx-operators", file,
                     Message::of("%1 of its nodes cannot become layers: %2.", refused.size(), list),
                     Message::of("Replace these operators in the model, and export it again."));
}

bool mixesSamples(std::vector<Refused> const &refused)
{
    return std::ranges::any_of(refused, [](auto const &one) { return one.reason.code == kMixedSamples; });
}

/// Inputs whose first axes have different sizes have no batch in common.
bool batchesDiffer(OnnxGraph const &graph)
{
    std::set<std::string> weights;
    for (auto const &tensor : graph.initializers) weights.insert(tensor.name);
    std::set<std::int64_t> sizes;
    for (auto const &input : graph.inputs)
        if (!weights.contains(input.name) && !input.extents.empty()) sizes.insert(input.extents.front().size);
    return sizes.size() > 1;
}

/// Recurrent nodes have the steps first unless they say otherwise.
bool hasStepsFirst(OnnxGraph const &graph)
{
    return std::ranges::any_of(graph.nodes, [](auto const &node) {
        return (node.op == "LSTM" || node.op == "GRU" || node.op == "RNN") && node.integer("layout", 0) == 0;
    });
}

bool allSizesKnown(OnnxGraph const &graph)
{
    return std::ranges::all_of(graph.inputs, [](auto const &input) {
        return std::ranges::all_of(input.extents, [](auto const &extent) { return extent.size > 0; });
    });
}

} // namespace

OnnxRule const *findOnnxRule(std::string_view op)
{
    for (auto const rules : {elementRules(), axisRules(), moveRules(), productRules(), windowRules(), normRules(), recurrentRules(),
                             lossRules(), indexRules(), einsumRules(), quantizedRules()})
        if (auto const found = std::ranges::find(rules, op, &OnnxRule::op); found != rules.end()) return &*found;
    return nullptr;
}

Result<Imported> modelFromOnnx(OnnxGraph const &graph, OpenSizes const &sizes, std::string const &file, JobContext const &job)
{
    if (graph.opset < kFirstOpset || graph.opset > kLastOpset)
        return makeError(ErrorKind::Usage, "import.onnx-opset", file,
                         Message::of("the file is of opset %1; files of opset %2 to %3 can be read.", graph.opset, kFirstOpset, kLastOpset),
                         Message::of("Export the model with opset_version=%1.", std::int64_t{13}));
    std::vector<Diagnostic> warnings;
    std::vector<Refused> refused;
    auto const attempt = [&](std::optional<std::size_t> batchAxis) -> Result<Imported> {
        Pass pass(graph, batchAxis);
        warnings.clear();
        TW_TRY(pass.inputs(sizes, file));
        pass.nodes(job);
        if (job.cancelled()) return cancelledError(file);
        refused = pass.refused;
        if (!refused.empty()) return refusal(refused, file);
        TW_TRY(pass.conversion.finish(file, warnings));
        Imported imported;
        imported.project.model = pass.conversion.takeModel();
        imported.project.title = imported.project.model.name;
        imported.layers = pass.conversion.takeArrays();
        for (auto const &input : graph.inputs)
            if (sizes.contains(input.name)) imported.closedInputs.insert(input.name);
        return imported;
    };
    bool const known = allSizesKnown(graph), differ = known && batchesDiffer(graph);
    auto imported = attempt(differ ? std::optional<std::size_t>() : std::size_t{0});
    bool isWhole = differ;
    auto const failedAs = [&](char const *code) { return imported.error().code == code; };
    bool const refuses =
        !differ && !imported.ok() && (failedAs("import.onnx-operators") || failedAs("import.onnx-input") || failedAs("import.onnx-output"));
    if (refuses && mixesSamples(refused) && hasStepsFirst(graph)) {
        auto second = attempt(std::size_t{1});
        if (second.ok())
            warnings.push_back(
                makeWarning("import.batch-second", file,
                            Message::of("axis 1 of the inputs is the batch in the file; the project's inputs have it first."),
                            Message::of("Give the data with the batch first.")));
        if (second.ok() || (!refused.empty() && !mixesSamples(refused))) imported = std::move(second);
    }
    if (refuses && known && !imported.ok())
        if (auto whole = attempt(std::nullopt); whole.ok()) {
            isWhole = true;
            imported = std::move(whole);
        }
    if (isWhole)
        warnings.push_back(
            makeWarning("import.one-sample", file,
                        Message::of("the graph mixes the samples of a batch: a whole input of the file is one sample of the project."),
                        Message::of("Export the model with an open batch to train it on batches.")));
    if (!imported.ok()) return imported;
    for (auto &warning : warnings) job.warn(std::move(warning));
    return imported;
}

Result<Imported> readOnnxFile(Sniffed const &file, JobContext const &job)
{
    auto const name = file.path.string();
    TW_ASSIGN(auto const graph, readOnnx(file.path, job));
    TW_ASSIGN(auto imported, modelFromOnnx(graph, file.sizes, name, job));
    job.warn(makeWarning("import.defaults", name, Message::of("the file holds a model and no training plan."),
                         Message::of("Set training.loss, training.optimizer and training.metrics.")));
    return imported;
}

} // namespace tilewright::interop

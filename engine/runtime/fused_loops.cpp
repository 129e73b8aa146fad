#include "engine/graph/control.h"
#include "engine/kernels/gemm.h"
#include "engine/runtime/fused_binding.h"
#include "engine/runtime/loop_binding.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace tilewright::runtime {

using graph::ValueId;
using kernels::HostTensor;

Status FusedBinding::bindLoop(graph::Node const &node, FusedActions &actions)
{
    auto const loop = loopBindingOf(m_graph, node);
    auto const &form = loop.form;
    std::size_t const first = form.index ? 1 : 0;
    FusedAction action;
    action.body = std::make_shared<FusedActions>();
    std::vector<std::vector<HostTensor>> carried(m_replicas), buffers(m_replicas), stacks(m_replicas);
    std::vector<HostTensor> numbers(m_replicas);
    for (std::size_t r = 0; r < m_replicas; ++r) {
        if (form.index) {
            numbers[r] = own(DType::I32, {form.count});
            for (std::int64_t t = 0; t < form.count; ++t) numbers[r].i32()[t] = static_cast<std::int32_t>(t);
        }
        for (std::size_t i = 0; i < form.carried; ++i) {
            auto const &type = m_graph.value(node.outputs[i]);
            carried[r].push_back(m_values[r][node.inputs[i].index]);
            carried[r][i].shape = type.shape;
            for (int k = 0; k < 2; ++k) buffers[r].push_back(own(type.dtype, type.shape));
            if (!loop.inPlace[i]) continue;
            addCopy(*action.body, r, carried[r][i], buffers[r][2 * i]);
            carried[r][i] = buffers[r][2 * i];
        }
        for (std::size_t i = form.carried; i < node.outputs.size(); ++i) {
            stacks[r].push_back(bytesFor(r, node.outputs[i]));
            m_values[r][node.outputs[i].index] = stacks[r].back();
        }
    }
    auto const turnedOutside = m_turned;
    turnMatrices(matricesToTurn(m_graph, node), actions);
    for (std::int64_t t = 0; t < form.count; ++t) {
        auto const at = [&](std::size_t stack) { return form.reversed[stack] ? form.count - 1 - t : t; };
        auto const outer = m_placed;
        for (std::size_t r = 0; r < m_replicas; ++r) {
            auto &values = m_values[r];
            if (form.index) values[loop.parameters[0].index] = sliceOf(numbers[r], t);
            for (std::size_t i = 0; i < form.carried; ++i) values[loop.parameters[first + i].index] = carried[r][i];
            for (std::size_t i = 0; i < form.stackedIn; ++i) {
                auto stack = values[node.inputs[form.carried + i].index];
                stack.shape = m_graph.value(node.inputs[form.carried + i]).shape;
                values[loop.parameters[first + form.carried + i].index] = sliceOf(stack, at(i));
            }
            // Stacks first: a value that is also carried is then read from the stack.
            for (std::size_t i = 0; i < form.stackedOut; ++i)
                if (loop.placeable[form.carried + i])
                    place(r, loop.owners[form.carried + i], sliceOf(stacks[r][i], at(form.stackedIn + i)));
            // The next step's operands and stacked values that need no computation are written immediately.
            for (std::size_t i = 0; i < form.stackedOut && t + 1 < form.count; ++i)
                if (auto const from = loop.carriedAs(form.carried + i); from && !loop.inPlace[*from] && loop.placeable[*from])
                    place(r, loop.owners[*from], sliceOf(stacks[r][i], form.reversed[form.stackedIn + i] ? form.count - 2 - t : t + 1));
            for (std::size_t i = 0; i < form.carried; ++i)
                if (!loop.inPlace[i] && loop.placeable[i]) place(r, loop.owners[i], buffers[r][2 * i + static_cast<std::size_t>(t % 2)]);
        }
        TW_TRY(bindRegion(node.regions[0], *action.body));
        for (std::size_t r = 0; r < m_replicas; ++r) {
            for (std::size_t i = 0; i < form.stackedOut; ++i)
                addCopy(*action.body, r, m_values[r][loop.results[form.carried + i].index], sliceOf(stacks[r][i], at(form.stackedIn + i)));
            for (std::size_t i = 0; i < form.carried; ++i) {
                auto const left = m_values[r][loop.results[i].index];
                // The storage of another carried value, or of an inner loop's results, is overwritten in the next step.
                bool const lasts = loop.inPlace[i] || loop.placeable[i] || loop.lastsBeyondStep(loop.owners[i]);
                carried[r][i] = lasts ? left : buffers[r][2 * i + static_cast<std::size_t>(t % 2)];
                carried[r][i].shape = m_graph.value(node.outputs[i]).shape;
                addCopy(*action.body, r, left, carried[r][i]);
            }
        }
        m_placed = outer;
    }
    m_turned = turnedOutside;
    // The results of the loop are its own and may be overwritten by later nodes, except slices of a stack.
    for (std::size_t r = 0; r < m_replicas; ++r)
        for (std::size_t i = 0; i < form.carried; ++i) {
            auto &last = carried[r][i];
            if (last.data != buffers[r][2 * i].data && last.data != buffers[r][2 * i + 1].data) {
                addCopy(*action.body, r, last, buffers[r][2 * i]);
                last = buffers[r][2 * i];
            }
            m_values[r][node.outputs[i].index] = last;
        }
    action.alone = std::ranges::all_of(*action.body, &FusedAction::alone);
    actions.push_back(std::move(action));
    return {};
}

/// Transposed copies for a loop's steps, made before each start of the loop.
void FusedBinding::turnMatrices(std::vector<ValueId> const &matrices, FusedActions &actions)
{
    for (auto const matrix : matrices) {
        auto const &shape = m_graph.value(matrix).shape;
        FusedAction turn;
        std::vector<std::pair<HostTensor, HostTensor>> pairs;
        for (std::size_t r = 0; r < m_replicas; ++r) {
            pairs.emplace_back(m_values[r][matrix.index], own(DType::F32, {shape[1], shape[0]}));
            m_turned[r].insert_or_assign(matrix, pairs.back().second);
        }
        turn.special = [pairs](StreamHandlers const &, std::size_t r) -> Status {
            auto const &[from, to] = pairs[r];
            kernels::transposeMatrix(from.f32(), to.shape[1], to.shape[0], to.f32());
            return {};
        };
        actions.push_back(std::move(turn));
    }
}

/// Bound again for each call: the body reads the call's operands and writes to the call's results.
Status FusedBinding::bindCall(graph::Node const &node, FusedActions &actions)
{
    auto const loop = loopBindingOf(m_graph, node);
    auto const outer = m_placed;
    for (std::size_t r = 0; r < m_replicas; ++r)
        for (std::size_t i = 0; i < node.inputs.size(); ++i) {
            auto &parameter = m_values[r][loop.parameters[i].index];
            parameter = m_values[r][node.inputs[i].index];
            parameter.shape = m_graph.value(loop.parameters[i]).shape;
        }
    std::vector<std::vector<HostTensor>> outputs(m_replicas);
    for (std::size_t r = 0; r < m_replicas; ++r)
        for (std::size_t i = 0; i < node.outputs.size(); ++i) {
            outputs[r].push_back(m_values[r][node.outputs[i].index]);
            if (loop.placeable[i]) place(r, loop.owners[i], outputs[r][i]);
        }
    int const caller = std::exchange(m_callerStage, m_callerStage < 0 ? node.stage : m_callerStage);
    TW_TRY(bindRegion(node.regions[0], actions));
    m_callerStage = caller;
    for (std::size_t r = 0; r < m_replicas; ++r)
        for (std::size_t i = 0; i < node.outputs.size(); ++i) addCopy(actions, r, m_values[r][loop.results[i].index], outputs[r][i]);
    m_placed = outer;
    return {};
}

/// Each body writes to the results of the node.
Status FusedBinding::bindIf(graph::Node const &node, FusedActions &actions)
{
    FusedAction action;
    for (std::size_t r = 0; r < m_replicas; ++r) action.predicate.push_back(m_values[r][node.inputs[0].index]);
    for (std::size_t arm = 0; arm < 2; ++arm) {
        auto const body = std::make_shared<FusedActions>();
        TW_TRY(bindRegion(node.regions[arm], *body));
        auto const results = graph::resultsOf(m_graph, node.regions[arm]);
        for (std::size_t r = 0; r < m_replicas; ++r)
            for (std::size_t i = 0; i < results.size(); ++i)
                addCopy(*body, r, m_values[r][results[i].index], m_values[r][node.outputs[i].index]);
        (arm == 0 ? action.body : action.otherwise) = body;
    }
    action.alone = false; // all replicas take part in the decision
    actions.push_back(std::move(action));
    return {};
}

/// Carried values are stored in the results of the node.
Status FusedBinding::bindWhile(graph::Node const &node, FusedActions &actions)
{
    FusedAction action;
    action.count = graph::limitOf(node);
    action.alone = false;
    action.test = std::make_shared<FusedActions>();
    action.body = std::make_shared<FusedActions>();
    for (std::size_t r = 0; r < m_replicas; ++r)
        for (std::size_t i = 0; i < node.inputs.size(); ++i) {
            auto const &carried = m_values[r][node.outputs[i].index];
            addCopy(actions, r, m_values[r][node.inputs[i].index], carried);
            for (auto region : node.regions) m_values[r][graph::parametersOf(m_graph, region)[i].index] = carried;
        }
    TW_TRY(bindRegion(node.regions[0], *action.test));
    auto const test = graph::resultsOf(m_graph, node.regions[0])[0];
    TW_TRY(bindRegion(node.regions[1], *action.body));
    auto const results = graph::resultsOf(m_graph, node.regions[1]);
    for (std::size_t r = 0; r < m_replicas; ++r) {
        action.predicate.push_back(m_values[r][test.index]);
        std::vector<HostTensor> left;
        for (auto result : results) left.push_back(m_values[r][result.index]);
        auto const isCarried = [&](HostTensor const &tensor) {
            return std::ranges::any_of(node.outputs, [&](ValueId output) { return m_values[r][output.index].data == tensor.data; });
        };
        // A carried value that is also the source of another is saved before it is overwritten.
        for (std::size_t i = 0; i < left.size(); ++i) {
            auto const &to = m_values[r][node.outputs[i].index];
            if (left[i].data == to.data || !isCarried(left[i])) continue;
            auto const aside = own(left[i].dtype, left[i].shape);
            addCopy(*action.body, r, left[i], aside);
            left[i] = aside;
        }
        for (std::size_t i = 0; i < left.size(); ++i) addCopy(*action.body, r, left[i], m_values[r][node.outputs[i].index]);
    }
    actions.push_back(std::move(action));
    return {};
}

} // namespace tilewright::runtime

#include "engine/model/training_loop.h"

#include "engine/core/text.h"
#include "engine/model/resolve.h"
#include "engine/model/stages.h"
#include "engine/model/training_plan.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace tilewright::model {

namespace {

using Kind = LoopBlock::Kind;

constexpr std::array<std::pair<Kind, std::string_view>, 6> kKinds{{{Kind::Gradients, "gradients"},
                                                                   {Kind::Accumulate, "accumulate"},
                                                                   {Kind::AllReduce, "all_reduce"},
                                                                   {Kind::Clip, "clip"},
                                                                   {Kind::Apply, "apply"},
                                                                   {Kind::While, "while"}}};

std::string place(std::size_t index) { return "training.loop[" + std::to_string(index) + "]"; }

Diagnostic wrong(std::string subject, Message message, Message remedy)
{
    return makeError(ErrorKind::Invalid, "model.bad-argument", std::move(subject), std::move(message), std::move(remedy));
}

/// "*" stands for any characters.
bool matches(std::string_view pattern, std::string_view text)
{
    // Back to the last star, which takes one character more, when something behind it does not fit.
    std::size_t p = 0, t = 0, star = std::string_view::npos, taken = 0;
    while (t < text.size()) {
        if (p < pattern.size() && pattern[p] == '*') {
            star = p++;
            taken = t;
        } else if (p < pattern.size() && pattern[p] == text[t]) {
            ++p, ++t;
        } else if (star != std::string_view::npos) {
            p = star + 1;
            t = ++taken;
        } else {
            return false;
        }
    }
    while (p < pattern.size() && pattern[p] == '*') ++p;
    return p == pattern.size();
}

bool named(LoopBlock const &block, std::string_view weight)
{
    return std::ranges::any_of(block.weights, [&](auto const &pattern) { return matches(pattern, weight); });
}

/// Only these keys, each at most once by the nature of JSON.
Status onlyKeys(Json const &value, std::initializer_list<char const *> keys, std::string const &subject)
{
    std::vector<std::string> names(keys.begin(), keys.end());
    if (!value.is_object())
        return wrong(subject, Message::of("its arguments are not an object"), Message::of("give {\"%1\": …}", names.front()));
    for (auto const &[key, unused] : value.items())
        if (std::ranges::find(names, key) == names.end())
            return makeError(ErrorKind::Invalid, "model.unknown-argument", subject, Message::of("no argument is named '%1'", key),
                             suggestion(key, names));
    return {};
}

Result<double> positive(Json const &value, std::string const &key, std::string const &subject)
{
    if (!value.is_number() || !(value.get<double>() > 0))
        return wrong(subject, Message::of("%1 is not a number above 0", key), Message::of("give a number, such as 1.0"));
    return value.get<double>();
}

Result<LoopBlock> parseBlock(Json const &json, std::string const &subject)
{
    std::string name;
    Json arguments = Json::object();
    if (json.is_string()) {
        name = json.get<std::string>();
    } else if (json.is_object() && json.size() == 1) {
        name = json.begin().key();
        arguments = json.begin().value();
    } else {
        return wrong(subject, Message::of("a block is a name, or an object with one name and its arguments"),
                     Message::of("for example \"gradients\", or {\"clip\": {\"global_norm\": 1.0}}"));
    }
    auto const known = std::ranges::find(kKinds, name, &std::pair<Kind, std::string_view>::second);
    if (known == kKinds.end()) {
        std::vector<std::string> names;
        for (auto const &[kind, text] : kKinds) names.emplace_back(text);
        return wrong(subject, Message::of("no block is named '%1'", name), suggestion(name, names));
    }
    LoopBlock block{known->first, {}, {}, {}, 0};
    switch (block.kind) {
    case Kind::Gradients:
    case Kind::Accumulate:
    case Kind::AllReduce:
        if (!arguments.is_object() || !arguments.empty())
            return wrong(subject, Message::of("%1 takes no arguments", name), Message::of("write \"%1\"", name));
        return block;
    case Kind::Clip: {
        TW_TRY(onlyKeys(arguments, {"global_norm", "norm", "value"}, subject));
        if (arguments.size() != 1)
            return wrong(subject, Message::of("clip bounds by one of global_norm, norm and value"), Message::of("use one block for each"));
        auto const key = arguments.begin().key();
        TW_ASSIGN(double const limit, positive(arguments.begin().value(), key, subject));
        (key == "value" ? block.clipping.value : key == "norm" ? block.clipping.norm : block.clipping.globalNorm) = limit;
        return block;
    }
    case Kind::Apply: {
        TW_TRY(onlyKeys(arguments, {"weights", "optimizer"}, subject));
        if (auto const it = arguments.find("optimizer"); it != arguments.end()) {
            auto optimizer = parseOptimizer(*it);
            if (!optimizer.ok()) {
                auto error = optimizer.error();
                error.subject = subject + ": " + error.subject;
                return error;
            }
            block.optimizer.push_back(std::move(optimizer).value());
        }
        if (auto const it = arguments.find("weights"); it != arguments.end()) {
            bool const names =
                it->is_array() && !it->empty() && std::ranges::all_of(*it, [](Json const &each) { return each.is_string(); });
            if (!names)
                return wrong(subject, Message::of("weights is not a list of names"),
                             Message::of("for example [\"dense/*\"], or leave it out"));
            block.weights = it->get<std::vector<std::string>>();
        }
        return block;
    }
    case Kind::While: {
        TW_TRY(onlyKeys(arguments, {"loss_above"}, subject));
        if (!arguments.contains("loss_above"))
            return wrong(subject, Message::of("while needs a bound"), Message::of("write {\"while\": {\"loss_above\": 0.1}}"));
        auto const &bound = arguments["loss_above"];
        if (!bound.is_number() || !std::isfinite(bound.get<double>()))
            return wrong(subject, Message::of("loss_above is not a number"), Message::of("give a number, such as 0.1"));
        block.lossAbove = bound.get<double>();
        return block;
    }
    }
    return block;
}

OrderedJson blockJson(LoopBlock const &block)
{
    auto const with = [&](OrderedJson arguments) {
        OrderedJson json = OrderedJson::object();
        json[std::string(toText(block.kind))] = std::move(arguments);
        return json;
    };
    OrderedJson arguments = OrderedJson::object();
    switch (block.kind) {
    case Kind::Gradients:
    case Kind::Accumulate:
    case Kind::AllReduce: return OrderedJson(std::string(toText(block.kind)));
    case Kind::Clip:
        if (block.clipping.globalNorm) arguments["global_norm"] = *block.clipping.globalNorm;
        if (block.clipping.norm) arguments["norm"] = *block.clipping.norm;
        if (block.clipping.value) arguments["value"] = *block.clipping.value;
        return with(std::move(arguments));
    case Kind::Apply:
        if (!block.weights.empty()) arguments["weights"] = block.weights;
        if (!block.optimizer.empty()) arguments["optimizer"] = orderedOptimizer(block.optimizer.front());
        return with(std::move(arguments));
    case Kind::While: arguments["loss_above"] = block.lossAbove; return with(std::move(arguments));
    }
    return with(std::move(arguments));
}

} // namespace

std::string_view toText(LoopBlock::Kind kind) { return std::ranges::find(kKinds, kind, &std::pair<Kind, std::string_view>::first)->second; }

OrderedJson trainingLoopJson(TrainingLoop const &loop)
{
    OrderedJson json = OrderedJson::array();
    for (auto const &block : loop) json.push_back(blockJson(block));
    return json;
}

Result<TrainingLoop> parseTrainingLoop(Json const &json)
{
    TrainingLoop loop;
    if (json.is_null()) return loop;
    if (!json.is_array())
        return wrong("training.loop", Message::of("a training loop is a list of blocks"),
                     Message::of("for example [\"gradients\", \"apply\"]"));
    for (std::size_t i = 0; i < json.size(); ++i) {
        TW_ASSIGN(auto block, parseBlock(json[i], place(i)));
        loop.push_back(std::move(block));
    }
    return loop;
}

bool appliesTo(TrainingLoop const &loop, std::size_t index, std::string_view weight)
{
    auto const &block = loop[index];
    TW_CHECK(block.kind == Kind::Apply, "only an update applies to weights");
    if (!block.weights.empty()) return named(block, weight);
    return std::ranges::none_of(loop, [&](LoopBlock const &other) { return other.kind == Kind::Apply && named(other, weight); });
}

Optimizer const &optimizerOf(TrainingPlan const &plan, std::string_view weight)
{
    for (std::size_t i = 0; i < plan.loop.size(); ++i)
        if (plan.loop[i].kind == Kind::Apply && !plan.loop[i].optimizer.empty() && appliesTo(plan.loop, i, weight))
            return plan.loop[i].optimizer.front();
    return plan.optimizer;
}

namespace {

/// Order and number of the blocks.
Status checkOrder(TrainingPlan const &plan, ResolvedModel const &model)
{
    auto const &loop = plan.loop;
    auto const fail = [](std::size_t index, Message message, Message remedy) {
        return makeError(ErrorKind::Invalid, "training.loop", place(index), std::move(message), std::move(remedy));
    };
    bool const accumulates = plan.gradientAccumulationSteps > 1 || pipelineStages(model, plan) > 0;
    bool accumulated = false, applied = false, planOptimizer = false, everything = false;
    for (std::size_t i = 0; i < loop.size(); ++i) {
        auto const &block = loop[i];
        std::string const name(toText(block.kind));
        if ((i == 0) != (block.kind == Kind::Gradients))
            return i == 0 ? fail(i, Message::of("the first block is '%1', but there are no gradients yet", name),
                                 Message::of("begin with \"gradients\""))
                          : fail(i, Message::of("there are gradients already"), Message::of("remove this block"));
        if (applied && block.kind != Kind::Apply && block.kind != Kind::While)
            return fail(i, Message::of("'%1' comes after an update and can no longer affect it", name),
                        Message::of("move it before the first apply"));
        switch (block.kind) {
        case Kind::Gradients: break;
        case Kind::Accumulate:
            if (!accumulates)
                return fail(i, Message::of("training.gradient_accumulation_steps is 1"),
                            Message::of("set it to the number of micro-batches, or leave this block out"));
            if (i != 1)
                return fail(i, Message::of("accumulation does not follow the gradients"),
                            Message::of("put it directly after \"gradients\""));
            accumulated = true;
            break;
        case Kind::AllReduce:
        case Kind::Clip: break;
        case Kind::Apply:
            applied = true;
            planOptimizer = planOptimizer || block.optimizer.empty();
            if (block.weights.empty() && everything)
                return fail(i, Message::of("two updates claim the weights that no other block names"),
                            Message::of("name the weights of one of them"));
            everything = everything || block.weights.empty();
            break;
        case Kind::While:
            if (i + 1 != loop.size())
                return fail(i, Message::of("there are blocks after while"), Message::of("put while last: it repeats all blocks before it"));
            if (model.pipelined())
                return fail(i, Message::of("while does not work with pipeline stages yet"),
                            Message::of("put all layers into one stage, or leave it out"));
            if (accumulates)
                return fail(i, Message::of("while does not work with gradient accumulation yet"),
                            Message::of("set training.gradient_accumulation_steps to 1"));
            break;
        }
    }
    if (!applied) return fail(loop.size() - 1, Message::of("no block updates weights"), Message::of("add \"apply\""));
    if (accumulates && !accumulated)
        return fail(
            0, Message::of("training.gradient_accumulation_steps is %1, but the loop does not accumulate", plan.gradientAccumulationSteps),
            Message::of("put \"accumulate\" after \"gradients\", or set it to 1"));
    if (!planOptimizer)
        return fail(loop.size() - 1, Message::of("no block uses training.optimizer, which would have no effect"),
                    Message::of("remove the optimizer of one apply"));
    return {};
}

} // namespace

LossScaling lossScalingOf(TrainingPlan const &plan)
{
    for (auto const &block : plan.loop)
        if (block.kind == Kind::Apply) return (block.optimizer.empty() ? plan.optimizer : block.optimizer.front()).lossScaling();
    return plan.optimizer.lossScaling();
}

Status checkTrainingLoop(TrainingPlan const &plan, ResolvedModel const &model)
{
    auto const &loop = plan.loop;
    if (loop.empty()) return {};
    TW_TRY(checkOrder(plan, model));
    std::vector<std::string> weights;
    for (auto const &layer : model.layers)
        for (auto const &weight : layer.weights)
            if (weight.trainable) weights.push_back(layer.layer.name + "/" + weight.name);
    auto const fail = [](std::size_t index, Message message, Message remedy) {
        return makeError(ErrorKind::Invalid, "training.loop", place(index), std::move(message), std::move(remedy));
    };
    for (std::size_t i = 0; i < loop.size(); ++i)
        for (auto const &pattern : loop[i].weights)
            if (std::ranges::none_of(weights, [&](auto const &weight) { return matches(pattern, weight); }))
                return fail(i, Message::of("'%1' is not a trained weight", pattern), suggestion(pattern, weights));
    for (std::size_t i = 0; i < loop.size(); ++i)
        if (loop[i].kind == Kind::Apply
            && (loop[i].optimizer.empty() ? plan.optimizer : loop[i].optimizer.front()).lossScaling() != lossScalingOf(plan))
            return fail(
                i, Message::of("its optimizer's loss_scale_factor is not that of the apply before it"),
                Message::of("the loss is scaled only once: give every optimizer the same loss_scale_factor and automatic_loss_scaling"));
    for (auto const &weight : weights) {
        std::vector<std::size_t> by;
        for (std::size_t i = 0; i < loop.size(); ++i)
            if (loop[i].kind == Kind::Apply && appliesTo(loop, i, weight)) by.push_back(i);
        if (by.empty())
            return fail(loop.size() - 1, Message::of("no block updates '%1'", weight),
                        Message::of("name it in an apply, or make its layer not trainable"));
        if (by.size() > 1)
            return fail(by[1], Message::of("'%1' is updated by %2 as well", weight, place(by[0])),
                        Message::of("name each weight in one apply"));
    }
    return {};
}

} // namespace tilewright::model

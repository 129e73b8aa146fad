#include "engine/training/formula_update.h"

#include "engine/core/ascii.h"
#include "engine/core/formula.h"
#include "engine/core/text.h"
#include "engine/graph/update_expr.h"
#include "engine/model/slot_types.h"
#include "engine/training/special_updates.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace tilewright::training {

using namespace graph;

namespace {

/// A part of the formula.
struct Term {
    enum class Kind {
        Number,      ///< known now
        Coefficient, ///< a formula of t
        Scalar,      ///< a value of the graph
        Element      ///< an element of the update
    };
    Kind kind = Kind::Number;
    double number = 0;
    Formula formula;
    ValueId scalar;
    int element = -1;
};

Term numberTerm(double value) { return {Term::Kind::Number, value, {}, {}, -1}; }
Term coefficientTerm(Formula formula) { return {Term::Kind::Coefficient, 0, std::move(formula), {}, -1}; }
Term scalarTerm(ValueId value) { return {Term::Kind::Scalar, 0, {}, value, -1}; }
Term elementTerm(int element) { return {Term::Kind::Element, 0, {}, {}, element}; }

bool isNumber(Term const &term) { return term.kind == Term::Kind::Number; }
bool isNumber(Term const &term, double value) { return isNumber(term) && term.number == value; }

struct Operation {
    Prim prim;
    double p = 0, q = 0;
};

class FormulaUpdate {
public:
    FormulaUpdate(OpBuilder &builder, UpdateTarget const &target, UpdateStage &stage) : c(builder), m_target(target), m_stage(stage)
    {
        for (auto const &scalar : stage.scalars) m_stage.common.insert(scalar.value.index);
        for (auto const value : {stage.stepSize, stage.momentum, stage.gate})
            if (value.valid()) m_stage.common.insert(value.index);
    }

    Status build(model::Optimizer const &optimizer, std::vector<layers::SlotVariable> &made)
    {
        auto const &spec = *model::findOptimizerSpec(optimizer.className);
        Variable const weight = c.graph().variable(m_target.weight);
        addNames(optimizer, spec, made);
        TW_ASSIGN(auto const steps, parseFormulaSteps(spec.update(optimizer, weight.name)));
        for (auto const &step : steps) m_names[step.name] = evaluate(step.formula);
        finish(spec, weight.name);
        return {};
    }

private:
    /// A value of each element: a state (the weight first), the gradient after them, a scalar, or the result of a primitive.
    struct Element {
        int leaf = -1;
        ValueId scalar;
        Operation operation{Prim::Add};
        std::vector<int> arguments;
        ValueId value; ///< as a node of the graph; invalid: not needed yet
    };

    int states() const { return static_cast<int>(m_slots.size()) + 1; }

    void addNames(model::Optimizer const &optimizer, model::OptimizerSpec const &spec, std::vector<layers::SlotVariable> &made)
    {
        for (auto const &param : spec.params) {
            auto const &value = optimizer.config.at(param.name);
            if (value.is_number()) m_names[param.name] = numberTerm(value.get<double>());
        }
        m_values.push_back(m_target.value);
        m_symbols.push_back("w");
        for (auto const &slot : model::optimizerSlots(optimizer)) {
            m_slots.push_back(slotVariable(c, m_target.weight, slot.name, slot.initial, model::slotType(optimizer, slot)));
            made.push_back({slot.name, m_target.weight, m_slots.back()});
            m_values.push_back(c.b.read(m_slots.back()));
            m_symbols.push_back(slot.inFormula());
        }
        m_values.push_back(m_target.gradient);
        m_symbols.push_back("g");
        for (std::size_t i = 0; i < m_values.size(); ++i) {
            m_elements.push_back({.leaf = static_cast<int>(i)});
            m_names[m_symbols[i]] = elementTerm(static_cast<int>(i));
        }
        for (auto const &scalar : m_stage.scalars) m_names[scalar.symbol] = scalarTerm(scalar.value);
        m_names["lr"] = scalarTerm(m_target.stepSize);
        if (m_stage.momentum.valid()) m_names["momentum"] = scalarTerm(m_stage.momentum);
        m_names["t"] = coefficientTerm(formulaName("t"));
    }

    Term evaluate(Formula const &formula)
    {
        switch (formula.kind) {
        case Formula::Kind::Number: return numberTerm(formula.number);
        case Formula::Kind::Name: {
            auto const it = m_names.find(formula.name);
            TW_CHECK(it != m_names.end(), "a formula reads '" + formula.name + "', which it has not");
            return it->second;
        }
        case Formula::Kind::Call: break;
        }
        std::vector<Term> arguments;
        for (auto const &argument : formula.arguments) arguments.push_back(evaluate(argument));
        return call(formula.name, arguments);
    }

    Term call(std::string const &function, std::vector<Term> const &x)
    {
        if (function == "norm") return norm(x[0]);
        if (std::ranges::all_of(x, [](Term const &term) { return isNumber(term); })) {
            std::array<double, 3> values{};
            for (std::size_t i = 0; i < x.size(); ++i) values[i] = x[i].number;
            return numberTerm(findFormulaFunction(function)->value(values[0], values[1], values[2]));
        }
        if (auto const simple = simplified(function, x)) return *simple;
        if (std::ranges::all_of(x, [](Term const &term) { return isNumber(term) || term.kind == Term::Kind::Coefficient; })) {
            std::vector<Formula> arguments;
            for (auto const &term : x) arguments.push_back(isNumber(term) ? formulaNumber(term.number) : term.formula);
            return coefficientTerm(formulaCall(function, std::move(arguments)));
        }
        if (function == "pow") return power(x[0], x[1]);
        return primitive(function, x);
    }

    /// Without operations that change nothing: arguments that are 0 or 1 are frequent.
    static std::optional<Term> simplified(std::string const &function, std::vector<Term> const &x)
    {
        if (function == "add" && isNumber(x[0], 0)) return x[1];
        if ((function == "add" || function == "sub") && isNumber(x[1], 0)) return x[0];
        if (function == "mul" && isNumber(x[0], 1)) return x[1];
        if ((function == "mul" || function == "div" || function == "pow") && isNumber(x[1], 1)) return x[0];
        if (function == "mul" && (isNumber(x[0], 0) || isNumber(x[1], 0))) return numberTerm(0);
        if (function == "div" && isNumber(x[0], 0)) return numberTerm(0);
        if (function == "pow" && isNumber(x[1], 0)) return numberTerm(1);
        return {};
    }

    Term power(Term const &base, Term const &exponent)
    {
        if (isNumber(exponent, 0.5)) return operation({Prim::Sqrt}, {base});
        if (isNumber(exponent, 2)) return operation({Prim::Square}, {base});
        if (isNumber(exponent, -1)) return operation({Prim::Reciprocal}, {base});
        return operation({Prim::Exp}, {call("mul", {exponent, operation({Prim::Log}, {base})})});
    }

    Term primitive(std::string const &function, std::vector<Term> const &x)
    {
        if (function == "add" || function == "mul" || function == "max") {
            Prim const withNumber = function == "add" ? Prim::AddScalar : function == "mul" ? Prim::MulScalar : Prim::MaxScalar;
            for (std::size_t i = 0; i < 2; ++i)
                if (isNumber(x[i])) return operation({withNumber, x[i].number}, {x[1 - i]});
        }
        if (function == "sub" && isNumber(x[1])) return operation({Prim::AddScalar, -x[1].number}, {x[0]});
        if (function == "sub" && isNumber(x[0])) return call("add", {operation({Prim::Neg}, {x[1]}), x[0]});
        int exponent = 0;
        if (function == "div" && isNumber(x[1]) && std::frexp(std::abs(x[1].number), &exponent) == 0.5) // exact
            return operation({Prim::MulScalar, 1.0 / x[1].number}, {x[0]});
        if (function == "add" && isScaled(x[0]) && isScaled(x[1])) {
            auto const &a = m_elements[static_cast<std::size_t>(x[0].element)], &b = m_elements[static_cast<std::size_t>(x[1].element)];
            return operation({Prim::Axpby, a.operation.p, b.operation.p}, {elementTerm(a.arguments[0]), elementTerm(b.arguments[0])});
        }
        auto const *prim = findPrimitive(function);
        TW_CHECK(prim, "no operation computes " + function);
        return operation({prim->prim}, x);
    }
    bool isScaled(Term const &term) const
    {
        if (term.kind != Term::Kind::Element) return false;
        auto const &element = m_elements[static_cast<std::size_t>(term.element)];
        return element.leaf < 0 && !element.arguments.empty() && element.operation.prim == Prim::MulScalar;
    }

    Term operation(Operation what, std::vector<Term> const &x)
    {
        if (std::ranges::none_of(x, [](Term const &term) { return term.kind == Term::Kind::Element; })) {
            std::vector<ValueId> inputs;
            for (auto const &term : x) inputs.push_back(scalarOf(term));
            return scalarTerm(scalar(what, std::move(inputs)));
        }
        Element element{.operation = what};
        for (auto const &term : x)
            element.arguments.push_back(term.kind == Term::Kind::Element ? term.element : scalarElement(scalarOf(term)));
        m_elements.push_back(std::move(element));
        return elementTerm(static_cast<int>(m_elements.size()) - 1);
    }

    int scalarElement(ValueId value)
    {
        for (std::size_t i = 0; i < m_elements.size(); ++i)
            if (m_elements[i].scalar == value && value.valid()) return static_cast<int>(i);
        m_elements.push_back({.scalar = value, .value = value});
        return static_cast<int>(m_elements.size()) - 1;
    }

    ValueId scalarOf(Term const &term)
    {
        TW_CHECK(term.kind != Term::Kind::Element, "an element where a scalar is needed");
        if (term.kind == Term::Kind::Scalar) return term.scalar;
        if (term.kind == Term::Kind::Number) return shared("number " + numberText(term.number), [&] { return c.b.constant(term.number); });
        auto const text = tilewright::toText(term.formula);
        return shared("coefficient " + text, [&] {
            return c.op("opt.coefficient", {m_stage.iterations}, {{"formula", text}}, "Coefficient");
        });
    }

    ValueId scalar(Operation const &what, std::vector<ValueId> inputs)
    {
        bool const common = std::ranges::all_of(inputs, [&](ValueId value) { return m_stage.common.contains(value.index); });
        auto const make = [&] { return node(what, inputs, std::string(info(what.prim).name)); };
        if (!common) return make();
        std::string key = std::string(info(what.prim).name) + " " + numberText(what.p) + " " + numberText(what.q);
        for (auto value : inputs) key += " " + std::to_string(value.index);
        return shared(key, make);
    }

    /// Made once for all weights of the stage.
    template <typename Make> ValueId shared(std::string const &key, Make const &make)
    {
        auto const [it, isNew] = m_stage.shared.try_emplace(key);
        if (!isNew) return it->second;
        auto const layer = std::exchange(c.b.layer, m_stage.label);
        auto const role = std::exchange(c.b.role, Role::Other);
        it->second = make();
        c.b.layer = layer;
        c.b.role = role;
        m_stage.common.insert(it->second.index);
        return it->second;
    }

    ValueId node(Operation const &what, std::vector<ValueId> inputs, std::string leaf)
    {
        auto const &prim = info(what.prim);
        Attrs attrs;
        if (prim.parameters > 0) attrs.set("p0", what.p);
        if (prim.parameters > 1) attrs.set("p1", what.q);
        return c.op(std::string(prim.name), std::move(inputs), std::move(attrs), std::move(leaf));
    }

    std::string leafName() const
    {
        auto const &name = c.b.graph().variable(m_target.weight).name;
        return name.substr(name.rfind('/') + 1) + "/";
    }

    /// The values of all elements as a tensor.
    ValueId tensorOf(int index)
    {
        auto const at = static_cast<std::size_t>(index);
        if (m_elements[at].value.valid()) return m_elements[at].value;
        auto const leaf = m_elements[at].leaf;
        ValueId value;
        if (leaf >= 0) {
            value = c.cast(m_values[static_cast<std::size_t>(leaf)], DType::F32);
        } else {
            std::vector<ValueId> inputs;
            for (int const argument : std::vector(m_elements[at].arguments)) inputs.push_back(tensorOf(argument));
            value = node(m_elements[at].operation, std::move(inputs), leafName() + "Step");
        }
        return m_elements[at].value = value;
    }

    Term norm(Term const &x)
    {
        if (x.kind != Term::Kind::Element) return call("abs", {x});
        auto const role = std::exchange(c.b.role, Role::Temporary);
        auto const squares = c.op("square", {tensorOf(x.element)}, {}, leafName() + "Square");
        auto const sum = c.op("reduce_sum", {squares}, {}, leafName() + "SquareSum");
        auto const result = c.op("sqrt", {sum}, {}, leafName() + "Norm");
        c.b.role = role;
        return scalarTerm(result);
    }

    /// The new value, or the old one where the gate is shut.
    Term gated(Term const &next, Term const &old)
    {
        if (!m_stage.gate.valid() || (next.kind == Term::Kind::Element && next.element == old.element)) return next;
        return operation({Prim::Select}, {scalarTerm(m_stage.gate), next, old});
    }

    /// The results of all states, as one node.
    void finish(model::OptimizerSpec const &spec, std::string const &weight)
    {
        std::vector<int> results;
        for (int i = 0; i < states(); ++i) {
            auto const &term = m_names.at(m_symbols[static_cast<std::size_t>(i)]);
            TW_CHECK(term.kind == Term::Kind::Element, m_symbols[static_cast<std::size_t>(i)] + " of " + weight + " becomes a scalar");
            bool const foreign = m_elements[static_cast<std::size_t>(term.element)].leaf >= 0 && term.element != i;
            auto const result = foreign ? operation({Prim::MulScalar, 1.0}, {term}) : term;
            results.push_back(gated(result, elementTerm(i)).element);
        }
        std::vector<char> needed(m_elements.size(), 0);
        for (int const result : results) needed[static_cast<std::size_t>(result)] = 1;
        for (std::size_t i = m_elements.size(); i-- > 0;)
            if (needed[i])
                for (int const argument : m_elements[i].arguments) needed[static_cast<std::size_t>(argument)] = 1;
        // Operands before instructions: the numbers of the latter follow from how many there are of the former.
        std::vector<int> place(m_elements.size(), -1);
        auto inputs = m_values;
        for (std::size_t i = 0; i < m_elements.size(); ++i) {
            if (m_elements[i].leaf >= 0) place[i] = m_elements[i].leaf;
            if (!needed[i] || !m_elements[i].scalar.valid()) continue;
            place[i] = static_cast<int>(inputs.size());
            inputs.push_back(m_elements[i].scalar);
        }
        UpdateExpr update;
        update.expr.operands = static_cast<int>(inputs.size());
        for (std::size_t i = 0; i < m_elements.size(); ++i) {
            auto const &element = m_elements[i];
            if (!needed[i] || place[i] >= 0) continue;
            Instr instr{element.operation.prim, {-1, -1, -1}, element.operation.p, element.operation.q};
            for (std::size_t a = 0; a < element.arguments.size(); ++a)
                instr.args[a] = place[static_cast<std::size_t>(element.arguments[a])];
            place[i] = update.expr.operands + static_cast<int>(update.expr.instrs.size());
            update.expr.instrs.push_back(instr);
        }
        for (int const result : results) update.results.push_back(place[static_cast<std::size_t>(result)]);
        std::string lower = spec.className;
        for (char &letter : lower) letter = asciiLower(letter);
        auto const outs = addInferred(c.b, c.ops, "opt.update", std::move(inputs), {{"expr", toText(update)}}, leafName() + lower);
        for (std::size_t i = 1; i < outs.size(); ++i) c.graph().value(outs[i]).role = Role::OptimizerState;
        c.b.assign(m_target.weight, outs[0]);
        for (std::size_t i = 0; i < m_slots.size(); ++i) c.b.assign(m_slots[i], outs[i + 1]);
        for (auto &scalar : m_stage.scalars) {
            auto const &term = m_names.at(scalar.symbol);
            if (auto const next = scalarOf(term); next != scalar.value) scalar.next = scalarOf(gated(term, scalarTerm(scalar.value)));
        }
    }

    OpBuilder &c;
    UpdateTarget const &m_target;
    UpdateStage &m_stage;
    std::map<std::string, Term> m_names;
    std::vector<VariableId> m_slots;
    std::vector<ValueId> m_values;      ///< of the states and the gradient
    std::vector<std::string> m_symbols; ///< in the same order
    std::vector<Element> m_elements;    ///< each after its arguments
};

} // namespace

Status updateByFormula(OpBuilder &c, model::Optimizer const &optimizer, UpdateTarget const &target, UpdateStage &stage,
                       std::vector<layers::SlotVariable> &made)
{
    return FormulaUpdate(c, target, stage).build(optimizer, made);
}

} // namespace tilewright::training

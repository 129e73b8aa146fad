// The rule for sums of products over axes that letters name: a matrix product where axes are summed, else a product of elements.
#include "engine/interop/onnx_rules.h"

#include <algorithm>
#include <map>
#include <utility>

namespace tilewright::interop {

using model::Json;

namespace {

/// An operand with a letter for each axis.
struct Term {
    OnnxOperand x;
    std::string letters;
};

/// The letters of an equation by term, the result last. The axes of an ellipsis have digits, from the last axis on. None: no equation.
std::optional<std::vector<std::string>> lettersOf(std::string text, std::vector<std::size_t> const &ranks)
{
    std::erase(text, ' ');
    auto const arrow = text.find("->");
    std::vector<std::string> terms;
    auto const inputs = text.substr(0, arrow);
    for (std::size_t at = 0; at <= inputs.size();) {
        auto const end = std::min(inputs.find(',', at), inputs.size());
        terms.push_back(inputs.substr(at, end - at));
        at = end + 1;
    }
    if (terms.size() != ranks.size()) return {};
    std::size_t most = 0;
    auto const digits = [](std::size_t count) {
        std::string all;
        for (auto i = count; i-- > 0;) all += static_cast<char>('0' + i);
        return all;
    };
    auto const expand = [&](std::string &term, std::size_t count) {
        if (auto const dots = term.find("..."); dots != std::string::npos) term.replace(dots, 3, digits(count));
    };
    for (std::size_t i = 0; i < terms.size(); ++i) {
        auto const named = static_cast<std::size_t>(std::ranges::count_if(terms[i], [](char c) { return c != '.'; }));
        if (named > ranks[i] || ranks[i] - named > 9) return {};
        most = std::max(most, ranks[i] - named);
        expand(terms[i], ranks[i] - named);
        if (terms[i].size() != ranks[i]) return {};
    }
    std::string result;
    if (arrow != std::string::npos) {
        result = text.substr(arrow + 2);
        expand(result, most);
    } else { // those that stand once, in the order of the alphabet
        std::map<char, int> count;
        for (auto const &term : terms)
            for (char const c : term) ++count[c];
        for (auto const &[c, times] : count)
            if (times == 1 && !(c >= '0' && c <= '9')) result += c;
        result = digits(most) + result;
    }
    terms.push_back(std::move(result));
    return terms;
}

bool has(std::string const &letters, char c) { return letters.find(c) != std::string::npos; }

/// Without the axes that neither `kept` nor the letter's other place has.
Result<Term> reducedTerm(OnnxConversion &conversion, Term term, std::string const &kept)
{
    for (std::size_t first = 0; first < term.letters.size(); ++first) { // equal letters: the diagonal, as a sum over a mask
        auto const second = term.letters.find(term.letters[first], first + 1);
        if (second == std::string::npos) continue;
        auto const extents = term.x.extents();
        auto const n = extents[first];
        if (n != extents[second] || n > 4096) return onnxRefusal(Message::of("it takes the diagonal of %1", toText(extents)));
        Shape shape(extents.size(), 1);
        shape[first] = shape[second] = n;
        std::vector<float> mask(static_cast<std::size_t>(n * n), 0);
        for (std::int64_t i = 0; i < n; ++i) mask[static_cast<std::size_t>(i * (n + 1))] = 1;
        TW_ASSIGN(auto const masked, arithmetic(conversion, "Mul", term.x, constantOf(std::move(shape), std::move(mask))));
        TW_ASSIGN(term.x, reducedBy(conversion, "ReduceSum", masked, {second}, false));
        term.letters.erase(second, 1);
        --first;
    }
    std::vector<std::size_t> gone;
    std::string left;
    for (std::size_t axis = 0; axis < term.letters.size(); ++axis)
        if (has(kept, term.letters[axis])) left += term.letters[axis];
        else gone.push_back(axis);
    if (!gone.empty()) { TW_ASSIGN(term.x, reducedBy(conversion, "ReduceSum", term.x, gone, false)); }
    term.letters = left;
    return term;
}

/// The axes in the order of these letters; those that the term lacks have one element.
Term ordered(Term term, std::string const &letters)
{
    std::vector<int> axes;
    for (char const c : letters) {
        auto const at = term.letters.find(c);
        axes.push_back(at == std::string::npos ? -1 : term.x.axes[at]);
    }
    term.x.axes = std::move(axes);
    term.letters = letters;
    return term;
}

/// The axes of each group of letters joined to one; a group of one letter stays.
Result<OnnxOperand> joinedTerm(OnnxConversion &conversion, Term const &term, std::string const &batch, std::string const &first,
                               std::string const &second)
{
    auto const all = ordered(term, batch + first + second);
    auto const extents = all.x.extents();
    Shape shape(extents.begin(), extents.begin() + std::ssize(batch));
    auto const middle = extents.begin() + std::ssize(batch + first);
    shape.push_back(elementCount(Shape(extents.begin() + std::ssize(batch), middle)));
    shape.push_back(elementCount(Shape(middle, extents.end())));
    return conversion.reshaped(all.x, shape);
}

Result<Term> product(OnnxConversion &conversion, Term const &a, Term const &b, std::string const &out)
{
    std::string batch, summed, left, right;
    for (char const c : a.letters)
        if (!has(b.letters, c)) left += c;
        else if (has(out, c)) batch += c;
        else summed += c;
    for (char const c : b.letters)
        if (!has(a.letters, c)) right += c;
    if (summed.empty()) {
        TW_ASSIGN(auto result, arithmetic(conversion, "Mul", ordered(a, out).x, ordered(b, out).x));
        return Term{std::move(result), out};
    }
    TW_ASSIGN(auto const first, joinedTerm(conversion, a, batch, left, summed));
    TW_ASSIGN(auto const second, joinedTerm(conversion, b, batch, summed, right));
    TW_ASSIGN(auto result, matrixProduct(conversion, first, second));
    Shape shape;
    auto const letters = batch + left + right;
    for (char const c : letters) {
        auto const &from = has(a.letters, c) ? a : b;
        shape.push_back(from.x.extents()[from.letters.find(c)]);
    }
    TW_ASSIGN(result, conversion.reshaped(result, shape));
    return ordered({std::move(result), letters}, out);
}

Status einsum(OnnxConversion &conversion, OnnxNode const &node)
{
    std::vector<Term> terms;
    std::vector<std::size_t> ranks;
    for (std::size_t i = 0; i < node.inputs.size(); ++i) {
        terms.push_back({conversion.operand(node, i), {}});
        ranks.push_back(terms.back().x.rank());
    }
    auto const letters = lettersOf(node.text("equation", ""), ranks);
    if (!letters || terms.size() > 2) return onnxRefusal(Message::of("its equation is %1", node.text("equation", "")));
    for (std::size_t i = 0; i < terms.size(); ++i) {
        if (terms[i].x.constant) { TW_ASSIGN(terms[i].x, conversion.asComputed(terms[i].x)); }
        terms[i].letters = (*letters)[i];
        auto kept = letters->back();
        if (terms.size() == 2) kept += (*letters)[1 - i];
        TW_ASSIGN(terms[i], reducedTerm(conversion, terms[i], kept));
    }
    if (terms.size() == 1) return keep(conversion, node, ordered(terms[0], letters->back()).x);
    TW_ASSIGN(auto const result, product(conversion, terms[0], terms[1], letters->back()));
    return keep(conversion, node, result.x);
}

} // namespace

std::span<OnnxRule const> einsumRules()
{
    static std::vector<OnnxRule> const all{{"Einsum", einsum, true}};
    return all;
}

} // namespace tilewright::interop

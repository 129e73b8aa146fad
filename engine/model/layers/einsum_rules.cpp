#include "engine/model/layers/einsum_rules.h"

#include "engine/core/ascii.h"

#include <algorithm>

namespace tilewright::model {

namespace {

constexpr std::string_view kRest = "...";

struct Equation {
    std::string input, kernel, output;
    bool restFirst = false, restLast = false; ///< "..." before, or after, the letters of input and output
};

bool isLetters(std::string_view text)
{
    return !text.empty() && std::ranges::all_of(text, [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); });
}

/// Takes "..." off one end. Returns whether it was there.
bool takeRest(std::string_view &text, bool first)
{
    bool const there = first ? text.starts_with(kRest) : text.ends_with(kRest);
    if (there) first ? text.remove_prefix(kRest.size()) : text.remove_suffix(kRest.size());
    return there;
}

std::optional<Equation> parseEquation(std::string text)
{
    std::erase(text, ' ');
    auto const comma = text.find(','), arrow = text.find("->");
    if (comma == std::string::npos || arrow == std::string::npos || arrow < comma) return std::nullopt;
    std::string_view input = std::string_view(text).substr(0, comma), output = std::string_view(text).substr(arrow + 2);
    Equation equation;
    equation.kernel = text.substr(comma + 1, arrow - comma - 1);
    equation.restFirst = takeRest(input, true);
    if (takeRest(output, true) != equation.restFirst) return std::nullopt;
    equation.restLast = !equation.restFirst && takeRest(input, false);
    if (!equation.restFirst && takeRest(output, false) != equation.restLast) return std::nullopt;
    equation.input = input;
    equation.output = output;
    if (!isLetters(equation.input) || !isLetters(equation.kernel) || !isLetters(equation.output)) return std::nullopt;
    return equation;
}

Diagnostic badEquation(Layer const &layer, Message message)
{
    return layerError(layer, "model.bad-argument", std::move(message),
                      Message::of("give for example %1 or %2", std::string("ab,bc->ac"), std::string("...x,xy->...y")));
}

char repeatedLetter(std::string const &letters)
{
    for (std::size_t i = 0; i < letters.size(); ++i)
        if (letters.find(letters[i], i + 1) != std::string::npos) return letters[i];
    return 0;
}

Status checkLetters(Layer const &layer, Equation const &e)
{
    for (auto const *letters : {&e.input, &e.kernel, &e.output})
        if (char const twice = repeatedLetter(*letters))
            return badEquation(
                layer, Message::of("letter '%1' stands twice in '%2': a diagonal is not supported", std::string(1, twice), *letters));
    for (char const letter : e.output)
        if (e.input.find(letter) == std::string::npos && e.kernel.find(letter) == std::string::npos)
            return badEquation(layer, Message::of("letter '%1' of the result is in no operand", std::string(1, letter)));
    for (char const letter : e.kernel)
        if (e.input.find(letter) == std::string::npos && e.output.find(letter) == std::string::npos)
            return badEquation(layer,
                               Message::of("letter '%1' of the kernel is neither in the input nor in the result", std::string(1, letter)));
    if (!e.restFirst && (e.input[0] != e.output[0] || e.kernel.find(e.input[0]) != std::string::npos))
        return badEquation(layer, Message::of("the first letter must be the batch, of input and result and not of the kernel"));
    for (char const letter : layer.text("bias_axes"))
        if (e.output.find(letter) == std::string::npos)
            return badEquation(layer, Message::of("letter '%1' of bias_axes is not in the result", std::string(1, letter)));
    return {};
}

/// output_shape without the batch; -1: as the input has it.
Shape wantedExtents(Layer const &layer)
{
    Shape wanted;
    for (auto const &extent : layer.config["output_shape"]) wanted.push_back(extent.is_null() ? -1 : extent.get<std::int64_t>());
    return wanted;
}

/// Symbols of the axes that "..." stands for: none that a letter is.
std::string restSymbols(std::size_t count)
{
    std::string symbols;
    for (std::size_t i = 0; i < count; ++i) symbols += static_cast<char>('0' + i % 10 + (i / 10) * 100);
    return symbols;
}

} // namespace

Result<EinsumForm> einsumForm(Layer const &layer, Shape const &input)
{
    auto const parsed = parseEquation(layer.text("equation"));
    if (!parsed) return badEquation(layer, Message::of("equation '%1' is not of the form input,kernel->result", layer.text("equation")));
    auto const &e = *parsed;
    TW_TRY(checkLetters(layer, e));
    bool const rest = e.restFirst || e.restLast;
    if (rest ? input.size() < e.input.size() + e.restFirst : input.size() != e.input.size())
        return layerError(
            layer, "model.shape",
            Message::of("input %1 has %2 axes, but '%3' names %4", toText(input), input.size(), layer.text("equation"), e.input.size()),
            Message::of("write a letter for each axis, or ... for the others"));
    auto const elided = input.size() - e.input.size();
    if (elided > 20) return layerError(layer, "model.shape", Message::of("the input has %1 axes", input.size()), Message::of("use fewer"));
    auto const symbols = restSymbols(elided);
    EinsumForm form;
    form.input = e.restFirst ? symbols + e.input : e.input + symbols;
    form.output = e.restFirst ? symbols + e.output : e.output + symbols;
    form.kernel = e.kernel;
    auto const wanted = wantedExtents(layer);
    auto const given = form.output.size() - 1 - (rest ? elided - e.restFirst : 0); // without the batch, and without the rest
    if (wanted.size() != given)
        return layerError(layer, "model.bad-argument",
                          Message::of("output_shape has %1 extents, but the result has %2 axes of its own", wanted.size(), given),
                          Message::of("leave out the batch and what ... stands for"));
    auto const inInput = [&](char symbol) { return form.input.find(symbol); };
    auto const firstWanted = e.restFirst ? elided : std::size_t{1};
    for (std::size_t i = 0; i < form.output.size(); ++i) {
        bool const own = i >= firstWanted && i - firstWanted < wanted.size();
        auto const asked = own ? wanted[i - firstWanted] : -1;
        auto const at = inInput(form.output[i]);
        auto const extent = at != std::string::npos ? input[at] : asked;
        std::string const letter(1, form.output[i]);
        if (i > 0 && extent < 1)
            return layerError(layer, "model.bad-argument", Message::of("output_shape does not say the extent of '%1'", letter),
                              Message::of("only axes of the input may be null"));
        if (asked > 0 && asked != extent)
            return layerError(layer, "model.shape",
                              Message::of("'%1' is %2 in the input %3, but %4 in output_shape", letter, extent, toText(input), asked),
                              Message::of("give both the same extent"));
        form.outputShape.push_back(extent);
    }
    auto const extentOf = [&](char symbol) {
        auto const at = inInput(symbol);
        return at != std::string::npos ? input[at] : form.outputShape[form.output.find(symbol)];
    };
    for (char const letter : form.kernel) form.kernelShape.push_back(extentOf(letter));
    auto const biased = layer.text("bias_axes");
    if (biased.empty()) return form;
    auto first = form.output.size();
    for (char const letter : biased) first = std::min(first, form.output.find(letter));
    for (auto i = first; i < form.output.size(); ++i)
        form.biasShape.push_back(biased.find(form.output[i]) != std::string::npos ? form.outputShape[i] : 1);
    if (first == 0) return badEquation(layer, Message::of("the batch cannot be an axis of the bias"));
    return form;
}

} // namespace tilewright::model

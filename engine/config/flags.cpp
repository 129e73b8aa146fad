#include "engine/config/flags.h"

#include "engine/config/option_value.h"
#include "engine/core/numbers.h"
#include "engine/core/text.h"

#include <algorithm>
#include <cmath>

namespace tilewright::config {

namespace {

constexpr std::string_view kVariable = "TF_POPLAR_FLAGS";

/// Items of releases before the one the table follows.
constexpr std::string_view kRemoved[] = {"dump_text_reports_to_stdio", "add_all_reduce_copies", "force_replicated_mode",
                                         "save_oom_profiler", "save_interval_report"};

bool isSpace(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

std::string shown(std::string_view text)
{
    std::string result(text.substr(0, 100));
    for (char &c : result)
        if (c < 0x20 || c > 0x7e) c = '?';
    return result;
}

Result<std::vector<std::string>> splitItems(std::string_view text)
{
    std::vector<std::string> items;
    std::size_t i = 0;
    while (i < text.size()) {
        if (isSpace(text[i])) {
            ++i;
            continue;
        }
        std::string item;
        while (i < text.size() && !isSpace(text[i])) {
            char const quote = text[i];
            if (quote != '\'' && quote != '"') {
                item += text[i++];
                continue;
            }
            auto const start = i++;
            while (i < text.size() && text[i] != quote) {
                if (quote == '"' && text[i] == '\\' && i + 1 < text.size()) ++i;
                item += text[i++];
            }
            if (i == text.size())
                return makeError(ErrorKind::Invalid, "config.flag-syntax", std::string(kVariable),
                                 Message::of("the quote at character %1 is not closed", start + 1), Message::of("Close it, or remove it."));
            ++i;
        }
        items.push_back(std::move(item));
    }
    return items;
}

std::string quotedItem(std::string const &text)
{
    bool const plain = std::none_of(text.begin(), text.end(), [](char c) { return isSpace(c) || c == '"' || c == '\'' || c == '\\'; });
    if (plain) return text;
    std::string result = "\"";
    for (char const c : text) {
        if (c == '"' || c == '\\') result += '\\';
        result += c;
    }
    return result + "\"";
}

/// As the original: a bool flag may also be given as 1 or 0.
std::string_view boolWord(OptionInfo const &option, std::string_view text)
{
    if (option.type != OptionType::Bool) return text;
    if (text == "1") return "true";
    if (text == "0") return "false";
    return text;
}

} // namespace

Result<PoplarFlags> PoplarFlags::parse(std::string_view text, DiagnosticSink *sink)
{
    PoplarFlags flags;
    DiagnosticSink warnings;
    TW_ASSIGN(auto const items, splitItems(text));
    for (auto const &item : items) {
        if (!item.starts_with("--"))
            return makeError(ErrorKind::Invalid, "config.flag-syntax", std::string(kVariable),
                             Message::of("\"%1\" does not start with --", shown(item)), Message::of("Write --name or --name=value."));
        auto const equals = item.find('=');
        std::string const name = item.substr(2, equals == std::string::npos ? equals : equals - 2);
        if (std::find(std::begin(kRemoved), std::end(kRemoved), name) != std::end(kRemoved))
            return makeError(ErrorKind::Invalid, "config.unknown-option", placeOf(OptionCategory::Flag, name),
                             Message::of("this flag was removed"), Message::of("Leave it out."));
        auto const *option = findOption(poplarFlags(), name);
        if (!option) return unknownOption(OptionCategory::Flag, name);
        if (equals == std::string::npos) {
            if (option->type != OptionType::Bool)
                return makeError(ErrorKind::Invalid, "config.flag-syntax", placeOf(*option), Message::of("the value is missing"),
                                 Message::of("Write --%1=VALUE; it must be %2.", name, expectedText(*option)));
            TW_TRY(flags.set(name, true, &warnings));
        } else {
            TW_TRY(flags.setFromText(name, boolWord(*option, std::string_view(item).substr(equals + 1)), &warnings));
        }
    }
    auto const synthetic = syntheticData(flags);
    if (!synthetic.ok()) return synthetic.error();
    auto const categories = flags.text("synthetic_data_categories");
    for (std::string_view const idle : {"seed", "hostembedding"})
        if (categories.find(idle) != std::string::npos)
            warnings.add(makeWarning("config.no-effect-yet", placeOf(OptionCategory::Flag, "synthetic_data_categories"),
                                     Message::of("the category %1 has no effect yet: no stream carries it", std::string(idle))));
    if (sink)
        for (auto const &warning : warnings.all()) sink->add(warning);
    return flags;
}

std::string PoplarFlags::itemsText() const
{
    std::vector<std::string> parts;
    for (auto const &option : poplarFlags())
        if (auto const found = values().find(option.path); found != values().end())
            parts.push_back("--" + option.path + "=" + quotedItem(toText(found->second)));
    return joinText(parts, " ");
}

std::string flagsHelp()
{
    std::string text = "TF_POPLAR_FLAGS holds items of these, separated by spaces:\n";
    for (auto const &option : poplarFlags()) {
        text += "  --" + option.path;
        if (option.type != OptionType::Bool) text += "=" + std::string(toText(option.type));
        text += " (default " + quotedText(option.defaultValue);
        if (!option.unit.empty()) text += ", " + option.unit;
        text += ")\n      " + fullHelp(option) + "\n";
    }
    return text;
}

Result<SyntheticData> syntheticData(PoplarFlags const &flags)
{
    SyntheticData data;
    static std::vector<std::string> const kCategories{"infeed", "outfeed", "seed", "hostembedding", "parameters"};
    bool *const switches[] = {&data.infeed, &data.outfeed, &data.seed, &data.hostEmbedding, &data.parameters};
    bool named = false;
    for (auto const &part : splitText(flags.text("synthetic_data_categories"), ',')) {
        std::string word = part;
        word.erase(std::remove_if(word.begin(), word.end(), isSpace), word.end());
        if (word.empty()) continue;
        auto const found = std::find(kCategories.begin(), kCategories.end(), word);
        if (found == kCategories.end()) {
            auto const near = word.size() > 100 ? std::string() : nearestName(word, kCategories);
            return makeError(ErrorKind::Invalid, "config.not-allowed", placeOf(OptionCategory::Flag, "synthetic_data_categories"),
                             Message::of("\"%1\" is not a category of data", shown(word)),
                             near.empty() ? Message::of("Categories are %1.", joinText(kCategories, ", "))
                                          : Message::of("Did you mean %1? Categories are %2.", near, joinText(kCategories, ", ")));
        }
        *switches[found - kCategories.begin()] = true;
        named = true;
    }
    if (!named && flags.boolean("use_synthetic_data"))
        for (bool *const one : switches) *one = true;

    auto const &initializer = flags.text("synthetic_data_initializer");
    if (initializer.empty()) return data;
    auto const place = placeOf(OptionCategory::Flag, "synthetic_data_initializer");
    if (!data.any())
        return makeError(ErrorKind::Invalid, "config.conflict", place, Message::of("no data is synthetic"),
                         Message::of("Add --use_synthetic_data or --synthetic_data_categories, or leave it out."));
    if (initializer == "uniform" || initializer == "random") {
        data.fill = SyntheticData::Fill::Uniform;
    } else if (initializer == "normal") {
        data.fill = SyntheticData::Fill::Normal;
    } else {
        auto const constant = parseReal(initializer);
        if (!constant)
            return makeError(ErrorKind::Invalid, "config.not-allowed", place,
                             Message::of("tensors cannot be filled with \"%1\"", shown(initializer)),
                             Message::of("It must be uniform, normal or a number."));
        data.constant = *constant;
        data.fill = SyntheticData::Fill::Constant;
    }
    return data;
}

} // namespace tilewright::config

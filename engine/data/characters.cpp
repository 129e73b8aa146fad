#include "engine/data/characters.h"

#include "engine/core/text.h"
#include "engine/data/formats.h"
#include "engine/data/source.h"

#include <algorithm>
#include <optional>
#include <set>

namespace tilewright::data {

namespace {

namespace fs = std::filesystem;

/// The character at `at` of UTF-8, with its bytes; none: it is damaged.
std::optional<std::string_view> characterAt(std::string_view text, std::size_t at)
{
    auto const lead = static_cast<unsigned char>(text[at]);
    std::size_t const size = lead < 0x80 ? 1
        : lead >= 0xc2 && lead < 0xe0    ? 2
        : lead >= 0xe0 && lead < 0xf0    ? 3
        : lead >= 0xf0 && lead < 0xf5    ? 4
                                         : 0;
    if (size == 0 || at + size > text.size()) return std::nullopt;
    for (std::size_t i = 1; i < size; ++i)
        if ((static_cast<unsigned char>(text[at + i]) & 0xc0) != 0x80) return std::nullopt;
    return text.substr(at, size);
}

} // namespace

Result<std::vector<std::string_view>> charactersOf(Source const &source)
{
    std::string_view const text(reinterpret_cast<char const *>(source.bytes.get()), source.size);
    std::vector<std::string_view> characters;
    for (std::size_t at = 0; at < text.size();) {
        auto const character = characterAt(text, at);
        if (!character)
            return dataError("data.text.utf8", source.at(static_cast<std::int64_t>(at)), Message::of("the text is not UTF-8 here"),
                             Message::of("Convert the file to UTF-8."));
        if (*character != "\r") characters.push_back(*character);
        at += character->size();
    }
    return characters;
}

Status cutCharacters(std::vector<std::string_view> const &characters, std::vector<std::string> const &vocabulary, std::int64_t window,
                     std::int64_t stride, std::string const &name, DataArray &x, DataArray &y)
{
    auto const length = static_cast<std::int64_t>(characters.size());
    if (length < window + 1)
        return dataError("data.window.short", name,
                         Message::of("the text has %1 characters, but a sample of %2 needs %3", length, window, window + 1),
                         Message::of("Use a smaller data.window or a longer text."));
    auto const count = (length - window - 1) / stride + 1;
    TW_TRY(checkElements({count, window}, name));
    std::vector<std::int32_t> numbers;
    numbers.reserve(characters.size());
    for (auto const character : characters) {
        auto const found = std::ranges::lower_bound(vocabulary, character, {}, [](auto const &c) { return std::string_view(c); });
        if (found == vocabulary.end() || *found != character)
            return dataError("data.text.character", name,
                             Message::of("the character '%1' is not in the training text", std::string(character)),
                             Message::of("Take it out, or train on a text that has it."));
        numbers.push_back(static_cast<std::int32_t>(found - vocabulary.begin()));
    }
    std::vector<std::int32_t> samples, labels;
    for (std::int64_t i = 0; i < count; ++i) {
        auto const from = numbers.begin() + i * stride;
        samples.insert(samples.end(), from, from + window);
        labels.insert(labels.end(), from + 1, from + window + 1);
    }
    x = makeArray(Shape{count, window}, std::move(samples));
    y = makeArray(Shape{count, window}, std::move(labels));
    x.origin.file = y.origin.file = name;
    return {};
}

std::vector<std::string> vocabularyOf(std::vector<std::string_view> const &characters)
{
    std::set<std::string_view> const distinct(characters.begin(), characters.end());
    return {distinct.begin(), distinct.end()};
}

namespace {

Result<Dataset> openCharacters(DataSourceSpec const &spec, fs::path const &path, JobContext const &)
{
    if (spec.window < 1)
        return makeError(ErrorKind::Invalid, "data.field", "data.window", Message::of("a text needs the number of characters in a sample."),
                         Message::of("Set data.window, for example to 64."));
    auto const stride = spec.stride > 0 ? spec.stride : spec.window;
    TW_ASSIGN(auto const source, openSource(path));
    TW_ASSIGN(auto const characters, charactersOf(source));
    Dataset dataset;
    dataset.classNames = vocabularyOf(characters);
    TW_TRY(cutCharacters(characters, dataset.classNames, spec.window, stride, source.name, dataset.x, dataset.y));
    if (!spec.testX.empty()) {
        TW_ASSIGN(auto const test, openSource(path.parent_path() / spec.testX));
        TW_ASSIGN(auto const testCharacters, charactersOf(test));
        TW_TRY(cutCharacters(testCharacters, dataset.classNames, spec.window, stride, test.name, dataset.testX, dataset.testY));
    }
    dataset.name = path.stem().string();
    dataset.describe = Message::of("Text %1: %2 samples of %3 characters, of %4 different ones.", path.filename().string(),
                                   dataset.x.count(), spec.window, dataset.classNames.size());
    return dataset;
}

} // namespace

DataFormat charactersFormat()
{
    return {"characters", "A text, for models of characters: samples of data.window characters, each with its next ones as labels.",
            [](fs::path const &) { return false; }, openCharacters};
}

} // namespace tilewright::data

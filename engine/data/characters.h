#pragma once

#include "engine/core/result.h"
#include "engine/data/dataset.h"
#include "engine/data/source.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tilewright::data {

/// The characters of a UTF-8 text, without carriage returns; views into the source. Error Data "data.text.utf8".
Result<std::vector<std::string_view>> charactersOf(Source const &source);
/// The different characters in the order of their code points: number 0, 1, …
std::vector<std::string> vocabularyOf(std::vector<std::string_view> const &characters);
/// Samples int32 [count, window] of character numbers, with the numbers of the next characters as labels. Errors (Data):
/// "data.window.short", "data.text.character" (not in the vocabulary), "data.limit".
Status cutCharacters(std::vector<std::string_view> const &characters, std::vector<std::string> const &vocabulary, std::int64_t window,
                     std::int64_t stride, std::string const &name, DataArray &x, DataArray &y);

} // namespace tilewright::data

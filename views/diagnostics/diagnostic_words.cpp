#include "views/diagnostics/diagnostic_words.h"

#include <algorithm>

namespace tilewright::views {

std::vector<CodeWords const *> const &diagnosticWords()
{
    static std::vector<CodeWords const *> const all = [] {
        std::vector<CodeWords const *> words;
        for (auto const *part : {&modelWords(), &configWords(), &dataWords(), &runWords(), &windowWords()})
            for (auto const &entry : *part) words.push_back(&entry);
        return words;
    }();
    return all;
}

CodeWords const *wordsOf(std::string_view code)
{
    auto const &all = diagnosticWords();
    auto const it = std::ranges::find_if(all, [&](auto const *entry) { return code == entry->code; });
    return it == all.end() ? nullptr : *it;
}

} // namespace tilewright::views

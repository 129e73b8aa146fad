#pragma once

#include <string_view>
#include <vector>

// The dictionary of diagnostics: what the engine and the window say in English, by code. Messages are plain sentences with
// their values put in; here they stand with %1, %2 … in the places of the values, as sources of translations (context
// "diagnostics"). tst_diagnostic_text compares them with the sources.
namespace tilewright::views {

struct CodeWords {
    char const *code;                ///< "model.no-layer"; "*": phrases and remedies of many codes
    char const *title;               ///< what is wrong in general: said before a message that the dictionary does not hold
    std::vector<char const *> texts; ///< messages and remedies
};

std::vector<CodeWords> const &modelWords();
std::vector<CodeWords> const &configWords();
std::vector<CodeWords> const &dataWords();
std::vector<CodeWords> const &runWords();
std::vector<CodeWords> const &windowWords();

/// All of them: every entry, each code once.
std::vector<CodeWords const *> const &diagnosticWords();
/// Null: the code is unknown.
CodeWords const *wordsOf(std::string_view code);

} // namespace tilewright::views

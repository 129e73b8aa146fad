#pragma once

#include "engine/program/program.h"

#include <optional>
#include <string_view>

/// Shared by the printer of programs and their parser.
namespace tilewright::program {

/// Characters of words besides letters and digits.
inline constexpr std::string_view kWordMarks = "_./:-";
/// Maximum nesting of steps: far above any lowering, far below the stack's limit.
inline constexpr int kMaxDepth = 256;

/// Mark before a field's variable, by Access.
inline constexpr std::string_view kAccessMarks[] = {"<", ">", "<>", "%"};

/// Whether a name can be written without quotes: a word that begins with a letter and is not a keyword.
bool isPlainName(std::string_view name);

/// The step kind of that name.
std::optional<StepKind> parseStepKind(std::string_view name);

/// Number of blocks of any layout; meaningless for layouts that verify() rejects.
std::int64_t blocksInText(Layout const &layout);

} // namespace tilewright::program

#pragma once

#include "engine/program/program.h"

#include <optional>
#include <string_view>

/// What the printer of programs and its parser have in common.
namespace tilewright::program {

/// Characters of words beside letters and digits.
inline constexpr std::string_view kWordMarks = "_./:-";
/// Steps in steps: far more than a lowering makes, far less than a stack holds.
inline constexpr int kMaxDepth = 256;

/// Before a field's variable, by Access.
inline constexpr std::string_view kAccessMarks[] = {"<", ">", "<>", "%"};

/// Whether a name reads as one without quotes: a word that begins with a letter and has no meaning of its own.
bool isPlainName(std::string_view name);

/// The step kind of that name.
std::optional<StepKind> parseStepKind(std::string_view name);

/// Number of blocks, of any layout: of one that verify() refuses it means nothing.
std::int64_t blocksInText(Layout const &layout);

} // namespace tilewright::program

#pragma once

#include "tests/faults/fault_record.h"

#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace tilewright::faults {

/// End and output of a run of the program.
struct Ran {
    int code = -1; ///< -1: a signal or a hang
    int signal = 0;
    bool hung = false;
    std::string out, err;
};

/// The fault to inject; none by default.
struct Fault {
    Kind kind = Kind::Write;
    Manner manner = Manner::None;
    std::uint64_t at = 0;
    int number = 0;
    bool stacks = false; ///< collect those of allocations
};

/// Notes of the library during a run.
struct Noted {
    std::uint64_t calls[kKinds] = {};
    std::uint64_t fired = 0, firedStack = 0, lostStacks = 0;
    std::vector<std::uint64_t> frames; ///< of the program, innermost first
    std::string call;
    std::vector<std::uint64_t> firsts; ///< number of the first call of every distinct stack
};

/// A folder in which the program runs with its cache, registry, state, home and temporary files inside.
class Box {
public:
    Box(std::filesystem::path root, std::filesystem::path program, std::filesystem::path library);

    /// Work folder: the program's current one.
    std::filesystem::path work() const { return m_root / "work"; }
    std::filesystem::path const &root() const { return m_root; }
    /// Empties it, or makes it a copy of another one.
    void clear() const;
    void copyFrom(Box const &other) const;

    /// Without faults.
    Ran run(std::vector<std::string> const &arguments) const;
    Ran run(std::vector<std::string> const &arguments, Fault const &fault, Noted &noted) const;

    /// All files, relative to the root; digits read as '#', so that process numbers and hashes are alike.
    std::set<std::string> files() const;

private:
    Ran start(std::vector<std::string> const &arguments, std::vector<std::string> const &more) const;

    std::filesystem::path m_root, m_program, m_library;
};

std::optional<std::string> contentOf(std::filesystem::path const &file);
/// Digits and letters of hexadecimal numbers as '#'.
std::string withoutNumbers(std::string text);

} // namespace tilewright::faults

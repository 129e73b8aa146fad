#include "tests/faults/cases.h"

namespace tilewright::faults {

namespace {

/// Behaviour of libraries that the program can neither prevent nor catch. A short list: each line was reviewed.
struct Known {
    Kind kind;
    char const *function; ///< part of a name on the way to the call
    char const *reason;
};
constexpr Known kKnown[] = {
    {Kind::Allocation, "nlohmann::json_abi_v3_11_2::basic_json<",
     "the JSON library's destructor takes memory to flatten nested values, and may not throw"},
    {Kind::Allocation, "(anonymous namespace)::filesIn(",
     "the standard library's directory iterator takes memory in a function that may not throw"},
    {Kind::Allocation, "tilewright::kernels::gemm(", "oneDNN writes its code into memory without looking whether it got it"},
    {Kind::Map, "tilewright::kernels::gemm(", "oneDNN calls the code it wanted to write into a mapping that it did not get"},
};

} // namespace

char const *knownReason(Fault const &fault, Ran const &ran, std::string const &stack)
{
    // Only for how it ended: a project that does not open is never excused.
    if (ran.signal == 0) return nullptr;
    for (auto const &known : kKnown)
        if (known.kind == fault.kind && stack.find(known.function) != std::string::npos) return known.reason;
    return nullptr;
}

} // namespace tilewright::faults

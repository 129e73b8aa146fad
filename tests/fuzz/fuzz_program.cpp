#include "engine/program/program.h"

#include <cstddef>
#include <cstdint>

/// Entry of libFuzzer; tests/fuzz replays the corpus through it.
extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const *bytes, std::size_t size)
{
    using namespace tilewright;
    auto const parsed = program::parse({reinterpret_cast<char const *>(bytes), size});
    if (parsed.ok()) TW_CHECK(program::parse(program::print(*parsed)).ok(), "what is printed reads back");
    return 0;
}

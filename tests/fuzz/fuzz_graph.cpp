#include "engine/ops/op_def.h"

#include <cstddef>
#include <cstdint>

/// Entry of libFuzzer; tests/fuzz replays the corpus through it.
extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const *bytes, std::size_t size)
{
    using namespace tilewright;
    auto const parsed = graph::parse({reinterpret_cast<char const *>(bytes), size});
    if (!parsed.ok()) return 0;
    (void)graph::print(graph::compact(*parsed));
    (void)graph::verify(*parsed, ops::opLookup());
    return 0;
}

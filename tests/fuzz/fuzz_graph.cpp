#include "engine/graph/graph.h"

#include <cstddef>
#include <cstdint>

/// Entry of libFuzzer; tests/fuzz replays the corpus through it.
extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const *bytes, std::size_t size)
{
    using namespace tilewright;
    auto const parsed = graph::parse({reinterpret_cast<char const *>(bytes), size});
    if (parsed.ok()) (void)graph::print(graph::compact(*parsed));
    return 0;
}

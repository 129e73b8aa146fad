#include "engine/executable/executable.h"

#include <cstddef>
#include <cstdint>

/// Entry of libFuzzer; tests/fuzz replays the corpus through it.
extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const *bytes, std::size_t size)
{
    using namespace tilewright;
    (void)executable::deserialize({reinterpret_cast<std::byte const *>(bytes), size});
    return 0;
}

#include "engine/data/image.h"

#include <cstddef>
#include <cstdint>

/// Entry of libFuzzer; tests/fuzz replays the corpus through it.
extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const *bytes, std::size_t size)
{
    using namespace tilewright;
    auto const source = data::sourceFromMemory("fuzz", {reinterpret_cast<std::byte const *>(bytes), size});
    (void)data::readImageSize(source);
    (void)data::decodeImage(source, 3);
    return 0;
}

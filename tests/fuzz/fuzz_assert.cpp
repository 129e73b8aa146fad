#include "engine/store/report_values.h"

#include <cstddef>
#include <cstdint>

/// Entry of libFuzzer; tests/fuzz replays the corpus through it.
extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const *bytes, std::size_t size)
{
    using namespace tilewright;
    static std::map<std::string, double> const values{{"max_tile_bytes", 600000}, {"headroom", 0}, {"utilisation", 0.5}};
    (void)store::evaluateAssert({reinterpret_cast<char const *>(bytes), size}, values);
    return 0;
}

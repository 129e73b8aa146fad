#include "engine/report/packed.h"

#include <cstddef>
#include <cstdint>

/// Entry of libFuzzer; tests/fuzz replays the corpus through it.
extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const *bytes, std::size_t size)
{
    using namespace tilewright;
    auto const reader = report::PackedReader::open({reinterpret_cast<char const *>(bytes), size});
    if (!reader.ok()) return 0;
    for (std::size_t column = 0; column < reader->columns(); ++column) {
        TW_CHECK(reader->integers(column).size() == reader->items(), "a column of another length");
        (void)reader->reals(column);
    }
    return 0;
}

#include "engine/model/keras_json.h"
#include "engine/model/resolve.h"

#include <cstddef>
#include <cstdint>

/// Entry of libFuzzer; tests/fuzz replays the corpus through it.
extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const *bytes, std::size_t size)
{
    using namespace tilewright;
    auto const model = model::parseKerasJson({reinterpret_cast<char const *>(bytes), size});
    if (!model.ok()) return 0;
    (void)model::modelProblems(*model);
    (void)model::resolve(*model);
    TW_CHECK(model::parseKerasJson(model::printKerasJson(*model)).ok(), "a model cannot be read again");
    return 0;
}

#include "engine/config/environment.h"

#include <cstddef>
#include <cstdint>

/// Entry of libFuzzer; tests/fuzz replays the corpus through it.
extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const *bytes, std::size_t size)
{
    using namespace tilewright;
    std::string_view const text(reinterpret_cast<char const *>(bytes), size);
    DiagnosticSink sink;
    config::IpuConfig config;
    (void)config.fromJsonText(text, &sink);
    for (auto const category : {config::OptionCategory::Engine, config::OptionCategory::Target, config::OptionCategory::Runtime})
        (void)config::EngineOptions::parse(category, text, &sink);
    (void)config::PoplarFlags::parse(text, &sink);
    return 0;
}

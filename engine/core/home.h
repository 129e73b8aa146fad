#pragma once

#include <cstdint>
#include <string_view>

namespace tilewright {

/// Where a variable lives between its uses. Tiles: in the memory of the tiles. Streaming: in a remote buffer of the streaming memory beside
/// the IPUs; a step copies it to the tiles before a use and back after a change. Shards: the same, but each replica has only its part.
enum class Home : std::uint8_t { Tiles, Streaming, Shards };

/// The word of the text forms: "tiles", "streaming", "shards".
constexpr std::string_view toText(Home home)
{
    switch (home) {
    case Home::Tiles: break;
    case Home::Streaming: return "streaming";
    case Home::Shards: return "shards";
    }
    return "tiles";
}

} // namespace tilewright

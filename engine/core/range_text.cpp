#include "engine/core/range_text.h"

#include "engine/core/text.h"

namespace tilewright {

Message integerText(std::optional<double> least, std::optional<double> most)
{
    if (least && most) return Message::of("an integer from %1 to %2", numberText(*least), numberText(*most));
    if (least) return Message::of("an integer of at least %1", numberText(*least));
    if (most) return Message::of("an integer of at most %1", numberText(*most));
    return Message::of("an integer");
}

Message realText(std::optional<double> least, std::optional<double> most)
{
    if (least && most) return Message::of("a number from %1 to %2", numberText(*least), numberText(*most));
    if (least) return Message::of("a number of at least %1", numberText(*least));
    if (most) return Message::of("a number of at most %1", numberText(*most));
    return Message::of("a number");
}

} // namespace tilewright

#include "engine/store/row_json.h"

namespace tilewright::store {

std::string validText(std::string const &text)
{
    std::string out;
    out.reserve(text.size());
    for (std::size_t i = 0; i < text.size();) {
        auto const lead = static_cast<unsigned char>(text[i]);
        std::size_t const length = lead < 0x80 ? 1
            : lead >= 0xC2 && lead < 0xE0      ? 2
            : lead >= 0xE0 && lead < 0xF0      ? 3
            : lead >= 0xF0 && lead < 0xF5      ? 4
                                               : 0;
        bool right = length > 0 && i + length <= text.size();
        for (std::size_t k = 1; right && k < length; ++k) {
            auto const byte = static_cast<unsigned char>(text[i + k]);
            right = byte >= 0x80 && byte < 0xC0;
            // No overlong forms, surrogates, or code points past U+10FFFF.
            if (k == 1
                && ((lead == 0xE0 && byte < 0xA0) || (lead == 0xED && byte >= 0xA0) || (lead == 0xF0 && byte < 0x90)
                    || (lead == 0xF4 && byte >= 0x90)))
                right = false;
        }
        if (right) {
            out.append(text, i, length);
            i += length;
        } else {
            out += "\xEF\xBF\xBD";
            ++i;
        }
    }
    return out;
}

} // namespace tilewright::store

#include "engine/core/message.h"

#include "engine/core/text.h"

namespace tilewright {

namespace {

std::string inPlaces(std::string const &pattern, std::vector<Argument> const &arguments)
{
    std::string text;
    if (pattern.empty()) {
        for (auto const &part : arguments) text += part.text();
        return text;
    }
    for (std::size_t i = 0; i < pattern.size(); ++i) {
        bool const isPlace = pattern[i] == '%' && i + 1 < pattern.size() && pattern[i + 1] >= '1' && pattern[i + 1] <= '9';
        if (!isPlace) {
            text += pattern[i];
            continue;
        }
        auto const place = static_cast<std::size_t>(pattern[++i] - '1');
        if (place < arguments.size()) text += arguments[place].text();
    }
    return text;
}

} // namespace

Argument::Argument(double value) : m_kind(Kind::Figure), m_text(numberText(value)) {}

Argument::Argument(Kind kind, std::int64_t value) : m_kind(kind), m_whole(value), m_text(groupedDigits(value)) {}

Argument::Argument(tilewright::Message message)
    : m_kind(Kind::Message), m_text(message.text()), m_message(std::make_shared<tilewright::Message const>(std::move(message)))
{
}

Argument Argument::figure(std::string english)
{
    Argument argument(std::move(english));
    argument.m_kind = Kind::Figure;
    return argument;
}

Message::Message(std::string pattern, std::vector<Argument> arguments)
    : m_text(inPlaces(pattern, arguments)), m_pattern(std::move(pattern)), m_arguments(std::move(arguments))
{
}

Message Message::joined(std::vector<Message> const &parts, std::string_view separator)
{
    Message all;
    for (auto const &part : parts) {
        if (!all.empty()) all += Message(std::string(separator));
        all += part;
    }
    return all;
}

Message &Message::operator+=(Message const &more)
{
    if (more.empty()) return *this;
    if (empty()) return *this = more;
    std::vector<Argument> parts;
    for (Message const *each : {static_cast<Message const *>(this), &more}) {
        bool const isList = each->m_pattern.empty() && !each->m_arguments.empty();
        if (isList) parts.insert(parts.end(), each->m_arguments.begin(), each->m_arguments.end());
        else if (each->m_pattern.empty()) parts.emplace_back(each->m_text);
        else parts.emplace_back(*each);
    }
    return *this = Message(std::string(), std::move(parts));
}

} // namespace tilewright

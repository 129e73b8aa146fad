#include "engine/core/message_json.h"

#include <nlohmann/json.hpp>

namespace tilewright {

using Json = nlohmann::ordered_json;

namespace {

constexpr int kMostNested = 8;
constexpr std::size_t kMostArguments = 9;

Json argumentToJson(Argument const &argument)
{
    switch (argument.kind()) {
    case Argument::Kind::Text: return {{"text", argument.text()}};
    case Argument::Kind::Whole: return {{"whole", argument.whole()}};
    case Argument::Kind::Figure: return {{"figure", argument.text()}};
    case Argument::Kind::Message: return {{"message", messageToJson(argument.message())}};
    }
    return {};
}

std::optional<Message> messageOf(Json const &json, int depth);

std::optional<Argument> argumentOf(Json const &json, int depth)
{
    if (!json.is_object() || json.size() != 1) return std::nullopt;
    auto const only = json.begin();
    auto const &kind = only.key();
    auto const &value = only.value();
    if (kind == "text" && value.is_string()) return Argument(value.get<std::string>());
    if (kind == "figure" && value.is_string()) return Argument::figure(value.get<std::string>());
    if (kind == "whole" && value.is_number_integer()) return Argument(value.get<std::int64_t>());
    if (kind != "message") return std::nullopt;
    auto message = messageOf(value, depth + 1);
    return message ? std::optional<Argument>(std::move(*message)) : std::nullopt;
}

std::optional<Message> messageOf(Json const &json, int depth)
{
    if (json.is_string()) return Message(json.get<std::string>());
    if (depth > kMostNested || !json.is_object()) return std::nullopt;
    auto const pattern = json.find("pattern"), arguments = json.find("arguments");
    if (pattern == json.end() || !pattern->is_string() || arguments == json.end() || !arguments->is_array()) return std::nullopt;
    // Without a pattern the arguments follow one another, any number of them.
    if (!pattern->get_ref<std::string const &>().empty() && arguments->size() > kMostArguments) return std::nullopt;
    std::vector<Argument> values;
    for (auto const &one : *arguments) {
        auto argument = argumentOf(one, depth);
        if (!argument) return std::nullopt;
        values.push_back(std::move(*argument));
    }
    return Message::stored(pattern->get<std::string>(), std::move(values));
}

} // namespace

Json messageToJson(Message const &message)
{
    if (message.pattern().empty() && message.arguments().empty()) return message.text();
    Json arguments = Json::array();
    for (auto const &one : message.arguments()) arguments.push_back(argumentToJson(one));
    return {{"pattern", message.pattern()}, {"arguments", std::move(arguments)}};
}

std::optional<Message> messageFromJson(Json const &json) { return messageOf(json, 0); }

} // namespace tilewright

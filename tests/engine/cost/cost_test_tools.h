#pragma once

#include "engine/core/text.h"
#include "engine/program/codelets/description.h"
#include "engine/target/machine.h"

#include <QtGlobal>
#include <QDebug>

#include <string>

namespace tilewright::tests {

/// "n=1000 type=f16" in the form of the `vertex` command.
inline cost::ParamMap params(std::string const &text)
{
    cost::ParamMap map;
    for (std::string const &word : splitText(text, ' ')) {
        if (word.empty()) continue;
        auto const at = word.find('=');
        map[word.substr(0, at)] = at == std::string::npos ? std::string() : word.substr(at + 1);
    }
    return map;
}

inline target::Chip chip(char const *machine = "gc200") { return target::parseMachine(machine).value().chip; }

/// The output of `vertex`.
inline Result<program::VertexPrice> priceOf(std::string const &codelet, std::string const &text, target::Chip const &on)
{
    TW_ASSIGN(auto const *found, program::codeletNamed(codelet));
    return program::priceVertex(*found, params(text), on);
}

inline Cycles cyclesOf(std::string const &codelet, std::string const &text, target::Chip const &on)
{
    auto const price = priceOf(codelet, text, on);
    if (!price) qWarning("%s", toText(price.error()).c_str());
    return price ? price->cycles : -1;
}

} // namespace tilewright::tests

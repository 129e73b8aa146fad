#pragma once

#include "engine/core/text.h"
#include "engine/program/cost/codelet_table.h"
#include "engine/target/machine.h"

#include <QtGlobal>
#include <QDebug>

#include <string>

namespace tilewright::tests {

/// "n=1000 type=f16" as the `vertex` command would hand it over.
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

inline Cycles cyclesOf(std::string const &codelet, std::string const &text, target::Chip const &on)
{
    Result<cost::CodeletInfo const *> const found = cost::findCodelet(codelet);
    if (!found) return -1;
    Result<Cycles> const cycles = (*found)->cycles(params(text), on);
    if (!cycles) qWarning("%s", toText(cycles.error()).c_str());
    return cycles ? *cycles : -1;
}

} // namespace tilewright::tests

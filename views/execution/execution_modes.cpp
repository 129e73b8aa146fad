#include "views/execution/execution_modes.h"
#include "views/common/words.h"
#include "views/wording/labels.h"

#include <QCoreApplication>

#include <algorithm>
#include <array>
#include <set>

namespace tilewright::views {

QString modeTitle(ExecutionMode mode)
{
    switch (mode) {
    case Flat: return Words::tr("Flat");
    case Flame: return Words::tr("Flame");
    case Bsp: return Words::tr("BSP");
    case Pipeline: return Words::tr("Pipeline");
    case Exchange: return Words::tr("Exchange");
    case Host: return Words::tr("Host");
    case Modes: break;
    }
    return {};
}

QString modeTip(ExecutionMode mode)
{
    switch (mode) {
    case Flat: return Words::tr("One lane per IPU, with its layers, streams and links");
    case Flame: return Words::tr("Layer, operation and step, one bar for each");
    case Bsp: return Words::tr("What each tile does in each phase");
    case Pipeline: return Words::tr("Micro-batches on their way through the stages");
    case Exchange: return Words::tr("Bytes per cycle in and out");
    case Host: return Words::tr("What the host's threads do");
    case Modes: break;
    }
    return {};
}

QString modeLegend(ExecutionMode mode)
{
    switch (mode) {
    case Flame: return Words::tr("layers and operations coloured by pass, steps by phase");
    case Bsp: return Words::tr("coloured: busy · blank: waiting or idle");
    case Exchange:
        return Words::tr(
            "above: received · below: sent · share of what all tiles can exchange at once, same scale in all lanes · ≤: maximum");
    default: return {};
    }
}

QList<ColorKey> modeKeys(ExecutionMode mode, bool severalIpus, LaneSet const &set)
{
    QList<ColorKey> keys;
    auto const add = [&](Phase phase) {
        keys << ColorKey{phaseToken(phase), phaseLabel(phase), phase == Phase::Sync && mode != Bsp ? KeyLook::Foot : KeyLook::Plain};
    };
    if (mode == Exchange) {
        keys << ColorKey{Token::InternalExchange, Words::tr("In")} << ColorKey{Token::ExchangeOut, Words::tr("Out")};
        if (severalIpus) add(Phase::GlobalExchange);
        add(Phase::Stream);
        return keys;
    }
    static constexpr std::array kPhasesDrawn{Phase::Compute, Phase::InternalExchange, Phase::GlobalExchange, Phase::Stream, Phase::Sync};
    if (mode == Bsp) {
        for (auto const phase : kPhasesDrawn)
            if (phase != Phase::GlobalExchange || severalIpus) add(phase);
        return keys;
    }
    if (mode != Flat && mode != Flame) return keys;
    std::set<Token> drawn;
    bool idle = false, marked = false;
    for (auto const &lane : set.lanes) {
        marked = marked || lane.marks;
        if (!lane.events) continue;
        auto const counts = lane.events->countByType();
        for (std::size_t type = 0; type < counts.size(); ++type) {
            if (counts[type] == 0) continue;
            auto const &style = set.style(static_cast<int>(type));
            if (style.hatched) idle = true;
            else drawn.insert(style.token);
        }
    }
    for (auto const &[token, pass] :
         {std::pair{Token::Forward, "forward"}, {Token::Recompute, "recompute"}, {Token::Backward, "backward"}, {Token::Update, "update"}})
        if (drawn.contains(token)) keys << ColorKey{token, passLabel(pass)};
    if (drawn.contains(Token::Control)) keys << ColorKey{Token::Control, passLabel("other")};
    for (auto const phase : kPhasesDrawn)
        if (drawn.contains(phaseToken(phase))) add(phase);
    if (idle) keys << ColorKey{Token::Idle, phaseLabel(Phase::Idle), KeyLook::Hatched};
    if (marked) keys << ColorKey{Token::Text, Words::tr("Critical path"), KeyLook::Top};
    return keys;
}

QList<ColorKey> styleKeys(LaneSet const &set)
{
    QList<ColorKey> keys;
    std::set<int> seen;
    for (auto const &lane : set.lanes) {
        if (!lane.events) continue;
        auto const counts = lane.events->countByType();
        for (int type = 0; type < static_cast<int>(counts.size()); ++type) {
            if (counts[static_cast<std::size_t>(type)] == 0 || !seen.insert(type).second) continue;
            auto const &style = set.style(type);
            if (style.name.isEmpty()) continue; // its name is being loaded
            auto const same = std::find_if(keys.begin(), keys.end(), [&](ColorKey const &key) { return key.token == style.token; });
            if (same == keys.end()) keys << ColorKey{style.token, style.name};
            else if (!same->label.endsWith(QStringLiteral(" …")))
                same->label += same->label.count(QLatin1Char(',')) < 2 ? QStringLiteral(", ") + style.name : QStringLiteral(" …");
        }
    }
    return keys;
}

QString modeEmptyText(ExecutionMode mode)
{
    switch (mode) {
    case Host:
        return Words::tr("This report has no recording of host threads, because it comes from a compile without a run. Train to record the "
                         "activity of the host here.");
    case Pipeline: return Words::tr("This program has no pipeline stages. Give layers a stage in Plan to see one here.");
    default: return Words::tr("This report has no events. Compile again to record the schedule of a step.");
    }
}

} // namespace tilewright::views

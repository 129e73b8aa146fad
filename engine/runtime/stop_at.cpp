#include "engine/runtime/stop_at.h"

#include "engine/core/numbers.h"
#include "engine/core/text.h"
#include "engine/kernels/half.h"
#include "engine/lowering/peak_owners.h"
#include "engine/runtime/train_parts.h"

#include <cmath>
#include <cstring>

namespace tilewright::runtime {

using namespace program;

namespace {

Diagnostic badPart(std::string_view part)
{
    return makeError(ErrorKind::Usage, "train.stop-at", std::string(part), Message::of("this says no place at which a run can stop."),
                     Message::of("Use step=N, superstep=N, write=TILE, nonfinite or above=BOUND; join several with commas."));
}

/// Calls visit(element) until it returns false; what is no floating-point number has none.
template <typename Visit> void forEachFloat(DType type, std::byte const *data, std::int64_t elements, Visit const &visit)
{
    if (type == DType::F32) {
        for (std::int64_t i = 0; i < elements; ++i) {
            float value = 0;
            std::memcpy(&value, data + i * 4, 4);
            if (!visit(value)) return;
        }
    } else if (type == DType::F16) {
        for (std::int64_t i = 0; i < elements; ++i) {
            std::uint16_t half = 0;
            std::memcpy(&half, data + i * 2, 2);
            if (!visit(kernels::halfToFloat(half))) return;
        }
    }
}

/// A variable that a leaf step writes on a tile.
VarId writtenOn(Program const &program, Step const &step, int tile)
{
    auto const isOn = [&](VarId var) {
        auto const blocks = blockByTile(program.var(var).layout, program.tiles());
        return blocks[static_cast<std::size_t>(tile)] >= 0;
    };
    for (auto const &access : accesses(program, step))
        if (access.access != Access::Read && isOn(access.var)) return access.var;
    return {};
}

} // namespace

Result<StopAt> parseStopAt(std::string_view text)
{
    StopAt at;
    for (std::size_t begin = 0; begin <= text.size();) {
        auto const end = std::min(text.find(',', begin), text.size());
        auto const part = text.substr(begin, end - begin);
        begin = end + 1;
        auto const sign = part.find('=');
        auto const name = part.substr(0, sign);
        auto const value = sign == std::string_view::npos ? std::string_view() : part.substr(sign + 1);
        auto const number = parseReal(value);
        bool const whole = number && *number >= 0 && *number == std::floor(*number) && *number < 1e15;
        if (name == "nonfinite" && sign == std::string_view::npos) at.notFinite = true;
        else if (name == "above" && number && *number >= 0 && std::isfinite(*number)) at.above = *number;
        else if (name == "step" && whole && *number > 0) at.step = static_cast<std::int64_t>(*number);
        else if (name == "superstep" && whole && *number > 0) at.superstep = static_cast<std::int64_t>(*number);
        else if (name == "write" && whole && *number < 1e9) at.tile = static_cast<int>(*number);
        else return badPart(part);
    }
    return at;
}

std::string_view nameOf(StopPlace::Cause cause)
{
    switch (cause) {
    case StopPlace::Cause::Step: return "step";
    case StopPlace::Cause::Superstep: return "superstep";
    case StopPlace::Cause::Write: return "write";
    case StopPlace::Cause::NotFinite: return "nonfinite";
    case StopPlace::Cause::Above: return "above";
    }
    return "step";
}

std::string layerOf(Program const &program, StepId step) { return lowering::layerOf(program, program.step(step).op); }

std::string stopText(StopPlace const &place, Program const &program)
{
    auto const &step = program.step(place.step);
    std::string text = "Stopped after superstep " + groupedDigits(place.superstep) + ", in update " + groupedDigits(place.update) + ": "
        + std::string(program::toText(step.kind)) + " " + step.name;
    if (auto const layer = layerOf(program, place.step); !layer.empty()) text += " of layer " + layer;
    if (place.tile < 0) return text + ".";
    text += " wrote ";
    if (place.cause != StopPlace::Cause::Write) text += figureText(place.value, 6) + " into ";
    text += program.var(place.variable).name + " on tile " + std::to_string(place.tile);
    if (program.replicas > 1) text += " of replica " + std::to_string(place.replica);
    return text + ".";
}

StopWatch::StopWatch(emulator::TileMachine const &machine, Program const &program, StopAt const &at)
    : m_machine(machine), m_program(program), m_at(at)
{
    if (!at.tile) return;
    m_writes.resize(program.steps.size());
    for (std::size_t s = 0; s < program.steps.size(); ++s)
        if (!isControl(program.steps[s].kind)) m_writes[s] = writtenOn(program, program.steps[s], *at.tile);
}

std::optional<StopPlace> StopWatch::after(StepId step) const
{
    using Cause = StopPlace::Cause;
    StopPlace place;
    place.superstep = m_machine.position().supersteps;
    place.step = step;
    std::optional<Cause> cause;
    if (m_at.notFinite || m_at.above)
        m_machine.visitWritten(step, [&](emulator::Written const &written) {
            forEachFloat(m_program.var(written.var).dtype, written.data, written.elements, [&](float value) {
                if (m_at.notFinite && !std::isfinite(value)) cause = Cause::NotFinite;
                else if (m_at.above && !(std::abs(static_cast<double>(value)) <= *m_at.above)) cause = Cause::Above;
                if (!cause) return true;
                place.variable = written.var;
                place.replica = written.replica;
                place.tile = written.tile;
                place.value = value;
                return false;
            });
            return !cause;
        });
    if (!cause && m_at.tile && m_writes[step.index].valid()) {
        cause = Cause::Write;
        place.variable = m_writes[step.index];
        place.tile = *m_at.tile;
    }
    if (!cause && m_at.superstep && place.superstep >= *m_at.superstep) cause = Cause::Superstep;
    if (!cause) return {};
    place.cause = *cause;
    return place;
}

} // namespace tilewright::runtime

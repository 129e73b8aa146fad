#include "engine/device/state_file.h"

#include "engine/core/json_text.h"

#include <nlohmann/json.hpp>

namespace tilewright::device {

namespace {
constexpr int kFormat = 1;
}

std::string toText(SlotState const &s)
{
    nlohmann::json const json{
        {"format", kFormat},
        {"pid", s.pid},
        {"command", s.command},
        {"user", s.user},
        {"started_ms", s.startedMs},
        {"updated_ms", s.updatedMs},
        {"device_id", s.deviceId},
        {"ipus", s.ipus},
        {"model", s.isModel},
        {"watts", s.reading.watts},
        {"die_celsius", s.reading.dieCelsius},
        {"clock_mhz", s.reading.clockMhz},
        {"utilisation_recent", s.utilisationRecent},
        {"steps", s.counters.steps},
        {"cycles", s.counters.total},
        {"compute_cycles", s.counters.compute},
        {"amp_cycles", s.counters.amp},
        {"exchange_cycles", s.counters.exchange},
    };
    // A command line may hold bytes that are no UTF-8; they are shown as replacement characters.
    return json.dump(1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

Result<SlotState> parseSlotState(std::string const &text)
{
    auto const refuse = [](Message message) { return makeError(ErrorKind::Invalid, "device.state", "run registry", std::move(message)); };
    auto const json = jsonOrDiscarded(text);
    if (!json.is_object()) return refuse(Message::of("a state file is not JSON."));
    try {
        if (json.at("format").get<int>() > kFormat) return refuse(Message::of("a state file was written by a newer version."));
        SlotState s;
        s.pid = json.at("pid").get<std::int64_t>();
        s.command = json.at("command").get<std::string>();
        s.user = json.at("user").get<std::string>();
        s.startedMs = json.at("started_ms").get<std::int64_t>();
        s.updatedMs = json.at("updated_ms").get<std::int64_t>();
        s.deviceId = json.at("device_id").get<int>();
        s.ipus = json.at("ipus").get<std::vector<int>>();
        s.isModel = json.at("model").get<bool>();
        s.reading = {json.at("watts").get<double>(), json.at("die_celsius").get<double>(), json.at("clock_mhz").get<double>()};
        s.utilisationRecent = json.at("utilisation_recent").get<double>();
        s.counters = {json.at("steps").get<std::int64_t>(), json.at("cycles").get<std::int64_t>(),
                      json.at("compute_cycles").get<std::int64_t>(), json.at("amp_cycles").get<std::int64_t>(),
                      json.at("exchange_cycles").get<std::int64_t>()};
        return s;
    } catch (nlohmann::json::exception const &problem) {
        return refuse(Message::of("a state file is damaged: %1.", problem.what()));
    }
}

} // namespace tilewright::device

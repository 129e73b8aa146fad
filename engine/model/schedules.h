#pragma once

#include "engine/core/rate_schedule.h"
#include "engine/core/result.h"
#include "engine/model/param.h"

#include <string>
#include <string_view>
#include <vector>

namespace tilewright::model {

/// A class of keras.optimizers.schedules.
struct ScheduleSpec {
    std::string className;
    RateKind kind = RateKind::Constant;
    std::vector<ParamInfo> params; ///< in Keras's order
    std::string help;
    std::string formula; ///< t: number of earlier updates
    std::string example; ///< arguments as JSON, used when the class is chosen
};
std::vector<ScheduleSpec> const &scheduleSpecs();

/// {"class_name", "config"} with all arguments. Errors: model.unknown-schedule, model.bad-argument, model.missing-argument,
/// model.unknown-argument; their subject is `subject`.
Result<Json> normalizeSchedule(Json const &value, std::string const &subject);
/// The same with arguments in Keras's order.
OrderedJson orderedSchedule(Json const &schedule);

/// A learning rate (number or schedule) in the form of scheduledRate() in core/rate_schedule.h. Requires: normalised.
std::vector<double> scheduleNumbers(Json const &rate);

/// The number, or the initial rate of the schedule. Requires: normalised.
double firstRate(Json const &rate);

} // namespace tilewright::model

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
    std::string formula; ///< t: updates before this one
    std::string example; ///< arguments as JSON, for somebody who chooses the class
};
std::vector<ScheduleSpec> const &scheduleSpecs();

/// {"class_name", "config"} with all arguments. Errors: model.unknown-schedule, model.bad-argument, model.missing-argument,
/// model.unknown-argument; subject is `subject`.
Result<Json> normalizeSchedule(Json const &value, std::string const &subject);
/// The same with its arguments in Keras's order.
OrderedJson orderedSchedule(Json const &schedule);

/// A learning rate, number or schedule, as scheduledRate() of core/rate_schedule.h wants it. Requires: normalised.
std::vector<double> scheduleNumbers(Json const &rate);

/// The number, or that with which the schedule begins. Requires: normalised.
double firstRate(Json const &rate);

} // namespace tilewright::model

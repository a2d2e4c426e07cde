// What the engine counts of hot keys, as programs ask for it.
#pragma once

#include "sheaf/heat.h"
#include "sheaf/result.h"

#include "engine/engine.h"

namespace sheaf::api {

// A partition key is hot that has so much of what a partition can bear.
inline constexpr double kHotShareOfCeiling = 0.8;
// Traffic is uneven if one partition key has so much of it, and goes to few keys if there are no more than
// these. Both only where there is traffic worth speaking of, in units a second.
inline constexpr double kUnevenShare = 0.5;
inline constexpr double kFewKeys = 5;
inline constexpr double kNotableUnits = 100;
// Of a shorter time nothing is said: a burst is not yet a habit.
inline constexpr double kFindingSecondsMin = 10;

// Errors: kNotFound, kInvalid (also if nothing is counted).
Result<HeatReport> heat_report(engine::Engine& engine, const AskHeat& request);

}  // namespace sheaf::api

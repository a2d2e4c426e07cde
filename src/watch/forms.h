// Events and figures as people and programs read them.
#pragma once

#include <string>
#include <string_view>

#include "watch/watcher.h"

namespace sheaf::watch {

// "reaches the limit in 12 days at the present rate (watched for 10 minutes)", or why that cannot be said.
// Nothing if there is nothing to say: it is there already.
std::string forecast_text(const Forecast& forecast);

// Order o-17 of Customer c-3 in shop/by_date; Order in shop/by_date if it is of no single key.
std::string subject_text(const Subject& subject);

// One line, without its end.
std::string event_text(const Event& event);
// The same as a JSON object in one line.
std::string event_json(const Event& event);

std::string figure_json(const Figure& figure);
// A table of all of them, a line each; nothing if there are none.
std::string figures_text(const std::vector<Figure>& figures);

}  // namespace sheaf::watch

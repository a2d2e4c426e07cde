#include "watch/watcher.h"

#include <algorithm>
#include <cmath>

namespace sheaf::watch {

std::string_view name_of(Event::Change change) {
  switch (change) {
    case Event::Change::kBegins:
      return "begins";
    case Event::Change::kWorsens:
      return "worsens";
    case Event::Change::kEnds:
      break;
  }
  return "ends";
}

void Watcher::note(const Observation& observation, int64_t now_us) {
  const Subject& subject = observation.subject;
  Watched& watched = watched_[Id{.limit = observation.limit,
                                 .table = subject.table,
                                 .index = subject.index,
                                 .kind = subject.kind,
                                 .key = subject.key}];
  const bool is_rough = observation.within > 0;
  watched.subject = subject;
  watched.is_noted = true;
  watched.is_gone = false;
  if (!watched.series.empty() && is_rough != watched.is_rough) {
    // What is known better, and does not contradict it, stays.
    if (is_rough && std::abs(observation.value - watched.value) <= observation.within) return;
    watched.series = Series();
  }
  watched.is_rough = is_rough;
  watched.value = observation.value;
  watched.series.add({.at_us = now_us, .value = observation.value});
  if (watched_.size() > options_.subjects_max) forget_some();
}

void Watcher::forget_some() {
  std::vector<std::pair<double, Id>> shares;
  for (const auto& [id, watched] : watched_) {
    if (!watched.told) shares.emplace_back(watched.value / line_of(id.limit, options_.lines), id);
  }
  std::sort(shares.begin(), shares.end());
  // A tenth at a time, so that it does not sort for each.
  const size_t count = std::max<size_t>(options_.subjects_max / 10, 1);
  for (size_t i = 0; i < shares.size() && i < count; ++i) watched_.erase(shares[i].second);
}

void Watcher::keep_tables(const std::set<std::string>& tables) {
  for (auto& [id, watched] : watched_) {
    if (!tables.contains(id.table)) watched.is_gone = true;
  }
}

Forecast Watcher::forecast_of(Limit limit, const Watched& watched) const {
  if (text_of(limit).measure == Measure::kFlag || limit == Limit::kThrottled) return {};
  return forecast(watched.series, line_of(limit, options_.lines), options_.needs);
}

std::optional<Severity> Watcher::severity(Limit limit, const Watched& watched,
                                          const Forecast& forecast) const {
  if (watched.is_gone) return std::nullopt;
  if (const auto now = severity_of(limit, watched.value, options_.lines)) return now;
  const bool is_told = watched.told && *watched.told >= Severity::kWarning;
  if (is_told && watched.value >= kEndShare * warning_line_of(limit, options_.lines))
    return Severity::kWarning;
  if (text_of(limit).is_of_traffic || forecast.kind != Forecast::Kind::kIn) return std::nullopt;
  if (watched.value < kNoteShare * line_of(limit, options_.lines)) return std::nullopt;
  const double horizon = options_.horizon_seconds * (watched.told ? kEndHorizonShare : 1);
  return forecast.seconds <= horizon ? std::optional(Severity::kNote) : std::nullopt;
}

void Watcher::add_to_group(Group& group, Event event, std::optional<Severity> severity) {
  const bool is_as_grave = severity && severity == group.now;
  const bool is_worse = severity && (!group.now || *severity > *group.now);
  const size_t keys = is_worse ? 1 : group.worst.keys + (is_as_grave ? 1 : 0);
  const bool is_first = is_worse || (severity == group.now && event.value > group.worst.value);
  if (is_first) group.worst = std::move(event);
  if (is_worse) group.now = severity;
  group.worst.keys = keys;
}

std::vector<Event> Watcher::end_round(int64_t now_us) {
  std::vector<Event> events;
  for (auto& [id, group] : groups_) {
    group.now.reset();
    group.worst.value = 0;
    group.worst.keys = 0;
    group.worst.at_us = now_us;
    group.worst.forecast = {};
  }
  // What changes in what was told, since the round before; `event` is as things are now.
  const auto tell = [&](auto& state, const std::optional<Severity>& now, Event event) {
    const auto add = [&](Event::Change change, Severity severity) {
      event.change = change;
      event.severity = severity;
      event.began_us = state.began_us;
      events.push_back(std::move(event));
    };
    // A note that is left of a warning is another thing, to be told of by itself.
    const bool ends = state.told && (!now || (*now == Severity::kNote && *state.told > *now));
    if (ends) {
      add(Event::Change::kEnds, *state.told);
      state.told.reset();
    } else if (now && !state.told) {
      state.began_us = now_us;
      state.told = now;
      add(Event::Change::kBegins, *now);
    } else if (now && *now > *state.told) {
      state.told = now;
      add(Event::Change::kWorsens, *now);
    }
  };
  for (auto each = watched_.begin(); each != watched_.end();) {
    const Id& id = each->first;
    Watched& watched = each->second;
    const bool is_over = watched.is_gone || (text_of(id.limit).is_of_traffic && !watched.is_noted);
    if (is_over) watched.value = 0;
    watched.is_noted = false;
    const Forecast forecast = is_over ? Forecast{} : forecast_of(id.limit, watched);
    const std::optional<Severity> now = severity(id.limit, watched, forecast);
    Event event{.limit = id.limit,
                .subject = watched.subject,
                .value = watched.value,
                .line = line_of(id.limit, options_.lines),
                .forecast = forecast,
                .at_us = now_us};
    if (text_of(id.limit).is_of_relation) {
      watched.told = now;
      Id group = id;
      group.key.clear();
      add_to_group(groups_[group], std::move(event), now);
    } else {
      tell(watched, now, std::move(event));
    }
    each = is_over ? watched_.erase(each) : std::next(each);
  }
  for (auto each = groups_.begin(); each != groups_.end();) {
    Group& group = each->second;
    tell(group, group.now, group.worst);
    each = group.told ? std::next(each) : groups_.erase(each);
  }
  std::stable_sort(events.begin(), events.end(),
                   [](const Event& a, const Event& b) { return a.limit < b.limit; });
  return events;
}

std::vector<Figure> Watcher::figures() const {
  std::vector<Figure> figures;
  const auto is_sooner = [](const Forecast& a, const Forecast& b) {
    const bool is_known = a.kind == Forecast::Kind::kIn;
    if (is_known != (b.kind == Forecast::Kind::kIn)) return is_known;
    return is_known && a.seconds < b.seconds;
  };
  for (const auto& [id, watched] : watched_) {
    const bool is_new = figures.empty() || figures.back().limit != id.limit ||
                        figures.back().worst.table != id.table || figures.back().worst.index != id.index ||
                        figures.back().worst.kind != id.kind;
    const Forecast forecast = forecast_of(id.limit, watched);
    if (is_new) {
      figures.push_back({.limit = id.limit,
                         .worst = watched.subject,
                         .value = watched.value,
                         .line = line_of(id.limit, options_.lines),
                         .forecast = forecast,
                         .soonest = forecast});
    }
    Figure& figure = figures.back();
    ++figure.subjects;
    if (watched.told && *watched.told >= Severity::kWarning) ++figure.warnings;
    if (is_sooner(forecast, figure.soonest)) figure.soonest = forecast;
    if (watched.value > figure.value) {
      figure.value = watched.value;
      figure.worst = watched.subject;
      figure.forecast = forecast;
    }
  }
  return figures;
}

std::vector<Growth> Watcher::fastest(Limit limit, size_t count) const {
  std::vector<Growth> growths;
  for (const auto& [id, watched] : watched_) {
    if (id.limit != limit) continue;
    const Forecast forecast = forecast_of(limit, watched);
    if (forecast.per_second <= 0) continue;
    growths.push_back({.subject = watched.subject, .value = watched.value, .forecast = forecast});
  }
  std::stable_sort(growths.begin(), growths.end(), [](const Growth& a, const Growth& b) {
    return a.forecast.per_second > b.forecast.per_second;
  });
  if (growths.size() > count) growths.resize(count);
  return growths;
}

}  // namespace sheaf::watch

#include "watch/forms.h"

#include <array>
#include <charconv>
#include <chrono>
#include <cmath>

#include "draw/shown_text.h"
#include "run/time_text.h"
#include "watch/text_table.h"
#include "wire/json_object.h"

namespace sheaf::watch {
namespace {

using wire::JsonObject;

std::string moment_text(int64_t at_us) {
  using std::chrono::microseconds, std::chrono::system_clock;
  return run::time_text(
      system_clock::time_point(std::chrono::duration_cast<system_clock::duration>(microseconds(at_us))));
}

void add_number(JsonObject& object, std::string_view name, double value) {
  std::array<char, 32> text;
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value).ptr;
  object.member(name).append(text.data(), end);
}

void add_subject(JsonObject& object, const Subject& subject) {
  object.text("table", subject.table);
  if (!subject.index.empty()) object.text("index", subject.index);
  if (!subject.kind.empty()) object.text("kind", subject.kind);
  if (!subject.key.empty()) object.member("key") += subject.key;
  if (!subject.name.empty()) object.text("name", subject.name);
}

void add_forecast(JsonObject& object, const Forecast& forecast) {
  add_number(object, "watched_seconds", std::floor(forecast.watched_seconds));
  if (forecast.per_second != 0) add_number(object, "growth_per_day", forecast.per_second * 24 * 3600);
  if (forecast.kind == Forecast::Kind::kIn)
    add_number(object, "seconds_to_limit", std::floor(forecast.seconds));
}

void add_limit(JsonObject& object, Limit limit) {
  object.text("limit", text_of(limit).name);
  object.text("point", text_of(limit).point);
}

std::string shown(const std::string& text) { return draw::ShownText(text).utf8(); }

std::string place_text(const Subject& subject) {
  return shown(subject.index.empty() ? subject.table : subject.table + "/" + subject.index);
}

std::string amounts_text(Limit limit, double value, double line) {
  const LimitText& text = text_of(limit);
  std::string out(text.meaning);
  if (text.measure == Measure::kFlag) return out;
  out += ": " + amount_text(limit, value);
  if (limit == Limit::kThrottled) return out;
  return out + ", the limit is " + amount_text(limit, limit == Limit::kEmbedded ? line - 1 : line);
}

}  // namespace

std::string forecast_text(const Forecast& forecast) {
  const std::string watched = "watched for " + duration_text(forecast.watched_seconds);
  switch (forecast.kind) {
    case Forecast::Kind::kTooEarly:
      return watched + ": too early for a forecast";
    case Forecast::Kind::kNotGrowing:
      return "does not grow (" + watched + ")";
    case Forecast::Kind::kUnsteady:
      return "grows too unevenly for a forecast (" + watched + ")";
    case Forecast::Kind::kIn:
      return "reaches the limit in " + duration_text(forecast.seconds) + " at the present rate (" + watched +
             ")";
    case Forecast::Kind::kReached:
      break;
  }
  return "";
}

std::string subject_text(const Subject& subject) {
  const std::string place = place_text(subject);
  const std::string& name = subject.name.empty() ? subject.kind : subject.name;
  return name.empty() ? place : shown(name) + " in " + place;
}

std::string event_text(const Event& event) {
  const LimitText& limit = text_of(event.limit);
  std::string out = moment_text(event.at_us) + " " + std::string(lint::name_of(event.severity)) + " " +
                    std::string(name_of(event.change)) + ": " + subject_text(event.subject) + ": ";
  const bool has_others = event.change != Event::Change::kEnds && event.keys > 1;
  if (event.change == Event::Change::kEnds) {
    out += std::string(limit.meaning);
    if (limit.measure != Measure::kFlag && event.value > 0)
      out += ": " + amount_text(event.limit, event.value);
    const auto lasted = static_cast<double>(event.at_us - event.began_us) / 1e6;
    out += ", after " + duration_text(lasted);
  } else {
    out += amounts_text(event.limit, event.value, event.line);
    // Which relation it is, the one key does not tell.
    if (limit.is_of_relation) out += " (" + shown(event.subject.kind) + ")";
    if (has_others)
      out += ", and " + std::to_string(event.keys - 1) + (event.keys == 2 ? " other" : " others");
    if (!limit.is_of_traffic) {
      const std::string soon = forecast_text(event.forecast);
      if (!soon.empty()) out += "; " + soon;
    }
  }
  out += " [" + std::string(limit.name) + " " + std::string(limit.point) + "]";
  if (event.change != Event::Change::kEnds) out += "\n  = " + std::string(limit.advice);
  return out;
}

std::string event_json(const Event& event) {
  std::string out;
  {
    JsonObject object(out);
    object.text("event", name_of(event.change));
    object.text("at", moment_text(event.at_us));
    object.text("severity", lint::name_of(event.severity));
    add_limit(object, event.limit);
    add_subject(object, event.subject);
    if (text_of(event.limit).is_of_relation) object.integer("keys", static_cast<int64_t>(event.keys));
    add_number(object, "value", event.value);
    add_number(object, "line", event.line);
    add_forecast(object, event.forecast);
    if (event.change == Event::Change::kEnds) object.text("began", moment_text(event.began_us));
  }
  return out;
}

std::string figure_json(const Figure& figure) {
  std::string out;
  {
    JsonObject object(out);
    object.text("event", "figure");
    add_limit(object, figure.limit);
    add_subject(object, figure.worst);
    add_number(object, "value", figure.value);
    add_number(object, "line", figure.line);
    object.integer("subjects", static_cast<int64_t>(figure.subjects));
    object.integer("warnings", static_cast<int64_t>(figure.warnings));
    add_forecast(object, figure.forecast);
  }
  return out;
}

std::string figures_text(const std::vector<Figure>& figures) {
  if (figures.empty()) return "";
  std::vector<TextRow> rows = {{"limit", "of", "worst", "share", "forecast"}};
  for (const Figure& figure : figures) {
    const LimitText& limit = text_of(figure.limit);
    const bool has_line = limit.measure != Measure::kFlag && figure.limit != Limit::kThrottled;
    const std::string kind = figure.worst.kind.empty() ? "" : " " + shown(figure.worst.kind);
    const std::string name = figure.worst.name.empty() ? "" : shown(figure.worst.name) + ": ";
    rows.push_back({std::string(limit.name), place_text(figure.worst) + kind,
                    name + amount_text(figure.limit, figure.value),
                    has_line ? std::to_string(static_cast<int64_t>(figure.share() * 100)) + " %" : "",
                    !has_line || limit.is_of_traffic                   ? ""
                    : figure.forecast.kind == Forecast::Kind::kReached ? "reached"
                                                                       : forecast_text(figure.forecast)});
  }
  return text_table(rows, {3});
}

}  // namespace sheaf::watch

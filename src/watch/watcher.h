// What is near a limit, when it began and when it ended. Pure: somebody else looks, and says what the time
// is.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "watch/limit.h"
#include "watch/series.h"

namespace sheaf::watch {

// What a figure is of.
struct Subject {
  std::string table;
  std::string index;  // empty: the table itself
  std::string kind;   // entity, or relation as Entity.end; empty: no model explains it
  std::string key;    // its attributes as JSON; empty: all of the table or index
  std::string name;   // for people, with values of the key: Order o-17 of Customer c-3

  bool operator==(const Subject&) const = default;
};

struct Observation {
  Limit limit;
  Subject subject;
  double value = 0;
  // It is known to within this much; 0: as it is. Figures of two sources are not put into one series: their
  // difference would look like growth.
  double within = 0;
};

struct Event {
  enum class Change : uint8_t { kBegins, kWorsens, kEnds };
  Change change = Change::kBegins;
  Limit limit = Limit::kItemBytes;
  Subject subject;                      // of a relation's: the worst of the keys
  size_t keys = 1;                      // how many are as grave
  Severity severity = Severity::kNote;  // of one that ends: what it was
  double value = 0;
  double line = 0;
  Forecast forecast;
  int64_t at_us = 0;
  int64_t began_us = 0;
};
std::string_view name_of(Event::Change change);  // "begins"

// All that is known of one limit and one kind of a table or index, and what is nearest to it there.
struct Figure {
  Limit limit = Limit::kItemBytes;
  Subject worst;
  double value = 0;  // of the worst
  double line = 0;
  Forecast forecast;    // of the worst
  Forecast soonest;     // of all: the next to reach the line
  size_t subjects = 0;  // how many were seen
  size_t warnings = 0;  // how many of them are told of: warnings and errors

  double share() const { return line > 0 ? value / line : 0; }
};

// One that grows.
struct Growth {
  Subject subject;
  double value = 0;
  Forecast forecast;
};

struct WatchOptions {
  Lines lines;
  // What reaches a line within this time is worth a note.
  double horizon_seconds = 30.0 * 24 * 3600;
  ForecastNeeds needs;
  // Beyond so many, those that are farthest from their line are forgotten.
  size_t subjects_max = 2000;
};

// What was told ends only when it is so far below its line: so that what goes up and down is told once.
inline constexpr double kEndShare = 0.9;
inline constexpr double kEndHorizonShare = 1.25;
// What has less than this share of its line is not noted, however fast it grows: it may well stop.
inline constexpr double kNoteShare = 0.1;

// One thread at a time.
class Watcher {
 public:
  explicit Watcher(WatchOptions options) : options_(std::move(options)) {}

  void note(const Observation& observation, int64_t now_us);
  // What is of other tables has ended: they are gone.
  void keep_tables(const std::set<std::string>& tables);
  // The end of a round: what has begun, grown worse and ended since the one before. Traffic that nobody spoke
  // of in this round is over. By limit; of limits of relations there is one for all keys of a relation.
  std::vector<Event> end_round(int64_t now_us);

  // By limit, table, index and kind, in this order.
  std::vector<Figure> figures() const;
  // Those that grow fastest, fastest first.
  std::vector<Growth> fastest(Limit limit, size_t count) const;

  const Lines& lines() const { return options_.lines; }
  size_t subjects() const { return watched_.size(); }

 private:
  struct Id {
    Limit limit;
    std::string table, index, kind, key;
    auto operator<=>(const Id&) const = default;
  };
  struct Watched {
    Subject subject;
    Series series;
    double value = 0;
    bool is_noted = false;  // in this round
    bool is_gone = false;
    bool is_rough = false;         // of a source that does not know it exactly
    std::optional<Severity> told;  // the gravest since it began
    int64_t began_us = 0;
  };
  // All keys of a relation that are beyond the same line.
  struct Group {
    Event worst;
    std::optional<Severity> now;   // the gravest of them, in this round
    std::optional<Severity> told;  // as of Watched
    int64_t began_us = 0;
  };

  Forecast forecast_of(Limit limit, const Watched& watched) const;
  std::optional<Severity> severity(Limit limit, const Watched& watched, const Forecast& forecast) const;
  void forget_some();
  static void add_to_group(Group& group, Event event, std::optional<Severity> severity);

  const WatchOptions options_;
  std::map<Id, Watched> watched_;
  std::map<Id, Group> groups_;  // without keys
};

}  // namespace sheaf::watch

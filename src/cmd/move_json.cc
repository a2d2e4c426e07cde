#include "cmd/move_json.h"

#include <string_view>
#include <vector>

#include "language/json_writer.h"

namespace sheaf::cmd {
namespace {

class StateWriter {
 public:
  std::string run(const MoveState& state, const MoveOutcome* outcome) {
    json_.object([&] {
      text("model", state.model);
      if (outcome != nullptr) add_outcome(*outcome);
      flag("moved", state.record != nullptr);
      if (state.record != nullptr) add_record(*state.record);
      if (state.progress != nullptr) add_progress(state);
    });
    return json_.take();
  }

 private:
  void text(std::string_view name, std::string_view value) {
    json_.member(name);
    json_.text(value);
  }
  void flag(std::string_view name, bool value) {
    json_.member(name);
    json_.word(value ? "true" : "false");
  }
  template <typename Number>
  void number(std::string_view name, Number value) {
    json_.member(name);
    json_.word(std::to_string(value));
  }
  void lines(std::string_view name, const std::vector<std::string>& all) {
    json_.member(name);
    json_.array([&] {
      for (const std::string& each : all) json_.text(each);
    });
  }
  void version(std::string_view name, const migrate::Version& value) {
    json_.member(name);
    json_.object([&] {
      text("layout", value.layout);
      json_.member("tables");
      json_.object([&] {
        for (const auto& [was, is] : value.tables) text(was, is);
      });
    });
  }

  void add_outcome(const MoveOutcome& outcome) {
    flag("done", outcome.is_done);
    if (outcome.is_applied) flag("applied", true);
    if (outcome.compared) {
      const migrate::Comparison& compared = *outcome.compared;
      json_.member("compared");
      json_.object([&] {
        number("seen", compared.seen);
        number("differing", compared.differences.count());
        lines("differences", compared.differences.named());
        number("unexplained", compared.unexplained.count());
        lines("unexplained_items", compared.unexplained.named());
      });
    }
    if (outcome.are_tables_kept) text("left_over", *outcome.are_tables_kept ? "kept" : "removed");
  }

  void add_record(const migrate::VersionRecord& record) {
    text("phase", migrate::name_of(record.phase));
    version("current", record.current);
    if (record.gone) version("gone", *record.gone);
    if (record.next) version("next", *record.next);
  }

  void add_progress(const MoveState& state) {
    const migrate::Progress& progress = *state.progress;
    text("stage", migrate::name_of(progress.stage));
    number("seen", progress.seen);
    number("changed", progress.changed);
    number("put_off", progress.put_off);
    number("differing", progress.differing);
    lines("differences", progress.differences);
    flag("locked", state.record->is_locked);
    number("programs_behind", state.behind);
  }

  language::JsonWriter json_;
};

}  // namespace

std::string json_of(const MovePlan& plan) {
  language::JsonWriter json;
  const auto lines = [&](const char* name, const std::vector<std::string>& all) {
    json.member(name);
    json.array([&] {
      for (const std::string& each : all) json.text(each);
    });
  };
  json.object([&] {
    lines("model", plan.difference.model);
    lines("storage", plan.difference.storage);
    json.member("moves");
    json.word(plan.moves ? "true" : "false");
    json.member("items");
    json.word(std::to_string(plan.items));
    if (plan.hindrance) {
      json.member("hindrance");
      json.text(*plan.hindrance);
    }
  });
  return json.take();
}

std::string json_of(const MoveState& state, const MoveOutcome* outcome) {
  return StateWriter().run(state, outcome);
}

}  // namespace sheaf::cmd

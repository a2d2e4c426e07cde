#include "prove/random_model.h"

#include <algorithm>

#include "language/parser.h"
#include "model/resolver.h"
#include "prove/layout_maker.h"
#include "prove/random_claims.h"
#include "prove/random_logic.h"
#include "prove/random_names.h"
#include "prove/random_operations.h"
#include "prove/random_patterns.h"

namespace sheaf::prove {
namespace {

// The parts of a model draw from sequences of their own.
enum Part : uint64_t { kLogic = 1, kPatterns, kOperations, kLayouts, kClaims, kText };

std::optional<model::Model> resolved(const std::string& text) {
  const language::SourceText source("random.sheaf", text);
  language::Diagnostics diagnostics;
  model::Resolved made = model::resolve(language::parse(source, diagnostics), diagnostics);
  if (!made.is_sound || diagnostics.has_errors()) return std::nullopt;
  return std::move(made.model);
}

class Composer {
 public:
  Composer(uint64_t seed, const GeneratorOptions& options) : draw_(seed, options), options_(options) {}

  std::optional<RandomModel> run() {
    Draw logic = draw_.fork(kLogic);
    logic_ = random_logic(logic);
    auto model = resolved(text_of(logic_));
    if (!model) return std::nullopt;
    std::set<std::string> taken;
    Draw patterns = draw_.fork(kPatterns);
    patterns_ = random_patterns(patterns, *model, taken);
    Draw operations = draw_.fork(kOperations);
    operations_ = random_operations(operations, *model, taken);
    for (const PatternDraft& pattern : patterns_)
      views_.insert(views_.end(), pattern.views.begin(), pattern.views.end());
    StorageDraft nothing;
    nothing.entities.resize(model->entities.size());
    nothing.relations.resize(model->relations.size());
    Draw layouts = draw_.fork(kLayouts);
    const bool has_keys = layouts.wants(Topic::kExplicitDefault, 80);
    storage_ = LayoutMaker(layouts, *model, views_, nothing).run(has_keys);
    write_bodies();
    write_layouts(*model);
    write_requests();
    Draw claims = draw_.fork(kClaims);
    for (const std::string& claim : random_claims(claims, *model, patterns_, layout_names_))
      made_.parts.add_optional("  " + claim + "\n");
    made_.parts.add("}\n");
    return std::move(made_);
  }

 private:
  std::string comment() {
    if (!text_.wants(Topic::kComments, 8)) return "";
    static const std::vector<std::string> comments = {"  // a comment\n", "  /// A doc comment.\n", "\n",
                                                      "  //\n", "  /// Two lines,\n  /// \"quoted\" { ; }\n"};
    return text_.chance.of(comments);
  }

  void add_body(const std::string& head, const std::vector<std::string>& body,
                const std::vector<std::string>& clauses) {
    TextPart& part = made_.parts.add(comment() + "  " + head);
    const bool is_behind = text_.chance.one_in(2);
    const auto add_clauses = [&] {
      for (const std::string& clause : clauses) part.add_optional(clause + "; ");
    };
    if (!is_behind) add_clauses();
    for (const std::string& each : body)
      part.add(text_.wants(Topic::kComments, 1) ? "\n    /// A field.\n    " + each + "; " : each + "; ");
    if (is_behind) add_clauses();
    part.add("}\n");
  }

  // What `default` says stands in the bodies.
  void write_bodies() {
    made_.parts.text = comment() + "model " + written_name(logic_.name) + " {\n";
    for (const TableDraft& table : storage_.tables)
      made_.parts.add_optional(comment() + "  " + written_table(table) + "\n");
    for (size_t i = 0; i < logic_.entities.size(); ++i) {
      add_body(head_of(logic_.entities[i]), body_of(logic_.entities[i]),
               written_clauses(storage_.entities[i]));
    }
    for (size_t i = 0; i < logic_.relations.size(); ++i) {
      std::vector<std::string> clauses;
      const std::string via = written_via(storage_.relations[i]);
      if (!via.empty()) clauses.push_back("via " + via);
      const std::vector<std::string> body = body_of(logic_.relations[i]);
      add_body(head_of(logic_, logic_.relations[i]), body, clauses);
    }
  }

  void write_layouts(const model::Model& model) {
    std::vector<std::pair<std::string, StorageDraft>> bases = {{"", storage_}};
    std::set<std::string> taken = {"default"};
    static const std::vector<std::string> words = {"l", "method", "tables", "other"};
    const size_t count = options_.layouts_max == 0 ? 0 : draw_.chance.between(1, options_.layouts_max);
    for (size_t i = 0; i < count; ++i) {
      Draw own = draw_.fork(kLayouts * 100 + i);
      const auto& base = bases[own.wants(Topic::kExtends, 25) ? own.chance.below(bases.size()) : 0];
      const std::string base_name = base.first;
      const bool is_small_change = !base_name.empty() && own.chance.one_in(2);
      const bool has_keys = own.chance.percent(80);
      StorageDraft storage = is_small_change ? random_extension(own, model, base.second)
                                             : LayoutMaker(own, model, views_, base.second).run(has_keys);
      const std::string name = fresh_name(own, words, taken, NamePlace::kOther);
      TextPart& part = made_.parts.add_optional(comment() + "  layout " + written_name(name));
      part.layout = name;
      layout_names_.push_back(name);
      part.text += base_name.empty() ? " {\n" : " extends " + written_name(base_name) + " {\n";
      for (const std::string& each : differences(model, base.second, storage))
        part.add_optional("    " + each + "\n");
      part.add("  }\n");
      bases.emplace_back(name, std::move(storage));
    }
  }

  void write_requests() {
    std::vector<std::string> all;
    for (const PatternDraft& pattern : patterns_) all.push_back(pattern.text);
    for (const OperationDraft& operation : operations_) all.push_back(operation.text);
    if (text_.chance.one_in(2)) text_.chance.shuffle(all);
    for (const std::string& text : all) {
      std::string line = comment();
      line += "  " + text + "\n";
      made_.parts.add_optional(std::move(line));
    }
  }

  Draw draw_;
  const GeneratorOptions& options_;
  Draw text_ = draw_.fork(kText);
  LogicDraft logic_;
  std::vector<PatternDraft> patterns_;
  std::vector<OperationDraft> operations_;
  std::vector<View> views_;
  std::vector<std::string> layout_names_;
  StorageDraft storage_;
  RandomModel made_;
};

constexpr size_t kRoundsMax = 12;

// Leaves out what the mistakes are in; false if there is nothing that can go.
bool drop_mistakes(TextPart& parts, const language::Diagnostics& diagnostics) {
  struct Mistake {
    size_t offset;
    std::string layout;
  };
  std::vector<Mistake> mistakes;
  for (const language::Diagnostic& each : diagnostics.all()) {
    if (each.severity == language::Severity::kError)
      mistakes.push_back({.offset = each.span.begin, .layout = each.layout});
  }
  // From behind, so that the places before stay where they are. A layout has mistakes in what it takes over,
  // too.
  std::stable_sort(mistakes.begin(), mistakes.end(),
                   [](const Mistake& a, const Mistake& b) { return a.offset > b.offset; });
  bool any = false;
  std::set<std::string> layouts;
  size_t last = ~size_t{0};
  for (const Mistake& each : mistakes) {
    if (!each.layout.empty() || each.offset == last) continue;
    last = each.offset;
    any = drop_at(parts, each.offset) || any;
  }
  if (any) return true;
  for (const Mistake& each : mistakes) {
    if (!each.layout.empty() && layouts.insert(each.layout).second)
      any = drop_in_layout(parts, each.layout, each.offset) || any;
  }
  return any;
}

void count_plans(const plan::PlannedModel& planned, Acceptance& acceptance) {
  for (const auto& plans : planned.plans) {
    const model::Pattern* last = nullptr;
    for (const plan::PlannedPattern& each : plans) {
      if (each.pattern == last) continue;
      last = each.pattern;
      ++acceptance.planned;
      acceptance.answerable += each.ok() ? 1 : 0;
    }
  }
  for (const auto& operations : planned.operations) {
    for (const plan::PlannedOperation& each : operations) {
      ++acceptance.writes;
      acceptance.possible_writes += each.ok() ? 1 : 0;
    }
  }
}

}  // namespace

void Acceptance::add(const Acceptance& other) {
  drawn_layouts += other.drawn_layouts;
  kept_layouts += other.kept_layouts;
  drawn_patterns += other.drawn_patterns;
  kept_patterns += other.kept_patterns;
  drawn_operations += other.drawn_operations;
  kept_operations += other.kept_operations;
  planned += other.planned;
  answerable += other.answerable;
  writes += other.writes;
  possible_writes += other.possible_writes;
  rounds += other.rounds;
}

std::optional<RandomModel> random_model(uint64_t seed, const GeneratorOptions& options) {
  return Composer(seed, options).run();
}

std::optional<plan::PlannedModel> accepted_model(uint64_t seed, const GeneratorOptions& options,
                                                 Acceptance* acceptance) {
  auto random = random_model(seed, options);
  if (!random) return std::nullopt;
  Acceptance counted;
  const language::SourceText source("random.sheaf", random->text());
  language::Diagnostics ignored;
  const language::Model drawn = language::parse(source, ignored);
  counted.drawn_layouts = drawn.layouts.size();
  counted.drawn_patterns = drawn.patterns.size();
  counted.drawn_operations = drawn.operations.size();
  for (counted.rounds = 1; counted.rounds <= kRoundsMax; ++counted.rounds) {
    plan::PlannedModel planned = plan::plan_model(model::compile("random.sheaf", random->text()));
    if (planned.compiled.ok()) {
      const language::Model& kept = planned.compiled.model.syntax();
      counted.kept_layouts = kept.layouts.size();
      counted.kept_patterns = kept.patterns.size();
      counted.kept_operations = kept.operations.size();
      count_plans(planned, counted);
      if (acceptance != nullptr) acceptance->add(counted);
      if (kept.patterns.empty() && kept.operations.empty()) return std::nullopt;
      return planned;
    }
    if (!drop_mistakes(random->parts, planned.compiled.diagnostics)) return std::nullopt;
  }
  return std::nullopt;
}

}  // namespace sheaf::prove

#include "model/advice/answers.h"

#include <algorithm>
#include <cstdio>

#include "model/advice/relation_use.h"
#include "model/strategies/choice.h"
#include "model/strategies/edge_search.h"

namespace sheaf::model {
namespace {

using language::Changes;
using Source = AnswerSource;
using Q = QuestionId;

// As plans count, where nobody says how many.
constexpr int64_t kManyIfUnsaid = 100;
// Without bound: more than copies are written to (G9), whatever the average is.
constexpr int64_t kManyIfUnbounded = 1001;
// F21: what is asked for less than once a minute in all is seldom read.
constexpr double kSeldomReadsPerDay = 1'440;
// F23: what one partition bears.
constexpr double kPartitionReadsPerSecond = 3'000, kPartitionWritesPerSecond = 1'000;
constexpr double kSecondsPerDay = 86'400;

std::string names_of(const std::vector<const Pattern*>& patterns) {
  constexpr size_t kNamedMax = 3;
  std::string text;
  for (size_t i = 0; i < patterns.size() && i < kNamedMax; ++i)
    text += (i == 0 ? "" : ", ") + patterns[i]->name;
  return patterns.size() > kNamedMax ? text + " and others" : text;
}

// "team asks so", "team and home ask so"
std::string ask(const std::vector<const Pattern*>& patterns, const std::string& what) {
  return names_of(patterns) + (patterns.size() == 1 ? " asks " : " ask ") + what;
}

// F3 and F10.
std::vector<std::pair<Q, Answer>> steadiness(const Model& model, const Relation& relation,
                                             const std::vector<WantedField>& copied) {
  const auto both = [](int64_t f3, int64_t f10, Source source, std::string because,
                       language::Span span = {}) {
    return std::vector<std::pair<Q, Answer>>{
        {Q::kF3, {.value = f3, .source = source, .because = because, .span = span}},
        {Q::kF10, {.value = f10, .source = source, .because = because, .span = span}}};
  };
  std::vector<const Field*> fields;
  for (const WantedField& each : copied)
    fields.push_back(&model.entities[relation.ends[each.side].target].fields[each.field]);
  if (fields.empty())
    return both(kAnswerNo, kChangesOften, Source::kAssumed, "no pattern wants fields that could be copied");
  const auto is_immutable = [](const Field* field) {
    return field->kept == Kept::kCreated || field->syntax->is_immutable;
  };
  const auto changed = std::find_if_not(fields.begin(), fields.end(), is_immutable);
  if (changed == fields.end())
    return both(kAnswerYes, kChangesNever, Source::kDeclared, "it is declared immutable",
                fields.front()->syntax != nullptr ? fields.front()->syntax->span : language::Span{});
  const auto often = std::find_if(fields.begin(), fields.end(), [&](const Field* field) {
    return !is_immutable(field) && field->syntax->changes == Changes::kOften;
  });
  if (often != fields.end())
    return both(kAnswerNo, kChangesOften, Source::kDeclared, (*often)->name + " changes often",
                (*often)->syntax->span);
  const auto unsaid = std::find_if(fields.begin(), fields.end(), [&](const Field* field) {
    return !is_immutable(field) && field->syntax->changes == Changes::kUnsaid;
  });
  auto made = both(kAnswerNo, kChangesRarely, Source::kDeclared, (*changed)->name + " is not immutable",
                   (*changed)->syntax->span);
  Answer& often_answer = made[1].second;
  if (unsaid == fields.end()) {
    often_answer.because = (*changed)->name + " changes rarely";
  } else {
    often_answer = {.value = kChangesOften,
                    .because = "nobody says how often " + (*unsaid)->name + " changes"};
  }
  return made;
}

double reads_per_day(const RelationUse& use) {
  double reads = 0;
  for (const auto& along : use.along) {
    for (const Pattern* pattern : along) reads += per_day(pattern->syntax->clauses).value_or(0);
  }
  return reads;
}

// F11: what is read, for each write of a link, or of what is copied.
Answer reads_for_each_write(const Model& model, RelationId relation, const RelationUse& use,
                            const std::vector<WantedField>& copied) {
  const std::vector<const Operation*> changing = writes_of_copies(model, relation, copied);
  const double reads = reads_per_day(use);
  double writes = 0;
  for (const Operation* operation : changing) writes += per_day(operation->syntax->clauses).value_or(0);
  if (reads > 0 && writes > 0)
    return {.value = static_cast<int64_t>(reads / writes),
            .source = Source::kInferred,
            .because = "the rates of patterns and operations say so"};
  if (reads > 0 && changing.empty() && !model.operations.empty())
    return {.value = std::max<int64_t>(static_cast<int64_t>(reads), 1),
            .source = Source::kInferred,
            .because = "no operation writes links, or what would be copied: as if once a day"};
  return {.value = 1, .because = "nobody says how often it is read and written"};
}

// F15: of what would be copied.
Answer may_be_old(const RelationUse& use, const std::vector<WantedField>& copied) {
  for (const WantedField& each : copied) {
    if (use.strong_shows[each.side].empty()) continue;
    const Pattern& shows = *use.strong_shows[each.side].front();
    const language::Clauses& said = shows.syntax->clauses;
    return {.value = kAnswerNo,
            .source = Source::kDeclared,
            .because = shows.name + " is strong",
            .span = said.strong ? *said.strong : *said.snapshot};
  }
  return {.value = kAnswerYes, .because = "no strong pattern shows what would be copied"};
}

// F3, F10, F11, F15.
std::vector<std::pair<Q, Answer>> copied_answers(const Model& model, RelationId relation,
                                                 const RelationUse& use,
                                                 const std::vector<WantedField>& copied) {
  auto made = steadiness(model, model.relations[relation], copied);
  made.emplace_back(Q::kF11, reads_for_each_write(model, relation, use, copied));
  made.emplace_back(Q::kF15, may_be_old(use, copied));
  return made;
}

class AnswerGatherer {
 public:
  AnswerGatherer(const Model& model, const LayoutClauses& clauses, RelationId id, const ToldAnswers& told,
                 const SeenSizes* seen)
      : model_(model),
        clauses_(clauses),
        id_(id),
        told_(told),
        seen_(seen),
        relation_(model.relations[id]),
        use_(relation_use(model, id)) {}

  Answers run() {
    answer_sizes();
    answer_directions();
    answer_reads_of_many();
    answer_changes();
    answer_consistency();
    answer_levels();
    answer_pairs();
    answer_searches();
    answer_key();
    answer_seldom();
    give(Q::kF22, kAnswerNo, Source::kAssumed, "nothing was measured");
    answer_busy();
    return std::move(answers_);
  }

 private:
  // `span` is where it is declared.
  void give(Q id, int64_t value, Source source, std::string because, language::Span span = {}) {
    Answer made{.value = value, .source = source, .because = std::move(because), .span = span};
    if (const auto found = told_.find(id); found != told_.end()) {
      if (found->second != value)
        made.instead_of = answer_text(id, value) + " (" + std::string(name_of(source)) + "): " + made.because;
      made.value = found->second;
      made.source = Source::kTold;
      made.because = "you say so";
      made.span = {};
    }
    answers_.of(id) = std::move(made);
  }
  void give_if(Q id, bool is_so, Source source, std::string because, language::Span span = {}) {
    give(id, is_so ? kAnswerYes : kAnswerNo, source, std::move(because), span);
  }

  const Entity& many() const { return model_.entities[relation_.ends[0].target]; }
  bool is_within() const { return many().within == EndId{.relation = id_, .side = 1}; }

  language::Span size_span() const {
    return relation_.syntax->sizes.empty() ? language::Span{} : relation_.syntax->sizes.front().span;
  }

  // --- How many: F2, F4, F8, D4

  void answer_sizes() {
    bool is_unbounded = false, is_unsaid = false;
    int64_t most = 0;   // that is declared, or guessed
    int64_t least = 0;  // that who has the most has, as far as it is declared
    for (const int side : {0, 1}) {
      const End& end = relation_.ends[side];
      if (!end.leads_to_many) continue;
      is_unbounded = is_unbounded || end.is_unbounded;
      is_unsaid = is_unsaid || (!end.max && !end.is_unbounded);
      least = std::max(least, end.max.value_or(end.average.value_or(0)));
      const int64_t unsaid = end.average.value_or(kManyIfUnsaid);
      // Somebody has more than the average, and without bound there is no saying how many more.
      most = std::max(most, end.is_unbounded ? std::max(kManyIfUnbounded, end.average.value_or(0))
                                             : end.max.value_or(unsaid));
    }
    const bool is_one_to_one = relation_.cardinality == language::Cardinality::kOneToOne;
    if (is_one_to_one) {
      give(Q::kF2, kAnswerNo, Source::kDeclared, "there is one of each", relation_.syntax->forward.span);
      give(Q::kF8, 1, Source::kDeclared, "there is one of each", relation_.syntax->forward.span);
      give(Q::kF4, 1, Source::kDeclared, "there is one of each", relation_.syntax->forward.span);
    } else {
      if (is_unbounded) {
        give(Q::kF2, kAnswerYes, Source::kDeclared, "the model says unbounded", size_span());
      } else if (is_unsaid) {
        give(Q::kF2, kAnswerYes, Source::kAssumed, "nobody says how many there can be");
      } else {
        give(Q::kF2, kAnswerNo, Source::kDeclared, "at most " + std::to_string(most), size_span());
      }
      const std::string count = std::to_string(most);
      const bool is_guessed = is_unsaid || least < most;
      const std::string because = is_unbounded && is_guessed ? "without bound: thousands are assumed"
                                  : is_unsaid                ? "nobody says how many"
                                  : is_unbounded             ? "without bound, " + count + " or more"
                                                             : "at most " + count;
      const Source source = is_guessed ? Source::kAssumed : Source::kDeclared;
      give_size(Q::kF8, most, source, because);
      // Who changes writes all of them, and most has who has the most.
      give_size(Q::kF4, most, source, source == Source::kAssumed ? because : because + " hold it");
    }
    const auto count = static_cast<int64_t>(
        std::count_if(model_.relations.begin(), model_.relations.end(), [&](const Relation& other) {
          return other.cardinality == language::Cardinality::kOneToMany &&
                 other.ends[0].target == relation_.ends[0].target;
        }));
    give(Q::kD4, count, Source::kDeclared, "the model has them");
  }

  void give_size(Q id, int64_t declared, Source source, std::string because) {
    int64_t seen = 0;
    for (const int side : {0, 1}) {
      if (seen_ == nullptr || !relation_.ends[side].leads_to_many) continue;
      seen = std::max(seen, static_cast<int64_t>(seen_->sides[side].most));
    }
    const bool is_declared = source == Source::kDeclared;
    // Where nobody says how many there can be, what is there counts; without bound there will be more.
    const bool is_unsaid = !is_declared && std::none_of(std::begin(relation_.ends), std::end(relation_.ends),
                                                        [](const End& end) { return end.is_unbounded; });
    if (seen > 0 && (is_unsaid || seen > declared)) {
      give(id, seen, Source::kSeen, std::to_string(seen) + " were seen");
      Answer& answer = answers_.of(id);
      if (answer.source == Source::kSeen && is_declared)
        answer.instead_of = answer_text(id, declared) + " (declared): " + because;
      return;
    }
    give(id, declared, source, std::move(because), is_declared ? size_span() : language::Span{});
  }

  // --- Directions: F9, F19, F20

  void answer_directions() {
    const auto& forward = use_.along[0];
    const auto& backward = use_.along[1];
    const bool has_patterns = !forward.empty() || !backward.empty();
    if (relation_.is_symmetric) {
      give(Q::kF9, kAnswerYes, Source::kDeclared, "both ends are one", relation_.syntax->forward.span);
      give(Q::kF19, kSideNeither, Source::kDeclared, "both ends are alike", relation_.syntax->forward.span);
    } else {
      const bool both = !forward.empty() && !backward.empty();
      give_if(Q::kF9, both, has_patterns ? Source::kInferred : Source::kAssumed,
              both ? ask({forward.front()}, "along " + relation_.ends[0].name) + ", " +
                         ask({backward.front()}, "along " + relation_.ends[1].name)
              : !has_patterns ? "no pattern goes along it"
                              : ask(forward.empty() ? backward : forward,
                                    "along " + relation_.ends[forward.empty() ? 1 : 0].name + " only"));
      give(Q::kF19, kSideFirst, Source::kDeclared, with_name(0) + " is declared as the first",
           relation_.syntax->forward.span);
    }
    const Source source = has_patterns ? Source::kInferred : Source::kAssumed;
    if (relation_.cardinality == language::Cardinality::kOneToMany) {
      // Deletions and audits list the many of a one, whatever patterns ask.
      return give(Q::kF20, kSideFirst, source,
                  forward.empty() ? "whoever deletes one must find its " + relation_.ends[0].name
                                  : ask(forward, "along " + relation_.ends[0].name));
    }
    const bool is_net = relation_.cardinality == language::Cardinality::kManyToMany;
    const bool is_strong_back = is_net && use_.strong[0].empty() && !use_.strong[1].empty();
    const bool is_back = is_strong_back || (forward.empty() && (!is_net || !backward.empty()));
    const std::vector<const Pattern*>& asking = is_strong_back ? use_.strong[1] : use_.along[is_back ? 1 : 0];
    give(Q::kF20, is_back ? kSideSecond : kSideFirst, source,
         asking.empty() ? "no pattern goes along it"
                        : ask(asking, "along " + relation_.ends[is_back ? 1 : 0].name));
  }

  std::string with_name(int side) const { return model_.entities[relation_.ends[side].holder].name; }

  // --- How the many are read: F1, F12, F14, F17

  void answer_reads_of_many() {
    const Source source = model_.patterns.empty() ? Source::kAssumed : Source::kInferred;
    const auto give_by = [&](Q id, const std::vector<const Pattern*>& patterns, const std::string& what) {
      give_if(id, !patterns.empty(), source,
              patterns.empty() ? (model_.patterns.empty() ? "there are no patterns" : "no pattern asks so")
                               : ask(patterns, what));
    };
    give_by(Q::kF1, use_.by_inside, "by fields of " + many().name);
    give_by(Q::kF14, use_.many_alone, "for " + many().name + " by itself");
    give_by(Q::kF17, use_.sorted, "for an order, or for some, by fields of " + many().name);
    const bool apart = !use_.without_one.empty() || answers_.is_yes(Q::kF14);
    give_if(Q::kF12, !apart, source,
            !apart ? (model_.patterns.empty() ? "there are no patterns" : "no pattern reads them apart")
            : use_.without_one.empty() ? answers_.of(Q::kF14).because
                                       : ask(use_.without_one, "for " + relation_.ends[0].name + " alone"));
  }

  // --- Changes: F3, F10, F11, F13, F15

  void answer_changes() {
    for (auto& [id, answer] : copied_answers(model_, id_, use_, copyable()))
      give(id, answer.value, answer.source, std::move(answer.because), answer.span);
    answer_own_changes(reads_per_day(use_));
  }

  // Whatever the strategy will be: items of the many have room for what is of the one, and pairs for both.
  std::vector<WantedField> copyable() const {
    std::vector<WantedField> fields = use_.wanted;
    if (relation_.cardinality != language::Cardinality::kManyToMany)
      std::erase_if(fields, [](const WantedField& each) { return each.side == 0; });
    return fields;
  }

  void answer_own_changes(double reads_per_day) {
    constexpr double kRareShare = 0.1;
    const std::vector<Field>& fields = many().fields;
    const auto often = std::find_if(fields.begin(), fields.end(), [](const Field& field) {
      return field.syntax != nullptr && field.syntax->changes == Changes::kOften;
    });
    if (often != fields.end())
      return give(Q::kF13, kAnswerNo, Source::kDeclared, often->name + " changes often", often->syntax->span);
    const bool is_steady = std::all_of(fields.begin(), fields.end(), [](const Field& field) {
      return field.is_id || field.kept != Kept::kNo || field.syntax->is_immutable ||
             field.syntax->changes == Changes::kRarely;
    });
    if (is_steady) return give(Q::kF13, kAnswerYes, Source::kDeclared, "all its fields are steady");
    double changes = 0;
    for (const Operation* operation : use_.many_changes)
      changes += per_day(operation->syntax->clauses).value_or(0);
    if (changes > 0 && reads_per_day > 0) {
      const bool rarely = changes < kRareShare * reads_per_day;
      return give_if(Q::kF13, rarely, Source::kInferred,
                     use_.many_changes.front()->name +
                         (rarely ? " is rare beside what is read" : " is not rare beside what is read"));
    }
    if (!model_.operations.empty() && use_.many_changes.empty())
      return give(Q::kF13, kAnswerYes, Source::kInferred, "no operation changes one by itself");
    give(Q::kF13, kAnswerYes, Source::kAssumed, "nobody says how often they change");
  }

  // --- Consistency: F16

  void answer_consistency() {
    const bool is_net = relation_.cardinality == language::Cardinality::kManyToMany;
    const bool is_needed =
        !use_.strong[0].empty() && (!is_net || relation_.is_symmetric || !use_.strong[1].empty());
    if (is_needed) {
      const language::Clauses& said = use_.strong[0].front()->syntax->clauses;
      give(Q::kF16, kAnswerYes, Source::kDeclared, use_.strong[0].front()->name + " is strong",
           said.strong ? *said.strong : *said.snapshot);
    } else {
      give(Q::kF16, kAnswerNo, Source::kAssumed,
           is_net && !(use_.strong[0].empty() && use_.strong[1].empty())
               ? "strong patterns go in one direction"
               : "no pattern is strong");
    }
  }

  // --- Levels: F6, F7

  void answer_levels() {
    const Entity& one = model_.entities[relation_.ends[0].holder];
    const bool is_deep = is_within() && one.within && one.within->relation != id_;
    const bool from_above = !use_.level_above_only.empty() || !use_.level_above_through.empty();
    const bool is_searched = from_above && !use_.along[0].empty();
    const Source source = model_.patterns.empty() ? Source::kAssumed : Source::kInferred;
    give_if(Q::kF6, is_deep && is_searched, is_deep ? source : Source::kDeclared,
            !is_deep ? "there are two levels"
            : !is_searched
                ? "one level is searched"
                : ask(use_.level_above_through.empty() ? use_.level_above_only : use_.level_above_through,
                      "from above " + one.name));
    const bool wants_all = use_.level_above_only.empty();
    give_if(Q::kF7, wants_all, from_above ? Source::kInferred : Source::kAssumed,
            wants_all
                ? (from_above ? "every search from above goes down to " + many().name
                              : "no pattern searches from above")
                : ask(use_.level_above_only, "for " + one.name + " without its " + relation_.ends[0].name));
  }

  // --- F18

  void answer_pairs() {
    const bool has_fields = !relation_.edge_fields.empty();
    give_if(Q::kF18, has_fields, Source::kDeclared,
            has_fields ? "its edges have fields of their own" : "the edge has no fields",
            has_fields ? relation_.edge_fields.front().syntax->span : relation_.syntax->forward.span);
  }

  // --- C4

  void answer_searches() {
    std::vector<const Pattern*> by_part, by_data;
    for (const EdgeSearch& each : edge_searches(model_, id_)) {
      std::vector<const Pattern*>& to = each.is_by_part() ? by_part : by_data;
      if (to.empty() || to.back() != each.pattern) to.push_back(each.pattern);
    }
    const Source source = model_.patterns.empty() ? Source::kAssumed : Source::kInferred;
    if (by_part.empty() && by_data.empty())
      return give(Q::kC4, kAnswerNo, source,
                  model_.patterns.empty() ? "there are no patterns" : "no pattern asks so");
    give(Q::kC4, kAnswerYes, source,
         by_part.empty() ? ask(by_data, "by data of the pair")
                         : ask(by_part, "by a part of the id of what it connects"));
  }

  // --- F5

  void answer_key() {
    const End& to_parent = relation_.ends[1];
    const language::Physical& physical = clauses_.entities[relation_.ends[0].target];
    const auto realised = realised_by_keys(model_, clauses_, id_);
    const std::optional<language::Via>& said = clauses_.relations[id_];
    const bool is_claimed =
        said && physical.key &&
        (said->kind == language::Via::Kind::kCollection || said->kind == language::Via::Kind::kPath);
    if (is_claimed)
      return give(Q::kF5, kAnswerNo, Source::kDeclared, "its key lies in its parent's partition",
                  physical.key->span);
    const bool lies_with_parent = realised && (realised->via == language::Via::Kind::kCollection ||
                                               realised->via == language::Via::Kind::kPath);
    if (lies_with_parent)
      return give(Q::kF5, kAnswerNo, Source::kDeclared, realised->reason, physical.key->span);
    if (physical.key)
      return give(Q::kF5, kAnswerYes, Source::kDeclared, "its own key is used for something else",
                  physical.key->span);
    if (!to_parent.is_required)
      return give(Q::kF5, kAnswerYes, Source::kDeclared,
                  "it can be without " + to_parent.name + ", and then has no partition to lie in",
                  relation_.syntax->forward.span);
    if (many().within && !is_within())
      return give(Q::kF5, kAnswerYes, Source::kDeclared, "it lies in the partition of another parent",
                  many().syntax->within->span);
    if (is_within())
      return give(Q::kF5, kAnswerNo, Source::kDeclared, "its id tells its " + to_parent.name,
                  many().syntax->within->span);
    if (answers_.is_yes(Q::kF14) || !use_.without_one.empty())
      return give(Q::kF5, kAnswerYes, Source::kInferred,
                  "it is looked up by its own id, which does not tell its parent");
    if (many().ends.size() > 1)
      return give(Q::kF5, kAnswerYes, Source::kInferred,
                  "its other relations know its own id, which does not tell its parent");
    give(Q::kF5, kAnswerNo, Source::kAssumed, "nobody looks it up by its own id");
  }

  // --- How often: F21, F23

  void answer_seldom() {
    std::vector<const Pattern*> asking = use_.along[0];
    for (const Pattern* pattern : use_.along[1]) {
      if (std::find(asking.begin(), asking.end(), pattern) == asking.end()) asking.push_back(pattern);
    }
    double reads = 0;
    bool is_all_said = !asking.empty();
    for (const Pattern* pattern : asking) {
      const std::optional<double> said = per_day(pattern->syntax->clauses);
      is_all_said = is_all_said && said;
      reads += said.value_or(0);
    }
    const std::string rate = number_text(reads) + " times a day in all";
    if (reads >= kSeldomReadsPerDay) return give(Q::kF21, kAnswerNo, Source::kInferred, "it is read " + rate);
    if (is_all_said) return give(Q::kF21, kAnswerYes, Source::kInferred, "it is read " + rate);
    give(Q::kF21, kAnswerNo, Source::kAssumed, "nobody says that it is seldom read");
  }

  // Rates are of all of the many together. What one partition bears, all of them bear wherever they lie; more
  // than that may be spread, which only data tell.
  void answer_busy() {
    double reads = 0, writes = 0;
    bool is_all_said = true;
    const auto add = [&](double& to, const language::Clauses& clauses) {
      const std::optional<double> said = per_day(clauses);
      is_all_said = is_all_said && said;
      to += said.value_or(0) / kSecondsPerDay;
    };
    for (const Pattern* pattern : use_.one_of_many) add(reads, pattern->syntax->clauses);
    for (const Operation* operation : use_.one_of_many_changes) add(writes, operation->syntax->clauses);
    const std::string rate =
        number_text(reads) + " reads and " + number_text(writes) + " writes of single ones a second";
    const auto is_more = [&](double partitions) {
      return reads > kPartitionReadsPerSecond * partitions || writes > kPartitionWritesPerSecond * partitions;
    };
    if (is_more(1)) {
      const uint64_t ones = seen_ == nullptr ? 0 : seen_->sides[0].holders;
      if (ones > 0)
        return give_if(Q::kF23, is_more(static_cast<double>(ones)), Source::kSeen,
                       rate + ", in the partitions of " + std::to_string(ones) + " " + with_name(0));
      return give(Q::kF23, kAnswerYes, Source::kAssumed,
                  rate + ", and a partition bears 3000 and 1000: nobody says how they are spread");
    }
    if (is_all_said && reads + writes > 0)
      return give(Q::kF23, kAnswerNo, Source::kInferred, rate + ", and a partition bears 3000 and 1000");
    give(Q::kF23, kAnswerNo, Source::kAssumed, "nobody says that single ones are busy");
  }

  static std::string number_text(double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.6g", value);
    return text;
  }

  const Model& model_;
  const LayoutClauses& clauses_;
  const RelationId id_;
  const ToldAnswers& told_;
  const SeenSizes* const seen_;
  const Relation& relation_;
  const RelationUse use_;
  Answers answers_;
};

}  // namespace

std::string_view name_of(AnswerSource source) {
  switch (source) {
    case Source::kDeclared:
      return "declared";
    case Source::kInferred:
      return "inferred";
    case Source::kSeen:
      return "seen";
    case Source::kTold:
      return "told";
    case Source::kAssumed:
      break;
  }
  return "assumed";
}

void answer_for_copied(const Model& model, RelationId relation, const std::vector<WantedField>& fields,
                       Answers& answers) {
  for (auto& [id, answer] : copied_answers(model, relation, relation_use(model, relation), fields)) {
    if (answers.of(id).source != Source::kTold) answers.of(id) = std::move(answer);
  }
}

Answers gather_answers(const Model& model, const LayoutClauses& clauses, RelationId relation,
                       const ToldAnswers& told, const SeenSizes* seen) {
  return AnswerGatherer(model, clauses, relation, told, seen).run();
}

}  // namespace sheaf::model

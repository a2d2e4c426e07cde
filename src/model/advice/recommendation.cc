#include "model/advice/recommendation.h"

#include <algorithm>
#include <cstdio>
#include <set>

#include "model/advice/obstacles.h"

namespace sheaf::model {
namespace {

using Via = language::Via::Kind;
using Q = QuestionId;

constexpr Via kStrategyKinds[] = {Via::kEmbed, Via::kCollection, Via::kPath,  Via::kIndex, Via::kRef,
                                  Via::kEdges, Via::kGraph,      Via::kLists, Via::kIds};

// As somebody writes it who only knows the strategy.
Outcome plain_outcome(Via kind, const Relation& relation) {
  switch (kind) {
    case Via::kEmbed:
      return Outcome::kEmbed;
    case Via::kPath:
      return Outcome::kPath;
    case Via::kIndex:
      return Outcome::kIndex;
    case Via::kRef:
      return Outcome::kRef;
    case Via::kLists:
      return Outcome::kShallow;
    case Via::kIds:
      return Outcome::kNormalised;
    case Via::kGraph:
      return Outcome::kGraph;
    case Via::kEdges:
      return relation.is_symmetric                                        ? Outcome::kSymmetric
             : relation.cardinality == language::Cardinality::kManyToMany ? Outcome::kAdjacencyWithIndex
                                                                          : Outcome::kEdgesOfOne;
    default:
      return Outcome::kCollection;
  }
}

int along_of(const Answers& answers) { return answers.value(Q::kF20) == kSideSecond ? 1 : 0; }

Obstacle obstacles_of(const Model& model, const LayoutClauses& clauses, RelationId relation, int along,
                      const AdviceInputs& inputs) {
  return [&model, &clauses, relation, along, &inputs](Outcome outcome) -> std::optional<std::string> {
    auto found = obstacle_to(model, clauses, relation, outcome, along);
    if (!found && inputs.trial) found = inputs.trial(via_text(outcome, model.relations[relation], along));
    return found;
  };
}

// For a relation that nothing can store to which its tree leads: a strategy that can, and that passes the
// trial if one of them does.
std::optional<Outcome> whatever_can_be(const Model& model, const LayoutClauses& clauses, RelationId relation,
                                       int along, const Obstacle& obstacle) {
  std::optional<Outcome> found;
  for (const Via kind : kStrategyKinds) {
    const Outcome outcome = plain_outcome(kind, model.relations[relation]);
    if (!obstacle(outcome)) return outcome;
    if (!found && !obstacle_to(model, clauses, relation, outcome, along)) found = outcome;
  }
  return found;
}

std::vector<int64_t> other_values(Q id, int64_t now) {
  std::vector<int64_t> values;
  const Question& asked = question(id);
  if (asked.kind == AnswerKind::kYesNo) values = {kAnswerNo, kAnswerYes};
  for (size_t i = 0; i < asked.choices.size(); ++i) values.push_back(static_cast<int64_t>(i));
  if (asked.kind == AnswerKind::kNumber) values = turning_points(id);
  values.erase(std::remove(values.begin(), values.end(), now), values.end());
  return values;
}

// What is written to be copied.
std::vector<WantedField> copied_fields(const Model& model, const Relation& relation,
                                       const language::Via& written) {
  std::vector<WantedField> found;
  for (const language::Copy& copy : written.copies) {
    const int side = copy.end.text == relation.ends[0].name ? 0 : 1;
    const EntityId source = relation.ends[side].target;
    for (FieldId field = 0; field < model.entities[source].fields.size(); ++field) {
      const Field& each = model.entities[source].fields[field];
      const bool is_named = std::any_of(copy.fields.begin(), copy.fields.end(),
                                        [&](const language::Name& name) { return name.text == each.name; });
      const bool is_plain =
          !each.is_id && !each.count_of && each.kept != Kept::kUpdated && each.kept != Kept::kVersion;
      if (is_named || (copy.all && is_plain)) found.push_back({.side = side, .field = field});
    }
  }
  return found;
}

// Whether a branch leads to a strategy, as long as nothing stands in the way.
bool leads_to(const DecisionTree& tree, BranchId branch, Via kind) {
  if (branch < 0) return text_of(tree.leaves[static_cast<size_t>(-1 - branch)].outcome).via == kind;
  const DecisionNode& node = tree.nodes[static_cast<size_t>(branch)];
  return leads_to(tree, node.yes, kind) || leads_to(tree, node.no, kind);
}

// The last node on the way from which the other branch would have led to a strategy; none if there is none.
const DecisionNode* where_it_parted(const DecisionTree& tree, const DecisionPath& path, Via kind) {
  for (auto step = path.steps.rbegin(); step != path.steps.rend(); ++step) {
    if (leads_to(tree, step->holds ? step->node->no : step->node->yes, kind)) return step->node;
  }
  return nullptr;
}

class Recommender {
 public:
  Recommender(const Model& model, const LayoutClauses& clauses, RelationId id, const AdviceInputs& inputs)
      : model_(model), clauses_(clauses), id_(id), inputs_(inputs), relation_(model.relations[id]) {}

  Recommendation run() {
    made_.relation = id_;
    made_.answers = gather(inputs_.told);
    Decision decision = decide(model_, clauses_, id_, made_.answers, inputs_);
    made_.outcome = decision.outcome;
    made_.via = via_text(decision.outcome, relation_, decision.along);
    made_.reason = std::move(decision.reason);
    made_.path = std::move(decision.path);
    add_notes();
    read_tables();
    reject_others();
    try_other_answers();
    find_open();
    advise_copies();
    compare_measured();
    return std::move(made_);
  }

 private:
  Answers gather(const ToldAnswers& told) const {
    return gather_answers(model_, clauses_, id_, told, inputs_.seen);
  }

  bool matters(const Question& asked) const {
    return asked.is_asked() && asked.matters_for(relation_.cardinality);
  }

  Decision decide_with(Q id, int64_t value,
                       std::optional<std::pair<Q, int64_t>> second = std::nullopt) const {
    ToldAnswers told = inputs_.told;
    told[id] = value;
    if (second) told[second->first] = second->second;
    return decide(model_, clauses_, id_, gather(told), inputs_);
  }
  bool is_other(const Decision& decision) const {
    return via_text(decision.outcome, relation_, decision.along) != made_.via ||
           decision.outcome != made_.outcome;
  }

  void add_notes() {
    if (const std::string_view note = text_of(made_.outcome).note; !note.empty())
      made_.notes.emplace_back(note);
    if (made_.outcome != Outcome::kIndex || !relation_.ends[0].leads_to_many) return;
    const std::string one = relation_.ends[1].name;
    const std::vector<language::IndexKeys>& written = clauses_.entities[relation_.ends[0].target].indexes;
    const bool is_split = std::any_of(written.begin(), written.end(), [](const language::IndexKeys& index) {
      return std::any_of(index.keys.pk.pieces.begin(), index.keys.pk.pieces.end(), [](const auto& piece) {
        using Format = language::Hole::Format;
        const auto* const hole = std::get_if<language::Hole>(&piece);
        return hole != nullptr && hole->format >= Format::kYear && hole->format <= Format::kShard;
      });
    });
    if (made_.answers.is_yes(Q::kF2) && !is_split)
      made_.notes.push_back(
          "all of one lie in one partition of the index: split it before it is too large, by a bucket of "
          "time (<at:month>) or a shard (<id:shard(8)>) in its partition key");
    if (made_.answers.is_yes(Q::kF17) && written.empty())
      made_.notes.push_back("write the keys of the index, with the field before the id: index GSI1 \"..<" +
                            one + ".ID>\" / \"..<FIELD>#<ID>\"");
  }

  void read_tables() {
    const Via chosen = text_of(made_.outcome).via;
    for (const SummaryRow& row : summary_rows()) {
      const RowVerdict found = verdict(row, relation_, made_.answers);
      if (found == RowVerdict::kSilent || text_of(row.outcome).via == Via::kAuto) continue;
      const bool is_same = is_said_of(text_of(row.outcome).via, chosen);
      if (is_same && found == RowVerdict::kFor) made_.rows_for.push_back(&row);
      if (is_same != (found == RowVerdict::kFor)) made_.rows_against.push_back(&row);
    }
  }

  void reject_others() {
    const int along = along_of(made_.answers);
    const Obstacle obstacle = obstacles_of(model_, clauses_, id_, along, inputs_);
    for (const Via kind : kStrategyKinds) {
      if (kind == text_of(made_.outcome).via) continue;
      if (const auto found = obstacle(plain_outcome(kind, relation_))) {
        made_.rejected.push_back({.via = kind, .reason = *found, .is_impossible = true});
        continue;
      }
      std::string reason;
      for (const Objection& objection : objections()) {
        if (objection.via != kind || !objection.holds(relation_, made_.answers)) continue;
        reason += (reason.empty() ? "" : "; ") + std::string(objection.text);
      }
      if (reason.empty()) reason = what_decided(kind);
      made_.rejected.push_back({.via = kind, .reason = std::move(reason)});
    }
  }

  std::string what_decided(Via kind) const {
    const DecisionNode* const node = where_it_parted(tree_for(relation_), made_.path, kind);
    if (node == nullptr) return "it could be; the tree does not lead to it";
    const Q id = node->test.question;
    return "it could be; what decided is " + std::string(question(id).name) + ", which is " +
           answer_text(id, made_.answers.value(id)) + ": " + std::string(node->why);
  }

  void try_other_answers() {
    for (const Question& asked : questions()) {
      if (!matters(asked)) continue;
      for (const int64_t value : other_values(asked.id, made_.answers.value(asked.id))) {
        const Decision other = decide_with(asked.id, value);
        if (!is_other(other)) continue;
        const bool is_known =
            std::any_of(made_.changes.begin(), made_.changes.end(), [&](const AnswerChange& change) {
              return change.question == asked.id && change.outcome == other.outcome;
            });
        if (!is_known)
          made_.changes.push_back({.question = asked.id,
                                   .value = value,
                                   .outcome = other.outcome,
                                   .via = via_text(other.outcome, relation_, other.along)});
      }
    }
  }

  // An assumed answer that changes it by itself, or together with another assumed one.
  void find_open() {
    std::vector<Q> assumed;
    for (const Question& asked : questions()) {
      if (matters(asked) && !made_.answers.of(asked.id).is_known()) assumed.push_back(asked.id);
    }
    for (const Q id : assumed) {
      if (is_open(id, assumed)) made_.open.push_back(id);
    }
  }

  bool is_open(Q id, const std::vector<Q>& assumed) const {
    for (const int64_t value : other_values(id, made_.answers.value(id))) {
      const Decision alone = decide_with(id, value);
      if (is_other(alone)) return true;
      for (const Q second : assumed) {
        if (second == id) continue;
        for (const int64_t with : other_values(second, made_.answers.value(second))) {
          const Decision both = decide_with(id, value, std::pair(second, with));
          // Neither does it alone.
          if (is_other(both) && !is_other(decide_with(second, with))) return true;
        }
      }
    }
    return false;
  }

  // Whether the chosen strategy has a place for copies of what an end leads to.
  bool has_room(const WantedField& wanted) const {
    const Entity& source = model_.entities[relation_.ends[wanted.side].target];
    if (clauses_.entities[relation_.ends[wanted.side].target].store == language::Store::kEav) return false;
    switch (text_of(made_.outcome).via) {
      case Via::kCollection:
      case Via::kPath:
      case Via::kIndex:
        return wanted.side == 1;
      case Via::kRef:
        return wanted.side == 1 && source.fields[wanted.field].syntax->is_immutable;
      case Via::kEdges:
      case Via::kGraph:
      case Via::kLists:
        return true;
      default:
        return false;
    }
  }

  void advise_copies() {
    CopyAdvice& copies = made_.copies;
    for (const WantedField& wanted : relation_use(model_, id_).wanted) {
      if (has_room(wanted)) copies.fields.push_back(wanted);
    }
    // Of what has room, and of nothing else that patterns want.
    copies.answers = made_.answers;
    answer_for_copied(model_, id_, copies.fields, copies.answers);
    copies.path = follow(copy_tree(), copies.answers, nullptr);
    copies.is_advised = !copies.fields.empty() && copies.path.leaf->outcome == Outcome::kCopy;
    copies.reason =
        copies.fields.empty() ? "no pattern wants fields that could be copied" : copies.path.leaf->reason;
    if (copies.fields.empty()) return;
    try_other_copies();
    find_open_of_copies();
  }

  void try_other_copies() {
    CopyAdvice& copies = made_.copies;
    for (const Question& asked : questions()) {
      const bool is_in_tree =
          std::any_of(copy_tree().nodes.begin(), copy_tree().nodes.end(),
                      [&](const DecisionNode& node) { return node.test.question == asked.id; });
      if (!is_in_tree) continue;
      for (const int64_t value : other_values(asked.id, copies.answers.value(asked.id))) {
        Answers other = copies.answers;
        other.of(asked.id).value = value;
        const Outcome outcome = outcome_of_copies(other);
        if (outcome == copies.path.leaf->outcome) continue;
        copies.changes.push_back({.question = asked.id, .value = value, .outcome = outcome});
        break;
      }
    }
  }

  Outcome outcome_of_copies(const Answers& answers) const {
    return follow(copy_tree(), answers, nullptr).leaf->outcome;
  }

  // Assumed answers that change it, all that are needed for it together and none beside them.
  void find_open_of_copies() {
    CopyAdvice& copies = made_.copies;
    std::vector<Q> assumed;
    for (const DecisionNode& node : copy_tree().nodes) {
      if (!copies.answers.of(node.test.question).is_known()) assumed.push_back(node.test.question);
    }
    std::set<Q> found;
    std::vector<Q> changed;
    Answers answers = copies.answers;
    try_together(assumed, 0, answers, changed, found);
    for (const Q id : assumed) {
      if (found.contains(id)) copies.open.push_back(id);
    }
    for (const Q id : copies.open) {
      if (std::find(made_.open.begin(), made_.open.end(), id) == made_.open.end()) made_.open.push_back(id);
    }
  }

  void try_together(const std::vector<Q>& assumed, size_t next, Answers& answers, std::vector<Q>& changed,
                    std::set<Q>& found) const {
    const Outcome now = made_.copies.path.leaf->outcome;
    if (next == assumed.size()) {
      if (outcome_of_copies(answers) == now) return;
      const bool is_each_needed = std::all_of(changed.begin(), changed.end(), [&](Q id) {
        Answers without = answers;
        without.of(id) = made_.copies.answers.of(id);
        return outcome_of_copies(without) == now;
      });
      if (is_each_needed) found.insert(changed.begin(), changed.end());
      return;
    }
    const Q id = assumed[next];
    try_together(assumed, next + 1, answers, changed, found);
    changed.push_back(id);
    for (const int64_t value : other_values(id, made_.copies.answers.value(id))) {
      answers.of(id).value = value;
      try_together(assumed, next + 1, answers, changed, found);
    }
    changed.pop_back();
    answers.of(id) = made_.copies.answers.of(id);
  }

  // F22: what is measured has the last word, and the tables are told so.
  void compare_measured() {
    // What is copied, if it is advised, was measured with all fields that are wanted.
    const std::string copied = made_.via + " copy ";
    const auto mine =
        std::find_if(inputs_.measured.begin(), inputs_.measured.end(), [&](const MeasuredStrategy& each) {
          return made_.copies.is_advised ? each.via.starts_with(copied) : each.via == made_.via;
        });
    if (mine == inputs_.measured.end()) return;
    const auto number = [](double value) {
      char text[32];
      std::snprintf(text, sizeof text, "%g", value);
      return std::string(text);
    };
    for (const MeasuredStrategy& other : inputs_.measured) {
      if (other.via == mine->via || other.requests > mine->requests || other.units > mine->units) continue;
      if (other.requests == mine->requests && other.units == mine->units) continue;
      made_.contradictions.push_back("via " + other.via + " took " + number(other.requests) +
                                     " requests and " + number(other.units) + " units, via " + mine->via +
                                     " took " + number(mine->requests) + " and " + number(mine->units));
    }
  }

  const Model& model_;
  const LayoutClauses& clauses_;
  const RelationId id_;
  const AdviceInputs& inputs_;
  const Relation& relation_;
  Recommendation made_;
};

}  // namespace

Decision decide(const Model& model, const LayoutClauses& clauses, RelationId relation, const Answers& answers,
                const AdviceInputs& inputs) {
  Decision decision{.along = along_of(answers)};
  const DecisionTree& tree = tree_for(model.relations[relation]);
  const Obstacle obstacle = obstacles_of(model, clauses, relation, decision.along, inputs);
  decision.path = follow(tree, answers, obstacle);
  // Where no strategy passes the trial it tells nothing.
  if (inputs.trial && obstacle(decision.path.leaf->outcome)) {
    const AdviceInputs without_trial;
    decision.path =
        follow(tree, answers, obstacles_of(model, clauses, relation, decision.along, without_trial));
  }
  const DecisionLeaf& leaf = *decision.path.leaf;
  decision.outcome = leaf.outcome;
  decision.reason = leaf.reason_of ? answers.of(*leaf.reason_of).because : std::string(leaf.reason);
  if (leaf.outcome == Outcome::kEmbed && model.relations[relation].ends[0].leads_to_many)
    decision.reason = answers.of(QuestionId::kF8).because + ", always read with their parent";
  if (const auto found = obstacle_to(model, clauses, relation, leaf.outcome, decision.along)) {
    if (const auto other = whatever_can_be(model, clauses, relation, decision.along, obstacle)) {
      decision.path.struck.push_back({.leaf = &leaf, .obstacle = *found});
      decision.outcome = *other;
      decision.reason = "nothing else can store it";
      return decision;
    }
  }
  // Nobody would have come here, if others could be.
  const bool is_fallen_back =
      leaf.is_last_resort || (leaf.reason_of && answers.of(*leaf.reason_of).value != kAnswerYes);
  if (is_fallen_back && !decision.path.struck.empty())
    decision.reason = decision.path.struck.front().obstacle;
  return decision;
}

const Answer& Recommendation::assumed(QuestionId id) const {
  const bool is_of_copies = std::find(copies.open.begin(), copies.open.end(), id) != copies.open.end();
  return is_of_copies ? copies.answers.of(id) : answers.of(id);
}

Recommendation recommend(const Model& model, const LayoutClauses& clauses, RelationId relation,
                         const AdviceInputs& inputs) {
  return Recommender(model, clauses, relation, inputs).run();
}

WrittenVerdict judge(const Model& model, const Recommendation& recommendation, const language::Via& written) {
  WrittenVerdict made;
  const Relation& relation = model.relations[recommendation.relation];
  const Via advised = text_of(recommendation.outcome).via;
  // Edges whose keys are written down are led by what their writer wants.
  const bool is_same = written.kind == advised || (written.kind == Via::kGraph && advised == Via::kEdges) ||
                       (written.kind == Via::kEdges && advised == Via::kGraph && written.physical.key);
  made.is_same_strategy = is_same;
  Answers of_copies = recommendation.answers;
  answer_for_copied(model, recommendation.relation, copied_fields(model, relation, written), of_copies);
  bool is_contradicted = false;
  for (const Objection& objection : objections()) {
    const bool is_of_copies = objection.via == Via::kAuto;
    const Answers& answers = is_of_copies ? of_copies : recommendation.answers;
    const bool is_about = is_of_copies ? !written.copies.empty() : objection.via == written.kind && !is_same;
    if (!is_about || !objection.holds(relation, answers) || !objection.is_known(answers)) continue;
    made.objections.emplace_back(objection.text);
    is_contradicted = is_contradicted || objection.is_grave;
  }
  made.kind = is_contradicted ? WrittenVerdict::Kind::kContradicted
              : is_same       ? WrittenVerdict::Kind::kAgrees
                              : WrittenVerdict::Kind::kDiffers;
  return made;
}

}  // namespace sheaf::model

// Advice for people.
#include <algorithm>

#include "model/advice/advice_report.h"

namespace sheaf::model {
namespace {

constexpr size_t kLabelWidth = 11;

// "  because    it is so": a label once, and what follows it below each other.
class LabelledLines {
 public:
  void add(std::string_view label, const std::string& text) {
    const bool is_new = label != last_;
    last_ = label;
    std::string shown(is_new ? label : "");
    shown.resize(std::max(shown.size() + 1, kLabelWidth), ' ');
    out_ += "  " + shown + text + "\n";
  }
  std::string take() { return std::move(out_); }

 private:
  std::string last_;
  std::string out_;
};

std::string in_column(std::string text, size_t width) {
  text.resize(std::max(text.size() + 1, width), ' ');
  return text;
}

std::string place_text(const language::SourceText& source, language::Span span) {
  if (span.end <= span.begin) return "";
  return ", line " + std::to_string(source.position(span.begin).line);
}

std::string said_text(const language::SourceText& source, const Answer& answer) {
  std::string text =
      answer.because + " (" + std::string(name_of(answer.source)) + place_text(source, answer.span) + ")";
  if (!answer.instead_of.empty()) text += "; without that " + answer.instead_of;
  return text;
}

std::string_view cardinality_text(const Relation& relation) {
  switch (relation.cardinality) {
    case language::Cardinality::kOneToOne:
      return "1--1";
    case language::Cardinality::kOneToMany:
      return "1--*";
    case language::Cardinality::kManyToMany:
      break;
  }
  return "*--*";
}

void add_written(const language::SourceText& source, const RelationAdvice& advice, LabelledLines& lines) {
  if (!advice.written) return;
  const WrittenStrategy& written = *advice.written;
  const std::string what =
      (written.is_by_keys ? "its keys realise " : "via ") + written.text + place_text(source, written.span);
  switch (advice.verdict.kind) {
    case WrittenVerdict::Kind::kAgrees:
      lines.add("written", what + ": the same");
      break;
    case WrittenVerdict::Kind::kDiffers:
      lines.add("written", what + ": it can stay, nothing grave speaks against it");
      break;
    case WrittenVerdict::Kind::kContradicted:
      lines.add("written", what + ": contradicted");
      break;
  }
  for (const std::string& objection : advice.verdict.objections) lines.add("written", "- " + objection);
}

void add_steps(std::string_view label, const language::SourceText& source, const DecisionPath& path,
               const Answers& answers, LabelledLines& lines) {
  std::vector<QuestionId> shown;
  for (const DecisionStep& step : path.steps) {
    const QuestionId id = step.node->test.question;
    if (std::find(shown.begin(), shown.end(), id) != shown.end()) continue;
    shown.push_back(id);
    const Answer& answer = answers.of(id);
    lines.add(label, in_column(std::string(question(id).name), 5) +
                         in_column(answer_text(id, answer.value), 8) + said_text(source, answer));
  }
}

void add_copies(const language::SourceText& source, const CopyAdvice& copies, LabelledLines& lines) {
  if (copies.fields.empty()) return;
  lines.add("copies", (copies.is_advised ? "yes: " : "no: ") + copies.reason);
  add_steps("copies", source, copies.path, copies.answers, lines);
  for (const AnswerChange& each : copies.changes)
    lines.add("copies", "unless " + std::string(question(each.question).name) + " is " +
                            answer_text(each.question, each.value) + ": " +
                            std::string(text_of(each.outcome).name));
}

void add_way(const language::SourceText& source, const Recommendation& made, LabelledLines& lines) {
  add_steps("way", source, made.path, made.answers, lines);
  for (const StruckLeaf& struck : made.path.struck)
    lines.add("way", in_column("", 5) + in_column("not", 8) +
                         std::string(text_of(struck.leaf->outcome).name) + ": " + struck.obstacle);
}

std::string text_of_one(const Model& model, const language::SourceText& source,
                        const RelationAdvice& advice) {
  const Recommendation& made = advice.recommendation;
  const Relation& relation = model.relations[made.relation];
  const OutcomeText& outcome = text_of(made.outcome);
  std::string out = full_relation_name(model, made.relation) + " " + std::string(cardinality_text(relation)) +
                    " " + model.entities[relation.ends[0].target].name + ": via " + advice.via + "\n";
  LabelledLines lines;
  lines.add("because", made.reason);
  lines.add("that is", std::string(outcome.title) + " (" + std::string(outcome.points) + ")");
  for (const std::string& note : made.notes) lines.add("and", note);
  add_written(source, advice, lines);
  add_way(source, made, lines);
  for (const SummaryRow* row : made.rows_for)
    lines.add("tables", "for it: " + std::string(row->says) + " [" + std::string(row->name) + "]");
  for (const SummaryRow* row : made.rows_against)
    lines.add("tables", "against it: " + std::string(row->says) + " [" + std::string(row->name) + "]");
  for (const TradeOff& each : trade_offs()) {
    if (!is_said_of(each.via, outcome.via)) continue;
    lines.add("price",
              (each.is_gain ? "+ " : "- ") + std::string(each.text) + " (" + std::string(each.points) + ")");
  }
  add_copies(source, made.copies, lines);
  for (const RejectedStrategy& each : made.rejected)
    lines.add("not", in_column(std::string(via_word(each.via)), 11) + (each.is_impossible ? "cannot: " : "") +
                         each.reason);
  for (const AnswerChange& each : made.changes)
    lines.add("unless", std::string(question(each.question).name) + " is " +
                            answer_text(each.question, each.value) + ": via " + each.via + " (" +
                            std::string(text_of(each.outcome).name) + ")");
  if (!advice.measured_on.empty()) lines.add("measured", "on " + advice.measured_on);
  for (const std::string& each : made.contradictions) lines.add("measured", each + " (F22)");
  for (const QuestionId id : made.open)
    lines.add("open", in_column(std::string(question(id).name), 5) + std::string(question(id).text) + " (" +
                          answer_forms(id) + "; assumed: " + answer_text(id, made.assumed(id).value) + ")");
  for (const std::string& each : advice.findings) lines.add("lint", each);
  return out + lines.take();
}

}  // namespace

std::string full_relation_name(const Model& model, RelationId relation) {
  const End& end = model.relations[relation].ends[0];
  return model.entities[end.holder].name + "." + end.name;
}

std::string copies_text(const Model& model, const Recommendation& recommendation) {
  if (!recommendation.copies.is_advised) return "";
  std::string text;
  const Relation& relation = model.relations[recommendation.relation];
  for (const int side : {0, 1}) {
    std::string fields;
    for (const WantedField& wanted : recommendation.copies.fields) {
      if (wanted.side != side) continue;
      fields +=
          (fields.empty() ? "" : ", ") + model.entities[relation.ends[side].target].fields[wanted.field].name;
    }
    if (!fields.empty())
      text += (text.empty() ? "copy " : " copy ") + relation.ends[side].name + "(" + fields + ")";
  }
  return text;
}

std::string to_text(const Model& model, const language::SourceText& source,
                    const std::vector<RelationAdvice>& advice) {
  std::string out;
  for (const RelationAdvice& each : advice) {
    if (!out.empty()) out += "\n";
    out += text_of_one(model, source, each);
  }
  return out;
}

}  // namespace sheaf::model

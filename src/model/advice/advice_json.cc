// Advice for programs.
#include "language/json_writer.h"
#include "model/advice/advice_report.h"

namespace sheaf::model {
namespace {

using language::JsonWriter;

class AdviceWriter {
 public:
  AdviceWriter(const Model& model, const language::SourceText& source) : model_(model), source_(source) {}

  std::string run(const std::vector<RelationAdvice>& advice) {
    json_.array([&] {
      for (const RelationAdvice& each : advice) {
        json_.object([&] { write(each); });
      }
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
  template <typename List, typename Write>
  void list(std::string_view name, const List& values, const Write& write_one) {
    json_.member(name);
    json_.array([&] {
      for (const auto& each : values) write_one(each);
    });
  }

  void value(std::string_view name, QuestionId id, int64_t said) {
    json_.member(name);
    if (question(id).kind == AnswerKind::kNumber) {
      json_.word(std::to_string(said));
    } else {
      json_.text(answer_text(id, said));
    }
  }

  void line(language::Span span) {
    if (span.end <= span.begin) return;
    json_.member("line");
    json_.word(std::to_string(source_.position(span.begin).line));
  }

  void answer(QuestionId id, const Answer& said) {
    text("question", question(id).name);
    text("text", question(id).text);
    value("answer", id, said.value);
    text("source", name_of(said.source));
    text("because", said.because);
    if (!said.instead_of.empty()) text("instead_of", said.instead_of);
    line(said.span);
  }

  void write(const RelationAdvice& advice) {
    const Recommendation& made = advice.recommendation;
    const OutcomeText& outcome = text_of(made.outcome);
    text("relation", full_relation_name(model_, made.relation));
    text("via", advice.via);
    text("outcome", outcome.name);
    text("points", outcome.points);
    text("reason", made.reason);
    if (!outcome.note.empty()) text("note", outcome.note);
    list("notes", made.notes, [&](const std::string& each) { json_.text(each); });
    if (advice.written) {
      json_.member("written");
      json_.object([&] { written(*advice.written, advice.verdict); });
    }
    way(made.path);
    list("answers", questions(), [&](const Question& asked) {
      if (asked.is_asked() && asked.matters_for(model_.relations[made.relation].cardinality))
        json_.object([&] { answer(asked.id, made.answers.of(asked.id)); });
    });
    const auto row = [&](const SummaryRow* each) {
      json_.object([&] {
        text("row", each->name);
        text("says", each->says);
      });
    };
    list("tables_for", made.rows_for, row);
    list("tables_against", made.rows_against, row);
    list("trade_offs", trade_offs(), [&](const TradeOff& each) {
      if (!is_said_of(each.via, outcome.via)) return;
      json_.object([&] {
        text(each.is_gain ? "gain" : "loss", each.text);
        text("point", each.points);
      });
    });
    list("rejected", made.rejected, [&](const RejectedStrategy& each) {
      json_.object([&] {
        text("via", via_word(each.via));
        flag("possible", !each.is_impossible);
        text("reason", each.reason);
      });
    });
    changes(made.changes);
    list("open", made.open, [&](QuestionId id) {
      json_.object([&] {
        text("question", question(id).name);
        text("text", question(id).text);
        text("forms", answer_forms(id));
        value("assumed", id, made.assumed(id).value);
      });
    });
    copies(made);
    if (!advice.measured_on.empty()) text("measured_on", advice.measured_on);
    list("contradictions", made.contradictions, [&](const std::string& each) { json_.text(each); });
    list("lint", advice.findings, [&](const std::string& each) { json_.text(each); });
  }

  void way(const DecisionPath& path) {
    list("way", path.steps, [&](const DecisionStep& step) {
      json_.object([&] {
        text("test", step.node->test.text());
        flag("holds", step.holds);
        text("why", step.node->why);
      });
    });
  }

  void changes(const std::vector<AnswerChange>& all) {
    list("changes", all, [&](const AnswerChange& each) {
      json_.object([&] {
        text("question", question(each.question).name);
        value("answer", each.question, each.value);
        if (!each.via.empty()) text("via", each.via);
        text("outcome", text_of(each.outcome).name);
      });
    });
  }

  void written(const WrittenStrategy& said, const WrittenVerdict& verdict) {
    using Kind = WrittenVerdict::Kind;
    text("via", said.text);
    flag("by_keys", said.is_by_keys);
    line(said.span);
    text("verdict", verdict.kind == Kind::kAgrees    ? "agrees"
                    : verdict.kind == Kind::kDiffers ? "differs"
                                                     : "contradicted");
    list("objections", verdict.objections, [&](const std::string& each) { json_.text(each); });
  }

  void copies(const Recommendation& made) {
    json_.member("copies");
    json_.object([&] {
      flag("advised", made.copies.is_advised);
      text("reason", made.copies.reason);
      list("fields", made.copies.fields, [&](const WantedField& wanted) {
        const End& end = model_.relations[made.relation].ends[wanted.side];
        json_.text(end.name + "." + model_.entities[end.target].fields[wanted.field].name);
      });
      if (made.copies.fields.empty()) return;
      way(made.copies.path);
      list("answers", made.copies.path.steps, [&](const DecisionStep& step) {
        const QuestionId id = step.node->test.question;
        json_.object([&] { answer(id, made.copies.answers.of(id)); });
      });
      changes(made.copies.changes);
    });
  }

  const Model& model_;
  const language::SourceText& source_;
  JsonWriter json_;
};

}  // namespace

std::string to_json(const Model& model, const language::SourceText& source,
                    const std::vector<RelationAdvice>& advice) {
  return AdviceWriter(model, source).run(advice);
}

}  // namespace sheaf::model

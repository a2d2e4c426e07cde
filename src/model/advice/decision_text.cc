// Questions, trees and tables, drawn from the data that decide.
#include "model/advice/advice_report.h"

namespace sheaf::model {
namespace {

std::string outcome_text(Outcome outcome) {
  const OutcomeText& text = text_of(outcome);
  std::string out = std::string(text.name);
  if (text.via != language::Via::Kind::kAuto) out += ": via " + std::string(via_word(text.via));
  return out + " (" + std::string(text.points) + ")";
}

std::string branch_text(const DecisionTree& tree, BranchId branch) {
  if (branch >= 0) return std::to_string(branch + 1);
  return outcome_text(tree.leaves[static_cast<size_t>(-1 - branch)].outcome);
}

// The same with where it goes on if that cannot be.
std::string whole_branch_text(const DecisionTree& tree, BranchId branch) {
  std::string text = branch_text(tree, branch);
  if (branch >= 0) return text;
  const DecisionLeaf& leaf = tree.leaves[static_cast<size_t>(-1 - branch)];
  return leaf.otherwise == 0 ? text : text + "; if it cannot be: " + branch_text(tree, leaf.otherwise);
}

std::string asked_text(const AnswerTest& test) {
  const Question& asked = question(test.question);
  std::string text = std::string(asked.name) + " " + std::string(asked.text);
  if (test.is == AnswerTest::Is::kYes) return text;
  return text + " [" + test.text() + "]";
}

std::string tree_text(const DecisionTree& tree) {
  std::string out = "### " + std::string(tree.title) + "\n\n```\n";
  for (size_t i = 0; i < tree.nodes.size(); ++i) {
    const DecisionNode& node = tree.nodes[i];
    const std::string number = std::to_string(i + 1);
    const std::string indent(3 - number.size() + number.size() + 1, ' ');
    out += std::string(3 - number.size(), ' ') + number + " " + asked_text(node.test) + "\n";
    out += indent + "│    " + std::string(node.why) + "\n";
    out += indent + "├─ yes → " + whole_branch_text(tree, node.yes) + "\n";
    out += indent + "└─ no  → " + whole_branch_text(tree, node.no) + "\n";
  }
  return out + "```\n";
}

std::string tests_text(std::span<const AnswerTest> tests) {
  std::string text;
  for (const AnswerTest& test : tests) text += (text.empty() ? "" : ", ") + test.text();
  return text.empty() ? "-" : text;
}

std::string matters_text(const Question& asked) {
  std::string text;
  for (const auto& [is_so, name] :
       {std::pair(asked.one_to_one, "1--1"), std::pair(asked.one_to_many, "1--\\*"),
        std::pair(asked.many_to_many, "\\*--\\*")}) {
    if (is_so) text += (text.empty() ? "" : ", ") + std::string(name);
  }
  return text;
}

}  // namespace

std::string decision_text() {
  std::string out = "### Questions\n\n| | question | answer | matters for |\n|---|---|---|---|\n";
  for (const Question& asked : questions()) {
    out += "| " + std::string(asked.name) + " | " + std::string(asked.text) + " | " +
           (asked.is_asked() ? answer_forms(asked.id) : "measured") + " | " + matters_text(asked) + " |\n";
  }
  for (const DecisionTree* tree : decision_trees()) out += "\n" + tree_text(*tree);
  out +=
      "\n### Rows of the summary tables\n\n| row | says | strategy | for it if | against it if "
      "|\n|---|---|---|---|---|\n";
  for (const SummaryRow& row : summary_rows()) {
    out += "| " + std::string(row.name) + " | " + std::string(row.says) + " | " +
           std::string(text_of(row.outcome).name) + " | " +
           (row.use.empty() ? "always" : tests_text(row.use)) + " | " + tests_text(row.avoid) + " |\n";
  }
  out += "\n### What speaks against a strategy\n\n| strategy | if | because | grave |\n|---|---|---|---|\n";
  for (const Objection& each : objections()) {
    const bool is_copy = each.via == language::Via::Kind::kAuto;
    out += "| " + (is_copy ? "copies" : std::string(via_word(each.via))) + " | " + tests_text(each.when) +
           " | " + std::string(each.text) + " | " + (each.is_grave ? "yes" : "no") + " |\n";
  }
  return out;
}

}  // namespace sheaf::model

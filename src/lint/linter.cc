#include "lint/linter.h"

#include <algorithm>

#include "language/error_pages.h"
#include "lint/pages.h"
#include "lint/rule.h"

namespace sheaf::lint {
namespace {

std::string_view sentence_of(std::string_view id) {
  const language::ErrorPage* const page = language::find_error_page(id);
  return page != nullptr ? page->sentence() : std::string_view();
}

std::vector<Related> related(const language::SourceText& source, const std::vector<language::Note>& notes) {
  std::vector<Related> found;
  for (const language::Note& note : notes)
    found.push_back({.place = place_of(source, note.span), .text = note.text});
  return found;
}

class Linter {
 public:
  Linter(const plan::PlannedModel& planned, const Options& options) : planned_(planned), options_(options) {}

  // What `check` tells, of these layouts.
  void adopt(const std::vector<size_t>& layouts) {
    for (const language::Diagnostic& each : planned_.compiled.diagnostics.all()) {
      const bool is_asked =
          each.layout.empty() || std::any_of(layouts.begin(), layouts.end(), [&](size_t id) {
            return id < planned_.compiled.layouts.size() && planned_.compiled.layouts[id].name == each.layout;
          });
      const bool is_error = each.severity == language::Severity::kError;
      if (!is_asked && !is_error) continue;
      Told told{.span = each.span, .message = each.message, .fix = each.fix, .notes = each.notes};
      add(each.id.text(), is_error ? Severity::kError : Severity::kWarning, each.layout, std::move(told));
    }
  }

  void check(size_t layout) {
    const Subject subject{.planned = planned_, .layout_id = layout, .limits = options_.limits};
    for (const Rule& rule : rules()) {
      if (rule.check == nullptr) continue;
      Tell tell;
      rule.check(subject, tell);
      const std::string name = subject.is_default() ? "" : subject.layout().name;
      for (Told& told : tell) add(rule.id, told.severity.value_or(rule.severity), name, std::move(told));
    }
  }

  std::vector<Finding> take() {
    std::stable_sort(found_.begin(), found_.end(),
                     [](const auto& one, const auto& other) { return one.first.begin < other.first.begin; });
    std::vector<Finding> findings;
    for (auto& [span, finding] : found_) findings.push_back(std::move(finding));
    return findings;
  }

 private:
  void add(std::string_view rule, Severity severity, const std::string& layout, Told told) {
    const language::SourceText& source = planned_.compiled.source;
    const auto chosen = options_.severities.find(rule);
    if (chosen != options_.severities.end()) {
      if (!chosen->second) return;
      severity = *chosen->second;
    }
    const bool is_told = std::any_of(found_.begin(), found_.end(), [&](const auto& other) {
      return other.second.rule == rule && other.first == told.span && other.second.message == told.message;
    });
    if (is_told) return;
    found_.emplace_back(told.span, Finding{.rule = std::string(rule),
                                           .severity = severity,
                                           .subject = source.name(),
                                           .place = place_of(source, told.span),
                                           .message = std::move(told.message),
                                           .fix = std::move(told.fix),
                                           .layout = layout,
                                           .notes = related(source, told.notes),
                                           .repair = std::move(told.repair)});
  }

  const plan::PlannedModel& planned_;
  const Options& options_;
  std::vector<std::pair<language::Span, Finding>> found_;
};

RuleText text_of(const Rule& rule, const Options& options) {
  const auto chosen = options.severities.find(rule.id);
  const bool is_chosen = chosen != options.severities.end() && chosen->second;
  return {.id = std::string(rule.id),
          .points = std::string(rule.points),
          .title = std::string(rule.title.empty() ? sentence_of(rule.id) : rule.title),
          .why = std::string(rule.why),
          .severity = is_chosen ? *chosen->second : rule.severity,
          .page = std::string(page_of(rule.id))};
}

bool is_off(const Options& options, std::string_view rule) {
  const auto chosen = options.severities.find(rule);
  return chosen != options.severities.end() && !chosen->second;
}

}  // namespace

std::vector<Finding> lint(const plan::PlannedModel& planned, const std::vector<size_t>& layouts,
                          const Options& options) {
  Linter linter(planned, options);
  linter.adopt(layouts);
  if (planned.compiled.ok()) {
    for (const size_t layout : layouts) linter.check(layout);
  }
  return linter.take();
}

std::vector<RuleText> rule_texts(const std::vector<Finding>& findings, const Options& options) {
  std::vector<RuleText> texts;
  for (const Rule& rule : rules()) {
    if (!is_off(options, rule.id)) texts.push_back(text_of(rule, options));
  }
  for (const Finding& finding : findings) {
    const bool is_known = std::any_of(texts.begin(), texts.end(),
                                      [&](const RuleText& text) { return text.id == finding.rule; });
    if (is_known) continue;
    texts.push_back({.id = finding.rule,
                     .title = std::string(sentence_of(finding.rule)),
                     .severity = finding.severity,
                     .page = std::string(page_of(finding.rule))});
  }
  return texts;
}

std::string_view page_of(std::string_view rule) {
  for (const Page& page : pages()) {
    if (page.id == rule) return page.text;
  }
  const language::ErrorPage* const page = language::find_error_page(rule);
  return page != nullptr ? page->text : std::string_view();
}

}  // namespace sheaf::lint

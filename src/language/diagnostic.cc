#include "language/diagnostic.h"

#include <algorithm>
#include <set>
#include <utility>

#include "language/excerpt.h"

namespace sheaf::language {
namespace {

// Letters to insert, remove, replace or swap.
size_t distance(std::string_view a, std::string_view b) {
  std::vector<size_t> before, last(b.size() + 1), row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      const char x = static_cast<char>(std::tolower(static_cast<unsigned char>(a[i - 1])));
      const char y = static_cast<char>(std::tolower(static_cast<unsigned char>(b[j - 1])));
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (x == y ? 0 : 1)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = std::min(row[j], before[j - 2] + 1);
    }
    before = std::exchange(last, row);
  }
  return last[b.size()];
}

void append_excerpt(std::string& out, const SourceText& source, Span span) {
  const Position position = source.position(span.begin);
  append_excerpt(out, source.line(position.line), position, character_count(source.text(span)));
}

std::string place(const SourceText& source, uint32_t offset) {
  const Position position = source.position(offset);
  return source.name() + ":" + std::to_string(position.line) + ":" + std::to_string(position.column) + ": ";
}

}  // namespace

void Diagnostics::add(Diagnostic diagnostic) {
  const bool is_told = std::any_of(diagnostics_.begin(), diagnostics_.end(), [&](const Diagnostic& other) {
    return other.id == diagnostic.id && other.span == diagnostic.span && other.message == diagnostic.message;
  });
  if (is_told) return;
  if (diagnostic.severity == Severity::kError) ++error_count_;
  if (diagnostics_.size() < kKeptMax) diagnostics_.push_back(std::move(diagnostic));
}

void Diagnostics::sort() {
  std::stable_sort(diagnostics_.begin(), diagnostics_.end(),
                   [](const Diagnostic& a, const Diagnostic& b) { return a.span.begin < b.span.begin; });
}

void Diagnostics::drop_noise(const SourceText& source) {
  std::set<size_t> lines;
  for (const Diagnostic& diagnostic : diagnostics_) {
    if (diagnostic.id == ErrorId("unfinished-string"))
      lines.insert(source.position(diagnostic.span.begin).line);
  }
  error_count_ -= std::erase_if(diagnostics_, [&](const Diagnostic& diagnostic) {
    return !(diagnostic.id == ErrorId("unfinished-string")) &&
           lines.contains(source.position(diagnostic.span.begin).line);
  });
}

std::string render(const SourceText& source, const Diagnostic& diagnostic) {
  std::string out = place(source, diagnostic.span.begin);
  out += diagnostic.severity == Severity::kError ? "error: " : "warning: ";
  out += diagnostic.message + (diagnostic.layout.empty() ? "" : " (in layout " + diagnostic.layout + ")") +
         " [" + std::string(diagnostic.id.text()) + "]\n";
  append_excerpt(out, source, diagnostic.span);
  for (const Note& note : diagnostic.notes) {
    out += place(source, note.span.begin) + "note: " + note.text + "\n";
    append_excerpt(out, source, note.span);
  }
  if (!diagnostic.fix.empty()) out += "     = " + diagnostic.fix + "\n";
  return out;
}

std::string_view nearest(std::string_view name, const std::vector<std::string_view>& candidates) {
  std::string_view best;
  size_t best_distance = std::max<size_t>(name.size() / 3, 1) + 1;
  for (const std::string_view candidate : candidates) {
    const size_t away = distance(name, candidate);
    if (away < best_distance && away < std::max(name.size(), candidate.size())) {
      best = candidate;
      best_distance = away;
    }
  }
  return best;
}

}  // namespace sheaf::language
